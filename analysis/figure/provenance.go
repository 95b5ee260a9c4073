package figure

// Provenance says where a figure comes from. It is stored inside the file, so
// that a picture found in a post still tells how to make it again. Empty fields
// are left out. The caller passes everything, the creation time as well: nothing
// here reads the clock, so a redraw of saved data gives the same bytes.
type Provenance struct {
	Software string // name and version of the program
	Commit   string // commit of the program, with a mark for uncommitted changes
	Command  string // command line, secrets removed
	Seed     string // seed of the workload
	Created  string // when the data were taken, as text
}

// entries are the keyword and text pairs of the file, in a fixed order. Software,
// Creation Time, Title and Description are keywords of the PNG specification.
func (p Provenance) entries(title, description string) [][2]string {
	all := [][2]string{
		{"Title", title}, {"Description", description},
		{"Software", p.Software}, {"Commit", p.Commit}, {"Command", p.Command},
		{"Seed", p.Seed}, {"Creation Time", p.Created},
	}
	var out [][2]string
	for _, e := range all {
		if e[1] != "" {
			out = append(out, e)
		}
	}
	return out
}
