package pdf_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"

	reader "github.com/ledongthuc/pdf"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

// paper is a document as a reader that is not ours reads it.
type paper struct {
	*reader.Reader
	file  []byte
	pages []page
}

type page struct {
	text   string // in the order in which it is drawn, without blanks
	shapes int    // filled rectangles
	glyphs int    // outlines
	boxes  int    // that stand for characters
}

func read(t testing.TB, file []byte) paper {
	t.Helper()
	r := only.Value(reader.NewReader(bytes.NewReader(file), int64(len(file))))(t)
	p := paper{Reader: r, file: file}
	for i := 1; i <= r.NumPage(); i++ {
		p.pages = append(p.pages, readPage(t, r.Page(i).V))
	}
	return p
}

func readPage(t testing.TB, v reader.Value) (p page) {
	var texts strings.Builder
	depth := 0
	reader.Interpret(v.Key("Contents"), func(stack *reader.Stack, op string) {
		args := make([]reader.Value, stack.Len())
		for i := range slices.Backward(args) {
			args[i] = stack.Pop()
		}
		switch op {
		case "q":
			depth++
		case "Q":
			depth--
			require.GreaterOrEqual(t, depth, 0)
		case "Tj":
			texts.WriteString(decode(t, args[0].RawString()))
		case "Td":
			if x, y := args[0].Float64(), args[1].Float64(); depth == 0 {
				require.True(t, 40 <= x && x <= 554 && 20 <= y && y <= 812, "a text at (%v, %v) is not between the margins", x, y)
			}
		case "BDC":
			actual := args[1].Key("ActualText").RawString()
			require.True(t, strings.HasPrefix(actual, "\xfe\xff"))
			texts.WriteString(decode(t, actual[2:]))
		case "f":
			p.shapes++
		case "S":
			p.boxes++
		case "Do":
			if strings.HasPrefix(args[0].Name(), "TPL") {
				p.glyphs++
			}
			require.False(t, v.Key("Resources").Key("XObject").Key(args[0].Name()).IsNull(), args[0].Name())
		}
	})
	require.Zero(t, depth)
	p.text = squeezed(texts.String())
	return p
}

func decode(t testing.TB, bytes string) string {
	require.Zero(t, len(bytes)%2)
	var units []uint16
	for i := 0; i < len(bytes); i += 2 {
		units = append(units, uint16(bytes[i])<<8|uint16(bytes[i+1]))
	}
	return string(utf16.Decode(units))
}

// squeezed is a text without blanks: where lines end is not its content.
func squeezed(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return -1
		}
		return r
	}, s)
}

func (p *paper) text() string {
	var b strings.Builder
	for _, page := range p.pages {
		b.WriteString(page.text)
	}
	return b.String()
}

func (p *paper) requireText(t testing.TB, texts ...string) {
	t.Helper()
	whole := p.text()
	for _, text := range texts {
		require.Contains(t, whole, squeezed(text))
	}
}

// TestOthersReadIt holds that Poppler reads the texts back, Hindi too. It is passed over
// where Poppler is not installed.
func TestOthersReadIt(t *testing.T) {
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext is not installed")
	}
	f := shop(2)
	f.order("#राम-1001 श्री", "हिन्दी९८७", 1_23_45_678_50, march(2))
	path := filepath.Join(t.TempDir(), "report.pdf")
	require.NoError(t, os.WriteFile(path, written(t, f.run(t), domain.Branding{Name: "श्री राधाकृष्ण स्टोर"}), 0o600))
	text := only.Value(exec.CommandContext(t.Context(), program, "-enc", "UTF-8", path, "-").Output())(t)
	for _, want := range []string{"श्री राधाकृष्ण स्टोर", "#राम-1001 श्री", "हिन्दी९८७", "₹1,23,45,678.50", "COD reconciliation report", "1 of "} {
		require.Contains(t, squeezed(string(text)), squeezed(want))
	}
}
