package drivers

import (
	"errors"
	"strings"
	"testing"
)

func TestNewRefusesWithUsageErrors(t *testing.T) {
	const page = "http://127.0.0.1:9100/page.txt"
	cases := []struct {
		name, driver string
		options      Options
		mentions     string
	}{
		{"unknown driver", "gopher", Options{URL: page}, "http and postgres"},
		{"negative connections", "http", Options{URL: page, Connections: -1}, "-1"},
		{"absurd connections", "http", Options{URL: page, Connections: 1 << 40}, "1000000"},
		{"SQL for http", "http", Options{URL: page, SQL: "SELECT 1"}, "SQL"},
		{"DSN for http", "http", Options{URL: page, DSN: "host=/tmp"}, "DSN"},
		{"URL for postgres", "postgres", Options{SQL: "SELECT 1", URL: page}, "URL"},
		{"several for postgres", "postgres", Options{SQL: "SELECT 1", Body: "x", Expect: []int{200}}, "Body, Expect"},
		{"no URL", "http", Options{}, "needs a URL"},
		{"no SQL", "postgres", Options{SQL: " \n"}, "needs a query"},
		{"no such status", "http", Options{URL: page, Expect: []int{200, 20}}, "20"},
		{"no method", "http", Options{URL: page, Method: "GET IT"}, "GET IT"},
		{"bad header", "http", Options{URL: page, Header: []string{"A: b", "nonsense"}}, "header 2"},
		{"malformed DSN", "postgres", Options{SQL: "SELECT 1", DSN: "postgres://h:port/db"}, "DSN is malformed"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			driver, err := New(c.driver, c.options)
			var wrong *UsageError
			if driver != nil || !errors.As(err, &wrong) {
				t.Fatalf("New = %v, %v; want nil and a usage error", driver, err)
			}
			if !strings.Contains(err.Error(), c.mentions) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q is not one line that mentions %q", err, c.mentions)
			}
		})
	}
}

func TestNamesAreSortedAndKnown(t *testing.T) {
	names := Names()
	if strings.Join(names, " ") != "http postgres" {
		t.Errorf("Names() = %v", names)
	}
}
