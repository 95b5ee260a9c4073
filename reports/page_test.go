package reports

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"image"
	"image/png"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// samplePage has everything a page can have, and a folder with its pictures.
func samplePage(t *testing.T) (*Page, string) {
	t.Helper()
	dir := t.TempDir()
	writePNG(t, filepath.Join(dir, "a.png"), 70, 45)
	writePNG(t, filepath.Join(dir, "b (1).png"), 30, 20)
	return &Page{
		Title:    "Two servers",
		Question: "Which one waits?",
		Lead:     []string{"The second one.\nTwice as long.", " ", "1. is no list, and - neither."},
		Sections: []Section{
			{
				Heading: "Latency",
				Text:    []string{"At ρ = 0.8."},
				Figure:  &Figure{File: "a.png", Alt: "Points on a line.", Caption: "Observed on predicted.", Data: "data/a.json"},
				Table: &Table{
					Caption: "Ratios with 90 % intervals.",
					Columns: []string{"ρ", "model", "mean", "ratio", "verdict"},
					Units:   []string{"", "", "ms"},
					Rows: [][]Cell{
						Cells("0.4", "M/D/1", "5.43 [5.10, 5.81]", "1.01", "AGREES, with a bias of +1 %"),
						Cells("0.8", "M/D/1", "−12", "1.53 [1.33, 1.71]", "DISAGREES"),
						Cells("1.2", "M/M/1", "-", "", "INCONCLUSIVE (some 12 runs would settle it)"),
						Cells("", "M/M/1"),
					},
				},
				Notes: []string{"The first run is SUSPECT.", "+ one"},
			},
			{Heading: "Latency", Figure: &Figure{File: "b (1).png", Alt: "A second picture."}},
			{Heading: "λ"},
		},
		Header: [][2]string{{"command", "queuelab report x"}, {"nginx", "http {\n  gzip on;\n}\n"}},
	}, dir
}

func writePNG(t *testing.T, path string, width, height int) {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, width, height))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

func render(t *testing.T, p *Page, dir string) (markdown, html string) {
	t.Helper()
	var m, h bytes.Buffer
	if err := p.WriteMarkdown(&m); err != nil {
		t.Fatal(err)
	}
	if err := p.WriteHTML(&h, dir); err != nil {
		t.Fatal(err)
	}
	return m.String(), h.String()
}

// element is one element of a page with the text of all that is in it.
type element struct {
	name, text string
	attributes map[string]string
}

// elements reads HTML with a parser, so that what is compared is what a browser
// would see; it fails where tags do not match.
func elements(t *testing.T, html string) []*element {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(html))
	d.Entity = xml.HTMLEntity
	var all, open []*element
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatalf("the page is not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			e := &element{name: token.Name.Local, attributes: map[string]string{}}
			for _, a := range token.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			all, open = append(all, e), append(open, e)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, e := range open {
				e.text += string(token)
			}
		}
	}
}

// named are the texts of the elements with one of the names.
func named(all []*element, names ...string) []string {
	var texts []string
	for _, e := range all {
		if slices.Contains(names, e.name) {
			texts = append(texts, e.text)
		}
	}
	return texts
}

func TestMarkdownIsAsCommitted(t *testing.T) {
	p, dir := samplePage(t)
	got, _ := render(t, p, dir)
	want, err := os.ReadFile("testdata/page/README.md")
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the markdown differs from testdata/page/README.md:\n%s", got)
	}
}

func TestHTMLHasTheWholePage(t *testing.T) {
	p, dir := samplePage(t)
	_, html := render(t, p, dir)
	all := elements(t, html)
	for _, c := range []struct {
		what string
		want []string
	}{
		{"title", []string{"Two servers"}},
		{"h1", []string{"Two servers"}},
		{"h2", []string{"Latency", "Latency", "λ"}},
		{"th", []string{"ρ", "model", "mean ms", "ratio", "verdict"}},
		{"figcaption", []string{"Observed on predicted. Drawn from data/a.json."}},
		{"dt", []string{"command", "nginx"}},
		{"dd", []string{"queuelab report x", "http {\n  gzip on;\n}\n"}},
	} {
		if got := named(all, c.what); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.what, got, c.want)
		}
	}
	if got := len(named(all, "td")); got != 20 {
		t.Errorf("%d cells, want 4 rows of 5", got)
	}
	anchors := map[string]bool{}
	for _, e := range all {
		if id := e.attributes["id"]; id != "" {
			if anchors[id] {
				t.Errorf("the id %q comes twice", id)
			}
			anchors[id] = true
		}
	}
	links := 0
	for _, e := range all {
		if id, found := strings.CutPrefix(e.attributes["href"], "#"); found {
			links++
			if id, err := url.PathUnescape(id); err != nil || !anchors[id] {
				t.Errorf("the contents lead to %q, which is not there", id)
			}
		}
	}
	if links != 3 {
		t.Errorf("%d links in the contents, want one for each of 3 sections", links)
	}
}

