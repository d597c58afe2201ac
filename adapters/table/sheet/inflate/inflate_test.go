package inflate_test

import (
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table/sheet/inflate"
)

// mostTested is how many bytes are inflated at most.
const mostTested = 2 << 20

// readIn reads all, in pieces of a size.
func readIn(r io.Reader, size int) (all []byte, err error) {
	for piece := make([]byte, size); ; {
		n, err := r.Read(piece)
		all = append(all, piece[:n]...)
		if err == io.EOF {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		if len(all) > mostTested {
			return all, fmt.Errorf("more than is tested")
		}
	}
}

// requireAsFlate holds that what is deflated is read as compress/flate reads it, in pieces of any size.
func requireAsFlate(t *testing.T, deflated []byte) {
	t.Helper()
	want, wrong := readIn(flate.NewReader(bytes.NewReader(deflated)), 1<<12)
	r := inflate.NewReader(strings.NewReader("\x07 is damaged"))
	_, err := io.ReadAll(r)
	require.ErrorIs(t, err, inflate.ErrDamaged)
	for _, size := range []int{7, 301, 1 << 16} {
		if size < 301 && len(want) > 1<<16 {
			continue
		}
		r.Reset(bytes.NewReader(deflated))
		got, err := readIn(r, size)
		require.Equal(t, wrong == nil, err == nil, "%v, %v", wrong, err)
		if wrong == nil {
			require.True(t, bytes.Equal(want, got), "%d bytes of %d", len(got), len(want))
		} else if len(want) < mostTested {
			require.True(t, bytes.HasPrefix(want, got) || bytes.HasPrefix(got, want), "%v, %v", wrong, err)
		}
	}
}

// deflated is a text as others deflate it.
func deflated(text []byte, level int) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, level)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err)
	}
	return b.Bytes()
}

// texts are of all kinds of codes: long ones, short ones and nearly none.
func texts() map[string][]byte {
	r := rand.New(rand.NewPCG(1, 2))
	made := func(n int, next func(before []byte) byte) (text []byte) {
		for range n {
			text = append(text, next(text))
		}
		return text
	}
	var rows strings.Builder
	for i := range 5000 {
		fmt.Fprintf(&rows, `<c r="A%d" t="s"><v>%d</v></c><c r="B%d"><v>%d.%02d</v></c>`, i, r.IntN(i+1), i, r.IntN(5000), r.IntN(100))
	}
	var pairs []byte // of literals, each before the longest copy of the second
	for i := range 2000 {
		pairs = append(pairs, byte(r.IntN(256)))
		pairs = append(pairs, bytes.Repeat([]byte{byte(i)}, 259)...)
	}
	return map[string][]byte{
		"pairs":    pairs,
		"empty":    nil,
		"one":      []byte("x"),
		"rows":     []byte(rows.String()),
		"one byte": bytes.Repeat([]byte("a"), 300_000),
		"seven":    bytes.Repeat([]byte("abcdefg"), 50_000),
		"far":      bytes.Repeat(made(32<<10-1, func([]byte) byte { return byte(r.Uint32()) }), 5),
		"noise":    made(200_000, func([]byte) byte { return byte(r.Uint32()) }),
		"rare":     made(300_000, func([]byte) byte { return byte(r.ExpFloat64() * 9) }),
		"copies": made(300_000, func(b []byte) byte {
			if len(b) > 9 && r.IntN(40) > 0 {
				return b[len(b)-1-r.IntN(9)]
			}
			return byte(r.ExpFloat64() * 20)
		}),
	}
}

func TestInflate(t *testing.T) {
	for name, text := range texts() {
		t.Run(name, func(t *testing.T) {
			for level := flate.HuffmanOnly; level <= flate.BestCompression; level++ {
				all := deflated(text, level)
				requireAsFlate(t, all)
				for _, n := range []int{0, 1, 2, 5, len(all) / 2, len(all) - 1} {
					requireAsFlate(t, all[:max(0, min(n, len(all)))])
				}
				requireAsFlate(t, append(all, "what follows is not read"...))
			}
		})
	}
}

// TestDamage reads what is damaged at random, most of it in the tables of its first block, by one reader after the other.
func TestDamage(t *testing.T) {
	random, r := rand.New(rand.NewPCG(3, 4)), inflate.NewReader(nil)
	sound, wrong := 0, 0
	all := texts()
	for range 40 {
		for _, text := range all {
			from := random.IntN(len(text) + 1)
			damaged := deflated(text[from:min(len(text), from+random.IntN(2000))], random.IntN(12)-2)
			for range 20 {
				damaged := bytes.Clone(damaged)
				for range random.IntN(3) {
					damaged[random.IntN(min(len(damaged), 60))] ^= 1 << random.IntN(8)
				}
				want, err := readIn(flate.NewReader(bytes.NewReader(damaged)), 1<<12)
				r.Reset(bytes.NewReader(damaged))
				got, ownErr := readIn(r, 1+random.IntN(5000))
				require.Equal(t, err == nil, ownErr == nil, "%v, %v", err, ownErr)
				if wrong++; err == nil {
					require.True(t, bytes.Equal(want, got))
					sound++
					wrong--
				}
			}
		}
	}
	require.Greater(t, sound, 1000)
	require.Greater(t, wrong, 1000)
}

func TestInputThatFails(t *testing.T) {
	all := deflated(texts()["rows"], 6)
	for _, input := range []io.Reader{iotest.TimeoutReader(bytes.NewReader(all)), io.MultiReader(bytes.NewReader(all[:5000]), iotest.ErrReader(iotest.ErrTimeout))} {
		_, err := io.ReadAll(inflate.NewReader(iotest.HalfReader(input)))
		require.ErrorIs(t, err, iotest.ErrTimeout)
	}
	text, err := io.ReadAll(inflate.NewReader(iotest.DataErrReader(iotest.OneByteReader(bytes.NewReader(all)))))
	require.NoError(t, err)
	require.Equal(t, texts()["rows"], text)
	_, err = io.ReadAll(inflate.NewReader(stuck{}))
	require.ErrorIs(t, err, io.ErrNoProgress)
}

// stuck reads nothing, and says nothing of it.
type stuck struct{}

func (stuck) Read([]byte) (int, error) { return 0, nil }

// FuzzInflate reads what is damaged.
func FuzzInflate(f *testing.F) {
	for _, text := range texts() {
		for _, level := range []int{0, 1, 9, flate.HuffmanOnly} {
			f.Add(deflated(text[:min(len(text), 3000)], level))
		}
	}
	f.Fuzz(requireAsFlate)
}

// BenchmarkInflate reads the rows of a sheet, as this package and as the standard library.
func BenchmarkInflate(b *testing.B) {
	text := bytes.Repeat(texts()["rows"], 10)
	all := deflated(text, 6)
	into := make([]byte, 128<<10)
	for name, reader := range map[string]func(io.Reader) io.Reader{
		"here":  func(from io.Reader) io.Reader { return inflate.NewReader(from) },
		"flate": func(from io.Reader) io.Reader { return flate.NewReader(from) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r := reader(bytes.NewReader(all))
				for err := error(nil); err == nil; {
					_, err = r.Read(into)
				}
			}
		})
	}
}
