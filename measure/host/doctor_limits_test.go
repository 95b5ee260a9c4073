package host

import (
	"strings"
	"testing"
)

func TestParseFileNumber(t *testing.T) {
	if open, most, ok := parseFileNumber("2208\t0\t2466160"); !ok || open != 2208 || most != 2466160 {
		t.Errorf("%d of %d, %v", open, most, ok)
	}
	for _, broken := range []string{"", "1 2", "x 0 5", "1 0 -1", "1 0 2 3"} {
		if open, most, ok := parseFileNumber(broken); ok {
			t.Errorf("%q gave %d of %d", broken, open, most)
		}
	}
}

func FuzzParseFileNumber(f *testing.F) {
	f.Add("2208\t0\t9223372036854775807")
	f.Fuzz(func(t *testing.T, text string) {
		if open, most, ok := parseFileNumber(text); ok && len(strings.Fields(text)) != 3 || !ok && (open != 0 || most != 0) {
			t.Errorf("%q gave %d of %d, %v", text, open, most, ok)
		}
	})
}

// netstat is shortened from Linux 6.1.
const netstat = "TcpExt: SyncookiesSent ListenOverflows ListenDrops\nTcpExt: 85387 12 15\nIpExt: InNoRoutes ListenDrops\nIpExt: 0 99\n"

func TestParseNetstat(t *testing.T) {
	for name, want := range map[string]uint64{"SyncookiesSent": 85387, "ListenOverflows": 12, "ListenDrops": 15} {
		if got, ok := parseNetstat(netstat, name); !ok || got != want {
			t.Errorf("%s: %d, %v; want %d", name, got, ok, want)
		}
	}
	for _, broken := range []string{"", "TcpExt: ListenDrops\n", "TcpExt: ListenDrops\nTcpExt:\n", "TcpExt: ListenDrops\nTcpExt: -1\n", "TcpExt: A\nTcpExt: 1\n"} {
		if got, ok := parseNetstat(broken, "ListenDrops"); ok {
			t.Errorf("%q gave %d", broken, got)
		}
	}
	if seen := judgeBacklog("4096", netstat).seen; !strings.Contains(seen, "turned 12 away, and 15 were dropped") {
		t.Errorf("seen %q, want both counts", seen)
	}
	if seen := judgeBacklog("4096", "").seen; seen != "at most 4096 connections" {
		t.Errorf("seen %q without counts", seen)
	}
}

func FuzzParseNetstat(f *testing.F) {
	f.Add(netstat, "ListenDrops")
	f.Fuzz(func(t *testing.T, text, name string) {
		if got, ok := parseNetstat(text, name); got != 0 && !ok || ok && !strings.Contains(text, name) {
			t.Errorf("%s of %q gave %d, %v", name, text, got, ok)
		}
	})
}

// TestReuseOfPorts: the setting is said, where it is known.
func TestReuseOfPorts(t *testing.T) {
	for setting, want := range map[string]string{"0": "a minute", "1": "after a second (", "2": "loopback", "": "in TIME_WAIT"} {
		if f := judgePorts(28232, "32768\t60999", sockstat, setting); !strings.Contains(f.seen, want) {
			t.Errorf("tcp_tw_reuse %q: %q, want %q in it", setting, f.seen, want)
		}
	}
}
