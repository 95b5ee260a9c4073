package host

import (
	"testing"
	"testing/fstest"
	"time"
)

// Files as the kernel wrote them on real machines, shortened.
const (
	cpuinfoVirtual = "processor\t: 0\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC\nphysical id\t: 0\ncore id\t\t: 0\nbugs\t\t: spectre_v1\npower management:\n\nprocessor\t: 1\nmodel name\t: AMD EPYC\nphysical id\t: 0\ncore id\t\t: 1\npower management:\n\n"
	cpuinfoARM     = "processor\t: 0\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU architecture: 8\nCPU part\t: 0xd0c\n\nprocessor\t: 1\nBogoMIPS\t: 243.75\nCPU implementer\t: 0x41\nCPU part\t: 0xd0c\n\n"
	cgroupHybrid   = "9:name=systemd:/\n4:memory:/jobs/5\n2:cpuacct:/\n1:cpu:/jobs/5\n0::/\n"
	cgroupV1       = "11:devices:/\n4:cpu,cpuacct:/docker/ab12\n1:name=systemd:/docker/ab12\n"
	cgroupV2       = "0::/user.slice/user-1000.slice/session-3.scope\n"
	statSteal      = "cpu  20886 7 10464 146082 344 9 254 300 11 0\ncpu0 10126 0 5051 73664 43 0 115 0 0 0\n"
	sockstat       = "sockets: used 12\nTCP: inuse 1 orphan 0 tw 945 alloc 1 mem 0\nUDP: inuse 0 mem 0\n"
)

