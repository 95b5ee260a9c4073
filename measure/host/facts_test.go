package host

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

// bigMachine has a file for every fact: two sockets with two cores of two threads
// each, an Intel frequency driver, and a container's limit.
func bigMachine() fstest.MapFS {
	var cpuinfo strings.Builder
	for cpu := range 8 {
		fmt.Fprintf(&cpuinfo, "processor\t: %d\nvendor_id\t: GenuineIntel\nmodel name\t: Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz\nphysical id\t: %d\nsiblings\t: 4\ncore id\t\t: %d\ncpu cores\t: 2\n\n",
			cpu, cpu%2, cpu/2%2)
	}
	files := map[string]string{
		"proc/cpuinfo":              cpuinfo.String(),
		"proc/self/cgroup":          "0::/system.slice/bench.service\n",
		"proc/cmdline":              "BOOT_IMAGE=/vmlinuz root=UUID=5 ro quiet -- --verbose\n",
		"proc/loadavg":              "0.18 0.58 0.41 1/87 10800\n",
		"proc/stat":                 "cpu  20886 0 10464 146082 344 0 254 1795 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\n",
		"proc/sys/kernel/osrelease": "6.1.0-32-amd64\n",
		"proc/sys/kernel/version":   "#1 SMP PREEMPT_DYNAMIC Debian 6.1.129-1 (2025-03-06)\n",
		"sys/fs/cgroup/system.slice/bench.service/cpu.max":                "150000 100000\n",
		"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor":            "powersave\n",
		"sys/devices/system/cpu/cpu1/cpufreq/scaling_governor":            "performance\n",
		"sys/devices/system/cpu/cpu2/cpufreq/scaling_governor":            "powersave\n",
		"sys/devices/system/cpu/intel_pstate/no_turbo":                    "1\n",
		"sys/devices/system/cpu/smt/control":                              "on\n",
		"sys/devices/system/node/node0/cpulist":                           "0,2,4,6\n",
		"sys/devices/system/node/node1/cpulist":                           "1,3,5,7\n",
		"sys/devices/system/node/possible":                                "0-1\n",
		"sys/devices/system/cpu/vulnerabilities/meltdown":                 "Not affected\n",
		"sys/devices/system/cpu/vulnerabilities/spectre_v1":               "Mitigation: usercopy/swapgs barriers\n",
		"sys/kernel/mm/transparent_hugepage/enabled":                      "always [madvise] never\n",
		"sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
	}
	root := fstest.MapFS{}
	for path, content := range files {
		root[path] = &fstest.MapFile{Data: []byte(content)}
	}
	return root
}

func TestFactsOfABigMachine(t *testing.T) {
	want := Machine{
		System:      runtime.GOOS + "/" + runtime.GOARCH,
		CPUModel:    "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz",
		Cores:       "4 physical, 8 logical",
		Affinity:    NotAvailable,
		CgroupLimit: "1.5 CPUs",
		Governor:    "performance, powersave",
		Turbo:       "off",
		SMT:         "on",
		NUMANodes:   "2",
		Kernel:      "6.1.0-32-amd64 #1 SMP PREEMPT_DYNAMIC Debian 6.1.129-1 (2025-03-06)",
		CommandLine: "BOOT_IMAGE=/vmlinuz root=UUID=5 ro quiet",
		Mitigations: []string{"meltdown: Not affected", "spectre_v1: Mitigation: usercopy/swapgs barriers"},
		HugePages:   "madvise",
		ClockSource: "tsc",
		LoadAverage: "0.18 0.58 0.41",
		StealSoFar:  "17.95 s (1.00 % of CPU time)",
		GoVersion:   runtime.Version(),
		GoMaxProcs:  runtime.GOMAXPROCS(0),
	}
	if got := factsIn(bigMachine()); !reflect.DeepEqual(got, want) {
		t.Errorf("got\n%+v\nwant\n%+v", got, want)
	}
}

func TestNothingIsLeftOutSilently(t *testing.T) {
	encoded, err := json.Marshal(factsIn(fstest.MapFS{}))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(encoded, &fields); err != nil {
		t.Fatal(err)
	}
	if len(fields) != reflect.TypeFor[Machine]().NumField() {
		t.Errorf("%d fields of %d are in %s", len(fields), reflect.TypeFor[Machine]().NumField(), encoded)
	}
	for name, value := range fields {
		switch name {
		case "system", "go", "gomaxprocs": // known without any file
			continue
		case "mitigations":
			if !reflect.DeepEqual(value, []any{NotAvailable}) {
				t.Errorf("mitigations of a machine without files: %v", value)
			}
		default:
			if value != NotAvailable {
				t.Errorf("%s of a machine without files: %q, want %q", name, value, NotAvailable)
			}
		}
	}
}

func TestFactsOfThisMachine(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("reads Linux's files")
	}
	m := Facts()
	if release, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil && !strings.HasPrefix(m.Kernel, strings.TrimSpace(string(release))) {
		t.Errorf("kernel %q, want release %q", m.Kernel, release)
	}
	for name, value := range map[string]string{"affinity": m.Affinity, "cores": m.Cores, "load": m.LoadAverage, "clock source": m.ClockSource} {
		if value == NotAvailable || value == "" {
			t.Errorf("%s: %q", name, value)
		}
	}
}
