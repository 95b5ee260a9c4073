package drivers

import (
	"bufio"
	"errors"
	"net"
	"strings"
	"testing"
	"time"
)

func TestAbort(t *testing.T) {
	arrived := make(chan struct{}, 1)
	url := listen(t, func(_ int64, conn *net.TCPConn) {
		reader := bufio.NewReader(conn)
		for readRequest(reader) {
			arrived <- struct{}{} // and no answer
		}
	})
	d := connected(t, 2, Options{URL: url, Connections: 2})
	answers := make(chan Answer)
	const requests = 3 // the third waits for a connection
	for range requests {
		go func() { answers <- d.Do(&Request{}) }()
	}
	<-arrived
	<-arrived
	d.Abort()
	for range requests {
		want(t, <-answers, "aborted")
	}
	want(t, d.Do(&Request{}), "aborted")
	if got := d.Connections().Established; got != 0 {
		t.Errorf("%d connections are open after Abort", got)
	}
	if err := d.Close(); err != nil {
		t.Error(err)
	}
}

func TestNobodyListens(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	url := "http://" + listener.Addr().String() + "/"
	d := connected(t, 0, Options{URL: url, Connections: 1})
	listener.Close()
	for range 2 { // the second finds the place that the first had
		want(t, d.Do(&Request{Deadline: time.Now().Add(10 * time.Second)}), "refused")
	}

	late, err := New("http", Options{URL: url})
	if err != nil {
		t.Fatal(err)
	}
	want(t, late.Do(&Request{}), "unconnected")
	for _, n := range []int{0, 2} {
		var unreachable *UnreachableError
		if err := late.Connect(t.Context(), n); !errors.As(err, &unreachable) || !strings.Contains(err.Error(), "connection refused") {
			t.Errorf("Connect(%d) = %v, want an unreachable error that says refused", n, err)
		}
	}
}
