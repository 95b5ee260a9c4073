package cluster

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/database"
)

// Facts are what a reader of a measurement needs to know of any cluster, by name:
// version, settings, and the size of the table.
func (c *Cluster) Facts(ctx context.Context, table string) (map[string]string, error) {
	facts := map[string]string{
		"placement": c.Placement(),
		"account":   c.Account(),
		"listens":   "a Unix socket in a directory with mode 0700; no TCP port",
	}
	for _, fact := range []struct{ name, sql string }{
		{"version", `SELECT version()`},
		{"rows", `SELECT count(*)::text FROM ` + table},
		{"table size", fmt.Sprintf(`SELECT format('%%s bytes, indexes %%s bytes', pg_table_size('%s'), pg_indexes_size('%[1]s'))`, table)},
	} {
		lines, err := c.Lines(ctx, fact.sql)
		if err != nil {
			return nil, fmt.Errorf("ask for the %s: %w", fact.name, err)
		}
		facts[fact.name] = strings.Join(lines, "\n")
	}
	err := c.Do(ctx, func(ctx context.Context, conn *pgx.Conn) (err error) {
		facts["settings"], err = database.Settings(ctx, conn)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("ask for the settings: %w", err)
	}
	return facts, nil
}

// Lines returns the rows of a query for one text.
func (c *Cluster) Lines(ctx context.Context, sql string) (lines []string, err error) {
	err = c.Do(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		rows, err := conn.Query(ctx, sql)
		if err != nil {
			return err
		}
		lines, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return lines, err
}
