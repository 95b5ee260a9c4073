// Package database tells what a reader of a measurement needs to know of the
// PostgreSQL database behind it.
package database

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"queuelab/drivers"
)

const (
	// factsBound is how long all the facts may take, with the connection.
	factsBound = 10 * time.Second
	// askBound is how long the answer to one question may take that counts no rows.
	askBound = 3 * time.Second
)

const unavailable = "not available"

// Facts are the database's version, settings and tables, by name, secrets left out:
// "database", "PostgreSQL version", "PostgreSQL settings" and "tables", the latter two
// with several lines. It takes a few seconds at most, and needs no rights beyond those to
// connect: what a role may not see is "not available". What the server does not know
// (it may only be similar to PostgreSQL) is "not available" too, and said beside the
// other facts by an error. A database that cannot be reached is a
// *drivers.UnreachableError, without facts.
//
// Rows are counted as far as that takes a second a table and a few in all. Beyond,
// they are PostgreSQL's own estimate, and marked as such.
func Facts(ctx context.Context, dsn string) (map[string]string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, factsBound, fmt.Errorf("no answer within %v", factsBound))
	defer cancel()
	conn, err := drivers.ConnectPostgres(ctx, dsn)
	if err != nil {
		return nil, err
	}
	defer conn.Close(ctx)
	facts := map[string]string{}
	var failures []error
	for _, fact := range []struct {
		name string
		ask  func(context.Context, *pgx.Conn) (string, error)
	}{
		{"PostgreSQL version", version},
		{"database", size},
		{"PostgreSQL settings", settings},
		{"tables", tables},
	} {
		text, err := fact.ask(ctx, conn)
		var refused *pgconn.PgError
		switch {
		case err == nil:
			facts[fact.name] = text
		case hasState(err, deniedState), Cancelled(err):
			errors.As(err, &refused)
			facts[fact.name] = fmt.Sprintf("%s (%s)", unavailable, refused.Message)
		default:
			facts[fact.name] = unavailable
			failures = append(failures, fmt.Errorf("ask %s for its %s: %w", drivers.PostgresTarget(conn), fact.name, err))
		}
	}
	return facts, errors.Join(failures...)
}

const deniedState = "42501" // insufficient_privilege

func version(ctx context.Context, conn *pgx.Conn) (string, error) {
	return Lines(ctx, conn, `SELECT version()`)
}

func size(ctx context.Context, conn *pgx.Conn) (string, error) {
	bytes, err := Lines(ctx, conn, `SELECT pg_database_size(current_database())::text`)
	return fmt.Sprintf("%s, %s bytes", drivers.PostgresTarget(conn), bytes), err
}

// settings lists what the server does other than by default, one setting a line with
// where it comes from, as far as the role may see it. What a client asked for is left
// out. The value of what may hold a secret is REDACTED: by its name, and that of any
// setting that is not PostgreSQL's own, whose name has a dot.
func settings(ctx context.Context, conn *pgx.Conn) (string, error) {
	return Lines(ctx, conn, `SELECT format('%s = %s (%s)', name,
			CASE WHEN name ~* '[.]|pass(word|wd|phrase)|secret|token|key$|conninfo|_command' THEN 'REDACTED'
			ELSE quote_literal(current_setting(name)) END, source)
		FROM pg_settings WHERE source NOT IN ('default', 'override', 'client', 'session') ORDER BY name`)
}

// Lines returns the rows of a query for one text, a row a line. It changes nothing and
// takes a few seconds at most.
func Lines(ctx context.Context, conn *pgx.Conn, sql string) (text string, err error) {
	err = Transact(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, askBound, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, sql)
		if err != nil {
			return err
		}
		all, err := pgx.CollectRows(rows, pgx.RowTo[string])
		text = strings.Join(all, "\n")
		return err
	})
	return text, err
}
