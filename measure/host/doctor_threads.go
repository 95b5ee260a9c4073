package host

import (
	"io/fs"
	"math"
	"strconv"
	"strings"
	"time"
)

// thread is a thread as the kernel lists it.
type thread struct {
	pid  int    // of its process
	name string // its own, 15 bytes at most; a process is called as its first thread
	cpu  int    // where it ran last
	used time.Duration
}

// threads returns all threads by their ids.
func threads(root fs.FS) map[int]thread {
	found := map[int]thread{}
	for pid, process := range numbered(root, "proc") {
		for tid, task := range numbered(root, process+"/task") {
			// One that cannot be read has ended.
			if t, ok := parseThread(text(root, task+"/stat")); ok {
				t.pid = pid
				found[tid] = t
			}
		}
	}
	return found
}

// numbered returns the entries of a directory whose names are numbers, as paths.
func numbered(root fs.FS, dir string) map[int]string {
	entries, err := fs.ReadDir(root, dir)
	if err != nil {
		return nil
	}
	found := map[int]string{}
	for _, entry := range entries {
		if n, err := strconv.Atoi(entry.Name()); err == nil {
			found[n] = dir + "/" + entry.Name()
		}
	}
	return found
}

// parseThread reads the text of /proc/PID/task/TID/stat, "12 (name) S 1 …", by
// proc_pid_stat(5): of its fields, counted from 1, 14 and 15 are the time in user and
// system mode, in ticks, and 39 is the CPU. The name is the program's own choice: it may
// hold spaces and brackets.
func parseThread(stat string) (t thread, ok bool) {
	begin, end := strings.IndexByte(stat, '('), strings.LastIndexByte(stat, ')')
	if begin < 0 || end < begin {
		return thread{}, false
	}
	const before = 3 // the first field behind the name
	fields := strings.Fields(stat[end+1:])
	if len(fields) <= 39-before {
		return thread{}, false
	}
	var ticks [2]uint64
	for i := range ticks {
		n, err := strconv.ParseUint(fields[14-before+i], 10, 64)
		if err != nil || n > math.MaxInt64/2/uint64(tick) {
			return thread{}, false
		}
		ticks[i] = n
	}
	cpu, err := strconv.ParseUint(fields[39-before], 10, 31)
	if err != nil {
		return thread{}, false
	}
	return thread{name: stat[begin+1 : end], cpu: int(cpu), used: time.Duration(ticks[0]+ticks[1]) * tick}, true
}

// interrupts returns from the text of /proc/stat the time that a CPU has spent in
// interrupts since boot: those are the sixth and seventh number of its line, "cpu1 user
// nice system idle iowait irq softirq …". It is 0 where the text does not tell.
func interrupts(stat string, cpu int) time.Duration {
	for line := range strings.Lines(stat) {
		fields := strings.Fields(line)
		if len(fields) < 8 || fields[0] != "cpu"+strconv.Itoa(cpu) {
			continue
		}
		var all time.Duration
		for _, field := range fields[6:8] {
			ticks, err := strconv.ParseUint(field, 10, 64)
			if err != nil || ticks > math.MaxInt64/2/uint64(tick) {
				return 0
			}
			all += time.Duration(ticks) * tick
		}
		return all
	}
	return 0
}
