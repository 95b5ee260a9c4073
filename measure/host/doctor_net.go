package host

import (
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
)

// The share of ephemeral ports that connections in TIME_WAIT hold: in percent.
const (
	portsWarning = 25
	portsBad     = 75
)

func checkPorts(root fs.FS) finding {
	choice, ok := portsToChoose(root)
	if !ok {
		return unseen
	}
	return judgePorts(choice.size(), text(root, portRangeFile), text(root, "proc/net/sockstat"), text(root, "proc/sys/net/ipv4/tcp_tw_reuse"))
}

// reuse says what the setting tcp_tw_reuse does, by ip-sysctl of the kernel's manual.
// It takes a second and TCP timestamps at both ends.
var reuse = map[string]string{
	"0": ", held for a minute (tcp_tw_reuse 0)",
	"1": ", whose ports may be used again after a second (tcp_tw_reuse 1)",
	"2": ", whose ports may be used again after a second on loopback alone (tcp_tw_reuse 2)",
}

// judgePorts judges for connections to any address together, as long as none is
// known.
func judgePorts(ports int, portRange, sockstat, twReuse string) finding {
	within := strings.Join(strings.Fields(portRange), " to ")
	waiting, ok := parseTimeWait(sockstat)
	if !ok {
		return finding{status: Unknown, seen: fmt.Sprintf("%d ports of %s; those in TIME_WAIT are not known", ports, within)}
	}
	share := 100.0
	if ports > 0 {
		share = 100 * float64(waiting) / float64(ports)
	}
	return finding{
		status: grade(share, portsWarning, portsBad),
		seen:   fmt.Sprintf("%d ports of %s; %d connections in TIME_WAIT%s", ports, within, waiting, reuse[twReuse]),
		mend:   "wait a minute, pause between runs, keep connections alive; sysctl net.ipv4.ip_local_port_range=\"10240 65535\" gives more ports",
	}
}

// parsePortRange reads the text of ip_local_port_range, "32768\t60999".
func parsePortRange(portRange string) (first, last int, ok bool) {
	fields := strings.Fields(portRange)
	if len(fields) != 2 {
		return 0, 0, false
	}
	f, err := strconv.ParseUint(fields[0], 10, 16)
	if err != nil {
		return 0, 0, false
	}
	l, err := strconv.ParseUint(fields[1], 10, 16)
	if err != nil || l < f {
		return 0, 0, false
	}
	return int(f), int(l), true
}

// parseTimeWait returns the number of TCP connections in TIME_WAIT from the text of
// /proc/net/sockstat, "TCP: inuse 5 orphan 0 tw 12 alloc 7 mem 1".
func parseTimeWait(sockstat string) (connections int, ok bool) {
	for line := range strings.Lines(sockstat) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "TCP:" {
			continue
		}
		for i := 1; i+1 < len(fields); i += 2 {
			if fields[i] == "tw" {
				n, err := strconv.ParseUint(fields[i+1], 10, 31)
				return int(n), err == nil
			}
		}
	}
	return 0, false
}

// Waiting connections that the kernel allows: nginx asks for 511, and 128 was the
// kernel's limit before version 5.4.
const (
	backlogWarning = 511
	backlogBad     = 128
)

func checkBacklog(root fs.FS) finding {
	return judgeBacklog(text(root, "proc/sys/net/core/somaxconn"), text(root, "proc/net/netstat"))
}

// judgeBacklog judges what the kernel allows. What was turned away since boot may have
// been an overload that somebody wanted to see.
func judgeBacklog(somaxconn, netstat string) finding {
	allowed, err := strconv.ParseUint(somaxconn, 10, 31)
	if err != nil {
		return unseen
	}
	f := finding{status: Good, seen: fmt.Sprintf("at most %d connections", allowed), mend: "sysctl net.core.somaxconn=4096"}
	overflows, known := parseNetstat(netstat, "ListenOverflows")
	if drops, ok := parseNetstat(netstat, "ListenDrops"); ok && known {
		f.seen += fmt.Sprintf("; since boot full queues turned %d away, and %d were dropped in all", overflows, drops)
	}
	switch {
	case allowed < backlogBad:
		f.status = Bad
	case allowed < backlogWarning:
		f.status = Warning
	}
	return f
}

// parseNetstat returns a count of TCP events since boot from the text of
// /proc/net/netstat, in which a line of names goes before a line of numbers:
//
//	TcpExt: SyncookiesSent SyncookiesRecv …
//	TcpExt: 0 12 …
func parseNetstat(netstat, name string) (events uint64, ok bool) {
	var names []string
	for line := range strings.Lines(netstat) {
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0] != "TcpExt:" {
			continue
		}
		if names == nil {
			names = fields
			continue
		}
		i := slices.Index(names, name)
		if i < 1 || i >= len(fields) {
			return 0, false
		}
		events, err := strconv.ParseUint(fields[i], 10, 64)
		return events, err == nil
	}
	return 0, false
}
