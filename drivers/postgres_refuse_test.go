package drivers

import (
	"errors"
	"strings"
	"testing"
)

func testRefusedAtTheStart(t *testing.T, folder string) {
	cases := []struct {
		name     string
		options  Options
		n        int
		usage    bool
		mentions string
	}{
		{"two parameters", Options{SQL: "SELECT $1::int + $2::int"}, 1, true, "2 parameters"},
		{"no place for the service time", Options{SQL: "SELECT 1", ServiceParameter: true}, 1, true, "no $1"},
		{"integer service time", Options{SQL: "SELECT $1::int", ServiceParameter: true}, 1, true, "integer"},
		{"syntax", Options{SQL: "SELEC 1"}, 1, true, "42601"},
		{"no such table", Options{SQL: "SELECT * FROM nowhere"}, 1, true, "nowhere"},
		{"two statements", Options{SQL: "SELECT 1; SELECT 2"}, 1, true, "42601"},
		{"fewer than no clients", Options{SQL: "SELECT 1"}, -1, true, "-1 clients"},
		{"more than the server has", Options{SQL: "SELECT 1"}, 30, false, "of 30"},
		{"no such database", Options{SQL: "SELECT 1", DSN: "host=" + folder + " user=queuelab dbname=nowhere password=hunter2"}, 1, false, "3D000"},
		{"no server", Options{SQL: "SELECT 1", DSN: "host=/tmp/nowhere-at-all user=queuelab password=hunter2"}, 1, false, "no such file"},
		{"nobody listens", Options{SQL: "SELECT 1", DSN: "postgres://queuelab:hunter2@127.0.0.1:1/postgres"}, 0, false, "connection refused"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.options.DSN == "" {
				c.options.DSN = dsn(folder)
			}
			driver, err := New("postgres", c.options)
			if err != nil {
				t.Fatal(err)
			}
			defer driver.Close()
			err = driver.Connect(t.Context(), c.n)
			var wrong *UsageError
			var unreachable *UnreachableError
			if errors.As(err, &wrong) != c.usage || errors.As(err, &unreachable) == c.usage {
				t.Fatalf("Connect = %v (%T), usage error wanted: %v", err, err, c.usage)
			}
			if !strings.Contains(err.Error(), c.mentions) || strings.ContainsAny(err.Error(), "\n\t") {
				t.Errorf("error %q is not one line that mentions %q", err, c.mentions)
			}
			if strings.Contains(err.Error()+driver.Target(), "hunter2") {
				t.Errorf("the password shows in %q or %q", err, driver.Target())
			}
			want(t, driver.Do(&Request{}), "unconnected")
		})
	}
}
