package pdf

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"

	"codeberg.org/go-pdf/fpdf"

	"milaan/domain"
)

// look is the branding of a document, cleaned.
type look struct {
	name   string
	colour domain.Colour
	footer string
	logo   []byte  // PNG that the library can read; nil: none
	aspect float64 // its width divided by its height
	own    bool    // Milaan's own
}

// Milaan's own look.
const (
	ownName   = "Milaan मिलान"
	ownFooter = "Made with Milaan, which reconciles cash on delivery."
)

var ownColour = domain.Colour{0x37, 0x30, 0xa3}

// newLook fills in Milaan's own look where the branding says nothing.
func newLook(b *domain.Branding) (*look, error) {
	l := &look{name: clean(b.Name), colour: b.Colour, footer: clean(b.Footer)}
	if l.own = l.name == "" && len(b.Logo) == 0; l.own {
		l.name = ownName
		l.footer = cmp.Or(l.footer, ownFooter)
	}
	if l.colour == (domain.Colour{}) {
		l.colour = ownColour
	}
	if len(b.Logo) == 0 {
		return l, nil
	}
	var err error
	if l.logo, l.aspect, err = readLogo(b.Logo); err != nil {
		return nil, fmt.Errorf("pdf: the logo: %w", err)
	}
	return l, nil
}

// mostPixels is how many pixels of a logo are kept in each direction. It is printed so
// small that more would not be seen.
const mostPixels = 640

// largestLogo is how many pixels a logo may have, so that a small file cannot take much
// memory.
const largestLogo = 1 << 24

// readLogo returns a logo as a PNG of 8 bits for each colour that is not interlaced and not
// larger than a document needs, and its width divided by its height. The library reads
// few kinds of PNG and fails on one that breaks off, so it only sees what is written here.
func readLogo(logo []byte) ([]byte, float64, error) {
	config, err := png.DecodeConfig(bytes.NewReader(logo))
	if err != nil {
		return nil, 0, err
	}
	if config.Width > largestLogo/config.Height {
		return nil, 0, fmt.Errorf("%d by %d pixels", config.Width, config.Height)
	}
	picture, err := png.Decode(bytes.NewReader(logo))
	if err != nil {
		return nil, 0, err
	}
	var out bytes.Buffer
	err = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&out, reduced(picture))
	return out.Bytes(), float64(config.Width) / float64(config.Height), err
}

// reduced returns a picture with at most mostPixels in each direction. Each of its pixels
// is the mean of those that it stands for.
func reduced(picture image.Image) *image.NRGBA {
	bounds := picture.Bounds()
	whole := image.NewNRGBA(image.Rect(0, 0, bounds.Dx(), bounds.Dy()))
	draw.Draw(whole, whole.Rect, picture, bounds.Min, draw.Src)
	step := (max(bounds.Dx(), bounds.Dy()) + mostPixels - 1) / mostPixels
	if step <= 1 {
		return whole
	}
	small := image.NewNRGBA(image.Rect(0, 0, max(bounds.Dx()/step, 1), max(bounds.Dy()/step, 1)))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			small.SetNRGBA(x, y, mean(whole, image.Rect(x*step, y*step, (x+1)*step, (y+1)*step)))
		}
	}
	return small
}

// mean returns the mean colour of a part of a picture. A pixel counts by how opaque it is.
func mean(picture *image.NRGBA, part image.Rectangle) color.NRGBA {
	var r, g, b, a, n int
	part = part.Intersect(picture.Rect)
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			c := picture.NRGBAAt(x, y)
			r, g, b = r+int(c.R)*int(c.A), g+int(c.G)*int(c.A), b+int(c.B)*int(c.A)
			a, n = a+int(c.A), n+1
		}
	}
	if a == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{R: uint8(r / a), G: uint8(g / a), B: uint8(b / a), A: uint8(a / n)}
}

// The most that a logo takes on the page.
const logoWidth, logoHeight = 150, 48

// letterhead draws logo and name and a rule below them, at the top of the first page.
func (d *document) letterhead() {
	l := d.look
	d.y = 40
	nameLeft := float64(left)
	if l.logo != nil {
		height := min(float64(logoHeight), logoWidth/l.aspect)
		width := height * l.aspect
		options := fpdf.ImageOptions{ImageType: "PNG"}
		d.pdf.RegisterImageOptionsReader("logo", options, bytes.NewReader(l.logo))
		d.pdf.ImageOptions("logo", left, d.y+(logoHeight-height)/2, width, height, false, options, 0, "")
		nameLeft += width + 14
	}
	f := face{bold, 16}
	lines := d.lines(l.name, f, right-nameLeft, 2)
	y := d.y + logoHeight/2 + f.size*0.36 - float64(len(lines)-1)*f.size*leading/2
	d.colour(l.colour)
	for _, line := range lines {
		d.text(nameLeft, y, f, line)
		y += f.size * leading
	}
	d.y += logoHeight + 10
	d.fill(l.colour, left, d.y, wide, 2)
	d.y += 2
}
