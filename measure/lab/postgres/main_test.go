package postgres

import (
	"os"
	"testing"

	"queuelab/measure/lab/supervise"
)

func TestMain(m *testing.M) {
	supervise.SuperviseIfAsked()
	os.Exit(m.Run())
}
