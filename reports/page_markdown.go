package reports

import (
	"errors"
	"io"
)

// WriteMarkdown writes the page as a README for code hosts.
func (p *Page) WriteMarkdown(w io.Writer) error {
	return errors.New("writing the page as markdown is not built yet")
}
