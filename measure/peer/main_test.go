package peer

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"queuelab/measure/lab"
)

func TestMain(m *testing.M) {
	lab.SuperviseIfAsked()
	status := m.Run()
	if built, err := queuelab(); err == nil {
		os.RemoveAll(filepath.Dir(built.Path))
	}
	os.Exit(status)
}

// queuelab is this program, built once.
var queuelab = sync.OnceValues(func() (Tool, error) {
	dir, err := os.MkdirTemp("", "queuelab-peer-test-")
	if err != nil {
		return Tool{}, err
	}
	tool := Tool{Name: "queuelab", Path: filepath.Join(dir, "queuelab")}
	if text, err := exec.Command("go", "build", "-buildvcs=false", "-o", tool.Path, "queuelab/cmd/queuelab").CombinedOutput(); err != nil {
		return Tool{}, fmt.Errorf("build queuelab: %w: %s", err, text)
	}
	return tool, nil
})
