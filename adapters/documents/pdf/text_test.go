package pdf

import (
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

func TestClean(t *testing.T) {
	for given, want := range map[string]string{
		"":                       "",
		"#1001":                  "#1001",
		" a  b\t\r\nc ":          "a b c",
		"a\x00b\x1b[31mc":        "ab[31mc",
		"a\u202eb\u2066c\u200fd": "abcd",
		"\ufeff\u00adsoft":       "soft",
		"a\xffb\xc3":             "a\ufffdb\ufffd",
		"e\u0301":                "é",
		"क\u200d्":               "क\u200d्",
		"a\u200db\u200c":         "ab",
		"❤\ufe0f":                "❤",
		"\ue000":                 "\ufffd",
		"₹1 “x” …":               "₹1 “x” …",
		"\u0958":                 "क\u093c",
	} {
		require.Equal(t, want, clean(given), "%q", given)
		require.Equal(t, clean(given), clean(clean(given)), "%q", given)
	}
	long := clean(strings.Repeat("ab ", 5_000_000))
	require.Equal(t, longestText+1, utf8.RuneCountInString(long))
	require.True(t, strings.HasSuffix(long, ellipsis))
	require.Equal(t, strings.Repeat("x", longestText)+ellipsis, clean(strings.Repeat("x", longestText)+" y"))
	require.Equal(t, strings.Repeat("अ", longestCell)+ellipsis, cleanCell([]byte(strings.Repeat("अ", 1<<20))))
}

// FuzzTexts holds that any text becomes harmless, breaks into lines that fit without losing
// anything, and stands in a PDF string as it is.
func FuzzTexts(f *testing.F) {
	for _, s := range []string{"#1001 श्री \u202e\x00\xff🙂", `\)(`, strings.Repeat("क्", 600), "த\u0bcd \u0301\u0301", "\u0a0d\u0d0a\u5c28", "A्क्क्क्क्क्क्क्कॕA%000", words} {
		f.Add(s)
	}
	d := newTestDocument(f)
	f.Fuzz(func(t *testing.T, s string) {
		got := clean(s)
		require.True(t, utf8.ValidString(got))
		require.NotContains(t, got, "  ")
		require.Equal(t, strings.TrimSpace(got), got)
		require.LessOrEqual(t, utf8.RuneCountInString(got), longestText+1)
		for _, r := range got {
			require.False(t, unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r), "%U", r)
		}

		f := face{bold, 8}
		const width = 70
		lines := d.lines(got, f, width, longestText+1)
		require.Equal(t, strings.ReplaceAll(got, " ", ""), strings.ReplaceAll(strings.Join(lines, ""), " ", ""))
		for _, line := range lines {
			if firstCluster(line) < len(line) {
				require.LessOrEqual(t, d.width(line, f), width+0.01)
			}
		}
		require.LessOrEqual(t, len(d.lines(got, f, width, 3)), 3)

		d.begin()
		d.appendUTF16(got)
		require.Equal(t, string(utf16.Decode(units(d.b))), got)
	})
}

// units takes the backslashes out of a PDF string of UTF-16.
func units(b []byte) (units []uint16) {
	var plain []byte
	for i := 0; i < len(b); i++ {
		if b[i] == '\\' {
			if i++; b[i] == 'r' {
				plain = append(plain, '\r')
				continue
			}
		}
		plain = append(plain, b[i])
	}
	for i := 0; i+1 < len(plain); i += 2 {
		units = append(units, uint16(plain[i])<<8|uint16(plain[i+1]))
	}
	return units
}

func newTestDocument(t testing.TB) *document {
	l := only.Value(newLook(new(domain.Branding)))(t)
	d := only.Value(newDocument(l, "title", time.Unix(0, 0)))(t)
	d.newPage()
	return d
}

