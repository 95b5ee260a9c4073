package measure

import (
	"io"
	"net"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"queuelab/drivers"
	"queuelab/measure/host"
	"queuelab/measure/law"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// echo sends a few bytes to an echo server of this process and reads them back:
// both sides need the scheduler to look at the network.
type echo struct {
	drivers.Driver
	idle chan net.Conn
}

func newEcho(t *testing.T, connections int) echo {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go io.Copy(onlyWriter{conn}, onlyReader{conn})
		}
	}()
	e := echo{idle: make(chan net.Conn, connections)}
	for range connections {
		conn, err := net.Dial("tcp", listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		e.idle <- conn
	}
	return e
}

// Without the other methods of a connection, io.Copy reads and writes as anybody
// does, instead of splicing.
type (
	onlyReader struct{ io.Reader }
	onlyWriter struct{ io.Writer }
)

func (e echo) Do(*drivers.Request) drivers.Answer {
	conn := <-e.idle
	defer func() { e.idle <- conn }()
	var message [32]byte
	if _, err := conn.Write(message[:]); err != nil {
		return drivers.Answer{Class: drivers.ClassReset}
	}
	if _, err := io.ReadFull(conn, message[:]); err != nil {
		return drivers.Answer{Class: drivers.ClassReset}
	}
	return drivers.Answer{}
}

// yielding waits awake for its whole wait and yields again and again.
type yielding struct{ start time.Time }

func (p yielding) Wait(due time.Duration) bool {
	for due > time.Since(p.start) {
		runtime.Gosched()
	}
	return true
}

func (yielding) Close() {}

// Waiting awake delays no answer on one core, although the gap between requests is
// as long as the longest spin. One that only yields does: its answers are seen when
// the runtime's monitor looks, after 10 ms.
func TestSpinningDelaysNoAnswer(t *testing.T) {
	oneProc(t)
	driver := newEcho(t, 50)
	kinds := map[string]func(time.Time) Pacer{
		"asleep":   NewPacer,
		"awake":    awake,
		"yielding": func(start time.Time) Pacer { return yielding{start} },
	}
	least := make(map[string]time.Duration) // of the medians of each turn: others on the machine only add
	for range 10 {                          // in turn: the machine is never the same
		for name, kind := range kinds {
			median := medianSeen(t, paced(kind, driver, float64(time.Second/longestLead), 100))
			if known, ok := least[name]; !ok || median < known {
				least[name] = median
			}
		}
	}
	t.Logf("median latency %v", least)
	if float64(least["awake"])/float64(least["asleep"]) > float64(least["yielding"])/float64(least["awake"]) {
		t.Error("the median latency with a pacer that waits awake is nearer to that of one that starves answers than to that of one that sleeps")
	}
	if least["yielding"] < 3*least["asleep"] {
		t.Errorf("a pacer that starves answers is not noticed: median latency %v, and %v with one that sleeps", least["yielding"], least["asleep"])
	}
}

// medianSeen is the median time from sending to answer.
func medianSeen(t *testing.T, kept records) time.Duration {
	var seen []time.Duration
	for _, r := range kept {
		if r.Outcome != record.Answered {
			t.Fatalf("a request ended as %v %s", r.Outcome, r.Class)
		}
		seen = append(seen, r.ClientSeen())
	}
	slices.Sort(seen)
	return seen[len(seen)/2]
}

// One look suffices to see an answer that has come, however long the wait. To yield
// does not.
func TestALookSeesAnswers(t *testing.T) {
	oneProc(t)
	driver := newEcho(t, 1)
	s := newSpinner(time.Now())
	if s == nil {
		t.Skip("there is no eventfd here")
	}
	defer s.close()
	ways := map[string]func(){
		"looks":  func() { s.look() },
		"yields": runtime.Gosched,
	}
	few := make(map[string]int) // the lower quartile: others on the machine only add
	for way, do := range ways {
		var taken []int
		for range 21 {
			var answered atomic.Bool
			go func() {
				driver.Do(nil)
				answered.Store(true)
			}()
			n := 0
			for ; !answered.Load(); n++ {
				do()
			}
			taken = append(taken, n)
		}
		slices.Sort(taken)
		few[way] = taken[len(taken)/4]
	}
	t.Logf("until an echo came: %v", few)
	// To the server, back, and to the reader, with something to spare for a busy kernel.
	if few["looks"] > 20 {
		t.Errorf("an echo is seen by the %d-th look", few["looks"])
	}
	if few["yields"] < 10*few["looks"] {
		t.Errorf("%d yields see an echo: there is no need to look", few["yields"])
	}
}

