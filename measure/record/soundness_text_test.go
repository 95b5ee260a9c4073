package record

import (
	"strings"
	"testing"
)

// What the generator did, what it cost and what the server counted stand in the text
// of a measured run, and nothing of a run that does not know.
func TestSoundnessText(t *testing.T) {
	run := NewRun(Measured)
	text := func() string {
		var b strings.Builder
		writeSoundness(&b, run)
		return b.String()
	}
	if got := text(); got != "" {
		t.Errorf("a run that knows nothing of its generator says %q", got)
	}
	run.Requests = Counts{Scheduled: 1000, Answered: 990, Unsent: 10}
	run.Sending = &Sending{Due: 1000, Sent: 985, Scheduled: 100, Achieved: 98.5, Peak: 130, Capped: 10, MostInFlight: 64}
	run.Generator = &Generator{CPUs: 1, User: 0.03, System: 0.03, Spun: 0.02, Busy: 0.004}
	run.ServerCount = &ServerCount{Source: "nginx stub_status", Counted: 990, Least: 980, Most: 990}
	want := `sent in time 985 of 1000 requests that were due: 98.5/s of 100/s, at most 130/s within a tenth of a second
not sent because 64 others were in flight: 10
generator busy 0.4 % of 1 CPU, 40 µs of CPU time a request
nginx stub_status counted 990 requests, 980 to 990 expected
`
	if got := text(); got != want {
		t.Errorf("the text is\n%s, want\n%s", got, want)
	}
	run.Sending.Capped, run.Generator.CPUs = 0, 3
	run.ServerCount = &ServerCount{Source: "pg_stat_database", Least: 5, Most: 5, Error: "permission denied"}
	if got := text(); strings.Contains(got, "in flight") || !strings.Contains(got, "of 3 CPUs") ||
		!strings.HasSuffix(got, "pg_stat_database could not be asked, 5 requests expected: permission denied\n") {
		t.Errorf("the text is\n%s", got)
	}
}

// The server's count agrees within what is expected, and when it is not known.
func TestServerCountAgrees(t *testing.T) {
	for _, tt := range []struct {
		count ServerCount
		want  bool
	}{
		{ServerCount{Counted: 10, Least: 10, Most: 10}, true},
		{ServerCount{Counted: 9, Least: 8, Most: 10}, true},
		{ServerCount{Counted: 7, Least: 8, Most: 10}, false},
		{ServerCount{Counted: 11, Least: 8, Most: 10}, false},
		{ServerCount{Counted: 0, Least: 8, Most: 10, Error: "no answer"}, true},
	} {
		if got := tt.count.Agrees(); got != tt.want {
			t.Errorf("%+v agrees: %v", tt.count, got)
		}
	}
}

// A verdict's reasons stand below each other; VALID stands alone, and what nobody
// judged says nothing.
func TestValidityText(t *testing.T) {
	for _, tt := range []struct {
		v    *Validity
		want string
	}{
		{nil, ""},
		{&Validity{Verdict: Valid, Reasons: []string{}}, "VALID\n"},
		{&Validity{Verdict: Suspect, Reasons: []string{"first", "second"}}, "SUSPECT: first\n         second\n"},
	} {
		var b strings.Builder
		tt.v.WriteText(&b)
		if b.String() != tt.want {
			t.Errorf("%+v is written %q, want %q", tt.v, b.String(), tt.want)
		}
	}
	for _, tt := range [][3]string{{"", Valid, Valid}, {Valid, Suspect, Suspect}, {Invalid, Suspect, Invalid}, {"", "", ""}} {
		if got := Worst(tt[0], tt[1]); got != tt[2] {
			t.Errorf("the worse of %q and %q is %q", tt[0], tt[1], got)
		}
	}
}