// TestWidthsAreTheLibrarys holds that a text is measured as the library and a viewer set it.
func TestWidthsAreTheLibrarys(t *testing.T) {
	d := newTestDocument(t)
	for _, w := range []weight{regular, bold} {
		d.set(face{w, 10})
		for r := rune(' '); r < latins; r++ {
			if n := d.faces[w].widths[r]; n > 0 && d.faces[w].scriptOf(r, latin) == latin {
				require.InDelta(t, float64(n), d.pdf.GetStringSymbolWidth(string(r)), 0, "%U", r)
			}
		}
		require.Equal(t, int(d.faces[w].missing), d.pdf.GetStringSymbolWidth("क"), "of characters that the Latin font lacks")
		for _, r := range "₹₨“”’–—…•×−ĀāṇṣḥéÑ" {
			require.Equal(t, latin, d.faces[w].scriptOf(r, latin), "%c", r)
		}
	}
	require.InDelta(t, float64(d.pdf.GetStringSymbolWidth("Orders of ₹1,23,456"))/100, d.width("Orders of ₹1,23,456", face{bold, 10}), 0.001)
}

// words are Hindi words with conjuncts, reordered vowels, reph, nukta and joiners.
const words = "श्री राधाकृष्ण किराना स्टोर स्त्री हिन्दी विद्यार्थी ज्ञानेश्वर क्षत्रिय कर्म मूर्ति र\u094d\u200dय ट्रक रुपये रूप हृदय शृंगार द्वितीय उद्घाटन " +
	"ब्रह्माण्ड प्राप्त लड़की पढ़ाई ऑनलाइन फ़ोन चिह्न अँधेरा संस्कृत आत्मनिर्भर त्र्यंबक कॅश ॐ नमः १२३४५६७८९० धन्यवाद।"

// TestClustersStandAlone holds that a word shaped cluster by cluster is the word shaped
// whole: the same glyphs in the same places.
func TestClustersStandAlone(t *testing.T) {
	faces := only.Value(loadTypefaces())(t)
	for _, w := range []weight{regular, bold} {
		s := shaper{faces: faces}
		for _, text := range strings.Fields(words) {
			whole := s.shape(w, text)
			var glyphs []placed
			var width int32
			for c := range s.clusters(w, text) {
				for _, g := range c.glyphs {
					g.x += width
					glyphs = append(glyphs, g)
				}
				width += c.width
			}
			require.Equal(t, whole.glyphs, glyphs, text)
			require.Equal(t, whole.width, width, text)
			for _, g := range glyphs {
				require.NotZero(t, g.glyph, "%s has no missing glyph", text)
			}
		}
	}
}

// TestShapes holds that Devanagari is shaped: conjuncts are one form, and the vowel sign i
// stands before its consonant.
func TestShapes(t *testing.T) {
	faces := only.Value(loadTypefaces())(t)
	s := shaper{faces: faces}
	require.Len(t, s.shape(regular, "क्ष").glyphs, 1, "three characters, one form")
	require.Len(t, s.shape(regular, "ज्ञ").glyphs, 1)
	k, _ := faces[regular].devanagari.NominalGlyph('क')
	ki := s.shape(regular, "कि").glyphs
	require.Len(t, ki, 2)
	require.Equal(t, k, ki[1].glyph)
	rka := s.shape(regular, "र्क").glyphs
	require.Equal(t, k, rka[0].glyph, "reph stands on the consonant after it")
}

func TestLines(t *testing.T) {
	d := newTestDocument(t)
	f := face{regular, 10}
	for _, text := range []string{"one two three four five six seven", "https://example.com/a/very/long/address/without/any/blank", words, "नमस्ते #1001 ₹1,299 and जय", "தமிழ் 🙂🙂🙂"} {
		for _, width := range []float64{3, 30, 60, 200, 5000} {
			lines := d.lines(text, f, width, 1000)
			require.Equal(t, strings.ReplaceAll(text, " ", ""), strings.ReplaceAll(strings.Join(lines, ""), " ", ""), "nothing is lost")
			for _, line := range lines {
				if firstCluster(line) < len(line) {
					require.LessOrEqual(t, d.width(line, f), width+0.01, line)
				}
			}
			if most := 2; len(lines) > most {
				cut := d.lines(text, f, width, most)
				require.Len(t, cut, most)
				require.True(t, strings.HasSuffix(cut[1], ellipsis))
				require.Equal(t, lines[0], cut[0])
			}
		}
	}
	require.Empty(t, d.lines("", f, 100, 3))
	require.Equal(t, []string{"राधाकृष्ण-", "श्रीवास्तव-१००१"}, d.lines("राधाकृष्ण-श्रीवास्तव-१००१", f, 62, 9))
	require.Equal(t, []string{"AWB 1,", "AWB 2…"}, d.lines("AWB 1, AWB 2, AWB 3", f, 40, 2))
}
