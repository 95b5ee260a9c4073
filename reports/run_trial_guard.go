package reports

import (
	"context"

	"queuelab/measure/cleanup"
)

// guard stands by to delete what an endpoint's requests write; it is nil where they
// write nothing, or nobody said how to delete it.
func (s *site) guard(ctx context.Context, p Endpoint) (*cleanup.Guard, error) {
	var written cleanup.Config
	switch {
	case s.server != nil && p.writes():
		written.DSN, written.SQL = s.server.Written()
	case s.target.Driver != "":
		written = p.written()
	}
	if written.SQL == "" {
		return nil, nil
	}
	return cleanup.Start(ctx, written)
}

// written is what a study says of an endpoint that writes.
func (p Endpoint) written() cleanup.Config { return cleanup.Config{DSN: p.DSN, SQL: p.Cleanup} }
