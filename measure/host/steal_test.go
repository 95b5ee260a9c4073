package host

import (
	"fmt"
	"regexp"
	"runtime"
	"testing"
	"testing/fstest"
	"time"
)

// stat is a machine whose CPUs have been idle and stolen for so many hundredths of
// a second.
func stat(idle, stolen int) Steal {
	return stolenIn(fstest.MapFS{"proc/stat": {Data: fmt.Appendf(nil, "cpu  0 0 0 %d 0 0 0 %d 0 0\n", idle, stolen)}})
}

func TestStealBetweenTwoLooks(t *testing.T) {
	none := stolenIn(fstest.MapFS{})
	for _, c := range []struct {
		name      string
		from, now Steal
		want      string
	}{
		{"some", stat(5000, 300), stat(6988, 312), "0.12 s (0.60 % of CPU time)"},
		{"none", stat(5000, 300), stat(7000, 300), "0.00 s (0.00 % of CPU time)"},
		{"all", stat(5000, 300), stat(5000, 500), "2.00 s (100.00 % of CPU time)"},
		{"the time before does not count", stat(0, 9000), stat(99, 9001), "0.01 s (1.00 % of CPU time)"},
		{"too short", stat(5000, 300), stat(5000, 300), NotAvailable},
		{"not told at first", none, stat(5000, 300), NotAvailable},
		{"not told at last", stat(5000, 300), none, NotAvailable},
		{"a counter that went back", stat(5000, 300), stat(6000, 299), NotAvailable},
		{"never looked", Steal{}, stat(6000, 299), NotAvailable},
	} {
		if got := c.from.until(c.now); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestStealOfThisMachine(t *testing.T) {
	before := Stolen()
	time.Sleep(100 * time.Millisecond)
	got := before.Since()
	if told := regexp.MustCompile(`^\d+\.\d\d s \(\d+\.\d\d % of CPU time\)$`).MatchString(got); told != before.known {
		t.Errorf("%q, and whether the system tells is %v", got, before.known)
	}
	if runtime.GOOS == "linux" && !before.known {
		t.Error("Linux does not tell")
	}
}
