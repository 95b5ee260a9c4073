package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"queuelab/drivers"
	"queuelab/measure"
	"queuelab/measure/cleanup"
	"queuelab/measure/database"
	"queuelab/measure/lab"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// defaultURL is the page of the nginx lab.
const defaultURL = "http://127.0.0.1:9100/page.txt"

// targetFlags are the flags that say what is measured.
type targetFlags struct {
	set         *flag.FlagSet
	driver      string
	url         string
	method      string
	body        string
	header      list
	expect      string
	dsn         string
	sql         string
	connections int
	lab         string
}

func addTargetFlags(f *flag.FlagSet) *targetFlags {
	t := &targetFlags{set: f}
	f.StringVar(&t.driver, "driver", "http", "how a request is sent: "+strings.Join(drivers.Names(), " or "))
	f.StringVar(&t.url, "url", defaultURL, "http: what is fetched; with -lab, a path of the lab's server such as /healthz")
	f.StringVar(&t.method, "method", "", "http: the method (default GET, or POST with -body)")
	f.StringVar(&t.body, "body", "", "http: the body of every request")
	f.Var(&t.header, "header", "http: a header `\"Name: value\"`; may be repeated")
	f.StringVar(&t.expect, "expect", "", "http: the statuses that count as success, such as 200 or 200,302 (default 200 to 399)")
	f.StringVar(&t.dsn, "dsn", "", "postgres: connection string (default: the usual PG* variables)")
	f.StringVar(&t.sql, "sql", "", "postgres: the statement; $1, if there is one, is a random key below 1,000,000")
	f.IntVar(&t.connections, "connections", 0, "postgres: pool size (default: one in an open loop, one a client in a closed one); http: at most so many")
	f.StringVar(&t.lab, "lab", "", "start a private pinned server and measure it: "+strings.Join(lab.Names(), " or "))
	return t
}

// target is what a run is measured against.
type target struct {
	driver  string
	options drivers.Options
	server  lab.Server  // nil when the server is somebody else's
	path    string      // of the lab's server, "" for the one that it names itself
	staller lab.Staller // nil when the server is not to be stalled
	release func()      // gives the generator its CPUs back

	database *string        // whose facts belong to the header, as a DSN; nil for none
	cleanup  *cleanup.Guard // deletes what runs write; nil when they write nothing
}

// check refuses flags that contradict each other, before anything is started.
func (t *targetFlags) check() (*target, error) {
	set := given(t.set)
	if set["connections"] && t.connections < 1 {
		return nil, usagef("-connections is %d: it must be at least 1", t.connections)
	}
	expect, err := parseExpect(t.expect)
	if err != nil {
		return nil, err
	}
	out := &target{driver: t.driver, options: drivers.Options{
		Method: t.method, Body: t.body, Header: t.header, Expect: expect,
		DSN: t.dsn, SQL: t.sql, Connections: t.connections,
	}}
	if set["cleanup-sql"] && t.driver == "http" {
		out.options.DSN = "" // it names the database behind the server
	}
	if t.lab != "" {
		return out, t.checkLab(out, set)
	}
	if t.driver == "http" || set["url"] {
		out.options.URL = t.url
	}
	if _, err := drivers.New(out.driver, out.options); err != nil {
		return nil, err
	}
	return out, nil
}

// checkLab refuses flags that contradict the lab's, and those that its driver does
// not take. Where its server is, and what it is asked, the lab says once it runs.
func (t *targetFlags) checkLab(out *target, set map[string]bool) (err error) {
	if !slices.Contains(lab.Names(), t.lab) {
		return usagef("there is no lab %q; the labs are %s", t.lab, strings.Join(lab.Names(), " and "))
	}
	if out.driver, err = lab.Driver(t.lab); err != nil {
		return err
	}
	for _, name := range []string{"driver", "dsn", "sql"} {
		if set[name] {
			return usagef("-lab %s sets driver, target and query itself: leave -%s out", t.lab, name)
		}
	}
	if set["url"] {
		if out.driver != "http" {
			return usagef("-lab %s sets driver, target and query itself: leave -url out", t.lab)
		}
		if !strings.HasPrefix(t.url, "/") {
			return usagef("-lab %s sets driver, target and query itself: leave -url out, or give a path of its server such as -url /", t.lab)
		}
		out.path = t.url
	}
	probe := out.options
	if out.driver == "http" {
		probe.URL = "http://127.0.0.1" + out.path
	} else {
		probe.DSN, probe.SQL = "host=/ sslmode=disable", "SELECT 1"
	}
	_, err = drivers.New(out.driver, probe)
	return err
}

