// Package affinity says which CPUs this process may run on and keeps work on
// them or off them. A private server on one CPU and the generator on the others
// is what keeps a measurement from measuring its own generator.
//
// Only Linux can pin; elsewhere [Supported] is false, CPUs are counted, and
// asking for a CPU is an error that says so.
package affinity

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ErrUnsupported says that this operating system cannot pin work to a CPU.
var ErrUnsupported = errors.New("pinning to a CPU needs Linux")

// LastCPU returns the CPU a private server is to be pinned to: the last of those
// this process may use. Where pinning is impossible or would leave no CPU for the
// generator, it returns -1 and the reason.
func LastCPU() (cpu int, reason string) {
	cpus, err := CPUs()
	return lastOf(cpus, err, Supported)
}

func lastOf(cpus []int, err error, supported bool) (cpu int, reason string) {
	switch {
	case !supported:
		return -1, ErrUnsupported.Error()
	case err != nil:
		return -1, "the CPUs of this process are not known: " + err.Error()
	case len(cpus) < 2:
		return -1, "this process may use one CPU only, which server and generator share"
	}
	return slices.Max(cpus), ""
}

// List writes CPU numbers the way the kernel does: "0-3,8".
func List(cpus []int) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(cpus)))
	var ranges []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		if i == j {
			ranges = append(ranges, strconv.Itoa(sorted[i]))
		} else {
			ranges = append(ranges, fmt.Sprintf("%d-%d", sorted[i], sorted[j]))
		}
		i = j + 1
	}
	return strings.Join(ranges, ",")
}
