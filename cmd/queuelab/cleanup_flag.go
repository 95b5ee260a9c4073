package main

import (
	"context"
	"flag"

	"queuelab/measure/cleanup"
	"queuelab/measure/record"
)

// cleanupFlag says how the rows that a run wrote are deleted.
type cleanupFlag struct {
	set    *flag.FlagSet
	config cleanup.Config
}

func addCleanupFlag(f *flag.FlagSet) *cleanupFlag {
	k := &cleanupFlag{set: f}
	f.StringVar(&k.config.SQL, "cleanup-sql", "", "delete what the run wrote, afterwards, also after Ctrl-C: one `DELETE FROM …` that matches its rows and no others; the database is -dsn or that of the PG* variables, for http too")
	return k
}

// check refuses a statement that cannot be carried out. With it, -dsn names the
// database behind an HTTP server.
func (k *cleanupFlag) check(t *target, aimed *targetFlags) error {
	if !given(k.set)["cleanup-sql"] {
		return nil
	}
	if aimed.lab != "" {
		return usagef("-lab %s deletes what is written to it itself: leave -cleanup-sql out", aimed.lab)
	}
	k.config.DSN = aimed.dsn
	t.database = &k.config.DSN
	return k.config.Check()
}

// guard has the rows deleted at the end, whatever ends the program: by the given
// statement, or by the lab's own when requests may write.
func (k *cleanupFlag) guard(ctx context.Context, t *target) (err error) {
	config := k.config
	if t.server != nil && t.options.Writes() {
		config.DSN, config.SQL = t.server.Written()
		config.Private = true
	}
	if config.SQL == "" {
		return nil
	}
	t.cleanup, err = cleanup.Start(ctx, config)
	return err
}

// clean deletes what a run wrote and notes the numbers of rows in its header.
func (t *target) clean(run *record.Run) error {
	if t.cleanup == nil {
		return nil
	}
	rows, err := t.cleanup.Finish()
	t.cleanup = nil
	if run != nil && run.Header != nil && rows.Table != "" {
		run.Header.Rows = &rows
	}
	return err
}
