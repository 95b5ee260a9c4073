package host

import (
	"io/fs"
	"os"
)

// Status is how a check of [Doctor] came out.
type Status string

// What a check can find.
const (
	Good    Status = "good"
	Warning Status = "warning" // results may be noisier or limited
	Bad     Status = "bad"     // results cannot be trusted, or something does not work at all
	Unknown Status = NotAvailable
)

// Check is one thing that decides whether a machine is fit to measure on.
type Check struct {
	Name    string `json:"name"`
	Status  Status `json:"status"`
	Seen    string `json:"seen"`    // what was found
	Meaning string `json:"meaning"` // why it matters to a benchmark
	Mend    string `json:"mend"`    // what to do about it; "" when nothing needs to be done
}

// checks are those that read this machine. A check returns its status, what it saw,
// and how to mend it should it not be good; where it cannot see, its status is
// Unknown.
var checks = []struct {
	name    string
	meaning string
	look    func(root fs.FS) finding
}{
	{"CPUs", "server and generator each need CPUs of their own, or the benchmark measures its generator", checkCPUs},
	{"affinity", "server and generator share the CPUs that this process may use, while others use all", checkAffinity},
	{"neighbours", "who works on the server's CPU takes turns with it, and what the server has to do waits for milliseconds", checkNeighbours},
	{"cgroup CPU limit", "a group that has used up its time stands still until the next period, often for tens of milliseconds", checkCgroup},
	{"open files", "each connection is an open file; the run that needs more fails to connect", checkFiles},
	{"ephemeral ports", "each connection has a port of its own, which stays taken for a minute after the connection is closed", checkPorts},
	{"listen backlog", "connections that arrive faster than the server accepts them wait here; those beyond are dropped and come back after a second", checkBacklog},
	{"clock source", "every latency is the difference of two readings; a slow or coarse clock is part of each", checkClock},
	{"CPU governor", "a CPU that slows down when idle serves the first requests after a pause more slowly", checkGovernor},
	{"steal", "time that the hypervisor gave to other machines is missing from this one, and shows as latency", checkSteal},
	{"load average", "other work takes CPU time and caches from server and generator", checkLoad},
	{"huge pages", "where they are made for every program, one may stand still while the kernel makes room for one", checkHugePages},
	{"timer lateness", "who is woken late sends late; the pacer does better than this plain sleep, but not where the CPU is taken away", checkTimer},
}

// finding is what a check found.
type finding struct {
	status Status
	seen   string
	mend   string
}

var unseen = finding{status: Unknown, seen: NotAvailable}

// Doctor examines this machine. It takes about three tenths of a second.
func Doctor() []Check {
	var results []Check
	root := os.DirFS("/")
	for _, c := range checks {
		results = append(results, c.look(root).check(c.name, c.meaning))
	}
	return append(results, programs()...)
}

func (f finding) check(name, meaning string) Check {
	if f.status == Good || f.status == Unknown {
		f.mend = ""
	}
	return Check{Name: name, Status: f.status, Seen: f.seen, Meaning: meaning, Mend: f.mend}
}

// grade is Good, or worse when the value exceeds a bound.
func grade(value, warning, bad float64) Status {
	switch {
	case value > bad:
		return Bad
	case value > warning:
		return Warning
	}
	return Good
}
