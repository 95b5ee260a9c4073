package sim

import (
	"queuelab/measure/workload"
)

// closed is the source of a closed workload: each client sends, waits for the
// answer, thinks, and sends again.
type closed struct {
	clients  []*workload.Client
	thinking agenda // clients by the instant of their next request
	length   int64
	left     int64 // requests that may still be scheduled
	last     int64 // latest instant of a request
}

func newClosed(w *workload.Workload) *closed {
	c := &closed{length: limit(int64(w.Length)), left: limit(w.Requests)}
	for i := range w.Clients {
		c.clients = append(c.clients, w.Client(i))
		c.schedule(int32(i), 0)
	}
	return c
}

// schedule plans a client's next request, after it has thought, unless the
// schedule ends before.
func (c *closed) schedule(client int32, now int64) {
	due := after(now, int64(c.clients[client].NextThink()))
	if due >= c.length || c.left == 0 {
		return
	}
	c.left--
	c.last = max(c.last, due)
	c.thinking.push(due, client)
}

func (c *closed) next() int64 { return c.thinking.next() }

func (c *closed) take() (int32, int64) {
	client := c.thinking.pop()
	return client, int64(c.clients[client].NextService())
}

func (c *closed) ended(client int32, now int64, answered bool) {
	if !answered {
		now = after(now, int64(workload.FailurePause))
	}
	c.schedule(client, now)
}

func (c *closed) end() int64 {
	if c.left == 0 {
		return c.last
	}
	return c.length
}
