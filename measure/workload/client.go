package workload

import (
	"math"
	"math/rand/v2"
	"time"

	"queuelab/measure/law"
)

// Keys is how many different keys requests carry: integers below it.
const Keys = 1_000_000

// FailurePause is how long a closed client waits, on top of its think time,
// after a request that was not answered, so that a server that is down is not
// hammered.
const FailurePause = 10 * time.Millisecond

// Client draws what one closed client, or all requests of an open workload,
// carry. Each kind of draw has a stream of its own, so that the k-th request of
// a client is the same whatever else was drawn.
type Client struct {
	think, service             law.Law
	thinks, keys, serviceTimes *rand.Rand
}

// Client returns the draws of closed client i, or of an open workload for i = 0.
func (w *Workload) Client(i int) *Client {
	return &Client{
		think:        w.Think,
		service:      w.Service,
		thinks:       Stream(w.Seed, "think", i),
		keys:         Stream(w.Seed, "key", i),
		serviceTimes: Stream(w.Seed, "service", i),
	}
}

// NextThink is the think time before the next request.
func (c *Client) NextThink() time.Duration {
	if c.think == nil {
		return 0
	}
	return Nanoseconds(c.think.Draw(c.thinks))
}

// NextKey is the key of the next request.
func (c *Client) NextKey() int64 { return c.keys.Int64N(Keys) }

// NextService is the service time that travels with the next request, 0 when
// none does.
func (c *Client) NextService() time.Duration {
	if c.service == nil {
		return 0
	}
	return Nanoseconds(c.service.Draw(c.serviceTimes))
}

// longestDraw bounds a drawn time at some 31 years: a heavy tail must not
// overflow the clock.
const longestDraw = 1e18

// Nanoseconds rounds a time in seconds to the clock's nanoseconds.
func Nanoseconds(seconds float64) time.Duration {
	return time.Duration(math.Round(min(seconds*1e9, longestDraw)))
}
