package reports

import (
	"html/template"
	"regexp"
)

// unit is a number's unit with the space before it.
var unit = regexp.MustCompile(`(\d) (%|[mµn]?s\b)`)

// tie keeps a number and its unit in one line.
func tie(text string) string { return unit.ReplaceAllString(text, "$1\u00a0$2") }

// pageTemplate escapes what it is given by where it stands: text, attribute or
// address. The content security policy forbids every request, so a mistake
// here could not reach out either. It is well-formed XML too, so that a strict
// parser can check it.
var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{"tie": tie}).Parse(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width, initial-scale=1"/>
<meta name="color-scheme" content="light dark"/>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"/>
<meta name="generator" content="queuelab"/>
<title>{{.Title}}</title>
<style>{{.Style}}</style>
</head>
<body>
<main>
<header>
<h1>{{.Title}}</h1>
{{with .Question}}<p class="question">{{tie .}}</p>
{{end}}</header>
{{range .Lead}}<p>{{tie .}}</p>
{{end}}{{if gt (len .Sections) 1}}<nav aria-labelledby="contents">
<p id="contents">Contents</p>
<ol>
{{range .Sections}}<li><a href="#{{.ID}}">{{.Heading}}</a></li>
{{end}}</ol>
</nav>
{{end}}{{range .Sections}}<section id="{{.ID}}">
<h2>{{.Heading}}</h2>
{{range .Text}}<p>{{tie .}}</p>
{{end}}{{with .Figure}}<figure>
<a href="{{.FileLink}}"><img src="{{.Image}}" alt="{{.Alt}}" width="{{.Width}}" height="{{.Height}}"/></a>
{{if or .Caption .DataLink}}<figcaption>{{tie .Caption}}{{if .DataLink}} Drawn from <a href="{{.DataLink}}">{{.Data}}</a>.{{end}}</figcaption>
{{end}}</figure>
{{end}}{{with .Table}}{{with .Caption}}<p class="caption">{{tie .}}</p>
{{end}}<div class="table" role="region" tabindex="0" aria-label="{{or .Caption "Table"}}">
<table>
<thead><tr>
{{range .Heads}}<th scope="col"{{if .Numeric}} class="number"{{end}}>{{.Head}}{{with .Unit}} <span class="unit">{{.}}</span>{{end}}</th>
{{end}}</tr></thead>
<tbody>
{{range .Rows}}<tr>{{range .}}<td{{with .Class}} class="{{.}}"{{end}}>{{if .Word}}<span class="badge {{.Kind}}">{{.Word}}</span>{{end}}{{.Rest}}</td>{{end}}</tr>
{{end}}</tbody>
</table>
</div>
{{end}}{{with .Notes}}<ul class="notes">
{{range .}}<li>{{tie .}}</li>
{{end}}</ul>
{{end}}</section>
{{end}}{{with .Header}}<details>
<summary>How this report was made</summary>
<dl>
{{range .}}<dt>{{index . 0}}</dt><dd>{{index . 1}}</dd>
{{end}}</dl>
</details>
{{end}}</main>
</body>
</html>
`))
