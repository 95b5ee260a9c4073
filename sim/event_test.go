package sim

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestAgenda asserts that events leave by instant, and those of one instant in
// the order in which they came, however pushes and pops are mixed.
func TestAgenda(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var a agenda
	var want []event // kept in order by sorting
	for i := range 20_000 {
		if len(want) == 0 || r.IntN(9) < 5 {
			e := event{at: r.Int64N(50), seq: uint64(i), ref: int32(i)}
			a.push(e.at, e.ref)
			want = append(want, e)
			slices.SortFunc(want, func(x, y event) int { return cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.seq, y.seq)) })
			continue
		}
		if a.next() != want[0].at {
			t.Fatalf("step %d: next at %d, want %d", i, a.next(), want[0].at)
		}
		if got := a.pop(); got != want[0].ref {
			t.Fatalf("step %d: popped %d, want %d", i, got, want[0].ref)
		}
		want = want[1:]
		if len(want) > 100 {
			a, want = agenda{}, nil
		}
	}
	if (&agenda{}).next() != never {
		t.Error("an empty agenda has an event")
	}
}

func TestRing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var q ring[int]
	var want []int
	for i := range 10_000 {
		if len(want) == 0 || r.IntN(9) < 5 {
			q.push(i)
			want = append(want, i)
			continue
		}
		if *q.peek() != want[0] || q.pop() != want[0] {
			t.Fatalf("step %d: wrong item", i)
		}
		want = want[1:]
		if q.n != uint(len(want)) {
			t.Fatalf("step %d: %d items, want %d", i, q.n, len(want))
		}
	}
}

func TestAfter(t *testing.T) {
	for _, tt := range []struct{ now, duration, want int64 }{
		{0, 5, 5}, {never, 0, never}, {never, 1, never}, {never - 1, 5, never}, {1, never, never}, {0, never, never},
	} {
		if got := after(tt.now, tt.duration); got != tt.want {
			t.Errorf("after(%d, %d) = %d, want %d", tt.now, tt.duration, got, tt.want)
		}
	}
}

// TestSampler counts the looks: one in each cell, also across long pauses, each
// at the number in system of its time.
func TestSampler(t *testing.T) {
	s := &sampler{draws: rand.New(rand.NewPCG(1, 1)), cell: 10, begin: 100}
	s.place()
	s.pass(99, 7)
	if s.n != 0 {
		t.Fatalf("%d looks before the first cell", s.n)
	}
	s.pass(199, 1) // cells 100..109 to 190..199
	if s.n != 10 && s.n != 9 {
		t.Fatalf("%d looks in ten cells", s.n)
	}
	s.pass(1_000_000_099, 2)
	if want := int64(100_000_000); s.n != want && s.n != want-1 {
		t.Fatalf("%d looks in %d cells", s.n, want)
	}
	if mean := s.mean(); mean < 1.99999 || mean > 2 {
		t.Errorf("mean %v, want a little below 2", mean)
	}
}
