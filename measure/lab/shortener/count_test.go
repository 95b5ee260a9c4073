package shortener

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"queuelab/measure/lab/tally"
)

func FuzzParseCount(f *testing.F) {
	f.Add("12\n")
	f.Fuzz(func(t *testing.T, page string) {
		if n, err := parseCount(page); err == nil && (n < 0 || !strings.HasSuffix(strings.TrimSpace(page), fmt.Sprint(n))) {
			t.Errorf("%q gave %d", page, n)
		}
	})
}

// TestCount counts requests that need no database, good ones and bad ones.
func TestCount(t *testing.T) {
	h := &handler{}
	server := httptest.NewServer(h.routes())
	defer server.Close()
	get(t, server.URL+"/healthz") // before
	counter := &tally.Page{URL: server.URL + countPath, Parse: parseCount}
	if err := counter.Begin(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"/healthz", "/no+code", "/queuelab/other", "/"} {
		get(t, server.URL+path)
	}
	if status, _ := post(t, server.URL+"/shorten", "{"); status != http.StatusBadRequest {
		t.Errorf("status %d, want 400", status)
	}
	if n, err := counter.End(t.Context(), 5); err != nil || n != 5 {
		t.Errorf("%d requests, %v; want 5", n, err)
	}
	h.taken.Store(0)
	if n, err := counter.End(t.Context(), 5); err == nil {
		t.Errorf("%d requests of a server that was started again", n)
	}
}
