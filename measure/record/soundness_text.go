package record

import (
	"fmt"
	"io"
)

// writeSoundness writes what the generator did and what that cost, and what the
// server counted: a line each, as far as they are known.
func writeSoundness(w io.Writer, run *Run) {
	if s := run.Sending; s != nil {
		fmt.Fprintf(w, "sent in time %d of %d requests that were due: %s of %s, at most %s within a tenth of a second\n",
			s.Sent, s.Due, perSecond(s.Achieved), perSecond(s.Scheduled), perSecond(s.Peak))
		if s.Capped > 0 {
			fmt.Fprintf(w, "not sent because %d others were in flight: %d\n", s.MostInFlight, s.Capped)
		}
	}
	if g := run.Generator; g != nil && g.Busy.Known() && g.User.Known() && g.System.Known() && g.Spun.Known() && run.Requests.Scheduled > 0 {
		each := float64(g.User+g.System-g.Spun) * 1e6 / float64(run.Requests.Scheduled)
		cpus := "CPUs"
		if g.CPUs == 1 {
			cpus = "CPU"
		}
		fmt.Fprintf(w, "generator busy %.1f %% of %d %s, %s µs of CPU time a request\n", 100*float64(g.Busy), g.CPUs, cpus, figure(each))
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

// perSecond writes a rate.
func perSecond(v Value) string {
	if !v.Known() {
		return "-"
	}
	return figure(float64(v)) + "/s"
}

// figure writes four digits, and large figures in full.
func figure(v float64) string {
	if v >= 1000 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.4g", v)
}
