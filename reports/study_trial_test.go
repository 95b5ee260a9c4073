package reports

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"queuelab/measure/cleanup"
	"queuelab/measure/lab"
)

// trials is a study of trials alone. Its lines: 2 name, 3 title, 4 question,
// 5 targets, 6 the target, 7 experiments, 8 the experiment, 9 its clients, 10 the
// ceiling, 11 endpoints, 12 and 13 the endpoints, 14 profiles, 15 the profile.
const trials = `
name: trials
title: A
question: Q?
targets:
  - {name: T, driver: http, url: "http://me@h:8080/page?x=1", header: ["X-Key: v"], expect: [200, 404], connections: 9}
experiments:
  - kind: trial
    clients: [50]
    ceiling: health
    endpoints:
      - {name: health, path: /healthz}
      - {name: order, path: "/orders?a=b", method: PUT, body: "{}", header: ["A: b"], expect: [201], cleanup_sql: DELETE FROM orders WHERE item = 'x', dsn: "postgres://me@h/shop"}
profiles:
  quick: {trial: 10s, reps: 5, warmup: 3s, pause: 30s}
`

func TestParseReadsTrials(t *testing.T) {
	s := parsed(t, trials)
	want := Experiment{
		Kind: TrialKind, Title: "Endpoints, measured several times", Clients: []int{50}, Targets: []string{"T"}, Ceiling: "health",
		Endpoints: []Endpoint{
			{Name: "health", Path: "/healthz"},
			{
				Name: "order", Path: "/orders?a=b", Method: "PUT", Body: "{}", Header: []string{"A: b"}, Expect: []int{201},
				Cleanup: "DELETE FROM orders WHERE item = 'x'", DSN: "postgres://me@h/shop",
			},
		},
	}
	if got := s.Experiments[0]; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	profile := Profile{Trial: 10 * time.Second, Reps: 5, Warmup: 3 * time.Second, Pause: 30 * time.Second, MaxLoad: 1, Scale: 1, ScenarioReps: 1}
	if got := s.Profiles["quick"]; got != profile {
		t.Errorf("the profile is %+v, want %+v", got, profile)
	}
	if !s.HasTrials() || parsed(t, minimal).HasTrials() {
		t.Error("whether a study has trials is not seen")
	}
}

// What an endpoint asks for: its path in the place of the target's, its headers
// behind the target's, and its statuses instead of the target's.
func TestEndpointsOfATarget(t *testing.T) {
	s := parsed(t, trials)
	target, endpoints := &s.Targets[0], s.Experiments[0].Endpoints
	at := &site{target: target, base: origin(target.URL)}
	health, order := at.asks(endpoints[0]), at.asks(endpoints[1])
	if health.URL != "http://me@h:8080/healthz" || !reflect.DeepEqual(health.Expect, []int{200, 404}) || !reflect.DeepEqual(health.Header, []string{"X-Key: v"}) {
		t.Errorf("the first endpoint asks for %+v", health)
	}
	if order.URL != "http://me@h:8080/orders?a=b" || !reflect.DeepEqual(order.Expect, []int{201}) || !reflect.DeepEqual(order.Header, []string{"X-Key: v", "A: b"}) || order.Method != "PUT" || order.Connections != 9 {
		t.Errorf("the second endpoint asks for %+v", order)
	}
	for url, want := range map[string]string{
		"http://h:80/": "http://h:80", "https://h": "https://h", "http://h?x": "http://h", "http://h#x": "http://h", "http://[::1]:9/a/b": "http://[::1]:9", "h": "",
		"http://me:p%40ss@h/": "http://me:p%40ss@h", "http://h/100%": "",
	} {
		if got := origin(url); got != want {
			t.Errorf("origin(%q) = %q, want %q", url, got, want)
		}
	}
}

// writingLab is a lab whose requests may write.
type writingLab struct{ lab.Server }

func (writingLab) Written() (dsn, cleanup string) { return "host=lab", "DELETE FROM links" }

