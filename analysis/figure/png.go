package figure

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg/vgimg"
)

// dpi is what printers ask of line art in a raster file.
const dpi = 300

// WritePNG draws the figure at the size and writes it as a PNG of 300 dots per
// inch, with the provenance as text chunks and the resolution as pHYs chunk. The
// same figure, size and provenance give the same bytes.
func WritePNG(w io.Writer, f Figure, size Size, p Provenance) error {
	img, err := f.Draw(size)
	if err != nil {
		return err
	}
	var raw bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(&raw, indexed(img.raster())); err != nil {
		return fmt.Errorf("cannot encode the figure as PNG: %w", err)
	}
	if _, err := w.Write(withChunks(raw.Bytes(), p.entries(img.Title, img.Description))); err != nil {
		return fmt.Errorf("cannot write the figure: %w", err)
	}
	return nil
}

// raster is the image in pixels.
func (i Image) raster() image.Image {
	canvas := vgimg.NewWith(vgimg.UseWH(i.Width, i.Height), vgimg.UseDPI(dpi))
	i.DrawOn(canvas)
	return canvas.Image()
}

// ihdrEnd is where the first chunk of every PNG ends: 8 bytes of signature, then
// IHDR with 4 bytes of length, 4 of type, 13 of data and 4 of checksum
// (PNG specification, third edition, sections 5.2 and 11.2.1).
const ihdrEnd = 8 + 4 + 4 + 13 + 4

// withChunks puts the resolution and the texts behind the header chunk.
func withChunks(file []byte, entries [][2]string) []byte {
	out := append([]byte(nil), file[:ihdrEnd]...)
	out = appendChunk(out, "pHYs", resolution())
	for _, e := range entries {
		kind, data := textChunk(e[0], e[1])
		out = appendChunk(out, kind, data)
	}
	return append(out, file[ihdrEnd:]...)
}

// appendChunk appends length, type, data and checksum (section 5.3).
func appendChunk(b []byte, kind string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	body := append([]byte(kind), data...)
	b = append(b, body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(body))
}

// resolution is the data of a pHYs chunk: pixels per metre in x and y, unit 1
// (section 11.3.4.3).
func resolution() []byte {
	perMetre := uint32(math.Round(dpi / 0.0254))
	b := binary.BigEndian.AppendUint32(nil, perMetre)
	b = binary.BigEndian.AppendUint32(b, perMetre)
	return append(b, 1)
}

// textChunk is a tEXt chunk where Latin-1 can hold the text, and an iTXt chunk in
// UTF-8 otherwise, as for ρ (sections 11.3.3.2 and 11.3.3.4).
func textChunk(keyword, text string) (kind string, data []byte) {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", " ")
	latin := append([]byte(keyword), 0)
	for _, r := range text {
		if r > 0xFF {
			// uncompressed, no language, no translated keyword
			return "iTXt", append(append([]byte(keyword), 0, 0, 0, 0, 0), text...)
		}
		latin = append(latin, byte(r))
	}
	return "tEXt", latin
}
