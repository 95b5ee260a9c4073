package record_test

import (
	"encoding/json"
	"testing"

	"queuelab/measure/record"
)

// Readers of the JSON can go through failures and repetitions of every run
// without asking whether there are any.
func TestNewRunHasEmptyCollections(t *testing.T) {
	text, err := json.Marshal(record.NewRun(record.Theory))
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(text, &fields); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]string{"failures": "{}", "reps": "[]", "elapsed_s": "null", "latency_ms": "null"} {
		if got := string(fields[field]); got != want {
			t.Errorf("%s of a new run is %s, want %s", field, got, want)
		}
	}
}
