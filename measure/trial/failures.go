package trial

import "queuelab/measure/record"

// countKey is how many times of a class there are; see [record.ByClass].
const countKey = "count"

// failedTimes are medians over the runs that have failures of a class, with their
// counts summed.
func failedTimes(runs []*record.Run) record.ByClass {
	having := map[string][]*record.Run{}
	for _, r := range runs {
		for class := range r.FailedTimes {
			having[class] = append(having[class], r)
		}
	}
	out := record.ByClass{}
	for class, runs := range having {
		out[class] = record.Quantities{}
		for key := range runs[0].FailedTimes[class] {
			out[class][key] = median(runs, func(r *record.Run) record.Value { return r.FailedTimes[class].Get(key) })
		}
		var n record.Value
		for _, r := range runs {
			n += r.FailedTimes[class].Get(countKey)
		}
		out[class][countKey] = n
	}
	return out
}
