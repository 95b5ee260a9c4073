package analysis

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"queuelab/measure/record"
)

// trialOf is a trial whose runs have these throughputs, and as many answers.
func trialOf(throughputs ...float64) *record.Run {
	trial := record.NewRun(record.Measured)
	for _, x := range throughputs {
		r := record.NewRun(record.Measured)
		r.Throughput = record.Value(x)
		r.Requests = record.Counts{Scheduled: 1000, Answered: 1000, Copies: 1000}
		if x == 0 {
			r.Requests = record.Counts{Scheduled: 1000, Failed: 1000, Copies: 1000}
		}
		trial.Requests.Scheduled += 1000
		trial.Requests.Answered += 1000
		trial.Reps = append(trial.Reps, r)
	}
	return trial
}

// withLatency gives the runs latencies under a key, in milliseconds.
func withLatency(trial *record.Run, key string, values ...float64) *record.Run {
	for i, v := range values {
		if trial.Reps[i].Latency == nil {
			trial.Reps[i].Latency = record.Quantities{}
		}
		trial.Reps[i].Latency[key] = record.Value(v)
	}
	return trial
}

var throughputAlone = []string{record.ThroughputKey}

func TestVerdicts(t *testing.T) {
	base := []float64{100, 101, 102, 103, 104}
	by := func(factor float64) []float64 {
		out := slices.Clone(base)
		for i := range out {
			out[i] *= factor
		}
		return out
	}
	for _, c := range []struct {
		name     string
		a, b     []float64
		verdict  string
		sentence string
	}{
		{"less throughput is slower", base, by(0.9), Slower, "B is slower by 10.0 % [7.3, 12.6]"},
		{"more is faster", by(0.9), base, Faster, "B is faster by 11.1 % [7.9, 14.4]"},
		{"the same", base, base, NotShown, "no difference shown: the smallest difference this trial could have shown is 3.0 %"},
		{"within the spread", base, by(1.01), NotShown, "no difference shown: the smallest difference this trial could have shown is 3.0 %"},
		{"no spread at all", []float64{5, 5, 5, 5}, []float64{5, 5, 5, 5}, NotShown, "no difference shown: all runs are equal"},
		{"a tiny difference", []float64{1e6, 1e6, 1e6, 1e6}, []float64{999900, 999900, 999900, 999900}, Slower, "B is slower by 0.01 % [0.01, 0.01]"},
		{"3 + 3", base[:3], by(0.5)[:3], NotShown, "no difference can be shown with 3 runs against 3 runs: the least is 4 against 4"},
		{"4 + 4", base[:4], by(0.5)[:4], Slower, "B is slower by 50.0 % [48.5, 51.5]"},
		{"1 + 1", base[:1], by(0.5)[:1], NotShown, "no difference can be shown with 1 run against 1 run: the least is 4 against 4"},
		{"3 against many", base[:3], append(by(0.5), by(0.51)...), Slower, "B is slower by 49.0 % [48.0, 50.0]"},
		{"one run of zero", base, []float64{0, 90, 91, 92, 93}, "", "not compared: the throughput is 0 or not known in 0 of A's 5 runs and 1 of B's 5 runs"},
		{"one run unknown", []float64{math.NaN(), 90, 91, 92, 93}, base, "", "not compared: the throughput is 0 or not known in 1 of A's 5 runs and 0 of B's 5 runs"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Compare(trialOf(c.a...), trialOf(c.b...), throughputAlone)
			if len(got.Quantities) != 1 || got.Quantities[0].Verdict != c.verdict || got.Quantities[0].Sentence != c.sentence {
				t.Errorf("%+v\nwant %q, %q", got.Quantities, c.verdict, c.sentence)
			}
		})
	}
}

// Latencies are judged the other way round, and the percentages stay positive.
func TestMoreLatencyIsSlower(t *testing.T) {
	a := withLatency(trialOf(1, 1, 1, 1), "p99", 10, 10.1, 10.2, 10.3)
	b := withLatency(trialOf(1, 1, 1, 1), "p99", 11, 11.1, 11.2, 11.3)
	forth := Compare(a, b, []string{"p99"}).Quantities[0]
	back := Compare(b, a, []string{"p99"}).Quantities[0]
	if forth.Sentence != "B is slower by 9.9 % [6.8, 13.0]" || back.Sentence != "B is faster by 9.0 % [6.4, 11.5]" {
		t.Errorf("%q and back %q", forth.Sentence, back.Sentence)
	}
	if math.Abs(float64((1+forth.Change)*(1+back.Change))-1) > 1e-12 {
		t.Errorf("the changes %v and %v are no inverses", forth.Change, back.Change)
	}
	if math.Abs(forth.SlowDown()-0.099) > 0.001 || math.Abs(back.SlowDown()+0.090) > 0.001 {
		t.Errorf("slow-downs %v and %v", forth.SlowDown(), back.SlowDown())
	}
}

