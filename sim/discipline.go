package sim

import (
	"fmt"
	"strings"

	"queuelab/measure/workload"
)

// discipline is the inside of a station: who is served, and when it departs.
// What arrives and departs is a copy of a request, called a job. The station
// keeps its own events and offers the engine only its earliest, so that a
// discipline may move, stretch or withdraw the others as it likes.
type discipline interface {
	// arrive takes in a job that needs so many nanoseconds of service.
	arrive(now int64, place int32, service int64)
	// next is the instant at which something happens inside; never if
	// nothing will without a further arrival or the end of a stall.
	next() int64
	// step lets it happen. It returns the job that departs, and false when
	// none does.
	step() (place int32, departs bool)
	// busyTime is the time that the servers have worked up to now, summed
	// over servers.
	busyTime(now int64) int64
	// abandon tells that the client of a job no longer waits for it and has
	// closed its connection. It returns true when the job never reached the
	// server and is gone; otherwise the server, which does not notice, still
	// works on it, and it departs like any other.
	abandon(now int64, place int32) (gone bool)
	// stall makes the station stand still until resume: with Freeze the work
	// in service stops too, with Lock it ends and nothing else begins.
	// Stalls do not overlap.
	stall(now int64, kind workload.StallKind)
	// resume ends the stall.
	resume(now int64)
}

// disciplineKind is a discipline that a station can have.
type disciplineKind struct {
	name string
	// parameter is what follows the name and a colon, as messages write it,
	// such as "BACKLOG"; empty for a discipline that takes none.
	parameter string
	// build makes the discipline of a station before a run. The workload
	// tells, among other things, how many closed clients there are. An error
	// says what is wrong with the parameter.
	build func(parameter string, s *Station, w *workload.Workload) (discipline, error)
	// inOrder is true where jobs begin their service in the order of arrival.
	inOrder bool
	// shared is true where all jobs that are present are in service.
	shared bool
	// sheds is true where a job whose client gives up can leave without any
	// service.
	sheds bool
}

// disciplines are those that a station can have, in the order of messages.
var disciplines = []disciplineKind{
	{name: fifoName, build: newFIFO, inOrder: true},
	{name: "ps", build: newPS, shared: true},
	{name: "accept", parameter: "BACKLOG", build: newAccept, sheds: true},
}

// form is how the discipline is asked for.
func (k *disciplineKind) form() string {
	if k.parameter == "" {
		return k.name
	}
	return k.name + ":" + k.parameter
}

// kind is the discipline that a station names, and its parameter.
func (s *Station) kind() (k *disciplineKind, parameter string, err error) {
	name, parameter, given := strings.Cut(s.discipline(), ":")
	var forms []string
	for i := range disciplines {
		k := &disciplines[i]
		if k.name == name && given == (k.parameter != "") {
			return k, parameter, nil
		}
		forms = append(forms, k.form())
	}
	return nil, "", fmt.Errorf("%q is not a discipline: use %s", s.Discipline, strings.Join(forms, ", "))
}
