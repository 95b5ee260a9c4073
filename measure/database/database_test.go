package database_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/drivers"
	"queuelab/measure/database"
	"queuelab/measure/lab/postgres/cluster"
	"queuelab/measure/lab/supervise"
)

func TestMain(m *testing.M) {
	supervise.SuperviseIfAsked()
	os.Exit(m.Run())
}

// content has what the facts must tell apart.
var content = cluster.Content{
	Database: "shop",
	Table:    "links",
	Load: []string{
		`CREATE TABLE links (code text PRIMARY KEY, url text)`,
		`INSERT INTO links SELECT 'seed' || n, repeat('x', 100) FROM generate_series(1, 5000) AS n`,
		`CREATE SCHEMA "Odd ""one"""`,
		`CREATE TABLE "Odd ""one"""."to;do" AS SELECT n FROM generate_series(1, 7) AS n`,
		`CREATE TABLE parts (n integer) PARTITION BY LIST (n)`,
		`CREATE TABLE part PARTITION OF parts FOR VALUES IN (1)`,
		`INSERT INTO parts VALUES (1), (1)`,
		`CREATE TABLE kept_back (n integer)`,
		`ALTER TABLE kept_back ENABLE ROW LEVEL SECURITY`,
		`CREATE VIEW seen AS SELECT 1`,
		`CREATE MATERIALIZED VIEW later AS SELECT 1 WITH NO DATA`,
		`CREATE ROLE guest LOGIN`,
		`GRANT SELECT ON part, kept_back TO guest`,
		`ALTER DATABASE shop SET work_mem = '5MB'`,
		`ALTER DATABASE shop SET app.password = 'hunter2'`,
		`ALTER DATABASE shop SET app.encryption_key = 'hunter2'`,
		`ALTER DATABASE shop SET app.harmless = 'hunter2'`,
		`ALTER DATABASE shop SET session_preload_libraries = 'plpgsql'`, // else its settings are as unlisted as app's
		`ALTER DATABASE shop SET plpgsql.extra_warnings = 'shadowed_variables'`,
		`ALTER DATABASE shop SET password_encryption = 'md5'`,
		`ALTER SYSTEM SET archive_command = 'send hunter2'`,
		`ALTER SYSTEM SET primary_conninfo = 'password=hunter2'`,
		`SELECT pg_reload_conf()`,
	},
	Read: func(context.Context, *pgx.Conn) error { return nil },
}

// TestFacts starts the server once for all that is asked of it.
func TestFacts(t *testing.T) {
	c, err := cluster.Start(t.Context(), content)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Stop()
	t.Run("owner", func(t *testing.T) { owner(t, c) })
	t.Run("guest", func(t *testing.T) { guest(t, c) })
	t.Run("locked", func(t *testing.T) { locked(t, c) })
	t.Run("estimate", func(t *testing.T) { estimate(t, c) })
	t.Run("many tables", func(t *testing.T) { manyTables(t, c) })
	t.Run("dissimilar", func(t *testing.T) { dissimilar(t, c) })
	t.Run("transact", func(t *testing.T) { transact(t, c) })
	t.Run("counts", func(t *testing.T) { counts(t, c) })
}

