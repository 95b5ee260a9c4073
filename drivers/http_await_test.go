package drivers

import (
	"bufio"
	"io"
	"net"
	"strings"
	"testing"
	"time"
)

// A server that has shut its side down without a word, and still takes what is sent,
// never makes the connection ready again; nor does one whose last bytes, which nobody
// asked for, have come already. Neither keeps a request waiting.
func TestWhatCameBeforeTheRequestIsSeen(t *testing.T) {
	for name, before := range map[string]func(*net.TCPConn){
		"closed":   func(conn *net.TCPConn) { conn.CloseWrite() },
		"protocol": func(conn *net.TCPConn) { io.WriteString(conn, "bye\r\n\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := listen(t, func(_ int64, conn *net.TCPConn) {
				before(conn)
				io.Copy(io.Discard, conn) // until the client closes
			})
			d := connected(t, 1, Options{URL: url})
			c, _ := d.pool.take(time.Time{})
			eventually(t, "what the server did", c.closedByServer)
			time.Sleep(20 * time.Millisecond) // the poller is told, too
			began := time.Now()
			c.lastSeen = began // a busy connection, at which nobody looks
			d.pool.put(c)
			want(t, d.Do(&Request{}), name)
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("it took %v to see what had happened before", took)
			}
		})
	}
}

// However long an answer takes to begin and to go on, and however long its connection
// was idle, it is no timeout.
func TestSlowAnswers(t *testing.T) {
	const pause = longestBlind + 50*time.Millisecond
	url := listen(t, func(_ int64, conn *net.TCPConn) {
		for reader := bufio.NewReader(conn); readRequest(reader); {
			for part := range strings.SplitSeq(ok200, "\n") {
				if part != "ok" {
					part += "\n"
				}
				time.Sleep(pause / 2)
				io.WriteString(conn, part)
			}
		}
	})
	d := connected(t, 1, Options{URL: url})
	for range 2 {
		time.Sleep(pause)
		want(t, d.Do(&Request{}), "")
	}
	if got, want := d.Connections(), (Connections{Established: 1, Opened: 1}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
}

// A request that the socket does not hold at once arrives whole.
func TestLongRequest(t *testing.T) {
	const size = 16 << 20
	body := strings.Repeat("x", size)
	received := make(chan int64, 1)
	url := listen(t, func(_ int64, conn *net.TCPConn) {
		reader := bufio.NewReader(conn)
		for line := ""; line != "\r\n"; line, _ = reader.ReadString('\n') {
		}
		time.Sleep(longestBlind / 2)
		n, _ := io.CopyN(io.Discard, reader, size)
		received <- n
		io.WriteString(conn, ok200)
	})
	d := connected(t, 1, Options{URL: url, Body: body})
	want(t, d.Do(&Request{}), "")
	if got := <-received; got != size {
		t.Errorf("a body of %d bytes arrived, want %d", got, size)
	}
}
