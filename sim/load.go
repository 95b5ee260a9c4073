package sim

import (
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// outlook is what can be said of a run's steady state before it begins.
type outlook struct {
	// stable is nil where it is not known: the work that is sent may or may
	// not exceed what the servers can do.
	stable *bool
	// growth of the latency in an unstable run, in ms for each second;
	// unknown where nothing grows, a timeout bounds the latency or no formula
	// holds.
	growth record.Value
}

// lookAhead compares the load, which is the work that is sent in each second
// per server, with the share of the time in which the servers can work.
//
// Retries and timeouts make the load depend on the latency. If even the highest
// load fits, the run is stable, and if not even the lowest does, it is not. In
// between, a station may work well for a long time until one burst makes its
// clients send more work than it can do, from which it never recovers
// (metastability): that it has a steady state is not known. Nor is it known of a
// station beyond its capacity that gets rid of work when clients give up.
//
// What grows in an unstable run is the latency of a request by the instant t at
// which it is sent: in order of arrival, all work sent before it, t times the
// load, is done before it, and takes t · load/share. Then no answer comes before
// all copies are sent, so the load is the highest. In sessions of N requests only one
// in N comes whatever is answered; the others come as fast as the servers work, so
// that the work grows by 1/N of what is too much. Stalls make the latency rise
// and fall around that line. Under a timeout the latency stops there: what grows is
// the share of the requests that time out.
func lookAhead(w *workload.Workload, k *disciplineKind, servers int) outlook {
	low, high := load(w, servers)
	least, most := workingShare(w, k)
	o := outlook{growth: record.Unknown()}
	switch {
	case high < least || w.Open && low == least && high == low && constant(w):
		o.stable = new(bool)
		*o.stable = true
	case low >= most && !(k.sheds && w.Timeout > 0):
		o.stable = new(bool)
		if k.inOrder && least == most && w.Timeout == 0 {
			o.growth = record.Value((high/least - 1) / max(w.PerSession, 1) * 1e3)
		}
	}
	return o
}

// load is the lowest and the highest load that a workload can mean. Openly, the
// lowest is that of a single copy for every request. Closed clients wait, so
// that their load is limited by the answers unless a timeout frees them: the
// highest is that of clients whose requests all time out.
func load(w *workload.Workload, servers int) (low, high float64) {
	work := w.Service.Mean() / float64(servers)
	copies := float64(w.MostCopies())
	switch {
	case w.Open:
		return w.Rate * work, w.Rate * work * copies
	case w.Timeout == 0:
		return 0, 0
	}
	cycle := (w.Timeout + workload.FailurePause).Seconds()
	if w.Think != nil {
		cycle += w.Think.Mean()
	}
	return 0, float64(w.Clients) / cycle * work * copies
}

// workingShare is the least and the most share of the time in which the servers
// can work, if there is always enough to do. A freeze takes all of its time away.
// A lock leaves what is in service to be finished: with one job on each server
// its residual service, whose mean is at most E[S²]/E[S] at any instant after
// the work began anew (G. Lorden, "On excess over the boundary", Annals of
// Mathematical Statistics 41 (1970) 520–527). Where all jobs are in service
// together, a long queue keeps the servers busy throughout a lock.
func workingShare(w *workload.Workload, k *disciplineKind) (least, most float64) {
	working := 1 - w.Stall.Share()
	if w.Stall.Kind != workload.Lock {
		return working, working
	}
	if k.shared {
		return 1, 1
	}
	residual := w.Service.Mean() * (1 + w.Service.SCV())
	return working, working + min(residual, w.Stall.Length.Seconds())/w.Stall.Period.Seconds()
}

// constant says whether neither gaps nor service times vary: the one case in
// which a fully loaded queue does not grow.
func constant(w *workload.Workload) bool {
	gaps := w.Gaps()
	return gaps != nil && gaps.SCV() == 0 && w.Service.SCV() == 0
}
