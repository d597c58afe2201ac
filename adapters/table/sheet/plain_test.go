package sheet

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// TestPlainLength holds what looks at eight bytes at once against a look at each.
func TestPlainLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte("ab  !\x1f,<\"&-=+\x7f\x80\xff"))), 0, 40).Draw(t, "text")
		from := rapid.IntRange(0, len(text)).Draw(t, "from") // where few are odd
		for i := range from {
			text[i] = 'a' + text[i]%26
		}
		want := 0
		for want < len(text) && isPlainText(text[want]) {
			want++
		}
		if got := plainLength(text); got != want {
			t.Fatalf("%d of %q, want %d", got, text, want)
		}
	})
}

// TestPlainTextLength is TestPlainLength for texts with blanks.
func TestPlainTextLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.SampledFrom([]byte("abcdefg !")), 0, 40).Draw(t, "text")
		odd := rapid.SliceOfN(rapid.SampledFrom([]byte("<,\x1f\xff  ")), 0, 12).Draw(t, "odd")
		text = append(text, odd...)
		want := plainLength(text)
		got, spaced := plainTextLength(text)
		if is := isSpaced(text[:want]); got != want || spaced != is && (spaced || !bytes.Contains(text, []byte(" !"))) {
			t.Fatalf("%d of %q, want %d, spaced %v", got, text, want, spaced)
		}
	})
}

func TestBeforeQuote(t *testing.T) {
	for n := range 70 {
		text := bytes.Repeat([]byte{'!', '#'}, 40)
		require.Equal(t, -1, beforeQuote(text[:n]))
		text[n] = '"'
		require.Equal(t, n, beforeQuote(text))
		require.Equal(t, n, beforeQuote(text[:n+1]))
	}
}
