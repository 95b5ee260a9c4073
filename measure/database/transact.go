package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Transact runs do in a transaction, in which the server itself ends each statement
// after the given time: a client that goes away, or whose context is done, leaves no
// statement at work. An error rolls back.
func Transact(ctx context.Context, conn *pgx.Conn, options pgx.TxOptions, limit time.Duration, do func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, conn, options, func(tx pgx.Tx) error {
		// 0 would be no limit.
		set := fmt.Sprintf("SET LOCAL statement_timeout = %d", max(1, limit.Milliseconds()))
		if _, err := tx.Exec(ctx, set); err != nil {
			return fmt.Errorf("limit the time of statements: %w", err)
		}
		return do(tx)
	})
}

// Count counts rows exactly. From is what a query may say after FROM, a table's name
// as SQL writes it.
func Count(ctx context.Context, tx pgx.Tx, from string) (n int64, err error) {
	if err := tx.QueryRow(ctx, "SELECT count(*) FROM "+from).Scan(&n); err != nil {
		return 0, fmt.Errorf("count the rows of %s: %w", from, err)
	}
	return n, nil
}

// Cancelled says whether the server ended a statement because it took too long, or
// because it was asked to.
func Cancelled(err error) bool { return hasState(err, "57014") } // query_canceled

func hasState(err error, code string) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && server.Code == code
}
