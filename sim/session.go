package sim

import (
	"queuelab/measure/workload"
)

// sessions is the source of a partly open workload: sessions arrive by a schedule
// that never waits, and the requests of one wait for one another.
type sessions struct {
	workload *workload.Workload
	schedule *workload.Schedule
	arrival  int64               // instant of the next session; never after the last
	arrived  int                 // sessions
	visits   []*workload.Session // sessions under way, at reused places
	free     []int32
	thinking agenda // places by the instant of their next request
	length   int64
	left     int64 // requests that may still come due
	last     int64 // instant of the request before
}

func newSessions(w *workload.Workload) *sessions {
	s := &sessions{workload: w, schedule: w.Schedule(), length: limit(int64(w.Length)), left: w.AtMost()}
	s.draw()
	return s
}

func (s *sessions) draw() {
	s.arrival = never
	if due, more := s.schedule.Next(); more {
		s.arrival = int64(due)
	}
}

func (s *sessions) next() int64 {
	if s.left == 0 {
		return never
	}
	return min(s.arrival, s.thinking.next())
}

func (s *sessions) take() (int32, int64) {
	s.last = s.next()
	s.left--
	var session int32
	if s.thinking.next() <= s.arrival {
		session = s.thinking.pop()
	} else {
		session = s.arrive()
	}
	return session, int64(s.visits[session].NextService())
}

// arrive lets a session begin.
func (s *sessions) arrive() int32 {
	visit := s.workload.Session(s.arrived)
	s.arrived++
	s.draw()
	if last := len(s.free) - 1; last >= 0 {
		place := s.free[last]
		s.free, s.visits[place] = s.free[:last], visit
		return place
	}
	s.visits = append(s.visits, visit)
	return int32(len(s.visits) - 1)
}

// ended lets a session go on when it has thought, unless that was its last request or
// the schedule ends before.
func (s *sessions) ended(session int32, now int64, answered bool) {
	if wait, more := s.visits[session].Next(answered); more {
		if due := after(now, int64(wait)); due < s.length {
			s.thinking.push(due, session)
			return
		}
	}
	s.visits[session] = nil
	s.free = append(s.free, session)
}

func (s *sessions) end() int64 {
	if s.left == 0 {
		return s.last
	}
	return s.length
}
