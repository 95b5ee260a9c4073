package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// Verdicts on two systems.
const (
	Slower   = "slower"
	Faster   = "faster"
	NotShown = "no difference shown"
)

// quantities are what two trials can be compared by, in the order of tables.
var quantities = []string{record.ThroughputKey, "mean", "p50", "p90", "p99", "p99.9"}

// Comparison says what the runs of one trial, A, and of another, B, show about the
// difference between two systems. The run is the sample, not the request.
type Comparison struct {
	RunsA       int        `json:"runs_a"`
	RunsB       int        `json:"runs_b"`
	Differences []string   `json:"differences"` // between the circumstances, see [Differences]
	Doubts      []string   `json:"doubts"`      // what makes the runs, or a verdict, doubtful
	Quantities  []Compared `json:"quantities"`
	// UnansweredA and UnansweredB are the shares of requests without an answer.
	UnansweredA record.Value `json:"unanswered_a"`
	UnansweredB record.Value `json:"unanswered_b"`
	Unresolved  []string     `json:"unresolved"` // quantities left out because not every run resolves them
	Unasked     []string     `json:"unasked"`    // and those that say little, unless asked for: the throughput of open loops
}

// Compared is one quantity of A and B, in requests per second or milliseconds.
// What is not known, or not resolved by every run, is unknown.
type Compared struct {
	Quantity string          `json:"quantity"`
	A        record.Repeated `json:"a"`
	B        record.Repeated `json:"b"`
	P        record.Value    `json:"p"`      // two-sided, Mann–Whitney
	Holm     record.Value    `json:"p_holm"` // the same among all quantities compared
	// Change is B's Hodges–Lehmann shift against A less one: -0.048 for 4.8 % less.
	// The interval covers it with the probability Level.
	Change   record.Value    `json:"change"`
	Interval record.Interval `json:"interval"`
	Level    record.Value    `json:"level"`
	// Smallest is the smallest difference, as a factor less one, that these runs
	// could have shown: how far the interval reaches from the estimate, at the
	// level that the first step of Holm's procedure asks for. It is unknown when they
	// are too few to show any.
	Smallest record.Value `json:"smallest_difference"`
	Verdict  string       `json:"verdict"`  // "" when it was not compared
	Sentence string       `json:"sentence"` // the verdict in words

	dead bool // B has runs in which nothing was answered, and A has none
	few  bool // so few runs show no difference, however large
}

// significance is the probability of any wrong verdict in a comparison of systems
// that do not differ.
const significance = 0.05

// ParseQuantities reads a list of quantities, separated by commas, of those that
// can be compared.
func ParseQuantities(text string) ([]string, error) {
	var out []string
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		if !slices.Contains(quantities, word) {
			return nil, fmt.Errorf("%q is no quantity that can be compared: use some of %s", word, strings.Join(quantities, ","))
		}
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return out, nil
}

// Compare holds the runs of two trials against each other; a single run is a trial
// of one. Of each of the named quantities it gives the medians over the runs, the
// p-value that Holm's procedure leaves of it among them, and the shift on a
// logarithmic scale. Without names it takes the throughput, unless the loops are
// open, and all that every run resolves.
//
// A difference is shown when that p-value is at most 0.05 and the interval of the
// shift leaves 0 out: systems that do not differ are told apart in at most 5 % of
// all comparisons, however many quantities they have.
func Compare(a, b *record.Run, names []string) *Comparison {
	runsA, runsB := runsOf(a), runsOf(b)
	c := &Comparison{RunsA: len(runsA), RunsB: len(runsB), Differences: Differences(a, b), Unresolved: []string{}, Unasked: []string{}}
	asked := len(names) > 0
	if !asked {
		names = quantities
	}
	var samples []*sample
	for _, name := range names {
		s := newSample(name, runsA, runsB)
		if name == record.ThroughputKey && !asked && s.resolved() && offered(runsA) && offered(runsB) {
			c.Unasked = append(c.Unasked, name)
			continue
		}
		if s.resolved() || asked || name == record.ThroughputKey {
			samples = append(samples, s)
		} else {
			c.Unresolved = append(c.Unresolved, name)
		}
	}
	c.Quantities = judge(samples)
	c.UnansweredA, c.UnansweredB = record.Value(failedShare(a)), record.Value(failedShare(b))
	c.Doubts = doubts(a, b, c)
	return c
}

// runsOf are the runs of a trial. Simulated ones of one seed are one run.
func runsOf(trial *record.Run) []*record.Run {
	switch {
	case len(trial.Reps) == 0:
		return []*record.Run{trial}
	case copies(trial):
		return trial.Reps[:1]
	}
	return trial.Reps
}

