package trial

import (
	"io"
	"net"
	"testing"
	"time"

	"queuelab/measure"
	"queuelab/measure/host"
	"queuelab/measure/workload"
)

// listening is a server that closes what is closed.
func listening(t *testing.T) (remote string) {
	t.Helper()
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				io.Copy(io.Discard, c)
				c.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

// spend leaves n connections to a server in TIME_WAIT.
func spend(t *testing.T, remote string, n int) {
	t.Helper()
	for range n {
		c, err := net.Dial("tcp4", remote)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
}

// A pause ends at once when there are ports enough, and waits its whole length when
// closed connections hold them.
func TestPauseWaitsForPorts(t *testing.T) {
	remote := listening(t)
	paused := func(opened int64, length time.Duration) (waited, left float64, note string) {
		plan := Plan{Pause: length, Run: measure.Plan{Workload: &workload.Workload{Clients: 1}}}
		out := (&taker{remote: remote, opened: opened, Plan: plan}).pause(t.Context())
		return float64(out.Waited), float64(out.Left), out.Note
	}
	spend(t, remote, 200)
	if waited, left, note := paused(10, time.Hour); waited > 60 || left <= 0 || note != "" {
		t.Errorf("with ports enough the pause took %v s, %v ports left, %q", waited, left, note)
	}
	use, err := host.Ports(remote)
	if err != nil {
		t.Fatal(err)
	}
	// At most nine tenths of all ports are wanted: more than are left now.
	spend(t, remote, use.All/10)
	waited, left, note := paused(int64(use.All), 300*time.Millisecond)
	if waited < 0.3 || note == "" || left >= float64(use.All)*9/10 {
		t.Errorf("with ports spent the pause took %v s, %v of %d ports left, %q", waited, left, use.All, note)
	}
}

// What is wanted grows with the connections of the run before and stays below what
// a machine has.
func TestEnough(t *testing.T) {
	for _, tt := range []struct {
		opened int64
		all    int
		want   int
	}{{0, 28232, 16}, {50, 28232, 116}, {1000, 28232, 2016}, {100_000, 28232, 25408}} {
		if got := enough(tt.opened, tt.all); got != tt.want {
			t.Errorf("after %d connections, of %d ports %d are wanted, want %d", tt.opened, tt.all, got, tt.want)
		}
	}
}