// stall settles the kind of a stall, which only a lab's server can have.
func (t *targetFlags) stall(s *workload.Stall) error {
	if !s.Any() {
		return nil
	}
	if t.lab == "" {
		return usagef("-stall needs -lab, since only a private server can be made to stand still: give -lab, or leave -stall out")
	}
	kind, err := lab.StallKind(t.lab, s.Kind)
	if err != nil {
		return usageError{err}
	}
	s.Kind = kind
	return nil
}

// start starts the lab, if one was asked for, and keeps the generator off its
// CPU; close stops it.
func (t *target) start(ctx context.Context, c *console, name string) error {
	if name == "" {
		return nil
	}
	server, err := lab.Start(ctx, name, lab.Options{})
	if err != nil {
		return err
	}
	t.server = server
	t.options.URL, t.options.DSN = server.URL(), server.DSN()
	if t.path != "" {
		t.options.URL = server.Base() + t.path
	}
	t.options.SQL, t.options.Session = server.SQL(), server.Session()
	release, err := lab.KeepOff(server.CPU())
	if err != nil {
		return fmt.Errorf("the generator could not be kept off the server's CPU: %w", err)
	}
	t.release = release
	fmt.Fprintln(c.err, server.Describe())
	return nil
}

// prepare makes ready for stalls, if there are to be any.
func (t *target) prepare(ctx context.Context, s workload.Stall) (err error) {
	if s.Any() {
		t.staller, err = t.server.Staller(ctx, s.Kind)
	}
	return err
}

func (t *target) close() (err error) {
	err = t.clean(nil) // while its database runs
	if t.release != nil {
		t.release()
	}
	if t.staller != nil {
		err = errors.Join(err, t.staller.Close())
	}
	if t.server != nil {
		err = errors.Join(err, t.server.Stop())
	}
	return err
}

// header is the header of a run, with what is known of the server and of the
// database behind it.
func (t *target) header(ctx context.Context, verb string, args []string) (record.Header, error) {
	h := header(ctx, verb, args)
	if t.server != nil {
		h.Server = t.server.Facts()
		return *h, nil
	}
	dsn := t.database
	if t.driver == "postgres" {
		dsn = &t.options.DSN
	}
	if dsn == nil {
		return *h, nil
	}
	facts, err := database.Facts(ctx, *dsn)
	if ctx.Err() != nil {
		return *h, errInterrupted // no fault of the server
	}
	if facts == nil {
		return *h, err
	}
	if err != nil {
		// They are an ornament of the run, not a condition of it.
		facts["incomplete"] = err.Error()
	}
	h.Server = facts
	return *h, nil
}

// cpu is the CPU whose speed matters to a run: the server's, if it is known.
func (t *target) cpu() int {
	if t.server == nil {
		return -1
	}
	return t.server.CPU()
}

// counter is the server's own count of a run's requests, nil when it is not known to
// keep one.
func (t *target) counter(w *workload.Workload) measure.Counter {
	if t.server != nil {
		return t.server.Counter(t.options, w)
	}
	if t.driver == "postgres" {
		if c, ok := database.NewCounter(t.options, w.Clients); ok {
			return c
		}
	}
	return nil
}

func parseExpect(text string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var out []int
	for _, word := range strings.Split(text, ",") {
		status, err := strconv.Atoi(strings.TrimSpace(word))
		if err != nil || status < 100 || status > 599 {
			return nil, usagef("-expect %q: %q is not an HTTP status from 100 to 599", text, word)
		}
		out = append(out, status)
	}
	return out, nil
}
