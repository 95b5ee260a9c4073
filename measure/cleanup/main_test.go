package cleanup

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"queuelab/measure/lab/postgres/cluster"
	"queuelab/measure/lab/supervise"
)

func TestMain(m *testing.M) {
	GuardIfAsked()
	supervise.SuperviseIfAsked()
	if ending := os.Getenv(childEnding); ending != "" {
		beChild(ending)
	}
	os.Exit(m.Run())
}

// seeds is how many rows a test's table has before the run.
const seeds = 100

// written is what requests insert.
const written = "https://example.com/loadtest"

// content has the rows of before the run, of which each test copies a table.
var content = cluster.Content{
	Database: cluster.Initial,
	Table:    "seed",
	Load: []string{
		`CREATE TABLE seed (id serial, url text)`,
		fmt.Sprintf(`INSERT INTO seed (url) SELECT 'https://example.com/' || n FROM generate_series(1, %d) AS n`, seeds),
	},
	Read: func(context.Context, *pgx.Conn) error { return nil },
}

// links is a table of one test.
type links struct {
	t    *testing.T
	dsn  string
	name string
	conn *pgx.Conn
	was  string // what it held at first
}

var tables atomic.Int64

func newLinks(t *testing.T, c *cluster.Cluster) *links {
	t.Helper()
	l := &links{t: t, dsn: c.DSN(), name: fmt.Sprintf("links%d", tables.Add(1))}
	var err error
	if l.conn, err = pgx.Connect(t.Context(), l.dsn); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.conn.Close(context.Background()) })
	l.do("CREATE TABLE " + l.name + " (LIKE seed INCLUDING ALL); INSERT INTO " + l.name + " SELECT * FROM seed")
	l.was = l.held()
	return l
}

func (l *links) do(sql string) {
	l.t.Helper()
	if _, err := l.conn.Exec(l.t.Context(), sql); err != nil {
		l.t.Fatalf("%s: %v", sql, err)
	}
}

func (l *links) ask(sql string) (answer string) {
	l.t.Helper()
	if err := l.conn.QueryRow(l.t.Context(), sql).Scan(&answer); err != nil {
		l.t.Fatalf("%s: %v", sql, err)
	}
	return answer
}

// held returns all rows of the table, in brief.
func (l *links) held() string {
	l.t.Helper()
	return l.ask(`SELECT format('%s rows, %s', count(*), md5(string_agg(id || url, ' ' ORDER BY id, url))) FROM ` + l.name)
}

// unchanged checks that the table holds what it held at first.
func (l *links) unchanged() {
	l.t.Helper()
	if now := l.held(); now != l.was {
		l.t.Errorf("%s holds %s, want %s as before", l.name, now, l.was)
	}
}

// write inserts n rows as requests do.
func (l *links) write(n int) {
	l.t.Helper()
	l.do(fmt.Sprintf("INSERT INTO %s (url) SELECT '%s' FROM generate_series(1, %d)", l.name, written, n))
}

// config deletes what requests insert.
func (l *links) config() Config { return l.where("url = '" + written + "'") }

func (l *links) where(condition string) Config {
	return Config{DSN: l.dsn, SQL: "DELETE FROM " + l.name + " WHERE " + condition}
}

func stand(t *testing.T, c Config) *Guard {
	t.Helper()
	g, err := Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Finish() })
	return g
}

// mentions checks that an error is one line with the words.
func mentions(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one that mentions %q", words)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("error %q does not mention %q", err, w)
		}
	}
	if strings.ContainsAny(err.Error(), "\n\t") || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error %q is not one line, or holds a secret", err)
	}
}
