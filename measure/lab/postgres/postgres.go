// Package postgres starts a private PostgreSQL whose every answer costs some
// milliseconds of one CPU: a query that sums 50,000 rows of a table with
// 1,050,000.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/database"
	"queuelab/measure/lab/postgres/cluster"
	"queuelab/measure/lab/supervise"
	"queuelab/measure/workload"
)

const (
	// Rows is the size of the table accounts; its ids are 0 to Rows-1.
	Rows = 1_050_000
	// Summed is how many rows each query reads.
	Summed = 50_000
	// Query is what the lab is measured with; $1 is an id below 1,000,000.
	Query = `SELECT sum(balance) FROM accounts WHERE id BETWEEN $1 AND $1 + 49999`
)

// Find returns the path of the postgres program, or an error that says how to
// install it.
func Find() (string, error) { return cluster.Find() }

// Server is a running private PostgreSQL.
type Server struct {
	*cluster.Cluster
	facts map[string]string
}

// Start makes a database cluster, starts it, fills the table and returns when the
// query has been answered. The context bounds the start, not the server's life.
func Start(ctx context.Context) (*Server, error) {
	s, err := start(ctx)
	if err != nil {
		return nil, fmt.Errorf("start a private PostgreSQL: %w", err)
	}
	return s, nil
}

func start(ctx context.Context) (*Server, error) {
	started, err := cluster.Start(ctx, content)
	if err != nil {
		return nil, err
	}
	s := &Server{Cluster: started}
	if err := s.learn(ctx); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// learn asks the server for its facts.
func (s *Server) learn(ctx context.Context) (err error) {
	s.facts, err = s.Cluster.Facts(ctx)
	if err != nil {
		return err
	}
	err = s.Do(ctx, func(ctx context.Context, conn *pgx.Conn) (err error) {
		s.facts["plan"], err = database.Lines(ctx, conn, `EXPLAIN SELECT sum(balance) FROM accounts WHERE id BETWEEN 500000 AND 549999`)
		return err
	})
	if err != nil {
		return fmt.Errorf("ask for the plan: %w", err)
	}
	s.facts["query"] = Query
	return nil
}

// Facts are what a reader of a measurement needs to know of this server.
func (s *Server) Facts() map[string]string { return maps.Clone(s.facts) }

// Driver is "postgres".
func (s *Server) Driver() string { return "postgres" }

// URL is empty: PostgreSQL is reached by DSN.
func (s *Server) URL() string { return "" }

// Base is empty, too.
func (s *Server) Base() string { return "" }

// SQL is the query the lab is measured with.
func (s *Server) SQL() string { return Query }

// Session lets a connection's backend read the whole table with the lab's query.
// A backend maps each page of the shared buffers when it first touches it, and
// in a virtual machine that is dear: without this, throughput with 8 clients was
// seen to rise from 93/s in the first second to 220/s in the fifth.
func (s *Server) Session() string {
	return fmt.Sprintf(`DO $$ BEGIN
	FOR low IN 0..%d BY %d LOOP
		PERFORM sum(balance) FROM accounts WHERE id BETWEEN low AND low + %d;
	END LOOP;
END $$`, Rows-1, Summed, Summed-1)
}

// Written is empty: the query writes nothing.
func (s *Server) Written() (dsn, cleanup string) { return "", "" }

// PIDs returns the backends that serve clients now, with the workers of their
// parallel queries, but not the server's own background processes.
func (s *Server) PIDs() ([]int, error) { return s.Backends() }

// Stalls are the stalls it can have.
var Stalls = supervise.StallKinds{workload.Lock, workload.Freeze}

// Staller locks the table, or freezes the server with all its processes.
func (s *Server) Staller(ctx context.Context, kind workload.StallKind) (supervise.Staller, error) {
	kind, err := Stalls.Resolve("postgres", kind)
	if err != nil {
		return nil, err
	}
	if kind == workload.Freeze {
		return s.Freezer(), nil
	}
	return s.Locker(ctx, content.Table)
}

// Describe says how to reach the server.
func (s *Server) Describe() string {
	var text strings.Builder
	version, _, _ := strings.Cut(s.facts["PostgreSQL version"], " on ")
	fmt.Fprintf(&text, "%s, %s, as %s\n", version, s.Placement(), s.Account())
	fmt.Fprintf(&text, "dsn:  %s\n", s.DSN())
	fmt.Fprintf(&text, "      (a socket in a directory that only %s and root may enter; no TCP port)\n", s.Account())
	fmt.Fprintf(&text, "sql:  %s\n", Query)
	fmt.Fprintf(&text, "work: a sum over %d of %d rows ($1 below 1000000)\n", Summed, Rows)
	fmt.Fprintf(&text, "dir:  %s\n", s.Dir())
	fmt.Fprintf(&text, "try:  psql '%s' -c 'SELECT count(*) FROM accounts'\n", s.DSN())
	return text.String()
}
