package workload_test

import (
	"math"
	"testing"
	"time"

	"queuelab/measure/workload"
)

func TestMostCopies(t *testing.T) {
	three := workload.Retry{After: 10, Copies: 3}
	for _, tt := range []struct {
		retry   workload.Retry
		timeout time.Duration
		most    int
	}{
		{workload.Retry{}, 0, 1},
		{workload.Retry{}, 1, 1},
		{workload.Retry{After: 10, Copies: 1}, 100, 1},
		{three, 0, 3},
		{three, 1, 1},
		{three, 10, 1},
		{three, 11, 2},
		{three, 20, 2},
		{three, 21, 3},
		{three, math.MaxInt64, 3},
		{workload.Retry{After: math.MaxInt64, Copies: 3}, math.MaxInt64, 1},
		{workload.Retry{After: 1, Copies: workload.MaxCopies}, math.MaxInt64, workload.MaxCopies},
	} {
		w := workload.Workload{Retry: tt.retry, Timeout: tt.timeout}
		if most := w.MostCopies(); most != tt.most {
			t.Errorf("%+v with a timeout of %d ns: at most %d copies, want %d", tt.retry, tt.timeout, most, tt.most)
		}
	}
}
