package shortener

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// healthz is the path, and so the one code, that answers without the table.
	healthz = "healthz"
	// countPath tells how many requests were taken. No code has its slash.
	countPath = "/queuelab/requests"
	// longestBody is the longest body of a request in bytes.
	longestBody = 64 << 10
)

// handler answers requests.
type handler struct {
	store  *store
	log    *log.Logger
	logged atomic.Int64 // the second, since 1970, of the newest line of the log
	taken  atomic.Int64 // requests so far, but those for the count
}

// routes counts every request before it is routed.
func (h *handler) routes() http.Handler {
	paths := h.paths()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == countPath {
			fmt.Fprintln(w, h.taken.Load())
			return
		}
		h.taken.Add(1)
		paths.ServeHTTP(w, r)
	})
}

func (h *handler) paths() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /"+healthz, func(w http.ResponseWriter, _ *http.Request) {
		w.Write([]byte("ok")) // a client that went away is its own loss
	})
	mux.HandleFunc("GET /{code}", h.redirect)
	mux.HandleFunc("POST /shorten", h.shorten)
	return mux
}

// redirect sends the client to the URL behind a code.
func (h *handler) redirect(w http.ResponseWriter, r *http.Request) {
	code := r.PathValue("code")
	if strings.Trim(code, codeLetters) != "" { // no code has it, and the database may refuse to look
		http.NotFound(w, r)
		return
	}
	target, err := h.store.find(r.Context(), code)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		http.NotFound(w, r)
	case err != nil:
		h.fail(w, r, err)
	default:
		http.Redirect(w, r, target, http.StatusFound)
	}
}

// link is what a client sends to have a URL shortened.
type link struct {
	URL string `json:"url"`
}

// created is the answer to it.
type created struct {
	Code string `json:"code"`
}

// shorten stores a URL and answers its code.
func (h *handler) shorten(w http.ResponseWriter, r *http.Request) {
	var asked link
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, longestBody))
	if err == nil {
		err = json.Unmarshal(body, &asked)
	}
	if err != nil {
		http.Error(w, `the body is not JSON: send {"url":"https://example.com/"}`, http.StatusBadRequest)
		return
	}
	if !isWeb(asked.URL) {
		http.Error(w, "url is no address: give one that begins with http:// or https:// and names a host", http.StatusBadRequest)
		return
	}
	code, err := h.store.insert(r.Context(), asked.URL)
	if err != nil {
		h.fail(w, r, err)
		return
	}
	answer, err := json.Marshal(created{code})
	if err != nil {
		h.fail(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusCreated)
	w.Write(answer) // a client that went away is its own loss
}

// isWeb says whether a text is an absolute URL that a browser fetches.
func isWeb(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// fail answers that the database failed, and logs why, once a second at most: when
// the database is gone, every request fails. A client that did not wait is no fault.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	if r.Context().Err() != nil {
		return
	}
	now := time.Now().Unix()
	if h.logged.Swap(now) != now {
		h.log.Printf("%s %s: %v", r.Method, r.URL.Path, err)
	}
	http.Error(w, "the database failed", http.StatusInternalServerError)
}
