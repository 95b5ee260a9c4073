package record_test

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"queuelab/measure/record"
)

// hdrFolder is the variable that names the npm prefix which hdr-histogram-js was
// installed under, as make interop does.
const hdrFolder = "QUEUELAB_HDR_HISTOGRAM_JS"

// The histogram log opens in an implementation of HdrHistogram that shares no code
// with ours, and says the same there: every answer is in it, and the quantiles are
// those of the summary.
func TestHistogramLogInAnotherImplementation(t *testing.T) {
	prefix := os.Getenv(hdrFolder)
	if prefix == "" {
		t.Skipf("%s is not set: make interop installs hdr-histogram-js and runs this test", hdrFolder)
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip(err)
	}
	r := rand.New(rand.NewPCG(21, 22))
	var requests []record.Request
	for range 20_000 {
		requests = append(requests, record.Request{Ended: time.Duration(r.Int64N(int64(time.Minute))), Copies: 1})
		last := &requests[len(requests)-1]
		last.Scheduled = last.Ended - time.Duration(math.Exp(r.Float64()*25)) // 1 ns to 72 s
	}
	for name, requests := range map[string][]record.Request{"many": requests, "one": requests[:1], "none": nil} {
		dir := filepath.Join(t.TempDir(), "run")
		folder, err := record.CreateFolder(dir, false)
		if err != nil {
			t.Fatal(err)
		}
		c := record.NewCollector(record.Measured, folder)
		for i := range requests {
			c.Add(&requests[i])
		}
		run := c.Run()
		if err := folder.Commit(run, time.Now()); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(node, filepath.Join("testdata", "hlog.js"), filepath.Join(dir, record.HistogramFile))
		cmd.Env = append(os.Environ(), "NODE_PATH="+filepath.Join(prefix, "node_modules"))
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var theirs struct {
			Count         int64
			P50, P99, Max float64
		}
		if err := json.Unmarshal(out, &theirs); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if theirs.Count != run.Requests.Answered {
			t.Errorf("%s: %d latencies, want %d", name, theirs.Count, run.Requests.Answered)
		}
		if theirs.Count == 0 {
			continue
		}
		for key, got := range map[string]float64{"p50": theirs.P50, "p99": theirs.P99, "max": theirs.Max} {
			if want := 1e6 * float64(run.Observed(key)); math.Abs(got-want) > 0.001*want+1 {
				t.Errorf("%s: %s is %v ns there and %v ns here", name, key, got, want)
			}
		}
	}
}
