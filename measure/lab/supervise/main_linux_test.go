package supervise

import (
	"os"
	"testing"
)

func TestMain(m *testing.M) {
	SuperviseIfAsked()
	if len(os.Args) > 1 && os.Args[1] == leaveMemory {
		holdMemory()
	}
	os.Exit(m.Run())
}
