package figure

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"
)

var fixtureProvenance = Provenance{
	Software: "queuelab 1.2.3", Commit: "abc123-dirty", Command: "queuelab report -out ρ-sweep article",
	Seed: "42", Created: "2001-02-03T04:05:06Z",
}

func pngOf(t *testing.T, f Figure, size Size) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WritePNG(&b, f, size, fixtureProvenance); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// chunk is one chunk of a PNG file, its checksum verified.
type chunk struct {
	kind string
	data []byte
}

func chunksOf(t *testing.T, file []byte) []chunk {
	t.Helper()
	if !bytes.HasPrefix(file, []byte("\x89PNG\r\n\x1a\n")) {
		t.Fatal("no PNG signature")
	}
	var out []chunk
	for rest := file[8:]; len(rest) > 0; {
		n := binary.BigEndian.Uint32(rest)
		body := rest[4 : 8+n]
		if sum := binary.BigEndian.Uint32(rest[8+n:]); sum != crc32.ChecksumIEEE(body) {
			t.Fatalf("chunk %s has a wrong checksum", body[:4])
		}
		out = append(out, chunk{string(body[:4]), body[4:]})
		rest = rest[12+n:]
	}
	return out
}

func TestProvenanceIsInTheFile(t *testing.T) {
	got := map[string]string{}
	var kinds []string
	for _, c := range chunksOf(t, pngOf(t, fixtureSweep(), Column)) {
		kinds = append(kinds, c.kind)
		keyword, text, _ := bytes.Cut(c.data, []byte{0})
		switch c.kind {
		case "tEXt":
			got[string(keyword)] = string(text)
		case "iTXt":
			got[string(keyword)] = string(bytes.TrimPrefix(text, []byte{0, 0, 0, 0}))
		case "pHYs":
			if x, y := binary.BigEndian.Uint32(c.data), binary.BigEndian.Uint32(c.data[4:]); x != 11811 || y != 11811 || c.data[8] != 1 {
				t.Errorf("resolution %d by %d in unit %d, want 11811 pixels per metre, which are 300 dpi", x, y, c.data[8])
			}
		}
	}
	want := map[string]string{
		"Title": "nginx: latency against offered load λ", "Software": "queuelab 1.2.3", "Commit": "abc123-dirty",
		"Command": "queuelab report -out ρ-sweep article", "Seed": "42", "Creation Time": "2001-02-03T04:05:06Z",
	}
	for k, v := range want {
		if got[k] != v {
			t.Errorf("%s is %q in the file, want %q", k, got[k], v)
		}
	}
	if !strings.Contains(got["Description"], "R = 5 runs") {
		t.Errorf("the description %q lacks the caption", got["Description"])
	}
	if order := strings.Join(kinds, " "); !strings.HasPrefix(order, "IHDR pHYs") || !strings.HasSuffix(order, "IDAT IEND") {
		t.Errorf("chunks stand in the order %s", order)
	}
}

func TestTextChunk(t *testing.T) {
	for _, tc := range []struct{ text, kind, data string }{
		{"plain", "tEXt", "K\x00plain"},
		{"5 µs", "tEXt", "K\x005 \xb5s"}, // Latin-1
		{"ρ", "iTXt", "K\x00\x00\x00\x00\x00ρ"},
		{"a\x00b", "tEXt", "K\x00a b"},
		{"bad \xff", "iTXt", "K\x00\x00\x00\x00\x00bad \uFFFD"},
	} {
		if kind, data := textChunk("K", tc.text); kind != tc.kind || string(data) != tc.data {
			t.Errorf("%q became %s %q, want %s %q", tc.text, kind, data, tc.kind, tc.data)
		}
	}
}

func TestEmptyProvenanceWritesNoEmptyTexts(t *testing.T) {
	var b bytes.Buffer
	f := fixtureSweep()
	f.Text = Text{}
	if err := WritePNG(&b, f, Column, Provenance{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range chunksOf(t, b.Bytes()) {
		if c.kind == "tEXt" || c.kind == "iTXt" {
			t.Errorf("text chunk %q without a text to store", c.data)
		}
	}
}

func TestSameInputSameBytes(t *testing.T) {
	for name, f := range map[string]Figure{"load": fixtureDataOverModel(), "two systems": fixtureTwoSystems(), "trials": fixtureTrials()} {
		if !bytes.Equal(pngOf(t, f, Column), pngOf(t, f, Column)) {
			t.Errorf("%s: two drawings of the same data differ", name)
		}
	}
}

func TestPixels(t *testing.T) {
	for name, f := range fixtures() {
		for _, size := range sizes {
			drawn, err := f.Draw(size)
			if err != nil {
				t.Fatal(err)
			}
			img := drawn.raster()
			if want := int(size.Width.Points()/72*300 + 0.5); img.Bounds().Dx() != want {
				t.Errorf("%s/%s: %d pixels wide, want %d", name, size.Name, img.Bounds().Dx(), want)
			}
			ink, blue, border := survey(img.(*image.RGBA))
			if ink < 0.005 || ink > 0.5 {
				t.Errorf("%s/%s: %.1f %% of the pixels are inked", name, size.Name, 100*ink)
			}
			if blue < 500 {
				t.Errorf("%s/%s: %d pixels in the first system's colour", name, size.Name, blue)
			}
			if border > 0 {
				t.Errorf("%s/%s: %d inked pixels within 2 pt of the edge", name, size.Name, border)
			}
		}
	}
}

// survey counts the share of pixels that are not white, those exactly in the
// first palette colour, and those not white within 2 pt of the edge.
func survey(img *image.RGBA) (ink float64, blue, border int) {
	b := img.Bounds()
	inner := b.Inset(8)
	dark := 0
	white, first := color.RGBA{0xFF, 0xFF, 0xFF, 0xFF}, color.RGBA(palette[0].ink)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			c := img.RGBAAt(x, y)
			if c == white {
				continue
			}
			dark++
			if c == first {
				blue++
			}
			if !(image.Point{X: x, Y: y}).In(inner) {
				border++
			}
		}
	}
	return float64(dark) / float64(b.Dx()*b.Dy()), blue, border
}

type fullDisk struct{}

var errFull = errors.New("no space left on device")

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteErrors(t *testing.T) {
	if err := WritePNG(fullDisk{}, fixtureSweep(), Column, Provenance{}); !errors.Is(err, errFull) {
		t.Errorf("error %v, want the writer's own wrapped", err)
	}
	var b bytes.Buffer
	if err := WritePNG(&b, CapacitySweep{}, Column, Provenance{}); !errors.Is(err, errNothing) || b.Len() > 0 {
		t.Errorf("error %v and %d bytes, want %v and nothing written", err, b.Len(), errNothing)
	}
}

func ExampleWritePNG() {
	f := CapacitySweep{
		Text: Text{Title: "capacity", Runs: 1},
		Throughput: Quantity{Label: "throughput X (requests/s)", Systems: []System{{
			Name: "server", Observed: []Observation{{X: 1, Y: 199}, {X: 2, Y: 200}},
		}}},
	}
	var file bytes.Buffer
	if err := WritePNG(&file, f, Column, Provenance{Software: "queuelab", Seed: "1"}); err != nil {
		fmt.Println(err)
		return
	}
	config, _ := png.DecodeConfig(&file)
	fmt.Println(config.Width, "pixels wide")
	// Output: 1020 pixels wide
}
