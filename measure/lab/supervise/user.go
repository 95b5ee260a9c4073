package supervise

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// User is an account that commands run under.
type User struct {
	Name     string
	UID, GID int
}

// Unprivileged returns who a server runs as: the first of the named accounts that
// exists, or nobody, when this process is root's; nil, this process's own user,
// when it is not.
func Unprivileged(names ...string) (*User, error) {
	if os.Getuid() != 0 {
		return nil, nil
	}
	for _, name := range append(names, "nobody") {
		account, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.Atoi(account.Uid)
		if err != nil || uid == 0 {
			continue
		}
		gid, err := strconv.Atoi(account.Gid)
		if err != nil {
			continue
		}
		return &User{Name: name, UID: uid, GID: gid}, nil
	}
	return nil, fmt.Errorf("no unprivileged account to run the server as (looked for %v and nobody): run this as a user other than root", names)
}

// mayEnter checks that the user can reach a directory that its owner makes inside
// parent: root's own temporary directory may be closed to everybody else.
func (u *User) mayEnter(parent string) error {
	if u == nil {
		return nil
	}
	resolved, err := filepath.EvalSymlinks(parent)
	if err != nil {
		return fmt.Errorf("the directory for temporary files: %w", err)
	}
	for dir := resolved; ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err != nil {
			return fmt.Errorf("the directory for temporary files: %w", err)
		}
		if info.Mode().Perm()&0o001 == 0 {
			return fmt.Errorf("user %s, which the server runs as, may not enter %s: set TMPDIR to a directory that everybody may enter, such as /tmp", u.Name, dir)
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}
