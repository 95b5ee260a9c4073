package supervise

import (
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestParentIn(t *testing.T) {
	for _, c := range []struct {
		stat   string
		parent int
		ok     bool
	}{
		{"10757 (postgres) S 10755 10757 10757 0 -1 4194560 130 0", 10755, true},
		{"1 (systemd) S 0 1 1 0 -1", 0, true},
		{"77 (a) b) R 5 (x)) T 42 77 77 0", 42, true},
		{"77 (nginx: worker process) T 42", 42, true},
		{"", 0, false},
		{"77 (short) S", 0, false},
		{"77 no brackets S 42", 0, false},
		{"77 (name) S x 1", 0, false},
		{"77 (name) S -3 1", -3, false},
	} {
		if parent, ok := parentIn(c.stat); parent != c.parent || ok != c.ok {
			t.Errorf("%q: parent %d, %v; want %d, %v", c.stat, parent, ok, c.parent, c.ok)
		}
	}
}

func FuzzParentIn(f *testing.F) {
	f.Add("10757 (postgres) S 10755 10757 10757 0 -1 4194560 130 0")
	f.Add("77 (a) b) R 5 (x)) T 42 77 77 0")
	f.Fuzz(func(t *testing.T, stat string) {
		parent, ok := parentIn(stat)
		if ok && (parent < 0 || !strings.Contains(stat, ")")) {
			t.Errorf("%q gave parent %d", stat, parent)
		}
	})
}

func TestBelow(t *testing.T) {
	tree := map[int][]int{0: {1}, 1: {2, 3}, 2: {4, 5}, 5: {6}, 3: {7}, 9: {10}}
	if got, want := below(2, tree), []int{4, 5, 6}; !reflect.DeepEqual(got, want) {
		t.Errorf("below 2: %v, want %v", got, want)
	}
	if got, want := below(1, tree), []int{2, 3, 4, 5, 7, 6}; !reflect.DeepEqual(got, want) {
		t.Errorf("below 1: %v, want %v, parents first", got, want)
	}
	if got := below(10, tree); got != nil {
		t.Errorf("below a leaf: %v", got)
	}
	// Numbers used again while looking can make a ring.
	if got, want := below(1, map[int][]int{1: {2}, 2: {3}, 3: {1, 2}}), []int{2, 3}; !reflect.DeepEqual(got, want) {
		t.Errorf("in a ring: %v, want %v", got, want)
	}
}

func TestChildrenOfThisProcess(t *testing.T) {
	children, err := Children(os.Getppid())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(children, os.Getpid()) {
		t.Errorf("the parent's children are %v, without this process %d", children, os.Getpid())
	}
	title, err := Title(os.Getpid())
	if err != nil || !strings.Contains(title, os.Args[0]) {
		t.Errorf("title %q, %v; want this program's command line", title, err)
	}
}
