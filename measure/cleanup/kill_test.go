package cleanup

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/lab/postgres/cluster"
)

// These variables make this test program a child that starts a guard, writes rows, and
// ends in the named way, or waits to be ended.
const (
	childEnding = "CLEANUP_TEST_ENDING"
	childDSN    = "CLEANUP_TEST_DSN"
	childTable  = "CLEANUP_TEST_TABLE"
)

// bound is how long anything here may take on a machine that is busy.
const bound = 60 * time.Second

func beChild(ending string) {
	l := &links{dsn: os.Getenv(childDSN), name: os.Getenv(childTable)}
	g, err := Start(context.Background(), l.config())
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(4)
	}
	for range 2 {
		go write(l, "")
	}
	go write(l, " FROM pg_sleep(5)")           // longer than the silence that the guard waits for
	bufio.NewReader(os.Stdin).ReadString('\n') // until the test has seen rows
	if ending == "exit" {
		os.Exit(5)
	}
	time.Sleep(5 * time.Minute) // to be ended
	g.Finish()
}

// write writes rows without pause.
func write(l *links, from string) {
	conn, err := pgx.Connect(context.Background(), l.dsn)
	for err == nil {
		_, err = conn.Exec(context.Background(), "INSERT INTO "+l.name+" (url) SELECT '"+written+"'"+from)
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(4)
}

// ends ends a program in the middle of its writes, with one under way that the server
// finishes a while later.
func ends(t *testing.T, c *cluster.Cluster, ending string) {
	l := newLinks(t, c)
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childEnding+"="+ending, childDSN+"="+l.dsn, childTable+"="+l.name)
	child.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // what a terminal's Ctrl-C reaches
	child.WaitDelay = bound
	var said strings.Builder
	child.Stderr = &said // held by the guard too: Wait waits for both
	in, err := child.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	many := fmt.Sprintf(`SELECT (count(*) > %d)::text FROM %s`, seeds+100, l.name)
	underWay := `SELECT count(*)::text FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'INSERT INTO ` + l.name + ` %pg_sleep%'`
	for end := time.Now().Add(bound); l.ask(many) != "true" || l.ask(underWay) != "1"; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			child.Process.Kill()
			child.Wait()
			t.Fatalf("the child does not write: %s", &said)
		}
	}
	switch ending {
	case "kill": // and all that hangs on it, as when its service is stopped
		err = syscall.Kill(-child.Process.Pid, syscall.SIGKILL)
	case "interrupt":
		err = syscall.Kill(-child.Process.Pid, syscall.SIGINT)
	default:
		_, err = in.Write([]byte("\n"))
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Wait(); err == nil {
		t.Errorf("the child ended well; it was to end by %s", ending)
	}
	for end := time.Now().Add(bound); l.ask(underWay) != "0" && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
	}
	l.unchanged()
	if want := fmt.Sprintf(" rows from %s, which has %d as before\n", l.name, seeds); !strings.HasSuffix(said.String(), want) {
		t.Errorf("the guard says %q, want the end %q", &said, want)
	}
}

// secrets: neither the guard's command line nor its environment shows the DSN.
func secrets(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	config := l.config()
	config.DSN += " password=hunter2"
	g := stand(t, config)
	for _, file := range []string{"cmdline", "environ"} {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", g.process.Process.Pid, file))
		if err != nil {
			t.Skip("needs /proc: ", err)
		}
		if file == "cmdline" && string(text) != guardRole.Name+"\x00" || strings.Contains(string(text), "hunter2") {
			t.Errorf("the guard's %s is %q", file, text)
		}
	}
	if _, err := g.Finish(); err != nil {
		t.Error(err)
	}
}
