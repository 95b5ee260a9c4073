package drivers

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestRequestBytes(t *testing.T) {
	cases := []struct {
		name    string
		options Options
		service time.Duration
		want    string
	}{
		{"plain", Options{URL: "http://h:81/page.txt"}, 0,
			"GET /page.txt HTTP/1.1\r\nHost: h:81\r\nUser-Agent: queuelab\r\nAccept-Encoding: gzip\r\n\r\n"},
		{"service time, first parameter", Options{URL: "http://h/", ServiceParameter: true}, 5300 * time.Microsecond,
			"GET /?service=5300000ns HTTP/1.1\r\nHost: h\r\nUser-Agent: queuelab\r\nAccept-Encoding: gzip\r\n\r\n"},
		{"service time, second parameter", Options{URL: "http://h/a?b=c", ServiceParameter: true}, 0,
			"GET /a?b=c&service=0ns HTTP/1.1\r\nHost: h\r\nUser-Agent: queuelab\r\nAccept-Encoding: gzip\r\n\r\n"},
		{"body", Options{URL: "http://h/shorten", Body: "{}", Header: []string{"Content-Type: application/json"}}, 0,
			"POST /shorten HTTP/1.1\r\nHost: h\r\nUser-Agent: queuelab\r\nAccept-Encoding: gzip\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"},
		{"own headers replace ours", Options{URL: "http://u:p@h/", Method: "HEAD", Header: []string{"host:x", "accept-encoding: br", "X:"}}, 0,
			"HEAD / HTTP/1.1\r\nUser-Agent: queuelab\r\nAuthorization: Basic dTpw\r\nhost: x\r\naccept-encoding: br\r\nX: \r\n\r\n"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			target, err := parseTarget(c.options.URL)
			if err != nil {
				t.Fatal(err)
			}
			request, err := newHTTPRequest(target, c.options)
			if err != nil {
				t.Fatal(err)
			}
			var x exchange
			for range 2 { // the scratch memory is reused
				if got := string(request.bytes(c.service, &x)); got != c.want {
					t.Errorf("request\n%q, want\n%q", got, c.want)
				}
			}
		})
	}
}

func TestWrites(t *testing.T) {
	for _, c := range []struct {
		options Options
		want    bool
	}{
		{Options{}, false},
		{Options{Body: "x"}, true},
		{Options{Method: "GET"}, false},
		{Options{Method: "GET", Body: "x"}, false},
		{Options{Method: "HEAD"}, false},
		{Options{Method: "OPTIONS"}, false},
		{Options{Method: "TRACE"}, false},
		{Options{Method: "POST"}, true},
		{Options{Method: "PUT", Body: "x"}, true},
		{Options{Method: "PATCH"}, true},
		{Options{Method: "DELETE"}, true},
		{Options{Method: "get"}, true}, // methods are case-sensitive: nobody knows what this one does
	} {
		if got := c.options.Writes(); got != c.want {
			t.Errorf("method %q with body %q writes: %v, want %v", c.options.Method, c.options.Body, got, c.want)
		}
	}
}

func TestHeadersRefused(t *testing.T) {
	for _, line := range []string{"", "no colon", ": v", "a b: c", "A: b\r\nC: d", "A: \x00", "Connection: close", "content-length: 3", "Transfer-Encoding: chunked"} {
		_, err := parseHeaders([]string{line})
		var wrong *UsageError
		if !errors.As(err, &wrong) {
			t.Errorf("parseHeaders(%q) = %v, want a usage error", line, err)
		}
	}
	_, err := parseHeaders([]string{"Authorization: Bearer hunter2\n"})
	if err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error %v: it must name the header and not its value", err)
	}
}

// FuzzParseHeaders: whatever is accepted arrives as the same headers at a
// server, and nothing else does.
func FuzzParseHeaders(f *testing.F) {
	f.Add("Name: value", "GET")
	f.Add("X-A:\t b ", "POST")
	f.Add("A: b\r\nC: d", "PUT")
	f.Add("Host: x", "get")
	f.Fuzz(func(t *testing.T, line, method string) {
		target, err := parseTarget("http://h/")
		if err != nil {
			t.Fatal(err)
		}
		request, err := newHTTPRequest(target, Options{Method: method, Header: []string{line}})
		if err != nil {
			return
		}
		name, value, _ := strings.Cut(line, ":")
		sent := request.bytes(0, nil)
		if strings.EqualFold(name, "Host") { // net/http judges what a host is
			return
		}
		got, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(sent)))
		if err != nil {
			t.Fatalf("a server cannot read %q: %v", sent, err)
		}
		if left, _ := io.ReadAll(got.Body); len(left) != 0 {
			t.Errorf("a body of %q", left)
		}
		if values := got.Header.Values(name); len(values) != 1 || values[0] != strings.Trim(value, " \t") {
			t.Errorf("header %q arrives as %q", line, values)
		}
		if len(got.Header) > 4 { // ours: user agent, accepted encoding, content length
			t.Errorf("headers %v", got.Header)
		}
	})
}
