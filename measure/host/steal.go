package host

import (
	"io/fs"
	"os"
	"time"
)

// Steal is the CPU time of this machine at one instant, and how much of it a
// hypervisor had taken since boot.
type Steal struct {
	stolen, total time.Duration // of all CPUs together
	known         bool
}

// Stolen looks at the machine's CPU time now.
func Stolen() Steal { return stolenIn(os.DirFS("/")) }

func stolenIn(root fs.FS) Steal {
	stolen, total, ok := parseSteal(text(root, "proc/stat"))
	return Steal{stolen: stolen, total: total, known: ok}
}

// Since says how much time the hypervisor took from all CPUs together since then,
// and which share of their time that was: "0.12 s (0.60 % of CPU time)". It is
// [NotAvailable] where the system does not tell, and for less time than the
// hundredth of a second that it counts in.
func (s Steal) Since() string { return s.until(Stolen()) }

func (s Steal) until(now Steal) string {
	stolen, total := now.stolen-s.stolen, now.total-s.total
	if !s.known || !now.known || total <= 0 || stolen < 0 {
		return NotAvailable
	}
	return stealShare(stolen, total)
}
