package measure

import (
	"runtime"
	"time"

	"queuelab/measure/host"
	"queuelab/measure/record"
)

// generator says what a run cost this process since an earlier look, over so much
// time, of which it waited awake for a part.
func generator(before host.Usage, length, spun time.Duration) *record.Generator {
	g := &record.Generator{
		CPUs: runtime.GOMAXPROCS(0),
		User: record.Unknown(), System: record.Unknown(),
		Spun: record.Value(spun.Seconds()), Busy: record.Unknown(),
	}
	used := host.Used().Since(before)
	if !used.Known || length <= 0 {
		return g
	}
	g.User, g.System = record.Value(used.User.Seconds()), record.Value(used.System.Seconds())
	working := max(used.User+used.System-spun, 0)
	g.Busy = record.Value(working.Seconds() / length.Seconds() / float64(g.CPUs))
	return g
}
