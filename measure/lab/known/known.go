// Package known is the known-answer server: an HTTP server that is a queue. It
// has c servers, a first-come first-served line and a service law of your
// choice, and answers each request at the instant at which the queue lets it
// go. Its service times do not depend on the CPU, so what a load generator
// should see on it is known beforehand.
package known

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"sync"
	"time"

	"queuelab/measure"
	"queuelab/measure/law"
)

// Config says which queue the server is.
type Config struct {
	Addr    string  // where to listen, "127.0.0.1:9200"; port 0 takes a free one
	Service law.Law // of the service times that a request does not name itself
	Servers int     // c, at least 1
	Seed    uint64
}

// Server is a running known-answer server.
type Server struct {
	station  *station
	listener net.Listener
	http     *http.Server
	pacers   sync.Pool // of measure.Pacer
	done     chan error
}

// Start begins to serve; Stop ends it.
func Start(c Config) (*Server, error) {
	if c.Servers < 1 {
		return nil, fmt.Errorf("%d servers cannot serve: the known-answer server needs at least 1", c.Servers)
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return nil, fmt.Errorf("the known-answer server cannot listen on %s: %w: choose another -addr", c.Addr, err)
	}
	s := &Server{
		station:  newStation(c.Service, c.Servers, c.Seed),
		listener: listener,
		done:     make(chan error, 1),
	}
	s.pacers.New = func() any { return measure.NewPacer(s.station.start) }
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ReadHeaderTimeout: 10 * time.Second}
	go func() { s.done <- s.http.Serve(listener) }()
	return s, nil
}

// URL is where the server answers.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/" }

// longestService bounds the service time that a request may name: one slip of
// the keyboard should not hold up the queue for years.
const longestService = time.Hour

// serve answers a request when the queue lets it go. A request may name its own
// service time: ?service=5.3ms.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	service, err := named(r.URL.RawQuery)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	departure := s.station.arrive(service)
	pacer := s.pacers.Get().(measure.Pacer)
	pacer.Wait(departure)
	s.pacers.Put(pacer)
	w.Write([]byte("ok\n")) // a client that went away is its own loss
}

// named is the service time that a query names, below zero when it names none.
func named(query string) (time.Duration, error) {
	values, err := url.ParseQuery(query)
	if err != nil {
		return 0, fmt.Errorf("the query %q cannot be read: write it like ?service=5.3ms", query)
	}
	if !values.Has("service") {
		return -1, nil
	}
	service, err := time.ParseDuration(values.Get("service"))
	if err != nil || service < 0 || service > longestService {
		return 0, fmt.Errorf("service=%q is not a duration from 0s to %s, such as 5.3ms", values.Get("service"), longestService)
	}
	return service, nil
}

// Wait returns when the server has ended, with what ended it unless that was
// Stop.
func (s *Server) Wait() error {
	err := <-s.done
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("the known-answer server stopped: %w", err)
}

// Stop ends the server at once; requests in its queue are cut off.
func (s *Server) Stop() error { return s.http.Close() }
