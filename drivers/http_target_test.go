package drivers

import (
	"errors"
	"strings"
	"testing"
)

func TestParseTarget(t *testing.T) {
	cases := []struct{ raw, host, port, authority, path string }{
		{"http://127.0.0.1:9100/page.txt", "127.0.0.1", "9100", "127.0.0.1:9100", "/page.txt"},
		{"http://localhost", "localhost", "80", "localhost", "/"},
		{"HTTPS://Example.com?q=1", "Example.com", "443", "Example.com", "/?q=1"},
		{"http://[::1]:8080/a", "::1", "8080", "[::1]:8080", "/a"},
		// Nothing is normalised, decoded or escaped; a fragment is not sent.
		{"http://h//a/../b%2Fc/./?x=%20&y#top", "h", "80", "h", "//a/../b%2Fc/./?x=%20&y"},
		{"http://user:secret@h/x", "h", "80", "h", "/x"},
	}
	for _, c := range cases {
		got, err := parseTarget(c.raw)
		if err != nil {
			t.Errorf("parseTarget(%q): %v", c.raw, err)
			continue
		}
		if got.host != c.host || got.port != c.port || got.authority != c.authority || got.path != c.path {
			t.Errorf("parseTarget(%q) = %+v, want %+v", c.raw, got, c)
		}
		if strings.Contains(got.shown, "secret") {
			t.Errorf("parseTarget(%q) shows %q", c.raw, got.shown)
		}
	}
}

func TestParseTargetRefuses(t *testing.T) {
	cases := []struct{ raw, mentions string }{
		{"", "needs a URL"},
		{"127.0.0.1:9100/page.txt", "no scheme"},
		{"localhost:9100", "no scheme"},
		{"ftp://h/x", `"ftp"`},
		{"http://", "no host"},
		{"http:///page.txt", "no host"},
		{"http://:80/", "no host"},
		{"http://h:0/", "between 1 and 65535"},
		{"http://h:70000/", "between 1 and 65535"},
		{"http://h:port/", "no valid host and port"},
		{"http://h/a b", "space"},
		{"http://h/a\r\nX: y", "control character"},
	}
	for _, c := range cases {
		_, err := parseTarget(c.raw)
		var wrong *UsageError
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.mentions) {
			t.Errorf("parseTarget(%q) = %v, want a usage error that mentions %q", c.raw, err, c.mentions)
		}
	}
}

// FuzzParseTarget: whatever is accepted makes one well-formed request line,
// and a password before the last @ is repeated neither in what is shown nor in
// an error.
func FuzzParseTarget(f *testing.F) {
	for _, seed := range []string{
		"http://127.0.0.1:9100/page.txt", "https://[::1]/?a=b#c", "http://user@h:1/", "x://h", "http//h", "http://%zz/",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		if target, err := parseTarget(raw); err == nil {
			if !strings.HasPrefix(target.path, "/") || strings.ContainsAny(target.path+target.authority, " \r\n") {
				t.Errorf("parseTarget(%q) would send %q to %q", raw, target.path, target.authority)
			}
			if target.host == "" || target.port == "" {
				t.Errorf("parseTarget(%q) = %+v", raw, target)
			}
		}
		const secret = "s3cr:et"
		scheme, rest, found := strings.Cut(raw, "://")
		if !found || strings.Contains(raw, secret) {
			return
		}
		target, err := parseTarget(scheme + "://user:" + secret + "@" + rest)
		if err != nil && strings.Contains(err.Error(), secret) || err == nil && strings.Contains(target.shown, secret) {
			t.Errorf("the password shows: %v %v", target, err)
		}
	})
}

// Values of a query whose names tell of a secret are not shown; they are sent.
func TestSecretsOfAQueryAreNotShown(t *testing.T) {
	target, err := parseTarget("http://127.0.0.1:9100/a?x=1&access_token=hush&api-key=hush&y=2")
	if err != nil {
		t.Fatal(err)
	}
	if want := "http://127.0.0.1:9100/a?x=1&access_token=REDACTED&api-key=REDACTED&y=2"; target.shown != want {
		t.Errorf("shown is %s, want %s", target.shown, want)
	}
	if target.path != "/a?x=1&access_token=hush&api-key=hush&y=2" {
		t.Errorf("sent is %s", target.path)
	}
}
