package httpapi_test

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/unpack"
	"milaan/tests/only"
)

// coding packs a text, and unpacks it without unpack.
type coding struct {
	name   unpack.Coding
	pack   func(to io.Writer) (io.WriteCloser, error)
	unpack func(from io.Reader) (io.Reader, error)
}

var codings = []coding{
	{unpack.Gzip, func(to io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(to), nil },
		func(from io.Reader) (io.Reader, error) { return gzip.NewReader(from) }},
	{unpack.Zstd, func(to io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(to, zstd.WithWindowSize(128<<10)) },
		func(from io.Reader) (io.Reader, error) { return zstd.NewReader(from) }},
}

func (c coding) packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := only.Value(c.pack(&b))(t)
	require.NoError(t, only.Err(io.WriteString(w, text)))
	require.NoError(t, w.Close())
	return b.Bytes()
}

var (
	errTooLarge, errDamaged, errBusy = errors.New("too large"), errors.New("damaged"), errors.New("busy")
	errWindow, errBlocks             = errors.New("window"), errors.New("blocks")
)

// read reads a body to its end. It may be charged for no more than free bytes, which then are free again.
func (c coding) read(t testing.TB, body io.Reader, most, free int64) (string, error) {
	t.Helper()
	r := only.Value(http.NewRequest(http.MethodPost, "/", body))(t)
	unpacked, drop := unpack.Request(r, c.name, most, unpack.Errors{TooLarge: errTooLarge, Damaged: errDamaged, Window: errWindow, Blocks: errBlocks})
	require.Equal(t, int64(-1), unpacked.ContentLength)
	taken := int64(0)
	unpacked.Body.(*unpack.Body).ReadBy(func(from io.Reader, into []byte, _ int) (int, error) { return from.Read(into) },
		func(bytes int64) (func(), error) {
			require.LessOrEqual(t, bytes, int64(unpack.MostTaken))
			if bytes > free {
				return nil, errBusy
			}
			taken += bytes
			return func() { taken -= bytes }, nil
		})
	text, err := io.ReadAll(unpacked.Body)
	if err == nil {
		require.Zero(t, taken, "nothing is taken once the body has arrived")
	}
	require.NoError(t, unpacked.Body.Close())
	drop()
	drop()
	require.Zero(t, taken)
	return string(text), err
}

func TestBodies(t *testing.T) {
	long := strings.Repeat("ten bytes\n", 100_000)
	for _, c := range codings {
		for _, text := range []string{"", "{}", long} {
			for _, source := range []func([]byte) io.Reader{
				func(b []byte) io.Reader { return bytes.NewReader(b) }, func(b []byte) io.Reader { return iotest.OneByteReader(bytes.NewReader(b)) },
				func(b []byte) io.Reader { return iotest.DataErrReader(bytes.NewReader(b)) },
			} {
				require.Equal(t, text, only.Value(c.read(t, source(c.packed(t, text)), 1<<20, unpack.MostTaken))(t))
			}
		}
	}
}

func TestBodiesThatAreRefused(t *testing.T) {
	for i, c := range codings {
		refused := func(want error, body io.Reader, most int64, why ...any) {
			t.Helper()
			require.ErrorIs(t, only.Err(c.read(t, body, most, unpack.MostTaken)), want, why...)
		}
		whole := c.packed(t, strings.Repeat("{}", 1000))
		wrong := bytes.Clone(whole)
		for _, checksum := range []int{6, 1} { // from the end; of gzip and of both
			wrong[len(wrong)-checksum]++
		}
		for name, body := range map[string][]byte{
			"nothing": nil, "not packed": []byte(`{"shopify": "x"}`), "zlib": {0x78, 0x9c, 3, 0, 0, 0, 0, 1}, "the other coding": codings[1-i].packed(t, "{}"),
			"another": append(bytes.Clone(whole), whole...), "an empty one": append(bytes.Clone(whole), c.packed(t, "")...),
			"something more": append(bytes.Clone(whole), 0), "the checksum": wrong,
		} {
			refused(errDamaged, bytes.NewReader(body), 1<<20, c.name, name)
		}
		for n := range whole {
			refused(errDamaged, bytes.NewReader(whole[:n]), 1<<20, "%s: %d bytes", c.name, n)
		}
		require.NoError(t, only.Err(c.read(t, bytes.NewReader(whole), int64(len(whole)), unpack.MostTaken)))
		refused(errTooLarge, bytes.NewReader(whole), int64(len(whole))-1)
		cut := io.MultiReader(bytes.NewReader(whole[:len(whole)-1]), iotest.ErrReader(io.ErrUnexpectedEOF))
		refused(io.ErrUnexpectedEOF, cut, 1<<20, "the connection ended")
	}
	header := append([]byte{0x1f, 0x8b, 8, 0x08, 0, 0, 0, 0, 0, 0xff}, bytes.Repeat([]byte("n"), 2<<20)...)
	require.ErrorIs(t, only.Err(codings[0].read(t, bytes.NewReader(header), 1<<20, 0)), errDamaged, "a header without an end")
}

