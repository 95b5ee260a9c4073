package reports

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"queuelab/drivers"
	"queuelab/measure/lab"
	"queuelab/measure/law"
)

// What each way to reach a system takes beside its name.
var (
	targetKeys   = []string{"name", "lab", "serve", "servers", "driver", "url", "method", "body", "header", "expect", "dsn", "sql", "connections"}
	labKeys      = []string{"name", "lab"}
	serveKeys    = []string{"name", "serve", "servers"}
	httpKeys     = []string{"name", "driver", "url", "method", "body", "header", "expect", "connections"}
	postgresKeys = []string{"name", "driver", "dsn", "sql", "connections"}
)

// Bounds that keep a typing error from asking for the impossible.
const (
	maxServers     = 1000
	maxConnections = 10_000
	maxServiceTime = 10 // seconds
)

func (s *Study) readTargets(list value) {
	for i, v := range list.list("- {name: nginx, lab: nginx}") {
		what := fmt.Sprintf("target %d", i+1)
		v.name = what
		o := v.object(what, targetKeys)
		if o == nil {
			continue
		}
		t := readTarget(o)
		for _, other := range s.Targets {
			if slug(other.Name) == slug(t.Name) && t.Name != "" {
				o.r.refuse(o.line, "%s and another target are both called %s, in letters and digits; give each a name of its own", what, shown(t.Name))
			}
		}
		s.Targets = append(s.Targets, t)
	}
}

func readTarget(o *object) Target {
	var t Target
	if v, ok := o.need("name", "which figures and tables show"); ok {
		t.Name = v.words()
		if t.Name != "" && (slug(t.Name) == "" || len(t.Name) > 60) {
			v.r.refuse(v.line, "%s names files too, so it needs a letter or digit of a-z or 0-9 and at most 60 bytes", v.name)
		}
	}
	_, isLab := o.get("lab")
	_, isServe := o.get("serve")
	_, isDriver := o.get("driver")
	switch {
	case isLab:
		t.readLab(o)
	case isServe:
		t.readServe(o)
	case isDriver:
		t.readDriver(o)
	case o.misspelt["lab"], o.misspelt["serve"], o.misspelt["driver"]:
	default:
		o.r.refuse(o.line, "%s names no system; add lab: nginx or lab: postgres, serve: exp:5ms, or driver: http with url, or driver: postgres with dsn and sql", o.what)
	}
	return t
}

func (t *Target) readLab(o *object) {
	o.forbid("lab starts a server of its own", labKeys...)
	t.Lab = o.values["lab"].choice(lab.Names()...)
}

func (t *Target) readServe(o *object) {
	o.forbid("serve starts a known-answer server of its own", serveKeys...)
	t.Serve = o.values["serve"].serviceLaw()
	t.Servers = 1
	if v, ok := o.get("servers"); ok {
		t.Servers = v.whole(1, maxServers, "1")
	}
}

// serviceLaw reads the law of a service time.
func (v value) serviceLaw() law.Law {
	text, ok := v.scalar("a law such as exp:5ms")
	if !ok {
		return nil
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		v.r.refuse(v.line, "%s is %s without a unit; write a law with a duration, such as det:5ms or exp:5ms", v.name, shown(text))
		return nil
	}
	l, err := law.Parse(text)
	switch {
	case err != nil && shown(text) != fmt.Sprintf("%q", text):
		v.r.refuse(v.line, "%s is not a law; write it like det:5ms or exp:5ms", v.name)
	case err != nil:
		v.r.refuse(v.line, "%s is wrong: %s", v.name, err)
	case !(l.Mean() > 0) || math.IsInf(l.Mean(), 0) || l.Mean() > maxServiceTime:
		v.r.refuse(v.line, "%s has a mean of %g s; a service time lies above 0 and not above %d s", v.name, l.Mean(), maxServiceTime)
	default:
		return l
	}
	return nil
}

func (t *Target) readDriver(o *object) {
	t.Driver = o.values["driver"].choice(drivers.Names()...)
	switch t.Driver {
	case "http":
		o.forbid("it does not belong to driver: http", httpKeys...)
		if _, ok := o.need("url", "where requests go, such as url: http://127.0.0.1:9200/"); ok {
			t.readParts(o, httpKeys[2:])
		}
	case "postgres":
		o.forbid("it does not belong to driver: postgres", postgresKeys...)
		if _, ok := o.need("sql", "the query, such as sql: SELECT 1"); ok {
			t.readParts(o, postgresKeys[2:])
		}
	}
}

// readParts reads a driver's keys and lets the driver judge them one after the
// other, so that its complaint gets the line it belongs to.
func (t *Target) readParts(o *object, keys []string) {
	for _, key := range keys {
		v, ok := o.get(key)
		if !ok {
			continue
		}
		before := len(v.r.problems)
		t.readPart(key, v)
		if len(v.r.problems) > before {
			continue
		}
		if err := t.judge(); err != nil {
			v.r.refuse(v.line, "%s cannot be used: %s", v.name, err)
			return
		}
	}
}

func (t *Target) readPart(key string, v value) {
	switch key {
	case "url":
		t.URL = v.text()
	case "method":
		t.Method = v.text()
	case "body":
		t.Body = v.text()
	case "header":
		t.Header = v.header()
	case "expect":
		t.Expect = v.statuses()
	case "dsn":
		t.DSN = v.text()
	case "sql":
		t.SQL = v.text()
	case "connections":
		t.Connections = v.whole(1, maxConnections, "10")
	}
}

// header reads a list of HTTP headers.
func (v value) header() []string {
	var lines []string
	for _, line := range v.list(`["Accept: text/plain"]`) {
		lines = append(lines, line.text())
	}
	return lines
}

// statuses reads a list of HTTP status codes.
func (v value) statuses() []int {
	var codes []int
	for _, status := range v.list("[200]") {
		codes = append(codes, status.whole(100, 599, "200"))
	}
	return codes
}

// judge asks the driver about what is known so far. A driver opens nothing
// before it is told to, and its complaints hold no secret.
func (t *Target) judge() error {
	options := t.options()
	if t.Driver == "postgres" && strings.TrimSpace(t.SQL) == "" {
		options.SQL = "SELECT 1"
	}
	d, err := drivers.New(t.Driver, options)
	if err != nil {
		return err
	}
	return d.Close()
}

// options are what the driver of a server that already runs is made with.
func (t *Target) options() drivers.Options {
	return drivers.Options{
		URL: t.URL, Method: t.Method, Body: t.Body, Header: t.Header, Expect: t.Expect,
		DSN: t.DSN, SQL: t.SQL, Connections: t.Connections,
	}
}
