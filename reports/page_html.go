package reports

import (
	"errors"
	"io"
)

// WriteHTML writes the page as one self-contained HTML document with the
// pictures of dir inlined.
func (p *Page) WriteHTML(w io.Writer, dir string) error {
	return errors.New("writing the page as HTML is not built yet")
}
