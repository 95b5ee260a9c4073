package drivers

import (
	"net"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/valyala/fasthttp"
)

// serveBody starts a trivial server that answers with a body of size bytes.
func serveBody(b *testing.B, size int) (url string) {
	b.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	body := strings.Repeat("x", size)
	server := &fasthttp.Server{Handler: func(ctx *fasthttp.RequestCtx) { ctx.SetBodyString(body) }}
	go server.Serve(listener)
	b.Cleanup(func() { listener.Close() })
	return "http://" + listener.Addr().String() + "/"
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

// BenchmarkHTTP sends requests closed, from 16 clients. cpu-ns/op includes the
// server, which runs in the same process.
func BenchmarkHTTP(b *testing.B) {
	const clients = 16
	for name, size := range map[string]int{"small": 100, "page": 80_000} {
		b.Run(name, func(b *testing.B) {
			d := connected(b, clients, Options{URL: serveBody(b, size)})
			var left atomic.Int64
			left.Store(int64(b.N))
			b.ReportAllocs()
			b.ResetTimer()
			before := processorTime(b)
			done := make(chan string, clients)
			for range clients {
				go func() {
					var failure string
					for left.Add(-1) >= 0 && failure == "" {
						failure = d.Do(&Request{}).Class
					}
					done <- failure
				}()
			}
			for range clients {
				if failure := <-done; failure != "" {
					b.Error(failure)
				}
			}
			b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
		})
	}
}
