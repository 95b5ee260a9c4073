package drivers

import (
	"bufio"
	"io"
	"net"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"
)

// narrow is a listener whose accept queue holds two connections.
func narrow(t *testing.T) net.Listener {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Listen(fd, 1); err != nil {
		t.Fatal(err)
	}
	file := os.NewFile(uintptr(fd), "listener")
	defer file.Close() // the listener has a copy
	l, err := net.FileListener(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// fill connects until the accept queue is full: the kernel then drops further
// attempts, which come back after a second.
func fill(t *testing.T, address string) {
	t.Helper()
	for range 5 {
		c, err := net.DialTimeout("tcp", address, 200*time.Millisecond)
		if err != nil {
			return
		}
		t.Cleanup(func() { c.Close() })
	}
	t.Fatal("the accept queue does not fill")
}

// one is a server that takes a single connection, of which it reads and answers
// requests when told to. Opening another takes a second at least.
type one struct {
	listener net.Listener
	conn     net.Conn
	requests *bufio.Reader
}

// takeOne returns a driver, with one connection to a server that takes no more.
func takeOne(t *testing.T, o Options) (*httpDriver, *one) {
	t.Helper()
	s := &one{listener: narrow(t)}
	accepted := make(chan net.Conn, 1)
	go func() {
		c, err := s.listener.Accept()
		if err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	o.URL = "http://" + s.listener.Addr().String() + "/"
	d := connected(t, 1, o)
	s.conn = <-accepted
	t.Cleanup(func() { s.conn.Close() })
	s.requests = bufio.NewReader(s.conn)
	fill(t, s.listener.Addr().String())
	return d, s
}

// read reads the next request, which comes on the one connection or never.
func (s *one) read(t *testing.T) {
	t.Helper()
	s.conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	if !readRequest(s.requests) {
		t.Fatal("a request did not take the connection that came free")
	}
}

func (s *one) answer() { io.WriteString(s.conn, ok200) }

// stand waits until n requests stand in the line.
func stand(t *testing.T, p *httpPool, n int) {
	t.Helper()
	eventually(t, "requests in the line", func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.line.Len() == n
	})
}

// A request that waits for its connection to be opened takes one that comes free
// before, and has waited for a pooled connection.
func TestAConnectionThatComesFreeGoesToTheFirstThatWaits(t *testing.T) {
	d, server := takeOne(t, Options{})
	answered := make(chan int, 3)
	for i := range 3 {
		go func() {
			a := d.Do(&Request{})
			if (a.Pool > 0) != (i > 0) || a != (Answer{Pool: a.Pool}) {
				t.Errorf("request %d: answer %+v", i, a)
			}
			answered <- i
		}()
		if i == 0 {
			server.read(t)
		}
		stand(t, &d.pool, i)
	}
	for i := range 3 {
		if i > 0 {
			server.read(t)
		}
		server.answer()
		if got := <-answered; got != i {
			t.Fatalf("request %d was served in place %d", got, i)
		}
	}
	if got := d.Connections(); got.Opened != 1 {
		t.Errorf("connections %+v, want 1 opened", got)
	}
}

// The deadline of the request before does not come along with a connection.
func TestAConnectionThatIsHandedOverHasItsNewRequestsDeadline(t *testing.T) {
	d, server := takeOne(t, Options{})
	giver := &Request{Deadline: time.Now().Add(2 * time.Second)}
	answers := make(chan Answer, 2)
	go func() { answers <- d.Do(giver) }()
	server.read(t)
	go func() { answers <- d.Do(&Request{}) }()
	stand(t, &d.pool, 1)
	server.answer()
	server.read(t)
	time.Sleep(time.Until(giver.Deadline) + 10*time.Millisecond)
	server.answer()
	for range 2 {
		if a := <-answers; a != (Answer{Pool: a.Pool}) {
			t.Errorf("answer %+v", a)
		}
	}
}

// An opening that its request no longer waits for counts until it has ended.
func TestHandingOverKeepsToTheLimit(t *testing.T) {
	d, server := takeOne(t, Options{Connections: 2})
	const requests = 5 // one on the connection, one in the line, the others wait for a place
	answers := make(chan Answer, requests)
	for i := range requests {
		go func() { answers <- d.Do(&Request{}) }()
		if i == 0 {
			server.read(t)
		}
		stand(t, &d.pool, min(i, 1))
	}
	for i := range requests {
		if i > 0 {
			server.read(t)
		}
		server.answer()
		want(t, <-answers, "")
	}
	if got := len(d.pool.slots); got != 1 {
		t.Errorf("%d places taken, want 1 by the opening that goes on", got)
	}
	var all sync.WaitGroup
	t.Cleanup(all.Wait) // runs after the next
	t.Cleanup(func() { server.listener.Close() })
	all.Go(func() {
		for {
			c, err := server.listener.Accept()
			if err != nil {
				return
			}
			defer c.Close()
		}
	})
	eventually(t, "the end of all openings", func() bool { return len(d.pool.slots) == 0 })
	if got, want := d.Connections(), (Connections{Established: 2, Opened: 2}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
}
