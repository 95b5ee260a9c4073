package cluster

import (
	"errors"
	"strings"
	"testing"

	"queuelab/measure/lab/program"
)

func TestServesClient(t *testing.T) {
	for title, want := range map[string]bool{
		"postgres: postgres postgres [local] idle":            true,
		"postgres: postgres postgres [local] SELECT":          true,
		"postgres: postgres postgres [local] authentication":  true,
		"postgres: postgres postgres 127.0.0.1(41234) SELECT": true,
		"postgres: parallel worker for PID 4711":              true,
		"postgres: postgres shortener [local] idle":           false,
		"postgres: checkpointer":                              false,
		"postgres: background writer":                         false,
		"postgres: walwriter":                                 false,
		"postgres: autovacuum launcher":                       false,
		"postgres: autovacuum worker postgres":                false,
		"postgres: logical replication launcher":              false,
		"postgres: io worker 0":                               false,
		"/usr/lib/postgresql/15/bin/postgres -D data":         false,
		"": false,
	} {
		if got := servesClient(title, "postgres"); got != want {
			t.Errorf("%q: %v, want %v", title, got, want)
		}
	}
}

func TestMissingPostgreSQLSaysWhatToInstall(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	defer func(before []string) { binary.Directories = before }(binary.Directories)
	binary.Directories = nil
	_, err := Start(t.Context(), Content{})
	var missing *program.MissingError
	if !errors.As(err, &missing) || !strings.Contains(err.Error(), "`apt-get install postgresql`") {
		t.Errorf("error %v, want a MissingError with the command", err)
	}
}
