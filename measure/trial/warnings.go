package trial

import (
	"fmt"
	"math"
	"slices"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// mostDrift is how far apart two timings of the fixed piece of work may be on a
// machine that counts as steady, relative to the quicker one.
const mostDrift = 0.05

// leastApart is how far the first run has to be from the others to be worth a word.
const leastApart = 0.01

// mostFailed is the share of requests without an answer that is not worth a word.
const mostFailed = 0.01

// warnings say what makes the runs doubtful as a sample.
func warnings(runs []*record.Run) []string {
	out := []string{}
	for _, warning := range []string{firstApart(runs), shortOfPorts(runs), unsteady(runs), unanswered(runs)} {
		if warning != "" {
			out = append(out, warning)
		}
	}
	return out
}

// firstApart says whether the first run stands apart from the others: what a
// warm-up that was too short leaves behind.
func firstApart(runs []*record.Run) string {
	means := known(runs, func(r *record.Run) record.Value { return r.Latency.Get("mean") })
	if len(means) < 3 || slices.Min(means) <= 0 {
		return ""
	}
	// Latencies spread by a factor rather than by an amount.
	logs := make([]float64, len(means))
	for i, v := range means {
		logs[i] = math.Log(v)
	}
	off := means[0]/stats.Median(means[1:]) - 1
	if math.Abs(off) < leastApart || !stats.StandsApart(logs[0], logs[1:]) {
		return ""
	}
	// Dixon's test at 90 % on both sides: of equal runs one is called an outlier in
	// one of ten trials, and it is the first in one of ten times as many.
	chance := fmt.Sprintf("which happens to %d equal runs in %.2g %% of trials", len(means), 10/float64(len(means)))
	if off < 0 {
		return fmt.Sprintf("run 1 stands apart: its mean latency of %.4g ms is %.1f %% below the median of the others (%s): something may build up from run to run", means[0], -100*off, chance)
	}
	return fmt.Sprintf("run 1 stands apart: its mean latency of %.4g ms is %.1f %% above the median of the others (%s): the warm-up may have been too short", means[0], 100*off, chance)
}

// shortOfPorts names the run that began with the fewest local ports.
func shortOfPorts(runs []*record.Run) string {
	worst := ""
	least := record.Value(math.Inf(1))
	for i, r := range runs {
		if p := r.Pause; p != nil && p.Note != "" && p.Left.Known() && p.Left < least {
			least, worst = p.Left, fmt.Sprintf("before run %d %s", i+1, p.Note)
		}
	}
	return worst
}

// unsteady says how far the machine's speed moved over the trial.
func unsteady(runs []*record.Run) string {
	var times []float64
	for _, r := range runs {
		if r.Header == nil {
			continue
		}
		for _, v := range []record.Value{r.Header.SpeedBefore, r.Header.SpeedAfter} {
			if v.Known() && v > 0 {
				times = append(times, float64(v))
			}
		}
	}
	if len(times) < 2 {
		return ""
	}
	drift := slices.Max(times)/slices.Min(times) - 1
	if drift <= mostDrift {
		return ""
	}
	return fmt.Sprintf("the machine was not steady: a fixed piece of work took up to %.1f %% longer at one time than at another", 100*drift)
}

// unanswered says how many requests had no answer.
func unanswered(runs []*record.Run) string {
	var n record.Counts
	for _, r := range runs {
		add(&n, r.Requests)
	}
	failed := n.Scheduled - n.Answered
	switch {
	case float64(failed) <= mostFailed*float64(n.Scheduled):
		return ""
	case n.Answered == 0:
		return "nothing was answered"
	}
	return fmt.Sprintf("%d of %d requests were not answered, and the latencies are those of the others", failed, n.Scheduled)
}
