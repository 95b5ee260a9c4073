package drivers

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// listen serves raw connections until the test ends; serve gets each with its
// number, from 1, and the connection is closed when it returns.
func listen(t testing.TB, serve func(n int64, conn *net.TCPConn)) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	t.Cleanup(func() {
		listener.Close()
		all.Wait()
	})
	all.Go(func() {
		for n := int64(1); ; n++ {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() {
				defer conn.Close()
				serve(n, conn.(*net.TCPConn))
			})
		}
	})
	return "http://" + listener.Addr().String() + "/"
}

// readRequest reads one request, or reports false when the client has closed.
func readRequest(reader *bufio.Reader) bool {
	request, err := http.ReadRequest(reader)
	if err != nil {
		return false
	}
	io.Copy(io.Discard, request.Body)
	return true
}

// connected makes an HTTP driver with n connections opened beforehand.
func connected(t testing.TB, n int, o Options) *httpDriver {
	t.Helper()
	driver, err := New("http", o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { driver.Close() })
	if err := driver.Connect(t.Context(), n); err != nil {
		t.Fatal(err)
	}
	return driver.(*httpDriver)
}

const ok200 = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

func want(t *testing.T, got Answer, class string) {
	t.Helper()
	if got.Class != class || got.TimedOut {
		t.Fatalf("answer %+v, want class %q", got, class)
	}
}

// The classic hidden retry: a kept-alive connection dies after the request was
// received. The request must not be sent again.
func TestRequestIsNeverSentTwice(t *testing.T) {
	ends := map[string]func(conn *net.TCPConn){
		"closed":    func(*net.TCPConn) {},
		"reset":     func(conn *net.TCPConn) { conn.SetLinger(0) },
		"truncated": func(conn *net.TCPConn) { io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf") },
	}
	for class, end := range ends {
		t.Run(class, func(t *testing.T) {
			var received, connections atomic.Int64
			url := listen(t, func(n int64, conn *net.TCPConn) {
				connections.Add(1)
				reader := bufio.NewReader(conn)
				for i := 0; readRequest(reader); i++ {
					received.Add(1)
					if i == 1 {
						end(conn)
						return
					}
					io.WriteString(conn, ok200)
				}
			})
			d := connected(t, 1, Options{URL: url})
			want(t, d.Do(&Request{}), "")
			want(t, d.Do(&Request{}), class)
			if received.Load() != 2 {
				t.Errorf("the server received %d requests for two", received.Load())
			}
			want(t, d.Do(&Request{}), "")
			if got, want := d.Connections(), (Connections{Established: 1, Opened: 2, Lost: 1}); got != want {
				t.Errorf("connections %+v, want %+v", got, want)
			}
		})
	}
}

func TestAnswersInEveryFraming(t *testing.T) {
	big := strings.Repeat("x", 200_000)
	chunked := fmt.Sprintf("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: Sum\r\n\r\n%x\r\n%s\r\n3\r\nabc\r\n0\r\nSum: 1\r\n\r\n", len(big), big)
	cases := []struct {
		name, answer, class string
		announced           bool
	}{
		{"length", ok200, "", false},
		{"long", fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s", len(big), big), "", false},
		{"chunked with trailer", chunked, "", false},
		{"no content", "HTTP/1.1 204 No Content\r\n\r\n", "", false},
		{"not modified", "HTTP/1.1 304 Not Modified\r\nContent-Length: 5\r\n\r\n", "", false},
		{"early hints", "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + ok200, "", false},
		{"until close", "HTTP/1.1 200 OK\r\n\r\n" + big, "", true},
		{"old", "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", "", true},
		{"announced close", "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok", "", true},
		{"switched protocols", "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: chat\r\n\r\n", "status_101", true},
		{"redirect", "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n", "", false},
		{"client error", "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", "status_404", false},
		{"unavailable", "HTTP/1.1 503 Busy\r\nContent-Length: 2\r\n\r\nno", "status_503", false},
		{"another protocol", "SSH-2.0-OpenSSH_9.2\r\n\r\n", "protocol", false},
		{"bad chunk", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", "protocol", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			url := listen(t, func(n int64, conn *net.TCPConn) {
				reader := bufio.NewReader(conn)
				for readRequest(reader) {
					io.WriteString(conn, c.answer)
					if c.announced {
						return
					}
				}
			})
			d := connected(t, 0, Options{URL: url})
			for range 3 {
				want(t, d.Do(&Request{}), c.class)
			}
			expected := Connections{Established: 1, Opened: 1}
			switch {
			case c.announced:
				expected = Connections{Opened: 3, Announced: 3}
			case c.class == "protocol":
				expected = Connections{Opened: 3}
			}
			if got := d.Connections(); got != expected {
				t.Errorf("connections %+v, want %+v", got, expected)
			}
		})
	}
}

