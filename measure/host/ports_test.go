package host

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"strings"
	"testing"
	"testing/fstest"
)

// The heads of the kernel's tables, and lines as it wrote them on a little-endian
// machine.
const (
	tcpHead  = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode                                                     \n"
	tcp6Head = "  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"

	listening = "   0: 0100007F:2328 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 2610 1 000000002f2cd2a1 100 0 0 10 0                     \n"
	connected = "   1: 0100007F:9C4C 0100007F:2328 01 00000000:00000000 00:00000000 00000000     0        0 2621 1 00000000ab2cd2a1 20 4 30 10 -1                    \n"
	accepted  = "   2: 0100007F:2328 0100007F:9C4C 01 00000000:00000000 00:00000000 00000000     0        0 2622 1 00000000cd2cd2a1 20 4 30 10 -1                    \n"
	waiting   = "   3: 0100007F:9C4E 0100007F:2328 06 00000000:00000000 03:00001760 00000000     0        0 0 3 0000000000000000                                      \n"
	waiting6  = "   4: 00000000000000000000000001000000:9C50 00000000000000000000000001000000:2328 06 00000000:00000000 03:000008BB 00000000     0        0 0 3 0000000000000000\n"
	mapped6   = "   5: 0000000000000000FFFF00000100007F:2328 0000000000000000FFFF00000100007F:9C52 06 00000000:00000000 03:000008BB 00000000     0        0 0 3 0000000000000000\n"
)

func littleEndian(t testing.TB) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		t.Skip("the lines are those of a little-endian machine")
	}
}

func TestParseSocket(t *testing.T) {
	littleEndian(t)
	for line, want := range map[string]socket{
		listening: {netip.MustParseAddrPort("127.0.0.1:9000"), netip.MustParseAddrPort("0.0.0.0:0"), stateListen},
		accepted:  {netip.MustParseAddrPort("127.0.0.1:9000"), netip.MustParseAddrPort("127.0.0.1:40012"), 1},
		waiting:   {netip.MustParseAddrPort("127.0.0.1:40014"), netip.MustParseAddrPort("127.0.0.1:9000"), stateTimeWait},
		waiting6:  {netip.MustParseAddrPort("[::1]:40016"), netip.MustParseAddrPort("[::1]:9000"), stateTimeWait},
		mapped6:   {netip.MustParseAddrPort("127.0.0.1:9000"), netip.MustParseAddrPort("127.0.0.1:40018"), stateTimeWait},
		"46: B80D0120000000000000000001000000:01BB 010310AC:9C4C 06": { // the kernel's own example, and an IPv6 address as RFC 3849 has them
			netip.MustParseAddrPort("[2001:db8::1]:443"), netip.MustParseAddrPort("172.16.3.1:40012"), stateTimeWait},
	} {
		if got, ok := parseSocket([]byte(line)); !ok || got != want {
			t.Errorf("%q: %v, %v; want %v", line, got, ok, want)
		}
	}
	for _, broken := range []string{"", "\n", tcpHead, "1:", "1: 0100007F:2328", "1: 0100007F:2328 0100007F:9C4C", "1: 0100007F:2328 0100007F:9C4C 6",
		"1: 0100007F:2328 0100007F:9C4C 006", "1: 100007F:2328 0100007F:9C4C 06", "1: 0100007F:328 0100007F:9C4C 06", "1: 0100007f:2328 0100007F:9C4C 06",
		"1: 0100007F12328 0100007F:9C4C 06", "1: 0100007F0100007F:2328 0100007F:9C4C 06", "1: 0100007G:2328 0100007F:9C4C 06", ": : :"} {
		if got, ok := parseSocket([]byte(broken)); ok {
			t.Errorf("%q gave %v", broken, got)
		}
	}
}

