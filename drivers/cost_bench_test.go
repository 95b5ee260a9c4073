package drivers

import (
	"sync/atomic"
	"syscall"
	"testing"
)

// benchClients is how many wait for their answers at a time.
const benchClients = 16

// BenchmarkHTTP sends requests closed to a private nginx. cpu-ns/op is this side's cost
// alone, user and system.
func BenchmarkHTTP(b *testing.B) {
	base := nginx(b)
	for name, path := range map[string]string{"small": "/ok", "page": "/page.txt"} {
		b.Run(name, func(b *testing.B) {
			// Compressing takes nginx longer than everything else.
			o := Options{URL: base + path, Header: []string{"Accept-Encoding: identity"}}
			sendClosed(b, connected(b, benchClients, o))
		})
	}
}

// BenchmarkPostgres does the same with the shortest query.
func BenchmarkPostgres(b *testing.B) {
	sendClosed(b, pooled(b, postgres(b), benchClients, Options{SQL: "SELECT 1"}))
}

// sendClosed sends b.N requests, each client's when its last was answered.
func sendClosed(b *testing.B, d Driver) {
	var left atomic.Int64
	left.Store(int64(b.N))
	b.ReportAllocs()
	b.ResetTimer()
	before := processorTime(b)
	done := make(chan string, benchClients)
	for range benchClients {
		go func() {
			var request Request
			var failure string
			for left.Add(-1) >= 0 && failure == "" {
				failure = d.Do(&request).Class
			}
			done <- failure
		}()
	}
	for range benchClients {
		if failure := <-done; failure != "" {
			b.Error(failure)
		}
	}
	b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
}

// processorTime is the time that this process has spent on its processors, in
// nanoseconds.
func processorTime(b *testing.B) int64 {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return used.Utime.Nano() + used.Stime.Nano()
}
