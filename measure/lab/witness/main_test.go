package witness

import (
	"os"
	"testing"

	"queuelab/measure/lab/supervise"
)

func TestMain(m *testing.M) {
	ServeIfAsked()
	supervise.SuperviseIfAsked()
	os.Exit(m.Run())
}
