package peer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// script makes a program that a shell runs.
func script(t *testing.T, dir, name, text string) Tool {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		t.Fatal(err)
	}
	return Tool{Name: name, Path: path}
}

func TestNamesAreUnique(t *testing.T) {
	want := []string{"queuelab", "wrk", "bombardier", "hey", "ab", "vegeta", "pgbench"}
	if got := Names(); !slices.Equal(got, want) {
		t.Errorf("tools %v, want %v", got, want)
	}
}

func TestFindLooksInItsPlaces(t *testing.T) {
	onPath, here, gobin := t.TempDir(), t.TempDir(), t.TempDir()
	t.Setenv("PATH", onPath)
	t.Setenv("GOBIN", gobin)
	t.Chdir(here)
	// wrk fails when it is asked for its version, and tells it all the same.
	wrk := script(t, onPath, "wrk", "echo 'wrk debian/4.1.0-3+b2 [epoll] Copyright (C) 2012 Will Glozer'; exit 1\n")
	own := script(t, filepath.Join(here, "bin"), "queuelab", "echo 'queuelab 0.1.0, commit abc, go1.26.8'\n")
	hey := script(t, gobin, "hey", "exit 0\n")
	script(t, filepath.Join(here, "bin"), "wrk", "echo wrk of the second place\n")
	found, missing, err := Find([]string{"hey", "queuelab", "ab", "wrk"})
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 3 || found[0].Path != hey.Path || found[1].Path != own.Path || found[2].Path != wrk.Path {
		t.Fatalf("found %+v", found)
	}
	if found[1].Version != "0.1.0, commit abc, go1.26.8" || found[2].Version != "4.1.0-3+b2" {
		t.Errorf("versions %q and %q", found[1].Version, found[2].Version)
	}
	// A script is no program that Go built.
	if !strings.HasPrefix(found[0].Version, "not available: ") {
		t.Errorf("version %q of a program that tells none", found[0].Version)
	}
	if want := []Missing{{"ab", "apt-get install apache2-utils"}}; !slices.Equal(missing, want) {
		t.Errorf("missing %v, want %v", missing, want)
	}
}

func TestEveryMissingToolTellsHowToGetIt(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("GOBIN", "")
	t.Chdir(t.TempDir())
	_, missing, err := Find([]string{"bombardier", "vegeta", "wrk"})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range missing {
		if !strings.Contains(m.Install, " install ") {
			t.Errorf("%s is to be had by %q", m.Name, m.Install)
		}
	}
}

func TestUnknownTool(t *testing.T) {
	_, _, err := Find([]string{"wrk", "siege"})
	if err == nil || !strings.Contains(err.Error(), `"siege"`) || !strings.Contains(err.Error(), "queuelab, wrk") {
		t.Errorf("error %v, want one that lists the tools", err)
	}
}

// Go programs carry their version; this one is a test without any.
func TestVersionOfAGoProgram(t *testing.T) {
	this, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if got := built(this); !strings.Contains(got, "built with go1.") {
		t.Errorf("version %q", got)
	}
}

// The pgbench that is measured lies beside the server that it measures, even when the
// PATH has another.
func TestPgbenchIsTheServersOwn(t *testing.T) {
	bin, links := t.TempDir(), t.TempDir()
	own := script(t, bin, "pgbench", "echo 'pgbench (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)'\n")
	for _, name := range []string{"postgres", "initdb"} {
		server := script(t, bin, name, "exit 0\n")
		if err := os.Symlink(server.Path, filepath.Join(links, name)); err != nil {
			t.Fatal(err)
		}
	}
	script(t, links, "pgbench", "echo 'pgbench (PostgreSQL) 9.6'\n")
	t.Setenv("PATH", links)
	found, _, err := Find([]string{"pgbench"})
	if err != nil {
		t.Fatal(err)
	}
	real, err := filepath.EvalSymlinks(own.Path)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) != 1 || found[0].Path != real || found[0].Version != "15.18" {
		t.Errorf("found %+v, want the one in %s", found, bin)
	}
}
