package analysis

import (
	"fmt"
	"math"
	"slices"
	"sort"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// Verdicts on a prediction.
const (
	Agrees       = "AGREES"       // the interval lies inside the margin
	Disagrees    = "DISAGREES"    // the interval lies outside
	Inconclusive = "INCONCLUSIVE" // neither: more runs would settle it
	Unjudged     = ""             // fewer than two runs have no interval
)

// Agreement says how far an observation lies from its prediction: an
// equivalence test, in which not to find a difference is no agreement.
type Agreement struct {
	Runs      int          `json:"runs"`
	Predicted record.Value `json:"predicted"` // median over runs
	Observed  record.Value `json:"observed"`
	Ratio     record.Value `json:"ratio"` // geometric mean of observed/predicted
	Lo        record.Value `json:"lo"`    // 90 % interval of the ratio
	Hi        record.Value `json:"hi"`
	Verdict   string       `json:"verdict"`
	Needed    int          `json:"needed_runs,omitempty"` // when INCONCLUSIVE: runs that would settle it, roughly

	Chance bool `json:"chance,omitempty"` // INCONCLUSIVE because a table of this size holds such a result by chance

	centre, sd, margin float64 // of ln ratio
}

// Agree compares run by run: D_r = ln(observed_r / predicted_r), whose 90 %
// Student interval is held against ±ln(1+margin). A margin of 0.1 is 10 %.
// Values that are not above zero have no ratio; their runs are left out.
func Agree(observed, predicted []record.Value, margin float64) Agreement {
	var d, obs, pred []float64
	for i := range observed {
		o, p := float64(observed[i]), float64(predicted[i])
		if o > 0 && p > 0 {
			d, obs, pred = append(d, math.Log(o/p)), append(obs, o), append(pred, p)
		}
	}
	a := Agreement{
		Runs:      len(d),
		Predicted: medianOf(pred),
		Observed:  medianOf(obs),
		Lo:        record.Unknown(),
		Hi:        record.Unknown(),
		margin:    math.Log1p(margin),
	}
	if len(d) < 2 {
		a.Ratio = record.Value(math.Exp(stat.Mean(d, nil)))
		return a
	}
	var half float64
	a.centre, half = stats.MeanInterval(d, 0.90)
	a.sd = stat.StdDev(d, nil)
	ratio := func(d float64) record.Value { return record.Value(math.Exp(d)) }
	a.Ratio, a.Lo, a.Hi = ratio(a.centre), ratio(a.centre-half), ratio(a.centre+half)
	switch {
	case math.Abs(a.centre)+half <= a.margin:
		a.Verdict = Agrees
	case math.Abs(a.centre)-half > a.margin:
		a.Verdict = Disagrees
	default:
		a.undecided()
	}
	return a
}

// medianOf is the median, unknown for no values.
func medianOf(values []float64) record.Value {
	n := len(values)
	if n == 0 {
		return record.Unknown()
	}
	sorted := slices.Sorted(slices.Values(values))
	return record.Value((sorted[(n-1)/2] + sorted[n/2]) / 2)
}

// undecided is the verdict when the interval crosses the margin.
func (a *Agreement) undecided() {
	a.Verdict = Inconclusive
	a.Needed = a.needed()
}

// mostRuns is the largest number of runs worth asking for.
const mostRuns = 100

// needed is how many runs of this spread bring the half width of the interval
// below the distance from the margin; 0 when more than mostRuns would be.
func (a *Agreement) needed() int {
	distance := math.Abs(a.margin - math.Abs(a.centre))
	for n := a.Runs + 1; n <= mostRuns; n++ {
		t := distuv.StudentsT{Sigma: 1, Nu: float64(n - 1)}
		if t.Quantile(0.95)*a.sd/math.Sqrt(float64(n)) <= distance {
			return n
		}
	}
	return 0
}

// level is the probability of a wrong DISAGREES in a whole table.
const level = 0.05

// Holm takes back every DISAGREES of a table that could be one of its chance
// results: Holm's step-down procedure on the one-sided tests that the ratio
// lies within the margin (Holm, A Simple Sequentially Rejective Multiple Test
// Procedure, 1979).
func Holm(table []*Agreement) {
	judged := make([]*Agreement, 0, len(table))
	for _, a := range table {
		if a.Verdict != Unjudged {
			judged = append(judged, a)
		}
	}
	sort.SliceStable(judged, func(i, j int) bool { return judged[i].p() < judged[j].p() })
	rejecting := true
	for i, a := range judged {
		rejecting = rejecting && a.p() <= level/float64(len(judged)-i)
		if a.Verdict == Disagrees && !rejecting {
			// Outside on its own, but one such among so many is no surprise.
			a.Verdict = Inconclusive
			a.Chance = true
		}
	}
}

// p is the probability of a ratio at least so far outside the margin when the
// true one lies on it.
func (a *Agreement) p() float64 {
	beyond := math.Abs(a.centre) - a.margin
	if a.sd == 0 {
		if beyond > 0 {
			return 0
		}
		return 1
	}
	t := distuv.StudentsT{Sigma: 1, Nu: float64(a.Runs - 1)}
	return t.Survival(beyond / (a.sd / math.Sqrt(float64(a.Runs))))
}

// String is the verdict in a few words.
func (a *Agreement) String() string {
	switch {
	case a.Verdict == Agrees && (a.Lo > 1 || a.Hi < 1):
		return fmt.Sprintf("%s, with a bias of %+.1f %%", a.Verdict, float64(a.Ratio-1)*100)
	case a.Chance:
		return a.Verdict + " (outside, but chance in a table of this size)"
	case a.Verdict == Inconclusive && a.Needed > 0:
		return fmt.Sprintf("%s (some %d runs in all would settle it)", a.Verdict, a.Needed)
	case a.Runs == 0:
		return "not resolvable: too few requests"
	case a.Verdict == Unjudged:
		return "not judged: fewer than two runs"
	}
	return a.Verdict
}
