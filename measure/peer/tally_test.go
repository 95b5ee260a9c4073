package peer

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The texts are what the tools printed: for one second with 4 clients of nginx's empty
// page, of a page that it does not have (404), of a server that answers each tenth
// request with 503 and closes each connection after 49 answers (bad), and of a port
// where nobody listens (refused).
func TestParseWhatToolsPrinted(t *testing.T) {
	tests := []struct {
		tool, file       string
		answered, failed int64
		elapsed          float64
	}{
		{"wrk", "wrk.txt", 28388, 0, 28388 / 28340.42},
		{"wrk", "wrk-404.txt", 0, 12387, 12387 / 12362.84},
		{"wrk", "wrk-bad.txt", 9219 - 753, 753 + 186, 9219 / 9096.44},
		{"bombardier", "bombardier.json", 13631, 0, 0.998913521},
		{"bombardier", "bombardier-bad.json", 9097, 808, 0.995713374},
		{"hey", "hey.txt", 8085, 0, 1.0039},
		{"hey", "hey-404.txt", 0, 5801, 1.0075},
		{"hey", "hey-bad.txt", 5988, 531, 1.0019},
		{"hey", "hey-refused.txt", 0, 3816, 1.0037},
		{"ab", "ab.txt", 19164, 0, 1},
		{"ab", "ab-404.txt", 0, 17226, 1},
		{"ab", "ab-bad.txt", 17255 - 1381, 1381, 1},
		{"vegeta", "vegeta.json", 14925, 0, 0.999834879 + 0.000105869},
		{"vegeta", "vegeta-404.json", 0, 13700, 0.995479494 + 0.000113634},
		{"vegeta", "vegeta-bad.json", 8106, 720, 0.999497953 + 0.001086369},
		{"pgbench", "pgbench.txt", 21985, 0, 21985 / 24798.179925},
		{"queuelab", "queuelab.json", 17531, 0, 1.000202763},
		{"queuelab", "queuelab-bad.json", 2925, 325, 0.999754357},
	}
	for _, test := range tests {
		got, err := parsed(t, test.tool, printedText(t, test.file))
		if err != nil {
			t.Errorf("%s: %v", test.file, err)
			continue
		}
		if got.answered != test.answered || got.failed != test.failed || math.Abs(got.elapsed-test.elapsed) > 1e-9 {
			t.Errorf("%s: %+v, want %d answered, %d failed in %v s", test.file, got, test.answered, test.failed, test.elapsed)
		}
	}
}

func printedText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", file))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func parsed(t *testing.T, tool, text string) (tally, error) {
	t.Helper()
	k, err := find(tool)
	if err != nil {
		t.Fatal(err)
	}
	return k.parse(text)
}

func TestParseRefusesWhatIsNoReport(t *testing.T) {
	for _, k := range kinds {
		for _, text := range []string{"", "no report\n", "{}", "{", "null", "[]"} {
			if got, err := k.parse(text); err == nil {
				t.Errorf("%s: %q is read as %+v", k.name, text, got)
			}
		}
	}
	tests := []struct{ tool, text, why string }{
		{"pgbench", printedText(t, "pgbench-bad.txt"), "tps"}, // every client was aborted
		{"hey", strings.Replace(printedText(t, "hey.txt"), "8085 responses", "1000000 responses", 1), "shorter"},
		{"ab", strings.Replace(printedText(t, "ab.txt"), "1.000 seconds", "0.000 seconds", 1), "cannot be"},
		{"bombardier", `{"result":{"req2xx":-1,"timeTakenSeconds":1}}`, "cannot be"},
		{"queuelab", `{"requests":{"scheduled":1,"answered":2},"elapsed_s":1}`, "cannot be"},
		{"vegeta", `{"requests":1,"duration":0,"wait":0,"status_codes":{"200":1}}`, "cannot be"},
		{"wrk", strings.Replace(printedText(t, "wrk.txt"), "Requests/sec:", "Requests:", 1), "Requests/sec"},
	}
	for _, test := range tests {
		if got, err := parsed(t, test.tool, test.text); err == nil || !strings.Contains(err.Error(), test.why) {
			t.Errorf("%s: %+v, %v; want an error with %q", test.tool, got, err, test.why)
		}
	}
}

// Whatever a tool prints, what is read of it is a tally that can be, or an error.
func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		for _, k := range kinds {
			got, err := k.parse(text)
			if err == nil && (got.answered < 0 || got.failed < 0 || !(got.elapsed > 0) || math.IsInf(got.elapsed, 0)) {
				t.Errorf("%s: %+v", k.name, got)
			}
		}
	})
}
