package pdf

import (
	"fmt"

	"codeberg.org/go-pdf/fpdf"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
)

// outline is the outline of a glyph. It is in the document once, however often it is drawn. The
// library writes it, and refers to it, as a template of its own. The methods below are all that
// it asks a template that is drawn; the others, which store and divide one, are missing.
type outline struct {
	fpdf.Template
	name    string
	content []byte
	drawn   bool // the library knows it
}

// The box in which a glyph is drawn, in its own units. Its origin is at (boxLeft, boxBase)
// of the box.
const (
	boxLeft, boxBase = 1000, 1000
	boxSize          = 4000
)

// ID is part of the name by which pages refer to the outline.
func (o *outline) ID() string { return o.name }

// Size is the box of the glyph.
func (o *outline) Size() (fpdf.PointType, fpdf.SizeType) {
	return fpdf.PointType{}, fpdf.SizeType{Wd: boxSize, Ht: boxSize}
}

func (o *outline) Bytes() []byte { return o.content }

// Images is empty: a path has none.
func (o *outline) Images() map[string]*fpdf.ImageInfoType { return nil }

// Templates is empty: a path needs none.
func (o *outline) Templates() []fpdf.Template { return nil }

type glyphKey struct {
	weight weight
	glyph  font.GID
}

// outlineOf returns the outline of a glyph of the Devanagari font, or nil if the glyph has
// none, as blanks do.
func (d *document) outlineOf(w weight, glyph font.GID) *outline {
	key := glyphKey{w, glyph}
	if o, known := d.outlines[key]; known {
		return o
	}
	var o *outline
	face, _ := d.shaper.open(w)
	if data, found := face.GlyphDataOutline(glyph); found && len(data.Segments) > 0 {
		o = &outline{name: fmt.Sprintf("%c%d", "rb"[w], glyph), content: path(data.Segments)}
	}
	d.outlines[key] = o
	return o
}

func path(segments []opentype.Segment) []byte {
	var b []byte
	var from opentype.SegmentPoint
	point := func(p opentype.SegmentPoint) {
		b = appendNumber(b, float64(p.X)+boxLeft)
		b = appendNumber(b, float64(p.Y)+boxBase)
	}
	for i := range segments {
		s := &segments[i]
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			point(s.Args[0])
			b = append(b, "m\n"...)
			from = s.Args[0]
		case opentype.SegmentOpLineTo:
			point(s.Args[0])
			b = append(b, "l\n"...)
			from = s.Args[0]
		case opentype.SegmentOpQuadTo:
			// PDF has cubic curves only.
			control, to := s.Args[0], s.Args[1]
			point(between(from, control))
			point(between(to, control))
			point(to)
			b = append(b, "c\n"...)
			from = to
		case opentype.SegmentOpCubeTo:
			point(s.Args[0])
			point(s.Args[1])
			point(s.Args[2])
			b = append(b, "c\n"...)
			from = s.Args[2]
		}
	}
	return append(b, 'f')
}

// between returns the point two thirds of the way to the control point.
func between(end, control opentype.SegmentPoint) opentype.SegmentPoint {
	return opentype.SegmentPoint{X: end.X + (control.X-end.X)*2/3, Y: end.Y + (control.Y-end.Y)*2/3}
}
