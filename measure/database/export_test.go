package database

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Largest is how many tables are listed.
const Largest = largest

// RowsOf counts or estimates as the list of tables does.
func RowsOf(ctx context.Context, conn *pgx.Conn, from string, estimate float64, within time.Duration) (string, error) {
	t := table{Name: from, Estimate: estimate}
	return t.rows(ctx, conn, within)
}

// Impatient gives connections little time to be gone.
func (c *Counter) Impatient() { c.patience = time.Second }

// OneTransaction says whether a statement is known to be one.
var OneTransaction = oneTransaction

// Visits is how often autovacuum came by, by what was counted within a time.
func Visits(scans, cleanings int64, naptime, within time.Duration) (int64, error) {
	return statistics{catalogScans: scans, cleanings: cleanings}.visits(naptime, within)
}
