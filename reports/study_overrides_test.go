package reports

import (
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestReadOverrides(t *testing.T) {
	for _, c := range []struct {
		list []Override
		want Overrides
	}{
		{nil, Overrides{}},
		{[]Override{{RepsKey, "7", "REPS"}}, Overrides{Reps: 7, Words: []string{"7 runs (REPS)"}}},
		{[]Override{{LengthKey, "10", "DURATION"}}, Overrides{Length: 10 * time.Second, Words: []string{"runs of 10 s (DURATION)"}}},
		{[]Override{{LengthKey, " 0.5 ", "-seconds"}}, Overrides{Length: time.Second / 2, Words: []string{"runs of 500 ms (-seconds)"}}},
		{[]Override{{LengthKey, "2m", "DURATION"}}, Overrides{Length: 2 * time.Minute, Words: []string{"runs of 120 s (DURATION)"}}},
		{
			[]Override{{RepsKey, "2", "-reps"}, {LengthKey, "10s", "DURATION"}, {ClientsKey, "1", "CONCURRENCY"}},
			Overrides{Reps: 2, Length: 10 * time.Second, Clients: 1, Words: []string{"2 runs (-reps)", "runs of 10 s (DURATION)", "1 client (CONCURRENCY)"}},
		},
	} {
		got, err := ReadOverrides(c.list)
		if err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v gives %+v, %v, want %+v", c.list, got, err, c.want)
		}
	}
}

func TestReadOverridesRefuses(t *testing.T) {
	for _, c := range []struct {
		o    Override
		want string
	}{
		{Override{RepsKey, "x", "REPS"}, `REPS is "x": write a whole number from 2 to 1000, such as 5`},
		{Override{RepsKey, "1", "-reps"}, `-reps is "1": write a whole number from 2`},
		{Override{RepsKey, "1001", "REPS"}, `REPS is "1001"`},
		{Override{LengthKey, "10 s", "DURATION"}, `DURATION is "10 s": write a duration from 100ms to 24h, such as 10s, or a number of seconds`},
		{Override{LengthKey, "NaN", "DURATION"}, `DURATION is "NaN"`},
		{Override{LengthKey, "-1", "DURATION"}, `DURATION is "-1"`},
		{Override{LengthKey, "1e9", "DURATION"}, `DURATION is "1e9"`},
		{Override{LengthKey, "1ms", "DURATION"}, `DURATION is "1ms"`},
		{Override{ClientsKey, "0", "CONCURRENCY"}, `CONCURRENCY is "0": write a whole number from 1 to 10000, such as 50`},
		{Override{ClientsKey, "1.5", "CONCURRENCY"}, `CONCURRENCY is "1.5"`},
		{Override{"colour", "red", "COLOUR"}, `"colour"`},
	} {
		got, err := ReadOverrides([]Override{c.o})
		if err == nil || !strings.Contains(err.Error(), c.want) || !reflect.DeepEqual(got, Overrides{}) {
			t.Errorf("%v gives %+v, %v, want %s", c.o, got, err, c.want)
		}
	}
}

// FuzzOverride: what is accepted lies in a study's bounds; what is not is refused
// with its source.
func FuzzOverride(f *testing.F) {
	for _, text := range []string{"5", "10s", "", "-1", "1e400", "0x10", "１０", "5\x00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, key := range []string{RepsKey, LengthKey, ClientsKey} {
			o, err := ReadOverrides([]Override{{key, text, "SOURCE"}})
			switch {
			case err != nil && !strings.HasPrefix(err.Error(), "SOURCE is "):
				t.Fatalf("%q is refused without its source: %v", text, err)
			case err != nil:
			case key == RepsKey && (o.Reps < minTrialRuns || o.Reps > maxReps),
				key == LengthKey && (o.Length < minRun || o.Length > maxRun),
				key == ClientsKey && (o.Clients < 1 || o.Clients > maxClients):
				t.Fatalf("%s %q is accepted as %+v", key, text, o)
			}
		}
	})
}
