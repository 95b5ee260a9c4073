package reports

import (
	"bytes"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hostile are texts that come from outside: labels, commands, errors, SQL.
var hostile = []string{
	`<script>alert(1)</script>`,
	`SELECT '<img src=x onerror=alert(1)>' || "a" FROM t WHERE a < $1 AND b > $2 -- $`,
	`a | b || c \| d`,
	"`rm -rf` ``` *bold* __under__ ~~gone~~ [x](javascript:alert(1)) ![y](http://h/z.png)",
	`</details></main></body> & &amp; &lt; <!-- -->`,
	`"><svg onload='alert(1)'>`,
	"# head\n\n- list\n1. one\n> quote\n```\ncode",
	`{{.Title}} </style> </title>`,
	`\`,
}

func hostilePage(t *testing.T, text string) (*Page, string) {
	t.Helper()
	dir := t.TempDir()
	const file = `a"'<b>)|.png`
	writePNG(t, filepath.Join(dir, file), 2, 2)
	return &Page{
		Title: text, Question: text, Lead: []string{text},
		Sections: []Section{
			{
				Heading: text, Text: []string{text}, Notes: []string{text},
				Figure: &Figure{File: file, Alt: text, Caption: text, Data: `javascript:alert("<1>")`},
				Table:  &Table{Columns: []string{text, "b"}, Units: []string{text}, Rows: [][]Cell{Cells(text, "AGREES "+text)}, Caption: text},
			},
			{Heading: text},
		},
		Header: [][2]string{{text, text}},
	}, dir
}

func TestHTMLShowsHostileTextAsText(t *testing.T) {
	for _, text := range hostile {
		p, dir := hostilePage(t, text)
		_, html := render(t, p, dir)
		all := elements(t, html)
		for _, name := range []string{"title", "h1", "h2", "dt", "dd"} {
			for _, got := range named(all, name) {
				if got != text {
					t.Errorf("<%s> shows %q for %q", name, got, text)
				}
			}
		}
		for _, e := range all {
			if slices.Contains([]string{"script", "svg", "b", "iframe"}, e.name) {
				t.Errorf("%q became an element <%s>", text, e.name)
			}
			if e.name == "img" && (e.attributes["alt"] != text || len(e.attributes) != 4) {
				t.Errorf("%q changed the picture's attributes: %q", text, e.attributes["alt"])
			}
			if href := e.attributes["href"]; strings.HasPrefix(strings.ToLower(href), "javascript:") || strings.Contains(href, "ZgotmplZ") {
				t.Errorf("a file became the link %q", href)
			}
		}
		if got := len(named(all, "img")); got != 1 {
			t.Errorf("%q: %d pictures, want 1", text, got)
		}
	}
}

// unescaped finds what still means something in markdown once escapes and
// entities are gone.
var (
	escapes = regexp.MustCompile("\\\\[!-/:-@\\[-`{-~]|&(amp|lt|gt|nbsp);")
	markup  = regexp.MustCompile("[\\\\`*_\\[\\]#|~$<>&]")
)

func TestMarkdownShowsHostileTextAsText(t *testing.T) {
	for _, text := range hostile {
		for _, escaped := range []string{markdownText(text), markdownLine(text), strings.ReplaceAll(markdownLines(text), "<br>", "")} {
			if rest := escapes.ReplaceAllString(escaped, ""); markup.MatchString(rest) || strings.Contains(rest, "\n") {
				t.Errorf("%q leaves markup in %q", text, escaped)
			}
		}
		p, dir := hostilePage(t, text)
		markdown, _ := render(t, p, dir)
		rest := escapes.ReplaceAllString(markdown, "")
		for _, ours := range []string{"<details>", "</details>", "<summary>How this report was made</summary>", "<br>"} {
			rest = strings.ReplaceAll(rest, ours, "")
		}
		if strings.ContainsAny(rest, "<>`") {
			t.Errorf("%q leaves HTML or code in the page:\n%s", text, rest)
		}
		for line := range strings.Lines(rest) {
			if pipes := strings.Count(line, "|"); pipes != 0 && pipes != 3 {
				t.Errorf("%q breaks a table of two columns: %q", text, line)
			}
		}
	}
}

func TestMarkdownLineBeginsNothing(t *testing.T) {
	for text, want := range map[string]string{
		"- a": `\- a`, "+ a": `\+ a`, "1. a": `1\. a`, "12) a": `12\) a`, "=": `\=`, "# a": `\# a`, "> a": "&gt; a",
		"  4 ms": "4 ms", "-5": `\-5`, "a - b": "a - b", "---": `\---`,
	} {
		if got := markdownLine(text); got != want {
			t.Errorf("markdownLine(%q) = %q, want %q", text, got, want)
		}
	}
}

// FuzzPage: whatever the texts, both renderings succeed and the HTML shows the
// very text.
func FuzzPage(f *testing.F) {
	for _, text := range hostile {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p := &Page{Title: text, Sections: []Section{{Heading: text, Table: &Table{Rows: [][]Cell{Cells(text)}}}}, Header: [][2]string{{text, text}}}
		var markdown, html bytes.Buffer
		if err := p.WriteMarkdown(&markdown); err != nil {
			t.Fatal(err)
		}
		if err := p.WriteHTML(&html, ""); err != nil {
			t.Fatal(err)
		}
		if rest := escapes.ReplaceAllString(markdownText(text), ""); markup.MatchString(rest) {
			t.Fatalf("markup left in %q", rest)
		}
		if strings.Count(html.String(), "<h1>") != 1 || strings.Contains(html.String(), "<script") {
			t.Fatal("the text changed the page's structure")
		}
	})
}
