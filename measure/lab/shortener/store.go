package shortener

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Connections is the size of the pool. On one CPU with 50 clients, pools of 2 and 4 did
// less, since fewer inserts share a write to the disk, and pools of 25 and 50 no more.
const Connections = 10

// The statements, by the names under which each connection has prepared them.
const (
	find   = "find"
	insert = "insert"
)

var statements = map[string]string{
	find:   `SELECT url FROM links WHERE code = $1`,
	insert: `INSERT INTO links (code, url) VALUES ($1, $2) ON CONFLICT (code) DO NOTHING`,
}

// store is the table, behind a pool of connections.
type store struct {
	pool *pgxpool.Pool
	code func() string // makes up a code
}

// openStore opens all connections, so that no request waits for one to be opened.
func openStore(ctx context.Context, dsn string) (*store, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	undisturbed(config)
	config.AfterConnect = prepare
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	held := make([]*pgxpool.Conn, 0, Connections)
	for len(held) < Connections && err == nil {
		var conn *pgxpool.Conn
		if conn, err = pool.Acquire(ctx); err == nil {
			held = append(held, conn)
		}
	}
	for _, conn := range held {
		conn.Release()
	}
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("open %d connections to the database: %w", Connections, err)
	}
	return &store{pool: pool, code: randomCode}, nil
}

// undisturbed fixes the pool's size and turns off what a pool does by itself in the
// middle of a measurement: it neither pings connections nor replaces old ones.
func undisturbed(config *pgxpool.Config) {
	config.MaxConns = Connections
	config.MaxConnLifetime, config.MaxConnLifetimeJitter = 0, 0
	config.MaxConnIdleTime = math.MaxInt64
	config.HealthCheckPeriod = 365 * 24 * time.Hour
	config.ShouldPing = func(context.Context, pgxpool.ShouldPingParams) bool { return false }
}

func prepare(ctx context.Context, conn *pgx.Conn) error {
	for name, sql := range statements {
		if _, err := conn.Prepare(ctx, name, sql); err != nil {
			return fmt.Errorf("prepare %s: %w", sql, err)
		}
	}
	return nil
}

// find returns the URL behind a code; the error is pgx.ErrNoRows when there is none.
func (s *store) find(ctx context.Context, code string) (url string, err error) {
	err = s.pool.QueryRow(ctx, find, code).Scan(&url)
	return url, err
}

// triesForACode is how many codes are made up before the table counts as full. With
// a million rows, one code in 3.5 million is taken.
const triesForACode = 10

// insert stores a URL under a new code.
func (s *store) insert(ctx context.Context, url string) (code string, err error) {
	for range triesForACode {
		code := s.code()
		if code == healthz {
			continue // that path is not the table's
		}
		done, err := s.pool.Exec(ctx, insert, code, url)
		if err != nil {
			return "", err
		}
		if done.RowsAffected() == 1 {
			return code, nil
		}
	}
	return "", fmt.Errorf("none of %d codes was free", triesForACode)
}

const (
	codeLetters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	codeLength  = 7
)

func randomCode() string {
	var code [codeLength]byte
	for i := range code {
		code[i] = codeLetters[rand.N(len(codeLetters))]
	}
	return string(code[:])
}
