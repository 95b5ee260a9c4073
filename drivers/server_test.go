package drivers

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// program finds a server's binary. Without it the test is skipped, but fails
// where CI=true says that everything must be tested.
func program(t testing.TB, name string, directories ...string) string {
	t.Helper()
	for _, directory := range directories {
		matches, _ := filepath.Glob(filepath.Join(directory, name))
		if len(matches) > 0 {
			return matches[len(matches)-1]
		}
	}
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	if os.Getenv("CI") == "true" {
		t.Fatalf("%s is not installed", name)
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// watchdog runs a command until its standard input ends, which happens when
// this process is gone too, and then stops it with the signal named by $1.
const watchdog = `signal=$1; shift; "$@" </dev/null & server=$!; read -r _; kill -s $signal $server; wait $server`

// start runs a server until the test ends and returns what waits for its end.
// configure may change how it is started.
func start(t testing.TB, signal string, configure func(*exec.Cmd), command ...string) {
	t.Helper()
	output, err := os.CreateTemp(t.TempDir(), "output")
	if err != nil {
		t.Fatal(err)
	}
	server := exec.Command("/bin/sh", append([]string{"-c", watchdog, "sh", signal}, command...)...)
	server.Stdout, server.Stderr = output, output
	configure(server)
	alive, err := server.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		alive.Close()
		server.Wait() // fails when a test has killed the server: what it said decides
		if t.Failed() {
			output.Seek(0, io.SeekStart)
			said, _ := io.ReadAll(output)
			t.Logf("%s said:\n%s", command[0], said)
		}
		output.Close()
	})
}

// eventually repeats try for up to ten seconds.
func eventually(t testing.TB, what string, try func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if try() {
			return
		}
	}
	t.Fatalf("%s: not within 10 s", what)
}

// freePort returns a port on 127.0.0.1 that nobody listens on.
func freePort(t testing.TB) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
}
