package database

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	largest       = 20              // tables that are listed
	countBound    = time.Second     // for the rows of one table
	allCountBound = 5 * time.Second // for the rows of all tables
)

// listTables lists users' tables, the largest first. A partitioned table has its
// rows in its partitions, which are tables of their own. The sizes of one that was
// dropped meanwhile are null.
const listTables = `SELECT format('%I.%I', n.nspname, c.relname) AS name,
		pg_table_size(c.oid) AS bytes, pg_indexes_size(c.oid) AS index_bytes,
		c.reltuples::float8 AS estimate, row_security_active(c.oid) AS secured, count(*) OVER () AS of
	FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
	WHERE c.relkind IN ('r', 'm') AND c.relpersistence <> 't'
		AND n.nspname <> 'information_schema' AND n.nspname !~ '^pg_'
	ORDER BY pg_total_relation_size(c.oid) DESC NULLS LAST, name LIMIT `

// table is one row of it.
type table struct {
	Name       string
	Bytes      *int64
	IndexBytes *int64
	Estimate   float64 // of the number of rows, below 0 where nobody has looked
	Secured    bool    // the role sees some rows only
	Of         int64   // all tables
}

// tables lists the largest tables of users with rows and sizes, one a line.
func tables(ctx context.Context, conn *pgx.Conn) (string, error) {
	var found []table
	err := Transact(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, askBound, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, listTables+fmt.Sprint(largest))
		if err != nil {
			return err
		}
		found, err = pgx.CollectRows(rows, pgx.RowToStructByName[table])
		return err
	})
	if err != nil {
		return "", err
	}
	if len(found) == 0 {
		return "none", nil
	}
	var text []string
	until := time.Now().Add(allCountBound)
	for _, t := range found {
		rows, err := t.rows(ctx, conn, min(countBound, time.Until(until)))
		if err != nil {
			return "", err
		}
		text = append(text, fmt.Sprintf("%s: %s, table %s, indexes %s", t.Name, rows, inBytes(t.Bytes), inBytes(t.IndexBytes)))
	}
	if smaller := found[0].Of - int64(len(found)); smaller > 0 {
		text = append(text, fmt.Sprintf("and %d smaller tables", smaller))
	}
	return strings.Join(text, "\n"), nil
}

func inBytes(n *int64) string {
	if n == nil {
		return unavailable
	}
	return fmt.Sprintf("%d bytes", *n)
}

// rows counts the rows within the given time, or else estimates them.
func (t *table) rows(ctx context.Context, conn *pgx.Conn, within time.Duration) (string, error) {
	if t.Secured {
		return fmt.Sprintf("rows %s (row-level security hides some)", unavailable), nil
	}
	if within <= 0 {
		return t.estimated(), nil
	}
	var n int64
	err := Transact(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, within, func(tx pgx.Tx) (err error) {
		n, err = Count(ctx, tx, t.Name)
		return err
	})
	var refused *pgconn.PgError
	switch {
	case err == nil:
		return fmt.Sprintf("%d rows", n), nil
	case Cancelled(err):
		return t.estimated(), nil
	case errors.As(err, &refused):
		return fmt.Sprintf("rows %s (%s)", unavailable, refused.Message), nil
	}
	return "", err
}

func (t *table) estimated() string {
	if t.Estimate < 0 {
		return fmt.Sprintf("rows %s (too many to count quickly, and never analysed)", unavailable)
	}
	return fmt.Sprintf("about %.0f rows (estimated)", t.Estimate)
}
