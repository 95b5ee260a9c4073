package measure

import (
	"context"
	"fmt"

	"queuelab/measure/record"
)

// Staller makes a server stand still and lets it work again. It serves one
// goroutine at a time.
type Staller interface {
	// Stall asks the server to stand still, or to hold new work. It returns once
	// that is asked: it takes the server a moment to obey, or as long as the work
	// in service lasts.
	Stall() error
	// Resume lets the server work again. It may be called more than once, and
	// without a Stall before; it is always called before the server is left.
	Resume() error
}

// executeStalled executes the run while the server stands still again and again,
// until the drain has ended. It returns when the server works again, with the times
// for which it was asked to stand still. When stalling fails, the schedule stops.
func (r *runner) executeStalled(ctx context.Context) (interrupted bool, stalls []record.Stalled, err error) {
	if !r.workload.Stall.Any() {
		return r.execute(ctx), nil, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	pacer := NewPacer(r.start)
	over := make(chan struct{})
	go func() {
		defer close(over)
		if stalls, err = r.stall(pacer); err != nil {
			cancel()
		}
	}()
	// Also when execute panics: whoever recovers shall find the server at work.
	defer func() {
		pacer.Close()
		<-over
	}()
	interrupted = r.execute(ctx)
	return
}

// stall stalls the server, from the start of the run until the pacer is closed.
func (r *runner) stall(pacer Pacer) (happened []record.Stalled, err error) {
	defer func() {
		failed := r.staller.Resume()
		if err == nil {
			err = failed
		}
		if err != nil {
			err = fmt.Errorf("the server could not be stalled as asked: %w", err)
		}
	}()
	stall := r.workload.Stall
	for i := int64(0); pacer.Wait(stall.Begin(i)); i++ {
		if r.now() >= stall.Begin(i)+stall.Length {
			continue // on a busy machine the one before ended too late: the server is to work in between
		}
		if err := r.staller.Stall(); err != nil {
			return happened, err
		}
		began := r.now()
		pacer.Wait(stall.Begin(i) + stall.Length) // or until the run is over
		happened = append(happened, record.Stalled{Begin: began.Seconds(), End: r.now().Seconds()})
		if err := r.staller.Resume(); err != nil {
			return happened, err
		}
	}
	return happened, nil
}
