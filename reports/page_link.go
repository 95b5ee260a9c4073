package reports

import (
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// link is the relative address of a file of the report. A file outside of the
// report folder is refused: the folder is moved and published as a whole.
func link(file string) (string, error) {
	if !filepath.IsLocal(file) {
		return "", fmt.Errorf("the page names the file %q, which is not inside the report folder", file)
	}
	address := (&url.URL{Path: filepath.ToSlash(file)}).String()
	return strings.NewReplacer("(", "%28", ")", "%29", "'", "%27").Replace(address), nil
}
