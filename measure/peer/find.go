package peer

import (
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"go/build"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"time"

	"queuelab/measure/host/self"
	"queuelab/measure/lab"
)

// versionBound is how long a tool may take to tell its version.
const versionBound = 10 * time.Second

// Names lists the tools that are known.
func Names() []string {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return names
}

// Find looks for tools by name, in the order given: on the PATH, in bin/ of the
// working directory, and where `go install` puts programs. Queuelab is this very
// program, unless this is another one that uses the package. A name that is not
// among [Names] is an error.
func Find(names []string) (found []Tool, missing []Missing, err error) {
	for _, name := range names {
		k, err := find(name)
		if err != nil {
			return nil, nil, err
		}
		path, err := k.path()
		if errors.Is(err, exec.ErrNotFound) {
			missing = append(missing, Missing{name, k.install})
			continue
		}
		if err != nil {
			return nil, nil, fmt.Errorf("find %s: %w", name, err)
		}
		found = append(found, Tool{name, k.version(path), path})
	}
	return found, missing, nil
}

// path is where the tool is, or an error that is [exec.ErrNotFound].
func (k kind) path() (string, error) {
	if k.name == "queuelab" && isThis() {
		return self.Path()
	}
	if k.name == "pgbench" {
		if path, err := besidePostgres(k.name); err == nil {
			return path, nil
		}
	}
	for _, name := range []string{
		k.name,
		filepath.Join(".", "bin", k.name),
		filepath.Join(os.Getenv("GOBIN"), k.name),
		filepath.Join(build.Default.GOPATH, "bin", k.name),
	} {
		path, err := exec.LookPath(name)
		if err == nil || errors.Is(err, exec.ErrDot) {
			return filepath.Abs(path)
		}
	}
	return "", exec.ErrNotFound
}

// besidePostgres is a program of the private PostgreSQL's own version. On Debian that
// on the PATH is a script which looks for it, and whose time would count.
func besidePostgres(name string) (string, error) {
	server, err := lab.Find("postgres")
	if err != nil {
		return "", err
	}
	if server, err = filepath.EvalSymlinks(server); err != nil {
		return "", err
	}
	return exec.LookPath(filepath.Join(filepath.Dir(server), name))
}

// isThis says whether this program is queuelab, and not, say, a test.
func isThis() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && info.Path == "queuelab/cmd/queuelab"
}

// printed returns how to read a version that the tool prints: a pattern's only group.
// Some tools exit with a failure when they are asked.
func printed(pattern string, args ...string) func(path string) string {
	shape := regexp.MustCompile(pattern)
	return func(path string) string {
		ctx, cancel := context.WithTimeout(context.Background(), versionBound)
		defer cancel()
		text, err := exec.CommandContext(ctx, path, args...).CombinedOutput()
		if groups := shape.FindSubmatch(text); groups != nil {
			return string(groups[1])
		}
		if err != nil {
			return "not available: " + err.Error()
		}
		return "not available"
	}
}

// built is the version that the Go toolchain left in a program, and its own.
func built(path string) string {
	info, err := buildinfo.ReadFile(path)
	switch {
	case err != nil:
		return "not available: " + err.Error()
	case info.Main.Version == "":
		return "not available, built with " + info.GoVersion
	}
	return info.Main.Version + ", built with " + info.GoVersion
}
