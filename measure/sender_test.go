package measure

import (
	"runtime"
	"testing"
	"time"

	"queuelab/measure/record"
	"queuelab/measure/workload"
)

// A sender that waits for its answer holds no batch, and one with a few answers
// room for about as many: overload makes thousands of them. A full batch is handed
// over, and the rest at the close, so that no record is lost.
func TestBatchesGrowWithWhatTheyHold(t *testing.T) {
	r := &runner{finished: make(chan []record.Request, 10), start: time.Now()}
	s := r.newSender()
	if room := cap(s.batch); room != 0 {
		t.Errorf("a new sender holds room for %d requests, want none", room)
	}
	for range 3 {
		s.end(record.Request{})
	}
	if room := cap(s.batch); room > batchSize/4 {
		t.Errorf("a sender with 3 answers holds room for %d requests", room)
	}
	const n = 2*batchSize + 5
	for range n - 3 {
		s.end(record.Request{})
	}
	s.close()
	close(r.finished)
	var sizes []int
	for batch := range r.finished {
		sizes = append(sizes, len(batch))
	}
	if len(sizes) != 3 || sizes[0] != batchSize || sizes[1] != batchSize || sizes[2] != 5 {
		t.Errorf("%d requests were handed over in batches of %v, want %d, %d and 5", n, sizes, batchSize, batchSize)
	}
}

// After its first full batch a sender gets room for a whole one at once, so that
// from there on no request makes it grow.
func TestBusySenderGetsAWholeBatch(t *testing.T) {
	r := &runner{finished: make(chan []record.Request, 1), start: time.Now()}
	s := r.newSender()
	for range batchSize {
		s.end(record.Request{})
	}
	if room := cap(s.batch); room < batchSize || len(s.batch) != 0 {
		t.Errorf("after a full batch there is room for %d and %d in use, want %d and none", room, len(s.batch), batchSize)
	}
}

// A request that is sent once costs no memory and no goroutine.
func TestSendingOnceAllocatesNothing(t *testing.T) {
	r := &runner{workload: &workload.Workload{}, driver: instant{}, finished: make(chan []record.Request, 100), start: time.Now()}
	s := r.newSender()
	s.batch = make([]record.Request, 0, batchSize)
	spare := s.batch
	before := runtime.NumGoroutine()
	if n := testing.AllocsPerRun(1000, func() {
		s.batch = spare // as if the collector had given it back
		s.send(task{key: 1})
	}); n != 0 || runtime.NumGoroutine() > before {
		t.Errorf("a request costs %v allocations, and there are %d goroutines after %d", n, runtime.NumGoroutine(), before)
	}
}
