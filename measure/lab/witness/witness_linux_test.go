package witness

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func running(t *testing.T) *Server {
	t.Helper()
	s, err := Start(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// client is a connection that sends byte by byte what it is told to.
type client struct {
	t *testing.T
	net.Conn
	answers *bufio.Reader
}

func dial(t *testing.T, s *Server) *client {
	t.Helper()
	c, err := net.Dial("tcp4", strings.TrimPrefix(s.base(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(20 * time.Second))
	return &client{t, c, bufio.NewReader(c)}
}

// send writes and returns the wall clock, in ns since 1970, before and after.
func (c *client) send(text string) (before, after int64) {
	c.t.Helper()
	before = time.Now().UnixNano()
	_, err := io.WriteString(c.Conn, text)
	after = time.Now().UnixNano()
	if err != nil {
		c.t.Fatal(err)
	}
	return before, after
}

func (c *client) receive() {
	c.t.Helper()
	answer, err := http.ReadResponse(c.answers, nil)
	if err != nil {
		c.t.Fatal(err)
	}
	defer answer.Body.Close()
	if body, err := io.ReadAll(answer.Body); err != nil || string(body) != "ok\n" || answer.StatusCode != http.StatusOK {
		c.t.Fatalf("answer %s %q, %v", answer.Status, body, err)
	}
}

func stamps(t *testing.T, s *Server) []int64 {
	t.Helper()
	got, err := s.Stamps(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return got
}

const request = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

// On loopback the kernel receives within the sender's system call, so each stamp lies
// between the sender's own looks at the same clock, before the call and after it.
func TestStampsLieWithinTheSends(t *testing.T) {
	s := running(t)
	c := dial(t, s)
	const sends = 300
	var before, after [sends]int64
	for i := range sends {
		before[i], after[i] = c.send(request)
		c.receive()
		if i%100 == 50 {
			time.Sleep(5 * time.Millisecond)
		}
	}
	got := stamps(t, s)
	if len(got) != sends {
		t.Fatalf("%d stamps of %d requests", len(got), sends)
	}
	if !slices.IsSorted(got) {
		t.Error("one connection's stamps are not in the order of its requests")
	}
	for i, stamp := range got {
		if stamp < before[i] || stamp > after[i] {
			t.Errorf("request %d was sent between 0 and %d ns and stamped at %d ns", i, after[i]-before[i], stamp-before[i])
		}
	}
}

// A request in two pieces counts from its first. Where the server was too busy to read
// the first alone, the kernel tells the second's stamp; not so each time.
func TestFirstPieceCounts(t *testing.T) {
	s := running(t)
	c := dial(t, s)
	const sends = 5
	var after [sends]int64
	for i := range sends {
		_, after[i] = c.send(request[:7])
		time.Sleep(30 * time.Millisecond)
		c.send(request[7:])
		c.receive()
	}
	got := stamps(t, s)
	if len(got) != sends {
		t.Fatalf("%d stamps of %d requests", len(got), sends)
	}
	for i, stamp := range got {
		if stamp <= after[i] {
			return
		}
	}
	t.Errorf("none of %d requests was stamped with its first piece", sends)
}

func TestEveryRequestIsCountedUntilReset(t *testing.T) {
	s := running(t)
	const clients, each = 8, 250
	var all sync.WaitGroup
	for range clients {
		c := dial(t, s)
		all.Go(func() {
			for range each {
				if _, err := io.WriteString(c.Conn, request); err != nil {
					t.Error(err)
					return
				}
				answer, err := http.ReadResponse(c.answers, nil)
				if err != nil {
					t.Error(err)
					return
				}
				io.Copy(io.Discard, answer.Body)
			}
		})
	}
	all.Wait()
	if got := len(stamps(t, s)); got != clients*each {
		t.Errorf("%d stamps of %d requests", got, clients*each)
	}
	if err := s.Reset(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := len(stamps(t, s)); got != 0 {
		t.Errorf("%d stamps after a reset", got)
	}
}

// Two requests in one segment have one stamp, and a body may be another's: neither is
// answered as if it were one.
func TestWhatHasNoStampOfItsOwnIsRefused(t *testing.T) {
	s := running(t)
	for name, text := range map[string]string{
		"two at once":    request + request,
		"a body":         "POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi",
		"an endless one": strings.Repeat("x", longestHead+1),
	} {
		c := dial(t, s)
		io.WriteString(c.Conn, text) // the server may close before it has read all
		if rest, err := io.ReadAll(c.Conn); len(rest) > 0 {
			t.Errorf("%s: answered %q, %v", name, rest, err)
		}
	}
	c := dial(t, s)
	c.send(request)
	c.receive()
	if got := len(stamps(t, s)); got != 1 {
		t.Errorf("%d stamps, want that of the one proper request", got)
	}
}

func TestStoppedServerTellsNothing(t *testing.T) {
	s := running(t)
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Stamps(t.Context()); err == nil {
		t.Error("a stopped server told its stamps")
	}
}
