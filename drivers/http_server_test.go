package drivers

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

func TestRequestArrivesAsWritten(t *testing.T) {
	var target, encoding, body atomic.Value
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		target.Store(r.RequestURI)
		encoding.Store(r.Header.Get("Accept-Encoding"))
		read, _ := io.ReadAll(r.Body)
		body.Store(string(read))
	}))
	defer server.Close()
	d := connected(t, 0, Options{URL: server.URL + "//a/../b%2Fc?x=%20", Body: "{}", ServiceParameter: true})
	want(t, d.Do(&Request{Service: 5300 * time.Microsecond}), "")
	if got := target.Load(); got != "//a/../b%2Fc?x=%20&service=5300000ns" {
		t.Errorf("the server was asked for %q", got)
	}
	if encoding.Load() != "gzip" || body.Load() != "{}" {
		t.Errorf("accepted encoding %q, body %q", encoding.Load(), body.Load())
	}
}

// A redirect is an answer, whatever it asks for: its Location is never called.
func TestRedirectIsNotFollowed(t *testing.T) {
	var called, followed atomic.Int64
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	mux.HandleFunc("/elsewhere", func(http.ResponseWriter, *http.Request) { followed.Add(1) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		for _, location := range []string{"/elsewhere", server.URL + "/elsewhere"} {
			path := fmt.Sprintf("/%d/%t", status, location == "/elsewhere")
			mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
				called.Add(1)
				w.Header().Set("Location", location)
				w.WriteHeader(status)
			})
			called.Store(0)
			for _, body := range []string{"", "{}"} {
				options := Options{URL: server.URL + path, Body: body}
				want(t, connected(t, 0, options).Do(&Request{}), "")
				options.Expect = []int{200}
				want(t, connected(t, 0, options).Do(&Request{}), fmt.Sprintf("status_%d", status))
			}
			if called.Load() != 4 || followed.Load() != 0 {
				t.Errorf("%d to %s: called %d times for 4 requests, followed %d times", status, location, called.Load(), followed.Load())
			}
		}
	}
}

func TestTLS(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.WriteString(w, r.Proto)
	}))
	// Having asked for a client's certificate, this server sends its session
	// ticket after the handshake, as others always do.
	server.TLS = &tls.Config{ClientAuth: tls.RequestClientCert}
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	driver, err := New("http", Options{URL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer driver.Close()
	d := driver.(*httpDriver)
	var unreachable *UnreachableError
	if err := d.Connect(t.Context(), 0); !errors.As(err, &unreachable) || !strings.Contains(err.Error(), "certificate") {
		t.Fatalf("Connect = %v, want an error about the certificate", err)
	}
	d.config.RootCAs = x509.NewCertPool()
	d.config.RootCAs.AddCert(server.Certificate())
	d.config.ClientSessionCache = tls.NewLRUClientSessionCache(1) // asks for session tickets
	if err := d.Connect(t.Context(), 2); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		time.Sleep(20 * idleUnchecked) // a session ticket lies unread: no close
		want(t, d.Do(&Request{Deadline: time.Now().Add(time.Minute)}), "")
	}
	if got, want := d.Connections(), (Connections{Established: 2, Opened: 2}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
}

func TestTargetShowsTheAddressAndNoSecret(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	_, port, _ := strings.Cut(strings.TrimPrefix(server.URL, "http://"), ":")
	d := connected(t, 0, Options{URL: "http://user:secret@localhost:" + port + "/x"})
	// A status is not judged when connecting; a name with several addresses
	// ends at the one that takes connections.
	if got, want := d.Target(), "GET http://localhost:"+port+"/x at 127.0.0.1:"+port; got != want {
		t.Errorf("Target() = %q, want %q", got, want)
	}
	want(t, d.Do(&Request{}), "status_404")
}

func TestConnectIsInterrupted(t *testing.T) {
	driver, err := New("http", Options{URL: "http://127.0.0.1:9/"})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = driver.Connect(ctx, 1)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Connect = %v, want the context's error", err)
	}
}
