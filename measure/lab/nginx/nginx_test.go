package nginx

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"queuelab/measure/host/affinity"
	"queuelab/measure/lab/program"
)

func running(t *testing.T, snippet string) *Server {
	t.Helper()
	s, err := Start(t.Context(), snippet)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Stop() })
	return s
}

// get asks without decompressing.
func get(t *testing.T, url, encoding string) (*http.Response, []byte) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept-Encoding", encoding)
	answer, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, body
}

func TestPageIsTheLicenceRepeated(t *testing.T) {
	got := page()
	if len(got) != 80_000 {
		t.Errorf("the page has %d bytes, want 80,000", len(got))
	}
	if !bytes.HasPrefix(gpl, []byte("                    GNU GENERAL PUBLIC LICENSE\n                       Version 3")) {
		t.Errorf("the text begins with %q", gpl[:80])
	}
	for i := range got {
		if got[i] != gpl[i%len(gpl)] {
			t.Fatalf("byte %d is not the licence's", i)
		}
	}
}

func TestPageIsCompressedOnDemand(t *testing.T) {
	s := running(t, "")
	answer, body := get(t, s.URL(), "gzip")
	if answer.StatusCode != 200 || answer.Header.Get("Content-Encoding") != "gzip" || answer.Header.Get("Content-Type") != "text/plain" {
		t.Fatalf("answer %s with headers %v, want 200, gzip, text/plain", answer.Status, answer.Header)
	}
	if !strings.Contains(s.Facts()["page"], fmt.Sprintf("%d as sent", len(body))) {
		t.Errorf("facts say %q of a body of %d bytes", s.Facts()["page"], len(body))
	}
	unzip, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := io.ReadAll(unzip); err != nil || !bytes.Equal(plain, page()) {
		t.Errorf("decompressed: %d bytes, %v; want the page", len(plain), err)
	}
	if _, body := get(t, s.URL(), "identity"); !bytes.Equal(body, page()) {
		t.Errorf("without gzip: %d bytes, want the page", len(body))
	}
}

func TestOneWorkerOnTheLastCPU(t *testing.T) {
	s := running(t, "")
	workers, err := s.PIDs()
	if err != nil || len(workers) != 1 {
		t.Fatalf("workers %v, %v; want one", workers, err)
	}
	if last, _ := affinity.LastCPU(); s.CPU() != last {
		t.Errorf("on CPU %d, want %d", s.CPU(), last)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", workers[0]))
	if err != nil {
		t.Fatal(err)
	}
	if s.CPU() >= 0 && !strings.Contains(string(status), fmt.Sprintf("Cpus_allowed_list:\t%d\n", s.CPU())) {
		t.Errorf("the worker is not pinned to CPU %d:\n%s", s.CPU(), status)
	}
	if os.Getuid() == 0 && strings.Contains(string(status), "Uid:\t0\t") {
		t.Error("the worker is root's")
	}
}

func TestOnlyPrivateFilesAreOpen(t *testing.T) {
	s := running(t, "")
	get(t, s.URL(), "gzip")
	workers, err := s.PIDs()
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range append(workers, s.PID()) {
		open, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		if err != nil || len(open) < 3 {
			t.Fatalf("open files of process %d: %v, %v", pid, open, err)
		}
		for _, fd := range open {
			file, err := os.Readlink(fd)
			if err == nil && filepath.IsAbs(file) && file != os.DevNull && !strings.HasPrefix(file, s.Dir()) {
				t.Errorf("process %d has %s open, an access log or another file outside %s", pid, file, s.Dir())
			}
		}
	}
}

func TestTakenPortMeansAnother(t *testing.T) {
	first := running(t, "")
	second := running(t, "")
	if first.URL() == second.URL() {
		t.Fatalf("two servers at %s", first.URL())
	}
	if text := second.Describe(); !strings.Contains(text, second.URL()) || !strings.Contains(text, "port 9100 is taken") {
		t.Errorf("the second describes itself so:\n%s", text)
	}
	if err := first.Stop(); err != nil {
		t.Fatal(err)
	}
	if answer, _ := get(t, second.URL(), "gzip"); answer.StatusCode != 200 {
		t.Errorf("the second answers %s once the first is gone", answer.Status)
	}
	address := strings.TrimPrefix(first.Base(), "http://")
	if c, err := net.Dial("tcp", address); err == nil {
		c.Close()
		t.Errorf("somebody still listens on %s", address)
	}
}

func TestSnippetIsServed(t *testing.T) {
	s := running(t, `location = /empty { return 204; }`)
	if answer, _ := get(t, s.Base()+"/empty", "gzip"); answer.StatusCode != 204 {
		t.Errorf("the snippet's location answers %s, want 204", answer.Status)
	}
	if !strings.Contains(s.Facts()["configuration"], "return 204") {
		t.Error("the facts lack the snippet")
	}
}

func TestBadSnippetSaysWhy(t *testing.T) {
	_, err := Start(t.Context(), `no_such_directive on;`)
	if err == nil || !strings.Contains(err.Error(), "no_such_directive") || !strings.Contains(err.Error(), "exit status 1") {
		t.Errorf("error %v, want nginx's own complaint", err)
	}
}

func TestCancelledStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Start(ctx, ""); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func TestMissingNginxSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	defer func(before []string) { binary.Directories = before }(binary.Directories)
	binary.Directories = nil
	_, err := Start(t.Context(), "")
	var missing *program.MissingError
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "`apt-get install nginx`") {
		t.Errorf("error %v, want a MissingError with the command", err)
	}
}

func TestConfigurationFollowsTheBuild(t *testing.T) {
	full := configuration(9100, "nginx version: nginx/1.22.1", "")
	for _, want := range []string{"listen 127.0.0.1:9100 reuseport;", "worker_processes 1;", "access_log off;",
		"gzip_comp_level 9;", "gzip_types text/plain;", "uwsgi_temp_path temp-uwsgi;"} {
		if !strings.Contains(full, want) {
			t.Errorf("the configuration lacks %q:\n%s", want, full)
		}
	}
	if small := configuration(9100, "--without-http_uwsgi_module", ""); strings.Contains(small, "uwsgi") {
		t.Errorf("a directive of a module that is not compiled in:\n%s", small)
	}
}
