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
	timeouts timeouts
	jobs     jobs
	drain    int64
	open     int64 // requests that someone waits for
	ledger   ledger
	sampler  *sampler
	mark     int64 // instant of the next look at the system
	warm     int64 // servers' busy time at the end of the warm-up; below 0 until then
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
	departure, timeout, arrival := e.station.next(), e.timeouts.next(&e.jobs), e.source.next()
	at := min(departure, timeout, arrival)
	if arrival == never && (e.open == 0 || at > after(e.source.end(), e.drain)) || at == never {
		return false
	}
	e.advance(at)
	switch at {
	case departure:
		e.depart()
	case timeout:
		e.expire()
	default:
		e.arrive()
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

func (e *engine) arrive() {
	client, service := e.source.take()
	place := e.jobs.open(e.now, service, client)
	e.timeouts.start(e.now, place, e.jobs.serial)
	e.open++
	e.station.arrive(e.now, place, service)
}

// depart ends the service of a job, and its request if someone still waits.
func (e *engine) depart() {
	place, departs := e.station.step()
	if !departs {
		return
	}
	if j := &e.jobs.places[place]; j.waited {
		e.end(j, record.Answered)
	}
	e.jobs.close(place)
}

// expire ends the request whose timeout is due; the server works on.
func (e *engine) expire() {
	j := &e.jobs.places[e.timeouts.line.pop().place]
	j.waited = false
	e.end(j, record.TimedOut)
}

// end tells the sinks and the source that a request has ended.
func (e *engine) end(j *job, outcome record.Outcome) {
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
