package analysis

import (
	"context"
	"math"
	"strings"
	"testing"
	"time"

	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
	"queuelab/sim"
)

// closedSample simulates a server with a fixed delay outside its queue, as a
// calibration run would see it.
func closedSample(t *testing.T, clients int, service law.Law, delay time.Duration) *Sample {
	t.Helper()
	w := workload.Workload{Clients: clients, Requests: 20000, Seed: 7, Drain: time.Minute}
	if delay > 0 {
		w.Think = law.NewDeterministic(delay.Seconds())
	}
	sample := &Sample{}
	shift := shifted{sample, delay}
	if _, err := sim.Run(context.Background(), &w, sim.Station{Servers: 1, Service: service}, sim.Options{Sinks: []record.Sink{shift}}); err != nil {
		t.Fatal(err)
	}
	return sample
}

// shifted adds the delay that the simulator took as think time.
type shifted struct {
	to    record.Sink
	delay time.Duration
}

func (s shifted) Add(r *record.Request) {
	moved := *r
	moved.Sent -= s.delay
	s.to.Add(&moved)
}

func TestCalibrateRecoversAServer(t *testing.T) {
	const delay = time.Millisecond
	service := law.NewGamma(0.004, 0.2)
	c, err := Calibrate(closedSample(t, 1, service, delay), closedSample(t, 8, service, delay))
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct {
		name      string
		got, want float64
	}{
		{"D", c.Demand, 0.004},
		{"R(1)", c.Idle, 0.005},
		{"capacity", c.Capacity(), 250},
	} {
		if math.Abs(x.got/x.want-1) > 0.02 {
			t.Errorf("%s = %g, want %g within 2 %%", x.name, x.got, x.want)
		}
	}
	if d := c.Delay(); math.Abs(d-0.001) > 0.0002 {
		t.Errorf("delay %g s, want 0.001 within 0.0002", d)
	}
	if !(c.DemandError > 0 && c.DemandError < 0.02) {
		t.Errorf("relative error of D is %g, want something small above 0", c.DemandError)
	}
	queue, err := c.Queue()
	if err != nil {
		t.Fatal(err)
	}
	if got := queue.Service.SCV(); math.Abs(got-0.2) > 0.04 {
		t.Errorf("SCV of the service law %g, want 0.2 within 0.04", got)
	}
	connection, err := c.Connection()
	if err != nil {
		t.Fatal(err)
	}
	if connection.Delay != 0 || math.Abs(connection.Service.Mean()-c.Idle) > 1e-9 {
		t.Errorf("the connection is occupied %g s with %v beside it, want R(1) = %g and none", connection.Service.Mean(), connection.Delay, c.Idle)
	}
}

func TestDemandOfEvenAnswers(t *testing.T) {
	s := &Sample{}
	for i := range 101 {
		at := time.Duration(i) * 4 * time.Millisecond
		s.Add(&record.Request{Ended: at + time.Second, Outcome: record.Answered})
	}
	demand, relative, err := demandOf(s)
	if err != nil || math.Abs(demand-0.004) > 1e-12 || relative > 1e-9 {
		t.Errorf("demand %g, relative error %g, %v; want exactly 0.004 and 0", demand, relative, err)
	}
}

func TestCalibrateRefusesTooFewAnswers(t *testing.T) {
	few := &Sample{}
	for i := range fewest - 1 {
		few.Add(&record.Request{Ended: time.Duration(i), Outcome: record.Answered})
	}
	few.Add(&record.Request{Outcome: record.Failed})
	_, err := Calibrate(few, few)
	if err == nil || !strings.Contains(err.Error(), "make it longer") {
		t.Errorf("got %v, want an error that says what to do", err)
	}
}
