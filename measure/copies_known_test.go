package measure_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"queuelab/measure"
	"queuelab/measure/law"
	"queuelab/measure/workload"
)

// counted is the URL of a door in front of a server, and how many requests have
// passed it.
func counted(t *testing.T, target string) (address string, passed *atomic.Int64) {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	passed = new(atomic.Int64)
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		passed.Add(1)
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(door.Close)
	return door.URL, passed
}

// Against a server that always takes longer than the retry's delay every request has
// as many copies as it may have, against one that never does it has one, and the
// server has seen exactly those.
func TestCopiesAgainstAKnownServer(t *testing.T) {
	for _, tt := range []struct {
		name    string
		service time.Duration
		retry   workload.Retry
		each    int64
	}{
		{"slower than the retries", time.Second, workload.Retry{After: 100 * ms, Copies: 3}, 3},
		{"faster than the first retry", ms, workload.Retry{After: soon, Copies: 3}, 1},
		{"one copy at most", 100 * ms, workload.Retry{After: ms, Copies: 1}, 1},
	} {
		for loop, w := range map[string]workload.Workload{
			"open":   {Open: true, Rate: 100, Requests: 6},
			"closed": {Clients: 6, Requests: 6},
		} {
			s := knownServer(t, law.NewDeterministic(tt.service.Seconds()), 100) // no copy queues
			address, passed := counted(t, s.URL())
			w.Retry = tt.retry
			p := plan(address, w)
			run, err := measure.Take(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if n := run.Requests; n.Answered != 6 || n.Copies != 6*tt.each || passed.Load() != n.Copies {
				t.Errorf("%s, %s: %+v, and the server saw %d requests; want %d copies of each of 6", tt.name, loop, n, passed.Load(), tt.each)
			}
			// The first copy's answer comes first.
			if longest := float64(run.Client.Get("max")); longest < tt.service.Seconds()*1e3 {
				t.Errorf("%s, %s: no answer took %v, the longest %v ms", tt.name, loop, tt.service, longest)
			}
		}
	}
}

// Against a server that is slower than the timeout every request times out, once.
func TestCopiesThatAllTimeOut(t *testing.T) {
	s := knownServer(t, law.NewDeterministic(3600), 100)
	w := workload.Workload{Clients: 2, Requests: 4, Timeout: 600 * ms, Retry: workload.Retry{After: 100 * ms, Copies: 3}}
	run, err := measure.Take(t.Context(), plan(s.URL(), w))
	if err != nil {
		t.Fatal(err)
	}
	if n := run.Requests; n.TimedOut != 4 || n.Copies != 12 {
		t.Errorf("%+v, want 4 timed out with 3 copies each", n)
	}
	if least := float64(run.Failed.Get("mean")); least < 600 {
		t.Errorf("timeouts of 600 ms lasted %v ms on average", least)
	}
}
