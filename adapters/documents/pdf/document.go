package pdf

import (
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"

	"milaan/domain"
)

// The page is A4 in portrait, and all lengths are points. Positions count from the top
// left corner.
const (
	pageWidth, pageHeight = 595.28, 841.89
	left, right           = 42, pageWidth - 42
	top, bottom           = 64, pageHeight - 56 // of what a page has between running head and foot
	wide                  = right - left
)

// leading is the distance of two lines as a share of the size.
const leading = 1.36

// The inks.
var (
	ink   = domain.Colour{27, 27, 38}
	soft  = domain.Colour{86, 86, 102}
	hair  = domain.Colour{214, 214, 220}
	paper = domain.Colour{246, 246, 248}
)

// family is the name by which the library knows the Latin font.
const family = "noto"

// document is a PDF that is being written, page by page.
type document struct {
	pdf      *fpdf.Fpdf
	faces    *[weights]typeface
	shaper   shaper
	outlines map[glyphKey]*outline
	look     *look
	head     string // of the second page and those after it

	y     float64 // where the next thing stands on the page
	face  face
	ink   domain.Colour
	added [weights][latins/64 + 1]uint64 // characters that the document's font has so far
	b     []byte                         // the line that is being written
	known []placed                       // scratch
}

// newDocument begins a document whose metadata have a title, an author and a date.
func newDocument(l *look, title string, made time.Time) (*document, error) {
	faces, err := loadTypefaces()
	if err != nil {
		return nil, err
	}
	d := &document{pdf: fpdf.New("P", "pt", "A4", ""), faces: faces, outlines: make(map[glyphKey]*outline), look: l}
	d.shaper.faces = faces
	d.pdf.SetAutoPageBreak(false, 0)
	d.pdf.SetMargins(left, top, left)
	d.pdf.SetCatalogSort(true) // the same run is the same file
	d.pdf.AddUTF8FontFromBytes(family, "", faces[regular].latin)
	d.pdf.AddUTF8FontFromBytes(family, "B", faces[bold].latin)
	d.pdf.SetTitle(metadata(title), false)
	d.pdf.SetAuthor(metadata(l.name), false)
	d.pdf.SetCreator("Milaan", false)
	d.pdf.SetProducer("Milaan", false)
	d.pdf.SetLang("en-IN")
	made = made.In(domain.Kolkata)
	d.pdf.SetCreationDate(made)
	d.pdf.SetModificationDate(made)
	d.pdf.SetDisplayMode("fullwidth", "continuous")
	return d, d.pdf.Error()
}

// metadata encodes a cleaned text as UTF-16. The library's own encoding fails on
// characters outside the first plane.
func metadata(s string) string {
	b := []byte{0xfe, 0xff}
	for _, c := range utf16.Encode([]rune(s)) {
		b = append(b, byte(c>>8), byte(c))
	}
	return string(b)
}

// newPage begins a page. All but the first have the running head.
func (d *document) newPage() {
	d.pdf.AddPage()
	d.y = top
	if d.pdf.PageNo() > 1 && d.head != "" {
		name := d.shortened(d.look.name, face{bold, 8}, wide/2)
		d.colour(d.look.colour)
		d.text(left, 40, face{bold, 8}, name)
		d.colour(soft)
		d.textRight(right, 40, face{regular, 8}, d.head)
		d.fill(d.look.colour, left, 46, wide, 0.8)
	}
}

// room begins a page unless so much is left on this one. It says whether it did.
func (d *document) room(height float64) bool {
	if d.y+height <= bottom {
		return false
	}
	d.newPage()
	return true
}

// finish writes the running foot of all pages, which needs their number.
func (d *document) finish() {
	f := face{regular, 7.5}
	pages := d.pdf.PageCount()
	footer := d.shortened(d.look.footer, f, wide-70)
	for i := 1; i <= pages; i++ {
		d.pdf.SetPage(i)
		d.face = face{} // each page has a font and an ink of its own
		d.setInk(hair)
		d.box(left, pageHeight-40, wide, 0.5)
		d.setInk(soft)
		d.text(left, pageHeight-28, f, footer)
		d.textRight(right, pageHeight-28, f, strconv.Itoa(i)+" of "+strconv.Itoa(pages))
	}
}

func (d *document) output(w io.Writer) error {
	d.finish()
	return d.pdf.Output(w)
}

// colour chooses the ink of texts and shapes.
func (d *document) colour(c domain.Colour) {
	if c != d.ink {
		d.setInk(c)
	}
}

