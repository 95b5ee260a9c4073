package host

import (
	"math"
	"strings"
	"testing"
)

func FuzzParseCPUInfo(f *testing.F) {
	f.Add(cpuinfoVirtual)
	f.Add(cpuinfoARM)
	f.Fuzz(func(t *testing.T, text string) {
		if c := parseCPUInfo(text); c.physical > c.logical || c.logical > strings.Count(text, "processor") || c.logical == 0 && c.model != "" {
			t.Errorf("%q gave %+v", text, c)
		}
	})
}

func FuzzParseCgroup(f *testing.F) {
	for _, text := range []string{cgroupHybrid, cgroupV1, cgroupV2} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if version, group := parseCgroup(text); version < 0 || version > 2 || !strings.Contains(text, group) || version == 0 && group != "" {
			t.Errorf("%q gave version %d, group %q", text, version, group)
		}
	})
}

func FuzzParseQuota(f *testing.F) {
	f.Add("150000", "100000")
	f.Add("max", "100000")
	f.Add("-1", "100000")
	f.Fuzz(func(t *testing.T, quota, period string) {
		if l := parseQuota(quota, period); l.cpus < 0 || math.IsNaN(l.cpus) || math.IsInf(l.cpus, 0) || !l.known && l.cpus != 0 {
			t.Errorf("%q in %q gave %+v", quota, period, l)
		}
	})
}

func FuzzParseSteal(f *testing.F) {
	f.Add(statSteal)
	f.Add("cpu  1 2 3 4 5 6 7 922337203685477580")
	f.Fuzz(func(t *testing.T, text string) {
		if stolen, total, _ := parseSteal(text); stolen < 0 || stolen > total {
			t.Errorf("%q gave %v of %v", text, stolen, total)
		}
	})
}

func FuzzParseLoad(f *testing.F) {
	f.Add("0.18 0.58 0.41 1/87 10800")
	f.Fuzz(func(t *testing.T, text string) {
		load, ok := parseLoad(text)
		for _, v := range load {
			if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) || !ok && v != 0 {
				t.Errorf("%q gave %v, %v", text, load, ok)
			}
		}
	})
}

func FuzzParseTimeWait(f *testing.F) {
	f.Add(sockstat)
	f.Fuzz(func(t *testing.T, text string) {
		if n, ok := parseTimeWait(text); ok && n < 0 || ok && !strings.Contains(text, "tw") {
			t.Errorf("%q gave %d", text, n)
		}
	})
}

func FuzzParsePortRange(f *testing.F) {
	f.Add("32768\t60999")
	f.Fuzz(func(t *testing.T, text string) {
		if first, last, ok := parsePortRange(text); ok && (first < 0 || last < first || last > 65535) {
			t.Errorf("%q gave %d to %d", text, first, last)
		}
	})
}

func FuzzParseChoice(f *testing.F) {
	f.Add("always [madvise] never")
	f.Fuzz(func(t *testing.T, text string) {
		if chosen := parseChoice(text); chosen != "" && !strings.Contains(text, "["+chosen+"]") {
			t.Errorf("%q gave %q", text, chosen)
		}
	})
}

func FuzzParseCommandLine(f *testing.F) {
	f.Add("quiet ro -- --flag x")
	f.Fuzz(func(t *testing.T, text string) {
		if own := parseCommandLine(text); !strings.Contains(text, own) || strings.Contains(own, " -- ") {
			t.Errorf("%q gave %q", text, own)
		}
	})
}