// TestFrames has frames of zstd as no encoder makes them, and as some do.
func TestFrames(t *testing.T) {
	const raw, repeated, reserved, last = 0, 2, 6, 1
	block := func(kind, size int, content string) string {
		return string(binary.LittleEndian.AppendUint32(nil, uint32(size<<3|kind))[:3]) + content
	}
	const magic = "\x28\xb5\x2f\xfd"
	const large = magic + "\x00\x68" // its window has MaxWindow
	abc := block(raw|last, 3, "abc")
	for name, f := range map[string]struct {
		frame, text string
		err         error
	}{
		"the largest window":             {large + abc, "abc", nil},
		"a larger one":                   {magic + "\x00\x69" + abc, "", errWindow},
		"the largest that can be":        {magic + "\x00\xff" + abc, "", errWindow},
		"as large as the text":           {magic + "\x20\x03" + abc, "abc", nil},
		"the text is longer than said":   {magic + "\x20\x02" + abc, "", errDamaged},
		"the text is shorter than said":  {magic + "\x20\x04" + abc, "", errDamaged},
		"a text as large as may be said": {magic + "\xe0\xff\xff\xff\xff\xff\xff\xff\xff" + abc, "", errWindow},
		"a text of more than the window": {magic + "\xa0\x01\x00\x80\x00" + abc, "", errWindow},
		"as many blocks as may be":       {large + strings.Repeat(block(raw, 0, ""), 49_999) + abc, "abc", nil},
		"more blocks":                    {large + strings.Repeat(block(raw, 0, ""), 50_000) + abc, "", errBlocks},
		"repeated":                       {large + block(repeated, 100_000, "a") + abc, strings.Repeat("a", 100_000) + "abc", nil},
		"a block that is too large":      {large + block(repeated, 128<<10+1, "a") + abc, "", errDamaged},
		"a block of no kind":             {large + block(reserved, 3, "abc") + abc, "", errDamaged},
		"a reserved bit":                 {magic + "\x08\x68" + abc, "", errDamaged},
		"no dictionary, by number":       {magic + "\x01\x68\x00" + abc, "abc", nil},
		"a dictionary":                   {magic + "\x01\x68\x01" + abc, "", errDamaged},
		"to be skipped":                  {"\x50\x2a\x4d\x18\x03\x00\x00\x00abc", "", errDamaged},
		"to be skipped first":            {"\x5f\x2a\x4d\x18\x00\x00\x00\x00" + large + abc, "", errDamaged},
		"to be skipped last":             {large + abc + "\x50\x2a\x4d\x18\x00\x00\x00\x00", "abc", errDamaged},
		"without its magic":              {"\x00\x68" + abc, "", errDamaged},
	} {
		got, err := codings[1].read(t, strings.NewReader(f.frame), 1<<20, unpack.MostTaken)
		require.ErrorIs(t, err, f.err, name)
		if f.err == nil || f.text != "" {
			require.Equal(t, f.text, got, name)
		}
	}
	require.ErrorIs(t, only.Err(codings[1].read(t, strings.NewReader(large+abc), 1<<20, unpack.MostTaken-1)), errBusy)
}

// bits writes a stream of deflate (RFC 1951) as no encoder does.
type bits struct {
	bytes []byte
	rest  uint64
	n     uint // bits of rest
}

func (b *bits) put(value uint64, n uint) {
	b.rest |= value << b.n
	for b.n += n; b.n >= 8; b.n -= 8 {
		b.bytes = append(b.bytes, byte(b.rest))
		b.rest >>= 8
	}
}

// blocks are many blocks that have tables of their own, for the byte 255 and the end alone, and some of that byte.
func blocks(text int) []byte {
	b := new(bits)
	for range 8 { // then they end with a byte
		b.put(2<<1, 3)
		b.put(14<<10, 14) // one distance, and the lengths of the first 18 lengths of codes
		for i := range 18 {
			if i == 2 || i == 17 { // zeros repeated, and the length 1
				b.put(1, 3)
			} else {
				b.put(0, 3)
			}
		}
		for _, zeros := range []uint64{138, 117} {
			b.put((zeros-11)<<1|1, 8)
		}
		b.put(0, 3)
		b.put(0, uint(text))
		b.put(1, 1)
	}
	return bytes.Repeat(b.bytes, 10<<20/len(b.bytes))
}

