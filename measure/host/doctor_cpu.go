package host

import (
	"fmt"
	"io/fs"
	"runtime"
	"slices"

	"queuelab/measure/host/affinity"
)

func checkCPUs(fs.FS) finding {
	cpus, err := affinity.CPUs()
	if err != nil {
		return unseen
	}
	return judgeCPUs(cpus, affinity.Supported)
}

func judgeCPUs(cpus []int, pinning bool) finding {
	f := finding{
		status: Good,
		seen:   fmt.Sprintf("%d, numbers %s", len(cpus), affinity.List(cpus)),
		mend:   "give this process at least two CPUs (taskset, docker --cpuset-cpus, a larger machine)",
	}
	switch {
	case len(cpus) < 2:
		f.status = Bad
	case !pinning:
		f.status = Warning
		f.seen += "; " + affinity.ErrUnsupported.Error()
		f.mend = "measure on Linux, where the server is pinned to a CPU of its own"
	}
	return f
}

func checkAffinity(root fs.FS) finding {
	cpus, err := affinity.CPUs()
	if err != nil || !affinity.Supported {
		return unseen
	}
	return judgeAffinity(affinity.List(cpus), text(root, "sys/devices/system/cpu/online"))
}

// judgeAffinity compares two lists as the kernel writes them.
func judgeAffinity(allowed, online string) finding {
	f := finding{
		status: Good,
		seen:   "all that are online, " + online,
		mend:   "start without taskset, or with more CPUs (docker --cpuset-cpus); leave it so where the others are kept for something else",
	}
	switch {
	case online == "":
		return unseen
	case allowed != online:
		f.status = Warning
		f.seen = fmt.Sprintf("%s of %s that are online", allowed, online)
	}
	return f
}

func checkCgroup(root fs.FS) finding {
	return judgeCgroup(cgroupLimit(root), runtime.NumCPU())
}

func judgeCgroup(l limit, cpus int) finding {
	if !l.known {
		return unseen
	}
	f := finding{status: Good, seen: l.String(), mend: "lift the limit of the container or service (docker --cpus, CPUQuota=)"}
	switch {
	case l.cpus > 0 && l.cpus < 2:
		f.status = Bad
	case l.cpus > 0 && l.cpus < float64(cpus):
		f.status = Warning
	}
	return f
}

func checkGovernor(root fs.FS) finding {
	return judgeGovernor(governor(root))
}

func judgeGovernor(governors string) finding {
	f := finding{status: Warning, seen: governors, mend: "cpupower frequency-set -g performance"}
	switch governors {
	case NotAvailable:
		f.status = Unknown
	case "performance":
		f.status = Good
	}
	return f
}

// The share of CPU time that was stolen since boot: in percent.
const (
	stealWarning = 1
	stealBad     = 5
)

func checkSteal(root fs.FS) finding {
	stolen, total, ok := parseSteal(text(root, "proc/stat"))
	if !ok || total == 0 {
		return unseen
	}
	return finding{
		status: grade(100*stolen.Seconds()/total.Seconds(), stealWarning, stealBad),
		seen:   stealSoFar(root) + " since boot",
		mend:   "measure on a machine with CPUs of its own, or repeat the runs and compare alternately",
	}
}

// The load average over a minute, for each CPU.
const (
	loadWarning = 0.25
	loadBad     = 0.75
)

func checkLoad(root fs.FS) finding {
	return judgeLoad(text(root, "proc/loadavg"), runtime.NumCPU())
}

func judgeLoad(loadavg string, cpus int) finding {
	load, ok := parseLoad(loadavg)
	if !ok {
		return unseen
	}
	return finding{
		status: grade(load[0]/float64(cpus), loadWarning, loadBad),
		seen:   fmt.Sprintf("%.2f over the last minute on %d CPUs", load[0], cpus),
		mend:   "stop other work and wait a minute (top shows it)",
	}
}

func checkClock(root fs.FS) finding {
	return judgeClock(said(root, "sys/devices/system/clocksource/clocksource0/current_clocksource"))
}

// judgeClock knows the clocks that are read without a system call, and those that
// take microseconds.
func judgeClock(source string) finding {
	f := finding{status: Warning, seen: source, mend: "boot with a faster one (clocksource=tsc on the kernel's command line, where the CPU's is stable)"}
	quick := []string{"tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter"}
	slow := []string{"hpet", "acpi_pm", "jiffies", "pit"}
	switch {
	case source == NotAvailable:
		f.status = Unknown
	case slices.Contains(quick, source):
		f.status = Good
	case slices.Contains(slow, source):
		f.status = Bad
	}
	return f
}

func checkHugePages(root fs.FS) finding { return judgeHugePages(hugePages(root)) }

func judgeHugePages(mode string) finding {
	f := finding{status: Good, seen: mode, mend: "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled"}
	switch mode {
	case NotAvailable:
		f.status = Unknown
	case "always":
		f.status = Warning
	}
	return f
}
