package shortener

import (
	"fmt"
	"strconv"
	"strings"

	"queuelab/drivers"
	"queuelab/measure/lab/tally"
	"queuelab/measure/workload"
)

// Counter is the HTTP server's own count of requests.
func (s *Server) Counter(drivers.Options, *workload.Workload) tally.Counter {
	return &tally.Page{Name: "the shortener's own count", URL: s.Base() + countPath, Parse: parseCount}
}

// parseCount reads the page of the count, "12\n".
func parseCount(page string) (int64, error) {
	n, err := strconv.ParseUint(strings.TrimSuffix(page, "\n"), 10, 63)
	if err != nil {
		return 0, fmt.Errorf("the page of the count is not understood: %.200q", page)
	}
	return int64(n), nil
}
