package shortener

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"strings"
)

// endpoints are what can be requested.
const endpoints = `GET /healthz answers 200 "ok" and touches nothing
GET /CODE answers 302 with the URL that is stored under the code, 404 when there is none
POST /shorten with {"url":"https://example.com/loadtest"} stores the URL and answers 201 with {"code":"..."}`

// learn gathers the facts.
func (s *Server) learn(ctx context.Context) error {
	facts, err := s.database.Facts(ctx)
	if err != nil {
		return err
	}
	maps.Copy(facts, map[string]string{
		"version":              runtime.Version() + " net/http, pgx " + pgxVersion(),
		"endpoints":            endpoints,
		"connections":          fmt.Sprintf("%d to the database, opened before the first request", Connections),
		"placement":            s.Placement(),
		"PostgreSQL placement": facts["placement"],
		"account":              s.Account(),
		"listens":              s.address(),
	})
	s.facts = facts
	return nil
}

// pgxVersion is the version of the library that this program was built with.
func pgxVersion() string {
	if build, ok := debug.ReadBuildInfo(); ok {
		for _, module := range build.Deps {
			if module.Path == "github.com/jackc/pgx/v5" {
				return module.Version
			}
		}
	}
	return "(version not available)"
}

// Facts are what a reader of a measurement needs to know of this server.
func (s *Server) Facts() map[string]string { return maps.Clone(s.facts) }

// Describe says how to reach the server.
func (s *Server) Describe() string {
	var text strings.Builder
	version, _, _ := strings.Cut(s.facts["PostgreSQL version"], " on ")
	fmt.Fprintf(&text, "URL shortener (%s) on %s, both %s, as %s\n", s.facts["version"], version, s.Placement(), s.Account())
	fmt.Fprintf(&text, "url:  %s\n", s.URL())
	if s.port.Number != WantedPort {
		fmt.Fprintf(&text, "      (port %d is taken)\n", WantedPort)
	}
	fmt.Fprintf(&text, "dsn:  %s\n", s.database.DSN())
	fmt.Fprintf(&text, "      (a socket in a directory that only %s and root may enter; no TCP port)\n", s.Account())
	fmt.Fprintf(&text, "work: one of %d rows of the table links, over %d connections\n", Rows, Connections)
	fmt.Fprintf(&text, "dir:  %s\n", s.Dir())
	fmt.Fprintf(&text, "try:  curl -si %s\n", s.URL())
	fmt.Fprintf(&text, "      curl -s %s/%s\n", s.Base(), healthz)
	fmt.Fprintf(&text, "      curl -s -d '{\"url\":\"https://example.com/loadtest\"}' %s/shorten\n", s.Base())
	return text.String()
}
