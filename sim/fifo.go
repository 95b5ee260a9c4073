package sim

// fifo serves jobs in the order of their arrival, each on one server and to
// its end.
type fifo struct {
	servers int
	waiting ring[waiter]
	serving agenda // departures of the jobs in service
	granted int64  // service time of all jobs that ever began
}

type waiter struct {
	service int64
	place   int32
}

func newFIFO(s Station) discipline { return &fifo{servers: s.Servers} }

func (f *fifo) arrive(now int64, place int32, service int64) {
	if len(f.serving.heap) < f.servers {
		f.begin(now, place, service)
		return
	}
	f.waiting.push(waiter{service, place})
}

func (f *fifo) begin(now int64, place int32, service int64) {
	departure := after(now, service)
	f.granted += departure - now
	f.serving.push(departure, place)
}

func (f *fifo) next() int64 { return f.serving.next() }

func (f *fifo) step() (int32, bool) {
	now := f.serving.next()
	place := f.serving.pop()
	if f.waiting.n > 0 {
		w := f.waiting.pop()
		f.begin(now, w.place, w.service)
	}
	return place, true
}

func (f *fifo) busyTime(now int64) int64 {
	busy := f.granted
	for _, e := range f.serving.heap {
		busy -= e.at - now // what is still to be done of a job in service
	}
	return busy
}
