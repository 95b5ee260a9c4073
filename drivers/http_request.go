package drivers

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// httpRequest is the bytes of the request, made once. Only the service time
// differs between two copies; where none travels, the whole request is head
// and goes out as it is.
type httpRequest struct {
	method string
	head   []byte // up to and including service=, or everything
	tail   []byte // what follows the service time; nil when none travels
}

// framing are the headers that say where a message ends and what becomes of
// the connection: the driver's own business.
var framing = []string{"connection", "content-length", "transfer-encoding", "keep-alive", "upgrade", "expect", "te", "trailer"}

// safe are the methods that promise to change nothing that a server keeps (RFC 9110,
// section 9.2.1).
var safe = []string{"GET", "HEAD", "OPTIONS", "TRACE"}

// Writes says whether HTTP requests may change what the server keeps: all may but
// those whose method promises that they do not.
func (o Options) Writes() bool { return !slices.Contains(safe, o.method()) }

// method is the HTTP method of the requests.
func (o Options) method() string {
	switch {
	case o.Method != "":
		return o.Method
	case o.Body != "":
		return "POST"
	}
	return "GET"
}

// newHTTPRequest writes the request down. Its error is a *UsageError.
func newHTTPRequest(target *httpTarget, o Options) (*httpRequest, error) {
	method := o.method()
	if !isToken(method) {
		return nil, usage("%q is no HTTP method; write GET, POST or the like", method)
	}
	headers, err := parseHeaders(o.Header)
	if err != nil {
		return nil, err
	}
	given := func(name string) bool {
		return slices.ContainsFunc(headers, func(h [2]string) bool { return strings.EqualFold(h[0], name) })
	}
	var rest bytes.Buffer
	rest.WriteString(" HTTP/1.1\r\n")
	own := [][2]string{{"Host", target.authority}, {"User-Agent", "queuelab"}, {"Accept-Encoding", "gzip"}}
	if target.authorization != "" {
		own = append(own, [2]string{"Authorization", target.authorization})
	}
	for _, h := range own {
		if !given(h[0]) {
			fmt.Fprintf(&rest, "%s: %s\r\n", h[0], h[1])
		}
	}
	for _, h := range headers {
		fmt.Fprintf(&rest, "%s: %s\r\n", h[0], h[1])
	}
	if o.Body != "" || slices.Contains([]string{"POST", "PUT", "PATCH"}, method) {
		fmt.Fprintf(&rest, "Content-Length: %d\r\n", len(o.Body))
	}
	rest.WriteString("\r\n")
	rest.WriteString(o.Body)

	line := method + " " + target.path
	if !o.ServiceParameter {
		return &httpRequest{method: method, head: append([]byte(line), rest.Bytes()...)}, nil
	}
	separator := "?"
	if strings.Contains(target.path, "?") {
		separator = "&"
	}
	return &httpRequest{method: method, head: []byte(line + separator + "service="), tail: rest.Bytes()}, nil
}

// bytes returns the request with its service time, in nanoseconds so that
// nothing is rounded. It is written into x only when a service time travels.
func (r *httpRequest) bytes(service time.Duration, x *exchange) []byte {
	if r.tail == nil {
		return r.head
	}
	x.scratch = append(x.scratch[:0], r.head...)
	x.scratch = strconv.AppendInt(x.scratch, service.Nanoseconds(), 10)
	x.scratch = append(x.scratch, "ns"...)
	x.scratch = append(x.scratch, r.tail...)
	return x.scratch
}

// parseHeaders takes "Name: value" lines apart. Its error is a *UsageError; it
// names the header but not its value, which may be a secret.
func parseHeaders(lines []string) ([][2]string, error) {
	headers := make([][2]string, 0, len(lines))
	for i, line := range lines {
		name, value, found := strings.Cut(line, ":")
		if !found || !isToken(name) {
			return nil, usage("header %d is not of the form \"Name: value\"", i+1)
		}
		value = strings.Trim(value, " \t")
		for _, b := range []byte(value) {
			if (b < ' ' && b != '\t') || b == 0x7f {
				return nil, usage("the header %s has a line break or control character in its value; remove it", name)
			}
		}
		if slices.Contains(framing, strings.ToLower(name)) {
			return nil, usage("the header %s cannot be set: connections and message lengths are the driver's own business", name)
		}
		headers = append(headers, [2]string{name, value})
	}
	return headers, nil
}

// isToken says whether s is a token of RFC 9110, section 5.6.2: what a method
// and a header name are made of.
func isToken(s string) bool {
	for _, r := range s {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		if !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) {
			return false
		}
	}
	return s != ""
}
