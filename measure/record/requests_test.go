package record_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"queuelab/measure/record"
)

const head = "scheduled_ns,sent_ns,ended_ns,pool_ns,wait_ns,service_ns,outcome,class,copies\n"

func zipped(t *testing.T, text string) []byte {
	t.Helper()
	var out bytes.Buffer
	zip := gzip.NewWriter(&out)
	if _, err := io.WriteString(zip, text); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func file(t *testing.T, requests []record.Request) []byte {
	t.Helper()
	var out bytes.Buffer
	w := record.NewRequestWriter(&out)
	for _, r := range requests {
		w.Add(&r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestRequestsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	want := sink{
		{Outcome: record.Failed, Class: `sqlstate_"5,7"` + "\n"}, // a server may send anything
		{Scheduled: -1, Ended: 1 << 62, Wait: 5, Service: 6, Copies: 255},
	}
	for range 1000 {
		want = append(want, anything(r))
	}
	var got sink
	if err := record.ReadRequests(bytes.NewReader(file(t, want)), got.Add); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%d requests written and %d others read", len(want), len(got))
	}
	var none sink
	if err := record.ReadRequests(bytes.NewReader(file(t, nil)), none.Add); err != nil || len(none) != 0 {
		t.Errorf("a run without requests reads as %v, %v", none, err)
	}
}

func TestReadRequestsRefuses(t *testing.T) {
	tests := []struct {
		name string
		text []byte
		says string
	}{
		{"empty", nil, "not a gzip file"},
		{"plain text", []byte(head), "not a gzip file"},
		{"no column names", zipped(t, ""), "no column names"},
		{"other columns", zipped(t, strings.Replace(head, "sent_ns", "sent_us", 1)), `column 2 of the request records is "sent_us" where "sent_ns" belongs`},
		{"fewer columns", zipped(t, "scheduled_ns,sent_ns\n"), "column names"},
		{"a short line", zipped(t, head+"1,2,3\n"), "line 2"},
		{"not a number", zipped(t, head+"0,0,0,0,0,0,answered,,1\n0,0,x,0,0,0,answered,,1\n"), `line 3 of the request records: ended_ns is "x"`},
		{"a fraction", zipped(t, head+"0,0,0.5,0,0,0,answered,,1\n"), "whole number"},
		{"another outcome", zipped(t, head+"0,0,0,0,0,0,lost,,1\n"), `"lost" is not an outcome`},
		{"too many copies", zipped(t, head+"0,0,0,0,0,0,answered,,256\n"), "copies"},
		{"an open quote", zipped(t, head+"0,0,0,0,0,0,failed,\"x,1\n"), "line 2"},
	}
	for _, tt := range tests {
		err := record.ReadRequests(bytes.NewReader(tt.text), func(*record.Request) {})
		if err == nil {
			t.Errorf("%s: accepted", tt.name)
		} else if !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%s: says %q, want %q", tt.name, err, tt.says)
		}
	}
}

// A file that was cut off anywhere, at the end of a line too, is never taken
// for a whole one.
func TestTruncatedRequests(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var requests []record.Request
	for range 300 {
		requests = append(requests, anything(r))
	}
	whole := file(t, requests)
	for length := 0; length < len(whole); length += 1 + len(whole)/200 {
		if err := record.ReadRequests(bytes.NewReader(whole[:length]), func(*record.Request) {}); err == nil {
			t.Fatalf("the first %d of %d bytes were taken for a whole file", length, len(whole))
		}
	}
	flipped := bytes.Clone(whole)
	flipped[len(flipped)/2] ^= 0x10
	if err := record.ReadRequests(bytes.NewReader(flipped), func(*record.Request) {}); err == nil {
		t.Error("a file with a changed byte was taken for a whole one")
	}
}

// A row that never ends is refused before it fills the memory, however small its file
// is.
func TestEndlessRowIsRefused(t *testing.T) {
	for _, row := range []string{strings.Repeat("0", 4<<20), "1,2,3,4,5,6,failed,\"" + strings.Repeat("\n", 4<<20)} {
		packed := bytes.NewReader(zipped(t, head+row))
		err := record.ReadRequests(packed, func(*record.Request) {})
		if err == nil || !strings.Contains(err.Error(), "longer than") {
			t.Errorf("a row of 4 MiB gives the error %v", err)
		}
	}
}

// full is a disk with room for so many bytes.
type full int

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if *f -= full(len(p)); *f < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestRequestWriterReportsAFullDisk(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for _, room := range []full{0, 1000, 100_000} {
		w := record.NewRequestWriter(&room)
		for range 20_000 { // some 350 kB
			q := anything(r)
			w.Add(&q)
		}
		if err := w.Close(); !errors.Is(err, errFull) {
			t.Errorf("on a full disk Close says %v", err)
		}
	}
}

func TestOutcomes(t *testing.T) {
	for o := record.Answered; o <= record.Unsent; o++ {
		if back, err := record.ParseOutcome(o.String()); err != nil || back != o {
			t.Errorf("%v is written %q and read as %v, %v", uint8(o), o, back, err)
		}
	}
	for _, name := range []string{"", "Answered", "outcome(5)", record.Outcome(5).String()} {
		if o, err := record.ParseOutcome(name); err == nil {
			t.Errorf("%q is read as %v", name, o)
		}
	}
}

func TestTimesOfARequest(t *testing.T) {
	r := record.Request{Scheduled: 10 * ms, Sent: 12 * ms, Ended: 17 * ms}
	if r.Latency() != 7*ms || r.Lag() != 2*ms || r.ClientSeen() != 5*ms {
		t.Errorf("latency %v, lag %v, client-seen time %v; want 7, 2 and 5 ms", r.Latency(), r.Lag(), r.ClientSeen())
	}
}

// FuzzParseOutcome asserts that only the names of outcomes are accepted.
func FuzzParseOutcome(f *testing.F) {
	f.Fuzz(func(t *testing.T, name string) {
		if o, err := record.ParseOutcome(name); err == nil && o.String() != name {
			t.Fatalf("%q is read as %v", name, o)
		}
	})
}

// FuzzReadRequests asserts that what is accepted is written and read again as
// the same requests. The text is what lies in the gzip file: a fuzzer would not
// get past its checksum.
func FuzzReadRequests(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		var first, second sink
		if err := record.ReadRequests(bytes.NewReader(zipped(t, text)), first.Add); err != nil {
			return
		}
		if err := record.ReadRequests(bytes.NewReader(file(t, first)), second.Add); err != nil || !reflect.DeepEqual(first, second) {
			t.Fatalf("%q reads as %v and, written again, as %v, %v", text, first, second, err)
		}
	})
}

// FuzzReadRequestsBytes asserts that a damaged file never panics.
func FuzzReadRequestsBytes(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		n := 0
		if err := record.ReadRequests(bytes.NewReader(text), func(*record.Request) { n++ }); err == nil && !bytes.HasPrefix(text, []byte{0x1f, 0x8b}) {
			t.Fatalf("%q is not a gzip file, and %d requests were read from it", text, n)
		}
	})
}
