package nginx

import (
	"fmt"
	"strconv"
	"strings"

	"queuelab/drivers"
	"queuelab/measure/lab/tally"
	"queuelab/measure/workload"
)

// statusPath is where nginx tells its count of requests.
const statusPath = "/queuelab-status"

// counts says whether a build, as `nginx -V` prints it, has the module that counts.
func counts(build string) bool { return strings.Contains(build, "--with-http_stub_status_module") }

// statusLocation is the location in the server block that shows the count, "" where the
// build has none.
func statusLocation(build string) string {
	if !counts(build) {
		return ""
	}
	return "        location = " + statusPath + " { stub_status; }\n"
}

// Counter is nginx's own count of requests, nil when it was built without.
func (s *Server) Counter(drivers.Options, *workload.Workload) tally.Counter {
	if !counts(s.build) {
		return nil
	}
	return &tally.Page{Name: "nginx stub_status", URL: s.Base() + statusPath, Parse: parseStatus, Counted: true}
}

// parseStatus returns the number of requests from the page of stub_status:
//
//	Active connections: 1
//	server accepts handled requests
//	 5 5 12
//	Reading: 0 Writing: 1 Waiting: 0
func parseStatus(page string) (requests int64, err error) {
	_, rest, _ := strings.Cut(page, "server accepts handled requests\n")
	line, _, _ := strings.Cut(rest, "\n")
	if fields := strings.Fields(line); len(fields) == 3 {
		if n, err := strconv.ParseUint(fields[2], 10, 63); err == nil {
			return int64(n), nil
		}
	}
	return 0, fmt.Errorf("the page of stub_status is not understood: %.200q", page)
}
