package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"
)

// patience bounds how long git may take: on a large tree whose files are not in
// memory it reads every directory.
const patience = 5 * time.Second

// Tree is what git says of the working tree that a folder is in:
//
//	commit 1a2b3c4d5e6f, branch main, clean
//	commit 1a2b3c4d5e6f, branch main, 2 uncommitted changes: M a.go, ?? b.txt
//	not a git repository
//	not available: git is not installed
//
// Nothing is written, started in the background, or left running. It takes 5
// seconds at most.
func Tree(ctx context.Context, dir string) string {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	git := statusCommand(ctx, dir)
	var errorText bytes.Buffer
	git.Stderr = &errorText
	answer, err := git.Output()
	if err != nil {
		return noTree(ctx, err, errorText.String())
	}
	t, ok := parseStatus(string(answer))
	if !ok {
		return NotAvailable + ": git's answer is not understood"
	}
	return t.String()
}

// statusCommand asks git for everything in one go, so that it is of one instant.
func statusCommand(ctx context.Context, dir string) *exec.Cmd {
	git := exec.CommandContext(ctx, "git", "--no-pager",
		"-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false", "-c", "core.quotePath=true", "-c", "status.relativePaths=false",
		"status", "--porcelain=v2", "--branch", "--untracked-files=normal")
	git.Dir = dir
	git.Env = append(slices.DeleteFunc(os.Environ(), elsewhere), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	// git may have children of its own; they end with it.
	git.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	git.Cancel = func() error { return syscall.Kill(-git.Process.Pid, syscall.SIGKILL) }
	git.WaitDelay = time.Second
	return git
}

// elsewhere says whether a variable of the environment would make git look at
// another repository than the one the folder is in, as in a hook of that one.
func elsewhere(variable string) bool {
	name, _, _ := strings.Cut(variable, "=")
	return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"}, name)
}

// noTree says why git did not answer, without the paths in its own words.
func noTree(ctx context.Context, err error, said string) string {
	var ended *exec.ExitError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return NotAvailable + ": git took too long"
	case ctx.Err() != nil:
		return NotAvailable + ": interrupted"
	case errors.Is(err, exec.ErrNotFound):
		return NotAvailable + ": git is not installed"
	case strings.Contains(said, "not a git repository (or any"):
		return "not a git repository"
	case strings.Contains(said, "dubious ownership"):
		return NotAvailable + ": the repository belongs to another user, and git does not trust it (safe.directory)"
	case strings.Contains(said, "must be run in a work tree"):
		return NotAvailable + ": a repository without a working tree"
	case errors.As(err, &ended):
		return fmt.Sprintf("%s: git status failed with %v", NotAvailable, ended)
	}
	return NotAvailable + ": git could not be started in this folder"
}
