package sim

import "queuelab/measure/workload"

// fifoName is how the discipline is asked for; it is the default.
const fifoName = "fifo"

// fifo serves jobs in the order of their arrival, each on one server and to
// its end.
type fifo struct {
	clock   clock // of the servers
	servers int
	waiting ring[waiter]
	serving agenda // departures of the jobs in service, on the servers' clock
	granted int64  // service time of all jobs that ever began
	locked  bool   // nothing begins
}

type waiter struct {
	service int64
	place   int32
}

func newFIFO(_ string, s *Station, _ *workload.Workload) (discipline, error) {
	return &fifo{servers: s.Servers}, nil
}

func (f *fifo) arrive(now int64, place int32, service int64) {
	if len(f.serving.heap) < f.servers && !f.locked {
		f.begin(f.clock.at(now), place, service)
		return
	}
	f.waiting.push(waiter{service, place})
}

// begin puts a job into service at a time of the servers' clock.
func (f *fifo) begin(at int64, place int32, service int64) {
	departure := after(at, service)
	f.granted += departure - at
	f.serving.push(departure, place)
}

func (f *fifo) next() int64 { return f.clock.real(f.serving.next()) }

func (f *fifo) step() (int32, bool) {
	at := f.serving.next()
	place := f.serving.pop()
	if f.waiting.n > 0 && !f.locked {
		w := f.waiting.pop()
		f.begin(at, w.place, w.service)
	}
	return place, true
}

func (f *fifo) busyTime(now int64) int64 {
	busy, at := f.granted, f.clock.at(now)
	for _, e := range f.serving.heap {
		busy -= e.at - at // what is still to be done of a job in service
	}
	return busy
}

// abandon: the server does not notice.
func (f *fifo) abandon(int64, int32) bool { return false }

func (f *fifo) stall(now int64, kind workload.StallKind) {
	if kind == workload.Lock {
		f.locked = true
		return
	}
	f.clock.stop(now)
}

func (f *fifo) resume(now int64) {
	if !f.locked {
		f.clock.start(now)
		return
	}
	f.locked = false
	for f.waiting.n > 0 && len(f.serving.heap) < f.servers {
		w := f.waiting.pop()
		f.begin(f.clock.at(now), w.place, w.service)
	}
}
