package kendall_test

import (
	"math"
	"strings"
	"testing"

	"queuelab/sim/kendall"
)

func TestParse(t *testing.T) {
	m := kendall.Letter{Kind: kendall.Markovian}
	d := kendall.Letter{Kind: kendall.Deterministic}
	g := kendall.Letter{Kind: kendall.General}
	tests := []struct {
		text, canonical string
		want            kendall.Model
	}{
		{"M/M/1", "M/M/1", kendall.Model{Arrival: m, Service: m, Servers: 1}},
		{" m/d/1 ", "M/D/1", kendall.Model{Arrival: m, Service: d, Servers: 1}},
		{"M/M/3/7", "M/M/3/7", kendall.Model{Arrival: m, Service: m, Servers: 3, Capacity: 7}},
		{"M/M/3/3", "M/M/3/3", kendall.Model{Arrival: m, Service: m, Servers: 3, Capacity: 3}},
		{"M/M/1//10", "M/M/1//10", kendall.Model{Arrival: m, Service: m, Servers: 1, Population: 10}},
		{"M/M/1/inf/10", "M/M/1//10", kendall.Model{Arrival: m, Service: m, Servers: 1, Population: 10}},
		{"M/M/2/5/10", "M/M/2/5/10", kendall.Model{Arrival: m, Service: m, Servers: 2, Capacity: 5, Population: 10}},
		{"M/M/1/INF/inf", "M/M/1", kendall.Model{Arrival: m, Service: m, Servers: 1}},
		{"M/M/1//", "M/M/1", kendall.Model{Arrival: m, Service: m, Servers: 1}},
		{"D/E4/12", "D/E4/12", kendall.Model{Arrival: d, Service: kendall.Letter{Kind: kendall.Erlang, Stages: 4}, Servers: 12}},
		{"G/H2/1", "G/H2/1", kendall.Model{Arrival: g, Service: kendall.Letter{Kind: kendall.Hyperexponential, Stages: 2}, Servers: 1}},
	}
	for _, tt := range tests {
		got, err := kendall.Parse(tt.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", tt.text, err)
			continue
		}
		if got != tt.want {
			t.Errorf("Parse(%q) = %+v, want %+v", tt.text, got, tt.want)
		}
		if got.String() != tt.canonical {
			t.Errorf("Parse(%q).String() = %q, want %q", tt.text, got, tt.canonical)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	tests := []struct{ text, says string }{
		{"", "1 parts"},
		{"M/M", "2 parts"},
		{"M/M/1/2/3/FIFO", "6 parts"},
		{"X/M/1", `arrivals: "X" is none of`},
		{"M//1", `service: "" is none of`},
		{"M/E/1", "number of stages"},
		{"M/E0/1", "number of stages"},
		{"M/E-1/1", "number of stages"},
		{"M/H3/1", `"H3" is none of`},
		{"M/M/0", "servers"},
		{"M/M/-1", "servers"},
		{"M/M/1.5", "servers"},
		{"M/M/inf", "servers"},
		{"M/M/99999999999999999999", "servers"},
		{"M/M/2000000", "1 to 1000000"},
		{"M/M/3/2", "capacity 2 is less than the 3 servers"},
		{"M/M/1/x", "capacity"},
		{"M/M/1/0", "capacity"},
		{"M/M/1//0", "population"},
		{"M/M/1//-4", "population"},
		{"M/M/1//NaN", "population"},
	}
	for _, tt := range tests {
		_, err := kendall.Parse(tt.text)
		if err == nil {
			t.Errorf("Parse(%q) accepted it", tt.text)
		} else if !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("Parse(%q) says %q, want one line with %q", tt.text, err, tt.says)
		}
	}
}

func TestWaitingPlaces(t *testing.T) {
	for _, tt := range []struct {
		text    string
		places  int
		limited bool
	}{{"M/M/3/7", 4, true}, {"M/M/3/3", 0, true}, {"M/M/3", 0, false}} {
		m, err := kendall.Parse(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		if places, limited := m.WaitingPlaces(); places != tt.places || limited != tt.limited {
			t.Errorf("%s: WaitingPlaces() = %d, %v, want %d, %v", tt.text, places, limited, tt.places, tt.limited)
		}
	}
}

func TestResolveSCV(t *testing.T) {
	tests := []struct {
		letter      string
		given, want float64 // want < 0: refused
	}{
		{"M", 0, 1}, {"M", 1, 1}, {"M", 2, -1},
		{"D", 0, 0}, {"D", 0.5, -1},
		{"E4", 0, 0.25}, {"E4", 0.25, 0.25}, {"E4", 1, -1},
		{"H2", 4, 4}, {"H2", 1, -1}, {"H2", 0, -1},
		{"G", 0.3, 0.3}, {"G", 0, -1},
		{"G", math.NaN(), -1}, {"G", math.Inf(1), -1}, {"G", -1, -1}, {"M", math.NaN(), -1},
	}
	for _, tt := range tests {
		m, err := kendall.Parse("M/" + tt.letter + "/1")
		if err != nil {
			t.Fatal(err)
		}
		got, err := m.Service.ResolveSCV(tt.given)
		switch {
		case tt.want < 0 && err == nil:
			t.Errorf("%s with SCV %v accepted as %v", tt.letter, tt.given, got)
		case tt.want >= 0 && (err != nil || got != tt.want):
			t.Errorf("%s with SCV %v = %v, %v, want %v", tt.letter, tt.given, got, err, tt.want)
		}
	}
}

// FuzzParse asserts that what is accepted is a possible queue, and that its
// written form means the same.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"M/M/1", "M/D/1", "G/E4/3", "M/H2/2/9", "M/M/1//10", "M/M/1/inf/∞", "d/m/1//", "M/M/3/2", "M/E/1", "//", "M/M/+1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		m, err := kendall.Parse(text)
		if err != nil {
			return
		}
		if m.Servers < 1 || m.Capacity < 0 || m.Population < 0 || m.Capacity != 0 && m.Capacity < m.Servers {
			t.Fatalf("Parse(%q) = %+v is not a possible queue", text, m)
		}
		again, err := kendall.Parse(m.String())
		if err != nil || again != m {
			t.Fatalf("Parse(%q) = %+v, but its form %q reads as %+v, %v", text, m, m, again, err)
		}
	})
}
