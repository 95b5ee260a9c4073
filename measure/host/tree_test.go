package host

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// repository makes an empty one in a new folder, for which only git's own settings
// hold, and returns the folder and what calls git in it.
func repository(t *testing.T) (dir string, git func(arguments ...string)) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir = t.TempDir()
	git = func(arguments ...string) {
		t.Helper()
		all := append([]string{"-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "init.defaultBranch=main"}, arguments...)
		if output, err := exec.Command("git", all...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", arguments, err, output)
		}
	}
	git("init")
	return dir, git
}

func file(t *testing.T, dir, name, text string) {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// says checks what Tree says of a folder.
func says(t *testing.T, dir, pattern string) {
	t.Helper()
	got := Tree(t.Context(), dir)
	if !regexp.MustCompile("^(?:" + pattern + ")$").MatchString(got) {
		t.Errorf("%q, want %s", got, pattern)
	}
	if strings.Contains(got, os.TempDir()) {
		t.Errorf("%q tells where the folder is", got)
	}
}

const someCommit = "commit [0-9a-f]{12}, "

func TestTreeFromFirstFileToCommit(t *testing.T) {
	dir, git := repository(t)
	says(t, dir, "no commit yet, branch main, clean")
	file(t, dir, "a.go", "package a\n")
	says(t, dir, `no commit yet, branch main, 1 uncommitted change: \?\? a\.go`)
	git("add", "a.go")
	says(t, dir, `no commit yet, branch main, 1 uncommitted change: A a\.go`)
	git("commit", "-m", "a")
	says(t, dir, someCommit+"branch main, clean")
	git("checkout", "--detach")
	says(t, dir, someCommit+"no branch, clean")
	git("checkout", "-b", "tuning/batch")
	says(t, dir, someCommit+"branch tuning/batch, clean")
}

func TestTreeNamesWhatIsNotCommitted(t *testing.T) {
	dir, git := repository(t)
	for _, name := range []string{"changed.go", "staged.go", "moved.go", "gone.go", "with space.go"} {
		file(t, dir, name, strings.Repeat(name+"\n", 20))
	}
	file(t, dir, ".gitignore", "*.log\n")
	git("add", ".")
	git("commit", "-m", "all")
	file(t, dir, "changed.go", "changed\n")
	file(t, dir, "staged.go", "staged\n")
	git("add", "staged.go")
	file(t, dir, "staged.go", "and changed\n")
	git("mv", "moved.go", "sub.go")
	git("rm", "gone.go")
	file(t, dir, "with space.go", "changed\n")
	file(t, dir, "run.log", "ignored\n")
	file(t, dir, "new/deep/b.txt", "new\n")
	want := someCommit + `branch main, 6 uncommitted changes: M changed\.go, D gone\.go, MM staged\.go, R moved\.go -> sub\.go, M with space\.go, \?\? new/`
	says(t, dir, want)
	// From within a folder the whole tree counts, by the same names.
	says(t, filepath.Join(dir, "new"), want)
}

func TestTreeNamesTenAtMost(t *testing.T) {
	dir, _ := repository(t)
	for i := range 22 {
		file(t, dir, fmt.Sprintf("%02d.txt", i), "")
	}
	says(t, dir, `no commit yet, branch main, 22 uncommitted changes: \?\? 00\.txt, (\?\? \d\d\.txt, ){8}\?\? 09\.txt and 12 more`)
}

func TestTreeQuotesNames(t *testing.T) {
	dir, _ := repository(t)
	file(t, dir, "red\x1b[31m\nand a line\t.txt", "")
	file(t, dir, "caf\u00e9.txt", "")
	says(t, dir, `no commit yet, branch main, 2 uncommitted changes: \?\? "caf\\303\\251\.txt", \?\? "red\\033\[31m\\nand a line\\t\.txt"`)
}

func TestTreeNamesConflicts(t *testing.T) {
	dir, git := repository(t)
	file(t, dir, "a.txt", "one\n")
	git("add", ".")
	git("commit", "-m", "one")
	git("checkout", "-b", "other")
	file(t, dir, "a.txt", "two\n")
	git("commit", "-am", "two")
	git("checkout", "main")
	file(t, dir, "a.txt", "three\n")
	git("commit", "-am", "three")
	if err := exec.Command("git", "-C", dir, "-c", "user.name=A", "-c", "user.email=a@example.com", "merge", "other").Run(); err == nil {
		t.Fatal("the merge went well: the test says nothing")
	}
	says(t, dir, someCommit+`branch main, 1 uncommitted change: UU a\.txt`)
}

// A caller's own environment, as in a hook, does not lead to its repository.
func TestTreeIsThatOfTheFolder(t *testing.T) {
	elsewhere, git := repository(t)
	file(t, elsewhere, "a.txt", "")
	git("add", ".")
	git("commit", "-m", "a")
	dir, _ := repository(t)
	t.Setenv("GIT_DIR", filepath.Join(elsewhere, ".git"))
	t.Setenv("GIT_WORK_TREE", elsewhere)
	t.Setenv("GIT_INDEX_FILE", filepath.Join(elsewhere, ".git", "index"))
	says(t, dir, "no commit yet, branch main, clean")
}

// Looking leaves the repository as it is: no index written, no daemon started.
func TestTreeWritesNothing(t *testing.T) {
	dir, git := repository(t)
	file(t, dir, "a.txt", "a\n")
	git("add", ".")
	git("commit", "-m", "a")
	git("config", "core.fsmonitor", "touch "+filepath.Join(dir, "called")+"; false")
	git("config", "core.untrackedCache", "true")
	later := time.Now().Add(time.Hour) // git would write down that the file has not changed
	if err := os.Chtimes(filepath.Join(dir, "a.txt"), later, later); err != nil {
		t.Fatal(err)
	}
	index := filepath.Join(dir, ".git", "index")
	before, err := os.ReadFile(index)
	if err != nil {
		t.Fatal(err)
	}
	says(t, dir, someCommit+"branch main, clean")
	if after, err := os.ReadFile(index); err != nil || string(after) != string(before) {
		t.Errorf("the index has changed, or %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "called")); err == nil {
		t.Error("the file system monitor was called")
	}
}

func TestNoTree(t *testing.T) {
	dir, git := repository(t)
	says(t, filepath.Join(dir, ".git"), "not available: a repository without a working tree")
	says(t, filepath.Join(dir, "missing"), "not available: git could not be started in this folder")
	t.Run("no repository", func(t *testing.T) {
		t.Setenv("GIT_CEILING_DIRECTORIES", os.TempDir())
		says(t, t.TempDir(), "not a git repository")
	})
	t.Run("another owner", func(t *testing.T) {
		t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1") // git's own tests use it, since 2.35.2
		says(t, dir, `not available: the repository belongs to another user.*\(safe\.directory\)`)
	})
	t.Run("damaged", func(t *testing.T) {
		git("config", "core.bare", "perhaps")
		says(t, dir, "not available: git status failed with exit status 128")
	})
	t.Run("not installed", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		says(t, dir, "not available: git is not installed")
	})
}

// A git that hangs is ended, with what it has started.
func TestTreeIsBounded(t *testing.T) {
	bin, left := t.TempDir(), filepath.Join(t.TempDir(), "left")
	script := "#!/bin/sh\n(sleep 2; : >" + left + ") &\nwait\n"
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	began := time.Now()
	if got := Tree(ctx, t.TempDir()); got != "not available: git took too long" || time.Since(began) > 2*patience {
		t.Errorf("%q after %v", got, time.Since(began))
	}
	time.Sleep(time.Until(began.Add(2500 * time.Millisecond)))
	if _, err := os.Stat(left); err == nil {
		t.Error("a process that git had started was left running")
	}
	ctx, cancel = context.WithCancel(t.Context())
	cancel()
	if got := Tree(ctx, t.TempDir()); got != "not available: interrupted" {
		t.Errorf("%q when interrupted", got)
	}
}

func TestParseStatus(t *testing.T) {
	const oid = "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d"
	for answer, want := range map[string]string{
		"# branch.oid " + oid + "\n# branch.head main\n# branch.upstream origin/main\n# branch.ab +1 -0\n": "commit 1a2b3c4d5e6f, branch main, clean",
		"# branch.oid (initial)\n# branch.head a b\n# stash 3\n":                                           "no commit yet, branch a b, clean",
		"# branch.oid 1a2b\n# branch.head (detached)\n":                                                    "commit 1a2b, no branch, clean",
		"1 .M S.M. 160000 160000 160000 " + oid + " " + oid + " sub module\n":                              "no commit yet, no branch, 1 uncommitted change: M sub module",
	} {
		if got, ok := parseStatus(answer); !ok || got.String() != want {
			t.Errorf("%q: %q, %v; want %q", answer, got, ok, want)
		}
	}
	for _, broken := range []string{"\n", "1 .M N... 100644\n", "2 R.\n", "M a.go\n", "u\n", "? \n", "## main\n"} {
		if got, ok := parseStatus(broken); ok {
			t.Errorf("%q gave %q", broken, got)
		}
	}
}

func FuzzParseStatus(f *testing.F) {
	f.Add("# branch.oid (initial)\n# branch.head main\n? b.txt\n")
	f.Fuzz(func(t *testing.T, answer string) {
		tree, ok := parseStatus(answer)
		if !ok {
			return
		}
		if lines := strings.Count(answer, "\n") + 1; tree.changes > lines || len(tree.named) != min(tree.changes, mostNamed) {
			t.Errorf("%q gave %+v", answer, tree)
		}
		if text := tree.String(); strings.Contains(text, "\n") || strings.Contains(text, "clean") != (tree.changes == 0) && !strings.Contains(answer, "clean") {
			t.Errorf("%q gave %q", answer, text)
		}
	})
}
