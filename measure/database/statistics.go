package database

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"queuelab/drivers"
)

const (
	// goneBound is how long connections that were closed may take to be gone from the
	// server, which then has all that they did in its statistics.
	goneBound = 3 * time.Second
	// goneEvery is the pause between two looks at whether they are.
	goneEvery = 10 * time.Millisecond
	// oldestVersion is the first PostgreSQL whose statistics are in shared memory. In
	// earlier ones a process of their own wrote them to a file, half a second late.
	oldestVersion = 150000
)

// statistics are counts of a database since its statistics were last reset.
type statistics struct {
	transactions int64 // committed or rolled back
	catalogScans int64 // of pg_class, from its beginning to its end
	cleanings    int64 // of tables: vacuumed or analysed by autovacuum
}

func (s statistics) minus(o statistics) statistics {
	return statistics{s.transactions - o.transactions, s.catalogScans - o.catalogScans, s.cleanings - o.cleanings}
}

// A visit of autovacuum that finds nothing to do, as PostgreSQL 15 to 18 have it: a
// transaction to enter the database and one to look through pg_class, for tables, for
// their out-of-line storage, and for the oldest row version.
const (
	transactionsOfVisit = 2
	scansOfVisit        = 3
)

// unvisited takes autovacuum's visits out of what was counted over one look, which
// reads pg_class once at most.
func (s statistics) unvisited() statistics {
	visits := s.catalogScans / scansOfVisit
	s.transactions -= visits * transactionsOfVisit
	s.catalogScans -= visits * scansOfVisit
	return s
}

// visits is how often autovacuum came by in so long a time. It visits each database
// once a naptime, and is the one who reads pg_class from beginning to end.
func (s statistics) visits(naptime, within time.Duration) (int64, error) {
	visits := s.catalogScans / scansOfVisit
	switch {
	case s.cleanings != 0:
		return 0, errors.New("autovacuum cleaned up tables during the run, in transactions that cannot be told from requests: take a shorter run, or VACUUM ANALYZE before it")
	case s.catalogScans < 0 || s.catalogScans%scansOfVisit != 0, visits > 0 && time.Duration(visits-1)*naptime > within:
		return 0, fmt.Errorf("pg_class was read %d times during the run, and not by autovacuum alone, whose transactions then cannot be told from requests", s.catalogScans)
	}
	return visits, nil
}

// seen is what one look at a database found.
type seen struct {
	statistics
	backends []int32 // that serve connections of this program, but not the look's own
	naptime  time.Duration
}

// look looks on a connection of its own, which costs always the same. It waits until
// the connections of this program are gone, but for those whose backends are known,
// at most as long as it has patience, and says in left how many are not.
func look(ctx context.Context, dsn string, known []int32, patience time.Duration) (s seen, left int, err error) {
	conn, err := drivers.ConnectPostgres(ctx, dsn)
	if err != nil {
		return s, 0, err
	}
	defer conn.Close(ctx)
	err = Transact(ctx, conn, pgx.TxOptions{AccessMode: pgx.ReadOnly}, askBound, func(tx pgx.Tx) (err error) {
		if s.backends, left, err = gone(ctx, tx, known, patience); err != nil {
			return err
		}
		return s.read(ctx, tx)
	})
	if err != nil {
		return s, left, fmt.Errorf("ask %s for its statistics: %w", drivers.PostgresTarget(conn), err)
	}
	return s, left, nil
}

// gone waits until the other connections of this program's name are gone, but for the
// known ones. It returns the backends that are there, and how many are not known.
func gone(ctx context.Context, tx pgx.Tx, known []int32, patience time.Duration) (backends []int32, left int, err error) {
	const ask = `SELECT pid FROM pg_catalog.pg_stat_activity WHERE datname = current_database()
		AND application_name = current_setting('application_name') AND pid <> pg_backend_pid()`
	for until := time.Now().Add(patience); ; {
		// A transaction goes on seeing what it has seen of the statistics.
		if _, err := tx.Exec(ctx, `SELECT pg_stat_clear_snapshot()`); err != nil {
			return nil, 0, err
		}
		rows, err := tx.Query(ctx, ask)
		if err != nil {
			return nil, 0, err
		}
		if backends, err = pgx.CollectRows(rows, pgx.RowTo[int32]); err != nil {
			return nil, 0, err
		}
		left = 0
		for _, pid := range backends {
			if !slices.Contains(known, pid) {
				left++
			}
		}
		if left == 0 || time.Now().After(until) {
			return backends, left, nil
		}
		time.Sleep(goneEvery)
	}
}

// read reads the counts, and refuses a server whose counts come late.
func (s *seen) read(ctx context.Context, tx pgx.Tx) error {
	const ask = `SELECT current_setting('server_version_num')::int,
		extract(epoch FROM current_setting('autovacuum_naptime')::interval)::float8,
		xact_commit + xact_rollback, pg_stat_get_numscans('pg_catalog.pg_class'::regclass),
		(SELECT coalesce(sum(pg_stat_get_autovacuum_count(oid) + pg_stat_get_autoanalyze_count(oid)), 0)::bigint FROM pg_catalog.pg_class)
		FROM pg_catalog.pg_stat_database WHERE datname = current_database()`
	var version int
	var naptime float64 // seconds
	if err := tx.QueryRow(ctx, ask).Scan(&version, &naptime, &s.transactions, &s.catalogScans, &s.cleanings); err != nil {
		return err
	}
	if version < oldestVersion {
		return errors.New("those of PostgreSQL before version 15 come half a second late")
	}
	s.naptime = time.Duration(naptime * float64(time.Second))
	return nil
}
