package reports

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the page as a README for code hosts.
func (p *Page) WriteMarkdown(w io.Writer) error {
	m := &markdown{}
	m.paragraph("# " + markdownText(p.Title))
	if p.Question != "" {
		m.paragraph("*" + markdownText(p.Question) + "*")
	}
	m.text(p.Lead)
	for _, s := range p.Sections {
		if err := m.section(s); err != nil {
			return err
		}
	}
	m.header(p.Header)
	_, err := w.Write(m.out.Bytes())
	return err
}

// markdown collects paragraphs, an empty line between them.
type markdown struct{ out bytes.Buffer }

func (m *markdown) paragraph(text string) {
	if m.out.Len() > 0 {
		m.out.WriteByte('\n')
	}
	m.out.WriteString(text + "\n")
}

func (m *markdown) text(paragraphs []string) {
	for _, p := range paragraphs {
		if strings.TrimSpace(p) != "" {
			m.paragraph(markdownLine(p))
		}
	}
}

func (m *markdown) section(s Section) error {
	m.paragraph("## " + markdownText(s.Heading))
	m.text(s.Text)
	if s.Figure != nil {
		if err := m.figure(s.Figure); err != nil {
			return err
		}
	}
	if s.Table != nil {
		m.table(s.Table)
	}
	if len(s.Notes) > 0 {
		var lines []string
		for _, n := range s.Notes {
			lines = append(lines, "- "+markdownLine(n))
		}
		m.paragraph(strings.Join(lines, "\n"))
	}
	return nil
}

func (m *markdown) figure(f *Figure) error {
	file, err := link(f.File)
	if err != nil {
		return err
	}
	m.paragraph(fmt.Sprintf("![%s](%s)", markdownText(f.Alt), file))
	caption := markdownLine(f.Caption)
	if f.Data != "" {
		data, err := link(f.Data)
		if err != nil {
			return err
		}
		caption = strings.TrimSpace(fmt.Sprintf("%s Drawn from [%s](%s).", caption, markdownText(f.Data), data))
	}
	if caption != "" {
		m.paragraph(caption)
	}
	return nil
}

func (m *markdown) table(t *Table) {
	if t.Caption != "" {
		m.paragraph(markdownLine(t.Caption))
	}
	numeric := t.numeric()
	heads, rule := make([]string, t.width()), make([]string, t.width())
	for c := range heads {
		head, unit := t.column(c)
		heads[c], rule[c] = markdownText(head), "---"
		if unit != "" {
			heads[c] = strings.TrimSpace(heads[c] + " (" + markdownText(unit) + ")")
		}
		if numeric[c] {
			rule[c] = "---:"
		}
	}
	lines := []string{row(heads), row(rule)}
	for _, cells := range t.Rows {
		texts := make([]string, t.width())
		for c, cell := range cells {
			texts[c] = markdownCell(cell)
		}
		lines = append(lines, row(texts))
	}
	m.paragraph(strings.Join(lines, "\n"))
}

// markdownCell sets a verdict in bold.
func markdownCell(c Cell) string {
	word, _, rest := c.verdict()
	text := markdownText(rest)
	if word == "" {
		return text
	}
	if strings.HasPrefix(rest, " ") {
		text = " " + text
	}
	return "**" + word + "**" + text
}

func row(cells []string) string { return "| " + strings.Join(cells, " | ") + " |" }

// header folds the rows at the end of the page.
func (m *markdown) header(rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	m.paragraph("<details>\n<summary>How this report was made</summary>")
	lines := []string{"| | |", "| --- | --- |"}
	for _, r := range rows {
		lines = append(lines, row([]string{markdownText(r[0]), markdownLines(r[1])}))
	}
	m.paragraph(strings.Join(lines, "\n"))
	m.paragraph("</details>")
}
