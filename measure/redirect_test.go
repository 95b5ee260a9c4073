package measure_test

import (
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"queuelab/measure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// A target that answers 302 is never followed, by closed and open loops, by the
// warm-up, or by copies: following it would measure the server behind it. It has
// answered, unless another status is expected.
func TestRedirectsAreNeverFollowed(t *testing.T) {
	const requests = 60
	loops := map[string]workload.Workload{
		"closed": {Clients: 3, Requests: requests},
		"open":   {Open: true, Rate: 2000, Requests: requests},
		"copies": {Clients: 3, Requests: requests, Retry: workload.Retry{After: ms, Copies: 3}},
	}
	for name, w := range loops {
		for _, expect := range [][]int{nil, {200}} {
			var called, followed atomic.Int64
			mux := http.NewServeMux()
			mux.Handle("/code", http.RedirectHandler("/elsewhere", http.StatusFound))
			mux.HandleFunc("/elsewhere", func(http.ResponseWriter, *http.Request) { followed.Add(1) })
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				called.Add(1)
				mux.ServeHTTP(w, r)
			}))
			p := plan(server.URL+"/code", w)
			p.Warmup = 20 * ms
			p.Options.Expect = expect
			run, err := measure.Take(t.Context(), p)
			server.Close()
			if err != nil {
				t.Fatal(err)
			}
			want := record.Counts{Scheduled: requests, Answered: requests, Copies: run.Requests.Copies}
			if expect != nil {
				want.Answered, want.Failed = 0, requests
			}
			if run.Requests != want || run.Failures["status_302"] != want.Failed {
				t.Errorf("%s, expecting %v: %+v, %v; want %+v", name, expect, run.Requests, run.Failures, want)
			}
			if followed.Load() != 0 || called.Load() < run.Requests.Copies {
				t.Errorf("%s, expecting %v: followed %d times in %d requests", name, expect, followed.Load(), called.Load())
			}
		}
	}
}
