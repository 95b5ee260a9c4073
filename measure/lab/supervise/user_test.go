package supervise

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestUnprivileged(t *testing.T) {
	account, err := Unprivileged("no-such-account-here")
	if err != nil {
		t.Fatal(err)
	}
	if root := os.Getuid() == 0; root != (account != nil) {
		t.Fatalf("account %+v, root %v: want one for root only", account, root)
	}
	if account != nil && (account.UID == 0 || account.Name != "nobody") {
		t.Errorf("account %+v, want nobody", account)
	}
}

func TestMayEnter(t *testing.T) {
	open, err := os.MkdirTemp("", "queuelab-test-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(open) })
	if err := os.Chmod(open, 0o755); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(open, "closed")
	inside := filepath.Join(closed, "inside")
	if err := os.MkdirAll(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	account := &User{Name: "somebody", UID: 12345, GID: 12345}
	if err := account.mayEnter(open); err != nil {
		t.Errorf("an open directory: %v", err)
	}
	for _, dir := range []string{closed, inside} {
		if err := account.mayEnter(dir); err == nil || !strings.Contains(err.Error(), "somebody") || !strings.Contains(err.Error(), "TMPDIR") {
			t.Errorf("%s: error %v, want one that names the user and TMPDIR", dir, err)
		}
	}
	if err := account.mayEnter(filepath.Join(open, "missing")); err == nil {
		t.Error("a directory that is not there may be entered")
	}
	var self *User
	if err := self.mayEnter(closed); err != nil {
		t.Errorf("this process's own user: %v", err)
	}
}
