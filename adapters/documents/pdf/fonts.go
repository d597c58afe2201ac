package pdf

import (
	"bytes"
	"compress/gzip"
	_ "embed" // the fonts
	"fmt"
	"io"
	"sync"

	"github.com/go-text/typesetting/font"
)

//go:embed fonts/NotoSans-Regular.ttf.gz
var latinRegular []byte

//go:embed fonts/NotoSans-Bold.ttf.gz
var latinBold []byte

//go:embed fonts/NotoSansDevanagari-Regular.ttf.gz
var devanagariRegular []byte

//go:embed fonts/NotoSansDevanagari-Bold.ttf.gz
var devanagariBold []byte

type weight uint8

const (
	regular weight = iota
	bold
	weights
)

// typeface is a font of one weight.
type typeface struct {
	latin      []byte         // the file
	widths     [latins]uint16 // of Latin characters, in thousandths of the size; 0: the font lacks them
	missing    uint16         // how wide the library makes characters that the Latin font lacks, likewise
	devanagari *font.Font
}

// latins is the first character after those that the Latin font may have.
const latins = 0x2600

// unitsPerEm is the size of the fonts in their own units.
const unitsPerEm = 1000

// loadTypefaces unpacks the embedded fonts, once for the whole process. What it returns is
// never altered.
var loadTypefaces = sync.OnceValues(func() (*[weights]typeface, error) {
	var faces [weights]typeface
	for w, files := range [weights][2][]byte{{latinRegular, devanagariRegular}, {latinBold, devanagariBold}} {
		if err := faces[w].load(files[0], files[1]); err != nil {
			return nil, fmt.Errorf("pdf: an embedded font: %w", err)
		}
	}
	return &faces, nil
})

func (t *typeface) load(latin, devanagari []byte) error {
	var err error
	if t.latin, err = unpack(latin); err != nil {
		return err
	}
	face, err := parse(t.latin)
	if err != nil {
		return err
	}
	t.missing = uint16(face.HorizontalAdvance(0))
	for r := rune(' '); r < latins; r++ {
		if glyph, has := face.NominalGlyph(r); has {
			t.widths[r] = uint16(face.HorizontalAdvance(glyph))
		}
	}
	file, err := unpack(devanagari)
	if err != nil {
		return err
	}
	if face, err = parse(file); err != nil {
		return err
	}
	t.devanagari = face.Font
	return nil
}

func unpack(packed []byte) ([]byte, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

func parse(file []byte) (*font.Face, error) {
	face, err := font.ParseTTF(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	if face.Upem() != unitsPerEm {
		return nil, fmt.Errorf("%d units per em", face.Upem())
	}
	return face, nil
}
