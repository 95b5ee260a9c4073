package host

import (
	"fmt"
	"io/fs"
	"slices"
	"time"
)

const (
	timerSleep   = time.Millisecond
	timerSamples = 40
	// A plain sleep of an idle Go program wakes on the kernel's millisecond grid:
	// up to a millisecond late is usual, more is not.
	timerWarning = 1500 * time.Microsecond
	// A wake-up this late means that the CPU was elsewhere.
	timerBad = 20 * time.Millisecond
)

func checkTimer(fs.FS) finding {
	late := make([]time.Duration, timerSamples)
	for i := range late {
		start := time.Now()
		time.Sleep(timerSleep)
		late[i] = time.Since(start) - timerSleep
	}
	return judgeTimer(late)
}

// judgeTimer judges by the median, and by the latest of all.
func judgeTimer(late []time.Duration) finding {
	sorted := slices.Sorted(slices.Values(late))
	median, latest := sorted[(len(sorted)-1)/2], sorted[len(sorted)-1]
	f := finding{
		status: Good,
		seen: fmt.Sprintf("%d sleeps of %v: half at most %.2f ms late, the latest %.2f ms", len(late), timerSleep,
			float64(median)/1e6, float64(latest)/1e6),
		mend: "stop other work on this machine; on a virtual machine ask for CPUs of its own",
	}
	switch {
	case latest > timerBad:
		f.status = Bad
	case median > timerWarning:
		f.status = Warning
	}
	return f
}
