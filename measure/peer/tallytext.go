package peer

import (
	"fmt"
	"regexp"
	"strconv"
)

// page is a report in prose. It remembers the first number that it lacks.
type page struct {
	text string
	err  error
}

// number is the one that a pattern's only group finds, and whether there is one.
func (p *page) number(pattern *regexp.Regexp) (value float64, found bool) {
	groups := pattern.FindStringSubmatch(p.text)
	if groups == nil {
		return 0, false
	}
	value, err := strconv.ParseFloat(groups[1], 64)
	if err != nil && p.err == nil {
		p.err = err
	}
	return value, true
}

// must is a number that the report never leaves out.
func (p *page) must(pattern *regexp.Regexp) float64 {
	value, found := p.number(pattern)
	if !found && p.err == nil {
		p.err = fmt.Errorf("it holds nothing like %q", pattern)
	}
	return value
}

// count is a number of things that the report leaves out where there are none.
func (p *page) count(pattern *regexp.Regexp) int64 {
	value, _ := p.number(pattern)
	return int64(value)
}

// sum adds up a pattern's only group over all its places.
func (p *page) sum(pattern *regexp.Regexp) (total int64) {
	for _, groups := range pattern.FindAllStringSubmatch(p.text, -1) {
		n, err := strconv.ParseInt(groups[1], 10, 64)
		if err != nil && p.err == nil {
			p.err = err
		}
		total += n
	}
	return total
}

// tally is the page's, unless it lacks a number.
func (p *page) tally(answered, failed int64, elapsed float64) (tally, error) {
	if p.err != nil {
		return tally{}, p.err
	}
	return tally{answered, failed, elapsed}.check()
}

// What wrk prints: `28388 requests in 1.00s, 3.98MB read`, and lines on failures where
// there are some. Requests without an answer are not among the requests.
var (
	wrkRequests = regexp.MustCompile(`(?m)^ *(\d{1,15}) requests in [0-9.]+[a-z]+,`)
	wrkPerSec   = regexp.MustCompile(`(?m)^Requests/sec: +([0-9.]+)$`)
	wrkStatus   = regexp.MustCompile(`(?m)^ *Non-2xx or 3xx responses: (\d{1,15})$`)
	wrkErrors   = regexp.MustCompile(`(?m)^ *Socket errors: .*$`)
	wrkError    = regexp.MustCompile(` (\d{1,15})\b`) // connect, read, write, timeout
)

// parseWrk takes the time from the rate: the time itself is rounded to its unit's
// hundredths.
func parseWrk(text string) (tally, error) {
	p := &page{text: text}
	requests, status := p.must(wrkRequests), p.count(wrkStatus)
	errors := (&page{text: wrkErrors.FindString(text)}).sum(wrkError)
	return p.tally(int64(requests)-status, status+errors, requests/p.must(wrkPerSec))
}

// What hey prints. A failure without a status has its text: `[926]	Get "http://...`.
var (
	heyTotal    = regexp.MustCompile(`(?m)^ *Total:\s+([0-9.]+) secs$`)
	heyAnswered = regexp.MustCompile(`(?m)^ *\[[23]\d\d\]\s+(\d{1,15}) responses$`)
	heyRefused  = regexp.MustCompile(`(?m)^ *\[[145]\d\d\]\s+(\d{1,15}) responses$`)
	heyErrors   = regexp.MustCompile(`(?m)^ *\[(\d{1,15})\]\t[A-Z][a-z]+ "`)
)

// heyMost is where hey's versions stop to count (its issues 112 and 227).
const heyMost = 1_000_000

func parseHey(text string) (tally, error) {
	p := &page{text: text}
	answered := p.sum(heyAnswered)
	if answered == heyMost {
		return tally{}, fmt.Errorf("hey counts no more than %d answers: make the run shorter", heyMost)
	}
	return p.tally(answered, p.sum(heyRefused)+p.sum(heyErrors), p.must(heyTotal))
}

// What ab prints. Complete requests are all that were answered, with whatever status;
// one with another status may be a failure of its length too.
var (
	abTime     = regexp.MustCompile(`(?m)^Time taken for tests: +([0-9.]+) seconds$`)
	abComplete = regexp.MustCompile(`(?m)^Complete requests: +(\d{1,15})$`)
	abFailed   = regexp.MustCompile(`(?m)^Failed requests: +(\d{1,15})$`)
	abStatus   = regexp.MustCompile(`(?m)^Non-2xx responses: +(\d{1,15})$`)
)

func parseAb(text string) (tally, error) {
	p := &page{text: text}
	failed := int64(p.must(abFailed)) + p.count(abStatus)
	return p.tally(max(int64(p.must(abComplete))-failed, 0), failed, p.must(abTime))
}

// What pgbench prints.
var (
	pgbenchDone   = regexp.MustCompile(`(?m)^number of transactions actually processed: (\d{1,15})(?:/\d+)?$`)
	pgbenchFailed = regexp.MustCompile(`(?m)^number of failed transactions: (\d{1,15}) `)
	pgbenchPerSec = regexp.MustCompile(`(?m)^tps = ([0-9.]+) \(without initial connection time\)$`)
)

// parsePgbench takes the time from the rate, which leaves out that for connecting.
func parsePgbench(text string) (tally, error) {
	p := &page{text: text}
	done := p.must(pgbenchDone)
	return p.tally(int64(done), p.count(pgbenchFailed), done/p.must(pgbenchPerSec))
}