// What nobody named is every quantity that all runs resolve.
func TestQuantitiesThatEveryRunResolves(t *testing.T) {
	nan := math.NaN()
	a := withLatency(withLatency(trialOf(1, 1, 1, 1, 1), "p50", 5, 5, 5, 5, 5), "p99", 9, 9, 9, nan, 9)
	b := withLatency(withLatency(trialOf(1, 1, 1, 1, 1), "p50", 5, 5, 5, 5, 5), "p99", 9, 9, 9, 9, 9)
	names := func(c *Comparison) (out []string) {
		for _, q := range c.Quantities {
			out = append(out, q.Quantity)
		}
		return out
	}
	if got := names(Compare(a, b, nil)); !slices.Equal(got, []string{"throughput", "p50"}) {
		t.Errorf("compared are %v", got)
	}
	if got := Compare(a, b, nil).Unresolved; !slices.Equal(got, []string{"mean", "p90", "p99", "p99.9"}) {
		t.Errorf("left out are %v", got)
	}
	asked := Compare(a, b, []string{"p99", "p50"})
	if got := names(asked); !slices.Equal(got, []string{"p99", "p50"}) || asked.Quantities[0].Sentence != "not compared: 1 of 10 runs have too few answers to resolve it" {
		t.Errorf("asked for, compared are %v, %+v", got, asked.Quantities[0])
	}
	if asked.Quantities[1].Holm != asked.Quantities[1].P {
		t.Error("a quantity that is not compared counts in Holm's procedure")
	}
}

// Among two quantities a p-value of 0.032 shows nothing any more.
func TestHolmAmongQuantities(t *testing.T) {
	a, b := trialOf(100, 101, 102, 103, 104), trialOf(97, 98, 99, 99.5, 101.5) // U = 2
	alone := Compare(a, b, throughputAlone).Quantities[0]
	if alone.Verdict != Slower || math.Abs(float64(alone.P)-8.0/252) > 1e-9 {
		t.Fatalf("alone the p-value is %v and the verdict %q", alone.P, alone.Verdict)
	}
	withLatency(a, "p50", 5, 5.1, 5.2, 5.3, 5.4)
	withLatency(b, "p50", 5, 5.1, 5.2, 5.3, 5.4)
	both := Compare(a, b, nil).Quantities
	if both[0].Verdict != NotShown || math.Abs(float64(both[0].Holm)-16.0/252) > 1e-9 {
		t.Errorf("among two Holm's p is %v and the verdict %q", both[0].Holm, both[0].Verdict)
	}
	want := "no difference shown: alone, B would be slower by 3.0 % [0.5, 5.8], but among 2 quantities that may be chance (Holm's p is 0.063)"
	if both[0].Sentence != want {
		t.Errorf("says %q, want %q", both[0].Sentence, want)
	}
	if !(both[0].Smallest > alone.Smallest) {
		t.Errorf("among two the smallest difference is %v, alone %v", both[0].Smallest, alone.Smallest)
	}
}

func TestHolmAdjusted(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct{ p, want []float64 }{
		// The worked example of R's p.adjust(method = "holm").
		{[]float64{0.01, 0.02, 0.03, 0.04, 0.05}, []float64{0.05, 0.08, 0.09, 0.09, 0.09}},
		{[]float64{0.04, 0.01, 0.03}, []float64{0.06, 0.03, 0.06}},
		{[]float64{0.5, nan, 0.9}, []float64{1, nan, 1}},
		{[]float64{0.03}, []float64{0.03}},
		{nil, nil},
	} {
		got := holmAdjusted(c.p)
		for i := range c.want {
			if math.Abs(got[i]-c.want[i]) > 1e-12 || math.IsNaN(got[i]) != math.IsNaN(c.want[i]) {
				t.Errorf("%v becomes %v, want %v", c.p, got, c.want)
			}
		}
	}
}

