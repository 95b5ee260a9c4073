package reports

import (
	"fmt"

	"queuelab/measure/lab"
	"queuelab/measure/workload"
)

// The disciplines of servers that are known to be no first-come first-served
// queue.
const (
	// nginxDiscipline is one worker behind an accept queue of 511, which nginx
	// asks for on Linux (NGX_LISTEN_BACKLOG).
	nginxDiscipline = "accept:511"
	// backendsDiscipline is that of PostgreSQL with a backend for each client on
	// one CPU, which the kernel shares among them.
	backendsDiscipline = "ps"
)

// oneConnection says whether open requests queue for a single connection, which
// the whole round trip occupies.
func (s *site) oneConnection() bool {
	return s.driver == "postgres" && s.options.Connections <= 1
}

// disciplines are those of the target under closed and under open load, "" for
// first come, first served.
func (s *site) disciplines() (closed, open string) {
	switch {
	case s.target.Lab == "nginx":
		return nginxDiscipline, nginxDiscipline
	case s.driver == "postgres" && s.oneConnection():
		return backendsDiscipline, ""
	case s.driver == "postgres":
		return backendsDiscipline, backendsDiscipline
	}
	return "", ""
}

// disciplineWords say what a discipline stands for.
var disciplineWords = map[string]string{
	"":                 "first come, first served",
	nginxDiscipline:    "an event loop behind an accept queue of 511",
	backendsDiscipline: "processor sharing",
}

// stall is a study's stall as the target does it: each lab has a kind that
// suits it.
func (s *site) stall(asked workload.Stall) (workload.Stall, error) {
	if !asked.Any() {
		return asked, nil
	}
	kind, err := lab.StallKind(s.target.Lab, asked.Kind)
	asked.Kind = kind
	return asked, err
}

// word says what a model is: who is served by how many servers, and where the
// service law comes from.
func word(servers string, discipline string, law string) string {
	return fmt.Sprintf("%s, %s, %s", servers, disciplineWords[discipline], law)
}
