package drivers

import (
	"errors"
	"os"
	"syscall"
	"time"
)

const (
	// longestBlind and leastBlind are between which times a connection waits for
	// readiness alone before it is read whether ready or not. Nothing but a server that
	// shuts its side of a connection down without a word, and still takes what is sent,
	// is noticed so late.
	longestBlind = 200 * time.Millisecond
	leastBlind   = longestBlind / 2
)

// await is how a connection without TLS sends a request and waits for the answer to
// begin. net.Conn reads first and waits when there is nothing yet, as there nearly
// always is: of the three system calls of a request that is one for nothing.
//
// The poller tells of a change once, and a wait begins by forgetting what it told
// before. So the request is written inside the wait: the answer to it is a change that
// comes later.
//
// What the server did beforehand is forgotten. If it has closed the connection, it
// resets it upon the request, which is a change; if it has only shut down its side, nothing
// more may ever come. Therefore no wait lasts long without a read.
type await struct {
	step    func(fd uintptr) bool
	request []byte    // what is left to write
	written bool      // or tried, as far as was possible at once
	err     error     // of the write
	until   time.Time // the socket's read deadline that is no request's; zero: none
}

// ask sends a request and returns when its answer can be read, or when that may be.
func (c *httpConn) ask(request []byte) error {
	if c.secure {
		_, err := c.Write(request)
		return err
	}
	if err := c.bound(); err != nil {
		return err
	}
	a := &c.await
	a.request, a.written, a.err = request, false, nil
	err := c.probe.Read(a.step)
	left := a.request
	a.request = nil
	switch {
	case a.err != nil:
		return a.err
	case err != nil && !c.unbounded(err):
		return err
	case len(left) > 0: // more than the socket holds
		_, err = c.Write(left)
		return err
	}
	return nil
}

// step writes the request at first; then it says that there is something to read.
func (c *httpConn) step(fd uintptr) (over bool) {
	a := &c.await
	if a.written {
		return true
	}
	a.written = true
	n, err := syscall.Write(int(fd), a.request)
	a.request = a.request[max(n, 0):]
	if err != nil && err != syscall.EAGAIN && err != syscall.EINTR {
		a.err = os.NewSyscallError("write", err)
	}
	return a.err != nil || len(a.request) > 0
}

// bound sets the socket's read deadline, counted from when the connection was last
// seen, unless the request has one or the last one is still some time away: for a busy
// connection that is seldom.
func (c *httpConn) bound() error {
	if c.deadline {
		return nil
	}
	if c.await.until.Sub(c.lastSeen) >= leastBlind {
		return nil
	}
	c.await.until = c.lastSeen.Add(longestBlind)
	return c.socket.SetReadDeadline(c.await.until)
}

// unbounded says whether an error means only that a wait has lasted long, and lifts the
// deadline if so.
func (c *httpConn) unbounded(err error) bool {
	if c.await.until.IsZero() || !errors.Is(err, os.ErrDeadlineExceeded) {
		return false
	}
	c.await.until = time.Time{}
	return c.socket.SetReadDeadline(time.Time{}) == nil
}
