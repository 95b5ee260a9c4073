package drivers

import (
	"bufio"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestConnectionsAreOpenedBeforehand(t *testing.T) {
	const clients = 8
	var accepted atomic.Int64
	url := listen(t, func(_ int64, conn *net.TCPConn) {
		accepted.Add(1)
		reader := bufio.NewReader(conn)
		for readRequest(reader) {
			io.WriteString(conn, ok200)
		}
	})
	d := connected(t, clients, Options{URL: url})
	if got, want := d.Connections(), (Connections{Established: clients, Opened: clients}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for range 200 {
				if a := d.Do(&Request{}); a != (Answer{}) {
					t.Errorf("answer %+v", a)
				}
			}
		})
	}
	all.Wait()
	if got := accepted.Load(); got != clients {
		t.Errorf("%d connections for %d clients", got, clients)
	}
}

func TestLimitedConnectionsServeInOrder(t *testing.T) {
	turn := make(chan struct{})
	url := listen(t, func(_ int64, conn *net.TCPConn) {
		reader := bufio.NewReader(conn)
		for readRequest(reader) {
			<-turn
			io.WriteString(conn, ok200)
		}
	})
	d := connected(t, 4, Options{URL: url, Connections: 1}) // more clients than connections
	const requests = 6
	done := make(chan int, requests)
	for i := range requests {
		starts := make(chan struct{})
		go func() {
			close(starts)
			if a := d.Do(&Request{}); a.Class != "" || (i > 0 && a.Pool == 0) {
				t.Errorf("request %d: answer %+v", i, a)
			}
			done <- i
		}()
		<-starts
		time.Sleep(20 * time.Millisecond) // it is in the queue now
	}
	if a := d.Do(&Request{Deadline: time.Now().Add(5 * time.Millisecond)}); !a.TimedOut || a.Pool == 0 {
		t.Errorf("answer %+v to a request that never had its turn", a)
	}
	for i := range requests {
		turn <- struct{}{}
		if got := <-done; got != i {
			t.Fatalf("request %d was served in place %d", got, i)
		}
	}
	if got, want := d.Connections(), (Connections{Established: 1, Opened: 1}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
}
