package measure

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// Sessions that begin to think at the same time as others wait come out at their
// instants, each once, none early, and the earliest first.
func TestThinking(t *testing.T) {
	const pushers, each = 8, 50
	start := time.Now()
	th := newThinking(start, nil)
	var pushing sync.WaitGroup
	for range pushers {
		pushing.Go(func() {
			for range each {
				due := time.Since(start) + time.Duration(rand.Int64N(int64(10*time.Millisecond)))
				if !th.push(&visit{task: task{due: due}}) {
					t.Error("a session may not think although nothing is over")
				}
				time.Sleep(time.Duration(rand.Int64N(int64(time.Millisecond))))
			}
		})
	}
	seen := map[*visit]bool{}
	for range pushers * each {
		v, more := th.next()
		if !more || seen[v] || v.due > time.Since(start) {
			t.Fatalf("session due at %v: more %v, seen before %v, at %v", v.due, more, seen[v], time.Since(start))
		}
		seen[v] = true
	}
	pushing.Wait()
	if v, more := left(th); more {
		t.Errorf("one more session came out, due at %v", v.due)
	}
}

// left is what next returns after close.
func left(th *thinking) (*visit, bool) {
	th.close()
	return th.next()
}

// A session that is to go on earlier than all others is not held up by them, and an
// end lets go of those that are not due.
func TestThinkingIsInterrupted(t *testing.T) {
	start := time.Now()
	th := newThinking(start, nil)
	came := make(chan *visit)
	go func() {
		defer close(came)
		for v, more := th.next(); more; v, more = th.next() {
			came <- v
		}
	}()
	th.push(&visit{task: task{due: 24 * time.Hour}})
	for range 3 {
		time.Sleep(5 * time.Millisecond) // while it waits
		early := &visit{task: task{due: time.Since(start) + time.Millisecond}}
		th.push(&visit{task: task{due: 2 * time.Hour}})
		th.push(early)
		if v := <-came; v != early {
			t.Fatalf("the session due at %v came, want the one due at %v", v.due, early.due)
		}
	}
	th.close()
	if v, more := <-came; more {
		t.Errorf("the session due at %v came after the end", v.due)
	}
	if th.push(&visit{}) {
		t.Error("a session may think after the end")
	}
}
