package reports

import (
	"context"
	"fmt"
	"time"

	"queuelab/analysis"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// calibrated is what is known of a target before it is measured.
type calibrated struct {
	runs         []string // names of the runs
	result       CalibrationResult
	closed, open predictor
}

// predictor is a model of the target and what it is in words.
type predictor struct {
	analysis.Model
	words string
}

// calibrationClients keep the server busy all the time: with one of them on
// its way, the others wait.
const calibrationClients = 8

// probe is the service time with which a known-answer server's round trip is
// calibrated.
const probe = time.Millisecond

// calibrate measures what the predictions need.
func (r *runner) calibrate(ctx context.Context, s *site, when string) (*calibrated, error) {
	if s.target.Serve != nil {
		return r.calibrateKnown(ctx, s, when)
	}
	one, err := r.calibrationRun(ctx, s, when, 1, nil)
	if err != nil {
		return nil, err
	}
	several, err := r.calibrationRun(ctx, s, when, calibrationClients, nil)
	if err != nil {
		return nil, err
	}
	c, err := analysis.Calibrate(one, several)
	if err != nil {
		return nil, err
	}
	out := &calibrated{
		runs:   []string{calibrationName(when, "1"), calibrationName(when, fmt.Sprint(calibrationClients))},
		result: calibrationResult(c),
	}
	if out.closed.Model, err = c.Queue(); err != nil {
		return nil, err
	}
	out.open = out.closed
	queue, open := "one server", "one server"
	behind := "with a fixed delay outside the queue and the service law measured with one client"
	law := behind
	if s.oneConnection() {
		open, law = "one connection", "each round trip occupying it, with the law of round trips measured with one client"
		if out.open.Model, err = c.Connection(); err != nil {
			return nil, err
		}
	}
	out.closed.Discipline, out.open.Discipline = s.disciplines()
	out.closed.words = word(queue, out.closed.Discipline, behind)
	out.open.words = word(open, out.open.Discipline, law)
	return out, nil
}

// calibrateKnown measures the round trip to a server whose service law is
// known, and whose service times travel with the requests.
func (r *runner) calibrateKnown(ctx context.Context, s *site, when string) (*calibrated, error) {
	one, err := r.calibrationRun(ctx, s, when, 1, law.NewDeterministic(probe.Seconds()))
	if err != nil {
		return nil, err
	}
	delay, err := analysis.RoundTrip(one, probe)
	if err != nil {
		return nil, err
	}
	service := s.target.Serve
	m := analysis.Model{Service: service, Servers: s.target.Servers, Delay: workload.Nanoseconds(delay)}
	known := predictor{m, word(plural(s.target.Servers, "server"), m.Discipline, fmt.Sprintf("with the service law %s and a fixed round trip outside the queue", service))}
	return &calibrated{
		runs: []string{calibrationName(when, "1")},
		result: CalibrationResult{
			IdleMS:   record.Value((service.Mean() + delay) * 1e3),
			DemandMS: record.Value(1e3 / m.Capacity()), ServiceMS: record.Value(service.Mean() * 1e3), Servers: m.Servers,
			DelayMS:  record.Value(delay * 1e3),
			Capacity: record.Value(m.Capacity()),
		},
		closed: known, open: known,
	}, nil
}

// calibrationRun takes a closed run; service is what its requests carry.
func (r *runner) calibrationRun(ctx context.Context, s *site, when string, clients int, service law.Law) (*analysis.Sample, error) {
	w := workload.Workload{Clients: clients, Length: r.profile.Calibrate, Service: service}
	w.Seed = r.seed(s, "calibration "+when, clients)
	sample := &analysis.Sample{}
	_, err := r.take(ctx, s, calibrationName(when, fmt.Sprint(clients)), fmt.Sprintf("calibration, N = %d", clients), w, sample)
	return sample, err
}

// calibrationName is the name of a calibration run.
func calibrationName(when, clients string) string { return "calibration-" + when + "-" + clients }

func calibrationResult(c *analysis.Calibration) CalibrationResult {
	return CalibrationResult{
		IdleMS:      record.Value(c.Idle * 1e3),
		DemandMS:    record.Value(c.Demand * 1e3),
		ServiceMS:   record.Value(c.Demand * 1e3),
		Servers:     1,
		DelayMS:     record.Value(c.Delay() * 1e3),
		Capacity:    record.Value(c.Capacity()),
		DemandError: record.Value(c.DemandError),
	}
}
