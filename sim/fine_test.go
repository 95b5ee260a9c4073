package sim

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// units is a fine time as a whole number of 2⁻³² ns.
func units(t fine) *big.Int {
	u := new(big.Int).Lsh(big.NewInt(t.ns), 32)
	return u.Add(u, big.NewInt(int64(t.fraction)))
}

// TestFine compares the fixed-point arithmetic with that of big integers.
func TestFine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	draw := func() fine { return fine{r.Int64N(1 << (1 + r.IntN(60))), r.Uint32()} }
	limit := new(big.Int).Lsh(big.NewInt(never), 32)
	for range 50_000 {
		x, y := draw(), draw()
		if got := units(x.add(y)); got.Cmp(new(big.Int).Add(units(x), units(y))) != 0 {
			t.Fatalf("%v + %v = %v", x, y, got)
		}
		difference := new(big.Int).Sub(units(x), units(y))
		if x.before(y) != (difference.Sign() < 0) {
			t.Fatalf("%v before %v is %v", x, y, x.before(y))
		}
		if difference.Sign() < 0 {
			difference.SetInt64(0)
		}
		if got := units(x.sub(y)); got.Cmp(difference) != 0 {
			t.Fatalf("%v - %v = %v, want %v", x, y, got, difference)
		}
		a, b := 1+r.Uint64N(1<<(1+r.IntN(30))), 1+r.Uint64N(1<<(1+r.IntN(30)))
		want := new(big.Int).Mul(units(x), new(big.Int).SetUint64(a))
		want.Add(want, new(big.Int).SetUint64(b/2)) // to the nearest
		want.Div(want, new(big.Int).SetUint64(b))
		if got := x.scale(a, b); want.Cmp(limit) < 0 && units(got).Cmp(want) != 0 {
			t.Fatalf("%v · %d/%d = %v, want %v", x, a, b, units(got), want)
		} else if want.Cmp(limit) >= 0 && got.ns != never {
			t.Fatalf("%v · %d/%d = %v, want never", x, a, b, got)
		}
	}
}

func TestFineUp(t *testing.T) {
	for _, tt := range []struct {
		at   fine
		want int64
	}{
		{fine{5, 0}, 5}, {fine{5, tolerance}, 5}, {fine{5, tolerance + 1}, 6}, {fine{5, 1<<32 - 1}, 6},
		{fine{never, 0}, never}, {fine{never, 1 << 31}, never},
	} {
		if got := tt.at.up(); got != tt.want {
			t.Errorf("%v up is %d, want %d", tt.at, got, tt.want)
		}
	}
}
