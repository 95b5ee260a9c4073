package witness

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"golang.org/x/sys/unix"
)

// supported says whether requests can be stamped here.
const supported = true

var errUnsupported error

const (
	// backlog is how many connections may wait to be accepted; the kernel lowers it to
	// net.core.somaxconn.
	backlog = 4096
	// longestHead is the longest request in bytes.
	longestHead = 64 << 10
	// patience is how long, in milliseconds, a client may take nothing of an answer.
	patience = 5000
)

// answer is what every stamped request gets.
var answer = []byte("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok\n")

// headEnd ends a request without a body.
var headEnd = []byte("\r\n\r\n")

// server answers and stamps, in one thread: it does nothing that waits but for its
// sockets, and allocates nothing while connections last.
type server struct {
	listener, poll int
	connections    map[int32]*connection // by descriptor
	stamps         []int64
	lost           int64 // requests beyond Most
	unstamped      int64 // requests that the kernel gave no stamp
	data, control  []byte
}

// connection is a client's, with the request that it is in the midst of.
type connection struct {
	head  []byte
	stamp int64 // of the head's first bytes, 0 when the kernel gave none
}

// serve answers on a port of 127.0.0.1 until something is wrong with the socket that
// it listens on.
func serve(args []string) error {
	if len(args) != 1 {
		return errors.New("the server that stamps requests takes the port that it listens on")
	}
	port, err := strconv.Atoi(args[0])
	if err != nil || port < 1 || port > 65535 {
		return fmt.Errorf("%q is no port: give a number from 1 to 65535", args[0])
	}
	s := &server{
		connections: map[int32]*connection{},
		stamps:      make([]int64, 0, Most),
		data:        make([]byte, longestHead),
		control:     make([]byte, 256),
	}
	if err := s.listen(port); err != nil {
		return fmt.Errorf("listen on 127.0.0.1:%d: %w", port, err)
	}
	events := make([]unix.EpollEvent, 256)
	for {
		n, err := unix.EpollWait(s.poll, events, -1)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return fmt.Errorf("wait for requests: %w", err)
		}
		for _, e := range events[:max(n, 0)] {
			if e.Fd == int32(s.listener) {
				err = s.accept()
			} else if !s.read(e.Fd) {
				err = s.drop(e.Fd)
			}
			if err != nil && !errors.Is(err, unix.EINTR) {
				return err
			}
		}
	}
}

// listen opens the socket. Connections inherit that their segments are stamped; with
// the listening socket the kernel stamps from the first segment on.
func (s *server) listen(port int) (err error) {
	if s.listener, err = unix.Socket(unix.AF_INET, unix.SOCK_STREAM|unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC, 0); err != nil {
		return err
	}
	for _, option := range []int{unix.SO_REUSEADDR, unix.SO_TIMESTAMPNS_NEW} {
		if err := unix.SetsockoptInt(s.listener, unix.SOL_SOCKET, option, 1); err != nil {
			return err
		}
	}
	if err := unix.Bind(s.listener, &unix.SockaddrInet4{Port: port, Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return err
	}
	if err := unix.Listen(s.listener, backlog); err != nil {
		return err
	}
	if s.poll, err = unix.EpollCreate1(unix.EPOLL_CLOEXEC); err != nil {
		return err
	}
	return s.watch(s.listener)
}

func (s *server) watch(fd int) error {
	return unix.EpollCtl(s.poll, unix.EPOLL_CTL_ADD, fd, &unix.EpollEvent{Events: unix.EPOLLIN, Fd: int32(fd)})
}

// accept takes one connection. A client that is gone already is its own loss.
func (s *server) accept() error {
	fd, _, err := unix.Accept4(s.listener, unix.SOCK_NONBLOCK|unix.SOCK_CLOEXEC)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.ECONNABORTED) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("accept a connection: %w", err)
	}
	s.connections[int32(fd)] = &connection{}
	return errors.Join(unix.SetsockoptInt(fd, unix.IPPROTO_TCP, unix.TCP_NODELAY, 1), s.watch(fd))
}

// drop closes a connection; that also ends watching it.
func (s *server) drop(fd int32) error {
	delete(s.connections, fd)
	return unix.Close(int(fd))
}

// read takes what a connection has and answers a request that is complete. It says
// whether the connection is to stay.
func (s *server) read(fd int32) bool {
	n, controls, _, _, err := unix.Recvmsg(int(fd), s.data, s.control, 0)
	if errors.Is(err, unix.EAGAIN) || errors.Is(err, unix.EINTR) {
		return true
	}
	if err != nil || n == 0 {
		return false
	}
	c := s.connections[fd]
	if len(c.head) == 0 {
		c.stamp = stampOf(s.control[:controls])
	}
	if c.head = append(c.head, s.data[:n]...); len(c.head) > longestHead {
		return false
	}
	end := bytes.Index(c.head, headEnd)
	if end < 0 {
		return true
	}
	// One request at a time and without a body, or the stamp would be another's.
	if end+len(headEnd) != len(c.head) {
		return false
	}
	stays := s.answer(int(fd), c)
	c.head = c.head[:0]
	return stays
}

// stampOf is the time stamp among control messages, 0 when there is none. It is the
// kernel's struct __kernel_timespec: seconds and nanoseconds, 8 bytes each.
func stampOf(control []byte) int64 {
	for len(control) > 0 {
		header, data, rest, err := unix.ParseOneSocketControlMessage(control)
		if err != nil {
			return 0
		}
		if header.Level == unix.SOL_SOCKET && header.Type == unix.SO_TIMESTAMPNS_NEW && len(data) >= 16 {
			return int64(binary.NativeEndian.Uint64(data))*1e9 + int64(binary.NativeEndian.Uint64(data[8:]))
		}
		control = rest
	}
	return 0
}

// answer answers a request, and says whether the client took it.
func (s *server) answer(fd int, c *connection) bool {
	switch {
	case bytes.HasPrefix(c.head, []byte("GET "+resetPath+" ")):
		s.stamps, s.lost, s.unstamped = s.stamps[:0], 0, 0
		return write(fd, answer)
	case bytes.HasPrefix(c.head, []byte("GET "+stampsPath+" ")):
		return write(fd, s.report())
	case c.stamp == 0:
		s.unstamped++
	case len(s.stamps) == Most:
		s.lost++
	default:
		s.stamps = append(s.stamps, c.stamp)
	}
	return write(fd, answer)
}

// report is the answer that hands over the stamps, or says why they are not all.
func (s *server) report() []byte {
	status, body := http.StatusOK, []byte(nil)
	switch {
	case s.unstamped > 0:
		status, body = http.StatusInternalServerError, fmt.Appendf(nil, "%d requests came without a stamp of the kernel", s.unstamped)
	case s.lost > 0:
		status, body = http.StatusInternalServerError, fmt.Appendf(nil, "%d requests came after the %d whose stamps are kept: make the run shorter", s.lost, Most)
	default:
		for _, stamp := range s.stamps {
			body = append(strconv.AppendInt(body, stamp, 10), '\n')
		}
	}
	head := fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Length: %d\r\n\r\n", status, http.StatusText(status), len(body))
	return append(head, body...)
}

// write sends all of a text and says whether the client took it.
func write(fd int, text []byte) bool {
	for len(text) > 0 {
		n, err := unix.Write(fd, text)
		switch {
		case errors.Is(err, unix.EAGAIN):
			ready, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLOUT}}, patience)
			if err != nil && !errors.Is(err, unix.EINTR) || err == nil && ready == 0 {
				return false
			}
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return false
		default:
			text = text[n:]
		}
	}
	return true
}
