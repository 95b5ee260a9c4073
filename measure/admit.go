package measure

import (
	"fmt"

	"queuelab/drivers"
	"queuelab/measure/host"
	"queuelab/measure/record"
)

// mostInFlight bounds the requests in flight of an open run, so that an overload does
// not eat the generator's memory: each takes a goroutine, and most of them a
// connection.
const mostInFlight = 100_000

// admit says whether one more request of an open loop may be sent. What comes due
// while the cap's number is in flight is not sent, and counted: sent later, its
// latency would tell of the generator.
//
// Copies that lost run on after their request's end, so that copies, not requests,
// are what is counted where there may be several.
func (r *runner) admit() bool {
	copies := int64(r.workload.MostCopies())
	if copies == 1 {
		return r.inFlight.Load() < r.mostInFlight
	}
	if r.places.Add(copies) <= r.mostInFlight*copies {
		return true
	}
	r.places.Add(-copies)
	return false
}

// refuse records a request that was not admitted.
func (s *sender) refuse(t task) {
	s.run.capped.Add(1)
	s.run.inFlight.Add(1) // end takes it out again
	s.end(s.run.unsent(t))
}

// unsent is the record of a request that is never sent.
func (r *runner) unsent(t task) record.Request {
	return record.Request{Number: t.number, Scheduled: t.due, Ended: r.now(), Outcome: record.Unsent}
}

// mostInFlight is the cap of a run on a driver whose connections are idle: fewer than
// the constant when each request may need a connection, and there are no files or no
// local ports for so many. One that is missing would look like a fault of the server.
// Half of the files are left for connections that are being opened for requests that
// another one has served meanwhile, and for those that are being closed.
func (p Plan) mostInFlight(driver drivers.Driver) int64 {
	if p.limited() {
		return mostInFlight
	}
	idle, most := int(driver.Connections().Established), mostInFlight
	if files, known := host.OpenFiles(); known {
		most = min(most, files.Left()/2+idle)
	}
	if ports, err := host.Ports(driver.Remote()); err == nil {
		most = min(most, ports.Left()+ports.TimeWait+idle) // those in TIME_WAIT are given away before long
	}
	return int64(max(most/p.Workload.MostCopies(), 1))
}

// limited says whether requests wait for one of a fixed number of connections.
func (p Plan) limited() bool { return p.Options.Connections > 0 || p.Driver != "http" }

// connections is how many connections the run needs at least, its requests waiting
// for their answers; of an open run without a limit, one.
func (p Plan) connections() int {
	waiting := p.Workload.Clients * p.Workload.MostCopies() // 0 of an open loop
	limit := p.Options.Connections
	switch {
	case p.Driver != "http" && limit == 0:
		return max(p.Workload.Clients, 1)
	case p.Driver == "http" && limit > 0 && waiting > 0:
		return min(limit, waiting)
	case limit > 0:
		return limit
	}
	return max(waiting, 1)
}

// mostTimers is how many closed clients may have a timer, which takes a file, without
// taking one from a connection; the others sleep by the runtime's clock.
func (p Plan) mostTimers(driver drivers.Driver) int {
	files, known := host.OpenFiles()
	if !known {
		return p.Workload.Clients
	}
	return max(files.Left()-p.connections()+int(driver.Connections().Established), 0)
}

// checkFiles refuses a run that needs more connections than files may be opened.
func (p Plan) checkFiles() error {
	files, known := host.OpenFiles()
	need := p.connections()
	if !known || need <= files.Left() {
		return nil
	}
	return &drivers.UsageError{Reason: fmt.Sprintf(
		"%d connections are needed, and this process may open files for only %d (%d in all): raise the limit with ulimit -n %d, or ask for fewer clients or connections",
		need, files.Left(), files.Limit, files.Need(need))}
}
