package terminal

import (
	"bufio"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/tests/worked"
)

// orderTable is one like the report's.
func orderTable(width int) *Table {
	t := NewTable("FLAG", "ORDER", "AWB", ">DUE", "REASON")
	t.Screen = Screen{Width: width}
	t.Add("MISSING", "#1003", "14902602000001", "₹999", "Not remitted: ₹999 in no line of the courier file, which reaches 2026-03-20")
	t.Add("SHORT_PAID", "#1004-C", "14902602000001, 14902602000002", "₹1,29,999.50", "Shortfall detected: ₹1 of ₹3")
	return t
}

func drawn(t *Table) string {
	var b strings.Builder
	t.AppendTo(&b)
	return b.String()
}

func TestTablesFitTheScreen(t *testing.T) {
	const whole = `
FLAG        ORDER    AWB                                      DUE  REASON
MISSING     #1003    14902602000001                          ₹999  Not remitted: ₹999 in no line of the courier file, which reaches 2026-03-20
SHORT_PAID  #1004-C  14902602000001, 14902602000002  ₹1,29,999.50  Shortfall detected: ₹1 of ₹3
`
	for name, c := range map[string]struct {
		width int
		want  string
	}{
		"no screen":      {0, whole},
		"all of it fits": {142, whole},
		"the last column is broken into lines": {110, `
FLAG        ORDER    AWB                                      DUE  REASON
MISSING     #1003    14902602000001                          ₹999  Not remitted: ₹999 in no line of the
                                                                   courier file, which reaches 2026-03-20
SHORT_PAID  #1004-C  14902602000001, 14902602000002  ₹1,29,999.50  Shortfall detected: ₹1 of ₹3
`},
		"others are too, between words": {92, `
FLAG        ORDER    AWB                           DUE  REASON
MISSING     #1003    14902602000001               ₹999  Not remitted: ₹999 in no line of the
                                                        courier file, which reaches
                                                        2026-03-20
SHORT_PAID  #1004-C  14902602000001,      ₹1,29,999.50  Shortfall detected: ₹1 of ₹3
                     14902602000002
`},
		"the last stands below": {80, `
FLAG        ORDER    AWB                                      DUE
MISSING     #1003    14902602000001                          ₹999
    Not remitted: ₹999 in no line of the courier file, which reaches 2026-03-20
SHORT_PAID  #1004-C  14902602000001, 14902602000002  ₹1,29,999.50
    Shortfall detected: ₹1 of ₹3
`},
		"and is broken into lines": {52, `
FLAG        ORDER    AWB                         DUE
MISSING     #1003    14902602000001             ₹999
    Not remitted: ₹999 in no line of the courier
    file, which reaches 2026-03-20
SHORT_PAID  #1004-C  14902602000001,    ₹1,29,999.50
                     14902602000002
    Shortfall detected: ₹1 of ₹3
`},
		"one below the other": {30, `
FLAG    MISSING
ORDER   #1003
AWB     14902602000001
DUE     ₹999
REASON  Not remitted: ₹999 in
        no line of the courier
        file, which reaches
        2026-03-20

FLAG    SHORT_PAID
ORDER   #1004-C
AWB     14902602000001,
        14902602000002
DUE     ₹1,29,999.50
REASON  Shortfall detected: ₹1
        of ₹3
`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want[1:], drawn(orderTable(c.width)))
		})
	}
}

// TestNothingIsLostOnAScreen draws any cells on any screen: each character of theirs
// is there, and no line is wider than a screen that can hold a table at all.
func TestNothingIsLostOnAScreen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringMatching(`([a-z₹é漢]{1,30} ?){0,12}`)
		width := rapid.IntRange(20, 200).Draw(t, "width")
		tab := NewTable("A", "B", ">C", "D")
		tab.Screen = Screen{Width: width}
		var want int
		for range rapid.IntRange(1, 5).Draw(t, "rows") {
			row := []string{"F", cell.Draw(t, "b"), rapid.StringMatching(`[0-9]{1,9}`).Draw(t, "c"), cell.Draw(t, "d")}
			want += letters(strings.Join(row, ""))
			tab.Add(row...)
		}
		got := drawn(tab)
		titles := strings.Count(got, "A") + strings.Count(got, "B") + strings.Count(got, "C") + strings.Count(got, "D")
		if letters(got)-titles != want {
			t.Fatalf("%d letters of %d in\n%s", letters(got)-titles, want, got)
		}
		for line := range strings.Lines(got) {
			if n := Columns([]byte(strings.TrimSuffix(line, "\n"))); n > width {
				t.Fatalf("%d columns on %d in\n%s", n, width, got)
			}
		}
	})
}

