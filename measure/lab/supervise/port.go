package supervise

import (
	"errors"
	"fmt"
	"net"
	"strconv"
	"syscall"
)

// portsTried is how many ports, from the wanted one up, are tried.
const portsTried = 50

// Port is a TCP port of 127.0.0.1 that was free, reserved among the programs that
// use this package until it is released.
type Port struct {
	Number int
	lock   net.Listener
}

// FreePort reserves the wanted port, or the next above it that is free.
//
// Two servers that listen with SO_REUSEPORT can share a port without either
// noticing, each getting half of the requests. So each port is tried without
// SO_REUSEPORT, which fails whenever anybody listens there, and reserved through
// [Port], so that two labs that start at the same moment do not both find it free.
func FreePort(wanted int) (*Port, error) {
	for number := wanted; number < wanted+portsTried && number <= 65535; number++ {
		lock, err := reserve(number)
		if errors.Is(err, syscall.EADDRINUSE) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reserve port %d: %w", number, err)
		}
		probe, err := net.Listen("tcp4", net.JoinHostPort("127.0.0.1", strconv.Itoa(number)))
		if err == nil {
			return &Port{Number: number, lock: lock}, probe.Close()
		}
		if lock != nil {
			lock.Close()
		}
		if !errors.Is(err, syscall.EADDRINUSE) && !errors.Is(err, syscall.EACCES) {
			return nil, fmt.Errorf("try port %d: %w", number, err)
		}
	}
	return nil, fmt.Errorf("no port of 127.0.0.1 from %d on is free (%d tried): stop what listens there", wanted, portsTried)
}

// Release gives the port up; it may be called more than once.
func (p *Port) Release() {
	if p.lock != nil {
		p.lock.Close()
	}
}
