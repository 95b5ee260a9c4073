package figure

import "fmt"

// CapacitySweep is the answered rate of closed runs against their number of
// clients, with the peak marked: the capacity. Predictions and bounds lie behind
// the observed points.
type CapacitySweep struct {
	Text
	Throughput Quantity `json:"throughput"`
}

var _ Figure = CapacitySweep{}

// Draw lays the figure out in one panel.
func (f CapacitySweep) Draw(size Size) (Image, error) {
	s, err := f.sheet(size)
	if err != nil {
		return Image{}, fmt.Errorf("cannot draw %q: %w", f.Title, err)
	}
	return s.image(size)
}

func (f CapacitySweep) sheet(size Size) (sheet, error) {
	ps, err := paintsOf(f.Throughput)
	if err != nil {
		return sheet{}, err
	}
	if err := checkClients(f.Throughput); err != nil {
		return sheet{}, err
	}
	if allEmpty(Linear, f.Throughput) {
		return sheet{}, errNothing
	}
	p := f.Throughput.panel(Linear, ps, grainOf(size, f.Throughput), panelHeight(size))
	for _, s := range f.Throughput.Systems {
		peak, ok := s.peak()
		if !ok {
			continue
		}
		name := fmt.Sprintf("peak %s/s at N = %s", short(peak.Y), short(peak.X))
		if len(f.Throughput.Systems) > 1 {
			name = s.Name + ": " + name
		}
		style := ruleStyle
		style.Color = ps[s.Name].ink
		p.mark(peak.X, rule{x: peak.X, y: peak.Y, style: style}, name, ps[s.Name].ink)
	}
	return sheet{
		words:   f.Text,
		key:     keyOf(f.Text, ps, f.Throughput),
		columns: []column{{clientsAxis(f.Throughput), []*panel{p}}},
	}, nil
}

// peak is the highest observed point, the one with the fewest clients among
// equals.
func (s System) peak() (best Observation, ok bool) {
	for _, o := range s.Observed {
		if !Log.shows(o.X) || !finite(o.Y) {
			continue
		}
		if !ok || o.Y > best.Y || o.Y == best.Y && o.X < best.X {
			best, ok = o, true
		}
	}
	return best, ok
}
