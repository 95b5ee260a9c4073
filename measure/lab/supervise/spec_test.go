package supervise

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestNewDirNeedsAPlainPath(t *testing.T) {
	for _, odd := range []string{"/tmp/a b", "/tmp/it's", "/tmp/$x", "/tmp/a;b"} {
		t.Setenv("TMPDIR", odd)
		if dir, err := NewDir("x"); err == nil || !strings.Contains(err.Error(), "set TMPDIR") {
			t.Errorf("TMPDIR=%q gives %q, %v; want a refusal that says what to do", odd, dir, err)
		}
	}
	t.Setenv("TMPDIR", "relative")
	if dir, err := NewDir("x"); err != nil || !filepath.IsAbs(dir) {
		t.Errorf("TMPDIR=relative gives %q, %v; want an absolute path", dir, err)
	}
}