// A body that is nearly all tables of blocks would take seconds to unpack, and give little or nothing. It is
// refused before 3 MB of it are read, whatever came before; what programs send that flush often is not.
func TestBodiesOfManyBlocks(t *testing.T) {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	require.NoError(t, w.Flush())
	begun := bytes.Clone(packed.Bytes())
	require.NoError(t, only.Err(w.Write(make([]byte, 20<<20))))
	require.NoError(t, w.Flush())
	for name, text := range map[string][]byte{
		"empty ones": slices.Concat(begun, blocks(0)), "as long as they are": slices.Concat(begun, blocks(16)),
		"empty ones after a long text": slices.Concat(packed.Bytes(), blocks(0)),
	} {
		body := bytes.NewReader(text)
		require.ErrorIs(t, only.Err(codings[0].read(t, body, 25<<20, unpack.MostTaken)), errBlocks, name)
		require.LessOrEqual(t, len(text)-body.Len(), 3<<20, name)
	}

	packed.Reset()
	w = gzip.NewWriter(&packed)
	for i := range 50_000 {
		require.NoError(t, only.Err(fmt.Fprintf(w, "#%d,19041200%06d\n", i, i)))
		require.NoError(t, w.Flush())
	}
	require.NoError(t, w.Close())
	want := only.Value(codings[0].unpack(bytes.NewReader(packed.Bytes())))(t)
	text := only.Value(io.ReadAll(want))(t)
	require.Equal(t, string(text), only.Value(codings[0].read(t, &packed, 25<<20, unpack.MostTaken))(t))
}

func TestWhatUnpackingTakesIsCharged(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 20<<20)
	for i := range text {
		text[i] = "0123456789abcdef"[int(random.ExpFloat64()*4)%16]
	}
	for window := zstd.MinWindowSize; window <= unpack.MaxWindow; window *= 2 {
		var packed bytes.Buffer
		w := only.Value(zstd.NewWriter(&packed, zstd.WithWindowSize(window), zstd.WithEncoderLevel(zstd.SpeedFastest)))(t)
		text := text[:2*window+1<<20] // what it keeps of the text is its window
		require.NoError(t, only.Err(w.Write(text)))
		require.NoError(t, w.Close())
		r := only.Value(http.NewRequest(http.MethodPost, "/", &packed))(t)
		unpacked, drop := unpack.Request(r, unpack.Zstd, 25<<20, unpack.Errors{})
		var charged uint64
		unpacked.Body.(*unpack.Body).ReadBy(func(from io.Reader, into []byte, _ int) (int, error) { return from.Read(into) },
			func(bytes int64) (func(), error) { charged = uint64(bytes); return func() {}, nil })
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		n, err := io.Copy(io.Discard, unpacked.Body)
		runtime.ReadMemStats(&after)
		require.NoError(t, err)
		require.EqualValues(t, len(text), n)
		require.LessOrEqual(t, after.TotalAlloc-before.TotalAlloc, charged, "a window of %d bytes", window)
		drop()
	}
}

// FuzzBodies holds that a body is either what a program without Milaan makes of it, or refused.
func FuzzBodies(f *testing.F) {
	for i, c := range codings {
		f.Add(byte(i), c.packed(f, "{}"))
		f.Add(byte(i), c.packed(f, strings.Repeat("ten bytes\n", 1000)))
		f.Add(byte(i), []byte{})
	}
	f.Fuzz(func(t *testing.T, of byte, body []byte) {
		c := codings[int(of)%len(codings)]
		got, err := c.read(t, bytes.NewReader(body), 1<<20, unpack.MostTaken)
		if err != nil {
			return
		}
		r := only.Value(c.unpack(bytes.NewReader(body)))(t)
		require.Equal(t, string(only.Value(io.ReadAll(r))(t)), got)
		require.ErrorIs(t, only.Err(c.read(t, bytes.NewReader(body[:len(body)-1]), 1<<20, unpack.MostTaken)), errDamaged)
		require.ErrorIs(t, only.Err(c.read(t, bytes.NewReader(append(bytes.Clone(body), 0)), 1<<20, unpack.MostTaken)), errDamaged)
	})
}
