package cleanup

import (
	"sync"
	"testing"
	"time"

	"queuelab/measure/lab/postgres/cluster"
)

// cutConnections ends the guard's connection again and again while it cleans up: it
// begins again each time, and the table is as it was.
func cutConnections(t *testing.T, c *cluster.Cluster) {
	l := newLinks(t, c)
	config := l.config()
	config.DSN += " application_name=cut"
	g := stand(t, config)
	l.write(5)
	var cutting sync.WaitGroup
	cuts := 0
	cutting.Go(func() {
		for end := time.Now().Add(2 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
			if n := l.ask(`SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity WHERE application_name = 'cut'`); n != "0" {
				cuts++
			}
		}
	})
	time.Sleep(100 * time.Millisecond) // the first cut comes before the clean-up, the others in it
	rows, err := g.Finish()
	cutting.Wait()
	if err != nil || rows.After != seeds+5 || rows.Cleaned != seeds {
		t.Errorf("%+v, %v, after %d cuts", rows, err, cuts)
	}
	if cuts < 2 {
		t.Errorf("the connection was cut %d times: it was not tried", cuts)
	}
	l.unchanged()
}
