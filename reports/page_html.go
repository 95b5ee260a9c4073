package reports

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"html/template"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// WriteHTML writes the page as one self-contained HTML document with the
// pictures of dir inlined. Nothing in it asks for anything from a network.
func (p *Page) WriteHTML(w io.Writer, dir string) error {
	view := pageView{Page: p, Style: template.CSS(pageStyle)}
	ids := map[string]bool{}
	for _, s := range p.Sections {
		section, err := viewSection(s, dir)
		if err != nil {
			return err
		}
		section.ID = freshID(s.Heading, ids)
		view.Sections = append(view.Sections, section)
	}
	// Rendered whole before the first byte is written: an error leaves no half
	// page.
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, view); err != nil {
		return fmt.Errorf("the page cannot be rendered: %w", err)
	}
	_, err := w.Write(out.Bytes())
	return err
}

// pageView and the types below are the page as the template needs it.
type pageView struct {
	*Page
	Style    template.CSS
	Sections []sectionView
}

type sectionView struct {
	Section
	ID     string
	Figure *figureView
	Table  *tableView
}

type figureView struct {
	*Figure
	Image         template.URL // data: URI
	Width, Height int          // pixels
	// FileLink leads to the picture in the folder, to see it in its full size.
	FileLink, DataLink string
}

type tableView struct {
	*Table
	Heads []headView
	Rows  [][]cellView
}

type headView struct {
	Head, Unit string
	Numeric    bool
}

type cellView struct {
	Class            string
	Word, Kind, Rest string
}

// longCell is how many characters a cell has that needs room for a line of
// words, so that a narrow window does not make a column of them.
const longCell = 24

func viewSection(s Section, dir string) (sectionView, error) {
	view := sectionView{Section: s}
	if s.Figure != nil {
		figure, err := viewFigure(s.Figure, dir)
		if err != nil {
			return view, err
		}
		view.Figure = figure
	}
	if s.Table != nil {
		view.Table = viewTable(s.Table)
	}
	return view, nil
}

// viewFigure reads the picture. What is no PNG is refused: it would be inlined
// under a false name.
func viewFigure(f *Figure, dir string) (*figureView, error) {
	file, err := link(f.File)
	if err != nil {
		return nil, err
	}
	picture, err := os.ReadFile(filepath.Join(dir, f.File))
	if err != nil {
		return nil, fmt.Errorf("a picture of the page cannot be read: %w", err)
	}
	size, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil {
		return nil, fmt.Errorf("the picture %s of the page is not a PNG: %w", f.File, err)
	}
	view := &figureView{
		Figure: f, Width: size.Width, Height: size.Height, FileLink: file,
		Image: template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(picture)),
	}
	if f.Data != "" {
		if view.DataLink, err = link(f.Data); err != nil {
			return nil, err
		}
	}
	return view, nil
}

func viewTable(t *Table) *tableView {
	numeric := t.numeric()
	view := &tableView{Table: t}
	for c := range t.width() {
		head, unit := t.column(c)
		view.Heads = append(view.Heads, headView{head, unit, numeric[c]})
	}
	for _, row := range t.Rows {
		cells := make([]cellView, t.width())
		for c := range cells {
			if c < len(row) {
				cells[c] = viewCell(row[c])
			}
			if numeric[c] {
				cells[c].Class = "number"
			}
		}
		view.Rows = append(view.Rows, cells)
	}
	return view
}

// viewCell puts a badge where the text has a verdict and a comma.
func viewCell(c Cell) cellView {
	var v cellView
	v.Word, v.Kind, v.Rest = c.verdict()
	if v.Word != "" {
		v.Rest = strings.TrimLeft(v.Rest, ", ")
	}
	if utf8.RuneCountInString(string(c)) > longCell {
		v.Class = "long"
	}
	return v
}

// freshID makes an anchor of a heading that no other section has.
func freshID(heading string, taken map[string]bool) string {
	base := slug(heading)
	if base == "" {
		base = "section"
	}
	id := base
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", base, n)
	}
	taken[id] = true
	return id
}
