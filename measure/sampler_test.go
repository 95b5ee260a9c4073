package measure

import (
	"sync/atomic"
	"testing"
	"time"
)

// asked is a pacer that waits for nothing, checks how old the instants are, and
// halts the sampler after some.
type asked struct {
	start  time.Time
	times  int
	oldest time.Duration
	halt   func()
}

func (p *asked) Wait(due time.Duration) bool {
	p.oldest = max(p.oldest, time.Since(p.start)-due)
	if p.times++; p.times == 100 {
		p.halt()
	}
	return true
}

func (p *asked) Close() {}

// A sampler that comes an hour late skips the instants of that hour: looked at all
// at once, they would count one moment a million times.
func TestSamplerSkipsWhatItMissed(t *testing.T) {
	start := time.Now().Add(-time.Hour)
	var inSystem atomic.Int64
	inSystem.Store(3)
	s := newSampler(start, &inSystem)
	p := &asked{start: start, halt: func() { close(s.halt) }}
	if mean := s.sample(p); mean != 3 {
		t.Errorf("a mean of %v in system, want 3", mean)
	}
	if p.times != 100 || p.oldest > time.Minute {
		t.Errorf("%d looks, the oldest for an instant %v ago", p.times, p.oldest)
	}
}
