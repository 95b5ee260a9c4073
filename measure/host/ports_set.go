package host

import (
	"math/bits"
	"strconv"
	"strings"
)

// portSet is a set of ports, one bit each.
type portSet [1 << 16 / 64]uint64

// add adds the ports from first to last.
func (s *portSet) add(first, last int) {
	for port := first; port <= last; port++ {
		s[port/64] |= 1 << (port % 64)
	}
}

func (s *portSet) remove(t *portSet) {
	for i := range s {
		s[i] &^= t[i]
	}
}

// keep leaves only the ports that t has too.
func (s *portSet) keep(t *portSet) {
	for i := range s {
		s[i] &= t[i]
	}
}

func (s *portSet) size() (ports int) {
	for _, word := range s {
		ports += bits.OnesCount64(word)
	}
	return ports
}

// parsePortList adds the ports in the text of ip_local_reserved_ports, "8080,9148"
// or "1-4,10-10" or nothing, to a set.
func parsePortList(list string, set *portSet) (ok bool) {
	if list == "" {
		return true
	}
	for part := range strings.SplitSeq(list, ",") {
		from, to, several := strings.Cut(part, "-")
		if !several {
			to = from
		}
		first, err := strconv.ParseUint(from, 10, 16)
		if err != nil {
			return false
		}
		last, err := strconv.ParseUint(to, 10, 16)
		if err != nil || last < first {
			return false
		}
		set.add(int(first), int(last))
	}
	return true
}
