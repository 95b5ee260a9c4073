package record

// Sending says how the generator kept to an open workload's schedule.
type Sending struct {
	Due  int64 `json:"due"`  // requests of the schedule until its end, or until an interruption
	Sent int64 `json:"sent"` // those among them that had been sent by then
	// Scheduled and Achieved are both counts over the same window; Peak is the most
	// requests that were sent in any tenth of a second. Requests per second.
	Scheduled Value `json:"due_per_s"`
	Achieved  Value `json:"sent_per_s"`
	Peak      Value `json:"peak_per_s"`
	// Capped counts the requests that were not sent because MostInFlight others,
	// the generator's cap, were in flight; they are unsent.
	Capped       int64 `json:"capped"`
	MostInFlight int64 `json:"in_flight_cap"`
}

// Generator says what a measured run cost the generator.
type Generator struct {
	CPUs   int   `json:"cpus"`   // it could use
	User   Value `json:"user_s"` // CPU time from the start of the run to its last end
	System Value `json:"system_s"`
	Spun   Value `json:"spun_s"` // of it, waiting awake for the next instant of the schedule
	Busy   Value `json:"busy"`   // share of its CPUs in use, without what was spun
}

// ServerCount compares the requests that were sent with the server's own count of
// them, the warm-up's included. Copies that nobody waited for may or may not have
// reached the server, so what is expected is a range.
type ServerCount struct {
	Source  string `json:"source"`          // such as "nginx stub_status"
	Counted int64  `json:"counted"`         // by the server
	Least   int64  `json:"least"`           // copies that it answered, with an error too
	Most    int64  `json:"most"`            // copies that were sent
	Error   string `json:"error,omitempty"` // why the server's count is not known
}

// Agrees says whether the server's count lies in the range that was expected, or is
// not known.
func (c *ServerCount) Agrees() bool {
	return c.Error != "" || c.Least <= c.Counted && c.Counted <= c.Most
}