// A lab knows how to delete what is written to it; of one's own server the study
// says it; a known-answer server keeps nothing.
func TestWhoDeletesWhatIsWritten(t *testing.T) {
	own := cleanup.Config{DSN: "host=mine", SQL: "DELETE FROM orders"}
	post := Endpoint{Method: "POST", DSN: own.DSN, Cleanup: own.SQL}
	get := Endpoint{DSN: own.DSN, Cleanup: own.SQL}
	for _, c := range []struct {
		what string
		s    site
		p    Endpoint
		want cleanup.Config
	}{
		{"a write to a lab", site{target: &Target{Lab: "shortener"}, server: writingLab{}}, post, cleanup.Config{DSN: "host=lab", SQL: "DELETE FROM links", Private: true}},
		{"a read from a lab", site{target: &Target{Lab: "shortener"}, server: writingLab{}}, get, cleanup.Config{}},
		{"a write to one's own server", site{target: &Target{Driver: "http"}}, post, own},
		{"a GET that writes, since somebody says so", site{target: &Target{Driver: "http"}}, get, own},
		{"a write that nobody wants deleted", site{target: &Target{Driver: "http"}}, Endpoint{Method: "POST"}, cleanup.Config{}},
		{"a write to a known-answer server", site{target: &Target{Servers: 1}}, post, cleanup.Config{}},
	} {
		if got := c.s.written(c.p); got != c.want {
			t.Errorf("%s is deleted by %+v, want %+v", c.what, got, c.want)
		}
	}
}

