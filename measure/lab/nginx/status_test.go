package nginx

import (
	"fmt"
	"strings"
	"testing"

	"queuelab/drivers"
	"queuelab/measure/workload"
)

// statusPage is what nginx 1.22 answers.
const statusPage = "Active connections: 1 \nserver accepts handled requests\n 5 6 12 \nReading: 0 Writing: 1 Waiting: 0 \n"

func TestParseStatus(t *testing.T) {
	if n, err := parseStatus(statusPage); err != nil || n != 12 {
		t.Errorf("%d requests, %v; want 12", n, err)
	}
	for _, page := range []string{"", "<html>404</html>", strings.Replace(statusPage, "12", "-12", 1), strings.Replace(statusPage, "12", "", 1),
		strings.Replace(statusPage, "12", "9223372036854775808", 1)} {
		if n, err := parseStatus(page); err == nil {
			t.Errorf("%q gave %d requests", page, n)
		}
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add(statusPage)
	f.Fuzz(func(t *testing.T, page string) {
		if n, err := parseStatus(page); err == nil && (n < 0 || !strings.Contains(page, fmt.Sprint(n))) {
			t.Errorf("%q gave %d", page, n)
		}
	})
}

// sent counts what a driver sends, with something else meanwhile.
func sent(t *testing.T, s *Server, n int, meanwhile func()) (int64, error) {
	t.Helper()
	counter := s.Counter(drivers.Options{}, &workload.Workload{})
	if counter == nil {
		t.Fatal("the lab has no counter")
	}
	if err := counter.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	driver, err := drivers.New("http", drivers.Options{URL: s.URL()})
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close()
	if err := driver.Connect(t.Context(), 0); err != nil { // a connection without a request
		t.Fatal(err)
	}
	for range n {
		if a := driver.Do(&drivers.Request{}); a.Class != "" {
			t.Fatalf("%+v", a)
		}
	}
	meanwhile()
	driver.Close()
	return counter.End(t.Context(), driver.Connections().Opened)
}

func TestCounter(t *testing.T) {
	s := running(t, "")
	if got, err := sent(t, s, 30, func() {}); err != nil || got != 30 {
		t.Errorf("nginx counts %d requests, %v; want 30", got, err)
	}
	got, err := sent(t, s, 20, func() {
		for range 5 {
			get(t, s.URL(), "gzip")
		}
	})
	if err != nil || got != 25 {
		t.Errorf("nginx counts %d requests, %v; want 20 and somebody else's 5", got, err)
	}
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
	if err := s.Counter(drivers.Options{}, &workload.Workload{}).Begin(t.Context()); err == nil {
		t.Error("a server that is gone tells its count")
	}
}

func TestNoCounterWithoutTheModule(t *testing.T) {
	const build = "configure arguments: --with-http_ssl_module"
	if text := configuration(9100, build, ""); strings.Contains(text, "stub_status") {
		t.Errorf("a directive of a module that is not compiled in:\n%s", text)
	}
	if c := (&Server{build: build}).Counter(drivers.Options{}, &workload.Workload{}); c != nil {
		t.Errorf("counter %v, want none", c)
	}
}
