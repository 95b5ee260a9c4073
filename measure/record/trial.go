package record

// Trial is what the runs of a trial say together: the same run, taken several
// times. The run is the sample, not the request.
type Trial struct {
	Name string `json:"name"`
	// Quantities are the throughput, [ThroughputKey], and the latencies by their
	// keys in latency_ms.
	Quantities map[string]Repeated `json:"quantities"`
	// Warnings say in a sentence each what makes the runs doubtful as a sample.
	Warnings []string `json:"warnings"`
}

// ThroughputKey is the throughput's name among the quantities of a trial.
const ThroughputKey = "throughput"

// Repeated is one quantity over the runs of a trial, in requests per second or
// milliseconds.
type Repeated struct {
	Median Value `json:"median"`
	Spread Value `json:"spread"` // (max - min) / median
	// Interval is that between two order statistics which covers the median of
	// all such runs with the probability Level: 0.9375 for five runs.
	Interval Interval `json:"interval"`
	Level    Value    `json:"level"`
}

// Pause is what came before a run of a trial: the wait until closed connections
// in TIME_WAIT hold so few local ports that the run finds enough of them.
type Pause struct {
	Waited   Value  `json:"waited_s"`
	TimeWait Value  `json:"time_wait"`  // such connections to the target at its end; null where it is not known
	Left     Value  `json:"ports_left"` // local ports for new connections to the target; null where it is not known
	Note     string `json:"note,omitempty"`
}

// Rows counts the rows of the table that a write test writes to.
type Rows struct {
	Table   string `json:"table"`
	Before  int64  `json:"before"`
	After   int64  `json:"after"`
	Cleaned int64  `json:"after_cleanup"`
	Cleanup string `json:"cleanup_sql"`
}
