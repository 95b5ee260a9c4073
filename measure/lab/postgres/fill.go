package postgres

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/jackc/pgx/v5"
)

// load makes the table. The key comes after the rows, which is quicker.
var load = []string{
	`CREATE TABLE accounts (id integer NOT NULL, balance integer NOT NULL)`,
	fmt.Sprintf(`INSERT INTO accounts SELECT id, 0 FROM generate_series(0, %d) AS id`, Rows-1),
	`ALTER TABLE accounts ADD PRIMARY KEY (id)`,
}

// settle does now what PostgreSQL would do in the background later, in the middle
// of a measurement: autovacuum finds a table that was vacuumed and analysed after
// its last change, and the checkpoint has nothing left to write.
var settle = []string{`VACUUM ANALYZE accounts`, `CHECKPOINT`}

// fill loads the table, settles it, and reads all of it once with the lab's query,
// so that no measured request is the one that brings a page into memory.
//
// Each step has a session of its own: a session reports its changes when it ends,
// and autovacuum would count rows that are reported after VACUUM as new ones.
func (s *Server) fill(ctx context.Context) error {
	for _, statements := range [][]string{load, settle} {
		err := s.session(ctx, func(ctx context.Context, conn *pgx.Conn) error {
			for _, sql := range statements {
				if _, err := conn.Exec(ctx, sql); err != nil {
					return fmt.Errorf("%s: %w", sql, err)
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("fill the table: %w", err)
		}
	}
	return s.session(ctx, readAll)
}

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

// Facts are what a reader of a measurement needs to know of this server.
func (s *Server) Facts() map[string]string { return maps.Clone(s.facts) }

// learn asks the server for its facts.
func (s *Server) learn(ctx context.Context, conn *pgx.Conn) error {
	s.facts = map[string]string{
		"query":     Query,
		"placement": s.Placement(),
		"account":   s.Account(),
		"listens":   "a Unix socket in a directory with mode 0700; no TCP port",
	}
	for _, fact := range []struct{ name, sql, between string }{
		{"version", `SELECT version()`, ""},
		{"rows", `SELECT count(*)::text FROM accounts`, ""},
		{"table size", `SELECT format('%s bytes, indexes %s bytes', pg_table_size('accounts'), pg_indexes_size('accounts'))`, ""},
		{"settings", nonDefault, "\n"},
		{"plan", `EXPLAIN SELECT sum(balance) FROM accounts WHERE id BETWEEN 500000 AND 549999`, "\n"},
	} {
		rows, err := conn.Query(ctx, fact.sql)
		if err != nil {
			return fmt.Errorf("ask for the %s: %w", fact.name, err)
		}
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return fmt.Errorf("ask for the %s: %w", fact.name, err)
		}
		s.facts[fact.name] = strings.Join(lines, fact.between)
	}
	return nil
}

// nonDefault lists the settings that the command line or the configuration file
// changed, which includes what initdb chose.
const nonDefault = `SELECT format('%s = ''%s'' (%s)', name, current_setting(name), source)
	FROM pg_settings WHERE source IN ('command line', 'configuration file') ORDER BY name`
