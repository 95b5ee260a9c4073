package drivers

import (
	"encoding/base64"
	"net"
	"net/url"
	"regexp"
	"strconv"
	"strings"
)

// httpTarget is a URL taken apart once.
type httpTarget struct {
	secure bool
	host   string // without port, as a certificate names it
	port   string
	// authority is host[:port] as written, the value of the Host header.
	authority string
	// path is the request target exactly as written, query included: what a
	// benchmark sends must not depend on a library's idea of a clean path.
	path string
	// authorization is the value of an Authorization header; empty when the
	// URL names no user.
	authorization string
	// shown is the URL without its password and the secrets of its query.
	shown string
}

// secretQuery is a value of a query whose name tells of a secret.
var secretQuery = regexp.MustCompile(`(?i)([?&][^?&=#]*(?:token|secret|password|api[-_]?key)[^?&=#]*=)[^&#]*`)

const urlExample = "http://127.0.0.1:9100/page.txt"

// parseTarget checks a URL and takes it apart. Its error is a *UsageError that
// does not repeat a password.
func parseTarget(raw string) (*httpTarget, error) {
	if raw == "" {
		return nil, usage("the http driver needs a URL, such as %s", urlExample)
	}
	scheme, rest, found := strings.Cut(raw, "://")
	if !found {
		return nil, usage("the URL %q has no scheme; write it like %s", mask(raw), urlExample)
	}
	scheme = strings.ToLower(scheme)
	if scheme != "http" && scheme != "https" {
		return nil, usage("the URL %q has the scheme %q; the http driver sends to http:// and https://", mask(raw), mask(scheme))
	}
	for _, r := range raw {
		if r <= ' ' || r == 0x7f {
			return nil, usage("the URL %q contains a space or control character; write it percent-encoded, such as %%20", mask(raw))
		}
	}
	rest, _, _ = strings.Cut(rest, "#")
	authority, path := rest, ""
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, path = rest[:i], rest[i:]
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	parsed, err := url.Parse(scheme + "://" + authority)
	if err != nil {
		return nil, usage("the URL %q names no valid host and port; write it like %s", mask(raw), urlExample)
	}
	if parsed.Hostname() == "" {
		return nil, usage("the URL %q has no host; write it like %s", mask(raw), urlExample)
	}
	target := &httpTarget{
		secure:    scheme == "https",
		host:      parsed.Hostname(),
		port:      parsed.Port(),
		authority: parsed.Host,
		path:      path,
		shown:     scheme + "://" + parsed.Host + secretQuery.ReplaceAllString(path, "${1}REDACTED"),
	}
	return target, target.complete(parsed.User, raw)
}

// complete fills in the port and the user.
func (t *httpTarget) complete(user *url.Userinfo, raw string) error {
	switch {
	case t.port == "" && t.secure:
		t.port = "443"
	case t.port == "":
		t.port = "80"
	default:
		if n, err := strconv.Atoi(t.port); err != nil || n < 1 || n > 65535 {
			return usage("the URL %q has the port %s; a port is between 1 and 65535", mask(raw), t.port)
		}
	}
	if user != nil {
		password, _ := user.Password()
		t.authorization = "Basic " + base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+password))
	}
	return nil
}

// address joins one of the host's addresses with the port.
func (t *httpTarget) address(host string) string { return net.JoinHostPort(host, t.port) }

// mask hides whatever stands before the last @ of a URL that is quoted in an
// error: in a malformed one nobody knows where a password begins.
func mask(raw string) string {
	i := strings.LastIndexByte(raw, '@')
	if i < 0 {
		return raw
	}
	scheme, _, found := strings.Cut(raw[:i], "://")
	if !found || strings.ContainsAny(scheme, ":@") {
		return "..." + raw[i:]
	}
	return scheme + "://..." + raw[i:]
}
