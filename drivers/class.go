package drivers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"os"
	"strconv"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// The failure classes that are no status and no SQLSTATE.
const (
	ClassRefused        = "refused"         // nobody listens, or the backlog refused
	ClassReset          = "reset"           // the connection was reset by the server
	ClassClosed         = "closed"          // the server closed the connection without an answer
	ClassTruncated      = "truncated"       // the server closed the connection in the middle of an answer
	ClassProtocol       = "protocol"        // what came back is not the protocol that was spoken
	ClassTLS            = "tls"             // the handshake or the certificate failed
	ClassUnreachable    = "unreachable"     // no route to the host or its network
	ClassConnectTimeout = "connect_timeout" // the kernel, not a deadline of ours, gave the peer up
	ClassNoPorts        = "no_ports"        // no local port is left (EADDRNOTAVAIL)
	ClassNoFiles        = "no_files"        // no file descriptor is left (EMFILE, ENFILE)
	ClassAborted        = "aborted"         // Abort was called
	ClassUnconnected    = "unconnected"     // Do was called before Connect succeeded
	ClassOther          = "other"           // none of the above
)

var (
	errTruncated = errors.New("the connection was closed in the middle of an answer")
	errProtocol  = errors.New("the answer does not follow the protocol")
)

// errnoClass maps the kernel's errors to classes. EPIPE is a reset that a
// write, not a read, was told about. ENOENT is a Unix socket that nobody made:
// what ECONNREFUSED is for TCP.
var errnoClass = map[syscall.Errno]string{
	syscall.ECONNREFUSED:  ClassRefused,
	syscall.ENOENT:        ClassRefused,
	syscall.ECONNRESET:    ClassReset,
	syscall.EPIPE:         ClassReset,
	syscall.ECONNABORTED:  ClassReset,
	syscall.EADDRNOTAVAIL: ClassNoPorts,
	syscall.EMFILE:        ClassNoFiles,
	syscall.ENFILE:        ClassNoFiles,
	syscall.ETIMEDOUT:     ClassConnectTimeout,
	syscall.EHOSTUNREACH:  ClassUnreachable,
	syscall.ENETUNREACH:   ClassUnreachable,
}

// classify names the failure class of an error. A server's own words come
// before what the network did to the connection afterwards.
func classify(err error) string {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		return sqlstates.class(server.Code)
	}
	var errno syscall.Errno
	if errors.As(err, &errno) {
		if class, ok := errnoClass[errno]; ok {
			return class
		}
		return ClassOther
	}
	switch {
	case errors.Is(err, errTruncated):
		return ClassTruncated
	case errors.Is(err, errProtocol):
		return ClassProtocol
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed), errors.Is(err, pgconn.ErrConnClosed):
		return ClassClosed
	case isTLS(err):
		return ClassTLS
	}
	return ClassOther
}

func isTLS(err error) bool {
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var host x509.HostnameError
	return errors.As(err, &record) || errors.As(err, &alert) || errors.As(err, &verification) ||
		errors.As(err, &authority) || errors.As(err, &host)
}

// expired says whether err means that the deadline passed first. The clock is
// asked too because libraries replace the error of a deadline by their own.
func expired(err error, deadline time.Time) bool {
	if deadline.IsZero() {
		return false
	}
	return errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) ||
		!time.Now().Before(deadline)
}

// statusClass holds the class of every HTTP status from 0 to 999, so that a
// run in which every request fails does not allocate for it.
var statusClass = sync.OnceValue(func() *[1000]string {
	var classes [1000]string
	for status := range classes {
		classes[status] = "status_" + strconv.Itoa(status)
	}
	return &classes
})

// sqlstateClasses interns the classes of the SQLSTATEs seen so far.
type sqlstateClasses struct {
	mu   sync.RWMutex
	seen map[string]string
}

var sqlstates = sqlstateClasses{seen: map[string]string{}}

func (s *sqlstateClasses) class(code string) string {
	s.mu.RLock()
	class, ok := s.seen[code]
	s.mu.RUnlock()
	if ok {
		return class
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	class = "sqlstate_" + code
	s.seen[code] = class
	return class
}