// setInk writes the ink to the page, whatever the ink was before.
func (d *document) setInk(c domain.Colour) {
	d.ink = c
	d.pdf.SetFillColor(int(c[0]), int(c[1]), int(c[2]))
	d.pdf.SetTextColor(int(c[0]), int(c[1]), int(c[2]))
}

// fill fills a rectangle, and leaves the ink as it is.
func (d *document) fill(c domain.Colour, x, y, width, height float64) {
	before := d.ink
	d.colour(c)
	d.box(x, y, width, height)
	d.colour(before)
}

func (d *document) box(x, y, width, height float64) {
	d.begin()
	d.numbers(x, pageHeight-y-height, width, height)
	d.write("re f")
}

// set chooses the font of what is written next.
func (d *document) set(f face) {
	if f == d.face {
		return
	}
	d.face = f
	style := ""
	if f.weight == bold {
		style = "B"
	}
	d.pdf.SetFont(family, style, f.size)
}

// text draws a cleaned text whose baseline starts at (x, y).
func (d *document) text(x, y float64, f face, s string) {
	d.set(f)
	for s != "" {
		piece, rest, of := d.faces[f.weight].nextPiece(s)
		width := float64(d.unitsOfPiece(piece, f.weight, of)) * f.size / unitsPerEm
		switch of {
		case latin:
			d.show(x, y, f.weight, piece)
		case devanagari:
			d.showUnder(x, y, f, piece, width)
			d.drawGlyphs(x, y, f, piece)
		case lacking:
			d.showUnder(x, y, f, piece, width)
			d.drawBoxes(x, y, f, boxes(piece))
		}
		x, s = x+width, rest
	}
}

// textRight draws a cleaned text that ends at x.
func (d *document) textRight(x, y float64, f face, s string) { d.text(x-d.width(s, f), y, f, s) }

// shortened cuts a cleaned text to a width.
func (d *document) shortened(s string, f face, width float64) string {
	if d.width(s, f) <= width {
		return s
	}
	return d.shorten(s, f.weight, int32(width*unitsPerEm/f.size))
}

// fitted returns the face, or a smaller one in which a cleaned text has a width at most.
func (d *document) fitted(s string, f face, width float64) face {
	if w := d.width(s, f); w > width {
		f.size = max(math.Floor(f.size*width/w*10)/10, 1)
	}
	return f
}

// paragraph draws a cleaned text of any length in lines of a width from the left margin, and moves down.
func (d *document) paragraph(width float64, f face, s string) {
	for _, line := range d.lines(s, f, width, longestText) {
		d.room(f.size * leading)
		d.text(left, d.y+f.size, f, line)
		d.y += f.size * leading
	}
}

// show draws Latin text. The library puts into the document those characters of the font
// that it has drawn, so a text with a new one is drawn by the library.
func (d *document) show(x, y float64, w weight, piece string) {
	if d.add(w, piece) {
		d.pdf.Text(x, y, piece)
		return
	}
	d.begin()
	d.b = append(d.b, "BT "...)
	d.numbers(x, pageHeight-y)
	d.b = append(d.b, "Td ("...)
	d.appendUTF16(piece)
	d.write(") Tj ET")
}

// add notes the characters of a text. It says whether one of them is new.
func (d *document) add(w weight, piece string) (isNew bool) {
	for _, r := range piece {
		if at, bit := &d.added[w][r/64], uint64(1)<<(r%64); *at&bit == 0 {
			*at |= bit
			isNew = true
		}
	}
	return isNew
}

// showUnder writes invisible text that is as wide as what is drawn over it. Characters
// outside the first plane cannot be in a font of the library, so the text that they are is
// said beside a sign that stands for them.
func (d *document) showUnder(x, y float64, f face, piece string, width float64) {
	signs := piece
	if strings.ContainsFunc(piece, isAstral) {
		signs = strings.Map(func(r rune) rune {
			if isAstral(r) {
				return '□'
			}
			return r
		}, piece)
	}
	stretch := 100.0
	if width > 0 {
		natural := utf8.RuneCountInString(signs) * int(d.faces[f.weight].missing)
		stretch = 100 * width / (float64(natural) * f.size / unitsPerEm)
	}
	d.begin()
	if signs != piece {
		d.b = append(d.b, "/Span <</ActualText (\xfe\xff"...)
		d.appendUTF16(piece)
		d.b = append(d.b, ")>> BDC "...)
	}
	d.b = append(d.b, "BT 3 Tr "...)
	d.numbers(stretch)
	d.b = append(d.b, "Tz "...)
	d.numbers(x, pageHeight-y)
	d.b = append(d.b, "Td ("...)
	d.appendUTF16(signs)
	d.b = append(d.b, ") Tj 0 Tr 100 Tz ET"...)
	if signs != piece {
		d.b = append(d.b, " EMC"...)
	}
	d.write("")
}

