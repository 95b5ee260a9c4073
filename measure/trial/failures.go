package trial

import (
	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// failedTimes are the times of the failures of all runs: counts are summed, mean and
// maximum are those of all together, and quantiles, which cannot be pooled, are
// medians over the runs that have failures of the class.
func failedTimes(runs []*record.Run) record.ByClass {
	having := map[string][]record.Quantities{}
	for _, r := range runs {
		for class, times := range r.FailedTimes {
			having[class] = append(having[class], times)
		}
	}
	out := record.ByClass{}
	for class, each := range having {
		out[class] = together(each)
	}
	return out
}

// together are the times of one class in several runs, at least one.
func together(each []record.Quantities) record.Quantities {
	out := record.Quantities{}
	for key := range each[0] {
		out[key] = medianOf(each, key)
	}
	var count, total, longest record.Value
	for _, times := range each {
		n := times.Get("count")
		count += n
		total += n * times.Get("mean")
		longest = max(longest, times.Get("max"))
	}
	out["count"], out["mean"], out["max"] = count, total/count, longest
	return out
}

func medianOf(each []record.Quantities, key string) record.Value {
	var values []float64
	for _, times := range each {
		v := times.Get(key)
		if !v.Known() {
			return record.Unknown()
		}
		values = append(values, float64(v))
	}
	return record.Value(stats.Median(values))
}
