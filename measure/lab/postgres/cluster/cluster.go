// Package cluster starts private PostgreSQL clusters, each with one database whose
// content a lab chooses.
package cluster

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
	// Initial is the database that initdb makes.
	Initial = "postgres"
	// role is the one that initdb makes.
	role = "postgres"
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

// User is who PostgreSQL runs as, and whoever else is to enter the directory of its
// socket: PostgreSQL refuses to run as root. Nil is the user of this process.
func User() (*supervise.User, error) { return supervise.Unprivileged("postgres") }

// Cluster is a running private PostgreSQL.
type Cluster struct {
	*supervise.Process
	database string
}

// Start makes a database cluster, starts it, fills its database and returns when all
// of that is done. The context bounds the start, not the server's life.
func Start(ctx context.Context, content Content) (*Cluster, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, startBound, fmt.Errorf("not ready within %v", startBound))
	defer cancel()
	path, err := Find()
	if err != nil {
		return nil, err
	}
	account, err := User()
	if err != nil {
		return nil, err
	}
	dir, err := supervise.NewDir("postgres")
	if err != nil {
		return nil, err
	}
	if socket := filepath.Join(dir, ".s.PGSQL.5432"); len(socket) > socketPathBytes {
		return nil, fmt.Errorf("the socket's path %s is longer than the %d bytes a Unix socket may have: set TMPDIR to a shorter directory, such as /tmp", socket, socketPathBytes)
	}
	process, err := supervise.Start(ctx, spec(path, dir, account))
	if err != nil {
		return nil, err
	}
	c := &Cluster{Process: process, database: Initial}
	err = c.Ready(ctx, readyBound, func(ctx context.Context) error { return c.Do(ctx, answers) })
	if err == nil {
		err = c.fill(ctx, content)
	}
	if err != nil {
		return nil, errors.Join(err, c.Stop())
	}
	return c, nil
}

// spec says how PostgreSQL is run. Settings are initdb's defaults but for privacy
// and for leaving nothing behind:
//   - it listens on a Unix socket in the private directory only, whose mode 0700
//     is what makes "trust" safe, and on no TCP port;
//   - dynamic shared memory is in files of the private directory: in /dev/shm, the
//     default, it would outlive a killed server. Only statistics and parallel
//     queries use it, and the labs' queries are not parallel.
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

// Do does something on a connection of its own.
func (c *Cluster) Do(ctx context.Context, do func(context.Context, *pgx.Conn) error) error {
	config, err := pgx.ParseConfig(c.DSN())
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

// DSN is how to connect, in the form that psql and pgx both read.
func (c *Cluster) DSN() string {
	return fmt.Sprintf("host=%s port=5432 user=%s dbname=%s sslmode=disable", c.Dir(), role, c.database)
}

// Backends returns the processes that serve clients now, with the workers of their
// parallel queries, but not the server's own background processes.
func (c *Cluster) Backends() ([]int, error) {
	children, err := supervise.Children(c.PID())
	if err != nil {
		return nil, err
	}
	var backends []int
	for _, pid := range children {
		title, err := supervise.Title(pid)
		if err == nil && servesClient(title, c.database) { // an error: it has ended
			backends = append(backends, pid)
		}
	}
	return backends, nil
}

// servesClient tells a backend by its title, "postgres: ROLE DATABASE HOST …".
func servesClient(title, database string) bool {
	return strings.HasPrefix(title, "postgres: "+role+" "+database+" ") ||
		strings.HasPrefix(title, "postgres: parallel worker ")
}
