package supervise

import (
	"context"
	"net"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func reuseport(t *testing.T, address string) net.Listener {
	t.Helper()
	config := net.ListenConfig{Control: func(_, _ string, c syscall.RawConn) error {
		var err error
		c.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_REUSEPORT, 1) })
		return err
	}}
	l, err := config.Listen(context.Background(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func TestFreePortSkipsWhatIsTaken(t *testing.T) {
	first, err := FreePort(19100)
	if err != nil {
		t.Fatal(err)
	}
	defer first.Release()
	second, err := FreePort(first.Number)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Release()
	if second.Number <= first.Number {
		t.Errorf("port %d was given twice", first.Number)
	}
	first.Release()
	first.Release()
	again, err := FreePort(first.Number)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Release()
	if again.Number != first.Number {
		t.Errorf("port %d, want %d, which was released", again.Number, first.Number)
	}
}

func TestFreePortSeesSharedPorts(t *testing.T) {
	for _, host := range []string{"127.0.0.1", "0.0.0.0"} {
		l := reuseport(t, host+":0")
		taken := l.Addr().(*net.TCPAddr).Port
		p, err := FreePort(taken)
		if err != nil {
			t.Fatal(err)
		}
		p.Release()
		if p.Number == taken {
			t.Errorf("port %d is said to be free while somebody listens on %s with SO_REUSEPORT", taken, host)
		}
	}
}

func TestFreePortGivesUp(t *testing.T) {
	if _, err := FreePort(65536); err == nil || !strings.Contains(err.Error(), "65536") {
		t.Errorf("error %v, want one that names the port", err)
	}
}
