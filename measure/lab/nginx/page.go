package nginx

import (
	"bytes"
	_ "embed"
)

// PageBytes is the size of the lab's one page.
const PageBytes = 80_000

// gpl is the text of the GNU General Public License, version 3, as Debian ships it
// in /usr/share/common-licenses. It is here as English prose to compress; this
// project is not under it.
//
//go:embed gpl-3.0.txt
var gpl []byte

// page returns the content of page.txt: the licence text again and again, cut at
// PageBytes.
func page() []byte {
	return bytes.Repeat(gpl, PageBytes/len(gpl)+1)[:PageBytes]
}
