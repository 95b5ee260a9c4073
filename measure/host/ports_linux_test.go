package host

import (
	"net"
	"testing"
	"time"
)

func listen(t *testing.T, address string) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return listener
}

// connect opens so many connections, all with ports of their own, and returns both
// ends. They are closed when the test ends.
func connect(t *testing.T, listener net.Listener, connections int) (clients, servers []net.Conn) {
	t.Helper()
	t.Cleanup(func() {
		hangUp(clients)
		hangUp(servers)
	})
	for i := range connections {
		client, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatalf("connection %d of %d: %v", i, connections, err)
		}
		clients = append(clients, client)
		server, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		servers = append(servers, server)
	}
	return clients, servers
}

// hangUp closes one end of connections. The end that is closed first comes to be in
// TIME_WAIT; the other one is closed only when all of these are, since on Linux 6.18
// an end that is just about to wait, while the other one is closed, may be reset
// instead.
func hangUp(conns []net.Conn) {
	for _, conn := range conns {
		conn.Close()
	}
}

// eventually looks until what it sees is as it should be, for up to five seconds.
func eventually(t *testing.T, remote string, right func(PortUse) bool) (use PortUse) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var err error
		if use, err = Ports(remote); err != nil {
			t.Fatal(err)
		}
		if right(use) {
			break
		}
	}
	return use
}

// Closed connections are counted, exactly, whichever end closed first and with
// either IP.
func TestClosedConnectionsAreCounted(t *testing.T) {
	const connections = 300
	for _, c := range []struct {
		name, address string
		serverFirst   bool
	}{
		{"client first", "127.0.0.1:0", false},
		{"server first", "127.0.0.1:0", true},
		{"client first, IPv6", "[::1]:0", false},
		{"server first, IPv6", "[::1]:0", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			if probe, err := net.Listen("tcp", c.address); err != nil {
				t.Skip(err) // no IPv6 here
			} else {
				probe.Close()
			}
			listener := listen(t, c.address)
			remote := listener.Addr().String()
			// A port that was a server's before may have connections in TIME_WAIT.
			earlier, err := Ports(remote)
			if err != nil {
				t.Fatal(err)
			}
			first, second := connect(t, listener, connections)
			if use, err := Ports(remote); err != nil || use.TimeWait > earlier.TimeWait || use.Busy < connections {
				t.Errorf("while %d connections are open: %+v, %v", connections, use, err)
			}
			if c.serverFirst {
				first, second = second, first
			}
			hangUp(first)
			hangUp(second)
			use := eventually(t, remote, func(use PortUse) bool { return use.TimeWait >= connections })
			if use.TimeWait < connections || use.TimeWait > connections+earlier.TimeWait || use.Left() > use.All-connections {
				t.Errorf("after %d connections were closed: %+v, before: %+v", connections, use, earlier)
			}
		})
	}
}

// What was connected elsewhere holds none of a target's ports.
func TestOtherTargetsDoNotMatter(t *testing.T) {
	called, other := listen(t, "127.0.0.1:0"), listen(t, "127.0.0.1:0")
	before, err := Ports(other.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	clients, servers := connect(t, called, 50)
	hangUp(clients)
	hangUp(servers)
	eventually(t, called.Addr().String(), func(use PortUse) bool { return use.TimeWait >= 50 })
	if use, err := Ports(other.Addr().String()); err != nil || use.TimeWait > before.TimeWait {
		t.Errorf("towards a server that nobody called: %+v, %v; before: %+v", use, err, before)
	}
}
