package record

import (
	"fmt"
	"io"
)

// writeSoundness writes what the generator did and what that cost, and what the
// server counted: a line each, as far as they are known.
func writeSoundness(w io.Writer, run *Run) {
	if s := run.Sending; s != nil {
		fmt.Fprintf(w, "sent %d of %d requests that were due: %.4g/s of %.4g/s, at most %.4g/s within a tenth of a second\n",
			s.Sent, s.Due, float64(s.Achieved), float64(s.Scheduled), float64(s.Peak))
		if s.Capped > 0 {
			fmt.Fprintf(w, "not sent because %d others were in flight: %d\n", s.MostInFlight, s.Capped)
		}
	}
	if g := run.Generator; g != nil && g.Busy.Known() && run.Requests.Scheduled > 0 {
		each := float64(g.User+g.System-g.Spun) * 1e6 / float64(run.Requests.Scheduled)
		cpus := "CPUs"
		if g.CPUs == 1 {
			cpus = "CPU"
		}
		fmt.Fprintf(w, "generator busy %.1f %% of %d %s, %.4g µs of CPU time a request\n", 100*float64(g.Busy), g.CPUs, cpus, each)
	}
	if c := run.ServerCount; c != nil {
		fmt.Fprintln(w, c.text())
	}
}

// text is the server's count against what was sent.
func (c *ServerCount) text() string {
	expected := fmt.Sprint(c.Most)
	if c.Least != c.Most {
		expected = fmt.Sprintf("%d to %d", c.Least, c.Most)
	}
	if c.Error != "" {
		return fmt.Sprintf("%s could not be asked, %s requests expected: %s", c.Source, expected, c.Error)
	}
	return fmt.Sprintf("%s counted %d requests, %s expected", c.Source, c.Counted, expected)
}
