package supervise

import (
	"strings"
	"testing"

	"queuelab/measure/workload"
)

func TestStallKindsResolve(t *testing.T) {
	both := StallKinds{workload.Lock, workload.Freeze}
	for _, tt := range []struct {
		kinds        StallKinds
		wanted, kind workload.StallKind
	}{
		{both, workload.AnyStall, workload.Lock},
		{both, workload.Lock, workload.Lock},
		{both, workload.Freeze, workload.Freeze},
		{both[1:], workload.AnyStall, workload.Freeze},
	} {
		if kind, err := tt.kinds.Resolve("x", tt.wanted); err != nil || kind != tt.kind {
			t.Errorf("%v of %v: %v, %v; want %v", tt.wanted, tt.kinds, kind, err, tt.kind)
		}
	}
	for wanted, says := range map[workload.StallKind]string{workload.Lock: "kind lock: use freeze", "nap": "kind nap: use freeze"} {
		if _, err := both[1:].Resolve("nginx", wanted); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "nginx") {
			t.Errorf("%v: error %v, want one that says %q", wanted, err, says)
		}
	}
}
