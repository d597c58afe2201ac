package sheet_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table/sheet"
	"milaan/tests/only"
)

// mostText is more than any workbook of a test has, unless it says so.
const mostText = 25 << 20

// read is the text of all sheets, each below its name.
func read(t *testing.T, content []byte) string {
	t.Helper()
	book, is := only.Both(sheet.Open(content, sheet.Limits{Text: mostText}))(t)
	require.True(t, is)
	var text []byte
	for i, name := range book.Sheets() {
		text = append(text, "== "+name...)
		if book.Hidden(i) {
			text = append(text, " (hidden)"...)
		}
		text = append(text, '\n')
		text = only.Value(book.AppendText(text, i, 0))(t)
		text = append(text, '\n')
	}
	return string(text)
}

// TestSamples reads the workbooks that other programs have made.
func TestSamples(t *testing.T) {
	names := only.Value(filepath.Glob("testdata/*"))(t)
	textOf := func(name string) string {
		content := only.Value(os.ReadFile(name))(t)
		if strings.HasSuffix(name, ".txt") {
			return string(content)
		}
		return read(t, content)
	}
	samples := 0 // of the two kinds
	for _, name := range names {
		switch extension := filepath.Ext(name); extension {
		case ".xlsx", ".ods":
			samples++
			require.Equal(t, textOf(strings.TrimSuffix(name, extension)+".txt"), textOf(name), name)
		}
	}
	require.Equal(t, 5, samples)
}
