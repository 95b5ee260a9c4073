package host

import (
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
)

// PortUse says how many local ports there are for connections to one address, and
// how many of them are taken. Ports that programs chose outside the system's range
// are none of them.
type PortUse struct {
	// All is the range from which the system chooses, without its reserved ports.
	All int
	// Busy are the ports of All that a new connection to the address would not
	// find free: those of sockets between this host and the address, in whatever
	// state, and those on which a program listens, which the system gives to no
	// connection.
	Busy int
	// TimeWait are the ports of Busy that nothing but TIME_WAIT holds, at this end
	// of the connection or at the other where that is on this host too.
	TimeWait int
}

// Left is how many new connections to the address find a port, at least. Linux may
// give them a port in TIME_WAIT too: at once when it is the other end that waits, and
// after a second on loopback (see tcp_tw_reuse), where this end does.
func (u PortUse) Left() int { return u.All - u.Busy }

// Ports looks at the connections to a remote TCP address, "host:port" with a
// numeric host as [queuelab/drivers.Driver.Remote] gives it. With 28,000
// connections it takes some 50 ms, nearly all of them in the kernel. Its error wraps
// [errors.ErrUnsupported] where the system does not tell, as everywhere but on
// Linux.
func Ports(remote string) (PortUse, error) {
	return portsIn(os.DirFS("/"), remote)
}

// The kernel's files, of this process's network namespace. The range is that of
// IPv6 too.
const (
	portRangeFile     = "proc/sys/net/ipv4/ip_local_port_range"
	reservedPortsFile = "proc/sys/net/ipv4/ip_local_reserved_ports"
)

func portsIn(root fs.FS, remote string) (PortUse, error) {
	target, err := netip.ParseAddrPort(remote)
	if err != nil || target.Port() == 0 {
		return PortUse{}, fmt.Errorf("%q is no TCP address: host:port with a numeric host is needed to count the local ports of its connections", remote)
	}
	choice, ok := portsToChoose(root)
	if !ok {
		return PortUse{}, fmt.Errorf("the system does not tell which local ports connections may have: %w", errors.ErrUnsupported)
	}
	count := newPortCount(target)
	for _, file := range []string{"proc/net/tcp", "proc/net/tcp6"} {
		if err := countFile(root, file, count); err != nil {
			return PortUse{}, fmt.Errorf("the connections to %s cannot be counted: %w", remote, err)
		}
	}
	return count.use(choice), nil
}

// portsToChoose returns the ports that the system may choose for a connection.
func portsToChoose(root fs.FS) (choice *portSet, ok bool) {
	first, last, ok := parsePortRange(text(root, portRangeFile))
	if !ok {
		return nil, false
	}
	reserved := new(portSet)
	if !parsePortList(text(root, reservedPortsFile), reserved) {
		return nil, false
	}
	choice = new(portSet)
	choice.add(first, last)
	choice.remove(reserved)
	return choice, true
}

// countFile counts the sockets in one of the kernel's tables. A kernel without
// IPv6 has no table for it.
func countFile(root fs.FS, path string, count *portCount) error {
	file, err := root.Open(path)
	if errors.Is(err, fs.ErrNotExist) && path == "proc/net/tcp6" {
		return nil
	}
	if err != nil {
		return fmt.Errorf("%w: %w", errors.ErrUnsupported, err)
	}
	defer file.Close()
	return count.read(file)
}
