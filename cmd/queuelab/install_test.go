package main_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// installation is a made-up system on which .ci/install runs: a root directory,
// and a PATH that holds a few real tools and what a test puts there.
type installation struct {
	t    *testing.T
	root string
	path string
}

// fakeApt records its calls and what it finds of the files that hold services
// back, and installs by making the programs.
const fakeApt = `
echo "apt-get $* (policy $("$QUEUELAB_ROOT/usr/sbin/policy-rc.d"; echo $?), clusters $(cat "$QUEUELAB_ROOT/etc/postgresql-common/createcluster.conf" 2>/dev/null || true))" >>"$QUEUELAB_ROOT/calls"
case "$*" in *" install "*" postgresql-common")
	mkdir -p "$QUEUELAB_ROOT/etc/postgresql-common"
	echo "the package's" >"$QUEUELAB_ROOT/etc/postgresql-common/createcluster.conf"
	exit 0 ;;
esac
case "$*" in *" install "*)
	[ -z "$FAIL" ] || exit 100
	[ -z "$INTERRUPT" ] || kill -TERM $PPID
	[ -z "$USELESS" ] || exit 0
	mkdir -p "$QUEUELAB_ROOT/usr/sbin" "$QUEUELAB_ROOT/usr/lib/postgresql/15/bin"
	for program in usr/sbin/nginx usr/lib/postgresql/15/bin/initdb; do
		echo >"$QUEUELAB_ROOT/$program"
		chmod 755 "$QUEUELAB_ROOT/$program"
	done
	case "$*" in *" apache2-utils") for program in wrk ab; do echo >"$PATH/$program"; chmod 755 "$PATH/$program"; done ;; esac ;;
esac
`

const fakeSystemctl = `
echo "systemctl $*" >>"$QUEUELAB_ROOT/calls"
case "$*" in *is-enabled*) case "$*" in *"$ENABLED"*) exit 0 ;; esac; exit 1 ;; esac
`

// newInstallation is a system with apt-get and systemctl whose user is root and
// to which neither server is known.
func newInstallation(t *testing.T) *installation {
	s := &installation{t: t, root: t.TempDir(), path: t.TempDir()}
	for _, tool := range []string{"sh", "mkdir", "mv", "rm", "chmod", "cat", "ls", "env", "true"} {
		real, err := exec.LookPath(tool)
		if err != nil {
			t.Skipf("%s is needed to run .ci/install", tool)
		}
		if err := os.Symlink(real, filepath.Join(s.path, tool)); err != nil {
			t.Fatal(err)
		}
	}
	s.program("id", "echo ${FAKE_ID:-0}")
	s.program("apt-get", fakeApt)
	s.program("systemctl", fakeSystemctl)
	return s
}

func (s *installation) program(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(filepath.Join(s.path, name), []byte("#!/bin/sh\n"+text), 0o755); err != nil {
		s.t.Fatal(err)
	}
}

func (s *installation) remove(name string) {
	s.t.Helper()
	if err := os.Remove(filepath.Join(s.path, name)); err != nil {
		s.t.Fatal(err)
	}
}

// file writes a file of the made-up system.
func (s *installation) file(name, text string, mode os.FileMode) {
	s.t.Helper()
	path := filepath.Join(s.root, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		s.t.Fatal(err)
	}
}