func isAstral(r rune) bool { return r > 0xffff }

// drawGlyphs draws the outlines of a piece of Devanagari. An outline that is new to the
// document is drawn by the library, which then writes it to the file. The others follow in a
// shorter form, because a page may have thousands.
func (d *document) drawGlyphs(x, y float64, f face, piece string) {
	scale := f.size / unitsPerEm
	size := fpdf.SizeType{Wd: boxSize * scale, Ht: boxSize * scale}
	d.known = d.known[:0]
	at := int32(0)
	for c := range d.shaper.clusters(f.weight, piece) {
		for _, g := range c.glyphs {
			g.x += at
			o := d.outlineOf(f.weight, g.glyph)
			switch {
			case o == nil:
			case o.drawn:
				d.known = append(d.known, g)
			default:
				o.drawn = true
				corner := fpdf.PointType{X: x + float64(g.x-boxLeft)*scale, Y: y - float64(g.y-boxBase)*scale - size.Ht}
				d.pdf.UseTemplateScaled(o, corner, size)
			}
		}
		at += c.width
	}
	if len(d.known) == 0 {
		return
	}
	d.begin()
	d.b = strconv.AppendFloat(append(d.b, "q "...), scale, 'f', 4, 64)
	d.b = strconv.AppendFloat(append(d.b, " 0 0 "...), scale, 'f', 4, 64)
	d.b = append(d.b, ' ')
	d.numbers(x-boxLeft*scale, pageHeight-y-boxBase*scale)
	d.b = append(d.b, "cm\n"...)
	var from placed // each matrix counts from the one before
	for _, g := range d.known {
		if g.x != from.x || g.y != from.y {
			d.b = append(d.b, "1 0 0 1 "...)
			d.numbers(float64(g.x-from.x), float64(g.y-from.y))
			d.b = append(d.b, "cm"...)
		}
		d.b = append(append(d.b, "/TPL"...), d.outlineOf(f.weight, g.glyph).name...)
		d.b = append(d.b, " Do\n"...)
		from = g
	}
	d.write("Q")
}

func (d *document) drawBoxes(x, y float64, f face, n int) {
	scale := f.size / unitsPerEm
	for i := range n {
		d.begin()
		d.b = append(d.b, "q 0.5 w "...)
		for _, c := range d.ink {
			d.numbers(float64(c) / math.MaxUint8)
		}
		d.b = append(d.b, "RG "...)
		d.numbers(x+(float64(i)*boxWidth+boxGap)*scale, pageHeight-y, (boxWidth-2*boxGap)*scale, 0.7*f.size)
		d.write("re S Q")
	}
}

// begin empties the line that is being written to the page.
func (d *document) begin() { d.b = d.b[:0] }

// write writes the line with its end to the page.
func (d *document) write(end string) {
	d.b = append(d.b, end...)
	d.pdf.RawWriteBuf(bytes.NewReader(d.b))
}

func (d *document) numbers(n ...float64) {
	for _, v := range n {
		d.b = appendNumber(d.b, v)
	}
}

// appendNumber appends a number in hundredths and a blank.
func appendNumber(b []byte, v float64) []byte {
	n := int64(math.Round(v * 100))
	if n < 0 {
		b, n = append(b, '-'), -n
	}
	b = strconv.AppendInt(b, n/100, 10)
	if n %= 100; n != 0 {
		b = append(b, '.', byte('0'+n/10))
		if n%10 != 0 {
			b = append(b, byte('0'+n%10))
		}
	}
	return append(b, ' ')
}

// appendUTF16 appends a text as the bytes of a PDF string: UTF-16, with a backslash where
// PDF asks for one.
func (d *document) appendUTF16(s string) {
	for _, r := range s {
		if r < utf8.RuneSelf {
			d.appendEscaped(0, byte(r))
			continue
		}
		if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
			d.appendEscaped(byte(hi>>8), byte(hi))
			r = lo
		}
		d.appendEscaped(byte(r>>8), byte(r))
	}
}

func (d *document) appendEscaped(bytes ...byte) {
	for _, c := range bytes {
		switch c {
		case '\\', '(', ')':
			d.b = append(d.b, '\\')
		case '\r':
			d.b = append(d.b, '\\', 'r')
			continue
		}
		d.b = append(d.b, c)
	}
}
