package shortener

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// request sends one request on a connection of its own and follows no redirect.
func request(ctx context.Context, method, url, body string) (status int, text string, header http.Header, err error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", nil, err
	}
	transport := http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(req)
	if err != nil {
		return 0, "", nil, err
	}
	defer answer.Body.Close()
	all, err := io.ReadAll(answer.Body)
	return answer.StatusCode, string(all), answer.Header, err
}

func get(t *testing.T, url string) (status int, body string, header http.Header) {
	t.Helper()
	status, body, header, err := request(t.Context(), http.MethodGet, url, "")
	if err != nil {
		t.Fatal(err)
	}
	return status, body, header
}

func post(t *testing.T, url, body string) (status int, text string) {
	t.Helper()
	status, text, _, err := request(t.Context(), http.MethodPost, url, body)
	if err != nil {
		t.Fatal(err)
	}
	return status, text
}

// hangs says whether a request has no answer for a while.
func hangs(t *testing.T, url string) bool {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	_, _, _, err := request(ctx, http.MethodGet, url, "")
	return errors.Is(err, context.DeadlineExceeded)
}

func endpointsAnswer(t *testing.T, s *Server) {
	if status, body, _ := get(t, s.Base()+"/healthz"); status != 200 || body != "ok" {
		t.Errorf("/healthz answers %d, %q", status, body)
	}
	for _, id := range []int{1, 250_000, 500_003} {
		status, _, header := get(t, fmt.Sprintf("%s/seed%d", s.Base(), id))
		if want := fmt.Sprintf("https://example.com/pages/%d", id); status != 302 || header.Get("Location") != want {
			t.Errorf("seed%d answers %d to %q, want 302 to %q", id, status, header.Get("Location"), want)
		}
	}
	// A NUL and bytes that are no text would be errors of the database.
	for _, path := range []string{"/", "/seed0", "/seed500004", "/nothing", "/shorten", "/%00", "/%ff", "/seed1%00", "/seed1/more", "/SEED1", "/healthz/"} {
		if status, _, _ := get(t, s.Base()+path); status != 404 {
			t.Errorf("%s answers %d, want 404", path, status)
		}
	}
}

func refusals(t *testing.T, s *Server, conn *pgx.Conn) {
	for _, body := range []string{
		``, `{`, `[]`, `"https://example.com/"`, `{"url":5}`, `{"url":"https://example.com/"} more`,
		`{"url":"https://example.com/` + strings.Repeat("x", longestBody) + `"}`,
		`{}`, `{"url":""}`, `{"url":"example.com"}`, `{"url":"/path"}`, `{"url":"ftp://example.com/"}`,
		`{"url":"javascript:alert(1)"}`, `{"url":"http://"}`, `{"url":"https://:443/"}`, `{"url":"https://exa mple.com/"}`,
		`{"url":"https://example.com/\u0000"}`, `{"url":"https://example.com/\n"}`,
	} {
		if status, text := post(t, s.Base()+"/shorten", body); status != 400 || text == "" {
			t.Errorf("%.60s: status %d, %q; want 400 and why", body, status, text)
		}
	}
	if n := rows(t, conn); n != Rows {
		t.Errorf("refused requests made %d rows", n-Rows)
	}
}

// writes stores links, finds them again, and has the lab's own statement delete
// those and no others.
func writes(t *testing.T, s *Server, conn *pgx.Conn) {
	const known = "https://example.com/loadtest"
	urls := []string{known, known, "http://example.com:8080/a?b=c&d=%20#e", known, "HTTPS://example.com/"}
	for _, url := range urls {
		body, err := json.Marshal(link{url})
		if err != nil {
			t.Fatal(err)
		}
		status, text := post(t, s.Base()+"/shorten", string(body))
		var answer created
		if err := json.Unmarshal([]byte(text), &answer); err != nil || status != 201 || len(answer.Code) != codeLength {
			t.Fatalf("%s: status %d, %q, %v; want 201 and a code", url, status, text, err)
		}
		status, _, header := get(t, s.Base()+"/"+answer.Code)
		if status != 302 || header.Get("Location") != url {
			t.Errorf("%s answers %d to %q, want 302 to %q", answer.Code, status, header.Get("Location"), url)
		}
	}
	if n := rows(t, conn); n != Rows+int64(len(urls)) {
		t.Errorf("%d rows after %d requests, want one more for each", n, len(urls))
	}
	_, cleanup := s.Written()
	for _, want := range []int64{int64(len(urls)), 0} {
		done, err := conn.Exec(t.Context(), cleanup)
		if err != nil || done.RowsAffected() != want {
			t.Errorf("%s: %d rows, %v; want %d", cleanup, done.RowsAffected(), err, want)
		}
	}
	table(t, conn)
}

// takenCodes makes up codes that are taken, or not the table's.
func takenCodes(t *testing.T, s *Server, conn *pgx.Conn) {
	dsn, cleanup := s.Written()
	store, err := openStore(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer store.pool.Close()
	if got := store.pool.Stat(); got.TotalConns() != Connections || got.MaxConns() != Connections {
		t.Errorf("%d of %d connections are open before the first request, want %d", got.TotalConns(), got.MaxConns(), Connections)
	}
	made := []string{"seed1", "seed2", healthz, "seed3", "newcode"}
	store.code = func() string {
		code := made[0]
		if len(made) > 1 {
			made = made[1:]
		}
		return code
	}
	if code, err := store.insert(t.Context(), "https://example.com/"); err != nil || code != "newcode" {
		t.Errorf("code %q, %v; want the first that is free", code, err)
	}
	if code, err := store.insert(t.Context(), "https://example.com/"); err == nil {
		t.Errorf("code %q was given twice", code)
	}
	if n := rows(t, conn); n != Rows+1 {
		t.Errorf("%d rows, want one new", n)
	}
	if _, err := conn.Exec(t.Context(), cleanup); err != nil {
		t.Error(err)
	}
}

// clientsThatLeave before their answer, while the table is locked, are no failures of
// the database, and the server works on.
func clientsThatLeave(t *testing.T, s *Server, conn *pgx.Conn) {
	dsn, _ := s.Written()
	store, err := openStore(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer store.pool.Close()
	var logged strings.Builder
	h := &handler{store: store, log: log.New(&logged, "", 0)}
	tx, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Rollback(context.Background())
	if _, err := tx.Exec(t.Context(), `LOCK TABLE links IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	answer := httptest.NewRecorder()
	h.routes().ServeHTTP(answer, httptest.NewRequestWithContext(ctx, http.MethodGet, "/seed1", nil))
	if logged.Len() > 0 || answer.Code == 500 {
		t.Errorf("a client that left was logged as %q, status %d", logged.String(), answer.Code)
	}
	if err := tx.Rollback(t.Context()); err != nil {
		t.Fatal(err)
	}
	answer = httptest.NewRecorder()
	h.routes().ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/seed1", nil))
	if answer.Code != 302 {
		t.Errorf("status %d after the lock, want 302", answer.Code)
	}
}

func TestRandomCodes(t *testing.T) {
	seen := map[string]bool{}
	letters := map[rune]bool{}
	for range 2000 {
		code := randomCode()
		if len(code) != codeLength || strings.Trim(code, codeLetters) != "" || seen[code] {
			t.Fatalf("code %q of %d", code, len(seen))
		}
		seen[code] = true
		for _, letter := range code {
			letters[letter] = true
		}
	}
	if len(letters) != 62 {
		t.Errorf("%d letters and digits are used, want 62", len(letters))
	}
}
