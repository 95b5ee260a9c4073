package figure

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// texts lists the lines of a laid-out figure.
func (l *layout) allText() string {
	var b strings.Builder
	for _, t := range l.texts {
		b.WriteString(strings.Join(t.lines, " ") + "\n")
	}
	return b.String()
}

func layoutOf(t *testing.T, f sheeter, size Size) *layout {
	t.Helper()
	s, err := f.sheet(size)
	if err != nil {
		t.Fatal(err)
	}
	return s.layOut(size)
}

func eachLayout(t *testing.T, check func(*testing.T, *layout)) {
	for name, f := range fixtures() {
		for _, size := range sizes {
			t.Run(name+"/"+size.Name, func(t *testing.T) { check(t, layoutOf(t, f, size)) })
		}
	}
}

func TestTextIsNeverClipped(t *testing.T) {
	eachLayout(t, textsStayOnThePage)
}

func textsStayOnThePage(t *testing.T, l *layout) {
	t.Helper()
	for _, text := range l.texts {
		b := text.box()
		if b.Min.X < 0 || b.Max.X > l.width || b.Max.Y > 0 || b.Min.Y < -l.height {
			t.Errorf("%q lies at %v, outside the page of %v by %v", text.lines, b, l.width, l.height)
		}
	}
}

func TestTextsNeverOverlap(t *testing.T) {
	eachLayout(t, textsKeepApart)
}

// leadingSlack is the empty leading around the letters of a line, in points.
const leadingSlack = 1.7

func textsKeepApart(t *testing.T, l *layout) {
	t.Helper()
	for i, a := range l.texts {
		for _, b := range l.texts[i+1:] {
			if p, q := a.box(), b.box(); overlap(p.Min.X, p.Max.X, q.Min.X, q.Max.X) > leadingSlack &&
				overlap(p.Min.Y, p.Max.Y, q.Min.Y, q.Max.Y) > leadingSlack {
				t.Errorf("%q at %v overlaps %q at %v", a.lines, p, b.lines, q)
			}
		}
	}
}

func overlap(a0, a1, b0, b1 vg.Length) vg.Length { return min(a1, b1) - max(a0, b0) }

// onData are the texts that a layout has placed on data areas.
func (l *layout) onData() []placedText {
	var out []placedText
	for _, t := range l.texts {
		if l.overData(t) {
			out = append(out, t)
		}
	}
	return out
}

func (l *layout) overData(t placedText) bool {
	b := t.box()
	return slices.ContainsFunc(l.panels, func(p placedPanel) bool {
		return overlap(b.Min.X, b.Max.X, p.area.Min.X, p.area.Max.X) > 0.1 && overlap(b.Min.Y, b.Max.Y, p.area.Min.Y, p.area.Max.Y) > leadingSlack
	})
}

// TestTextsKeepOffTheData leaves out panels with labels, which stand on the data
// area and are tested against the marks themselves.
func TestTextsKeepOffTheData(t *testing.T) {
	eachLayout(t, func(t *testing.T, l *layout) {
		if slices.ContainsFunc(l.panels, func(p placedPanel) bool { return len(p.labels) > 0 }) {
			return
		}
		for _, text := range l.onData() {
			t.Errorf("%q at %v covers a data area", text.lines, text.box())
		}
	})
}

func TestDataAreasAlignExactly(t *testing.T) {
	eachLayout(t, func(t *testing.T, l *layout) {
		for i, p := range l.panels {
			if p.area.Size().X < 60 || p.area.Size().Y < 40 {
				t.Errorf("data area %v is too small to read", p.area)
			}
			for _, q := range l.panels[i+1:] {
				sameColumn := p.area.Min.X == q.area.Min.X
				if sameColumn && p.area.Max.X != q.area.Max.X {
					t.Errorf("stacked panels end at %v and %v", p.area.Max.X, q.area.Max.X)
				}
				sameRow := p.area.Max.Y == q.area.Max.Y
				if sameRow && p.area.Min.Y != q.area.Min.Y {
					t.Errorf("panels side by side end at %v and %v", p.area.Min.Y, q.area.Min.Y)
				}
				if !sameColumn && !sameRow && overlap(p.area.Min.X, p.area.Max.X, q.area.Min.X, q.area.Max.X) > 0 {
					t.Errorf("panels %v and %v are neither stacked nor side by side", p.area, q.area)
				}
				if p.plot.X.Min != q.plot.X.Min || p.plot.X.Max != q.plot.X.Max {
					t.Errorf("panels have horizontal ranges %v to %v and %v to %v", p.plot.X.Min, p.plot.X.Max, q.plot.X.Min, q.plot.X.Max)
				}
			}
		}
	})
}

func TestRatioPanelTakesThirtyPercent(t *testing.T) {
	for _, size := range sizes {
		l := layoutOf(t, fixtureDataOverModel(), size)
		if len(l.panels) != 4 {
			t.Fatalf("%s has %d panels, want a pair for the mean and one for p99", size.Name, len(l.panels))
		}
		var main, ratio vg.Length
		for _, p := range l.panels {
			if strings.HasPrefix(p.y.label, "observed") {
				ratio = p.area.Size().Y
			} else {
				main = p.area.Size().Y
			}
		}
		if share := float64(ratio / (main + ratio)); math.Abs(share-0.3) > 1e-9 {
			t.Errorf("%s: the ratio panel takes %v of the height, want 0.3", size.Name, share)
		}
	}
}

