package law

import (
	"fmt"
	"math/rand/v2"
)

// Uniform lies evenly between two times.
type Uniform struct{ lo, hi float64 }

var _ Law = Uniform{}

// NewUniform needs 0 ≤ lo < hi in seconds.
func NewUniform(lo, hi float64) (Uniform, error) {
	if lo < 0 || hi <= lo {
		return Uniform{}, fmt.Errorf("a uniform law needs 0 <= LO < HI, not %s and %s", spellSeconds(lo), spellSeconds(hi))
	}
	return Uniform{lo, hi}, nil
}

func parseUniform(args []string) (Law, error) {
	var ends [2]float64
	for i, text := range args {
		d, err := duration(text)
		if err != nil {
			return nil, err
		}
		ends[i] = d.Seconds()
	}
	return NewUniform(ends[0], ends[1])
}

func (l Uniform) Mean() float64 { return (l.lo + l.hi) / 2 }
func (l Uniform) SCV() float64 {
	width, sum := l.hi-l.lo, l.hi+l.lo
	return width * width / (3 * sum * sum)
}
func (l Uniform) Draw(r *rand.Rand) float64 { return l.lo + (l.hi-l.lo)*r.Float64() }
func (l Uniform) String() string {
	return "uniform:" + spellSeconds(l.lo) + "," + spellSeconds(l.hi)
}
