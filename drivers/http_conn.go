package drivers

import (
	"context"
	"crypto/tls"
	"net"
	"syscall"
	"time"
)

// httpConn is one connection to the server. It is used by one request at a
// time.
type httpConn struct {
	net.Conn          // what is read and written: the socket, or TLS over it
	socket   net.Conn // what is closed: closing TLS would wait to say goodbye
	probe    syscall.RawConn
	secure   bool

	lastSeen time.Time // when it was last known to be open
	deadline bool      // the request's deadline is set on the socket
	readErr  error     // the last error of Read: parsers replace it by their own

	peek  func(fd uintptr) // looks at the socket without waiting; its result is alive
	alive bool
	await await
}

// dialHTTP opens a connection, TLS included when config is not nil. ctx and
// deadline (zero: none) bound it.
func dialHTTP(ctx context.Context, address string, config *tls.Config, deadline time.Time) (*httpConn, error) {
	// The kernel's keep-alive probes would cost four system calls a connection
	// and tell nothing that a request does not.
	dialer := net.Dialer{Deadline: deadline, KeepAlive: -1}
	socket, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, err
	}
	c := &httpConn{Conn: socket, socket: socket, secure: config != nil}
	if c.probe, err = socket.(syscall.Conn).SyscallConn(); err != nil {
		socket.Close()
		return nil, err
	}
	c.peek = c.look
	if config == nil {
		c.await.step = c.step
		return c, nil
	}
	overTLS := tls.Client(socket, config)
	c.Conn = overTLS
	if err = c.until(deadline); err == nil {
		err = overTLS.HandshakeContext(ctx)
	}
	if err != nil {
		socket.Close()
		return nil, err
	}
	return c, nil
}

// until sets the deadline of everything that follows; zero lifts it.
func (c *httpConn) until(deadline time.Time) error {
	if deadline.IsZero() && !c.deadline {
		return nil
	}
	c.deadline, c.await.until = !deadline.IsZero(), time.Time{}
	return c.socket.SetDeadline(deadline)
}

// Read notes the error before a parser can replace it: whether a connection
// was reset or closed is told apart by nothing else.
func (c *httpConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if err != nil && c.unbounded(err) {
		n, err = c.Conn.Read(p)
	}
	if err != nil {
		c.readErr = err
	}
	return n, err
}

// closedByServer says whether the server has closed this idle connection, as
// far as the kernel knows. A request on it would fail without having been
// received; a browser would not send it either.
func (c *httpConn) closedByServer() bool {
	c.alive = false
	return c.probe.Control(c.peek) != nil || !c.alive
}

// look peeks at the socket without waiting. Bytes that nobody asked for end a
// plain HTTP connection (some servers announce a timeout that way before they
// close); over TLS they may be a session ticket.
func (c *httpConn) look(fd uintptr) {
	var b [1]byte
	n, _, err := syscall.Recvfrom(int(fd), b[:], syscall.MSG_PEEK|syscall.MSG_DONTWAIT)
	c.alive = err == syscall.EAGAIN || err == syscall.EINTR || (err == nil && n > 0 && c.secure)
}
