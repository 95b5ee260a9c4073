// Package nginx starts a private nginx whose every answer costs some milliseconds
// of one CPU: one worker that compresses an 80,000-byte page of text at gzip's
// highest level for each request.
package nginx

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"queuelab/measure/lab/program"
	"queuelab/measure/lab/supervise"
	"queuelab/measure/workload"
)

// WantedPort is the port nginx listens on, or the next above it that is free.
const WantedPort = 9100

// readyBound is how long nginx may take until its first answer.
const readyBound = 10 * time.Second

// binary is nginx, which distributions put where only root's PATH looks.
var binary = program.Program{
	Name:        "nginx",
	Directories: []string{"/usr/sbin", "/usr/local/sbin", "/usr/local/nginx/sbin", "/opt/homebrew/bin"},
	Package:     "nginx",
}

// Find returns nginx's path, or an error that says how to install it.
func Find() (string, error) { return program.Find(binary) }

// Server is a running private nginx.
type Server struct {
	*supervise.Process
	port   *supervise.Port
	config string
	build  string // what `nginx -V` prints
	onWire int64  // bytes of the page as it is sent
}

// Start starts nginx and returns once it has served the page. A snippet, of
// whole directives such as `location = /empty { return 200; }`, is added to its
// server block. The context bounds the start, not the server's life.
func Start(ctx context.Context, snippet string) (*Server, error) {
	s, err := start(ctx, snippet)
	if err != nil {
		return nil, fmt.Errorf("start a private nginx: %w", err)
	}
	return s, nil
}

func start(ctx context.Context, snippet string) (_ *Server, err error) {
	path, err := Find()
	if err != nil {
		return nil, err
	}
	// nginx -V writes to standard error.
	build, err := exec.CommandContext(ctx, path, "-V").CombinedOutput()
	if err != nil {
		return nil, fmt.Errorf("ask %s for its version: %w", path, err)
	}
	// As root all of nginx, its master too, runs as nobody: the worker would drop
	// to that anyway, and 9100 is no privileged port.
	account, err := supervise.Unprivileged()
	if err != nil {
		return nil, err
	}
	port, err := supervise.FreePort(WantedPort)
	if err != nil {
		return nil, err
	}
	s := &Server{port: port, build: strings.TrimSpace(string(build))}
	s.config = configuration(port.Number, s.build, snippet)
	dir, err := supervise.NewDir("nginx")
	if err != nil {
		return nil, fmt.Errorf("start a private nginx: %w", err)
	}
	s.Process, err = supervise.Start(ctx, supervise.Spec{
		Dir: dir,
		Files: []supervise.File{
			{Name: "nginx.conf", Data: []byte(s.config)},
			{Name: "html/" + pageName, Data: page()},
		},
		Server: supervise.Command{Path: path, Args: []string{"-p", dir + "/", "-c", "nginx.conf"}},
		User:   account,
	})
	if err != nil {
		port.Release()
		return nil, err
	}
	if err := s.Ready(ctx, readyBound, s.ask); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// ask requests the page once and checks that it is what a measurement expects.
func (s *Server) ask(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL(), nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept-Encoding", "gzip")
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(req)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	s.onWire, err = io.Copy(io.Discard, answer.Body)
	if err != nil {
		return err
	}
	if encoding := answer.Header.Get("Content-Encoding"); answer.StatusCode != http.StatusOK || encoding != "gzip" {
		return fmt.Errorf("%s answered %s with encoding %q, want 200 and gzip", s.URL(), answer.Status, encoding)
	}
	return nil
}

// Driver is "http".
func (s *Server) Driver() string { return "http" }

// URL is the page's.
func (s *Server) URL() string { return s.Base() + "/" + pageName }

// Base is the server's URL without a path.
func (s *Server) Base() string { return "http://127.0.0.1:" + strconv.Itoa(s.port.Number) }

// DSN is empty: nginx is reached by URL.
func (s *Server) DSN() string { return "" }

// SQL is empty: nginx is reached by URL.
func (s *Server) SQL() string { return "" }

// Session is empty: there is no session to prepare.
func (s *Server) Session() string { return "" }

// Written is empty: a request for a page writes nothing.
func (s *Server) Written() (dsn, cleanup string) { return "", "" }

// PIDs returns the worker's process id.
func (s *Server) PIDs() ([]int, error) { return supervise.Children(s.PID()) }

// Stalls are the stalls it can have.
var Stalls = supervise.StallKinds{workload.Freeze}

// Staller freezes the worker and its master.
func (s *Server) Staller(_ context.Context, kind workload.StallKind) (supervise.Staller, error) {
	if _, err := Stalls.Resolve("nginx", kind); err != nil {
		return nil, err
	}
	return s.Freezer(), nil
}

// Stop kills nginx and removes its directory; it may be called more than once.
func (s *Server) Stop() error {
	defer s.port.Release()
	return s.Process.Stop()
}

// Facts are what a reader of a measurement needs to know of this server.
func (s *Server) Facts() map[string]string {
	return map[string]string{
		"version":       s.version(),
		"nginx -V":      s.build,
		"configuration": s.config,
		"page": fmt.Sprintf("%d bytes, %d as sent (gzip level 9), sha256 %x",
			PageBytes, s.onWire, sha256.Sum256(page())),
		"placement": s.Placement(),
		"account":   s.Account(),
	}
}

func (s *Server) version() string {
	first, _, _ := strings.Cut(s.build, "\n")
	return strings.TrimPrefix(first, "nginx version: ")
}

// Describe says how to reach the server.
func (s *Server) Describe() string {
	var text strings.Builder
	fmt.Fprintf(&text, "%s, one worker, %s, as %s\n", s.version(), s.Placement(), s.Account())
	fmt.Fprintf(&text, "url:  %s\n", s.URL())
	if s.port.Number != WantedPort {
		fmt.Fprintf(&text, "      (port %d is taken)\n", WantedPort)
	}
	fmt.Fprintf(&text, "work: gzip level 9 of %d bytes, %d as sent\n", PageBytes, s.onWire)
	fmt.Fprintf(&text, "dir:  %s\n", s.Dir())
	fmt.Fprintf(&text, "try:  curl -s -H 'Accept-Encoding: gzip' %s | zcat | head -3\n", s.URL())
	return text.String()
}
