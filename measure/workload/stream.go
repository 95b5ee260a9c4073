package workload

import (
	"hash/fnv"
	"math/rand/v2"
)

// Stream returns the random numbers of one purpose, such as "arrivals", and one
// index, such as a client's number: independent of every other purpose and
// index under the same seed.
func Stream(seed uint64, purpose string, index int) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(purpose)) // a hash never fails to write
	return rand.New(rand.NewPCG(seed, h.Sum64()+uint64(index)*0x9e3779b97f4a7c15))
}

// MaxSeed is the largest random seed: JSON readers keep integers exact up to it.
const MaxSeed = 1 << 53

// NewSeed draws a seed.
func NewSeed() uint64 { return rand.Uint64N(MaxSeed) }
