package drivers

import "testing"

// Every connection that is opened before the run has run the session's SQL, and
// SQL that the server refuses is told at the start.
func testSessionRunsOnEveryConnection(t *testing.T, folder string) {
	const prepared = `SELECT 1 / (coalesce(current_setting('queuelab.prepared', true), 'no') = 'yes')::int`
	d := pooled(t, folder, 3, Options{SQL: prepared, Session: "SET queuelab.prepared = 'yes'"})
	for range 3 {
		conn, err := d.pool.Acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Release()
		if err := d.query.run(t.Context(), conn.Conn().PgConn(), &Request{}); err != nil {
			t.Errorf("a connection had not run the session's SQL: %v", err)
		}
	}
	bare := pooled(t, folder, 1, Options{SQL: prepared})
	if a := bare.Do(&Request{}); a.Class == "" {
		t.Error("the query succeeds without the session's SQL, so it shows nothing")
	}
	broken, err := New("postgres", Options{DSN: dsn(folder), SQL: "SELECT 1", Session: "SELECT nothing"})
	if err != nil {
		t.Fatal(err)
	}
	defer broken.Close()
	if err := broken.Connect(t.Context(), 1); err == nil {
		t.Error("a session's SQL that fails was accepted")
	}
}
