// Package host says what machine a run was taken on, how fast it was just then, and
// whether it is fit to measure on.
package host

import (
	"io/fs"
	"os"
	"runtime"
	"strings"

	"queuelab/measure/host/affinity"
)

// NotAvailable stands for what this machine does not tell.
const NotAvailable = "not available"

// Machine is what a reader of a result needs to know of the machine, in the
// kernel's own words where it has any. What is not known is [NotAvailable]; nothing
// is left out.
type Machine struct {
	System      string   `json:"system"` // operating system and architecture, as Go names them
	CPUModel    string   `json:"cpu_model"`
	Cores       string   `json:"cores"`            // physical and logical, online
	Affinity    string   `json:"affinity"`         // CPUs this process may use
	CgroupLimit string   `json:"cgroup_cpu_limit"` // CPU time a second
	Governor    string   `json:"governor"`
	Turbo       string   `json:"turbo"`
	SMT         string   `json:"smt"`
	NUMANodes   string   `json:"numa_nodes"`
	Kernel      string   `json:"kernel"`
	CommandLine string   `json:"kernel_command_line"`
	Mitigations []string `json:"mitigations"` // "vulnerability: state"
	HugePages   string   `json:"transparent_hugepages"`
	ClockSource string   `json:"clock_source"`
	LoadAverage string   `json:"load_average"` // over 1, 5 and 15 minutes
	StealSoFar  string   `json:"steal_since_boot"`
	GoVersion   string   `json:"go"`
	GoMaxProcs  int      `json:"gomaxprocs"`
}

// Facts describes this machine now.
func Facts() Machine {
	allowed, err := affinity.CPUs()
	list := affinity.List(allowed)
	if err != nil || !affinity.Supported {
		list = NotAvailable
	}
	m := factsIn(os.DirFS("/"))
	m.Affinity = list
	return m
}

// factsIn reads everything that files under root tell.
func factsIn(root fs.FS) Machine {
	model, cores := processor(root)
	return Machine{
		System:      runtime.GOOS + "/" + runtime.GOARCH,
		CPUModel:    model,
		Cores:       cores,
		Affinity:    NotAvailable,
		CgroupLimit: cgroupLimit(root).String(),
		Governor:    governor(root),
		Turbo:       turbo(root),
		SMT:         said(root, "sys/devices/system/cpu/smt/control"),
		NUMANodes:   numaNodes(root),
		Kernel:      kernel(root),
		CommandLine: orNotAvailable(parseCommandLine(text(root, "proc/cmdline"))),
		Mitigations: mitigations(root),
		HugePages:   hugePages(root),
		ClockSource: said(root, "sys/devices/system/clocksource/clocksource0/current_clocksource"),
		LoadAverage: loadAverage(root),
		StealSoFar:  stealSoFar(root),
		GoVersion:   runtime.Version(),
		GoMaxProcs:  runtime.GOMAXPROCS(0),
	}
}

// text returns what a file says, without the space around it; "" when there is no
// such file.
func text(root fs.FS, path string) string {
	content, err := fs.ReadFile(root, path)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(content))
}

// said is text, or NotAvailable.
func said(root fs.FS, path string) string { return orNotAvailable(text(root, path)) }

func orNotAvailable(s string) string {
	if s == "" {
		return NotAvailable
	}
	return s
}
