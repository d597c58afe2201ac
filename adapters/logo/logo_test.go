package logo_test

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/logo"
	"milaan/domain"
	"milaan/tests/only"
)

// picture draws a picture of one colour, half of it transparent.
func picture(width, height int, c color.NRGBA) *image.NRGBA {
	p := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width / 2 {
			p.SetNRGBA(x, y, c)
		}
	}
	return p
}

func asPNG(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, png.Encode(&b, p))
	return b.Bytes()
}

func asJPEG(t testing.TB, p image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, p, nil))
	return b.Bytes()
}

// chunk is a part of a PNG.
func chunk(kind string, data []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(data)))
	b = append(append(b, kind...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// declared is the beginning of a PNG that says that it has this size.
func declared(width, height uint32) []byte {
	header := binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)
	return append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(header, 16, 6, 0, 0, 0))...)
}

func clean(t testing.TB, file []byte) image.Image {
	t.Helper()
	cleaned := only.Value(logo.Clean(file))(t)
	require.LessOrEqual(t, len(cleaned), domain.MaxLogoBytes)
	return only.Value(png.Decode(bytes.NewReader(cleaned)))(t)
}

// TestPicturesComeBack holds that what is kept is the picture and nothing else of the file.
func TestPicturesComeBack(t *testing.T) {
	red := color.NRGBA{R: 200, A: 255}
	file := asPNG(t, picture(40, 20, red))
	noted := append(append(bytes.Clone(file[:33]), chunk("tEXt", []byte("Author\x00Asha"))...), file[33:]...)
	require.NotContains(t, string(only.Value(logo.Clean(noted))(t)), "Asha")
	p := clean(t, noted)
	require.Equal(t, image.Rect(0, 0, 40, 20), p.Bounds())
	require.Equal(t, red, color.NRGBAModel.Convert(p.At(3, 3)))
	require.Equal(t, color.NRGBA{}, color.NRGBAModel.Convert(p.At(30, 3)))

	r, _, _, a := clean(t, asJPEG(t, picture(40, 20, red))).At(3, 3).RGBA()
	require.InDelta(t, 200<<8, r, 3<<8)
	require.EqualValues(t, 0xffff, a)
}

// TestLargePicturesAreMadeSmaller draws noise, which no format makes small.
func TestLargePicturesAreMadeSmaller(t *testing.T) {
	noise := image.NewNRGBA(image.Rect(0, 0, 900, 700))
	random := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(random.Uint32())
		if i%4 == 3 {
			noise.Pix[i] = 255
		}
	}
	var b bytes.Buffer
	require.NoError(t, jpeg.Encode(&b, noise, &jpeg.Options{Quality: 20}))
	require.Equal(t, image.Rect(0, 0, 225, 175), clean(t, b.Bytes()).Bounds())
}

// TestImagesThatAreRefused also holds that this takes little memory, whatever they declare.
func TestImagesThatAreRefused(t *testing.T) {
	good, photo := asPNG(t, picture(40, 20, color.NRGBA{A: 255})), asJPEG(t, picture(40, 20, color.NRGBA{A: 255}))
	image := domain.Fault{Field: domain.FieldBrandingLogo, Rule: domain.RuleImage}
	pixels := domain.Fault{Field: domain.FieldBrandingLogo, Rule: domain.RulePixels, Max: domain.MaxLogoPixels}
	for name, c := range map[string]struct {
		file []byte
		want domain.Fault
	}{
		"nothing":                 {nil, image},
		"text":                    {[]byte("<svg/>"), image},
		"a GIF":                   {[]byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"), image},
		"a PNG cut off":           {good[:len(good)-20], image},
		"a JPEG cut off":          {photo[:len(photo)-20], image},
		"a damaged PNG":           {append(bytes.Clone(good[:45]), append([]byte{1, 2, 3}, good[48:]...)...), image},
		"too many bytes":          {make([]byte, domain.MaxLogoBytes+1), domain.Fault{Field: domain.FieldBrandingLogo, Rule: domain.RuleImageBytes, Max: 256}},
		"too many pixels":         {declared(2001, 2000), pixels},
		"an enormous PNG":         {declared(1<<31-1, 1<<31-1), image},
		"an enormous height":      {declared(1, 1<<31-1), pixels},
		"no width":                {declared(0, 1<<20), image},
		"declared, but not there": {append(declared(2000, 2000), chunk("IDAT", nil)...), image},
		"thousands of scans":      {bytes.Replace(photo, []byte{0xff, 0xda}, bytes.Repeat([]byte{0xff, 0xda, 0, 2}, 10_000), 1), image},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := logo.Clean(c.file)
		runtime.ReadMemStats(&after)
		require.Equal(t, domain.Faults{c.want}, domain.FaultsOf(err), name)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(40<<20), name)
	}
}

// FuzzLogos holds that an image is refused, or comes back as a PNG within the limits.
func FuzzLogos(f *testing.F) {
	f.Add(asPNG(f, picture(4, 3, color.NRGBA{A: 255})))
	f.Add(asJPEG(f, picture(4, 3, color.NRGBA{A: 255})))
	f.Add(declared(2000, 2000))
	f.Fuzz(func(t *testing.T, file []byte) {
		cleaned, err := logo.Clean(file)
		if err != nil {
			require.NotEmpty(t, domain.FaultsOf(err))
			return
		}
		require.LessOrEqual(t, len(cleaned), domain.MaxLogoBytes)
		require.NoError(t, only.Err(png.DecodeConfig(bytes.NewReader(cleaned))))
	})
}
