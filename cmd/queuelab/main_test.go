package main

import (
	"bytes"
	"context"
	"os"
	"testing"

	"queuelab/measure/lab"
)

func TestMain(m *testing.M) {
	lab.SuperviseIfAsked()
	os.Exit(m.Run())
}

// execute runs one command line in the process.
func execute(t *testing.T, ctx context.Context, args ...string) (status int, out, err string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	status = run(ctx, &console{&stdout, &stderr}, args)
	return status, stdout.String(), stderr.String()
}