// What is spun away is a bounded share of the time, at a rate at which every moment
// could be spun and for clients that all would spin at once, and no more than the CPU
// time that the process used.
func TestSpunShareIsBounded(t *testing.T) {
	const length = 200 * time.Millisecond
	think, err := law.Parse("exp:1ms")
	if err != nil {
		t.Fatal(err)
	}
	closed := workload.Workload{Clients: 20, Think: think, Length: length, Drain: time.Second}
	open := workload.Workload{Open: true, Rate: 10_000, Arrivals: workload.Even, Length: length, Drain: time.Second}
	for name, w := range map[string]workload.Workload{"open": open, "closed": closed} {
		r := newRunner(&w, instant{}, nil, nil)
		go r.collect()
		used := host.Used()
		r.execute(t.Context())
		took, cost := r.now(), host.Used().Since(used)
		close(r.finished)
		spun := r.spinner.Spun()
		t.Logf("%s: spun %v of %v", name, spun, took)
		if bound := time.Duration(spinShare*float64(took)) + spinReserve + longestLead; spun > bound {
			t.Errorf("%s: %v of %v were spun, more than %v", name, spun, took, bound)
		}
		if spun == 0 {
			t.Errorf("%s: nothing was spun", name)
		}
		if all := cost.User + cost.System; cost.Known && spun > all+length/20 {
			t.Errorf("%s: %v were spun in %v of CPU time", name, spun, all)
		}
	}
}

// A run that may not spin does not.
func TestNoSpin(t *testing.T) {
	w := &workload.Workload{Open: true, Rate: 1000, Arrivals: workload.Even, Requests: 20, Drain: time.Second}
	r := newRunner(w, instant{}, nil, nil)
	r.noSpin = true
	go r.collect()
	r.execute(t.Context())
	close(r.finished)
	if spun := r.spinner.Spun(); spun != 0 {
		t.Errorf("%v were spun", spun)
	}
}

// The lead follows how late the timer is, within its bounds, and shrinks when the
// budget runs out.
func TestLeadFollowsTheTimer(t *testing.T) {
	s := newSpinner(time.Now().Add(-time.Hour))
	if s == nil {
		t.Skip("there is no eventfd here")
	}
	defer s.close()
	for _, c := range []struct {
		late     time.Duration
		from, to time.Duration
	}{
		{40 * time.Microsecond, 35 * time.Microsecond, 50 * time.Microsecond},
		{time.Second, longestLead, longestLead},
		{0, lookLength, lookLength},
		{150 * time.Microsecond, 145 * time.Microsecond, 160 * time.Microsecond},
	} {
		for range 1000 {
			s.woke(c.late)
		}
		if early := s.early(); early < c.from || early > c.to {
			t.Errorf("a timer that is %v late is set %v early, want %v to %v", c.late, early, c.from, c.to)
		}
	}
	s.spun.Store(int64(time.Hour))
	if early := s.early(); early != 0 {
		t.Errorf("without a budget the timer is set %v early", early)
	}
}

// A spin is over in time although the instant is far away: it never waits for what
// the timer is to wait for.
func TestFarInstantsAreNotSpunFor(t *testing.T) {
	start := time.Now().Add(-time.Hour)
	s := newSpinner(start)
	if s == nil {
		t.Skip("there is no eventfd here")
	}
	defer s.close()
	s.spin(time.Since(start) + time.Hour)
	if spun := s.Spun(); spun > 0 {
		t.Errorf("%v were spun for an instant an hour ahead", spun)
	}
}

// Silence saves nothing up: after an hour of it no more may be spun ahead than at the
// beginning.
func TestSilenceSavesNoSpinUp(t *testing.T) {
	s := newSpinner(time.Now().Add(-time.Hour))
	if s == nil {
		t.Skip("there is no eventfd here")
	}
	defer s.close()
	if r := s.reserve(); r != spinReserve {
		t.Errorf("after an hour %v may be spun at once, want %v", r, spinReserve)
	}
	s.spun.Add(int64(spinReserve))
	if r := s.reserve(); r > spinReserve/2 { // of a quarter of the time since
		t.Errorf("after that was spun there are %v left", r)
	}
}
