package nginx

import (
	"fmt"
	"strings"
)

// pageName is the page's file name and path.
const pageName = "page.txt"

// modules keep temporary files, each in a directory that nginx makes at the start
// whether or not it is used. The compiled-in ones belong to the system's nginx.
var modules = []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"}

// configuration returns nginx.conf. Whatever it does not say is nginx's default,
// which includes text/plain as the type of a .txt file, 512 connections a worker
// and 1,000 requests a connection. Paths are relative to the private directory.
// The build is what `nginx -V` prints; the snippet goes into the server block, as does
// the count of requests, where the build has one.
func configuration(port int, build, snippet string) string {
	var own strings.Builder
	for _, m := range modules {
		if !strings.Contains(build, "--without-http_"+m+"_module") {
			fmt.Fprintf(&own, "    %s_temp_path temp-%s;\n", m, m)
		}
	}
	if snippet != "" {
		snippet = "        " + strings.TrimSpace(snippet) + "\n"
	}
	return fmt.Sprintf(`# Private to this directory and to the program that started it.
daemon off;
pid nginx.pid;
error_log stderr;
worker_processes 1;
events {}
http {
%s    access_log off;
    gzip on;
    gzip_comp_level 9;
    gzip_types text/plain;
    server {
        listen 127.0.0.1:%d reuseport;
        root html;
%s%s    }
}
`, own.String(), port, statusLocation(build), snippet)
}
