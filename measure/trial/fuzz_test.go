package trial

import (
	"io"
	"testing"

	"queuelab/measure/record"
)

// FuzzText: whatever a file that is accepted holds of a trial, it can be shown and
// written again.
func FuzzText(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte) {
		trial, err := record.ParseRun("run.json", text)
		if err != nil || trial.Trial == nil {
			return
		}
		if err := WriteFile(io.Discard, trial); err != nil {
			t.Error(err)
		}
		if err := WriteBenchmarks(io.Discard, trial); err != nil {
			t.Error(err)
		}
	})
}