// text is a file's content, or "none".
func (s *installation) text(name string) string {
	text, err := os.ReadFile(filepath.Join(s.root, name))
	if errors.Is(err, os.ErrNotExist) {
		return "none"
	}
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// install runs .ci/install and returns its exit status and output.
func (s *installation) install(components string, environment ...string) (int, string) {
	s.t.Helper()
	script, err := filepath.Abs(filepath.Join(root, ".ci/install"))
	if err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command("/bin/sh", append([]string{script}, strings.Fields(components)...)...)
	cmd.Env = append([]string{"PATH=" + s.path, "QUEUELAB_ROOT=" + s.root, "ENABLED=none", "FAIL=", "INTERRUPT=", "USELESS="}, environment...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		s.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// unchanged asserts that the files that held services back are as they were.
func (s *installation) unchanged(policy, clusters string) {
	s.t.Helper()
	if got := s.text("usr/sbin/policy-rc.d"); got != policy {
		s.t.Errorf("policy-rc.d is %q afterwards, want %q", got, policy)
	}
	if got := s.text("etc/postgresql-common/createcluster.conf"); got != clusters {
		s.t.Errorf("createcluster.conf is %q afterwards, want %q", got, clusters)
	}
	for _, left := range []string{"usr/sbin/policy-rc.d.queuelab", "etc/postgresql-common/createcluster.conf.queuelab"} {
		if got := s.text(left); got != "none" {
			s.t.Errorf("%s is left behind: %q", left, got)
		}
	}
}

func TestInstallDoesNothingWhenAllIsThere(t *testing.T) {
	s := newInstallation(t)
	for _, name := range []string{"nginx", "initdb", "postgres", "gcc"} {
		s.program(name, "")
	}
	if status, out := s.install("nginx postgresql cc"); status != 0 || out != "" || s.text("calls") != "none" {
		t.Errorf("status %d, output %q, calls %s; want nothing done", status, out, s.text("calls"))
	}
}

// Services are held back while packages are installed, a cluster is not made,
// and afterwards everything is as before but for the programs.
func TestInstallLeavesNoServices(t *testing.T) {
	s := newInstallation(t)
	status, out := s.install("nginx postgresql")
	if status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	const options = "apt-get -q -y -o DPkg::Lock::Timeout=120 "
	want := "systemctl --quiet is-enabled nginx.service\n" +
		"systemctl --quiet is-enabled postgresql.service\n" +
		options + "update (policy 101, clusters )\n" +
		options + "install --no-install-recommends --no-upgrade postgresql-common (policy 101, clusters )\n" +
		options + "install --no-install-recommends --no-upgrade nginx postgresql (policy 101, clusters create_main_cluster = false)\n" +
		"systemctl --quiet disable nginx.service\n" +
		"systemctl --quiet disable postgresql.service\n"
	if got := s.text("calls"); got != want {
		t.Errorf("calls:\n%s, want\n%s", got, want)
	}
	s.unchanged("none", "the package's\n")
}

func TestInstallPutsBackWhatWasThere(t *testing.T) {
	for _, tt := range []struct {
		trouble string
		status  int
	}{{"", 0}, {"FAIL=1", 100}, {"INTERRUPT=1", 130}, {"USELESS=1", 1}} {
		s := newInstallation(t)
		s.file("usr/sbin/policy-rc.d", "#!/bin/sh\nexit 7\n", 0o755)
		status, out := s.install("nginx postgresql", tt.trouble)
		if status != tt.status {
			t.Errorf("%s: status %d, want %d: %s", tt.trouble, status, tt.status, out)
		}
		s.unchanged("#!/bin/sh\nexit 7\n", "the package's\n")
		if info, err := os.Stat(filepath.Join(s.root, "usr/sbin/policy-rc.d")); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("%s: the policy has the mode %v, %v", tt.trouble, info.Mode(), err)
		}
	}
}

// What an interrupted installation set aside is the system's own file.
func TestInstallAfterOneThatWasKilled(t *testing.T) {
	s := newInstallation(t)
	s.file("usr/sbin/policy-rc.d", "#!/bin/sh\nexit 101\n", 0o755)
	s.file("usr/sbin/policy-rc.d.queuelab", "the system's\n", 0o755)
	if status, out := s.install("nginx"); status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	s.unchanged("the system's\n", "none")
}

func TestInstallKeepsEnabledServices(t *testing.T) {
	s := newInstallation(t)
	if status, out := s.install("nginx postgresql", "ENABLED=postgresql"); status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	calls := s.text("calls")
	if strings.Contains(calls, "disable postgresql") || !strings.Contains(calls, "disable nginx") {
		t.Errorf("a service that was enabled before was disabled, or a new one was not:\n%s", calls)
	}
}

func TestInstallOnlyWhatIsMissing(t *testing.T) {
	s := newInstallation(t)
	s.program("initdb", "")
	s.program("postgres", "")
	s.program("gcc", "")
	if status, out := s.install("nginx postgresql cc"); status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	if calls := s.text("calls"); strings.Contains(calls, "postgresql") || strings.Contains(calls, "gcc") {
		t.Errorf("what was there was installed again:\n%s", calls)
	}
}

// Load generators bring no service that would have to be looked for or disabled.
func TestInstallLoadGenerators(t *testing.T) {
	s := newInstallation(t)
	s.program("hey", "")
	status, out := s.install("wrk hey ab")
	if status != 0 {
		t.Fatalf("status %d: %s", status, out)
	}
	if calls := s.text("calls"); !strings.Contains(calls, "install --no-install-recommends --no-upgrade wrk apache2-utils (policy 101") || strings.Contains(calls, "systemctl") {
		t.Errorf("calls:\n%s", calls)
	}
	if status, out := s.install("wrk hey ab"); status != 0 || out != "" {
		t.Errorf("a second time: status %d, output %q; want nothing done", status, out)
	}
}

func TestInstallAsAnOrdinaryUser(t *testing.T) {
	s := newInstallation(t)
	status, out := s.install("nginx postgresql", "FAKE_ID=1000")
	if status != 1 || !strings.Contains(out, "Type: sudo ") || !strings.Contains(out, ".ci/install nginx postgresql\n") || s.text("calls") != "none" {
		t.Errorf("without sudo: status %d, calls %s, output %q; want the command to type", status, s.text("calls"), out)
	}
	s.program("sudo", "exit 1") // asks for a password
	if status, out = s.install("nginx", "FAKE_ID=1000"); status != 1 || !strings.Contains(out, ".ci/install nginx\n") {
		t.Errorf("with a password: status %d, output %q; want the command to type", status, out)
	}
	s.program("sudo", `shift; [ "$1" = true ] || FAKE_ID=0 exec "$@"`)
	if status, out = s.install("nginx", "FAKE_ID=1000"); status != 0 || !strings.Contains(s.text("calls"), "install --no-install-recommends --no-upgrade nginx") {
		t.Errorf("with sudo: status %d, calls %s, output %q", status, s.text("calls"), out)
	}
}

func TestInstallWithoutApt(t *testing.T) {
	s := newInstallation(t)
	s.remove("apt-get")
	if status, out := s.install("nginx postgresql"); status != 1 || !strings.Contains(out, "package manager") || !strings.Contains(out, "nginx postgresql") {
		t.Errorf("without a known package manager: status %d, output %q", status, out)
	}
	s.program("brew", "")
	if status, out := s.install("nginx postgresql"); status != 1 || !strings.Contains(out, "Type: brew install nginx postgresql\n") {
		t.Errorf("with Homebrew: status %d, output %q; want the command to type", status, out)
	}
}

func TestInstallRefusesTheUnknown(t *testing.T) {
	if status, out := newInstallation(t).install("nginx apache"); status != 2 || !strings.Contains(out, "apache") {
		t.Errorf("status %d, output %q", status, out)
	}
}
