package workload

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"time"
)

// recorded are instants read from a file.
type recorded struct {
	file     string          // as it was named
	sha256   string          // of its bytes, in hexadecimal
	instants []time.Duration // from the first, which is at 0; they never decrease
}

const (
	// mostInstants and mostBytes bound a file of arrivals: 400 MB in memory.
	mostInstants = 50_000_000
	mostBytes    = 1 << 30
	// longestLine is in bytes; a number takes some twenty.
	longestLine = 4096
)

// byteOrderMark begins the text files of some programs, in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")

// readRecorded reads a file of instants, or of the gaps between them.
func readRecorded(name string, gaps bool) (*recorded, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file: name a file with a time on each line", name)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return scanRecorded(name, file, gaps)
}

// scanRecorded reads instants, or the gaps between them, a line each. Blank lines and
// those that begin with # are skipped, and a byte order mark at the beginning.
func scanRecorded(name string, from io.Reader, gaps bool) (*recorded, error) {
	sum := sha256.New()
	limited := &io.LimitedReader{R: from, N: mostBytes + 1}
	lines := bufio.NewScanner(io.TeeReader(limited, sum))
	lines.Buffer(nil, longestLine)
	var times timeline
	if gaps {
		times.instants = []time.Duration{0} // the request before the first gap
	}
	line := 1
	for ; lines.Scan(); line++ {
		text := lines.Bytes()
		if line == 1 {
			text = bytes.TrimPrefix(text, byteOrderMark)
		}
		text = bytes.TrimSpace(text)
		if len(text) == 0 || text[0] == '#' {
			continue
		}
		if err := times.add(string(text), gaps); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, line, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("%s, line %d is longer than %d bytes: put one time on each line", name, line, longestLine)
	case err != nil:
		return nil, fmt.Errorf("%s cannot be read: %w", name, err)
	case limited.N == 0:
		return nil, fmt.Errorf("%s is larger than %d bytes: cut it into parts", name, mostBytes)
	case len(times.instants) < 2 || times.instants[len(times.instants)-1] == 0:
		return nil, fmt.Errorf("%s holds no two requests at different times, so that it has no rate: give more of them", name)
	}
	return &recorded{name, hex.EncodeToString(sum.Sum(nil)), times.instants}, nil
}

// timeline are instants as they are read.
type timeline struct {
	instants []time.Duration // from the first
	first    time.Duration   // as it stands in the file
	last     time.Duration
}

// add takes the next instant, or the gap before it.
func (t *timeline) add(text string, gap bool) error {
	at, err := parseTime(text)
	if err != nil {
		return err
	}
	if gap {
		at += t.last // below 31 years and 292 years, which the clock holds
	}
	switch {
	case len(t.instants) == mostInstants:
		return fmt.Errorf("there are more than %d times: cut the file into parts", mostInstants)
	case at < t.last:
		return fmt.Errorf("the instant %s is before the one above it: sort the instants, or use gaps:FILE for gaps", text)
	case len(t.instants) == 0:
		t.first = at
	case at-t.first > longestDraw:
		return fmt.Errorf("%s is more than some 31 years after the first request", text)
	}
	t.last = at
	t.instants = append(t.instants, at-t.first)
	return nil
}

// latestTime bounds a time that is read, in seconds, to what the clock holds: the
// year 2262 as seconds since 1970.
const latestTime = 9_223_372_035

// parseTime reads seconds, with or without an exponent, or a duration such as 12ms,
// to the nearest nanosecond.
func parseTime(text string) (time.Duration, error) {
	if at, plain, err := parseDecimal(text); plain {
		return at, err
	}
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && !bytes.ContainsAny([]byte(text), "xX_nN") {
		if !(seconds >= 0 && seconds <= latestTime) {
			return 0, outOfRange(text)
		}
		return time.Duration(seconds*1e9 + 0.5), nil
	}
	at, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("%.40q is neither a number of seconds such as 0.012 nor a duration such as 12ms", text)
	}
	if at < 0 || at > latestTime*time.Second {
		return 0, outOfRange(text)
	}
	return at, nil
}

// parseDecimal reads digits with at most one point among them, all of which count:
// seconds since 1970 to a nanosecond have more than a float holds. It says whether
// text is of that form.
func parseDecimal(text string) (at time.Duration, plain bool, err error) {
	whole, places, digits := int64(0), -1, 0
	fraction, roundUp := int64(0), int64(0)
	for _, c := range []byte(text) {
		switch {
		case c == '.' && places < 0:
			places = 0
			continue
		case c < '0' || c > '9':
			return 0, false, nil
		case places < 0:
			whole = min(whole*10+int64(c-'0'), latestTime+1)
		case places < 9:
			fraction, places = fraction*10+int64(c-'0'), places+1
		case places == 9:
			roundUp, places = int64(c-'0')/5, places+1
		}
		digits++
	}
	if digits == 0 {
		return 0, false, nil
	}
	if whole > latestTime {
		return 0, true, outOfRange(text)
	}
	for places = max(places, 0); places < 9; places++ {
		fraction *= 10
	}
	return time.Duration(whole*1e9 + fraction + roundUp), true, nil
}

func outOfRange(text string) error {
	return fmt.Errorf("%.40s is not between 0 and %d seconds: plain numbers are seconds", text, int64(latestTime))
}
