package shortener

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/lab/postgres/cluster"
)

// content is the table. Its keys come after the rows, which is quicker.
var content = cluster.Content{
	Database: "shortener",
	Table:    "links",
	Load: []string{
		`CREATE TABLE links (
			id bigint GENERATED ALWAYS AS IDENTITY,
			code text NOT NULL,
			url text NOT NULL,
			created_at timestamptz NOT NULL DEFAULT now()
		)`,
		fmt.Sprintf(`INSERT INTO links (code, url)
			SELECT 'seed' || n, 'https://example.com/pages/' || n FROM generate_series(1, %d) AS n`, Rows),
		`ALTER TABLE links ADD PRIMARY KEY (id), ADD UNIQUE (code)`,
	},
	Read: readAll,
}

// deleteNew deletes what was inserted since the start: the identities go on from
// there.
var deleteNew = fmt.Sprintf(`DELETE FROM links WHERE id > %d`, Rows)

// readAll reads the table and both of its indexes. A scan of a table of this size
// alone would pass by the shared buffers.
func readAll(ctx context.Context, conn *pgx.Conn) error {
	for _, sql := range []string{
		`SET enable_seqscan = off`, `SET enable_bitmapscan = off`, `SET max_parallel_workers_per_gather = 0`,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return fmt.Errorf("read the table: %s: %w", sql, err)
		}
	}
	for _, sql := range []string{
		`SELECT count(url) FROM links WHERE code > ''`,
		`SELECT count(id) FROM links WHERE id > 0`,
	} {
		var rows int64
		if err := conn.QueryRow(ctx, sql).Scan(&rows); err != nil {
			return fmt.Errorf("read the table: %s: %w", sql, err)
		}
		if rows != Rows {
			return fmt.Errorf("read the table: %s: %d rows, want %d", sql, rows, Rows)
		}
	}
	return nil
}
