package reports

import (
	"fmt"
	"strings"
	"testing"
)

// minimal is the shortest study; tests change one thing in it. Its lines:
// 1 name, 2 title, 3 question, 4 targets, 5 the target, 6 experiments, 7 the
// experiment, 8 profiles, 9 the profile.
const minimal = `name: a
title: A
question: Q?
targets:
  - {name: T, serve: exp:5ms}
experiments:
  - {kind: open, loads: [0.5]}
profiles:
  quick: {calibrate: 1s, open: 1s}
`

// edit replaces the first old text of minimal by the new one.
func edit(t *testing.T, old, new string) string {
	t.Helper()
	if !strings.Contains(minimal, old) {
		t.Fatalf("%q does not stand in the study", old)
	}
	return strings.Replace(minimal, old, new, 1)
}

func TestParseRefuses(t *testing.T) {
	const target, experiment, profile = "{name: T, serve: exp:5ms}", "{kind: open, loads: [0.5]}", "{calibrate: 1s, open: 1s}"
	for _, c := range []struct{ old, new, want string }{
		// unknown, missing and doubled keys
		{"question: Q?", "qestion: Q?", `:3: a study has no key "qestion"; did you mean "question"?`},
		{"title: A\n", "", `:1: a study needs title, the head of the report`},
		{"title: A\n", "title: A\ntitle: B\n", `:3: title is set twice, first in line 2; remove one of them`},
		{target, "{name: T, srve: exp:5ms}", `:5: target 1 has no key "srve"; did you mean "serve"?`},
		{target, "{name: T, password: x}", `:5: target 1 has no key "password"; use one of name, lab,`},
		{experiment, "{kind: open, laods: [0.5]}", `:7: experiment 1 has no key "laods"; did you mean "loads"?`},
		{experiment, "{kind: open}", `:7: experiment 1 needs loads, the offered loads as fractions`},
		{experiment, "{loads: [0.5]}", `:7: experiment 1 needs kind, which is one of closed, open, stall`},
		{profile, "{calibrate: 1s, open: 1s, rep: 3}", `:9: profile quick has no key "rep"; did you mean "reps"?`},
		{profile, "{open: 1s}", `:9: profile quick needs calibrate, the length of a calibration run`},
		{profile, "{calibrate: 1s}", `:9: profile quick needs open, the length of a run of an experiment of kind open`},
		{"quick:", "qick:", `:9: profiles has no key "qick"; did you mean "quick"?`},

		// wrong units and types
		{"open: 1s", "open: 5", `:9: open of profile quick is "5", which is a number without a unit; write 5s`},
		{"open: 1s", "open: 5 sec", `is "5 sec", which is not how a duration is written; write 5s`},
		{"open: 1s", "open: 2 minutes", `write 2m`},
		{"open: 1s", "open: 1.5parsec", `has a unit that is not known; write it like 1.5s or 1.5ms`},
		{"open: 1s", "open: soon", `is not a duration; write it like 5s or 500ms`},
		{"open: 1s", "open: [1s]", `open of profile quick is a list; write a duration such as 5s`},
		{"open: 1s", "open: {s: 1}", `open of profile quick is a mapping; write a duration`},
		{"open: 1s", "open:", `open of profile quick is empty; write a duration such as 5s or remove the key`},
		{"title: A", "title: A\nmargin: 0.1", `:3: margin is 0.1 without a unit; write 10%`},
		{"title: A", "title: A\nmargin: 10", `:3: margin is 10 without a unit; write 10%`},
		{"title: A", "title: A\nmargin: ten", `margin is "ten", which is not a percentage; write it like 10%`},
		{"title: A", "title: A\nseed: -1", `:3: seed is "-1"; write a whole number from 0 to 9007199254740992`},
		{"title: A", "title: A\nseed: 99999999999999999999", `seed is "99999999999999999999"; write a whole number`},
		{"exp:5ms", "5", `:5: serve of target 1 is "5" without a unit; write a law with a duration, such as det:5ms`},
		{"exp:5ms", "exp:5", `serve of target 1 is wrong: the law "exp:5" cannot be used (exp:MEAN): "5" is not a duration`},
		{"exp:5ms", "expo:5ms", `serve of target 1 is wrong: "expo:5ms" is not a law`},
		{"[0.5]", "0.5", `:7: loads of experiment 1 needs a list with at least one element, such as [0.4, 0.6, 0.8]`},
		{"[0.5]", "[]", `loads of experiment 1 needs a list with at least one element`},
		{"[0.5]", "[50%]", `loads of experiment 1 is "50%", which is not a number; write it like 0.8 for 80 % of the capacity`},
		{"[0.5]", `["0.5"]`, `loads of experiment 1 is quoted text; write a number such as 0.8 for 80 % of the capacity, without quotes`},
		{"loads: [0.5]", "loads: [0.5], even: yes", `even of experiment 1 is "yes"; write true or false`},
		{"title: A", "title: [A]", `:2: title is a list; write text`},
		{"title: A", `title: "  "`, `:2: title is empty; write text`},
		{"targets:\n  - {name: T, serve: exp:5ms}", "targets: nginx", `:4: targets needs a list with at least one element`},
		{target, "nginx", `:5: target 1 must be a mapping with name, lab`},

		// out of range
		{"name: a", "name: A b", `:1: name is "A b"; write at most 40 of a-z, 0-9 and single dashes between them`},
		{"name: a", "name: ../../etc", `name is "../../etc"; write at most 40`},
		{"title: A", "title: A\nmargin: 0%", `margin is 0% and must lie above 0% and not above 100%`},
		{"title: A", "title: A\nmargin: 101%", `margin is 101% and must lie above 0%`},
		{"title: A", "title: A\nmargin: NaN%", `is not a percentage`},
		{"[0.5]", "[0.5, 40]", `loads of experiment 1 is 40 and must lie between 0.01 and 1.5; write it like 0.8`},
		{"[0.5]", "[0]", `loads of experiment 1 is 0 and must lie between`},
		{"[0.5]", "[.nan]", `loads of experiment 1 is ".nan", which is not a number`},
		{"[0.5]", "[0.5, 0.50]", `loads of experiment 1 has 0.5 twice; remove one`},
		{"open: 1s", "open: 1ms", `open of profile quick is 1ms and must lie between 100ms and 24h`},
		{"open: 1s", "open: 1s, reps: 0", `reps of profile quick is 0 and must lie between 1 and 1000`},
		{"open: 1s", "open: 1s, reps: 1.5", `reps of profile quick is "1.5", which is not a whole number; write it like 3`},
		{"open: 1s", "open: 1s, warmup: -1s", `warmup of profile quick is -1s and must lie between 0s and 1h`},
		{"exp:5ms", "det:0s", `serve of target 1 has a mean of 0 s; a service time lies above 0`},
		{"exp:5ms", "exp:20s", `serve of target 1 has a mean of 20 s; a service time lies above 0 and not above 10 s`},
		{"exp:5ms", "exp:5ms, servers: 0", `servers of target 1 is 0 and must lie between 1 and 1000`},
		{"name: T", "name: λ", `:5: name of target 1 names files too, so it needs a letter or digit`},

		// impossible combinations
		{target, "{name: T}", `:5: target 1 names no system; add lab: nginx`},
		{target, "{name: T, url: 'http://h/'}", `target 1 names no system; add lab: nginx or lab: postgres, serve: exp:5ms, or driver: http with url`},
		{target, "{name: T, lab: nginx, serve: exp:5ms}", `serve of target 1 cannot be set, because lab starts a server of its own; remove it`},
		{target, "{name: T, lab: nginx, url: 'http://h/'}", `url of target 1 cannot be set, because lab starts a server of its own`},
		{target, "{name: T, lab: apache}", `lab of target 1 is "apache"; use one of nginx, postgres`},
		{target, "{name: T, serve: exp:5ms, dsn: x}", `dsn of target 1 cannot be set, because serve starts a known-answer server`},
		{target, "{name: T, driver: htp, url: 'http://h/'}", `driver of target 1 is "htp"; did you mean "http"?`},
		{target, "{name: T, driver: http}", `target 1 needs url, where requests go`},
		{target, "{name: T, driver: http, url: 'http://h/', sql: SELECT 1}", `sql of target 1 cannot be set, because it does not belong to driver: http`},
		{target, "{name: T, driver: postgres}", `target 1 needs sql, the query`},
		{target, "{name: T, driver: postgres, sql: SELECT 1, url: 'http://h/'}", `url of target 1 cannot be set, because it does not belong to driver: postgres`},
		{target, "{name: T, driver: http, url: 'h'}", `url of target 1 cannot be used: the URL "h" has no scheme`},
		{target, "{name: T, driver: http, url: 'http://h/', method: 'a b'}", `method of target 1 cannot be used`},
		{target, "{name: T, driver: http, url: 'http://h/', header: [x]}", `header of target 1 cannot be used: header 1 is not of the form "Name: value"`},
		{target, "{name: T, driver: http, url: 'http://h/', expect: [99]}", `expect of target 1 is 99 and must lie between 100 and 599`},
		{target, "{name: T, driver: postgres, sql: SELECT 1, dsn: 'port=x'}", `dsn of target 1 cannot be used: the DSN is malformed`},
		{target, target + "\n  - {name: t, lab: nginx}", `:6: target 2 and another target are both called "t", in letters and digits`},
		{experiment, "{kind: close, clients: [1]}", `kind of experiment 1 is "close"; did you mean "closed"?`},
		{experiment, "{kind: closed, loads: [0.5]}", `loads of experiment 1 cannot be set, because it does not belong to kind: closed`},
		{experiment, "{kind: closed, clients: [1], even: true}", `even of experiment 1 cannot be set, because it does not belong to kind: closed`},
		{experiment, "{kind: open, loads: [0.5], clients: [1]}", `clients of experiment 1 cannot be set, because it does not belong to kind: open`},
		{experiment, "{kind: open, loads: [0.5], together: true}", `together of experiment 1 draws several targets in one figure, but there is only one`},
		{experiment, "{kind: open, loads: [0.5], targets: [U]}", `experiment 1 has no target "U"; use T`},
		{experiment, "{kind: open, loads: [0.5], targets: [T, T]}", `experiment 1 names the target "T" twice`},
		{experiment, experiment + "\n  - " + experiment, `:8: experiment 2 has the title of another experiment`},
		{experiment, "{kind: overload, loads: [1.1]}", `:7: experiment 1 needs lengths, the lengths of the runs`},
		{experiment, "{kind: spacing, loads: [0.5, 0.6], length: 1s}", `loads of experiment 1 has 2 loads; kind: spacing takes one`},
		{experiment, "{kind: spacing, loads: [0.5], length: 1s, retry: 1s}", `retry of experiment 1 cannot be set, because it does not belong to kind: spacing`},
		{experiment, "{kind: stall, clients: [2], loads: [0.5], length: 10s, stall: 1s/5s}", `experiment 1 stalls the target "T", which only a lab can do`},
		{experiment, "{kind: stall, clients: [2], loads: [0.5], length: 8s, stall: 1s/5s}", `ends before its second stall; make its length at least 10s`},
		{experiment, "{kind: stall, clients: [2], loads: [0.5], length: 10s, stall: 1s}", `stall of experiment 1 is wrong: "1s" is no stall`},
		{experiment, "{kind: retries, loads: [0.5], length: 10s, stall: 1s/5s, retry: 100ms, timeout: 1s, copies: 1}", `copies of experiment 1 is 1 and must lie between 2 and 255`},
		{experiment, "{kind: little, clients: [2], length: 1s, published: {service: det:1ms, runs: [{mean: 1}, {mean: 2}]}}", `runs of the published part has 2 rows and the experiment has 1 runs`},
		{experiment, "{kind: little, clients: [2], length: 1s, published: {service: det:1ms, runs: [{p98: 1}]}}", `a published run has no key "p98"; did you mean "p99"?`},
		{target + "\nexperiments:\n  - " + experiment, "{name: T, lab: nginx}\nexperiments:\n  - {kind: stall, clients: [2], loads: [0.5], length: 10s, stall: lock:1s/5s}", `the stall of experiment 1 does not suit the target "T"`},
		{experiment, "{kind: overload, loads: [0.9], lengths: [1s, 2s]}", `loads of experiment 1 is 0.9, which is no overload; write one above 1, such as 1.1`},
		{experiment, "{kind: overload, loads: [1.1], lengths: [1s]}", `lengths of experiment 1 has one length; write several`},
		{experiment, "{kind: overload, loads: [1.1], lengths: [1s, 2s, 1s]}", `lengths of experiment 1 has 1s twice; remove one`},
		{experiment + "\nprofiles:\n  quick: " + profile, "{kind: overload, loads: [1.1], lengths: [1s, 2s]}\nprofiles:\n  quick: {calibrate: 1s, scale: 0.05}", `profile quick shortens two runs of experiment 1 to the same length; raise its scale of 0.05`},
		{experiment, "{kind: little, clients: [2], length: 1s, published: {service: det:1ns, runs: [{p99: 1}]}}", `service of the published part has a mean of 1e-09 s; write one of at least 0.0001 s`},
		{experiment, "{kind: stall, clients: [2], loads: [0.5], length: 10s, stall: 1s/2000000h}", `its period at most 8760h`},
		{"open: 1s", "open: 1s, scale: 2", `scale of profile quick is 2 and must lie between 0.01 and 1`},
		{"open: 1s", "open: 1s, scenario_reps: 0", `scenario_reps of profile quick is 0 and must lie between 1 and 1000`},
		{target + "\n", target + "\n  - {name: U, lab: nginx}\n", ""},
		{"open: 1s", "open: 1s, max_load: 0.4", `profile quick measures no load of experiment 1, because its max_load is 0.4`},
		{"[0.5]", "[0.5, 1.2]", `no profile measures the load 1.2 of experiment 1, because the highest max_load is 1 (1 where it is not set)`},

		// what YAML can do and a study cannot
		{"title: A", "title: &a A", `:2: title uses an anchor, alias or tag, which a study does not know; write text`},
		{"title: A", "title: !x A", `title uses an anchor, alias or tag`},
		{"title: A", "<<: {title: A}", `merge keys (<<) are not read in a study`},
		{"name: a", "---\nname: a\n---\nname: b", `a second document begins here; a file holds one study`},
		{"title: A", "title: A: B", `:2: this is not YAML`},
		{"title: A", "title: A\n\tx: 1", `:3: this is not YAML`},
		{"title: A", "title: [A", `this is not YAML`},
		{"title: A", "title: " + strings.Repeat("[", 50), `:2: more than 40 levels stand inside each other`},
		{"title: A", strings.Repeat("- ", 50) + "a", `:2: more than 40 levels stand inside each other`},
	} {
		text := edit(t, c.old, c.new)
		t.Run(c.new, func(t *testing.T) {
			_, err := Parse("s.yaml", []byte(text))
			switch {
			case c.want == "" && err != nil:
				t.Errorf("is refused: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Errorf("got  %v\nwant %s", err, c.want)
			case c.want != "" && !strings.HasPrefix(err.Error(), "s.yaml:"):
				t.Errorf("the file is not named: %v", err)
			}
		})
	}
}

func TestParseRefusesWhatIsNoStudy(t *testing.T) {
	for text, want := range map[string]string{
		"":                               "s.yaml: the file is empty",
		"# nothing\n":                    "the file is empty",
		"name":                           "s.yaml:1: a study must be a mapping with name, title",
		"- a\n- b\n":                     "a study must be a mapping",
		"\x00\xff":                       "s.yaml",
		strings.Repeat("a: b\n", 20_000): "more than 64 KiB",
	} {
		_, err := Parse("s.yaml", []byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q gives %v, want %q in it", text, err, want)
		}
	}
}

func TestParseRefusesAnIdleTarget(t *testing.T) {
	text := strings.Replace(edit(t, "exp:5ms}", "exp:5ms}\n  - {name: U, lab: nginx}"), "[0.5]", "[0.5], targets: [T]", 1)
	_, err := Parse("s.yaml", []byte(text))
	if err == nil || !strings.Contains(err.Error(), `no experiment has target 2, "U"; name it in one or remove it`) {
		t.Errorf("got %v", err)
	}
}

func TestParseTellsAllProblemsInOrder(t *testing.T) {
	text := strings.Replace(edit(t, "title: A", "titel: A"), "open: 1s", "open: 5", 1)
	_, err := Parse("s.yaml", []byte(text))
	if err == nil {
		t.Fatal("accepted")
	}
	var lines []string
	for _, l := range strings.Split(err.Error(), "\n") {
		lines = append(lines, strings.SplitN(l, " ", 2)[0])
	}
	if got, want := fmt.Sprint(lines), "[s.yaml:2: s.yaml:9:]"; got != want {
		t.Errorf("problems at %s, want %s:\n%v", got, want, err)
	}
	text = edit(t, "[0.5]", "["+strings.Repeat("x, ", 50)+"0.5]")
	_, err = Parse("s.yaml", []byte(text))
	if err == nil || strings.Count(err.Error(), "\n") != maxProblems || !strings.Contains(err.Error(), "and 30 problems more") {
		t.Errorf("50 problems give %v", err)
	}
}

// TestErrorsHoldNoPassword puts a password wherever somebody might by mistake.
func TestErrorsHoldNoPassword(t *testing.T) {
	const secret = "s3cr3tpw"
	const dsn = "postgres://me:" + secret + "@h/db"
	target := "{name: T, serve: exp:5ms}"
	for _, c := range []struct{ old, new string }{
		{target, "{name: T, driver: postgres, dsn: '" + dsn + "?sslmode=wat', sql: SELECT 1}"},
		{target, "{name: T, driver: postgres, dsn: 'postgres://me:" + secret + "@h:port/db', sql: SELECT 1}"},
		{target, "{name: T, driver: postgres, dsn: 'host=h password=" + secret + " port=x', sql: SELECT 1}"},
		{target, "{name: T, driver: postgres, dsn: '" + dsn + "'}"},
		{target, "{name: T, driver: postgres, dsn: ['" + dsn + "'], sql: SELECT 1}"},
		{target, "{name: T, driver: postgres, dsn: !" + secret + " x, sql: SELECT 1}"},
		{target, "{name: T, driver: postgres, dsn: '" + dsn + "', dsn: '" + dsn + "', sql: SELECT 1}"},
		{target, "{name: T, driver: '" + dsn + "'}"},
		{target, "{name: T, lab: '" + dsn + "'}"},
		{target, "{name: T, serve: '" + dsn + "'}"},
		{target, "{name: T, serve: 'host=h password=" + secret + "'}"},
		{target, "{name: T, lab: nginx, dsn: '" + dsn + "'}"},
		{target, "{name: T, '" + dsn + "': x}"},
		{target, "{name: T, driver: http, url: 'http://me:" + secret + "@h:x/'}"},
		{target, "{name: T, driver: http, url: 'http://h/', header: ['Authorization; " + secret + "']}"},
		{target, "{name: T, driver: http, url: 'http://h/', header: [\"Authorization: " + secret + "\\n\"], body: [1]}"},
		{target, "{name: T, driver: postgres, dsn: \"" + dsn},
		{target, "{name: T, driver: postgres, dsn: " + dsn + ": x: y]"},
		{target, "{name: T, driver: postgres, dsn: \"\\" + secret + "\"}"},
		{"open: 1s", "open: '" + dsn + "'"},
		{"open: 1s", "open: 1s, reps: '" + dsn + "'"},
		{"[0.5]", "[0.5], even: '" + dsn + "'"},
		{"[0.5]", "[0.5], targets: ['" + dsn + "']"},
		{"name: a", "name: " + dsn},
		{"title: A", "title: A\nmargin: " + dsn},
		{"title: A", "%YAML " + secret + secret},
	} {
		_, err := Parse("s.yaml", []byte(edit(t, c.old, c.new)))
		if err == nil {
			t.Errorf("%s is accepted", c.new)
		} else if strings.Contains(err.Error(), secret) {
			t.Errorf("%s gives an error with the password: %v", c.new, err)
		}
	}
}
