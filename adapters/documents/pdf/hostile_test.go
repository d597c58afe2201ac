package pdf_test

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents/pdf"
	"milaan/adapters/wording"
	"milaan/domain"
)

// hostile are texts that would break a file or a reader that takes them as they are.
var hostile = []string{
	"", " ", "\\", `\)(`, "(((((", ")))))", `\\\(`, "\r", "\n\r\n", "\x00", "a\x00b", "\x1b[31m", "endstream endobj", "%%EOF", "<</Type /Catalog>>",
	"\xff\xfe\xfd", "\xc3", "\xe0\xa4", "\xf0\x9f\x99", "\xed\xa0\x80", "\ufeff", "\ufffe", "\uffff", "\U0010ffff",
	"\u202eevil\u202c", "\u2066\u2067\u2068\u2069", "\u200f", "\u0301\u0301\u0301", strings.Repeat("\u0301", 500), "é", "🙂", "👩\u200d👩\u200d👧", "🇮🇳", "தமிழ்", "العربية", "中文",
	"क", "\u094d", "\u093f", "क\u094d\u200d", strings.Repeat("क्", 900), strings.Repeat("\u093f", 900), "\u200d\u200c", "\u25cc", "\u0a0d", "\u0d0a", "\u0a28\u0a29", "\u5c28",
	strings.Repeat("W", 10_000), strings.Repeat("long ", 10_000), strings.Repeat("🙂", 2000), "₹1,299 “quoted”", "=HYPERLINK(1)", "{nb}", "{total}",
}

// TestHostileTexts holds that no text of a file breaks a document.
func TestHostileTexts(t *testing.T) {
	f := newFiles()
	for i, s := range hostile {
		f.order("#"+string(rune('A'+i))+s, s+string(rune('A'+i)), 999_00, march(1))
	}
	f.line("late", 1, 1, march(31))
	run := f.run(t)
	requireSound(t, written(t, run, domain.Branding{Name: "shop"}))
}

// requireSound holds that another reader reads every page of a document, and that its texts
// have nothing that a reader would act on.
func requireSound(t testing.TB, file []byte) paper {
	t.Helper()
	p := read(t, file)
	require.NotEmpty(t, p.pages)
	for _, page := range p.pages {
		require.True(t, utf8.ValidString(page.text))
		for _, r := range page.text {
			require.False(t, unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r), "%U", r)
		}
	}
	for _, key := range []string{"Title", "Author"} {
		require.False(t, p.Trailer().Key("Info").Key(key).IsNull())
	}
	return p
}

// TestLongNamesStaySmall holds that a name of 10 MB costs what a long one costs.
func TestLongNamesStaySmall(t *testing.T) {
	long := strings.Repeat("श्री ", 1<<20)
	l := letterOf(1)
	l.Branding.Name, l.Courier, l.Branding.Footer = long, long, long
	l.Disputes[0].AWB, l.Disputes[0].OrderID, l.Disputes[0].Reason, l.Disputes[0].UTR = long, long, long, long
	file := writtenLetter(t, l)
	require.Less(t, len(file), 200_000)
	requireSound(t, file)
	require.Less(t, len(pdf.LetterText(l)), 100_000)
	f := newFiles()
	f.order(long, strings.Repeat("9", 10<<20), 999_00, march(1))
	require.Less(t, len(written(t, f.run(t), domain.Branding{})), 200_000)
}

// FuzzDocuments holds the same wherever a text stands, and for texts that nobody thought of.
func FuzzDocuments(f *testing.F) {
	for i := 1; i < len(hostile); i += 2 {
		f.Add(hostile[i-1], hostile[i])
	}
	reporter := pdf.Reporter{Clock: func() time.Time { return made }, Words: wording.New()}
	f.Fuzz(func(t *testing.T, a, b string) {
		l := &pdf.Letter{Branding: domain.Branding{Name: a, Footer: b}, Courier: b, Reference: a, On: march(31), Disputes: []pdf.Dispute{
			{AWB: a, OrderID: b, Reason: b + a, UTR: a + b, Flag: domain.Missing, Due: 1, Asked: 1}}}
		requireSound(t, writtenLetter(t, l))
		text := pdf.LetterText(l)
		require.True(t, utf8.ValidString(text))
		for _, r := range text {
			require.False(t, unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r), "%U", r)
		}
		orders := newFiles()
		orders.order("#"+a, b, 999_00, march(1))
		run := orders.run(t)
		run.Run.ID, run.Run.Brand, run.Run.CourierName = a, b, a
		var out bytes.Buffer
		require.NoError(t, reporter.Write(func(string) (io.Writer, error) { return &out, nil }, run, domain.Branding{Name: b, Footer: a}))
		requireSound(t, out.Bytes())
	})
}
