package drivers

import (
	"net"
	"sync"
	"time"
)

// sockets remembers every open socket of a driver, so that all of them can be
// closed at once: closing is the one thing that interrupts a blocked read,
// whatever protocol is spoken over it.
type sockets struct {
	mu   sync.Mutex
	open map[net.Conn]struct{} // nil after closeAll
}

func newSockets() *sockets { return &sockets{open: map[net.Conn]struct{}{}} }

// add remembers a socket, or closes it and reports false when closeAll was
// called already.
func (s *sockets) add(socket net.Conn) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		socket.Close()
		return false
	}
	s.open[socket] = struct{}{}
	return true
}

// remove forgets a socket that was closed.
func (s *sockets) remove(socket net.Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, socket)
}

// interrupt ends what is being read or written with the error of a deadline, so that
// whoever does may still say goodbye to the server.
func (s *sockets) interrupt() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for socket := range s.open {
		socket.SetDeadline(time.Unix(1, 0))
	}
}

// closeAll closes every socket that is open, and every one that is added later.
func (s *sockets) closeAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for socket := range s.open {
		socket.Close()
	}
	s.open = nil
}
