package workload_test

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"queuelab/measure/workload"
)

const ms = time.Millisecond

// recorded reads a file of the given kind, trace or gaps.
func recorded(t *testing.T, kind, content string) (workload.Arrivals, error) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "arrivals.txt")
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return workload.ParseArrivals(kind + ":" + name)
}

// Recorded instants are sent as they are, from the first on.
func TestRecordedArrivals(t *testing.T) {
	for _, tt := range []struct {
		kind, content string
		want          []time.Duration
	}{
		{"trace", "0\n0.5\n2\n", []time.Duration{0, 500 * ms, 2 * time.Second}},
		{"trace", "# from a log\n\n  3.25 \r\n3.25\n\t4\n#5\n4.0000000004", []time.Duration{0, 0, 750 * ms, 750 * ms}},
		{"trace", "1ms\n1.5ms\n0.002\n3e-3\n1m\n", []time.Duration{0, ms / 2, ms, 2 * ms, time.Minute - ms}},
		{"trace", "1700000000.000000001\n1700000000.123456789\n", []time.Duration{0, 123456788}}, // more than a float holds
		{"trace", "\ufeff.5\n1.\n", []time.Duration{0, 500 * ms}},                                // with a byte order mark
		{"trace", ".5\n1.\n", []time.Duration{0, 500 * ms}},
		{"gaps", "0.5\n250ms\n0\n", []time.Duration{0, 500 * ms, 750 * ms, 750 * ms}},
		{"gaps", "1E-9\n0.0000000025\n", []time.Duration{0, 1, 4}},
	} {
		a, err := recorded(t, tt.kind, tt.content)
		if err != nil {
			t.Errorf("%s %q: %v", tt.kind, tt.content, err)
			continue
		}
		w := workload.Workload{Open: true, Arrivals: a}
		w.SetRecorded()
		if got := instants(w, 10); !slices.Equal(got, tt.want) {
			t.Errorf("%s %q: requests are due at %v, want %v", tt.kind, tt.content, got, tt.want)
		}
		last := tt.want[len(tt.want)-1].Seconds()
		if rate := float64(len(tt.want)-1) / last; math.Abs(w.Rate/rate-1) > 1e-12 {
			t.Errorf("%s %q: the rate is %v, want %v", tt.kind, tt.content, w.Rate, rate)
		}
		if offered := w.Rate * w.Length.Seconds(); math.Abs(offered-float64(len(tt.want))) > 0.5 {
			t.Errorf("%s %q: %v requests in %v at the rate, want %d", tt.kind, tt.content, offered, w.Length, len(tt.want))
		}
		if err := w.Validate(); err != nil {
			t.Errorf("%s %q: %v", tt.kind, tt.content, err)
		}
		if got := w.AtMost(); got != int64(len(tt.want)) {
			t.Errorf("%s %q: at most %d requests, want %d", tt.kind, tt.content, got, len(tt.want))
		}
	}
}

func TestRecordedArrivalsAreRefused(t *testing.T) {
	for _, tt := range []struct{ kind, content, says string }{
		{"trace", "", "no two requests"},
		{"trace", "# nothing\n\n", "no two requests"},
		{"trace", "5\n", "no two requests"},
		{"trace", "5\n5\n", "no two requests"},
		{"gaps", "", "no two requests"},
		{"gaps", "0\n0\n", "no two requests"},
		{"trace", "0\n# x\n2\n1.5\n", "arrivals.txt, line 4: the instant 1.5 is before"},
		{"trace", "-1\n2\n", "line 1"},
		{"trace", "-1ms\n2\n", "line 1: -1ms is not between"},
		{"gaps", "1\n-0.5\n", "line 2"},
		{"trace", "0\n1,5\n", `line 2: "1,5" is neither`},
		{"trace", "0\nNaN\n", "line 2"},
		{"trace", "0\nInf\n", "line 2"},
		{"trace", "0\n0x10\n", "line 2"},
		{"trace", "0\n1_000\n", "line 2"},
		{"trace", "0\n1 2\n", "line 2"},
		{"trace", "0\n.\n", "line 2"},
		{"trace", "0\n\ufeff1\n", "line 2"}, // not at the beginning
		{"trace", "0\n1e300\n", "plain numbers are seconds"},
		{"trace", "1700000000000\n", "plain numbers are seconds"}, // ms since 1970
		{"trace", "99999999999999999999999999\n", "plain numbers are seconds"},
		{"trace", "0\n2000000000\n", "31 years"},
		{"gaps", "900000000\n900000000\n", "line 2: 900000000 is more than some 31 years after the first"},
		{"trace", "0\n" + strings.Repeat("1", 5000) + "\n", "line 2 is longer than"},
	} {
		_, err := recorded(t, tt.kind, tt.content)
		if err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s %.40q: the error is %v, want %q in it", tt.kind, tt.content, err, tt.says)
		}
	}
}