func TestParsePortList(t *testing.T) {
	for list, want := range map[string]int{"": 0, "8080": 1, "8080,9148": 2, "1-4,10-10": 5, "1-4,3-6": 6, "0-65535": 65536} {
		var set portSet
		if ok := parsePortList(list, &set); !ok || set.size() != want {
			t.Errorf("%q: %d ports, %v; want %d", list, set.size(), ok, want)
		}
	}
	for _, broken := range []string{",", "a", "1-", "-1", "4-1", "1,70000", "1-2-3", "1, 2", "1;2"} {
		if parsePortList(broken, new(portSet)) {
			t.Errorf("%q passed", broken)
		}
	}
}

// machine has the kernel's files; a nil table is not there.
func machine(portRange, reserved string, tcp, tcp6 []string) fstest.MapFS {
	root := fstest.MapFS{}
	add := func(path, text string) { root[path] = &fstest.MapFile{Data: []byte(text)} }
	add(portRangeFile, portRange)
	add(reservedPortsFile, reserved)
	if tcp != nil {
		add("proc/net/tcp", tcpHead+strings.Join(tcp, ""))
	}
	if tcp6 != nil {
		add("proc/net/tcp6", tcp6Head+strings.Join(tcp6, ""))
	}
	return root
}

// entry is a line of the table of IPv4 sockets.
func entry(local, remote string, state byte) string {
	encode := func(address string) string {
		a := netip.MustParseAddrPort(address)
		four := a.Addr().As4()
		return fmt.Sprintf("%08X:%04X", binary.NativeEndian.Uint32(four[:]), a.Port())
	}
	return fmt.Sprintf("%4d: %s %s %02X 00000000:00000000 03:00001760 00000000     0        0 0 3 0000000000000000\n", 7, encode(local), encode(remote), state)
}

