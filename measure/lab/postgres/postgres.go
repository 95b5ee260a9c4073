// Package postgres starts a private PostgreSQL whose every answer costs some
// milliseconds of one CPU: a query that sums 50,000 rows of a table with
// 1,050,000.
package postgres

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/lab/program"
	"queuelab/measure/lab/supervise"
)

const (
	// Rows is the size of the table accounts; its ids are 0 to Rows-1.
	Rows = 1_050_000
	// Summed is how many rows each query reads.
	Summed = 50_000
	// Query is what the lab is measured with; $1 is an id below 1,000,000.
	Query = `SELECT sum(balance) FROM accounts WHERE id BETWEEN $1 AND $1 + 49999`

	// role and database are those that initdb makes.
	role     = "postgres"
	database = "postgres"
	// startBound is how long a start may take in all; 4 s are usual.
	startBound = 2 * time.Minute
	// readyBound is how long PostgreSQL may take until its first answer.
	readyBound = 20 * time.Second
	// socketPathBytes is the longest path of a Unix socket on Linux and macOS.
	socketPathBytes = 103
)

// binary is the server, with the program that makes its files. Debian keeps both
// out of PATH.
var binary = program.Program{
	Name:   "postgres",
	Beside: []string{"initdb"},
	Directories: []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/usr/local/pgsql/bin",
		"/opt/homebrew/opt/postgresql@*/bin"},
	Package: "postgresql",
}

// Find returns the path of the postgres program, or an error that says how to
// install it.
func Find() (string, error) { return program.Find(binary) }

// Server is a running private PostgreSQL.
type Server struct {
	*supervise.Process
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
	ctx, cancel := context.WithTimeoutCause(ctx, startBound, fmt.Errorf("not ready within %v", startBound))
	defer cancel()
	path, err := Find()
	if err != nil {
		return nil, err
	}
	account, err := supervise.Unprivileged("postgres") // PostgreSQL refuses to run as root
	if err != nil {
		return nil, err
	}
	dir, err := supervise.NewDir("postgres")
	if err != nil {
		return nil, fmt.Errorf("start a private postgres: %w", err)
	}
	if socket := filepath.Join(dir, ".s.PGSQL.5432"); len(socket) > socketPathBytes {
		return nil, fmt.Errorf("the socket's path %s is longer than the %d bytes a Unix socket may have: set TMPDIR to a shorter directory, such as /tmp", socket, socketPathBytes)
	}
	process, err := supervise.Start(ctx, spec(path, dir, account))
	if err != nil {
		return nil, err
	}
	s := &Server{Process: process}
	err = s.Ready(ctx, readyBound, func(ctx context.Context) error { return s.session(ctx, answers) })
	if err == nil {
		err = s.fill(ctx)
	}
	if err == nil {
		err = s.session(ctx, s.learn)
	}
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// spec says how PostgreSQL is run. Settings are initdb's defaults but for privacy
// and for leaving nothing behind:
//   - it listens on a Unix socket in the private directory only, whose mode 0700
//     is what makes "trust" safe, and on no TCP port;
//   - dynamic shared memory is in files of the private directory: in /dev/shm, the
//     default, it would outlive a killed server. Only statistics and parallel
//     queries use it, and the lab's query is not parallel.
func spec(postgres, dir string, account *supervise.User) supervise.Spec {
	return supervise.Spec{
		Dir: dir,
		Before: []supervise.Command{{
			Path: filepath.Join(filepath.Dir(postgres), "initdb"),
			// The encoding would follow the language of the environment. Not waiting
			// for the disk saves seconds: the files are thrown away.
			Args: []string{"-D", "data", "-U", role, "--encoding=UTF8", "--auth-local=trust", "--auth-host=reject", "--no-sync"},
		}},
		Server: supervise.Command{Path: postgres, Args: []string{"-D", "data",
			"-c", "listen_addresses=",
			"-c", "unix_socket_directories=" + dir,
			"-c", "dynamic_shared_memory_type=mmap",
		}},
		User: account,
		// initdb's own servers have some in /dev/shm for a moment.
		SharedMemory: "PostgreSQL.",
	}
}

// session runs do on a connection of its own.
func (s *Server) session(ctx context.Context, do func(context.Context, *pgx.Conn) error) error {
	config, err := pgx.ParseConfig(s.DSN())
	if err != nil {
		return err
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	return errors.Join(do(ctx, conn), conn.Close(ctx))
}

func answers(ctx context.Context, conn *pgx.Conn) error {
	var one int
	return conn.QueryRow(ctx, "SELECT 1").Scan(&one)
}

// Driver is "postgres".
func (s *Server) Driver() string { return "postgres" }

// URL is empty: PostgreSQL is reached by DSN.
func (s *Server) URL() string { return "" }

// Base is empty, too.
func (s *Server) Base() string { return "" }

// DSN is how to connect, in the form that psql and pgx both read.
func (s *Server) DSN() string {
	return fmt.Sprintf("host=%s port=5432 user=%s dbname=%s sslmode=disable", s.Dir(), role, database)
}

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
func (s *Server) PIDs() ([]int, error) {
	children, err := supervise.Children(s.PID())
	if err != nil {
		return nil, err
	}
	var backends []int
	for _, pid := range children {
		title, err := supervise.Title(pid)
		if err == nil && servesClient(title) { // an error: it has ended
			backends = append(backends, pid)
		}
	}
	return backends, nil
}

// servesClient tells a backend by its title, "postgres: ROLE DATABASE HOST …".
func servesClient(title string) bool {
	return strings.HasPrefix(title, "postgres: "+role+" "+database+" ") ||
		strings.HasPrefix(title, "postgres: parallel worker ")
}

// Describe says how to reach the server.
func (s *Server) Describe() string {
	var text strings.Builder
	version, _, _ := strings.Cut(s.facts["version"], " on ")
	fmt.Fprintf(&text, "%s, %s, as %s\n", version, s.Placement(), s.Account())
	fmt.Fprintf(&text, "dsn:  %s\n", s.DSN())
	fmt.Fprintf(&text, "      (a socket in a directory that only %s and root may enter; no TCP port)\n", s.Account())
	fmt.Fprintf(&text, "sql:  %s\n", Query)
	fmt.Fprintf(&text, "work: a sum over %d of %s rows ($1 below 1000000)\n", Summed, s.facts["rows"])
	fmt.Fprintf(&text, "dir:  %s\n", s.Dir())
	fmt.Fprintf(&text, "try:  psql '%s' -c 'SELECT count(*) FROM accounts'\n", s.DSN())
	return text.String()
}
