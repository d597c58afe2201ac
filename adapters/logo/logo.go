package logo

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"

	"milaan/domain"
)

// Clean takes at most 24 bytes of memory for each pixel, and looks at the size of the
// picture before it decodes it. A picture whose PNG is larger than domain.MaxLogoBytes is
// made smaller until it fits.
func Clean(file []byte) ([]byte, error) {
	if len(file) > domain.MaxLogoBytes {
		return nil, fault(domain.RuleImageBytes, domain.MaxLogoBytes>>10)
	}
	decode, size, err := open(file)
	if err != nil || size.Width < 1 || size.Height < 1 {
		return nil, fault(domain.RuleImage, 0)
	}
	if size.Width > domain.MaxLogoPixels/size.Height {
		return nil, fault(domain.RulePixels, domain.MaxLogoPixels)
	}
	decoded, err := decode(bytes.NewReader(file))
	if err != nil {
		return nil, fault(domain.RuleImage, 0)
	}
	picture := image.NewNRGBA(image.Rect(0, 0, size.Width, size.Height))
	draw.Draw(picture, picture.Bounds(), decoded, decoded.Bounds().Min, draw.Src)
	for {
		var b bytes.Buffer
		if err := png.Encode(&b, picture); err != nil {
			return nil, err
		}
		if b.Len() <= domain.MaxLogoBytes {
			return b.Bytes(), nil
		}
		picture = halved(picture)
	}
}

func fault(rule domain.Rule, most int) error {
	return domain.Faults{{Field: domain.FieldBrandingLogo, Rule: rule, Max: most}}.Err()
}

// open finds out what kind of image a file is and how large, and returns the function that
// decodes it.
func open(file []byte) (decode func(*bytes.Reader) (image.Image, error), size image.Config, err error) {
	if bytes.HasPrefix(file, []byte("\x89PNG")) {
		size, err = png.DecodeConfig(bytes.NewReader(file))
		return func(r *bytes.Reader) (image.Image, error) { return png.Decode(r) }, size, err
	}
	if bytes.Count(file, startOfScan) > mostScans {
		return nil, image.Config{}, image.ErrFormat
	}
	size, err = jpeg.DecodeConfig(bytes.NewReader(file))
	return func(r *bytes.Reader) (image.Image, error) { return jpeg.Decode(r) }, size, err
}

// A JPEG may have its picture in several scans. Programs make ten; with thousands of them,
// each of a few bytes, a small file takes minutes to decode.
const mostScans = 64

var startOfScan = []byte{0xff, 0xda}

// halved returns a picture of half the width and half the height, at least one pixel each.
// Each of its pixels is the average of four, weighted by how opaque they are.
func halved(from *image.NRGBA) *image.NRGBA {
	width, height := from.Rect.Dx(), from.Rect.Dy()
	to := image.NewNRGBA(image.Rect(0, 0, max(1, width/2), max(1, height/2)))
	for y := range to.Rect.Dy() {
		for x := range to.Rect.Dx() {
			var sums [4]uint32
			for _, at := range [4]image.Point{{2 * x, 2 * y}, {2*x + 1, 2 * y}, {2 * x, 2*y + 1}, {2*x + 1, 2*y + 1}} {
				c := from.NRGBAAt(min(at.X, width-1), min(at.Y, height-1))
				alpha := uint32(c.A)
				sums[0], sums[1], sums[2], sums[3] = sums[0]+uint32(c.R)*alpha, sums[1]+uint32(c.G)*alpha, sums[2]+uint32(c.B)*alpha, sums[3]+alpha
			}
			if alpha := sums[3]; alpha > 0 {
				to.SetNRGBA(x, y, color.NRGBA{R: uint8(sums[0] / alpha), G: uint8(sums[1] / alpha), B: uint8(sums[2] / alpha), A: uint8(alpha / 4)})
			}
		}
	}
	return to
}
