package trial

import (
	"context"
	"errors"
	"fmt"
	"time"

	"queuelab/measure/host"
	"queuelab/measure/record"
)

// lookEvery is the time between two looks at the local ports, of which each costs
// the kernel some 50 ms when all of them are taken.
const lookEvery = time.Second

// pause waits until a run finds enough local ports, at most as long as the plan
// says. A connection that was closed keeps its port in TIME_WAIT, on Linux for 60 s.
func (t *taker) pause(ctx context.Context) *record.Pause {
	began := time.Now()
	out := &record.Pause{TimeWait: record.Unknown(), Left: record.Unknown()}
	out.Note = t.await(ctx, out, began.Add(t.Pause))
	out.Waited = record.Value(time.Since(began).Seconds())
	return out
}

// await waits for ports and returns what there is to say about them.
func (t *taker) await(ctx context.Context, out *record.Pause, until time.Time) string {
	if t.remote == "" {
		if len(t.runs) == 0 && t.opened == 0 {
			return "" // the target's address is known only after the first run
		}
		return "a Unix socket needs no ports"
	}
	for {
		use, err := host.Ports(t.remote)
		if errors.Is(err, errors.ErrUnsupported) {
			sleep(ctx, time.Until(until))
			return "this system does not tell how many ports are left, so the pause was as long as it could be"
		}
		if err != nil {
			return fmt.Sprintf("how many ports were left is not available: %v", err)
		}
		out.TimeWait, out.Left = record.Value(use.TimeWait), record.Value(use.Left())
		wanted := enough(max(t.opened, int64(t.Run.Workload.Clients)), use.All)
		if use.Left() >= wanted {
			return ""
		}
		if !sleep(ctx, min(lookEvery, time.Until(until))) {
			return fmt.Sprintf("%d ports were left where some %d were wanted: a longer pause frees those in TIME_WAIT, on Linux after 60 s", use.Left(), wanted)
		}
	}
}

// enough is how many ports a run wants that opens as many connections as the one
// before: twice as many and a few more, since runs differ and the kernel's search
// for a free port gets slow when few are left, but no more than there are when few
// others are connected.
func enough(opened int64, all int) int {
	return int(min(2*opened+16, int64(all)*9/10))
}

// sleep returns false when there was no time to sleep or ctx has ended.
func sleep(ctx context.Context, length time.Duration) bool {
	if length <= 0 {
		return false
	}
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
