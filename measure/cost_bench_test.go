package measure_test

import (
	"path/filepath"
	"testing"

	"queuelab/measure"
	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// BenchmarkRequest is what everything but the driver costs a request: the closed loop of
// 16 clients, three instants, the histograms and what the verdict rests on; and with a
// folder, its histogram log and the raw records.
func BenchmarkRequest(b *testing.B) {
	take := func(b *testing.B, sinks ...record.Sink) {
		b.ReportAllocs()
		b.ResetTimer()
		w := workload.Workload{Clients: 16, Requests: int64(b.N), Drain: soon}
		if _, err := measure.Run(b.Context(), &w, newFake(atOnce), nil, sinks...); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("alone", func(b *testing.B) { take(b) })
	for name, raw := range map[string]bool{"log": false, "raw": true} {
		b.Run(name, func(b *testing.B) {
			folder, err := record.CreateFolder(filepath.Join(b.TempDir(), "run"), raw)
			if err != nil {
				b.Fatal(err)
			}
			defer folder.Discard()
			take(b, folder)
		})
	}
}
