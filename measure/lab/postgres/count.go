package postgres

import (
	"queuelab/drivers"
	"queuelab/measure/database"
	"queuelab/measure/lab/tally"
	"queuelab/measure/workload"
)

// Counter counts by the database's statistics of transactions. While its table is
// locked again and again there is none, since the locks are transactions too.
func (s *Server) Counter(o drivers.Options, w *workload.Workload) tally.Counter {
	if w.Stall.Any() && w.Stall.Kind != workload.Freeze {
		return nil
	}
	c, ok := database.NewCounter(o, w.Clients)
	if !ok {
		return nil
	}
	return c
}
