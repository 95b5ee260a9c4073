package cluster

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// Content is what a cluster's database holds.
type Content struct {
	Database string // its name
	Table    string // the name of the one table
	// Load makes the table and its rows.
	Load []string
	// Read reads all of it the way requests will, so that none of those that are
	// measured is the one that brings a page into memory.
	Read func(context.Context, *pgx.Conn) error
}

// fill makes the content, settles it, and reads it.
//
// Each step has a session of its own: a session reports its changes when it ends,
// and autovacuum would count rows that are reported after VACUUM as new ones.
func (c *Cluster) fill(ctx context.Context, content Content) error {
	if content.Database != Initial {
		if err := c.execute(ctx, "CREATE DATABASE "+content.Database); err != nil {
			return fmt.Errorf("make the database: %w", err)
		}
		c.database = content.Database
	}
	for _, statements := range [][]string{content.Load, settle(content.Table)} {
		if err := c.execute(ctx, statements...); err != nil {
			return fmt.Errorf("fill the table: %w", err)
		}
	}
	return c.Do(ctx, content.Read)
}

// settle does now what PostgreSQL would do in the background later, in the middle
// of a measurement: autovacuum finds a table that was vacuumed and analysed after
// its last change, and the checkpoint has nothing left to write.
func settle(table string) []string { return []string{"VACUUM ANALYZE " + table, "CHECKPOINT"} }

// execute executes statements in one session, each in a transaction of its own.
func (c *Cluster) execute(ctx context.Context, statements ...string) error {
	return c.Do(ctx, func(ctx context.Context, conn *pgx.Conn) error {
		for _, sql := range statements {
			if _, err := conn.Exec(ctx, sql); err != nil {
				return fmt.Errorf("%s: %w", sql, err)
			}
		}
		return nil
	})
}