// copies says whether a trial has one simulated run several times.
func copies(trial *record.Run) bool {
	_, one := seedOf(trial)
	return one && trial.Reps[0].Source == record.Simulated
}

// offered says whether the throughput of runs is what was offered to them rather
// than what the server can do: they are open loops.
func offered(runs []*record.Run) bool {
	return !slices.ContainsFunc(runs, func(r *record.Run) bool { return r.Workload.Loop != "open" })
}

// sample is one quantity over the runs of A and B that resolve it.
type sample struct {
	name         string
	a, b         []float64
	runsA, runsB int
	dead         bool    // see Compared
	rounding     float64 // the factor by which rounding may have moved B against A
}

func newSample(name string, a, b []*record.Run) *sample {
	s := &sample{
		name: name, a: resolved(name, a), b: resolved(name, b), runsA: len(a), runsB: len(b),
		dead: allAnswer(a) && !allAnswer(b),
	}
	s.rounding = 1 / ((1 - rounding(name, a, s.a)) * (1 - rounding(name, b, s.b)))
	return s
}

// allAnswer says whether something was answered in every run.
func allAnswer(runs []*record.Run) bool {
	return !slices.ContainsFunc(runs, func(r *record.Run) bool {
		return r.Requests.Answered == 0 && !r.Latency.Get("mean").Known()
	})
}

// resolved are the values of a quantity in the runs that resolve it. What is not
// above zero has no logarithm, and counts as not resolved.
func resolved(name string, runs []*record.Run) []float64 {
	var out []float64
	together := record.Supported(name, runs)
	for _, r := range runs {
		v := r.Latency.Get(name)
		if together {
			v = r.Observed(name)
		}
		if name == record.ThroughputKey {
			v = r.Throughput
		}
		if v.Known() && v > 0 {
			out = append(out, float64(v))
		}
	}
	return out
}

func (s *sample) resolved() bool { return len(s.a) == s.runsA && len(s.b) == s.runsB }

// enough says whether so many runs can show any difference among a family of
// quantities, however large it is.
func (s *sample) enough(family int) bool {
	return stats.LeastP(len(s.a), len(s.b)) <= significance/float64(family)
}

// judge compares the samples that are resolved, as one family.
func judge(samples []*sample) []Compared {
	p := make([]float64, len(samples))
	family := 0
	for i, s := range samples {
		p[i] = math.NaN()
		if s.resolved() {
			p[i] = stats.MannWhitney(s.a, s.b)
			family++
		}
	}
	adjusted := holmAdjusted(p)
	out := make([]Compared, len(samples))
	for i, s := range samples {
		out[i] = s.judged(p[i], adjusted[i], family)
	}
	return out
}

// judged is the verdict on one sample of a family.
func (s *sample) judged(p, adjusted float64, family int) Compared {
	c := Compared{
		Quantity: s.name, A: repeated(s.a, s.runsA), B: repeated(s.b, s.runsB),
		P: record.Value(p), Holm: record.Value(adjusted),
		dead: s.dead,
	}
	shift := stats.Shift{Change: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Level: math.NaN(), Reach: math.NaN()}
	if s.resolved() {
		shift = stats.HodgesLehmann(s.a, s.b, 1-significance)
		shift.Reach = math.NaN()
		if s.enough(family) {
			shift.Reach = stats.HodgesLehmann(s.a, s.b, 1-significance/float64(family)).Reach
		}
		shift = s.widened(shift)
		c.Verdict = NotShown
		c.few = !s.enough(family)
	}
	c.Change, c.Level = record.Value(shift.Change), record.Value(shift.Level)
	c.Interval = record.Interval{record.Value(shift.Lo), record.Value(shift.Hi)}
	c.Smallest = record.Value(shift.Reach)
	if adjusted <= significance && c.outside() {
		c.Verdict = c.direction()
	}
	c.Sentence = s.sentence(&c, family)
	return c
}

// repeated is what all runs of a side say together, which is nothing when some of
// them do not resolve the quantity.
func repeated(values []float64, runs int) record.Repeated {
	if len(values) < runs {
		values = nil
	}
	return record.NewRepeated(values)
}

// outside says whether the interval leaves 0 out.
func (c *Compared) outside() bool { return c.Interval[0] > 0 || c.Interval[1] < 0 }

// direction is what the estimate says of B: less throughput and more latency are
// slower.
func (c *Compared) direction() string {
	if (c.Change < 0) == (c.Quantity == record.ThroughputKey) {
		return Slower
	}
	return Faster
}
