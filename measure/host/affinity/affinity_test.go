package affinity

import (
	"errors"
	"testing"
)

func TestList(t *testing.T) {
	for _, c := range []struct {
		cpus []int
		want string
	}{
		{nil, ""},
		{[]int{0}, "0"},
		{[]int{0, 1}, "0-1"},
		{[]int{3, 0, 1, 2, 8}, "0-3,8"},
		{[]int{5, 5, 7}, "5,7"},
		{[]int{1, 3, 4, 5, 9, 10}, "1,3-5,9-10"},
	} {
		if got := List(c.cpus); got != c.want {
			t.Errorf("List(%v) = %q, want %q", c.cpus, got, c.want)
		}
	}
}

func TestLastOf(t *testing.T) {
	for _, c := range []struct {
		name      string
		cpus      []int
		err       error
		supported bool
		want      int
	}{
		{"two", []int{0, 1}, nil, true, 1},
		{"a set with holes", []int{2, 5, 9}, nil, true, 9},
		{"one CPU", []int{3}, nil, true, -1},
		{"unknown", nil, errors.New("no"), true, -1},
		{"another system", []int{0, 1}, nil, false, -1},
	} {
		cpu, reason := lastOf(c.cpus, c.err, c.supported)
		if cpu != c.want || (reason == "") != (cpu >= 0) {
			t.Errorf("%s: CPU %d, reason %q; want CPU %d and a reason only without one", c.name, cpu, reason, c.want)
		}
	}
}
