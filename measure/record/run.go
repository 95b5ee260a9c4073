package record

// SchemaVersion is the version of run.json that this package writes; it grows
// when a reader of older files would misread a newer one.
const SchemaVersion = 1

// Sources of a run.
const (
	Measured  = "measured"
	Simulated = "simulated"
	Theory    = "theory"
)

// Run is the result of one run, measured, simulated or computed: what -json
// prints and run.json holds. Rates are per second, times named _ms are
// milliseconds, times named _s seconds.
type Run struct {
	Schema      int                 `json:"schema"`
	Source      string              `json:"source"`
	Model       string              `json:"model,omitempty"`
	Target      string              `json:"target,omitempty"`
	Remote      string              `json:"remote,omitempty"` // the TCP address behind the target; none for a Unix socket
	Workload    Workload            `json:"workload"`
	Requests    Counts              `json:"requests"`
	Failures    map[string]int64    `json:"failures"`
	FailedTimes ByClass             `json:"failures_ms"`
	Elapsed     Value               `json:"elapsed_s"` // instant of the last answer
	Throughput  Value               `json:"throughput_per_s"`
	Utilisation Value               `json:"utilisation"`
	Loss        Value               `json:"loss"`
	InSystem    Value               `json:"in_system"` // mean number in system
	Latency     Quantities          `json:"latency_ms"`
	Interval    map[string]Interval `json:"interval_ms"`     // 95 %, keys of latency_ms
	Effective   map[string]int64    `json:"n_eff"`           // independent values that each quantile of latency_ms rests on
	NearestRank Quantities          `json:"nearest_rank_ms"` // latency_ms without regard to n_eff, for those who pool runs
	Wait        Quantities          `json:"wait_ms"`
	Service     Quantities          `json:"service_ms"`
	Client      Quantities          `json:"client_ms"` // answered - sent
	Pool        Quantities          `json:"pool_ms"`
	Lag         Quantities          `json:"lag_ms"`
	Failed      Quantities          `json:"failed_ms"` // how long failures and timeouts lasted
	Little      Little              `json:"little"`
	Sending     *Sending            `json:"sending,omitempty"`      // of a measured open run
	Generator   *Generator          `json:"generator,omitempty"`    // of a measured run
	ServerCount *ServerCount        `json:"server_count,omitempty"` // of a measured run whose server counts
	Validity    *Validity           `json:"validity"`
	Reps        []*Run              `json:"reps"`            // the runs of a trial, whose medians stand beside them
	Trial       *Trial              `json:"trial,omitempty"` // what they say together
	Pause       *Pause              `json:"pause,omitempty"` // before a run of a trial
	Seed        uint64              `json:"seed"`
	Stable      *bool               `json:"stable"` // null where it is not known
	Growth      Value               `json:"growth_ms_per_s"`
	Formulas    map[string]string   `json:"formulas,omitempty"`
	Interrupted bool                `json:"interrupted,omitempty"`
	Overflow    int64               `json:"overflow,omitempty"` // answers that took longer than an hour: in the last bucket of their histogram
	Connections map[string]int64    `json:"connections,omitempty"`
	Stalls      []Stalled           `json:"stalls,omitempty"` // of a measured run, as they happened
	Header      *Header             `json:"header,omitempty"`
	Rounded     bool                `json:"rounded,omitempty"` // read from a summary line: rates to 1/s, latencies to 0.01 ms
	Line        string              `json:"summary_line"`      // what a terminal shows last
}

// NewRun returns a run in which nothing is known yet.
func NewRun(source string) *Run {
	return &Run{
		Schema:      SchemaVersion,
		Source:      source,
		Failures:    map[string]int64{},
		FailedTimes: ByClass{},
		Reps:        []*Run{},
		Elapsed:     Unknown(),
		Throughput:  Unknown(),
		Utilisation: Unknown(),
		Loss:        Unknown(),
		InSystem:    Unknown(),
		Growth:      Unknown(),
		Little:      Little{Sampled: Unknown(), XW: Unknown(), Gap: Unknown(), Error: Unknown()},
	}
}

