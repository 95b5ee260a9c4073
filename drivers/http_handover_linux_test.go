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

// A request that waits for its connection to be opened takes one that comes free
// before.
func TestAConnectionThatComesFreeGoesToTheFirstThatWaits(t *testing.T) {
	l := narrow(t)
	accepted := make(chan net.Conn, 1)
	go func() {
		c, err := l.Accept()
		if err != nil {
			t.Error(err)
		}
		accepted <- c
	}()
	d := connected(t, 1, Options{URL: "http://" + l.Addr().String() + "/"})
	server := <-accepted
	defer server.Close()
	requests := bufio.NewReader(server)

	answers := make(chan Answer, 3)
	var order sync.WaitGroup
	send := func() { order.Go(func() { answers <- d.Do(&Request{}) }) }
	send()
	if !readRequest(requests) {
		t.Fatal("the first request did not come")
	}
	fill(t, l.Addr().String())
	send()
	send()
	for range 2 {
		io.WriteString(server, ok200)
		// Nothing is accepted any more: the next request comes here, or never.
		server.SetReadDeadline(time.Now().Add(10 * time.Second))
		if !readRequest(requests) {
			t.Fatal("a request that waited for its connection did not take the one that came free")
		}
	}
	io.WriteString(server, ok200)
	order.Wait()
	for range 3 {
		if a := <-answers; a != (Answer{}) {
			t.Errorf("answer %+v", a)
		}
	}
	if got := d.Connections(); got.Opened != 1 {
		t.Errorf("connections %+v, want 1 opened", got)
	}
}
