package reports

import (
	"context"

	"queuelab/measure/cleanup"
)

// guard stands by to delete what an endpoint's requests write; it is nil where they
// write nothing, or nobody said how to delete it.
func (s *site) guard(ctx context.Context, p Endpoint) (*cleanup.Guard, error) {
	written := s.written(p)
	if written.SQL == "" {
		return nil, nil
	}
	return cleanup.Start(ctx, written)
}

// written says how to delete what an endpoint's requests write to the target: a lab
// knows it itself, and of a server that already runs the study says it.
func (s *site) written(p Endpoint) (c cleanup.Config) {
	switch {
	case s.server != nil && s.asks(p).Writes():
		c.DSN, c.SQL = s.server.Written()
		c.Private = true
	case s.target.Driver != "":
		return p.cleanup()
	}
	return c
}

// cleanup is what a study says of an endpoint that writes.
func (p Endpoint) cleanup() cleanup.Config { return cleanup.Config{DSN: p.DSN, SQL: p.Cleanup} }
