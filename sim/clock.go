package sim

// clock is the working clock of a station's servers: real time less the time
// that they stood still. What they work on is planned on it, so that a freeze
// shifts every departure without a change to any of the plans. The zero value
// runs with real time.
type clock struct {
	behind  int64 // ns that it is behind real time, the present stop not counted
	stopped int64 // real instant of the present stop
	still   bool
}

// at is what the clock shows at a real instant.
func (c *clock) at(now int64) int64 {
	if c.still {
		now = c.stopped
	}
	return now - c.behind
}

// real is the real instant at which the clock will show a time; never while it
// stands still.
func (c *clock) real(shown int64) int64 {
	if c.still {
		return never
	}
	return after(shown, c.behind)
}

func (c *clock) stop(now int64) { c.stopped, c.still = now, true }

func (c *clock) start(now int64) {
	c.behind += now - c.stopped
	c.still = false
}
