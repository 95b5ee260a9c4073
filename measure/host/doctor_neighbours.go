package host

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"queuelab/measure/host/affinity"
)

const (
	// neighbourLook is how long the work of others is watched; CPU time is told in
	// hundredths of a second.
	neighbourLook = 200 * time.Millisecond
	// mostNeighbours is how many are named.
	mostNeighbours = 2
)

// The share of the server's CPU that others use: in percent.
const (
	neighbourWarning = 5
	neighbourBad     = 25
)

// neighbour is a process that used CPU time on a CPU where others are to work alone.
type neighbour struct {
	pid  int
	name string // as the kernel shortens it
	used time.Duration
}

func checkNeighbours(root fs.FS) finding {
	cpu, reason := affinity.LastCPU()
	if cpu < 0 {
		return finding{status: Unknown, seen: "no CPU is a server's alone: " + reason}
	}
	return judgeNeighbours(cpu, watch(root, cpu, os.Getpid()))
}

// watched is what was seen of a CPU.
type watched struct {
	neighbours []neighbour // the busiest first
	interrupts time.Duration
	length     time.Duration // 0: processes do not show
}

// watch looks for a while at who uses a CPU, but for the process own. A thread's time
// counts where the thread ran last.
func watch(root fs.FS, cpu, own int) watched {
	start, before, serving := time.Now(), threads(root), interrupts(text(root, "proc/stat"), cpu)
	time.Sleep(neighbourLook - time.Since(start))
	w := watched{length: time.Since(start)}
	after := threads(root)
	if len(before) == 0 || len(after) == 0 {
		return watched{}
	}
	w.interrupts = max(0, interrupts(text(root, "proc/stat"), cpu)-serving)
	w.neighbours = neighbours(before, after, cpu, own)
	return w
}

// neighbours are the processes that used a CPU between two looks at all threads.
func neighbours(before, after map[int]thread, cpu, own int) []neighbour {
	used := map[int]time.Duration{}
	for tid, t := range after {
		// A thread that was not there before has used all its time since.
		if more := t.used - before[tid].used; more > 0 && t.cpu == cpu && t.pid != own {
			used[t.pid] += more
		}
	}
	var found []neighbour
	for pid, time := range used {
		found = append(found, neighbour{pid, after[pid].name, time})
	}
	slices.SortFunc(found, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(b.used, a.used), cmp.Compare(a.pid, b.pid))
	})
	return found
}

func judgeNeighbours(cpu int, w watched) finding {
	if w.length <= 0 {
		return unseen
	}
	share := func(used time.Duration) float64 { return 100 * used.Seconds() / w.length.Seconds() }
	all := w.interrupts
	for _, n := range w.neighbours {
		all += n.used
	}
	var names, pids []string
	for _, n := range w.neighbours[:min(mostNeighbours, len(w.neighbours))] {
		names = append(names, fmt.Sprintf("%s (pid %d) %.0f %%", n.name, n.pid, share(n.used)))
		pids = append(pids, fmt.Sprint(n.pid))
	}
	if w.interrupts > 0 {
		names = append(names, fmt.Sprintf("interrupts %.0f %%", share(w.interrupts)))
	}
	f := finding{
		status: grade(share(all), neighbourWarning, neighbourBad),
		seen:   fmt.Sprintf("nobody else on CPU %d, which a lab's server is pinned to", cpu),
		mend:   "keep interrupts off that CPU (/proc/irq/*/smp_affinity_list)",
	}
	if len(names) > 0 {
		f.seen = fmt.Sprintf("CPU %d, which a lab's server is pinned to, was in use for %.0f %% of %v: %s",
			cpu, share(all), w.length.Round(10*time.Millisecond), strings.Join(names, ", "))
	}
	if len(pids) > 0 {
		f.mend = fmt.Sprintf("stop it, or move it to another CPU (taskset -a -cp CPU PID, here of PID %s)", strings.Join(pids, " and "))
	}
	return f
}
