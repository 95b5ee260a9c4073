package main

import (
	"bytes"
	"context"
	"os"
	"testing"

	"queuelab/measure/cleanup"
	"queuelab/measure/lab"
)

// asProgram is the variable that makes this test program queuelab itself.
const asProgram = "QUEUELAB_TEST_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	lab.SuperviseIfAsked()
	cleanup.GuardIfAsked()
	os.Exit(m.Run())
}

// execute runs one command line in the process.
func execute(t *testing.T, ctx context.Context, args ...string) (status int, out, err string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(ctx, &console{&stdout, &stderr}, args)
	return status, stdout.String(), stderr.String()
}
