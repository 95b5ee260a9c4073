package record

import "maps"

// ByClass are the times that failures lasted, by class: also those of timeouts under
// [TimedOutKey], and of what was given up at the end of the drain under
// [UnfinishedKey]. All count from the sending. The key "count" of each is how many
// there are.
type ByClass map[string]Quantities

// mostClasses bounds the failure classes that are told apart: an SQLSTATE is whatever
// the server sends.
const mostClasses = 64

// The keys of failures_ms that are no failure classes, and the class that counts
// those beyond mostClasses.
const (
	TimedOutKey   = "timed_out"
	UnfinishedKey = "unfinished"
	otherClass    = "other"
)

// failures times what was not answered, each class apart, from the sending to the
// end. Timeouts and what was given up at the end of the drain are censored: an answer
// would have taken longer. Times go into packed histograms, since there are many
// classes and few different times.
type failures struct {
	classes    map[string]*Histogram // of failed requests
	timedOut   *Histogram
	unfinished *Histogram
	last       string     // the class counted last, so that a storm of one class costs no map access
	lastTimes  *Histogram // its times; nil before the first
}

func newFailures() *failures {
	return &failures{classes: map[string]*Histogram{}, timedOut: newPacked(), unfinished: newPacked()}
}

// add counts a request that was sent and not answered.
func (f *failures) add(r *Request) {
	switch r.Outcome {
	case TimedOut:
		f.timedOut.Add(r.ClientSeen())
	case Unfinished:
		f.unfinished.Add(r.ClientSeen())
	case Failed:
		if r.Class != f.last || f.lastTimes == nil {
			f.last, f.lastTimes = r.Class, f.class(r.Class)
		}
		f.lastTimes.Add(r.ClientSeen())
	}
}

// class holds the times of a class.
func (f *failures) class(name string) *Histogram {
	if h, known := f.classes[name]; known {
		return h
	}
	if len(f.classes) >= mostClasses && name != otherClass {
		return f.class(otherClass)
	}
	h := newPacked()
	f.classes[name] = h
	return h
}

// counts are how many requests failed, by class.
func (f *failures) counts() map[string]int64 {
	out := map[string]int64{}
	for class, h := range f.classes {
		out[class] = h.Count()
	}
	return out
}

// times summarises the times of each class.
func (f *failures) times() ByClass {
	all := maps.Clone(f.classes)
	all[TimedOutKey], all[UnfinishedKey] = f.timedOut, f.unfinished
	out := ByClass{}
	for class, h := range all {
		if h.Count() > 0 {
			out[class] = summarise(h, nil)
			out[class]["count"] = Value(h.Count())
		}
	}
	return out
}
