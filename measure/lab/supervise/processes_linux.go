package supervise

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Children returns the process ids whose parent is the given one.
func Children(pid int) ([]int, error) {
	byParent, err := processes()
	if err != nil {
		return nil, err
	}
	return byParent[pid], nil
}

// parentID returns the process id of a process's parent.
func parentID(pid int) (int, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	parent, ok := parentIn(string(text))
	if !ok {
		return 0, fmt.Errorf("/proc/%d/stat names no parent", pid)
	}
	return parent, nil
}

// stopped says whether a process stands still, or has ended.
func stopped(pid int) bool {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return true
	}
	// The state follows the name, which may hold anything.
	_, rest, _ := strings.Cut(string(text[strings.LastIndexByte(string(text), ')')+1:]), " ")
	return strings.HasPrefix(rest, "T") || strings.HasPrefix(rest, "Z")
}

// Title returns what a process calls itself: its command line, which PostgreSQL and
// nginx rewrite to say what each of their processes is.
func Title(pid int) (string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return strings.TrimRight(strings.ReplaceAll(string(text), "\x00", " "), " "), err
}

// Descendants returns the process ids of all children, their children and so on,
// parents first.
func Descendants(root int) []int {
	byParent, err := processes()
	if err != nil {
		return nil // without /proc nothing is known
	}
	return below(root, byParent)
}

func below(root int, byParent map[int][]int) []int {
	var found []int
	seen := map[int]bool{root: true}
	for queue := []int{root}; len(queue) > 0; queue = queue[1:] {
		for _, child := range byParent[queue[0]] {
			if seen[child] {
				continue // a number that was used again during the look
			}
			seen[child] = true
			found = append(found, child)
			queue = append(queue, child)
		}
	}
	return found
}

// processes returns all process ids by their parent's.
func processes() (byParent map[int][]int, err error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, err
	}
	byParent = map[int][]int{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		text, err := os.ReadFile("/proc/" + entry.Name() + "/stat")
		if err != nil {
			continue // it has ended
		}
		if parent, ok := parentIn(string(text)); ok {
			byParent[parent] = append(byParent[parent], pid)
		}
	}
	return byParent, nil
}

// parentIn returns the parent's process id from the text of /proc/PID/stat,
// "12 (name) S 1 …". The name is the process's own choice: it may hold spaces and
// brackets.
func parentIn(stat string) (parent int, ok bool) {
	end := strings.LastIndexByte(stat, ')')
	if end < 0 {
		return 0, false
	}
	fields := strings.Fields(stat[end+1:])
	if len(fields) < 2 {
		return 0, false
	}
	parent, err := strconv.Atoi(fields[1])
	return parent, err == nil && parent >= 0
}
