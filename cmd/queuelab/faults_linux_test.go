package main

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"queuelab/measure/record"
)

// shellProgram starts this test program as queuelab after a line of shell, in which
// $queuelab is the command.
func shellProgram(t *testing.T, attributes *syscall.SysProcAttr, line string) (cmd *exec.Cmd, out, stderr *bytes.Buffer) {
	t.Helper()
	cmd, out, stderr = exec.Command("/bin/sh", "-c", line), &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Env = append(os.Environ(), asProgram+"=1", "queuelab="+os.Args[0])
	cmd.Dir, cmd.Stdout, cmd.Stderr, cmd.SysProcAttr = t.TempDir(), out, stderr, attributes
	return cmd, out, stderr
}

// status waits for a program's end.
func status(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	var exit *exec.ExitError
	if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode()
}

// parsed is the run that a program printed with -json.
func parsed(t *testing.T, printed *bytes.Buffer) *record.Run {
	t.Helper()
	run, err := record.ParseRun("standard output", printed.Bytes()) // refuses outcomes that do not add up
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	return run
}

// at serves requests and calls what is to happen at one of them.
func at(t *testing.T, n int64, happen func()) (url string) {
	t.Helper()
	var served atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		if served.Add(1) == n {
			happen()
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// Ctrl-C in the middle of a run or of a trial: what was measured is printed, kept and
// marked, each scheduled request has an outcome, and the exit status tells.
func TestInterruptedProgramKeepsWhatItMeasured(t *testing.T) {
	for _, line := range []string{
		"-json -out kept -seconds 600",
		"-json -requests 40 -reps 3",
	} {
		files, process := t.TempDir(), make(chan *os.Process, 1)
		url := at(t, 60, func() { (<-process).Signal(os.Interrupt) })
		args := append([]string{"bench", "-open", "-rate", "200", "-url", url}, strings.Fields(line)...)
		cmd, out, stderr := program(t, files, args...)
		process <- cmd.Process
		if got := status(t, cmd); got != statusInterrupted {
			t.Errorf("%s: exit status %d, want %d: %s", line, got, statusInterrupted, stderr)
		}
		run := parsed(t, out)
		if n := run.Requests; !run.Interrupted || n.Answered < 50 || n.Answered > 200 {
			t.Errorf("%s: interrupted %v with %+v", line, run.Interrupted, n)
		}
		folders, _ := filepath.Glob(filepath.Join(files, "*"))
		if len(folders) != 1 {
			t.Fatalf("%s: left %v, want one folder: %s", line, folders, stderr)
		}
		kept, err := record.ReadRun(folders[0])
		if err != nil || !kept.Interrupted || kept.Requests != run.Requests {
			t.Errorf("%s: kept %+v, %v; printed %+v", line, kept, err, run.Requests)
		}
		if strings.Contains(line, "-reps") {
			if run, err := record.ReadRun(filepath.Join(folders[0], "runs", "1")); err != nil || run.Interrupted || run.Requests.Answered != 40 {
				t.Errorf("%s: the first run, which was whole, is kept as %+v, %v", line, run, err)
			}
		}
	}
}

// A server that is killed in the middle ends no run: the rest is refused, which is told
// by class and timed, and the report is whole.
func TestServerKilledInTheMiddle(t *testing.T) {
	server, where := served(t)
	files := t.TempDir()
	cmd, out, stderr := program(t, files, "bench", "-url", where, "-open", "-rate", "300", "-seconds", "2", "-out", "kept")
	until(t, "the program measures, and does not only try the server", func() bool {
		connected := func() bool { return len(sockets(server.Process.Pid)) > 1 }
		if !connected() {
			return false
		}
		time.Sleep(200 * time.Millisecond)
		return connected()
	})
	if err := server.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	server.Wait() // it was killed
	if got := status(t, cmd); got != statusDone || !summaryLine.MatchString(lastLine(out.String())) || !strings.Contains(out.String(), "refused ") {
		t.Errorf("exit status %d, printed\n%s%s\nwant %d and the whole report", got, out, stderr, statusDone)
	}
	run, err := record.ReadRun(filepath.Join(files, "kept"))
	if err != nil {
		t.Fatal(err)
	}
	var failed int64
	for class, n := range run.Failures {
		failed += n
		if times := run.FailedTimes[class]; times.Get("count") != record.Value(n) || !times.Get("max").Known() {
			t.Errorf("%d times %s lasted %v", n, class, times)
		}
	}
	if run.Verdict() == "" || run.Verdict() == record.Valid {
		t.Errorf("the run of a server that was killed is %q", run.Verdict())
	}
	if n := run.Requests; n.Answered == 0 || run.Failures["refused"] == 0 || failed != n.Failed || n.Scheduled < 400 {
		t.Errorf("%+v, failures %v", n, run.Failures)
	}
}

// served is a known-answer server in a process of its own.
func served(t *testing.T) (server *exec.Cmd, url string) {
	t.Helper()
	server = exec.Command(os.Args[0], "serve", "-addr", "127.0.0.1:0", "-service", "det:1ms")
	server.Env = append(os.Environ(), asProgram+"=1")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Process.Kill() })
	line, err := bufio.NewReader(out).ReadString(' ')
	if err != nil {
		t.Fatal(err)
	}
	return server, strings.TrimSpace(line)
}

