package drivers

import (
	"bufio"
	"io"
	"net"
	"testing"
	"time"
)

// inLine takes a turn of a pool that has no idle connection.
func inLine(t *testing.T, p *httpPool, deadline time.Time) *turn {
	t.Helper()
	c, turn := p.take(deadline)
	if c != nil {
		t.Fatal("a connection was idle")
	}
	return turn
}

// receives fails unless the turn was served the connection, nil for none yet.
func (u *turn) receives(t *testing.T, want *httpConn) {
	t.Helper()
	select {
	case got := <-u.serve:
		if got.conn != want || got.err != nil {
			t.Errorf("served %+v, want %p", got, want)
		}
	default:
		if want != nil {
			t.Error("not served")
		}
	}
}

func TestTheLineIsServedInOrder(t *testing.T) {
	var p httpPool
	var turns []*turn
	for range 3 {
		turns = append(turns, inLine(t, &p, time.Time{}))
	}
	for i, u := range turns {
		c := new(httpConn)
		if !p.put(c) {
			t.Fatal("the pool is shut")
		}
		for _, later := range turns[i+1:] {
			later.receives(t, nil)
		}
		u.receives(t, c)
	}
	older, newer := new(httpConn), new(httpConn)
	p.put(older)
	p.put(newer)
	for _, want := range []*httpConn{newer, older} {
		if c, _ := p.take(time.Time{}); c != want {
			t.Errorf("took %p, want %p, the last used first", c, want)
		}
	}
}

func TestNothingIsPutAfterShut(t *testing.T) {
	p := httpPool{slots: make(chan struct{}, 1)}
	p.enter(t.Context(), time.Time{})
	u := inLine(t, &p, time.Time{})
	p.empty()
	if p.put(new(httpConn)) {
		t.Error("a pool that was emptied for good took a connection")
	}
	if len(p.slots) != 1 {
		t.Error("the slot of a connection that was not taken was given back")
	}
	u.receives(t, nil)
}

func TestATurnIsSettledOnce(t *testing.T) {
	var p httpPool
	u, opened, late := inLine(t, &p, time.Time{}), new(httpConn), new(httpConn)
	if !p.settle(u, served{conn: opened}) || p.settle(u, served{conn: late}) {
		t.Error("want the first to settle the turn and the second not")
	}
	u.receives(t, opened)
	u.receives(t, nil)
}

// A connection is of no use to a request whose deadline has passed.
func TestATurnThatIsOverIsPassedOver(t *testing.T) {
	now := time.Now()
	var p httpPool
	over := inLine(t, &p, now.Add(-time.Millisecond))
	next := inLine(t, &p, now.Add(time.Hour))
	used, idle := new(httpConn), new(httpConn)
	p.put(used)
	p.put(idle)
	next.receives(t, used)
	over.receives(t, nil)
	if c, _ := p.take(time.Time{}); c != idle {
		t.Error("the connection that nobody could use is not idle")
	}
	if !p.settle(over, served{err: net.ErrClosed}) {
		t.Error("the turn that is over cannot be failed by its opening")
	}
}

// The slot goes with the connection, and comes back when that is idle.
func TestASlotGoesWithItsConnection(t *testing.T) {
	p := httpPool{slots: make(chan struct{}, 2)}
	for range 2 {
		p.enter(t.Context(), time.Time{})
	}
	u := inLine(t, &p, time.Time{})
	for i, left := range []int{2, 1} { // handed over; idle
		p.put(new(httpConn))
		if len(p.slots) != left {
			t.Errorf("put %d leaves %d slots taken, want %d", i, len(p.slots), left)
		}
	}
	if got := <-u.serve; got.waited <= 0 {
		t.Errorf("served %+v, want a wait for a connection that came free", got)
	}
}

// A connection whose request was served meanwhile goes to the next in the line, or
// is idle. To the request that it is opened for, it is no wait for a pooled one.
func TestALateConnectionIsThereForOthers(t *testing.T) {
	d := connected(t, 0, Options{URL: listen(t, func(_ int64, conn *net.TCPConn) {
		io.Copy(io.Discard, conn)
	})})
	first, second := inLine(t, &d.pool, time.Time{}), inLine(t, &d.pool, time.Time{})
	early := new(httpConn)
	d.pool.put(early)
	first.receives(t, early)
	d.open(first)
	got := <-second.serve
	if got.conn == nil || got.waited <= 0 {
		t.Fatalf("the next in the line was served %+v", got)
	}
	d.open(second)
	if c, _ := d.pool.take(time.Time{}); c == nil || c == got.conn {
		t.Error("with nobody in the line the late connection is not idle")
	}
	own := inLine(t, &d.pool, time.Time{})
	d.open(own)
	if got := <-own.serve; got.conn == nil || got.waited != 0 {
		t.Errorf("served %+v, want the connection that was opened for it and no wait", got)
	}
}

// Whatever ends a connection, its place among the limited is free for the next.
func TestAClosedConnectionLeavesItsPlace(t *testing.T) {
	for class, answer := range map[string]string{
		"":       "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
		"closed": "",
	} {
		d := connected(t, 0, Options{Connections: 1, URL: listen(t, func(_ int64, conn *net.TCPConn) {
			readRequest(bufio.NewReader(conn))
			io.WriteString(conn, answer)
		})})
		for range 3 {
			want(t, d.Do(&Request{Deadline: time.Now().Add(10 * time.Second)}), class)
		}
		if got := d.Connections(); got.Opened != 3 || got.Established != 0 {
			t.Errorf("connections %+v, want 3 opened and closed", got)
		}
	}
}
