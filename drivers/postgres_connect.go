package drivers

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// CheckPostgresDSN returns a *UsageError without secrets when a DSN is malformed;
// "" stands for the usual PG* variables. Nothing is connected to.
func CheckPostgresDSN(dsn string) error {
	_, err := parseDSN(dsn)
	return err
}

// ConnectPostgres opens one connection, for what is done beside the requests. It
// reads the DSN as the postgres driver does, and its error is a *UsageError or an
// *UnreachableError as that driver's.
func ConnectPostgres(ctx context.Context, dsn string) (*pgx.Conn, error) {
	config, err := parseDSN(dsn)
	if err != nil {
		return nil, err
	}
	// Statements are used once: to prepare them would cost a round trip, and some
	// connection poolers do not take it.
	config.ConnConfig.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn, err := pgx.ConnectConfig(ctx, config.ConnConfig)
	if err != nil {
		return nil, &UnreachableError{Target: describe(config), Err: err}
	}
	return conn, nil
}

// PostgresTarget names the database that a connection goes to, secrets removed.
func PostgresTarget(conn *pgx.Conn) string {
	return describe(&pgxpool.Config{ConnConfig: conn.Config()})
}
