// Package supervise runs a private server so that nothing of it survives the
// program that wanted it.
//
// On Linux the program starts itself once more as a supervisor, in a session of
// its own so that a terminal's Ctrl-C does not reach it. The supervisor is the
// subreaper of all that the server starts: whatever loses its parent becomes its
// child, backends in sessions of their own and daemons included. It holds the read
// end of a pipe whose write end only the program has. When the pipe closes, because
// the program asked for it, returned, panicked or was killed, the supervisor kills
// every descendant (SIGKILL ends stopped processes too) until the kernel says that
// it has no child left, removes what shared memory they left and their directory,
// and exits. Parent-death signals would not do: they miss grandchildren.
//
// Elsewhere the server is a plain child process, interrupted by [Process.Stop].
package supervise

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// Command is a program to run, in the private directory and with a small fixed
// environment (language C, time zone UTC).
type Command struct {
	Path string   // absolute
	Args []string // without the program's own name
	// Name is what the program is told that it is called, its argv[0]; empty: its
	// path.
	Name string
}

// argv is the argument list, the program's own name first.
func (c Command) argv() []string {
	name := c.Name
	if name == "" {
		name = c.Path
	}
	return append([]string{name}, c.Args...)
}

// File is written into the private directory before anything runs.
type File struct {
	Name string // relative to the directory, in one folder at most
	Data []byte
}

// Spec is what a private server consists of.
type Spec struct {
	// Dir is the private directory, which must not exist yet: see [NewDir].
	Dir   string
	Files []File
	// Before runs to completion, one after the other, before the server.
	Before []Command
	Server Command
	// User owns the directory and runs the commands; nil is the user of this
	// process.
	User *User
	// SharedMemory is how the names of the server's own POSIX shared memory begin,
	// such as "PostgreSQL.": what a killed process of the server had mapped under
	// such a name is removed with it. Empty: it uses none.
	SharedMemory string
}

// logName is the file in the private directory that gets the output of all
// commands.
const logName = "log"

// plain are paths that need no quoting in a configuration, a connection string or
// a shell.
var plain = regexp.MustCompile(`^[A-Za-z0-9/._+-]+$`)

// NewDir names a private directory that does not exist, in the directory for
// temporary files. Its name is short because the path of a Unix socket in it may
// have 107 bytes at most. A directory whose path would have to be quoted is
// refused: servers differ in how.
func NewDir(server string) (string, error) {
	temporary, err := filepath.Abs(os.TempDir())
	if err != nil {
		return "", fmt.Errorf("find the directory for temporary files: %w", err)
	}
	if !plain.MatchString(temporary) {
		return "", fmt.Errorf("the directory for temporary files %q has characters that servers' configurations cannot hold: set TMPDIR to a plain path such as /tmp", temporary)
	}
	var unique [4]byte
	rand.Read(unique[:]) // never fails, by its documentation
	return filepath.Join(temporary, "queuelab-"+server+"-"+hex.EncodeToString(unique[:])), nil
}

// make makes the private directory with its files and an empty log.
func (s *Spec) make() (log *os.File, err error) {
	if err := os.Mkdir(s.Dir, 0o700); err != nil {
		return nil, err
	}
	if err := s.own(s.Dir); err != nil {
		return nil, err
	}
	for _, f := range s.Files {
		if err := s.write(f); err != nil {
			return nil, err
		}
	}
	return os.OpenFile(filepath.Join(s.Dir, logName), os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
}

func (s *Spec) write(f File) error {
	path := filepath.Join(s.Dir, f.Name)
	if folder := filepath.Dir(path); folder != s.Dir {
		if err := os.Mkdir(folder, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if err := s.own(folder); err != nil {
			return err
		}
	}
	if err := os.WriteFile(path, f.Data, 0o600); err != nil {
		return err
	}
	return s.own(path)
}

func (s *Spec) own(path string) error {
	if s.User == nil {
		return nil
	}
	return os.Lchown(path, s.User.UID, s.User.GID)
}

// environment is what every command sees. The language makes messages English and
// sorting plain; the time zone spares initdb its search for one.
func (s *Spec) environment() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.Dir, "LC_ALL=C", "TZ=UTC"}
}
