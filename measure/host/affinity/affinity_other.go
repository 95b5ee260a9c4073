//go:build !linux

package affinity

import "runtime"

// Supported says whether work can be pinned to a CPU here.
const Supported = false

// CPUs returns as many CPU numbers as this process may use, from 0.
func CPUs() ([]int, error) {
	cpus := make([]int, runtime.NumCPU())
	for i := range cpus {
		cpus[i] = i
	}
	return cpus, nil
}

// On runs do; a CPU cannot be asked for here.
func On(cpu int, do func() error) error {
	if cpu >= 0 {
		return ErrUnsupported
	}
	return do()
}

// KeepOff changes nothing here for cpu -1, and refuses any other.
func KeepOff(cpu int) (restore func(), err error) {
	if cpu >= 0 {
		return nil, ErrUnsupported
	}
	return func() {}, nil
}