// Six quantities need five runs a side, four a side are too few.
func TestTooFewForSixQuantities(t *testing.T) {
	build := func(runs int, scale float64) *record.Run {
		values := make([]float64, runs)
		for i := range values {
			values[i] = scale * (1 + float64(i)/100)
		}
		trial := trialOf(values...)
		for _, key := range quantities[1:] {
			withLatency(trial, key, values...)
		}
		return trial
	}
	four := Compare(build(4, 1), build(4, 2), nil)
	for _, q := range four.Quantities {
		if q.Sentence != "no difference can be shown with 4 runs against 4 runs: the least is 5 against 5 for 6 quantities at once" || q.Smallest.Known() {
			t.Errorf("%s: %q, smallest difference %v", q.Quantity, q.Sentence, q.Smallest)
		}
	}
	if blind := four.Blind(10); len(blind) != 6 {
		t.Errorf("only %d quantities are blind", len(blind))
	}
	for _, q := range Compare(build(5, 1), build(5, 2), nil).Quantities {
		if q.Verdict != Slower && q.Verdict != Faster {
			t.Errorf("%s: %q", q.Quantity, q.Sentence)
		}
	}
}

func TestGate(t *testing.T) {
	base := trialOf(100, 101, 102, 103, 104)
	for _, c := range []struct {
		name             string
		b                *record.Run
		share            float64
		exceeding, blind int
	}{
		{"slower by 10 %", trialOf(90, 91, 92, 93, 94), 0.05, 1, 0},
		{"slower by 10 %, 20 % are allowed", trialOf(90, 91, 92, 93, 94), 0.20, 0, 0},
		{"faster", trialOf(110, 111, 112, 113, 114), 0.05, 0, 0},
		{"the same", trialOf(100, 101, 102, 103, 104), 0.05, 0, 0},
		{"the same, but noisy", trialOf(60, 80, 102, 120, 140), 0.05, 0, 1},
		{"too few", trialOf(50, 51), 0.05, 0, 1},
		{"nothing answered", trialOf(0, 0, 0, 0, 0), 0.05, 1, 0},
		{"nothing answered once", trialOf(100, 101, 0, 103, 104), 0.05, 1, 0},
	} {
		got := Compare(base, c.b, throughputAlone)
		if e, b := len(got.Exceeding(c.share)), len(got.Blind(c.share)); e != c.exceeding || b != c.blind {
			t.Errorf("%s: %d exceed and %d are blind, want %d and %d: %+v", c.name, e, b, c.exceeding, c.blind, got.Quantities)
		}
	}
}

// Systems that do not differ are told apart in 5 % of all comparisons at most,
// also with several quantities: 1000 comparisons, bound at four standard errors.
func TestWrongVerdictsAreRare(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	draw := func() *record.Run {
		values := make([][5]float64, 3)
		for i := range values {
			for j := range values[i] {
				values[i][j] = math.Exp(0.1 * random.NormFloat64())
			}
		}
		return withLatency(withLatency(trialOf(values[0][:]...), "p50", values[1][:]...), "p99", values[2][:]...)
	}
	const comparisons = 1000
	for _, names := range [][]string{throughputAlone, nil} {
		wrong := 0
		for range comparisons {
			for _, q := range Compare(draw(), draw(), names).Quantities {
				if q.Verdict == Slower || q.Verdict == Faster {
					wrong++
					break
				}
			}
		}
		if bound := comparisons*0.05 + 4*math.Sqrt(comparisons*0.05*0.95); float64(wrong) > bound {
			t.Errorf("%v: %d of %d comparisons of the same are told apart, want at most %.0f", names, wrong, comparisons, bound)
		}
		if wrong == 0 {
			t.Errorf("%v: no comparison at all is told apart", names)
		}
	}
}

// JSON has finite numbers or null.
func TestComparisonAsJSON(t *testing.T) {
	for _, b := range []*record.Run{trialOf(0), trialOf(5), trialOf(math.NaN(), math.Inf(1))} {
		text, err := json.Marshal(Compare(trialOf(1, 2, 3, 4), b, throughputAlone))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), `"differences":null`) || strings.Contains(string(text), `"doubts":null`) {
			t.Errorf("a list is null: %s", text)
		}
	}
}

func TestParseQuantities(t *testing.T) {
	got, err := ParseQuantities("p99.9, throughput,mean,p99.9")
	if err != nil || !slices.Equal(got, []string{"p99.9", "throughput", "mean"}) {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"", "p42", "throughput,", "THROUGHPUT", "max"} {
		if _, err := ParseQuantities(bad); err == nil || !strings.Contains(err.Error(), "use some of throughput,mean,p50,p90,p99,p99.9") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func ExampleCompare() {
	c := Compare(trialOf(100, 101, 102, 103, 104), trialOf(90, 91, 92, 93, 94), throughputAlone)
	fmt.Println(c.Quantities[0].Quantity+":", c.Quantities[0].Sentence)
	// Output: throughput: B is slower by 9.8 % [7.0, 12.5]
}
