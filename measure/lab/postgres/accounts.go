package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/lab/postgres/cluster"
)

// content is the table. The key comes after the rows, which is quicker.
var content = cluster.Content{
	Database: cluster.Initial,
	Table:    "accounts",
	Load: []string{
		`CREATE TABLE accounts (id integer NOT NULL, balance integer NOT NULL)`,
		fmt.Sprintf(`INSERT INTO accounts SELECT id, 0 FROM generate_series(0, %d) AS id`, Rows-1),
		`ALTER TABLE accounts ADD PRIMARY KEY (id)`,
	},
	Read: readAll,
}

// readAll reads the table with the lab's query.
func readAll(ctx context.Context, conn *pgx.Conn) error {
	for first := 0; first < Rows; first += Summed {
		var sum int64
		if err := conn.QueryRow(ctx, Query, first).Scan(&sum); err != nil {
			return fmt.Errorf("read the table: %w", err)
		}
		if sum != 0 {
			return fmt.Errorf("read the table: the balances from id %d on add up to %d, want 0", first, sum)
		}
	}
	return nil
}
