package drivers

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
)

// UsageError says that what the user wrote cannot be carried out: exit
// status 2. It is one sentence that says what to write instead, without
// secrets.
type UsageError struct {
	Reason string
	Err    error // what a parser or the server said; nil when there is nothing more, or when it could hold a secret
}

func (e *UsageError) Error() string { return e.Reason }

// Unwrap returns what caused the error, if it is known.
func (e *UsageError) Unwrap() error { return e.Err }

func usage(format string, args ...any) error {
	return &UsageError{Reason: fmt.Sprintf(format, args...)}
}

// UnreachableError says that the target did not answer before the run: exit
// status 3. When the preflight's context was cancelled it wraps
// context.Canceled.
type UnreachableError struct {
	Target string // as Driver.Target, secrets removed
	Err    error
}

func (e *UnreachableError) Error() string {
	return fmt.Sprintf("cannot reach %s: %s; %s", e.Target, cause(e.Err), advice(e.Err))
}

// Unwrap returns what the network or the server said.
func (e *UnreachableError) Unwrap() error { return e.Err }

// nthError is the failure of one connection among several.
type nthError struct {
	n, of int
	err   error
}

func (e *nthError) Error() string {
	return fmt.Sprintf("connection %d of %d: %s", e.n, e.of, cause(e.err))
}

func (e *nthError) Unwrap() error { return e.err }

// cause puts into a few words why a target could not be reached. Libraries
// wrap the reason in several layers and lines, which name the target again.
func cause(err error) string {
	var nth *nthError
	var server *pgconn.PgError
	var errno syscall.Errno
	var dns *net.DNSError
	switch {
	case errors.As(err, &nth):
		return nth.Error()
	case errors.As(err, &server):
		return fmt.Sprintf("the server says %q (SQLSTATE %s)", server.Message, server.Code)
	case errors.Is(err, context.Canceled):
		return "interrupted"
	case errors.As(err, &errno):
		return errno.Error()
	case errors.As(err, &dns):
		return dns.Err
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, os.ErrDeadlineExceeded):
		return "no answer within the time given"
	}
	return strings.Join(strings.Fields(err.Error()), " ")
}

// advice says what to look at first.
func advice(err error) string {
	var server *pgconn.PgError
	switch {
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "this process may not open more files: raise the limit with ulimit -n, or use fewer connections"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "no local port is left for more connections to it: use fewer connections, wait until those in TIME_WAIT are over, or widen net.ipv4.ip_local_port_range"
	case !errors.As(err, &server):
		return "check that the server is running and the address is right"
	}
	if server.Code == "53300" { // too_many_connections
		return "ask for fewer connections or raise the server's max_connections"
	}
	return "check the user, the password and the database"
}