func TestTableCellsAreClassified(t *testing.T) {
	p, dir := samplePage(t)
	_, html := render(t, p, dir)
	var classes, badges []string
	for _, e := range elements(t, html) {
		switch {
		case e.name == "th":
			classes = append(classes, e.attributes["class"])
		case strings.HasPrefix(e.attributes["class"], "badge "):
			badges = append(badges, e.attributes["class"]+" "+e.text)
		}
	}
	if want := []string{"number", "", "number", "number", ""}; !slices.Equal(classes, want) {
		t.Errorf("columns are %q, want %q", classes, want)
	}
	if want := []string{"badge good AGREES", "badge bad DISAGREES", "badge open INCONCLUSIVE"}; !slices.Equal(badges, want) {
		t.Errorf("badges are %q, want %q", badges, want)
	}
}

func TestNumberForms(t *testing.T) {
	for text, want := range map[string]bool{
		"0": true, "12.4": true, "1,024": true, "-3": true, "−3.5 %": true, "±10 %": true, "1e-9": true, "1.5e6": true,
		"0.96 [0.92, 1.01]": true, "11.0–13.0": true, "<0.01": true, "3/s": false, "5 ms": false, "M/D/1": false,
		"": false, "e": false, ".": false, "2 runs": false, "127.0.0.1:80": false,
	} {
		if got := (&Table{Rows: [][]Cell{{Cell(text)}}}).numeric()[0]; got != want {
			t.Errorf("numeric(%q) = %v, want %v", text, got, want)
		}
	}
}

func TestHTMLIsSelfContained(t *testing.T) {
	p, dir := samplePage(t)
	_, html := render(t, p, dir)
	var pictures []string
	for _, e := range elements(t, html) {
		for name, value := range e.attributes {
			switch name {
			case "src":
				pictures = append(pictures, value)
			case "href":
				if target, err := url.Parse(value); err != nil || target.IsAbs() || target.Host != "" {
					t.Errorf("the link %q leaves the report (%v)", value, err)
				}
			case "srcset", "action", "background", "data", "poster", "style", "onload", "onerror", "onclick":
				t.Errorf("<%s> has the attribute %s", e.name, name)
			}
		}
		if slices.Contains([]string{"script", "link", "iframe", "object", "embed", "base", "form"}, e.name) {
			t.Errorf("the page has an element <%s>", e.name)
		}
		if e.name == "style" && regexp.MustCompile(`(?i)url\(|@import|//[a-z]`).MatchString(e.text) {
			t.Error("the style refers to something outside")
		}
	}
	var files []string
	for _, name := range []string{"a.png", "b (1).png"} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, "data:image/png;base64,"+base64.StdEncoding.EncodeToString(content))
	}
	if !slices.Equal(pictures, files) {
		t.Errorf("the pictures are not the files, inlined: %.80q", pictures)
	}
	if !strings.Contains(html, `width="70" height="45"`) {
		t.Error("the first picture has lost its size")
	}
}

func TestPageRefusesPicturesThatItCannotInline(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "text.png"), []byte("<svg/>"), 0o600); err != nil {
		t.Fatal(err)
	}
	writePNG(t, filepath.Join(dir, "a.png"), 1, 1)
	for _, c := range []struct {
		figure Figure
		want   string
	}{
		{Figure{File: "missing.png"}, "cannot be read"},
		{Figure{File: "text.png"}, "text.png of the page is not a PNG"},
		{Figure{File: "../a.png"}, "not inside the report folder"},
		{Figure{File: "/etc/passwd"}, "not inside the report folder"},
		{Figure{File: "a.png", Data: "../../x"}, "not inside the report folder"},
	} {
		p := &Page{Sections: []Section{{Figure: &c.figure}}}
		var out bytes.Buffer
		if err := p.WriteHTML(&out, dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v gives %v, want %q in it", c.figure, err, c.want)
		}
		if out.Len() > 0 {
			t.Errorf("%+v: half a page was written", c.figure)
		}
	}
}

func TestWriteErrorsAreReturned(t *testing.T) {
	p, dir := samplePage(t)
	r, w := io.Pipe()
	r.Close()
	if err := p.WriteMarkdown(w); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("markdown: %v", err)
	}
	if err := p.WriteHTML(w, dir); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("HTML: %v", err)
	}
}

func TestNumbersKeepTheirUnits(t *testing.T) {
	for text, want := range map[string]string{
		"5 %": "5\u00a0%", "±10 % or 3 ms.": "±10\u00a0% or 3\u00a0ms.", "4 servers": "4 servers", "a ms": "a ms",
	} {
		if got := tie(text); got != want {
			t.Errorf("tie(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestEmptyPageIsAPage(t *testing.T) {
	markdown, html := render(t, &Page{Title: "Nothing"}, t.TempDir())
	if markdown != "# Nothing\n" {
		t.Errorf("markdown is %q", markdown)
	}
	if all := elements(t, html); len(named(all, "nav", "table", "figure", "details", "section")) > 0 {
		t.Errorf("the page of nothing has parts:\n%s", html)
	}
}
