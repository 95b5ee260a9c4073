package reports

import (
	"os"
	"testing"

	"queuelab/measure/cleanup"
	"queuelab/measure/lab"
)

func TestMain(m *testing.M) {
	lab.SuperviseIfAsked()
	cleanup.GuardIfAsked()
	os.Exit(m.Run())
}
