package peer

import (
	"fmt"
	"strconv"
	"strings"
)

// closed says what a closed loop is to do.
type closed struct {
	target  string // a URL, or the DSN of a PostgreSQL database
	clients int
	seconds int
}

// open says what an open loop is to do, with even gaps.
type open struct {
	url     string
	rate    int // requests a second
	seconds int
}

// job is what a tool is run with.
type job struct {
	args []string
	// files are made in the directory that it runs in: a name and the content, in turn.
	files []string
	// report are the arguments of a second run that prints what the first one did,
	// for a tool that does not print it itself.
	report []string
}

// kind is one tool: how it is found, and how it is asked to do what.
type kind struct {
	name    string
	install string // the command
	version func(path string) string
	http    func(closed) job // requests by HTTP in a closed loop; nil: it cannot
	sql     func(closed) job // SELECT 1, prepared, in a closed loop; nil: it cannot
	even    func(open) job   // requests by HTTP with even gaps; nil: it cannot
	parse   func(report string) (tally, error)
}

// kinds are all tools in the order of [Names].
var kinds = []kind{
	{
		name: "queuelab", install: "make build",
		version: printed(`queuelab (.+)`, "version"),
		http:    queuelabHTTP, sql: queuelabSQL, even: queuelabEven, parse: parseQueuelab,
	},
	{
		name: "wrk", install: "apt-get install wrk",
		version: printed(`wrk (?:debian/)?(\S+)`, "-v"),
		http:    wrkHTTP, parse: parseWrk,
	},
	{
		name: "bombardier", install: "go install github.com/codesenberg/bombardier@v1.2.6",
		version: built,
		http:    bombardierHTTP, even: bombardierEven, parse: parseBombardier,
	},
	{
		name: "hey", install: "apt-get install hey",
		version: built,
		http:    heyHTTP, even: heyEven, parse: parseHey,
	},
	{
		name: "ab", install: "apt-get install apache2-utils",
		version: printed(`Version (\S+)`, "-V"),
		http:    abHTTP, parse: parseAb,
	},
	{
		name: "vegeta", install: "go install github.com/tsenart/vegeta/v12@v12.13.0",
		version: built,
		http:    vegetaHTTP, even: vegetaEven, parse: parseVegeta,
	},
	{
		name: "pgbench", install: "apt-get install postgresql",
		version: printed(`pgbench \(PostgreSQL\) (\S+)`, "--version"),
		sql:     pgbenchSQL, parse: parsePgbench,
	},
}

func find(name string) (kind, error) {
	for _, k := range kinds {
		if k.name == name {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("there is no load generator %q here: use one of %s", name, strings.Join(Names(), ", "))
}

func queuelabHTTP(c closed) job {
	return job{args: []string{"bench", "-closed", "-clients", strconv.Itoa(c.clients),
		"-seconds", strconv.Itoa(c.seconds), "-url", c.target, "-json"}}
}

func queuelabSQL(c closed) job {
	n := strconv.Itoa(c.clients)
	return job{args: []string{"bench", "-closed", "-clients", n, "-driver", "postgres", "-dsn", c.target,
		"-sql", "SELECT 1", "-connections", n, "-seconds", strconv.Itoa(c.seconds), "-json"}}
}

func queuelabEven(o open) job {
	return job{args: []string{"bench", "-open", "-even", "-rate", strconv.Itoa(o.rate),
		"-seconds", strconv.Itoa(o.seconds), "-url", o.url, "-json"}}
}

func wrkHTTP(c closed) job {
	return job{args: []string{"-t1", "-c" + strconv.Itoa(c.clients), "-d" + seconds(c.seconds), c.target}}
}

func bombardierHTTP(c closed) job {
	return job{args: []string{"-c", strconv.Itoa(c.clients), "-d", seconds(c.seconds), "-p", "r", "-o", "json", c.target}}
}

// workers is how many requests a tool that has to be told may have open at once: the
// answers come at once, so that ten are plenty.
const workers = 10

func bombardierEven(o open) job {
	return job{args: []string{"-c", strconv.Itoa(workers), "-r", strconv.Itoa(o.rate),
		"-d", seconds(o.seconds), "-p", "r", "-o", "json", o.url}}
}

func heyHTTP(c closed) job {
	return job{args: []string{"-c", strconv.Itoa(c.clients), "-z", seconds(c.seconds), c.target}}
}

// heyEven divides the rate, which hey takes for each worker.
func heyEven(o open) job {
	return job{args: []string{"-c", strconv.Itoa(workers),
		"-q", strconv.FormatFloat(float64(o.rate)/workers, 'f', -1, 64), "-z", seconds(o.seconds), o.url}}
}

// abPerSecond is more than ab, a single thread, answers in a second. Its -t alone
// would end after 50,000 requests; it keeps 32 bytes for each that -n allows.
const abPerSecond = 500_000

func abHTTP(c closed) job {
	return job{args: []string{"-q", "-k", "-c", strconv.Itoa(c.clients), "-t", strconv.Itoa(c.seconds),
		"-n", strconv.Itoa(abPerSecond * c.seconds), c.target}}
}

// Vegeta writes its results to a file, as it is used, and another run of it reads them.
const vegetaTargets, vegetaResults = "targets", "results"

func vegetaHTTP(c closed) job {
	n := strconv.Itoa(c.clients)
	return vegeta(c.target, "-rate", "0", "-max-workers", n, "-workers", n, "-duration", seconds(c.seconds))
}

// vegetaMost bounds vegeta's workers. Without a bound it was seen, on one CPU and at
// 5,000/s, to answer one hiccup with a connection for each request that was due, and to
// fall below half the rate for good.
const vegetaMost = 100

func vegetaEven(o open) job {
	return vegeta(o.url, "-rate", strconv.Itoa(o.rate)+"/1s", "-max-workers", strconv.Itoa(vegetaMost),
		"-duration", seconds(o.seconds))
}

func vegeta(url string, args ...string) job {
	return job{
		args:   append([]string{"attack", "-targets", vegetaTargets, "-output", vegetaResults}, args...),
		files:  []string{vegetaTargets, "GET " + url + "\n"},
		report: []string{"report", "-type=json", vegetaResults},
	}
}

func pgbenchSQL(c closed) job {
	return job{
		args: []string{"-M", "prepared", "-c", strconv.Itoa(c.clients), "-j", "1",
			"-T", strconv.Itoa(c.seconds), "-n", "-f", "select.sql", c.target},
		files: []string{"select.sql", "SELECT 1;\n"},
	}
}

func seconds(n int) string { return strconv.Itoa(n) + "s" }
