package figure

import (
	"fmt"
	"strings"

	"gonum.org/v1/plot/vg"
)

// placeWords places title, subtitle and a verdict that is not VALID.
func (l *layout) placeWords(t Text, y vg.Length) vg.Length {
	inner := l.width - 2*outer
	var tag block
	if t.Verdict != "" && t.Verdict != "VALID" {
		tag = bold(titleSize, inkAlarm).set(t.Verdict, inner/3)
		l.write(tag, vg.Point{X: l.width - outer, Y: y}, right)
		inner -= tag.width() + 2*textGap
	}
	title := bold(titleSize, inkDark).set(t.Title, inner)
	l.write(title, vg.Point{X: outer, Y: y}, left)
	y -= max(title.height(), tag.height())
	subtitle := body(inkSoft).set(t.Subtitle, l.width-2*outer)
	l.write(subtitle, vg.Point{X: outer, Y: y}, left)
	return y - subtitle.height() - textGap
}

// placeCaption places the caption line at the bottom.
func (l *layout) placeCaption(t Text, remarks []string, y vg.Length) vg.Length {
	caption := body(inkSoft).set(t.captionLine(remarks), l.width-2*outer)
	if len(caption.lines) == 0 {
		return y
	}
	y -= textGap
	l.write(caption, vg.Point{X: outer, Y: y}, left)
	return y - caption.height()
}

// captionLine is n, R, verdict, the caption and the figure's own remarks.
func (t Text) captionLine(remarks []string) string {
	var parts []string
	if t.Requests > 0 {
		parts = append(parts, "n = "+grouped(fmt.Sprint(t.Requests))+plural(t.Requests, " request"))
	}
	if t.Runs > 0 {
		parts = append(parts, "R = "+grouped(fmt.Sprint(t.Runs))+plural(int64(t.Runs), " run"))
	}
	for _, s := range append([]string{t.Verdict, t.Caption}, remarks...) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " · ")
}

func plural(n int64, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}
