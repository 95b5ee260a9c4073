// Package witness is an HTTP server that says when each request reached it, by the
// kernel's clock and not by its own: the kernel stamps a segment as it is received,
// on loopback while the sender is still in its system call, so that a server that is
// late to look tells the same instant.
package witness

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"queuelab/measure/host/self"
	"queuelab/measure/lab/supervise"
)

const (
	// WantedPort is the port the witness listens on, or the next above it that is
	// free.
	WantedPort = 9300
	// Most is how many stamps it keeps: 20,000 requests a second for three minutes.
	Most = 1 << 22

	// readyBound is how long it may take until its first answer.
	readyBound = 10 * time.Second
	// resetPath forgets all stamps, stampsPath answers them, one a line.
	resetPath, stampsPath = "/reset", "/stamps"
)

// role is that of the witness.
var role = &self.Role{Name: "lab-witness"}

// ServeIfAsked turns this process into the witness when it was started as one, and
// then does not return. Every program that starts one calls it first thing in main,
// a test in TestMain.
func ServeIfAsked() {
	if !role.Taken() {
		return
	}
	// It is killed: serve returns only when something is wrong.
	fmt.Fprintln(os.Stderr, serve(os.Args[1:]))
	os.Exit(1)
}

// Server is a running witness.
type Server struct {
	*supervise.Process
	port *supervise.Port
}

// Start starts a witness, pinned as all private servers are, and returns once it has
// answered. The context bounds the start, not the server's life.
func Start(ctx context.Context) (*Server, error) {
	s, err := start(ctx)
	if err != nil {
		return nil, fmt.Errorf("start a server that stamps requests: %w", err)
	}
	return s, nil
}

func start(ctx context.Context) (*Server, error) {
	if !supported {
		return nil, errUnsupported
	}
	if !role.Armed() {
		return nil, errors.New("it is this program once more: call lab.SuperviseIfAsked first thing in main (in a test: in TestMain)")
	}
	program, err := self.Path()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	account, err := supervise.Unprivileged()
	if err != nil {
		return nil, err
	}
	dir, err := supervise.NewDir("witness")
	if err != nil {
		return nil, err
	}
	s := &Server{}
	if s.port, err = supervise.FreePort(WantedPort); err != nil {
		return nil, err
	}
	s.Process, err = supervise.Start(ctx, supervise.Spec{
		Dir:    dir,
		Server: supervise.Command{Path: program, Name: role.Name, Args: []string{strconv.Itoa(s.port.Number)}},
		User:   account,
	})
	if err != nil {
		s.port.Release()
		return nil, err
	}
	if err := s.Ready(ctx, readyBound, s.Reset); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// Stop kills it and removes its directory; it may be called more than once.
func (s *Server) Stop() error {
	defer s.port.Release()
	return s.Process.Stop()
}

// URL is where requests are answered and stamped.
func (s *Server) URL() string { return s.base() + "/" }

func (s *Server) base() string { return "http://127.0.0.1:" + strconv.Itoa(s.port.Number) }

// Reset forgets all stamps.
func (s *Server) Reset(ctx context.Context) error {
	return s.ask(ctx, resetPath, func(body io.Reader) error { return nil })
}

// Stamps are the instants at which the requests since the last reset were received,
// in nanoseconds since 1970, in the order in which the server read them: with several
// connections not quite that of their instants.
func (s *Server) Stamps(ctx context.Context) (stamps []int64, err error) {
	err = s.ask(ctx, stampsPath, func(body io.Reader) (err error) {
		stamps, err = parse(body)
		return err
	})
	return stamps, err
}

// ask requests a path, which is not stamped, on a connection of its own.
func (s *Server) ask(ctx context.Context, path string, read func(io.Reader) error) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base()+path, nil)
	if err != nil {
		return err
	}
	transport := http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		why, _ := io.ReadAll(io.LimitReader(answer.Body, 1000)) // what of it can be read
		return fmt.Errorf("the server that stamps requests answered %s to %s: %s", answer.Status, path, why)
	}
	return read(answer.Body)
}

// parse reads stamps, one a line.
func parse(text io.Reader) ([]int64, error) {
	var stamps []int64
	lines := bufio.NewScanner(text)
	for lines.Scan() {
		if len(stamps) == Most {
			return nil, fmt.Errorf("there are more than the %d stamps that are kept", Most)
		}
		stamp, err := strconv.ParseInt(lines.Text(), 10, 64)
		if err != nil || stamp <= 0 {
			return nil, fmt.Errorf("line %d of the stamps, %q, is no instant in nanoseconds since 1970", len(stamps)+1, lines.Text())
		}
		stamps = append(stamps, stamp)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read the stamps: %w", err)
	}
	return stamps, nil
}
