package host

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// ownNetwork is set in the environment of this test when it runs in a network
// namespace of its own, where it may set the range of ports.
const ownNetwork = "QUEUELAB_TEST_OWN_NETWORK"

// Left is what new connections really find: with 100 ports of which a few are
// reserved, listened on, connected or closed a moment ago, the kernel refuses
// exactly the first connection for which none is left.
func TestLeftIsWhatConnectionsFind(t *testing.T) {
	if os.Getenv(ownNetwork) == "" {
		inOwnNetwork(t)
		return
	}
	loopbackUp(t)
	write(t, portRangeFile, "40000 40099")
	write(t, reservedPortsFile, "40010-40012,9000")
	listener := listen(t, "127.0.0.1:9000")
	remote := listener.Addr().String()
	for _, address := range []string{"127.0.0.1:40020", ":40021", "127.0.0.9:40022", "127.0.0.1:30000"} {
		listen(t, address)
	}
	connect(t, listener, 5)
	clients, servers := connect(t, listener, 20)
	hangUp(clients)
	hangUp(servers)
	want := PortUse{All: 97, Busy: 28, TimeWait: 20}
	use := eventually(t, remote, func(use PortUse) bool { return use == want })
	if use != want {
		t.Fatalf("%+v, want %+v", use, want)
	}
	// The kernel would give ports in TIME_WAIT on loopback away again after a second.
	write(t, "proc/sys/net/ipv4/tcp_tw_reuse", "0")
	connect(t, listener, use.Left())
	if conn, err := net.Dial("tcp", remote); !errors.Is(err, syscall.EADDRNOTAVAIL) {
		t.Errorf("one more than the %d that were left: %v, %v", use.Left(), conn, err)
	}
	if use, err := Ports(remote); err != nil || use.Left() != 0 {
		t.Errorf("when none was left: %+v, %v", use, err)
	}
}

// inOwnNetwork runs this test again, alone, as a process with a network of its own.
func inOwnNetwork(t *testing.T) {
	child := exec.CommandContext(t.Context(), "/proc/self/exe", "-test.run=^"+t.Name()+"$", "-test.timeout=30s", "-test.v")
	child.Env = append(os.Environ(), ownNetwork+"=yes")
	child.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWNET | syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	output, err := child.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Skipf("this system gives no network namespace: %v", err)
	}
	if err != nil {
		t.Errorf("in a network of its own: %v\n%s", err, output)
	}
	if strings.Contains(string(output), "--- SKIP: "+t.Name()) {
		t.Skipf("in a network of its own:\n%s", output)
	}
}

// loopbackUp brings up the loopback interface, number 1 in every namespace, as
// rtnetlink(7) describes it.
func loopbackUp(t *testing.T) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_NETLINK, syscall.SOCK_RAW|syscall.SOCK_CLOEXEC, syscall.NETLINK_ROUTE)
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(fd)
	order := binary.NativeEndian
	request := order.AppendUint32(nil, syscall.SizeofNlMsghdr+syscall.SizeofIfInfomsg)
	request = order.AppendUint16(request, syscall.RTM_NEWLINK)
	request = order.AppendUint16(request, syscall.NLM_F_REQUEST|syscall.NLM_F_ACK)
	request = append(request, make([]byte, 12)...)        // sequence, sender, family and type
	request = order.AppendUint32(request, 1)              // interface
	request = order.AppendUint32(request, syscall.IFF_UP) // flags
	request = order.AppendUint32(request, syscall.IFF_UP) // those to change
	if err := syscall.Sendto(fd, request, 0, &syscall.SockaddrNetlink{Family: syscall.AF_NETLINK}); err != nil {
		t.Fatal(err)
	}
	answer := make([]byte, 4096)
	n, _, err := syscall.Recvfrom(fd, answer, 0)
	if err != nil || n < syscall.SizeofNlMsghdr+4 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if number := int32(order.Uint32(answer[syscall.SizeofNlMsghdr:])); number != 0 {
		t.Fatal(fmt.Errorf("the loopback interface cannot be brought up: %w", syscall.Errno(-number)))
	}
}

// write sets one of the kernel's parameters, which a container may not allow.
func write(t *testing.T, path, text string) {
	t.Helper()
	err := os.WriteFile("/"+path, []byte(text), 0)
	if errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.EROFS) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
