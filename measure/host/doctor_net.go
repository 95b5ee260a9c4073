package host

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"
)

// Open files that a run may need, one for each connection: an overloaded server
// keeps some hundred connections open, and a retry storm a few thousand.
const (
	filesWarning = 8192
	filesBad     = 1024
)

func checkFiles(fs.FS) finding {
	var files syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) != nil {
		return unseen
	}
	return judgeFiles(uint64(files.Cur))
}

func judgeFiles(allowed uint64) finding {
	f := finding{status: Good, seen: fmt.Sprintf("at most %d", allowed), mend: "ulimit -n 65536 (or LimitNOFILE=, docker --ulimit nofile=65536)"}
	switch {
	case allowed < filesBad:
		f.status = Bad
	case allowed < filesWarning:
		f.status = Warning
	}
	return f
}

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
	return judgePorts(choice.size(), text(root, portRangeFile), text(root, "proc/net/sockstat"))
}

// judgePorts judges for connections to any address together, as long as none is
// known.
func judgePorts(ports int, portRange, sockstat string) finding {
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
		seen:   fmt.Sprintf("%d ports of %s; %d connections in TIME_WAIT", ports, within, waiting),
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
	return judgeBacklog(text(root, "proc/sys/net/core/somaxconn"))
}

func judgeBacklog(somaxconn string) finding {
	allowed, err := strconv.ParseUint(somaxconn, 10, 31)
	if err != nil {
		return unseen
	}
	f := finding{status: Good, seen: fmt.Sprintf("at most %d connections", allowed), mend: "sysctl net.core.somaxconn=4096"}
	switch {
	case allowed < backlogBad:
		f.status = Bad
	case allowed < backlogWarning:
		f.status = Warning
	}
	return f
}
