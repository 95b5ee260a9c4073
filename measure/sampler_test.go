package measure

import (
	"math"
	"math/rand/v2"
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
	look   func() // called at each instant; may be nil
}

func (p *asked) Wait(due time.Duration) bool {
	if p.look != nil {
		p.look()
	}
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
	if seen := s.sample(p); seen.mean != 3 || seen.err != 0 {
		t.Errorf("a mean of %v in system with an error of %v, want 3 and none", seen.mean, seen.err)
	}
	if p.times != 100 || p.oldest > time.Minute {
		t.Errorf("%d looks, the oldest for an instant %v ago", p.times, p.oldest)
	}
}

// The error of the mean is that of independent looks: of a number that is 0 or 2 at
// random, 1 / √n.
func TestSamplerTellsItsError(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var inSystem atomic.Int64
	s := newSampler(time.Now(), &inSystem)
	p := &asked{start: time.Now(), halt: func() { close(s.halt) }, look: func() { inSystem.Store(2 * r.Int64N(2)) }}
	if seen := s.sample(p); math.Abs(seen.mean-1) > 0.4 || seen.err < 0.07 || seen.err > 0.13 {
		t.Errorf("a mean of %v with an error of %v, want 1 and 0.1", seen.mean, seen.err)
	}
}
