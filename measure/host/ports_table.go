package host

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/netip"
)

// socket is what a line of the kernel's table of TCP sockets says.
type socket struct {
	local, remote netip.AddrPort
	state         byte
}

// States that matter here, as include/net/tcp_states.h numbers them.
const (
	stateTimeWait = 0x06
	stateListen   = 0x0A
)

// portCount collects the local ports that sockets hold against new connections to
// one target.
type portCount struct {
	target         netip.AddrPort
	live, timeWait portSet
}

func newPortCount(target netip.AddrPort) *portCount {
	return &portCount{target: netip.AddrPortFrom(target.Addr().Unmap().WithZone(""), target.Port())}
}

// use is what the sockets seen so far leave of the ports to choose from.
func (c *portCount) use(choice *portSet) PortUse {
	live, waiting := c.live, c.timeWait
	live.keep(choice)
	waiting.keep(choice)
	waiting.remove(&live)
	return PortUse{All: choice.size(), Busy: live.size() + waiting.size(), TimeWait: waiting.size()}
}

// see adds the port that a socket holds, if it does.
func (c *portCount) see(s socket) {
	set := &c.live
	if s.state == stateTimeWait {
		set = &c.timeWait
	}
	switch {
	case s.state == stateListen:
		// One whose port is bound is never chosen, whatever its address.
		set.add(int(s.local.Port()), int(s.local.Port()))
	case s.remote == c.target:
		set.add(int(s.local.Port()), int(s.local.Port()))
	case s.local == c.target && c.fromHere(s.remote.Addr()):
		// The target is on this host, and this is its end of the connection. When
		// it closed first, it is the end that remains.
		set.add(int(s.remote.Port()), int(s.remote.Port()))
	}
}

// fromHere says whether the client's address is one that this host uses towards a
// target on itself: the target's own, or on loopback any.
func (c *portCount) fromHere(client netip.Addr) bool {
	target := c.target.Addr()
	return client == target || client.IsLoopback() && target.IsLoopback()
}

// read sees every socket in a table, whose first line is its head.
func (c *portCount) read(table io.Reader) error {
	lines := bufio.NewReaderSize(table, 64<<10)
	for first := true; ; first = false {
		line, err := lines.ReadSlice('\n')
		if len(line) > 0 && !first {
			s, ok := parseSocket(line)
			if !ok {
				return fmt.Errorf("a line of the kernel's table of TCP sockets is %.200q", line)
			}
			c.see(s)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// parseSocket reads a line of /proc/net/tcp or tcp6, which begins with a number, two
// addresses and a state in hexadecimal digits:
//
//	46: 0100007F:9C4C 0100007F:1770 06 00000000:00000000 …
//
// See the kernel's Documentation/networking/proc_net_tcp.rst. It allocates nothing:
// a table may have tens of thousands of lines.
func parseSocket(line []byte) (s socket, ok bool) {
	_, rest := nextField(line)
	local, rest := nextField(rest)
	remote, rest := nextField(rest)
	state, _ := nextField(rest)
	if s.local, ok = parseEndpoint(local); !ok {
		return socket{}, false
	}
	if s.remote, ok = parseEndpoint(remote); !ok {
		return socket{}, false
	}
	number, ok := parseHex(state, 2)
	if !ok {
		return socket{}, false
	}
	s.state = byte(number)
	return s, true
}

// nextField cuts the first field off a line.
func nextField(line []byte) (field, rest []byte) {
	from := 0
	for from < len(line) && space(line[from]) {
		from++
	}
	to := from
	for to < len(line) && !space(line[to]) {
		to++
	}
	return line[from:to], line[to:]
}

func space(c byte) bool { return c == ' ' || c == '\n' }

// parseEndpoint reads an address and a port, "0100007F:9C4C". An address consists
// of words of 32 bits in the machine's own order of bytes, each written as a
// number; an IPv4 address has one, an IPv6 address four. IPv4 within IPv6 becomes
// IPv4.
func parseEndpoint(field []byte) (netip.AddrPort, bool) {
	const word = 8 // digits
	var ip [16]byte
	digits := len(field) - len(":9C4C")
	if digits != word && digits != 4*word || field[digits] != ':' {
		return netip.AddrPort{}, false
	}
	for i := 0; i < digits; i += word {
		number, ok := parseHex(field[i:i+word], word)
		if !ok {
			return netip.AddrPort{}, false
		}
		binary.NativeEndian.PutUint32(ip[i/2:], number)
	}
	port, ok := parseHex(field[digits+1:], 4)
	if !ok {
		return netip.AddrPort{}, false
	}
	address := netip.AddrFrom16(ip).Unmap()
	if digits == word {
		address = netip.AddrFrom4([4]byte(ip[:4]))
	}
	return netip.AddrPortFrom(address, uint16(port)), true
}

// parseHex reads a number of so many hexadecimal digits, eight at most.
func parseHex(text []byte, digits int) (number uint32, ok bool) {
	if len(text) != digits {
		return 0, false
	}
	for _, c := range text {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		number = number<<4 | uint32(c)
	}
	return number, true
}
