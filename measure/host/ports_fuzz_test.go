package host

import (
	"bytes"
	"net/netip"
	"testing"
)

// Whatever a table holds, no more ports are taken than there are, and what the
// target does not occur in takes none.
func FuzzPortTable(f *testing.F) {
	f.Add([]byte(tcpHead + listening + connected + accepted + waiting))
	f.Add([]byte(tcp6Head + waiting6 + mapped6))
	f.Fuzz(func(t *testing.T, table []byte) {
		choice := new(portSet)
		choice.add(32768, 60999)
		count := newPortCount(netip.MustParseAddrPort("127.0.0.1:9000"))
		if err := count.read(bytes.NewReader(table)); err != nil {
			return
		}
		use := count.use(choice)
		if use.TimeWait < 0 || use.TimeWait > use.Busy || use.Busy > use.All || use.Left() < 0 || use.Busy > bytes.Count(table, []byte("\n"))+1 {
			t.Errorf("%q gave %+v", table, use)
		}
		if use.TimeWait > 0 && !bytes.Contains(table, []byte(":2328 ")) {
			t.Errorf("%q gave %+v without the target's port", table, use)
		}
	})
}

func FuzzParseSocket(f *testing.F) {
	for _, line := range []string{listening, connected, waiting6, mapped6} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		s, ok := parseSocket(line)
		if !ok {
			if s != (socket{}) {
				t.Errorf("%q gave %v", line, s)
			}
			return
		}
		if !s.local.IsValid() || !s.remote.IsValid() || s.local.Addr().Is4In6() || s.remote.Addr().Is4In6() {
			t.Errorf("%q gave %v", line, s)
		}
	})
}

func FuzzParsePortList(f *testing.F) {
	f.Add("8080,9148")
	f.Add("1-4,10-10")
	f.Fuzz(func(t *testing.T, list string) {
		var set portSet
		if parsePortList(list, &set) && (set.size() == 0) != (list == "") {
			t.Errorf("%q gave %d ports", list, set.size())
		}
	})
}
