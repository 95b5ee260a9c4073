package reports

import (
	"bytes"
	"fmt"

	"queuelab/analysis"
	"queuelab/analysis/figure"
	"queuelab/measure/record"
)

// bandNote is what the shaded band of every prediction is.
var bandNote = fmt.Sprintf("95 %% of %d simulated runs", replications)

// draw saves a figure's data and draws it; it returns the page's figure.
func (r *runner) draw(name, alt string, f figure.Figure) (*Figure, error) {
	data, err := figure.Marshal(f)
	if err != nil {
		return nil, err
	}
	saved := "data/" + name + ".json"
	if err := r.folder.writeFile(saved, data); err != nil {
		return nil, err
	}
	var png bytes.Buffer
	if err := figure.WritePNG(&png, f, figure.Post, r.provenance()); err != nil {
		return nil, fmt.Errorf("figure %s: %w", name, err)
	}
	if err := r.folder.writeFile(name+".png", png.Bytes()); err != nil {
		return nil, err
	}
	return &Figure{File: name + ".png", Alt: alt, Data: saved}, nil
}

func (r *runner) provenance() figure.Provenance {
	h := r.results.Header
	return figure.Provenance{
		Software: "queuelab " + h.Version,
		Commit:   h.Commit,
		Command:  h.Command,
		Seed:     fmt.Sprint(r.Study.Seed),
		Created:  r.results.Start.Format("2006-01-02T15:04:05Z07:00"),
	}
}

// colours keep a target's colour throughout a report.
var colours = []figure.Colour{figure.Blue, figure.Red, figure.Green, figure.Purple, figure.Cyan, figure.Yellow}

func (r *runner) colour(target string) figure.Colour {
	for i, t := range r.results.Targets {
		if t.Name == target {
			return colours[i%len(colours)]
		}
	}
	return ""
}

// predicted is a point of a predicted curve.
func predicted(x float64, e analysis.Estimate) figure.Point {
	return figure.Point{X: x, Y: float64(e.Value), Lo: float64(e.Lo), Hi: float64(e.Hi)}
}

// observed is the median of runs with their range.
func observed(x float64, runs []record.Value) figure.Observation {
	values := finite(runs)
	o := figure.Observation{X: x, Y: median(values)}
	if len(values) > 1 {
		o.Lo, o.Hi, o.Reps = values[0], values[len(values)-1], values
	}
	return o
}

// slug makes a file name of a title.
func slug(text string) string {
	var b bytes.Buffer
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b.WriteByte(c)
		case 'A' <= c && c <= 'Z':
			b.WriteByte(c - 'A' + 'a')
		case b.Len() > 0 && b.Bytes()[b.Len()-1] != '-':
			b.WriteByte('-')
		}
	}
	return string(bytes.Trim(b.Bytes(), "-"))
}
