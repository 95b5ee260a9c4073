package known_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"queuelab/measure/lab/known"
	"queuelab/measure/law"
)

const ms = time.Millisecond

func start(t *testing.T, service law.Law, servers int) *known.Server {
	t.Helper()
	s, err := known.Start(known.Config{Addr: "127.0.0.1:0", Service: service, Servers: servers, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil {
			t.Error(err)
		}
		if err := s.Wait(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// get fetches a URL and returns its status and body.
func get(t *testing.T, url string) (int, string) {
	t.Helper()
	answer, err := http.Get(url)
	if err != nil {
		t.Error(err)
		return 0, ""
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return answer.StatusCode, string(body)
}

// A request takes at least its service time, the one it names or the law's.
func TestServiceTime(t *testing.T) {
	s := start(t, law.NewDeterministic(0.02), 1)
	for query, least := range map[string]time.Duration{"": 20 * ms, "?service=50ms": 50 * ms, "?service=0s": 0} {
		began := time.Now()
		status, body := get(t, s.URL()+query)
		if took := time.Since(began); status != http.StatusOK || body != "ok\n" || took < least {
			t.Errorf("%q: status %d, %q, after %v; want 200, ok, after at least %v", query, status, body, took, least)
		}
	}
}

// A bad service time is the client's fault and takes no place in the queue.
func TestBadServiceTime(t *testing.T) {
	s := start(t, law.NewDeterministic(3600), 1) // an hour, if it were drawn
	for _, query := range []string{"?service=5", "?service=-1ms", "?service=fast", "?service=", "?service=2h", "?service=%zz"} {
		status, body := get(t, s.URL()+query)
		if status != http.StatusBadRequest || !strings.Contains(body, "5.3ms") {
			t.Errorf("%q: status %d, %q; want 400 and an example", query, status, body)
		}
	}
}

// order sends requests one by one, each as soon as the one before has surely
// arrived, and returns the order in which they are answered.
func order(t *testing.T, s *known.Server, services ...string) []int {
	t.Helper()
	var mu sync.Mutex
	var answered []int
	var all sync.WaitGroup
	for i, service := range services {
		all.Go(func() {
			get(t, s.URL()+"?service="+service)
			mu.Lock()
			defer mu.Unlock()
			answered = append(answered, i)
		})
		time.Sleep(60 * ms)
	}
	all.Wait()
	return answered
}

// One server answers in the order of arrival; with two, short requests pass a
// long one.
func TestOrderOfAnswers(t *testing.T) {
	services := []string{"1s", "300ms", "300ms"}
	if got := order(t, start(t, law.NewDeterministic(1), 1), services...); len(got) != 3 || got[0] != 0 || got[1] != 1 || got[2] != 2 {
		t.Errorf("one server answers in the order %v, want first come, first served", got)
	}
	if got := order(t, start(t, law.NewDeterministic(1), 2), services...); len(got) != 3 || got[2] != 0 {
		t.Errorf("two servers answer in the order %v, want the long request 0 last", got)
	}
}

func TestStartRefuses(t *testing.T) {
	s := start(t, law.NewDeterministic(1), 1)
	taken := strings.TrimSuffix(strings.TrimPrefix(s.URL(), "http://"), "/")
	for _, tt := range []struct {
		config known.Config
		says   string
	}{
		{known.Config{Addr: taken, Service: law.NewDeterministic(1), Servers: 1}, "another -addr"},
		{known.Config{Addr: "127.0.0.1:0", Service: law.NewDeterministic(1)}, "at least 1"},
		{known.Config{Addr: "nowhere", Service: law.NewDeterministic(1), Servers: 1}, "nowhere"},
	} {
		if got, err := known.Start(tt.config); err == nil {
			got.Stop()
			t.Errorf("%+v was started", tt.config)
		} else if !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%+v says %q, want %q", tt.config, err, tt.says)
		}
	}
}
