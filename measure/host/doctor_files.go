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

func checkFiles(root fs.FS) finding {
	var files syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &files) != nil {
		return unseen
	}
	return judgeFiles(uint64(files.Cur), uint64(files.Max), text(root, "proc/sys/fs/file-nr"))
}

// judgeFiles judges the smaller of what this process may open and what the whole
// system has left. A Go program has raised its limit to the hard one by itself.
func judgeFiles(soft, hard uint64, system string) finding {
	f := finding{status: Good, seen: fmt.Sprintf("at most %d (hard limit %d)", soft, hard), mend: "ulimit -n 65536 (or LimitNOFILE=, docker --ulimit nofile=65536)"}
	left := soft
	if open, most, ok := parseFileNumber(system); ok {
		f.seen += fmt.Sprintf(", %d of %d in use on the whole system", open, most)
		if free := most - min(open, most); free < left {
			left = free
			f.mend = "close what holds files open, or sysctl fs.file-max=1000000"
		}
	}
	switch {
	case left < filesBad:
		f.status = Bad
	case left < filesWarning:
		f.status = Warning
	}
	return f
}

// parseFileNumber reads the text of /proc/sys/fs/file-nr: the files that are open on
// the whole system, a zero, and the most there may be.
func parseFileNumber(system string) (open, most uint64, ok bool) {
	fields := strings.Fields(system)
	if len(fields) != 3 {
		return 0, 0, false
	}
	open, err := strconv.ParseUint(fields[0], 10, 64)
	if err != nil {
		return 0, 0, false
	}
	most, err = strconv.ParseUint(fields[2], 10, 64)
	if err != nil {
		return 0, 0, false
	}
	return open, most, true
}
