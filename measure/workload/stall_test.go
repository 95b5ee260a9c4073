package workload_test

import (
	"strings"
	"testing"
	"time"

	"queuelab/measure/workload"
)

func TestParseStall(t *testing.T) {
	for text, want := range map[string]workload.Stall{
		"500ms/5.5s":      {Length: 500 * time.Millisecond, Period: 5500 * time.Millisecond},
		"freeze:2s/12s":   {Kind: workload.Freeze, Length: 2 * time.Second, Period: 12 * time.Second},
		"lock:500ms/5.5s": {Kind: workload.Lock, Length: 500 * time.Millisecond, Period: 5500 * time.Millisecond},
	} {
		got, err := workload.ParseStall(text)
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v; want %+v", text, got, err, want)
		}
		if got.String() != text {
			t.Errorf("%s is written as %s", text, got)
		}
	}
	for text, says := range map[string]string{
		"":              "is no stall",
		"2s":            "is no stall",
		"2s/":           "is no stall",
		"2/12":          "is no stall",
		"0s/0s":         "no length",
		":2s/12s":       "no kind",
		"melt:2s/12s":   "no kind",
		"freeze:2s/2s":  "impossible",
		"freeze:-2s/2s": "impossible",
		"lock:0s/2s":    "impossible",
		"1ns/2ns":       "at least 1ms",
		"1s/1.0005s":    "at least 1ms",
		"1s/2000000h":   "at most 8760h",
	} {
		if _, err := workload.ParseStall(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: the error is %v, want %q in it", text, err, says)
		}
	}
}

func TestStallComesBack(t *testing.T) {
	s := workload.Stall{Length: 2 * time.Second, Period: 12 * time.Second}
	for i, want := range []time.Duration{10, 22, 34} {
		if got := s.Begin(int64(i)); got != want*time.Second {
			t.Errorf("stall %d begins at %v, want %v", i, got, want*time.Second)
		}
	}
	if got := s.Share(); got != 2./12 {
		t.Errorf("it stands still for %g of the time, want 1/6", got)
	}
}

// Whoever asks for anything at all asks for a stall, possible or not.
func TestAnyStall(t *testing.T) {
	for _, s := range []workload.Stall{{Length: 1, Period: 2}, {Kind: workload.Lock}, {Length: 1}, {Period: 1}} {
		if !s.Any() {
			t.Errorf("%+v is no stall", s)
		}
	}
	if none := (workload.Stall{}); none.Any() || none.Share() != 0 || none.String() != "" {
		t.Errorf("the zero value is a stall: any %v, share %v, written %q", none.Any(), none.Share(), none)
	}
}

func FuzzParseStall(f *testing.F) {
	for _, text := range []string{"500ms/5.5s", "freeze:2s/12s", "lock:1h/2h", "freeze:/", "2s/1s", "a:b/c", "9999999h/1s"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := workload.ParseStall(text)
		if err != nil {
			return
		}
		if s.Length <= 0 || s.Period <= s.Length {
			t.Fatalf("%q gives %+v", text, s)
		}
		if again, err := workload.ParseStall(s.String()); err != nil || again != s {
			t.Fatalf("%q is written as %q, which reads as %+v, %v", text, s, again, err)
		}
	})
}