// sockets are the open sockets of a process.
func sockets(pid int) (open []string) {
	files, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/fd/*")
	for _, file := range files {
		if to, err := os.Readlink(file); err == nil && strings.HasPrefix(to, "socket:") {
			open = append(open, file)
		}
	}
	return open
}

// frozenServer takes connections, as far as its backlog goes, and never answers.
func frozenServer(t *testing.T) (url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	return "http://" + listener.Addr().String() + "/"
}

// fewFiles runs a command with at most 64 open files.
func fewFiles(t *testing.T, line string) (exit int, out, stderr *bytes.Buffer) {
	t.Helper()
	cmd, out, stderr := shellProgram(t, nil, "ulimit -n 64; exec $queuelab "+line)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return status(t, cmd), out, stderr
}

// Running out of files never looks like a fault of the server: an open run keeps below
// the limit and counts what it did not send, which makes it INVALID.
func TestOverloadWithFewFiles(t *testing.T) {
	overload := "bench -url " + frozenServer(t) + " -open -rate 300 -seconds 1 -drain 100ms"
	exit, out, stderr := fewFiles(t, overload+" -json")
	if exit != statusDone {
		t.Fatalf("exit status %d, want %d: %s", exit, statusDone, stderr)
	}
	run := parsed(t, out)
	if n := run.Requests; n.Unfinished < 10 || n.Unfinished > 64 || n.Unsent < 100 || n.Failed != 0 {
		t.Errorf("%+v, failures %v; want those beyond the cap unsent and no other failure", n, run.Failures)
	}
	if s := run.Sending; s == nil || s.Capped != run.Requests.Unsent || s.MostInFlight != run.Requests.Unfinished || run.Verdict() != record.Invalid {
		t.Errorf("%+v is %s, want %d that were capped at %d in flight, and %s", s, run.Verdict(), run.Requests.Unsent, run.Requests.Unfinished, record.Invalid)
	}
	exit, out, stderr = fewFiles(t, overload+" -strict")
	if exit != statusMargin || !strings.Contains(out.String(), "\nINVALID: ") || !summaryLine.MatchString(lastLine(out.String())) {
		t.Errorf("-strict: exit status %d, want %d; printed\n%s%s", exit, statusMargin, out, stderr)
	}
}

// Clients that there cannot be files for are refused before the run; those that share
// few connections need few files.
func TestClientsWithFewFiles(t *testing.T) {
	exit, out, stderr := fewFiles(t, "bench -url "+frozenServer(t)+" -closed -clients 100 -seconds 1")
	if exit != statusUsage || !strings.Contains(stderr.String(), "ulimit -n") || out.Len() > 0 {
		t.Errorf("exit status %d, %s%s; want %d and how to raise the limit", exit, out, stderr, statusUsage)
	}
	exit, out, stderr = fewFiles(t, "bench -json -connections 10 -url "+at(t, 0, nil)+" -closed -clients 100 -requests 500")
	if exit != statusDone || parsed(t, out).Requests.Answered != 500 {
		t.Errorf("on 10 connections: exit status %d, %s%s", exit, out, stderr)
	}
}

// noMount is the exit status of a shell that may not mount.
const noMount = 77

// onSmallDisk runs a shell line in a folder that is a file system of the given size,
// and returns a copy of what is in it afterwards.
func onSmallDisk(t *testing.T, size, line string) (exit int, out, stderr *bytes.Buffer, left string) {
	t.Helper()
	left = t.TempDir()
	attributes := &syscall.SysProcAttr{Unshareflags: syscall.CLONE_NEWNS}
	if uid := os.Getuid(); uid != 0 {
		attributes = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
			UidMappings: []syscall.SysProcIDMap{{HostID: uid, Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		}
	}
	line = "mkdir small && mount -t tmpfs -o size=" + size + " none small || exit " + strconv.Itoa(noMount) + "; cd small; " +
		line + "; status=$?; cp -R . " + left + "; exit $status"
	cmd, out, stderr := shellProgram(t, attributes, line)
	if err := cmd.Start(); err != nil {
		t.Skipf("a private file system is not permitted here: %v", err)
	}
	if exit = status(t, cmd); exit == noMount {
		t.Skipf("a small file system cannot be mounted here: %s", stderr)
	}
	return exit, out, stderr, left
}

// On a full disk nothing that was measured is lost: the result is printed, and the
// folder has what fits, which is everything but the raw records.
func TestFullDisk(t *testing.T) {
	url := at(t, 0, nil)
	exit, out, stderr, left := onSmallDisk(t, "64k", "$queuelab bench -json -out kept -url "+url+" -closed -clients 8 -requests 8000")
	if exit != statusFailed || !strings.Contains(stderr.String(), "no space left") || !strings.Contains(stderr.String(), record.RequestsFile) {
		t.Errorf("exit status %d, %s; want %d and what there was no room for", exit, stderr, statusFailed)
	}
	if said := stderr.String(); !strings.Contains(said, "kept in kept without") || strings.Contains(said, "partial") {
		t.Errorf("%s; want the folder's own name and no temporary one", said)
	}
	run := parsed(t, out)
	dir := filepath.Join(left, "kept")
	kept, err := record.ReadRun(dir)
	if err != nil || kept.Requests != run.Requests || run.Requests.Answered != 8000 {
		t.Errorf("kept %+v, %v; printed %+v", kept, err, run.Requests)
	}
	if log, err := os.ReadFile(filepath.Join(dir, record.HistogramFile)); err != nil || !bytes.Contains(log, []byte("HISTF")) {
		t.Errorf("the histogram log holds no interval: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, record.RequestsFile)); err == nil {
		t.Error("raw records that are cut off were kept")
	}

	exit, out, stderr, left = onSmallDisk(t, "4k", "$queuelab bench -json -out kept -url "+url+" -closed -clients 8 -requests 2000")
	if exit != statusFailed || !strings.Contains(stderr.String(), "no space left") || parsed(t, out).Requests.Answered != 2000 {
		t.Errorf("without room for the summary: exit status %d, %s; want %d", exit, stderr, statusFailed)
	}
	if found, _ := filepath.Glob(filepath.Join(left, "*")); len(found) != 0 {
		t.Errorf("without room for the summary %v is left", found)
	}
}

// A trial ends when the disk is full; what it measured until then is printed and kept.
func TestFullDiskInATrial(t *testing.T) {
	exit, out, stderr, left := onSmallDisk(t, "80k", "$queuelab bench -json -out kept -reps 3 -url "+at(t, 0, nil)+" -closed -clients 8 -requests 8000")
	if exit != statusFailed || !strings.Contains(stderr.String(), "no space left") {
		t.Errorf("exit status %d, %s; want %d", exit, stderr, statusFailed)
	}
	if strings.Contains(stderr.String(), "partial") {
		t.Errorf("%s; want no temporary name", stderr)
	}
	run := parsed(t, out)
	kept, err := record.ReadRun(filepath.Join(left, "kept"))
	if err != nil || kept.Requests != run.Requests || len(kept.Reps) == 0 || run.Requests.Answered != 8000*int64(len(kept.Reps)) {
		t.Errorf("kept %+v, %v; printed %+v", kept, err, run.Requests)
	}
}
