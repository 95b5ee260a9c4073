package workload

import (
	"strings"
	"testing"
	"time"
)

// What a file holds is either refused with its name, or is instants in order.
func FuzzScanRecorded(f *testing.F) {
	for _, content := range []string{
		"0\n0.5\n2\n", "# a\n\n1ms\r\n2ms", "1700000000.000000001\n1700000000.123456789\n", "1e-3\n1e9\n", "5\n4\n", "-1\n", "NaN\n", "0x1p4\n1_0\n", "9223372035\n9223372035\n",
	} {
		f.Add(content, false)
		f.Add(content, true)
	}
	f.Fuzz(func(t *testing.T, content string, gaps bool) {
		r, err := scanRecorded("FILE", strings.NewReader(content), gaps)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "FILE") {
				t.Fatalf("%q: the error %q does not begin with the file", content, err)
			}
			return
		}
		last := time.Duration(0)
		for i, at := range r.instants {
			if at < last || at > longestDraw || i == 0 && at != 0 {
				t.Fatalf("%q: instant %d is %v, after %v", content, i, at, last)
			}
			last = at
		}
	})
}

// A decimal without an exponent is read as time.ParseDuration reads it with its unit,
// but to the nearest nanosecond.
func FuzzParseTime(f *testing.F) {
	for _, text := range []string{"0", "1.5", "0.1234567894", "0.1234567895", ".", "1.", ".5", "9223372035.999999999", "1.2.3"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, plain, err := parseDecimal(text)
		if !plain || err != nil {
			return
		}
		want, err := time.ParseDuration(text + "s")
		if err != nil || got < want || got > want+1 {
			t.Fatalf("%q is read as %d ns, and as %d ns, %v with a unit", text, got, want, err)
		}
	})
}