// Workload describes what was offered, in the spelling of the command line.
type Workload struct {
	Loop     string  `json:"loop"` // "open" or "closed"
	Rate     float64 `json:"rate_per_s,omitempty"`
	Arrivals string  `json:"arrivals,omitempty"` // poisson, even, gamma:SCV, hyper:SCV, trace:FILE or gaps:FILE
	Session  float64 `json:"session,omitempty"`  // partly open: requests in a session on average
	Clients  int     `json:"clients,omitempty"`
	Think    string  `json:"think,omitempty"`
	Service  string  `json:"service,omitempty"`
	Seconds  float64 `json:"seconds,omitempty"`
	Requests int64   `json:"requests,omitempty"`
	Timeout  float64 `json:"timeout_s,omitempty"`
	Retry    float64 `json:"retry_s,omitempty"`
	Copies   int     `json:"copies,omitempty"`
	Stall    string  `json:"stall,omitempty"` // KIND:LENGTH/PERIOD
	Drain    float64 `json:"drain_s,omitempty"`
	Warmup   float64 `json:"warmup_s,omitempty"`

	ArrivalsSHA256 string `json:"arrivals_sha256,omitempty"` // of the file of trace or gaps
}

// Counts obey Scheduled = Answered + Failed + TimedOut + Unfinished + Unsent.
type Counts struct {
	Scheduled  int64 `json:"scheduled"`
	Answered   int64 `json:"answered"`
	Failed     int64 `json:"failed"`
	TimedOut   int64 `json:"timed_out"`
	Unfinished int64 `json:"unfinished"`
	Unsent     int64 `json:"unsent"`
	Copies     int64 `json:"copies"` // all copies sent, first ones included
}

// Balanced says whether every scheduled request has exactly one outcome.
func (c Counts) Balanced() bool {
	return c.Scheduled == c.Answered+c.Failed+c.TimedOut+c.Unfinished+c.Unsent
}

// plausible says whether counts read from a file can be those of a run.
func (c Counts) plausible() bool {
	return c.Balanced() && min(c.Scheduled, c.Answered, c.Failed, c.TimedOut, c.Unfinished, c.Unsent, c.Copies) >= 0
}

// Stalled is a stretch of time for which the server was asked to stand still, in
// seconds since the run began.
type Stalled struct {
	Begin float64 `json:"begin_s"`
	End   float64 `json:"end_s"`
}

// Little holds both sides of Little's law: the number in system sampled during
// the run, and throughput times mean latency. Whoever looks at the system sees
// every request until its end, so both sides are of all requests, whatever their
// outcome, up to the last end of any; the generator's lag is in neither.
type Little struct {
	Sampled Value `json:"in_system_sampled"`
	XW      Value `json:"throughput_times_latency"`
	Gap     Value `json:"relative_gap"`   // (XW - sampled) / sampled
	Error   Value `json:"sampling_error"` // standard error of sampled, relative to it
}

// Header says how, when, with what and where the run was made.
type Header struct {
	Command     string            `json:"command"` // secrets removed
	Version     string            `json:"version"`
	Commit      string            `json:"commit"`       // that the program was built from
	Tree        string            `json:"working_tree"` // the repository it was called in, with what is not committed
	Go          string            `json:"go"`
	Start       string            `json:"start_utc"` // RFC 3339
	End         string            `json:"end_utc"`
	SpeedBefore Value             `json:"speed_before_ms"` // the fixed piece of work, before the run
	SpeedAfter  Value             `json:"speed_after_ms"`
	Steal       string            `json:"steal_over_run"` // CPU time that a hypervisor took meanwhile
	Host        any               `json:"host,omitempty"`
	Server      map[string]string `json:"server,omitempty"`
	Rows        *Rows             `json:"rows,omitempty"` // of the table that the run wrote to
}
