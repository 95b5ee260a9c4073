// Package shortener starts a private URL shortener: an HTTP server that answers
// each request from a table of links in a private PostgreSQL, both on the same CPU.
// One of its pages needs no database, which shows what the HTTP server alone costs.
package shortener

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"queuelab/measure/host/self"
	"queuelab/measure/lab/postgres/cluster"
	"queuelab/measure/lab/supervise"
	"queuelab/measure/workload"
)

const (
	// WantedPort is the port the shortener listens on, or the next above it that is
	// free.
	WantedPort = 8080
	// Rows is the size of the table links at the start. Its ids are 1 to Rows, and
	// its codes "seed" and the id.
	Rows = 500_003

	// seed is the code of the link that the lab is measured with.
	seed = "seed250000"
	// readyBound is how long the shortener may take until its first answer.
	readyBound = 20 * time.Second
)

// Find returns the path of the postgres program, the one part of it that must be
// installed, or an error that says how to install it.
func Find() (string, error) { return cluster.Find() }

// Server is a running private shortener.
type Server struct {
	*supervise.Process // the HTTP server
	database           *cluster.Cluster
	port               *supervise.Port
	facts              map[string]string
}

// Start fills a private database, starts the shortener on it, and returns once it has
// answered. The context bounds the start, not the server's life.
func Start(ctx context.Context) (*Server, error) {
	s, err := start(ctx)
	if err != nil {
		return nil, fmt.Errorf("start a private shortener: %w", err)
	}
	return s, nil
}

func start(ctx context.Context) (_ *Server, err error) {
	if !role.Armed() {
		return nil, errors.New("the shortener is this program once more: call lab.SuperviseIfAsked first thing in main (in a test: in TestMain)")
	}
	database, err := cluster.Start(ctx, content)
	if err != nil {
		return nil, err
	}
	s := &Server{database: database}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Stop())
		}
	}()
	if s.port, err = supervise.FreePort(WantedPort); err != nil {
		return nil, err
	}
	if s.Process, err = s.launch(ctx); err != nil {
		return nil, err
	}
	if err := s.Ready(ctx, readyBound, s.ask); err != nil {
		return nil, err
	}
	if err := s.learn(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// launch starts the HTTP server, as whoever may enter the directory of the
// database's socket.
func (s *Server) launch(ctx context.Context) (*supervise.Process, error) {
	program, err := self.Path()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	account, err := cluster.User()
	if err != nil {
		return nil, err
	}
	dir, err := supervise.NewDir("shortener")
	if err != nil {
		return nil, err
	}
	return supervise.Start(ctx, supervise.Spec{
		Dir:    dir,
		Server: supervise.Command{Path: program, Name: role.Name, Args: []string{s.address(), s.database.DSN()}},
		User:   account,
	})
}

// ask requests the lab's link once and checks that it is what a measurement expects.
func (s *Server) ask(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL(), nil)
	if err != nil {
		return err
	}
	transport := http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(req) // which follows no redirect
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != http.StatusFound || answer.Header.Get("Location") == "" {
		return fmt.Errorf("%s answered %s, want 302 and a location", s.URL(), answer.Status)
	}
	return nil
}

// Stop kills the shortener and its database and removes their directories. It may be
// called more than once.
func (s *Server) Stop() error {
	var failures []error
	if s.Process != nil { // not so when it could not be started
		failures = append(failures, s.Process.Stop())
	}
	if s.port != nil {
		s.port.Release()
	}
	return errors.Join(append(failures, s.database.Stop())...)
}

// Driver is "http".
func (s *Server) Driver() string { return "http" }

func (s *Server) address() string { return "127.0.0.1:" + strconv.Itoa(s.port.Number) }

// Base is the server's URL without a path.
func (s *Server) Base() string { return "http://" + s.address() }

// URL is that of a link in the middle of the table.
func (s *Server) URL() string { return s.Base() + "/" + seed }

// DSN is empty: the shortener is reached by URL. Its database is in Written.
func (s *Server) DSN() string { return "" }

// SQL is empty: the shortener is reached by URL.
func (s *Server) SQL() string { return "" }

// Session is empty: there is no session to prepare.
func (s *Server) Session() string { return "" }

// Written is the shortener's database, and what deletes all links but those of the
// start.
func (s *Server) Written() (dsn, cleanup string) { return s.database.DSN(), deleteNew }

// PIDs returns the HTTP server's process id.
func (s *Server) PIDs() ([]int, error) { return []int{s.PID()}, nil }

// Stalls are the stalls it can have.
var Stalls = supervise.StallKinds{workload.Freeze, workload.Lock}

// Staller freezes the HTTP server, or locks the table of links: then requests that
// need the database are held and those that do not are answered.
func (s *Server) Staller(ctx context.Context, kind workload.StallKind) (supervise.Staller, error) {
	kind, err := Stalls.Resolve("shortener", kind)
	if err != nil {
		return nil, err
	}
	if kind == workload.Lock {
		return s.database.Locker(ctx, content.Table)
	}
	return s.Freezer(), nil
}
