package analysis

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/stat"

	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// Calibration is what closed runs say about a server. Times are seconds.
//
// The bottleneck's service demand is D = 1/Xmax, from a run with enough clients
// to keep it busy. What one client sees beyond it, R(1) - D, is a fixed delay
// outside the queue: network, and work that overlaps with other requests'
// service. The law of one client's times gives the spread of the service.
type Calibration struct {
	Idle        float64 // R(1), mean time from sending to answer with one client
	Demand      float64 // D
	DemandError float64 // standard error of D, relative to D
	IdleError   float64 // standard error of R(1), relative to it
	times       []float64
}

// fewest is how many answers each calibration run needs: fewer say nothing
// about a law.
const fewest = 30

// Calibrate takes a closed run with one client and one with several.
func Calibrate(one, several *Sample) (*Calibration, error) {
	for _, s := range []*Sample{one, several} {
		if err := s.enough(); err != nil {
			return nil, err
		}
	}
	demand, relative, err := demandOf(several)
	if err != nil {
		return nil, err
	}
	idle, spread := batched(one.seen)
	return &Calibration{
		Idle:        idle,
		IdleError:   spread,
		Demand:      demand,
		DemandError: relative,
		times:       one.seen,
	}, nil
}

func (s *Sample) enough() error {
	if len(s.seen) < fewest {
		return fmt.Errorf("a calibration run had %d answers and needs %d: make it longer, or see with queuelab bench why requests fail", len(s.seen), fewest)
	}
	return nil
}

// batches are the parts of a run whose spread gives the demand's error.
const batches = 10

// demandOf is the mean time between answers and its relative standard error.
func demandOf(s *Sample) (demand, relative float64, err error) {
	ended := slices.Sorted(slices.Values(s.ended))
	gaps := make([]float64, len(ended)-1)
	for i := range gaps {
		gaps[i] = (ended[i+1] - ended[i]).Seconds()
	}
	demand, relative = batched(gaps)
	if demand <= 0 {
		return 0, 0, errors.New("all answers of the calibration came at the same instant: make it longer")
	}
	return demand, relative, nil
}

// batched is the mean of successive values and its relative standard error by
// batch means, because successive values are not independent.
func batched(values []float64) (mean, relative float64) {
	means := make([]float64, batches)
	size := len(values) / batches
	for i := range means {
		means[i] = stat.Mean(values[i*size:(i+1)*size], nil)
	}
	mean = stat.Mean(values, nil)
	return mean, stat.StdDev(means, nil) / math.Sqrt(batches) / mean
}

// Capacity is 1/D in requests per second.
func (c *Calibration) Capacity() float64 { return 1 / c.Demand }

// Delay is the fixed delay outside the queue, R(1) - D, at least 0.
func (c *Calibration) Delay() float64 { return max(c.Idle-c.Demand, 0) }

// Queue is the model of the server as a queue with demand D in which the delay
// lies outside.
func (c *Calibration) Queue() (Model, error) {
	shifted := make([]float64, len(c.times))
	for i, t := range c.times {
		shifted[i] = max(t-c.Delay(), 0)
	}
	return c.model(shifted, c.Demand, c.DemandError, c.Delay())
}

// Connection is the model of one connection on which requests queue: the whole
// round trip occupies it, so nothing lies outside the queue.
func (c *Calibration) Connection() (Model, error) {
	return c.model(c.times, c.Idle, c.IdleError, 0)
}

// model scales the law of times to a mean.
func (c *Calibration) model(times []float64, mean, meanError, delay float64) (Model, error) {
	measured, err := law.NewEmpirical("measured", times)
	if err != nil {
		return Model{}, fmt.Errorf("the calibration gives no service law: %w", err)
	}
	return Model{
		Service:   law.Scaled(measured, mean/measured.Mean()),
		Servers:   1,
		Delay:     workload.Nanoseconds(delay),
		MeanError: meanError,
	}, nil
}

// RoundTrip is the fixed delay of a server whose service times are known, from
// a run with one client in which each took probe: what was seen beyond it, the
// lateness of the server's timers included. In seconds, at least 0.
func RoundTrip(one *Sample, probe time.Duration) (float64, error) {
	if err := one.enough(); err != nil {
		return 0, err
	}
	return max(stat.Mean(one.seen, nil)-probe.Seconds(), 0), nil
}