// Arrivals that go on beyond the clock, as recorded or at a lower rate, are not cut off
// without a word.
func TestRecordedArrivalsOutlastTheClock(t *testing.T) {
	for _, tt := range []struct {
		content string
		rate    float64
		says    string
	}{
		{"0\n900000000\n", 0, "arrivals.txt go on for more than some 31 years"}, // with a mean gap after the last
		{"0\n1\n2\n", 1e-9, "arrivals.txt go on for more than some 31 years at 1e-09 requests/s"},
		{"0\n400000000\n", 0, ""},
		{"0\n900000000\n", 1, ""},
	} {
		a, err := recorded(t, "trace", tt.content)
		if err != nil {
			t.Fatal(err)
		}
		w := workload.Workload{Open: true, Arrivals: a, Rate: tt.rate}
		w.SetRecorded()
		w.Drain = workload.DefaultDrain(w.Length)
		switch err := w.Validate(); {
		case tt.says == "" && err != nil:
			t.Errorf("%q at %v/s is refused: %v", tt.content, tt.rate, err)
		case tt.says != "" && (err == nil || !strings.Contains(err.Error(), tt.says)):
			t.Errorf("%q at %v/s says %v, want %q", tt.content, tt.rate, err, tt.says)
		}
	}
}

// At another rate all gaps are longer or shorter by the same factor.
func TestRecordedArrivalsAreScaled(t *testing.T) {
	a, err := recorded(t, "gaps", "1\n2\n3\n")
	if err != nil {
		t.Fatal(err)
	}
	w := workload.Workload{Open: true, Arrivals: a, Rate: 5}
	w.SetRecorded()
	if got, want := instants(w, 10), []time.Duration{0, 100 * ms, 300 * ms, 600 * ms}; !slices.Equal(got, want) || w.Length != 800*ms {
		t.Errorf("gaps of 1, 2 and 3 s at 5/s: requests are due at %v within %v, want %v within 800ms", got, w.Length, want)
	}
	// In sessions of 10 requests on average there is one session in ten requests.
	w = workload.Workload{Open: true, Arrivals: a, PerSession: 10}
	w.SetRecorded()
	if got := instants(w, 10); w.Rate != 5 || got[3] != 6*time.Second || len(got) != 4 {
		t.Errorf("sessions of 10 with the recorded gaps: %v/s, arriving at %v", w.Rate, got)
	}
}

// The length, the number of requests and the file end a schedule, whichever is first.
func TestRecordedArrivalsEnd(t *testing.T) {
	a, err := recorded(t, "trace", "10\n11\n12\n13\n")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		length   time.Duration
		requests int64
		want     int
	}{
		{0, 100, 4}, {0, 3, 3}, {time.Hour, 0, 4}, {2 * time.Second, 0, 2}, {2*time.Second + 1, 100, 3}, {2 * time.Second, 1, 1},
	} {
		w := workload.Workload{Open: true, Arrivals: a, Rate: 1, Length: tt.length, Requests: tt.requests}
		w.SetRecorded()
		if got := instants(w, 10); len(got) != tt.want || w.Length != tt.length {
			t.Errorf("length %v, %d requests: %d are due within %v, want %d", tt.length, tt.requests, len(got), w.Length, tt.want)
		}
	}
}

// A run says which bytes it replayed.
func TestRecordedArrivalsAreDescribed(t *testing.T) {
	a, err := recorded(t, "gaps", "1\n2\n")
	if err != nil {
		t.Fatal(err)
	}
	w := workload.Workload{Open: true, Arrivals: a, Rate: 1, Requests: 1}
	d := w.Describe()
	const want = "a6e2b7a040683432de03a18fd8a1939a2fdf82585b364bfc874bdd4095c4cae1" // printf '1\n2\n' | sha256sum
	if d.ArrivalsSHA256 != want || !strings.HasPrefix(d.Arrivals, "gaps:/") {
		t.Errorf("arrivals %q with the hash %q", d.Arrivals, d.ArrivalsSHA256)
	}
}
