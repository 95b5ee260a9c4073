package host

import (
	"crypto/sha256"
	"math"
	"sync"
	"time"

	"queuelab/measure/host/affinity"
)

const (
	// speedTries is how often the work is timed; the quickest counts. Each try is
	// about as short as the scheduler's time slice, so that on a busy machine some
	// of them are not interrupted: 25 tries of 3 ms vary by a few percent where 5
	// of 15 ms double.
	speedTries = 25
	// hashBytes and hashRounds make the arithmetic of a try, walkSteps the memory's
	// part: each about 1.5 ms on a CPU of 2024.
	hashBytes  = 64 << 10
	hashRounds = 40
	walkCells  = 1 << 18 // of 4 bytes: 1 MiB, more than a first-level cache holds
	walkSteps  = 200_000
)

// Speed times a small fixed piece of work on the given CPU, -1 for any, and returns
// the quickest of its tries, which together take about 80 ms. Taken before and after a run it shows how far the
// machine's speed drifted; it is no measure to compare machines by. A CPU that this
// process may not use counts as any.
func Speed(cpu int) time.Duration {
	quickest := time.Duration(math.MaxInt64)
	try := func() error {
		for range speedTries {
			start := time.Now()
			work()
			quickest = min(quickest, time.Since(start))
		}
		return nil
	}
	if affinity.On(cpu, try) != nil {
		try()
	}
	return quickest
}

// work is the same computation each time. Its result is returned so that no
// compiler leaves it out.
func work() (digest [sha256.Size]byte, cell uint32) {
	ring := walk()
	block := make([]byte, hashBytes)
	for range hashRounds {
		digest = sha256.Sum256(block)
		copy(block, digest[:])
	}
	for range walkSteps {
		cell = ring[cell]
	}
	return digest, cell
}

// walk returns one ring through all cells in an order that no prefetcher guesses
// (Sattolo's shuffle with the generator of Knuth's MMIX).
var walk = sync.OnceValue(func() []uint32 {
	ring := make([]uint32, walkCells)
	for i := range ring {
		ring[i] = uint32(i)
	}
	state := uint64(1)
	for i := len(ring) - 1; i > 0; i-- {
		state = state*6364136223846793005 + 1442695040888963407
		j := int(state>>33) % i
		ring[i], ring[j] = ring[j], ring[i]
	}
	return ring
})