func TestPortsInTables(t *testing.T) {
	littleEndian(t)
	const loopback = "127.0.0.1:9000"
	for _, c := range []struct {
		name, remote string
		root         fs.FS
		want         PortUse
	}{
		{"nothing", loopback, machine("40000\t40099\n", "\n", []string{}, []string{}), PortUse{100, 0, 0}},
		{"no IPv6", loopback, machine("40000\t40099\n", "\n", []string{}, nil), PortUse{100, 0, 0}},
		{"both ends of a connection", loopback, machine("40000\t40099\n", "\n", []string{listening, connected, accepted}, nil), PortUse{100, 1, 0}},
		{"each in TIME_WAIT, one at the server's end and as IPv6", loopback, machine("40000\t40099\n", "\n", []string{connected, waiting}, []string{mapped6}), PortUse{100, 3, 2}},
		{"IPv4 within IPv6 as the target", "[::ffff:127.0.0.1]:9000", machine("40000\t40099\n", "\n", []string{waiting}, []string{mapped6, waiting6}), PortUse{100, 2, 2}},
		{"IPv6", "[::1]:9000", machine("40000\t40099\n", "\n", []string{waiting}, []string{mapped6, waiting6}), PortUse{100, 1, 1}},
		{"a zone", "[::1%lo]:9000", machine("40000\t40099\n", "\n", []string{waiting}, []string{waiting6}), PortUse{100, 1, 1}},
		{"another port of the target", "127.0.0.1:9001", machine("40000\t40099\n", "\n", []string{listening, connected, accepted, waiting}, []string{mapped6}), PortUse{100, 0, 0}},
		{"reserved ports are none", loopback, machine("40000\t40099\n", "40000-40012,50000", []string{connected, waiting}, nil), PortUse{87, 1, 1}},
		{"all reserved", loopback, machine("40000\t40099\n", "1-65535", []string{connected, waiting}, nil), PortUse{0, 0, 0}},
		{"ports outside the range are none", loopback, machine("40013\t40013\n", "", []string{connected, waiting}, nil), PortUse{1, 0, 0}},
		{"a listener on any address has its port", loopback, machine("40000\t40099\n", "", []string{entry("0.0.0.0:40001", "0.0.0.0:0", stateListen), entry("127.0.0.5:40002", "0.0.0.0:0", stateListen)}, nil), PortUse{100, 2, 0}},
		{"a port that is alive and in TIME_WAIT is alive", loopback, machine("40000\t40099\n", "", []string{connected, entry(loopback, "127.0.0.1:40012", stateTimeWait)}, nil), PortUse{100, 1, 0}},
		{"other loopback addresses", loopback, machine("40000\t40099\n", "", []string{entry("127.0.0.2:40001", loopback, 1), entry(loopback, "127.0.0.3:40003", stateTimeWait)}, nil), PortUse{100, 2, 1}},
		{"another machine", "192.0.2.9:80", machine("40000\t40099\n", "", []string{entry("192.0.2.1:40001", "192.0.2.9:80", 1), entry("192.0.2.1:40002", "192.0.2.9:80", stateTimeWait), entry("192.0.2.1:40003", "192.0.2.8:80", 1)}, nil), PortUse{100, 2, 1}},
		{"a server here with clients elsewhere", "192.0.2.9:80", machine("40000\t40099\n", "", []string{entry("192.0.2.9:80", "192.0.2.1:40001", 1), entry("192.0.2.9:80", "192.0.2.9:40002", stateTimeWait)}, nil), PortUse{100, 1, 1}},
	} {
		got, err := portsIn(c.root, c.remote)
		if err != nil || got != c.want {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
		if got.Left() != c.want.All-c.want.Busy {
			t.Errorf("%s: %d ports are left of %+v", c.name, got.Left(), got)
		}
	}
}

func TestPortsThatCannotBeCounted(t *testing.T) {
	damaged := machine("1 5", "", []string{"nonsense\n"}, nil)
	for _, c := range []struct {
		name, remote string
		root         fs.FS
		unsupported  bool
	}{
		{"no files", "127.0.0.1:80", fstest.MapFS{}, true},
		{"no table", "127.0.0.1:80", machine("1 5", "", nil, nil), true},
		{"a range of words", "127.0.0.1:80", machine("a b", "", []string{}, nil), true},
		{"reserved words", "127.0.0.1:80", machine("1 5", "none", []string{}, nil), true},
		{"a damaged table", "127.0.0.1:80", damaged, false},
		{"a Unix socket", "", machine("1 5", "", []string{}, nil), false},
		{"a name", "localhost:80", machine("1 5", "", []string{}, nil), false},
		{"no port", "127.0.0.1", machine("1 5", "", []string{}, nil), false},
		{"port 0", "127.0.0.1:0", machine("1 5", "", []string{}, nil), false},
	} {
		use, err := portsIn(c.root, c.remote)
		if err == nil || use != (PortUse{}) || errors.Is(err, errors.ErrUnsupported) != c.unsupported {
			t.Errorf("%s: %+v, %v; unsupported should be %v", c.name, use, err, c.unsupported)
		}
	}
}

// table has so many sockets in TIME_WAIT towards 127.0.0.1:9000, from port 32768.
func table(sockets int) []byte {
	lines := bytes.NewBufferString(tcpHead)
	for i := range sockets {
		lines.WriteString(entry(fmt.Sprintf("127.0.0.1:%d", 32768+i), "127.0.0.1:9000", stateTimeWait))
	}
	return lines.Bytes()
}

// A table is read line by line: what it takes does not grow with it.
func TestTableIsStreamed(t *testing.T) {
	content := table(28_232)
	var count *portCount
	allocations := testing.AllocsPerRun(3, func() {
		count = newPortCount(netip.MustParseAddrPort("127.0.0.1:9000"))
		if err := count.read(bytes.NewReader(content)); err != nil {
			t.Fatal(err)
		}
	})
	if waiting := count.timeWait.size(); waiting != 28_232 || allocations > 10 {
		t.Errorf("%d ports in TIME_WAIT with %v allocations, want 28,232 with a handful", waiting, allocations)
	}
}

func BenchmarkTable(b *testing.B) {
	content := table(28_232)
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		if err := newPortCount(netip.MustParseAddrPort("127.0.0.1:9000")).read(bytes.NewReader(content)); err != nil {
			b.Fatal(err)
		}
	}
}
