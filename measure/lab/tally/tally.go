// Package tally asks a private server how many requests it has taken.
package tally

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// Counter is a server's own count of the requests that it has taken: it says the same
// as measure's, which labs stand below.
type Counter interface {
	// Source names what counts, such as "nginx stub_status".
	Source() string
	// Begin notes the count before the first connection is opened.
	Begin(ctx context.Context) error
	// End returns how many requests the server has counted since Begin. It is called
	// when every connection has been closed again; opened is how many there were.
	End(ctx context.Context, opened int64) (int64, error)
}

// pageBytes is more than any page of a count has.
const pageBytes = 4096

// Page counts by a page that the server tells its count on.
type Page struct {
	Name  string // of what counts
	URL   string
	Parse func(page string) (int64, error)
	// Counted says that a request for the page is counted as well, before it is
	// answered.
	Counted bool

	began int64
}

var _ Counter = (*Page)(nil)

// Source is the name of what counts.
func (p *Page) Source() string { return p.Name }

// Begin asks for the page.
func (p *Page) Begin(ctx context.Context) (err error) {
	p.began, err = p.ask(ctx)
	return err
}

// End asks for the page again.
func (p *Page) End(ctx context.Context, _ int64) (int64, error) {
	now, err := p.ask(ctx)
	if err != nil {
		return 0, err
	}
	if p.Counted {
		now--
	}
	if now < p.began {
		return 0, errors.New("the server's count of requests went back: it was started again")
	}
	return now - p.began, nil
}

func (p *Page) ask(ctx context.Context) (int64, error) {
	n, err := p.get(ctx)
	if err != nil {
		return 0, fmt.Errorf("ask the server for its count of requests: %w", err)
	}
	return n, nil
}

// get opens a connection of its own and closes it: one that was kept would be open
// during the run.
func (p *Page) get(ctx context.Context) (int64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL, nil)
	if err != nil {
		return 0, err
	}
	transport := http.Transport{DisableKeepAlives: true}
	answer, err := transport.RoundTrip(req)
	if err != nil {
		return 0, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return 0, fmt.Errorf("%s answered %s, want 200", p.URL, answer.Status)
	}
	page, err := io.ReadAll(io.LimitReader(answer.Body, pageBytes))
	if err != nil {
		return 0, err
	}
	return p.Parse(string(page))
}
