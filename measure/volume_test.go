package measure_test

import (
	"bufio"
	"io"
	"math"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"queuelab/drivers"
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

// Nothing caps what is recorded: every result of a run is in its counts, in its
// percentiles and in its files.
func TestEveryResultIsInThePercentiles(t *testing.T) {
	t.Run("20,000 over connections, with raw records", func(t *testing.T) {
		const requests = 20_000
		url, served := responder(t)
		everyResult(t, requests, true, func(w workload.Workload, sinks ...record.Sink) (*record.Run, error) {
			return measure.Take(t.Context(), plan(url, w, sinks...))
		})
		if served.Load() != requests {
			t.Errorf("%d requests were served, want %d", served.Load(), requests)
		}
	})
	// hey 112 and 227: its results and its counts by status end at a million.
	t.Run("1,100,000 answered at once", func(t *testing.T) {
		if raceDetected {
			t.Skip("takes half a minute with the race detector")
		}
		everyResult(t, 1_100_000, false, func(w workload.Workload, sinks ...record.Sink) (*record.Run, error) {
			return measure.Run(t.Context(), &w, newFake(atOnce), nil, sinks...)
		})
	})
}

// atOnce answers a request of a fake.
func atOnce(int64, *drivers.Request) drivers.Answer { return drivers.Answer{} }

// liveHeap is a sink that notes the memory in use, what is garbage left out, when so
// many requests have ended, and the growth since then after so many more.
type liveHeap struct {
	after, growth int64 // requests, bytes
	until, n      int64
}

func (h *liveHeap) Add(*record.Request) {
	switch h.n++; h.n {
	case h.after, h.until:
		var now runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools hold outlives one collection
		runtime.ReadMemStats(&now)
		h.growth = int64(now.HeapAlloc) - h.growth
	}
}

// vegeta 344, k6 763 and 4670: their memory grows with the requests.
func TestMemoryDoesNotGrowWithTheRequests(t *testing.T) {
	if raceDetected {
		t.Skip("takes long with the race detector")
	}
	heap := liveHeap{after: 200_000, until: 1_200_000}
	w := workload.Workload{Clients: 8, Requests: heap.until, Drain: soon}
	folder, err := record.CreateFolder(filepath.Join(t.TempDir(), "run"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Discard()
	if _, err := measure.Run(t.Context(), &w, newFake(atOnce), nil, &heap, folder); err != nil {
		t.Fatal(err)
	}
	// A byte for each request would be a megabyte.
	if heap.growth > 500_000 {
		t.Errorf("a million requests more take %d bytes more", heap.growth)
	}
	t.Logf("a million requests more take %d bytes more", heap.growth)
}

// everyResult takes a closed run of so many requests and compares what it says with
// the latencies themselves.
func everyResult(t *testing.T, requests int64, raw bool, take func(workload.Workload, ...record.Sink) (*record.Run, error)) {
	dir := filepath.Join(t.TempDir(), "run")
	folder, err := record.CreateFolder(dir, raw)
	if err != nil {
		t.Fatal(err)
	}
	kept := make(latencies, 0, requests)
	run, err := take(workload.Workload{Clients: 8, Requests: requests, Drain: soon}, &kept, folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := folder.Commit(run, time.Now()); err != nil {
		t.Fatal(err)
	}
	if want := (record.Counts{Scheduled: requests, Answered: requests, Copies: requests}); run.Requests != want {
		t.Errorf("counts %+v, want %+v; failures %v", run.Requests, want, run.Failures)
	}
	if int64(len(kept)) != requests {
		t.Fatalf("%d requests were recorded, want %d", len(kept), requests)
	}
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