func TestHeadHasNoBody(t *testing.T) {
	url := listen(t, func(_ int64, conn *net.TCPConn) {
		reader := bufio.NewReader(conn)
		for readRequest(reader) {
			io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 80000\r\n\r\n")
		}
	})
	d := connected(t, 1, Options{URL: url, Method: "HEAD"})
	for range 3 {
		want(t, d.Do(&Request{}), "")
	}
	if got := d.Connections().Opened; got != 1 {
		t.Errorf("%d connections opened, want 1", got)
	}
}

func TestExpectNarrowsSuccess(t *testing.T) {
	url := listen(t, func(_ int64, conn *net.TCPConn) {
		reader := bufio.NewReader(conn)
		for readRequest(reader) {
			io.WriteString(conn, "HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n")
		}
	})
	want(t, connected(t, 0, Options{URL: url, Expect: []int{200}}).Do(&Request{}), "status_302")
	want(t, connected(t, 0, Options{URL: url, Expect: []int{200, 302}}).Do(&Request{}), "")
}

// A timed-out answer that comes late must not be taken for the next one's.
func TestTimeoutClosesTheConnection(t *testing.T) {
	release := make(chan struct{})
	url := listen(t, func(n int64, conn *net.TCPConn) {
		reader := bufio.NewReader(conn)
		for readRequest(reader) {
			if n == 1 {
				<-release
				io.WriteString(conn, "HTTP/1.1 503 Late\r\nContent-Length: 0\r\n\r\n")
				continue
			}
			io.WriteString(conn, ok200)
		}
	})
	d := connected(t, 1, Options{URL: url})
	got := d.Do(&Request{Deadline: time.Now().Add(20 * time.Millisecond)})
	if !got.TimedOut || got.Class != "" {
		t.Fatalf("answer %+v, want a timeout", got)
	}
	close(release)
	deadline := time.Now().Add(500 * time.Millisecond)
	want(t, d.Do(&Request{Deadline: deadline}), "")
	time.Sleep(time.Until(deadline) + idleUnchecked)
	want(t, d.Do(&Request{}), "") // the deadline of the one before is lifted
	if got, want := d.Connections(), (Connections{Established: 1, Opened: 2, Reopened: 1}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
	if got := d.Do(&Request{Deadline: time.Now().Add(-time.Second)}); !got.TimedOut {
		t.Errorf("answer %+v to a request whose deadline has passed already", got)
	}
}

// A server that closes idle connections without a word loses connections, but
// a request that was never sent is no failure.
func TestIdleCloseIsNoticedBeforeSending(t *testing.T) {
	closed := make(chan struct{})
	url := listen(t, func(n int64, conn *net.TCPConn) {
		reader := bufio.NewReader(conn)
		for readRequest(reader) {
			io.WriteString(conn, ok200)
			if n == 1 {
				conn.Close()
				close(closed)
				return
			}
		}
	})
	d := connected(t, 1, Options{URL: url})
	want(t, d.Do(&Request{}), "")
	<-closed
	time.Sleep(5 * idleUnchecked)
	want(t, d.Do(&Request{}), "")
	if got, want := d.Connections(), (Connections{Established: 1, Opened: 2, Lost: 1}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
}

func TestBodiesTakeNoMemory(t *testing.T) {
	const size = 64 << 20
	url := listen(t, func(_ int64, conn *net.TCPConn) {
		if readRequest(bufio.NewReader(conn)) {
			fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n", size)
			block := make([]byte, 1<<20)
			for range size / len(block) {
				conn.Write(block)
			}
		}
	})
	d := connected(t, 0, Options{URL: url})
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	want(t, d.Do(&Request{}), "")
	runtime.ReadMemStats(&after)
	if got := after.TotalAlloc - before.TotalAlloc; got > size/8 {
		t.Errorf("%d bytes allocated to read a body of %d", got, size)
	}
}