func TestParseCPUInfo(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       cpuInfo
	}{
		{"virtual machine", cpuinfoVirtual, cpuInfo{"AMD EPYC", 2, 2}},
		{"ARM", cpuinfoARM, cpuInfo{"ARM implementer 0x41 part 0xd0c", 2, 0}},
		{"nothing", "", cpuInfo{}},
		{"a paragraph that is no CPU", "Hardware\t: BCM2835\nRevision\t: c03111\n", cpuInfo{}},
	} {
		if got := parseCPUInfo(c.text); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

func TestParseCgroup(t *testing.T) {
	for _, c := range []struct {
		text    string
		version int
		group   string
	}{
		{cgroupHybrid, 1, "/jobs/5"},
		{cgroupV1, 1, "/docker/ab12"},
		{cgroupV2, 2, "/user.slice/user-1000.slice/session-3.scope"},
		{"0::/with:colon\n", 2, "/with:colon"},
		{"4:cpuset:/a\n", 0, ""},
		{"", 0, ""},
		{"no colons", 0, ""},
	} {
		if version, group := parseCgroup(c.text); version != c.version || group != c.group {
			t.Errorf("%q: version %d, group %q; want %d, %q", c.text, version, group, c.version, c.group)
		}
	}
}

func TestCgroupLimitIsTheTightestUpwards(t *testing.T) {
	tree := func(files map[string]string) fstest.MapFS {
		root := fstest.MapFS{}
		for path, content := range files {
			root[path] = &fstest.MapFile{Data: []byte(content)}
		}
		return root
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"own", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "50000 100000\n", "sys/fs/cgroup/a/cpu.max": "max 100000\n"}, "0.5 CPUs"},
		{"the parent's", map[string]string{"proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "400000 100000\n", "sys/fs/cgroup/a/cpu.max": "300000 100000\n"}, "3 CPUs"},
		{"none", map[string]string{"proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/a/cpu.max": "max 100000\n"}, "none"},
		{"the root group", map[string]string{"proc/self/cgroup": "0::/\n", "sys/fs/cgroup/cgroup.controllers": "cpuset cpu io\n"}, "none"},
		{"a path of the host inside a container", map[string]string{"proc/self/cgroup": "4:cpu,cpuacct:/docker/ab12\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "200000\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}, "2 CPUs"},
		{"version 1 without a limit", map[string]string{"proc/self/cgroup": "1:cpu:/\n", "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n"}, "none"},
		{"no groups", nil, NotAvailable},
		{"nothing mounted", map[string]string{"proc/self/cgroup": "0::/a\n"}, NotAvailable},
	} {
		if got := cgroupLimit(tree(c.files)).String(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestParseQuota(t *testing.T) {
	for _, c := range []struct {
		quota, period string
		want          limit
	}{
		{"max", "100000", limit{0, true}},
		{"-1", "100000", limit{0, true}},
		{"150000", "100000", limit{1.5, true}},
		{"0", "100000", limit{}},
		{"100000", "0", limit{}},
		{"100000", "", limit{}},
		{"", "", limit{}},
		{"-5", "100000", limit{}},
	} {
		if got := parseQuota(c.quota, c.period); got != c.want {
			t.Errorf("%q in %q: %+v, want %+v", c.quota, c.period, got, c.want)
		}
	}
}

func TestParseSteal(t *testing.T) {
	stolen, total, ok := parseSteal(statSteal)
	// Guest time, 11, is contained in user time, 20886.
	if want := (20886 + 7 + 10464 + 146082 + 344 + 9 + 254 + 300) * 10 * time.Millisecond; !ok || stolen != 3*time.Second || total != want {
		t.Errorf("stolen %v of %v, %v; want 3s of %v", stolen, total, ok, want)
	}
	for _, broken := range []string{"", "cpu 1 2 3", "cpu0 1 2 3 4 5 6 7 8", "cpu 1 2 3 4 5 6 7 x", "cpu 1 2 3 4 5 6 7 99999999999999999999", "cpu 900000000000 900000000000 1 1 1 1 1 1"} {
		if stolen, total, ok := parseSteal(broken); ok {
			t.Errorf("%q gave %v of %v", broken, stolen, total)
		}
	}
}

func TestParseLoad(t *testing.T) {
	if load, ok := parseLoad("0.18 0.58 0.41 1/87 10800"); !ok || load != [3]float64{0.18, 0.58, 0.41} {
		t.Errorf("%v, %v", load, ok)
	}
	for _, broken := range []string{"", "0.1 0.2", "a b c", "0.1 -2 3", "NaN 1 1", "1 Inf 1"} {
		if load, ok := parseLoad(broken); ok {
			t.Errorf("%q gave %v", broken, load)
		}
	}
}

func TestParseTimeWait(t *testing.T) {
	if n, ok := parseTimeWait(sockstat); !ok || n != 945 {
		t.Errorf("%d, %v; want 945", n, ok)
	}
	for _, broken := range []string{"", "UDP: tw 5", "TCP: inuse 1 tw", "TCP: tw x", "TCP: tw -1", "TCP: inuse 1 orphan 0"} {
		if n, ok := parseTimeWait(broken); ok {
			t.Errorf("%q gave %d", broken, n)
		}
	}
}

func TestParsePortRange(t *testing.T) {
	if first, last, ok := parsePortRange("32768\t60999"); !ok || first != 32768 || last != 60999 {
		t.Errorf("%d to %d, %v", first, last, ok)
	}
	for _, broken := range []string{"", "1", "5 4", "1 70000", "1 2 3", "-1 5", "a b"} {
		if first, last, ok := parsePortRange(broken); ok {
			t.Errorf("%q gave %d to %d", broken, first, last)
		}
	}
}

func TestParseChoice(t *testing.T) {
	for text, want := range map[string]string{"always [madvise] never": "madvise", "[always] madvise never": "always", "": "", "never": "", "[open": "", "closed]": ""} {
		if got := parseChoice(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func TestParseCommandLine(t *testing.T) {
	for text, want := range map[string]string{"quiet ro -- --flag x": "quiet ro", "quiet --": "quiet", "a=--b c": "a=--b c", "": ""} {
		if got := parseCommandLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
