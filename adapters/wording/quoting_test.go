package wording

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestTextsOfFilesAreHarmless(t *testing.T) {
	hindi := "कैश ऑन डिलीवरी"
	for text, want := range map[string]string{
		"Delivered":                            "Delivered",
		"  RTO \t Delivered\r\n":               "RTO Delivered",
		"a\x00b\x1b[31mc\x7fd":                 "a b [31mc d",
		`say "paid" and ` + "`so`":             "say 'paid' and 'so'",
		"“paid”":                               "'paid'",
		"it's":                                 "it's",
		`back\slash`:                           `back\slash`,
		"bad\xff\xfebytes":                     "bad\ufffd\ufffdbytes",
		"\u202edetimer\u202c":                  "detimer",
		"a\u2028b\u0085c\u00a0d\ufeffe\u200bf": "a b c d e f",
		hindi:                                  hindi,
		"क्\u200dष":                            "क्\u200dष",
		strings.Repeat("x", 40):                strings.Repeat("x", 40),
		strings.Repeat("x", 41):                strings.Repeat("x", 39) + "…",
		strings.Repeat("₹", 40):                strings.Repeat("₹", 40),
		strings.Repeat("₹", 41):                strings.Repeat("₹", 39) + "…",
		strings.Repeat("😀", 500):               strings.Repeat("😀", 39) + "…",
		strings.Repeat("x", 38) + " yz":        strings.Repeat("x", 38) + "…",
		strings.Repeat("x", 39) + " y":         strings.Repeat("x", 39) + "…",
		"a" + strings.Repeat(" ", 1<<20) + "b": "a…",
		strings.Repeat(" ", 1<<20) + "b":       "…",
	} {
		require.Equal(t, want, string(appendHarmless(nil, []byte(text))), "%.60q", text)
		require.Equal(t, "before"+want, string(appendHarmless([]byte("before"), []byte(text))))
	}
	for _, text := range []string{"", " ", "\t\r\n", "\x00", "\u200b\ufeff", "\u00a0"} {
		require.True(t, saysNothing([]byte(text)), "%q", text)
		require.Empty(t, appendHarmless(nil, []byte(text)))
	}
	require.False(t, saysNothing([]byte(" x")))
}

func TestNamesAreQuotedWhereTheyMustBe(t *testing.T) {
	c := New()
	for name, want := range map[string]string{
		"#1001": "#1001", "SDA-1001/2026_a.b": "SDA-1001/2026_a.b", "a b": "“a b”", "“x”": "“'x'”", "नाम": "“नाम”", "": "", "a;b": "“a;b”",
		strings.Repeat("7", 41): strings.Repeat("7", 39) + "…",
		// What is not shown is not looked at.
		strings.Repeat("7", 40) + " ": strings.Repeat("7", 39) + "…", strings.Repeat("7", 39) + "; 1": "“" + strings.Repeat("7", 39) + "…”",
	} {
		require.Equal(t, want, string(c.appendName(nil, []byte(name))))
	}
}

func FuzzTextsOfFilesAreHarmless(f *testing.F) {
	f.Add([]byte("RTO \"Delivered\"\x00\xff"))
	f.Add([]byte(strings.Repeat("₹ ", 200)))
	f.Fuzz(func(t *testing.T, text []byte) {
		got := string(appendHarmless(nil, text))
		require.True(t, utf8.ValidString(got))
		require.LessOrEqual(t, utf8.RuneCountInString(got), longest)
		require.Equal(t, saysNothing(text), got == "")
		for _, r := range got {
			require.False(t, unicode.IsControl(r) || r == '"' || r == '“' || r == '”' || r == '\u202e' || r == '\u2028', "%q", got)
		}
		require.Equal(t, strings.TrimSpace(got), got)
		require.NotContains(t, got, "  ")
	})
}
