package sim

// job is one copy of a request inside the model. What is said of the request
// stands with its first copy: whatever makes that one leave ends the request
// too. Instants and times are in nanoseconds.
type job struct {
	scheduled int64 // of the request
	service   int64
	serial    uint64 // the number of the request; tells successive uses of a place apart
	client    int32
	first     int32 // place of the first copy
	copies    uint8 // of the request, sent so far
	waited    bool  // someone still waits for the request's answer; the server does not know
}

// jobs holds the copies in the model at reused places. No place is used twice
// by the copies of one request, since none is sent after one has left.
type jobs struct {
	places []job
	free   []int32
	serial uint64
}

// open gives a place to the first copy of a request.
func (s *jobs) open(scheduled, service int64, client int32) int32 {
	place := s.take()
	s.serial++
	// One field after another: a whole literal is built aside and copied,
	// which costs more than all the rest of this function.
	j := &s.places[place]
	j.scheduled, j.service, j.serial = scheduled, service, s.serial
	j.client, j.first, j.copies, j.waited = client, place, 1, true
	return place
}

// copy gives a place to a further copy of a request.
func (s *jobs) copy(first int32) int32 {
	place := s.take()
	request := &s.places[first]
	request.copies++
	j := &s.places[place]
	*j = *request
	j.waited = false
	return place
}

// take finds a place.
func (s *jobs) take() int32 {
	if last := len(s.free) - 1; last >= 0 {
		place := s.free[last]
		s.free = s.free[:last]
		return place
	}
	s.places = append(s.places, job{})
	return int32(len(s.places) - 1)
}

// request is the first copy of a copy's request; nil when that has left.
func (s *jobs) request(place int32) *job {
	j := &s.places[place]
	first := &s.places[j.first]
	if first.serial != j.serial {
		return nil
	}
	return first
}

// close gives the place back.
func (s *jobs) close(place int32) {
	s.places[place].serial = 0
	s.free = append(s.free, place)
}