func factsOf(t *testing.T, dsn string) map[string]string {
	t.Helper()
	facts, err := database.Facts(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	return facts
}

// matches checks that the fact holds a line for each pattern.
func matches(t *testing.T, facts map[string]string, name string, patterns ...string) {
	t.Helper()
	for _, pattern := range patterns {
		if !regexp.MustCompile("(?m)^" + pattern + "$").MatchString(facts[name]) {
			t.Errorf("fact %q has no line that matches %s:\n%s", name, pattern, facts[name])
		}
	}
}

func owner(t *testing.T, c *cluster.Cluster) {
	facts := factsOf(t, c.DSN())
	matches(t, facts, "PostgreSQL version", `PostgreSQL \d.*`)
	matches(t, facts, "database", `postgres host=\S+ port=5432 user=postgres dbname=shop, \d{6,} bytes`)
	matches(t, facts, "PostgreSQL settings", `dynamic_shared_memory_type = 'mmap' \(command line\)`, `work_mem = '5MB' \(database\)`,
		`plpgsql.extra_warnings = REDACTED \(database\)`, `password_encryption = REDACTED \(database\)`,
		`archive_command = REDACTED \(configuration file\)`, `primary_conninfo = REDACTED \(configuration file\)`)
	matches(t, facts, "tables", `public.links: 5000 rows, table \d{6} bytes, indexes \d{6} bytes`,
		`"Odd ""one"""."to;do": 7 rows, table \d+ bytes, indexes 0 bytes`,
		`public.part: 2 rows, .*`, `public.kept_back: 0 rows, table 0 bytes, .*`, `public.later: rows not available \(.*populated.*\), .*`)
	if all := strings.Split(facts["tables"], "\n"); len(all) != 5 || !strings.HasPrefix(all[0], "public.links: ") {
		t.Errorf("tables are not the five, the largest first:\n%s", facts["tables"])
	}
	if len(facts) != 4 || strings.Contains(fmt.Sprint(facts), "hunter2") || strings.Contains(facts["PostgreSQL settings"], "application_name") {
		t.Errorf("facts are other than four, or tell a secret or this client's own settings: %q", facts)
	}
}

// guest has hardly any rights: what it may not count is said to be so.
func guest(t *testing.T, c *cluster.Cluster) {
	facts := factsOf(t, strings.Replace(c.DSN(), "user=postgres", "user=guest password=hunter2", 1))
	matches(t, facts, "database", `postgres host=\S+ port=5432 user=guest dbname=shop, \d+ bytes`)
	matches(t, facts, "tables", `public.links: rows not available \(permission denied for table links\), table \d{6} bytes, .*`,
		`"Odd ""one"""."to;do": rows not available \(permission denied for schema .*\), .*`,
		`public.part: 2 rows, .*`, `public.kept_back: rows not available \(row-level security hides some\), .*`)
	matches(t, facts, "PostgreSQL settings", `work_mem = '5MB' \(database\)`)
	if strings.Contains(fmt.Sprint(facts), "hunter2") {
		t.Errorf("facts tell a password: %q", facts)
	}
}

// locked: even the sizes of a table that is being rewritten have to wait, and the
// facts do without them in the end.
func locked(t *testing.T, c *cluster.Cluster) {
	err := c.Do(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, "LOCK links IN ACCESS EXCLUSIVE MODE")
			facts := factsOf(t, c.DSN())
			matches(t, facts, "tables", `not available \(canceling statement due to statement timeout\)`)
			matches(t, facts, "PostgreSQL version", `PostgreSQL .*`)
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

// estimate lets no time for a count, as a table of some hundred million rows does.
func estimate(t *testing.T, c *cluster.Cluster) {
	err := c.Do(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		for rows, want := range map[float64]string{5000: "about 5000 rows (estimated)", -1: "rows not available (too many to count quickly, and never analysed)"} {
			const slow = "pg_class a, pg_class b, pg_class c" // 10^8 rows
			for _, within := range []time.Duration{50 * time.Millisecond, 0, -time.Second} {
				if got, err := database.RowsOf(ctx, conn, slow, rows, within); err != nil || got != want {
					t.Errorf("within %v: %q, %v, want %q", within, got, err, want)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func manyTables(t *testing.T, c *cluster.Cluster) {
	err := c.Do(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `DO $$ BEGIN FOR i IN 1..30 LOOP EXECUTE format('CREATE TABLE t%s (n integer)', i); END LOOP; END $$`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	facts := factsOf(t, c.DSN())
	all := strings.Split(facts["tables"], "\n")
	if len(all) != database.Largest+1 || all[database.Largest] != "and 15 smaller tables" || !strings.HasPrefix(all[0], "public.links: ") {
		t.Errorf("%d lines of tables, want the largest 20 of 35 and how many more there are:\n%s", len(all), facts["tables"])
	}
}

// dissimilar asks a server that lacks a view, as some that speak PostgreSQL's
// protocol do: an own one that goes before it fails.
func dissimilar(t *testing.T, c *cluster.Cluster) {
	err := c.Do(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, `CREATE SCHEMA other; CREATE VIEW other.pg_settings AS SELECT 1 AS nothing;
			CREATE ROLE stranger LOGIN; GRANT USAGE ON SCHEMA other TO stranger;
			ALTER ROLE stranger SET search_path = other, pg_catalog`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	facts, err := database.Facts(t.Context(), strings.Replace(c.DSN(), "user=postgres", "user=stranger", 1))
	if err == nil || !strings.Contains(err.Error(), "its PostgreSQL settings: ERROR: column") || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line about the settings", err)
	}
	if len(facts) != 4 || facts["PostgreSQL settings"] != "not available" {
		t.Errorf("facts %q, want four, without settings", facts)
	}
	matches(t, facts, "PostgreSQL version", `PostgreSQL .*`)
}

func transact(t *testing.T, c *cluster.Cluster) {
	err := c.Do(t.Context(), func(ctx context.Context, conn *pgx.Conn) error {
		err := database.Transact(ctx, conn, pgx.TxOptions{}, 50*time.Millisecond, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, `DELETE FROM links`); err != nil {
				return err
			}
			_, err := tx.Exec(ctx, `SELECT pg_sleep(600)`)
			return err
		})
		if !database.Cancelled(err) {
			t.Errorf("a statement that lasts: %v, want one that timed out", err)
		}
		return database.Transact(ctx, conn, pgx.TxOptions{}, time.Minute, func(tx pgx.Tx) error {
			if n, err := database.Count(ctx, tx, "ONLY public.links"); err != nil || n != 5000 {
				t.Errorf("%d rows, %v, want the 5000 of before", n, err)
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUnreachable(t *testing.T) {
	facts, err := database.Facts(t.Context(), "postgres://u:hunter2@127.0.0.1:1/d")
	var unreachable *drivers.UnreachableError
	if !errors.As(err, &unreachable) || facts != nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v, %v, want an UnreachableError without the password", facts, err)
	}
	facts, err = database.Facts(t.Context(), "host=h port=hunter2")
	var usage *drivers.UsageError
	if !errors.As(err, &usage) || facts != nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v, %v, want a UsageError without the password", facts, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := database.Facts(ctx, "postgres://u@127.0.0.1:1/d"); !errors.Is(err, context.Canceled) {
		t.Errorf("%v, want one of the context", err)
	}
}
