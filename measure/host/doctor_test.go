package host

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"queuelab/measure/host/affinity"
	"queuelab/measure/lab"
)

func TestJudgements(t *testing.T) {
	ms := func(values ...float64) []time.Duration {
		late := make([]time.Duration, len(values))
		for i, v := range values {
			late[i] = time.Duration(v * 1e6)
		}
		return late
	}
	missing := fmt.Errorf("start: %w", &lab.MissingError{Program: "nginx", Package: "nginx"})
	for _, c := range []struct {
		name string
		got  finding
		want Status
	}{
		{"two CPUs", judgeCPUs([]int{0, 1}, true), Good},
		{"one CPU", judgeCPUs([]int{1}, true), Bad},
		{"no pinning", judgeCPUs([]int{0, 1, 2, 3}, false), Warning},
		{"no limit", judgeCgroup(limit{0, true}, 4), Good},
		{"a limit of all CPUs", judgeCgroup(limit{4, true}, 4), Good},
		{"a limit below the CPUs", judgeCgroup(limit{3, true}, 4), Warning},
		{"a limit of one CPU", judgeCgroup(limit{1, true}, 4), Bad},
		{"limit unknown", judgeCgroup(limit{}, 4), Unknown},
		{"all CPUs", judgeAffinity("0-3", "0-3"), Good},
		{"half of the CPUs", judgeAffinity("0-1", "0-3"), Warning},
		{"CPUs unknown", judgeAffinity("0-3", ""), Unknown},
		{"1,023 files", judgeFiles(1023, 4096, ""), Bad},
		{"1,024 files", judgeFiles(1024, 1024, ""), Warning},
		{"65,536 files", judgeFiles(65536, 65536, "2208\t0\t9223372036854775807"), Good},
		{"few left on the system", judgeFiles(65536, 65536, "95000\t0\t100000"), Warning},
		{"none left on the system", judgeFiles(65536, 65536, "100001\t0\t100000"), Bad},
		{"few in TIME_WAIT", judgePorts(28232, "32768\t60999", sockstat, "2"), Good},
		{"a third in TIME_WAIT", judgePorts(3000, "30001\t33000", "TCP: inuse 1 tw 1000", "2"), Warning},
		{"nearly all in TIME_WAIT", judgePorts(1000, "30001\t31000", sockstat, "2"), Bad},
		{"nearly all that are not reserved", judgePorts(1000, "32768\t60999", sockstat, "2"), Bad},
		{"all reserved", judgePorts(0, "32768\t60999", "TCP: inuse 1 tw 0", "2"), Bad},
		{"TIME_WAIT unknown", judgePorts(28232, "32768\t60999", "", "2"), Unknown},
		{"backlog 4096", judgeBacklog("4096", netstat), Good},
		{"backlog 128", judgeBacklog("128", netstat), Warning},
		{"backlog 16", judgeBacklog("16", netstat), Bad},
		{"backlog unknown", judgeBacklog("", netstat), Unknown},
		{"tsc", judgeClock("tsc"), Good},
		{"kvm-clock", judgeClock("kvm-clock"), Good},
		{"xen", judgeClock("xen"), Warning},
		{"hpet", judgeClock("hpet"), Bad},
		{"clock unknown", judgeClock(NotAvailable), Unknown},
		{"performance", judgeGovernor("performance"), Good},
		{"mixed governors", judgeGovernor("performance, powersave"), Warning},
		{"governor unknown", judgeGovernor(NotAvailable), Unknown},
		{"idle", judgeLoad("0.40 1 1 1/80 1", 2), Good},
		{"half busy", judgeLoad("1.00 1 1 1/80 1", 2), Warning},
		{"busy", judgeLoad("4.69 1 1 1/80 1", 2), Bad},
		{"load unknown", judgeLoad("", 2), Unknown},
		{"huge pages if asked for", judgeHugePages("madvise"), Good},
		{"huge pages always", judgeHugePages("always"), Warning},
		{"huge pages unknown", judgeHugePages(NotAvailable), Unknown},
		{"punctual", judgeTimer(ms(0.1, 1.1, 0.2, 1.2)), Good},
		{"late", judgeTimer(ms(1.6, 2, 2, 2)), Warning},
		{"one very late", judgeTimer(ms(0.1, 0.1, 0.1, 21)), Bad},
		{"installed", judgeProgram("/usr/sbin/nginx", nil), Good},
		{"not installed", judgeProgram("", missing), Bad},
		{"cannot tell", judgeProgram("", errors.New("permission denied")), Unknown},
	} {
		if c.got.status != c.want {
			t.Errorf("%s: %q (%s), want %q", c.name, c.got.status, c.got.seen, c.want)
		}
		check := c.got.check(c.name, "")
		if mended := check.Mend != ""; mended != (c.want == Warning || c.want == Bad) {
			t.Errorf("%s, %s: what to do is %q", c.name, c.want, check.Mend)
		}
	}
	if got := judgeProgram("", missing).mend; got != "apt-get install nginx" {
		t.Errorf("a missing nginx is mended with %q", got)
	}
}

func TestStealCheck(t *testing.T) {
	for stat, want := range map[string]Status{
		"cpu 50 0 0 49 0 0 0 1":   Good, // 1 % stolen
		"cpu 50 0 0 46 0 0 0 4":   Warning,
		"cpu 50 0 0 44 0 0 0 6":   Bad,
		"cpu 0 0 0 0 0 0 0 0":     Unknown,
		"intr 5 0 0 0 0 0 0 0 0 ": Unknown,
	} {
		if got := checkSteal(fstest.MapFS{"proc/stat": {Data: []byte(stat)}}); got.status != want {
			t.Errorf("%q: %q, want %q", stat, got.status, want)
		}
	}
}

// TestChecksReadTheirFiles runs every check on a machine with all files, and on one
// with none.
func TestChecksReadTheirFiles(t *testing.T) {
	full := bigMachine()
	for path, content := range map[string]string{
		"proc/net/sockstat":                     sockstat,
		"proc/sys/net/ipv4/ip_local_port_range": "32768\t60999\n",
		"proc/sys/net/core/somaxconn":           "4096\n",
		"proc/7/task/7/stat":                    threadStat,
		"sys/devices/system/cpu/online":         "0-7\n",
	} {
		full[path] = &fstest.MapFile{Data: []byte(content)}
	}
	askKernel := []string{"CPUs", "open files", "timer lateness"} // without any file
	var apart []string                                            // need Linux, and a CPU that the server has for itself
	if !affinity.Supported {
		apart = append(apart, "affinity")
	}
	if cpu, _ := affinity.LastCPU(); cpu < 0 {
		apart = append(apart, "neighbours")
	}
	for _, c := range checks {
		if got := c.look(full); got.status == Unknown && !slices.Contains(apart, c.name) {
			t.Errorf("%s is not available on a machine with every file", c.name)
		}
		var none fs.FS = fstest.MapFS{}
		if got := c.look(none); (got.status == Unknown) == slices.Contains(askKernel, c.name) {
			t.Errorf("%s is %q on a machine without files", c.name, got.status)
		}
	}
}

func TestDoctor(t *testing.T) {
	results := Doctor()
	if want := len(checks) + len(lab.Names()); len(results) != want {
		t.Errorf("%d checks, want %d", len(results), want)
	}
	seen := map[string]bool{}
	for _, c := range results {
		if seen[c.Name] || c.Name == "" || c.Seen == "" || c.Meaning == "" {
			t.Errorf("a check is named twice or says nothing: %+v", c)
		}
		seen[c.Name] = true
	}
}
