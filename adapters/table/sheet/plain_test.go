package sheet

import (
	"testing"

	"pgregory.net/rapid"
)

// TestPlainLength holds what looks at eight bytes at once against a look at each.
func TestPlainLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOfN(rapid.OneOf(rapid.Byte(), rapid.SampledFrom([]byte("ab \x1f,<\"&-=+\x7f\x80\xff"))), 0, 40).Draw(t, "text")
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
