package drivers

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

func TestClassify(t *testing.T) {
	dialing := func(errno syscall.Errno) error {
		return &net.OpError{Op: "dial", Net: "tcp", Err: os.NewSyscallError("connect", errno)}
	}
	cases := []struct {
		err  error
		want string
	}{
		{dialing(syscall.ECONNREFUSED), "refused"},
		{dialing(syscall.ENOENT), "refused"},
		{dialing(syscall.ECONNRESET), "reset"},
		{dialing(syscall.EPIPE), "reset"},
		{dialing(syscall.EADDRNOTAVAIL), "no_ports"},
		{dialing(syscall.EMFILE), "no_files"},
		{dialing(syscall.ENFILE), "no_files"},
		{dialing(syscall.ETIMEDOUT), "connect_timeout"},
		{dialing(syscall.ENETUNREACH), "unreachable"},
		{dialing(syscall.EINVAL), "other"},
		{io.EOF, "closed"},
		{fmt.Errorf("receive: %w", io.ErrUnexpectedEOF), "closed"},
		{errTruncated, "truncated"},
		{errProtocol, "protocol"},
		{x509.UnknownAuthorityError{}, "tls"},
		{&pgconn.PgError{Code: "57014"}, "sqlstate_57014"},
		{fmt.Errorf("acquire: %w", &pgconn.PgError{Code: "53300"}), "sqlstate_53300"},
		// A server's last words before it closed the connection.
		{errors.Join(&pgconn.PgError{Code: "57P01"}, io.EOF), "sqlstate_57P01"},
		{errors.New("something else"), "other"},
	}
	for _, c := range cases {
		if got := classify(c.err); got != c.want {
			t.Errorf("classify(%v) = %q, want %q", c.err, got, c.want)
		}
	}
}

func TestClassesAreInterned(t *testing.T) {
	failure := error(&pgconn.PgError{Code: "40001"})
	first := classify(failure)
	allocations := testing.AllocsPerRun(100, func() {
		if sqlstates.class("40001") != first || statusClass()[503] != "status_503" {
			t.Fatal("another class")
		}
	})
	if allocations != 0 {
		t.Errorf("%v allocations for classes already seen, want none", allocations)
	}
}

func TestExpired(t *testing.T) {
	past, future := time.Now().Add(-time.Second), time.Now().Add(time.Hour)
	cases := []struct {
		name     string
		err      error
		deadline time.Time
		want     bool
	}{
		{"no deadline", os.ErrDeadlineExceeded, time.Time{}, false},
		{"the deadline's own error", &net.OpError{Op: "read", Err: os.ErrDeadlineExceeded}, future, true},
		{"another error in time", io.EOF, future, false},
		{"another error too late", io.EOF, past, true},
		// The kernel gives up on a connection: no deadline of ours.
		{"the kernel's timeout", syscall.ETIMEDOUT, future, false},
	}
	for _, c := range cases {
		if got := expired(c.err, c.deadline); got != c.want {
			t.Errorf("%s: expired = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestLedgerReopensOneForOne(t *testing.T) {
	var l ledger
	l.open()
	l.open()
	l.closed.Add(1)
	l.cut.Add(1)
	l.open()
	l.open()
	want := Connections{Established: 3, Opened: 4, Reopened: 1}
	if got := l.counts(); got != want {
		t.Errorf("counts = %+v, want %+v", got, want)
	}
}
