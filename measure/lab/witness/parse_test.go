package witness

import (
	"slices"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	tests := []struct {
		text string
		want []int64
		bad  string // part of the error
	}{
		{"", nil, ""},
		{"1790000000000000001\n1790000000000000000\n", []int64{1790000000000000001, 1790000000000000000}, ""},
		{"17\n18", []int64{17, 18}, ""},
		{"17\n\n18\n", nil, "line 2"},
		{"17\nx\n", nil, `"x"`},
		{"-17\n", nil, "line 1"},
		{"9223372036854775808\n", nil, "line 1"},
		{strings.Repeat("1", 1<<20), nil, "read the stamps"},
	}
	for _, test := range tests {
		got, err := parse(strings.NewReader(test.text))
		if !slices.Equal(got, test.want) || (err == nil) != (test.bad == "") || err != nil && !strings.Contains(err.Error(), test.bad) {
			t.Errorf("%.40q: %v, %v; want %v and an error with %q", test.text, got, err, test.want, test.bad)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Fuzz(func(t *testing.T, text string) {
		got, err := parse(strings.NewReader(text))
		if err != nil {
			return
		}
		if lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1; text != "" && len(got) != lines {
			t.Errorf("%d stamps in %d lines", len(got), lines)
		}
		for _, stamp := range got {
			if stamp <= 0 {
				t.Errorf("stamp %d", stamp)
			}
		}
	})
}
