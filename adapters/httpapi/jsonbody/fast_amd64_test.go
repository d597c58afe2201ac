package jsonbody

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// decodedText is what goOn makes of a string: the text, and where and how it has ended.
func decodedText(string_ []byte, piece int) string {
	buf := bytes.Clone(string_)
	u, at, end := unescapingFrom(0), 0, cutOff
	for have := min(piece, len(buf)); end == cutOff; have = min(have+piece, len(buf)) {
		at, end = u.goOn(buf[:have:have], at, have == len(buf))
	}
	return fmt.Sprintf("%q, %d invalid, to %d, %d", u.in(buf), u.invalid, at, end)
}

// sameFast demands that a string is decoded in the same way with and without the fast
// instructions. They are used only once there is room between what is read and what is written.
func sameFast(t *testing.T, text []byte, piece int) {
	t.Helper()
	text = append([]byte(strings.Repeat(`\n`, vector)), text...)
	got := decodedText(text, piece)
	fast = false
	want := decodedText(text, piece)
	fast = true
	require.Equal(t, want, got, "%q in pieces of %d", text, piece)
}

func demandFast(t testing.TB) {
	if !fast {
		t.Skip("NOT TESTED: this processor has no AVX2")
	}
}

// TestFastDecodesEveryByteAtEveryPlace puts every byte, and each escape, at every place of two rounds.
func TestFastDecodesEveryByteAtEveryPlace(t *testing.T) {
	demandFast(t)
	pieces := []string{`\n`, `\"`, `\\`, `\/`, `\x`, `\u20b9`, `\ud83d\ude00`, `\u20`, "₹", "é", "😀", "\xe2\x82", `\"\"`, `\\\\\"`, `"`}
	for b := range 256 {
		pieces = append(pieces, string([]byte{byte(b)}))
	}
	for _, piece := range pieces {
		for before := range 2*vector + 2 {
			for _, after := range []int{0, 1, vector, 3 * vector} {
				sameFast(t, []byte(strings.Repeat("x", before)+piece+strings.Repeat("y", after)+`"`), 1<<20)
			}
		}
	}
}

func TestFastDecodesAnyText(t *testing.T) {
	demandFast(t)
	chance := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", ",", "#1001,", "2026-02-03 11:22:33 +0530,fulfilled,", `\n`, `\r\n`, `\"`, `\"\"`, `\\`, `\t`, `\u20b9`, `\u0000`, "₹", "नमस्ते",
		"\xff", "\x1f", `"`, `\`}
	for range 20_000 {
		var text []byte
		likely := 1 + chance.IntN(len(parts))
		for range chance.IntN(60) {
			text = append(text, parts[chance.IntN(likely)]...)
		}
		sameFast(t, append(text, '"'), 1+chance.IntN(200))
	}
}

func FuzzFast(f *testing.F) {
	demandFast(f)
	f.Add([]byte(`#1001,\"Mehta, R.\",fulfilled,2026-02-03 11:22:33 +0530,₹ 1,200.00,\u20b9\r\n"`), 50)
	f.Fuzz(func(t *testing.T, text []byte, piece int) { sameFast(t, text, max(piece&1023, 1)) })
}