// TestALongCellTakesNoLongerThanManyShortOnes draws the same words in one cell and in
// hundreds. To measure the whole rest of a cell for each line takes a hundred
// times as long.
func TestALongCellTakesNoLongerThanManyShortOnes(t *testing.T) {
	const cells, words = 300, 100
	filled := func(rows, words int) *Table {
		tab := NewTable("FLAG", "ORDER", "REASON")
		tab.Screen = Screen{Width: 120}
		for range rows {
			tab.Add("MISSING", strings.Repeat("a1 ", words), strings.Repeat("₹9 ", words))
		}
		return tab
	}
	took := func(rows, words int) time.Duration {
		times := make([]time.Duration, 3)
		for i := range times {
			tab := filled(rows, words) // drawing uses it up
			began := worked.For()
			tab.AppendTo(bufio.NewWriter(io.Discard))
			times[i] = worked.For() - began
		}
		return slices.Min(times)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	many, long := took(cells, words), took(1, cells*words)
	require.Less(t, long, 20*many, "%v for a long cell, %v for as much in short ones", long, many)
}

// letters counts everything but blanks and line ends.
func letters(s string) int {
	return utf8.RuneCountInString(s) - strings.Count(s, " ") - strings.Count(s, "\n")
}

func TestColumnsOfCharacters(t *testing.T) {
	for text, want := range map[string]int{"": 0, "abc": 3, "₹1": 2, "मिलान": 5, "é": 1, "e\u0301": 1, "漢字": 4, "ＡＢ": 4, "😀": 2} {
		require.Equal(t, want, Columns([]byte(text)), "%q", text)
	}
}

func TestLinesAreCutBetweenWords(t *testing.T) {
	for _, c := range []struct {
		text       string
		most       int
		line, rest string
	}{
		{"one two", 7, "one two", ""},
		{"one two", 6, "one", "two"},
		{"one two", 3, "one", "two"},
		{"one   two", 5, "one", "two"},
		{"one two", 2, "on", "e two"},
		{"one ", 3, "one", ""},
		{"漢字", 3, "漢", "字"},
		{"漢字", 1, "漢", "字"},
		{"e\u0301e", 1, "e\u0301", "e"},
		{"", 3, "", ""},
	} {
		line, rest := CutLine([]byte(c.text), c.most)
		require.Equal(t, c.line, string(line), "%q %d", c.text, c.most)
		require.Equal(t, c.rest, string(rest), "%q %d", c.text, c.most)
	}
}

func TestTextsOfOthersDoNotMoveTheCursor(t *testing.T) {
	require.Equal(t, "a·[31mb·c· ₹·", PrintableText("a\x1b[31mb\nc\x7f ₹\u202e"))
	require.Equal(t, "\ufffd\ufffd·", PrintableText("\xff\ufffd\x00"))
}

// TestJoinersOfNamesAreKept keeps the words of Indian scripts whole. Elsewhere a
// joiner is nothing but a way to make two names look alike.
func TestJoinersOfNamesAreKept(t *testing.T) {
	for text, want := range map[string]string{
		"क्\u200dष": "क्\u200dष", "क्\u200cष": "क्\u200cष", "नमस्\u200dते\x1b": "नमस्\u200dते·", "\x1bक्\u200dष": "·क्\u200dष",
		"#1001\u200d": "#1001·", "\u200dक": "·क", "क\u200d": "क·", "10\u200c01": "10·01", "क\u200d\u200dष": "क··ष", "\u200b": "·",
	} {
		require.Equal(t, want, PrintableText(text), "%+q", text)
	}
	require.Equal(t, Columns([]byte("क्ष")), Columns([]byte("क्\u200dष")))
}
