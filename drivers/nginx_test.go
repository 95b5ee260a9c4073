package drivers

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// nginxConf is a server with nginx's defaults where connections are concerned.
// %[1]s is its folder, %[2]s its port, %[3]s a user directive when root starts
// it, since a worker of another user cannot enter the folder.
const nginxConf = `
daemon off;
%[3]s
worker_processes 1;
error_log %[1]s/error.log;
pid %[1]s/nginx.pid;
events {}
http {
    access_log off;
    gzip on;
    gzip_comp_level 9;
    gzip_types text/plain;
    types { text/plain txt; }
    client_body_temp_path %[1]s/body;
    proxy_temp_path %[1]s/proxy;
    fastcgi_temp_path %[1]s/fastcgi;
    uwsgi_temp_path %[1]s/uwsgi;
    scgi_temp_path %[1]s/scgi;
    server {
        listen 127.0.0.1:%[2]s;
        root %[1]s;
        location = /ok { return 200 "ok"; }
        location = /moved { return 302 /ok; }
        location = /busy { return 503; }
    }
}
`

// nginx starts a private server and returns its URL without a path.
func nginx(t testing.TB) string {
	t.Helper()
	binary := program(t, "nginx", "/usr/sbin", "/usr/local/sbin")
	folder := t.TempDir()
	port := freePort(t)
	user := ""
	if os.Getuid() == 0 {
		user = "user root;"
	}
	conf := filepath.Join(folder, "nginx.conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, nginxConf, folder, port, user), 0o600); err != nil {
		t.Fatal(err)
	}
	page := strings.Repeat("All that is gold does not glitter, not all those who wander are lost.\n", 1200)
	if err := os.WriteFile(filepath.Join(folder, "page.txt"), []byte(page[:80_000]), 0o600); err != nil {
		t.Fatal(err)
	}
	start(t, "TERM", func(*exec.Cmd) {}, binary, "-p", folder, "-c", conf)
	eventually(t, "nginx listens", func() bool {
		conn, err := net.Dial("tcp", "127.0.0.1:"+port)
		if err == nil {
			conn.Close()
		}
		return err == nil
	})
	return "http://127.0.0.1:" + port
}

// nginx closes a connection after 1,000 requests (keepalive_requests) and says
// so in the last answer.
func TestNginxAnnouncesCloses(t *testing.T) {
	const requests, clients = 2500, 2
	// Without a limit a client opens one more when it is handed the other's.
	d := connected(t, clients, Options{URL: nginx(t) + "/ok", Connections: clients})
	var left atomic.Int64
	left.Store(requests)
	var all sync.WaitGroup
	for range clients {
		all.Go(func() {
			for left.Add(-1) >= 0 {
				if a := d.Do(&Request{}); a.Class != "" || a.TimedOut {
					t.Errorf("answer %+v", a)
				}
			}
		})
	}
	all.Wait()
	// Two connections that are still open have carried fewer than 2,000 of the
	// 2,500 requests, so at least one was closed; there is no third thousand.
	got := d.Connections()
	if got.Announced < 1 || got.Announced > 2 || got.Lost != 0 || got.Reopened != 0 {
		t.Errorf("connections %+v, want one or two announced closes and none lost", got)
	}
	if got.Opened > clients+got.Announced || got.Established != got.Opened-got.Announced {
		t.Errorf("connections %+v do not add up: with all that are allowed open, one is opened only in place of one that was closed", got)
	}
}

func TestNginxCloseAfterAThousand(t *testing.T) {
	d := connected(t, 1, Options{URL: nginx(t) + "/ok"})
	for range 2500 {
		want(t, d.Do(&Request{}), "")
	}
	if got, want := d.Connections(), (Connections{Established: 1, Opened: 3, Announced: 2}); got != want {
		t.Errorf("connections %+v, want %+v", got, want)
	}
}

func TestNginxAnswers(t *testing.T) {
	url := nginx(t)
	for path, class := range map[string]string{
		"/page.txt": "", // gzip on the fly, chunked
		"/moved":    "",
		"/busy":     "status_503",
		"/nothing":  "status_404",
	} {
		d := connected(t, 1, Options{URL: url + path})
		for range 20 {
			want(t, d.Do(&Request{}), class)
		}
		if got, want := d.Connections(), (Connections{Established: 1, Opened: 1}); got != want {
			t.Errorf("%s: connections %+v, want %+v", path, got, want)
		}
	}
}