func TestColumnsStackAndPostsStandSideBySide(t *testing.T) {
	count := func(f sheeter, size Size) int {
		var lefts []vg.Length
		for _, p := range layoutOf(t, f, size).panels {
			if !slices.Contains(lefts, p.area.Min.X) {
				lefts = append(lefts, p.area.Min.X)
			}
		}
		return len(lefts)
	}
	for name, f := range map[string]sheeter{"load": fixtureDataOverModel(), "closed": fixtureClosed(), "trials": fixtureTrials(), "lateness": fixtureLateness()} {
		if got := count(f, Post); got != 2 {
			t.Errorf("%s: a post has %d columns of panels, want 2", name, got)
		}
		if got := count(f, Column); got != 1 {
			t.Errorf("%s: a paper's column has %d columns of panels, want 1", name, got)
		}
	}
}

func TestEveryLabelIsThere(t *testing.T) {
	wants := map[string][]string{
		"load": {"nginx: latency against offered load λ", "4000 µs", "predicted", "range over 20 seeds",
			"observed, range of 5 runs", "single runs", "mean latency (ms)", "p99 latency (ms)",
			"observed / predicted", "M/D/1", "M/M/1", "margin ±10\u00a0%", "offered load (requests/s)",
			"utilisation ρ", "n = 41,210 requests", "R = 5 runs", "VALID", "predicted blind"},
		"closed": {"clients N", "knee N* = 1.12", "N/R(1)", "1/D", "N / X by Little's law"},
		"percentiles": {"latency (ms)", "percentile", "0\u00a0%", "50\u00a0%", "90\u00a0%", "99\u00a0%", "99.9\u00a0%", "p50", "p99",
			"closed, N\u00a0=\u00a08", "open", "the stall", "observed, range of 5 runs"},
		"course": {"goodput (answered/s)", "attempts (copies/s)", "failures/s", "latency (ms)", "with retries",
			"without retries", "server frozen", "predicted", "observed", "range over 20 seeds"},
		"overload": {"growth", "10 s", "20 s", "40 s", "time since the first request (s)"},
		"trials": {"throughput (answered/s)", "p99 latency (ms)", "healthz", "redirect", "create", "47\u00a0% of the ceiling",
			"spread 0.2\u00a0%", "ceiling: GET /healthz", "median of the runs", "single runs in the order taken",
			"93.75 % interval of the median", "n = 8,300,000 requests", "R = 5 runs", "SUSPECT", "80,000", "\n1\n", "\n5\n"},
		"crowded trials": {"R\u00a0=\u00a030", "\n1\n", "\n30\n", "ceiling: a server that answers at once"},
		"peers":          {"CPU time a request (µs)", "queuelab", "52 µs", "goal: at most 1.1 × bombardier", "median of the runs", "single runs in the order taken"},
		"lateness": {"1,000 requests/s", "send lateness (µs)", "requests sent by then", "50\u00a0%", "99\u00a0%", "bombardier", "single runs",
			"goals of queuelab"},
		"sweep":      {"peak 262/s at N = 8", "clients N"},
		"long words": {"INVALID", "generator busy 97 %"},
	}
	for name, f := range fixtures() {
		text := layoutOf(t, f, Post).allText()
		for _, want := range wants[name] {
			if !strings.Contains(text, want) {
				t.Errorf("%s does not say %q; it says\n%s", name, want, text)
			}
		}
	}
}

func TestRangesHoldAllData(t *testing.T) {
	eachLayout(t, func(t *testing.T, l *layout) {
		for _, p := range l.panels {
			for _, m := range p.marks {
				o, ok := m.(observations)
				if !ok {
					continue
				}
				for _, ob := range o.points {
					for _, v := range append([]float64{ob.Y, ob.Lo, ob.Hi}, ob.Reps...) {
						if v != 0 && (v < p.plot.Y.Min || v > p.plot.Y.Max) {
							t.Errorf("%s: %v lies outside %v to %v", p.y.label, v, p.plot.Y.Min, p.plot.Y.Max)
						}
					}
				}
			}
			if p.y.scale == Linear && p.plot.Y.Min != 0 {
				t.Errorf("%s starts at %v, want 0", p.y.label, p.plot.Y.Min)
			}
		}
	})
}

func TestEveryPointAndRepetitionIsDrawn(t *testing.T) {
	f := fixtureTwoSystems()
	f.Quantities[0].Systems[0].Observed[1].Y = math.NaN()
	img, err := f.Draw(Post)
	if err != nil {
		t.Fatal(err)
	}
	c := newTally(img)
	img.DrawOn(c)
	// 4 points and their 4 ratios each, less the missing one and its ratio;
	// repetitions of the missing point are drawn all the same
	for ink, want := range map[Colour]int{Blue: 6, Red: 8} {
		p, _ := ink.paint()
		if got := c.fills[p.ink]; got != want {
			t.Errorf("%s: %d points drawn, want %d", ink, got, want)
		}
		if got := c.fills[faded(p.ink, repAlpha)]; got != 24 {
			t.Errorf("%s: %d repetitions drawn, want 24", ink, got)
		}
	}
}
