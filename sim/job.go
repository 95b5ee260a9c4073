package sim

// job is one request inside the model. Instants and times are in nanoseconds.
type job struct {
	scheduled int64
	service   int64
	serial    uint64 // the number of the request; tells successive uses of a place apart
	client    int32
	waited    bool // someone still waits for the answer; the server does not know
}

// jobs holds the requests in the model at reused places.
type jobs struct {
	places []job
	free   []int32
	serial uint64
}

// open gives a place to a request.
func (s *jobs) open(scheduled, service int64, client int32) int32 {
	var place int32
	if last := len(s.free) - 1; last >= 0 {
		place = s.free[last]
		s.free = s.free[:last]
	} else {
		place = int32(len(s.places))
		s.places = append(s.places, job{})
	}
	s.serial++
	// One field after another: a whole literal is built aside and copied,
	// which costs more than all the rest of this function.
	j := &s.places[place]
	j.scheduled, j.service, j.serial = scheduled, service, s.serial
	j.client, j.waited = client, true
	return place
}

// close gives the place back.
func (s *jobs) close(place int32) {
	s.places[place].serial = 0
	s.free = append(s.free, place)
}