func TestParseRefusesTrials(t *testing.T) {
	const health, profile = "{name: health, path: /healthz}", "{trial: 10s, reps: 5, warmup: 3s, pause: 30s}"
	const target = `{name: T, driver: http, url: "http://me@h:8080/page?x=1", header: ["X-Key: v"], expect: [200, 404], connections: 9}`
	const cleanup, dsn = ", cleanup_sql: DELETE FROM orders WHERE item = 'x'", `, dsn: "postgres://me@h/shop"`
	for _, c := range []struct{ old, new, want string }{
		{"clients: [50]", "clients: [1, 50]", `:9: clients of experiment 1 has 2 numbers; a trial takes one, such as [50]`},
		{"    clients: [50]\n", "", `:8: experiment 1 needs clients, the number of closed clients, such as clients: [50]`},
		{"clients: [50]", "clients: [50]\n    loads: [0.5]", `:10: loads of experiment 1 cannot be set, because it does not belong to kind: trial`},
		{"ceiling: health", "ceiling: helth", `:10: ceiling of experiment 1 is "helth"; did you mean "health"?`},
		{"ceiling: health", "cieling: health", `has no key "cieling"; did you mean "ceiling"?`},
		{health, "{name: health, path: healthz}", `:12: path of endpoint 1 of experiment 1 is "healthz" and must begin with a slash, such as /healthz`},
		{health, "{name: health}", `:12: endpoint 1 of experiment 1 needs path, what is asked for, such as path: /healthz`},
		{health, "{path: /healthz}", `:12: endpoint 1 of experiment 1 needs name, which figures and tables show`},
		{health, "{name: λ, path: /healthz}", `names files too, so it needs a letter or digit`},
		{health, "{name: health, path: '/a b'}", `path of endpoint 1 of experiment 1 cannot be used: `},
		{health, "{name: health, path: /healthz, url: x}", `endpoint 1 of experiment 1 has no key "url"`},
		{health, "{name: health, path: /healthz, expect: [99]}", `expect of endpoint 1 of experiment 1 is 99 and must lie between 100 and 599`},
		{health, "{name: health, path: /healthz, header: [x]}", `header of endpoint 1 of experiment 1 cannot be used: `},
		{health, "{name: Order, path: /healthz}", `:13: endpoint 2 of experiment 1 and another one are both called "order", in letters and digits`},
		{health, strings.Repeat(health+"\n      - ", 6) + health, `:11: endpoints of experiment 1 has 8 endpoints; a figure has room for 6`},
		{cleanup, "", `:13: dsn of endpoint 2 of experiment 1 is the database in which cleanup_sql runs; write that too, or remove it`},
		{cleanup, ", cleanup_sql: DROP TABLE orders", `:13: cleanup_sql of endpoint 2 of experiment 1 cannot be used: `},
		{dsn, `, dsn: "postgres://me:s3cr3t@h:port/shop"`, `dsn of endpoint 2 of experiment 1 cannot be used: `},
		{target, "{name: T, lab: nginx}", `:8: cleanup_sql of experiment 1 has no effect, because none of its targets is a server that already runs; remove it`},
		{target, "{name: T, lab: postgres}", `:8: experiment 1 sends HTTP requests, which the target "T" does not take`},
		{target, `{name: T, driver: http, url: "http://h/100%"}`, `:8: experiment 1 cannot put its paths into the url of the target "T"`},
		{target, "{name: T, driver: postgres, sql: SELECT 1}", `experiment 1 sends HTTP requests, which the target "T" does not take; list the others in its targets`},
		{"profiles:", "  - {kind: trial, title: B, clients: [1], endpoints: [{name: Health, path: /}]}\nprofiles:", `:14: experiment 2 and an earlier trial both have an endpoint "health" on the target "T"; its name is that of its folder`},
		{"profiles:", "    published: {runs: [{throughput: 1}]}\nprofiles:", `:14: runs of the published part has 1 rows and the experiment has 2 runs`},
		{"profiles:", "    published: {service: det:4ms, runs: [{throughput: 1}, {}]}\nprofiles:", `the published part has no key "service"`},
		{"profiles:", "    published: {runs: [{throughput: 1, spread: 0.1}, {}]}\nprofiles:", `spread of a published run is 0.1 without a unit; write 10%`},
		{"profiles:", "    published: {runs: [{troughput: 1}, {}]}\nprofiles:", `a published run has no key "troughput"; did you mean "throughput"?`},
		{profile, "{reps: 5}", `:15: profile quick needs trial, the length of a run of an experiment of kind trial`},
		{profile, "{trial: 10, reps: 5}", `trial of profile quick is "10", which is a number without a unit; write 10s`},
		{profile, "{trial: 10s}", `:15: profile quick takes one run of each trial, which says nothing about how far it moves; write at least reps: 2`},
		{profile, "{trial: 10s, reps: 5, pause: 90}", `pause of profile quick is "90", which is a number without a unit; write 90s`},
		{"profiles:", "  - {kind: closed, clients: [1]}\nprofiles:", `profile quick needs calibrate, the length of a calibration run`},
	} {
		if !strings.Contains(trials, c.old) {
			t.Fatalf("%q does not stand in the study", c.old)
		}
		_, err := Parse("s.yaml", []byte(strings.Replace(trials, c.old, c.new, 1)))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\ngot  %v\nwant %s", c.new, err, c.want)
		} else if strings.Contains(err.Error(), "s3cr3t") {
			t.Errorf("%s gives an error with the password: %v", c.new, err)
		}
	}
}

// The article's figures are those of the endpoints that the study has: a redirect
// costs half of the ceiling, and the spread rises with the work.
func TestBaselineHasPublishedFiguresForEveryEndpoint(t *testing.T) {
	s, err := Load("baseline")
	if err != nil {
		t.Fatal(err)
	}
	e := s.Experiments[0]
	if e.Ceiling != e.Endpoints[0].Name || len(e.Published.Runs) != 3 {
		t.Fatalf("ceiling %s, %d published endpoints", e.Ceiling, len(e.Published.Runs))
	}
	for i, row := range e.Published.Runs[1:] {
		before := e.Published.Runs[i]
		if row["throughput"] >= before["throughput"] || row["p99"] <= before["p99"] || row["spread"] <= before["spread"] {
			t.Errorf("endpoint %s is not slower and less steady than the one before: %v after %v", e.Endpoints[i+1].Name, row, before)
		}
	}
	quick := s.Profiles["quick"]
	if quick.Reps != 5 || quick.Trial != 10*time.Second || quick.Warmup != 3*time.Second || quick.Pause != 30*time.Second || e.Clients[0] != 50 {
		t.Errorf("the profile quick is %+v with %v clients, which is not the article's procedure", quick, e.Clients)
	}
}
