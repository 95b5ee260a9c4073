package sim

import (
	"time"

	"queuelab/measure/record"
	"queuelab/measure/stats"
)

// ledger records the requests that were scheduled after the warm-up.
type ledger struct {
	collector *record.Collector
	batches   *stats.Batches // latencies of answered requests in ns; nil where they have no steady state
	warmup    int64
	request   record.Request // handed on again and again, so that none is allocated
}

func (l *ledger) enter(j *job, now int64, outcome record.Outcome) {
	if j.scheduled < l.warmup {
		return
	}
	r := &l.request
	r.Scheduled = time.Duration(j.scheduled)
	r.Sent = r.Scheduled
	r.Ended = time.Duration(now)
	r.Service = time.Duration(j.service)
	r.Wait = 0 // where the copies were when the client gave up is not recorded
	r.Outcome = outcome
	r.Copies = j.copies
	if outcome == record.Answered {
		latency := now - j.scheduled
		r.Wait = time.Duration(latency - j.service)
		if l.batches != nil {
			l.batches.Add(latency)
		}
	}
	l.collector.Add(r)
}
