package measure_test

import (
	"bufio"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"queuelab/measure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// responder answers requests without a body on kept connections with the least that
// HTTP allows, and counts them.
func responder(t *testing.T) (url string, served *atomic.Int64) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	served = new(atomic.Int64)
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go respond(conn, served)
		}
	}()
	return "http://" + listener.Addr().String() + "/", served
}

// respond serves one connection until the client closes it.
func respond(conn net.Conn, served *atomic.Int64) {
	defer conn.Close()
	answer := []byte("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
	for lines := bufio.NewReader(conn); ; {
		line, err := lines.ReadSlice('\n')
		if err != nil {
			return
		}
		if len(line) > len("\r\n") {
			continue
		}
		served.Add(1)
		if _, err := conn.Write(answer); err != nil {
			return
		}
	}
}

// latencies keeps every answered request's latency.
type latencies []time.Duration

func (l *latencies) Add(r *record.Request) {
	if r.Outcome == record.Answered {
		*l = append(*l, r.Latency())
	}
}

// Nothing caps what is recorded: every result of a run over real connections is in
// its counts, in its percentiles and in its files.
func TestEveryResultIsInThePercentiles(t *testing.T) {
	t.Run("20,000 with raw records", func(t *testing.T) { everyResult(t, 20_000, true) })
	t.Run("1,500,000", func(t *testing.T) {
		if testing.Short() || raceDetected {
			t.Skip("takes 20 to 60 s, or many minutes with the race detector")
		}
		everyResult(t, 1_500_000, false)
	})
}

// everyResult takes a closed run of so many requests and compares what it says with
// the latencies themselves.
func everyResult(t *testing.T, requests int64, raw bool) {
	url, served := responder(t)
	dir := filepath.Join(t.TempDir(), "run")
	folder, err := record.CreateFolder(dir, raw)
	if err != nil {
		t.Fatal(err)
	}
	kept := make(latencies, 0, requests)
	run, err := measure.Take(t.Context(), plan(url, workload.Workload{Clients: 8, Requests: requests}, &kept, folder))
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Commit(run, time.Now()); err != nil {
		t.Fatal(err)
	}
	if want := (record.Counts{Scheduled: requests, Answered: requests, Copies: requests}); run.Requests != want {
		t.Errorf("counts %+v, want %+v; failures %v", run.Requests, want, run.Failures)
	}
	if served.Load() != requests || int64(len(kept)) != requests {
		t.Fatalf("%d requests were served and %d recorded, want %d", served.Load(), len(kept), requests)
	}
	t.Logf("%d requests in %.1f s", requests, float64(run.Elapsed))
	slices.Sort(kept)
	for key, q := range map[string]float64{"p50": 0.5, "p90": 0.9, "p99": 0.99, "p99.9": 0.999, "max": 1} {
		rank := int64(math.Ceil(q * float64(requests)))
		want := float64(kept[rank-1]) / 1e6
		// Histograms resolve 0.1 %; the maximum is kept as it is.
		if got := float64(run.Observed(key)); !(math.Abs(got-want) <= 0.001*want) || key == "max" && math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s is %v ms, but rank %d of %d is %v ms", key, got, rank, requests, want)
		}
	}
	if logged := inLog(t, filepath.Join(dir, record.HistogramFile)); logged != requests {
		t.Errorf("%s holds %d latencies, want %d", record.HistogramFile, logged, requests)
	}
	if raw {
		records := int64(0)
		if err := record.ReadRunRequests(dir, func(*record.Request) { records++ }); err != nil || records != requests {
			t.Errorf("%s holds %d requests, want %d; %v", record.RequestsFile, records, requests, err)
		}
	}
}

// inLog is how many latencies all intervals of a histogram log hold together.
func inLog(t *testing.T, path string) (latencies int64) {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for log := hdrhistogram.NewHistogramLogReader(file); ; {
		interval, err := log.NextIntervalHistogram()
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		if interval == nil {
			return latencies
		}
		latencies += interval.TotalCount()
	}
}
