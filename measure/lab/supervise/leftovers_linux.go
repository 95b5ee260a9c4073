package supervise

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// posixSharedMemory is where Linux keeps POSIX shared memory.
const posixSharedMemory = "/dev/shm/"

// leftovers are what killed processes leave behind: their directory, System V
// shared memory (PostgreSQL keeps a few bytes of it as a lock), and POSIX shared
// memory.
type leftovers struct {
	dir    string
	since  time.Time // when the first process was started
	prefix string    // of the paths of POSIX shared memory that is the server's own
	pids   map[int]bool
	files  map[string]bool
}

func newLeftovers(spec Spec, since time.Time, pids []int) *leftovers {
	l := &leftovers{dir: spec.Dir, since: since, pids: map[int]bool{}, files: map[string]bool{}}
	if spec.SharedMemory != "" {
		l.prefix = posixSharedMemory + spec.SharedMemory
	}
	for _, pid := range pids {
		l.pids[pid] = true
	}
	return l
}

// note remembers what a process that is about to be killed will leave.
func (l *leftovers) note(pid int) {
	l.pids[pid] = true
	if l.prefix == "" {
		return
	}
	maps, err := os.ReadFile(fmt.Sprintf("/proc/%d/maps", pid))
	if err != nil {
		return // it has ended
	}
	for _, path := range mapped(string(maps), l.prefix) {
		l.files[path] = true
	}
}

// remove removes it all once the processes are dead.
func (l *leftovers) remove() error {
	var failures []error
	for path := range l.files {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failures = append(failures, err)
		}
	}
	text, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a kernel without System V memory has no such file
		failures = append(failures, err)
	}
	for _, s := range parseSegments(string(text)) {
		// An older segment's creator had, by chance, the number of a process of ours.
		if !l.pids[s.creator] || s.changed < l.since.Unix() {
			continue
		}
		if _, err := unix.SysvShmCtl(s.id, unix.IPC_RMID, nil); err != nil {
			failures = append(failures, fmt.Errorf("remove shared memory %d: %w", s.id, err))
		}
	}
	return errors.Join(append(failures, os.RemoveAll(l.dir))...)
}

// mapped returns the files under the prefix in the text of /proc/PID/maps.
func mapped(maps, prefix string) []string {
	var paths []string
	for line := range strings.Lines(maps) {
		// "7f12-7f34 rw-s 00000000 00:1b 5 /dev/shm/name", " (deleted)" after the
		// name when the file is gone.
		fields := strings.Fields(line)
		if len(fields) == 6 && strings.HasPrefix(fields[5], prefix) {
			paths = append(paths, fields[5])
		}
	}
	return paths
}

// segment is one piece of System V shared memory.
type segment struct {
	id      int
	creator int   // process id
	changed int64 // created or its permissions changed, in seconds since 1970
}

// parseSegments reads the text of /proc/sysvipc/shm, whose first line names the
// columns.
func parseSegments(text string) []segment {
	lines := bufio.NewScanner(strings.NewReader(text))
	if !lines.Scan() {
		return nil
	}
	column := map[string]int{}
	for i, name := range strings.Fields(lines.Text()) {
		column[name] = i
	}
	var segments []segment
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		value := func(name string) int64 {
			i, known := column[name]
			if !known || i >= len(fields) {
				return -1
			}
			number, err := strconv.ParseInt(fields[i], 10, 64)
			if err != nil {
				return -1
			}
			return number
		}
		s := segment{id: int(value("shmid")), creator: int(value("cpid")), changed: value("ctime")}
		if s.id >= 0 && s.creator > 0 && s.changed >= 0 {
			segments = append(segments, s)
		}
	}
	return segments
}
