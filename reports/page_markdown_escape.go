package reports

import (
	"regexp"
	"strings"
)

// inline are the characters that mean something inside a line of markdown;
// < > & become entities, which no renderer takes for HTML. $ is one because
// code hosts typeset $…$ as mathematics.
var inline = strings.NewReplacer(
	"\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[", "]", "\\]",
	"#", "\\#", "|", "\\|", "~", "\\~", "$", "\\$",
	"&", "&amp;", "<", "&lt;", ">", "&gt;",
)

// leading is what would begin a list, a rule or a heading at the start of a
// line.
var leading = regexp.MustCompile(`^(?:([-+=])|(\d+)([.)]))`)

// markdownText escapes text for one line of markdown, and makes one line of it.
func markdownText(text string) string {
	return inline.Replace(strings.Join(strings.Fields(text), " "))
}

// markdownLine is markdownText for text that begins a line.
func markdownLine(text string) string {
	return leading.ReplaceAllString(markdownText(text), `$2\$1$3`)
}

// markdownLines is markdownText for the cell of a table, in which line breaks
// and indentation are kept.
func markdownLines(text string) string {
	var lines []string
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(strings.ReplaceAll(line, "\t", "    "), " \r\n")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		lines = append(lines, strings.Repeat("&nbsp;", indent)+markdownText(line))
	}
	return strings.Join(lines, "<br>")
}
