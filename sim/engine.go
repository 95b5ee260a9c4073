package sim

import (
	"cmp"
	"context"
	"slices"

	"queuelab/measure/record"
)

// engine moves one run from event to event. Whatever has events offers only
// the instant of its next one; the engine takes the earliest.
type engine struct {
	now      int64
	source   source
	station  discipline
	stalls   stalls
	timeouts timers // by copies
	retries  timers // by the first copies of requests
	copies   int    // of a request, at most
	jobs     jobs
	drain    int64
	open     int64 // requests that someone waits for
	ledger   ledger
	sampler  *sampler
	mark     int64 // instant of the next look at the system
	warm     int64 // servers' busy time at the end of the warm-up; below 0 until then
	outlook  outlook
}

// checkEvery is how many events pass between two looks at the context.
const checkEvery = 1 << 14

// run goes on until nothing is open and nothing more comes, until the drain
// ends, or until ctx does; it returns whether ctx ended it.
func (e *engine) run(ctx context.Context) (interrupted bool) {
	for ctx.Err() == nil {
		for range checkEvery {
			if !e.step() {
				e.passDrain()
				e.giveUp()
				return false
			}
		}
	}
	e.giveUp()
	return true
}

// step lets the next event happen; false when there is none that counts.
func (e *engine) step() bool {
	departure, arrival := e.station.next(), e.source.next()
	timeout, stall, retry := e.timeouts.next(&e.jobs), e.stalls.at, e.retries.next(&e.jobs)
	between := min(timeout, stall, retry) // they come between departures and arrivals of one instant
	at := min(departure, between, arrival)
	if arrival == never && (e.open == 0 || at > after(e.source.end(), e.drain)) || at == never {
		return false
	}
	e.advance(at)
	switch {
	case at == departure:
		e.depart()
	case at < between:
		e.arrive()
	case at == timeout:
		e.expire()
	case at == stall:
		e.stalls.change(e.station)
	default:
		e.retry()
	}
	return true
}

// advance moves the clock, past the instants at which the station is looked at.
func (e *engine) advance(at int64) {
	if at >= e.mark {
		e.look(at)
	}
	e.now = at
}

// look takes what is to be seen before the instant at.
func (e *engine) look(at int64) {
	if e.warm < 0 && at >= e.ledger.warmup {
		e.warm = e.station.busyTime(e.ledger.warmup)
	}
	e.sampler.pass(at, e.open)
	e.mark = e.sampler.at
	if e.warm < 0 {
		e.mark = min(e.mark, e.ledger.warmup)
	}
}

// arrive sends the first copy of a request.
func (e *engine) arrive() {
	client, service := e.source.take()
	place := e.jobs.open(e.now, service, client)
	e.open++
	e.retries.set(e.now, place, e.jobs.serial)
	e.timeouts.set(e.now, place, e.jobs.serial)
	e.station.arrive(e.now, place, service)
}

// retry sends a further copy of the request that has waited long enough.
func (e *engine) retry() {
	first := e.retries.pop()
	place := e.jobs.copy(first)
	j := e.jobs.places[place]
	if int(j.copies) < e.copies {
		e.retries.set(e.now, first, j.serial)
	}
	e.timeouts.set(e.now, place, j.serial)
	e.station.arrive(e.now, place, j.service)
}

// depart ends the service of a copy, and its request if someone still waits.
func (e *engine) depart() {
	place, departs := e.station.step()
	if !departs {
		return
	}
	if r := e.jobs.request(place); r != nil && r.waited {
		e.end(r, record.Answered)
	}
	e.jobs.close(place)
}

// expire gives up the copy whose timeout is due, and ends its request if it is
// the first; the server may work on.
func (e *engine) expire() {
	place := e.timeouts.pop()
	if j := &e.jobs.places[place]; j.waited {
		e.end(j, record.TimedOut)
	}
	if e.station.abandon(e.now, place) {
		e.jobs.close(place)
	}
}

// end tells the sinks and the source that a request has ended, which stands
// with its first copy.
func (e *engine) end(j *job, outcome record.Outcome) {
	j.waited = false
	e.open--
	e.ledger.enter(j, e.now, outcome)
	e.source.ended(j.client, e.now, outcome == record.Answered)
}

// passDrain moves the clock to the end of the drain if something is still open:
// it has been waited for that long.
func (e *engine) passDrain() {
	if end := after(e.source.end(), e.drain); e.open > 0 && end != never {
		e.advance(end)
	}
}

// giveUp ends the requests that are still open as unfinished, in the order of
// their schedule.
func (e *engine) giveUp() {
	var left []job
	for _, j := range e.jobs.places {
		if j.serial != 0 && j.waited {
			left = append(left, j)
		}
	}
	slices.SortFunc(left, func(a, b job) int { return cmp.Compare(a.serial, b.serial) })
	for i := range left {
		e.ledger.enter(&left[i], e.now, record.Unfinished)
	}
	e.open = 0
}
