package cli

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// table lines up texts for a terminal. Columns whose title begins with > stand
// to the right.
type table struct {
	titles []string
	rows   [][]string
}

func newTable(titles ...string) *table { return &table{titles: titles} }

func (t *table) add(cells ...string) {
	for i, c := range cells {
		cells[i] = printable(c)
	}
	t.rows = append(t.rows, cells)
}

// appendTo appends the table with an indentation, two blanks between columns
// and none at a line's end. A table without titles has no line for them.
func (t *table) appendTo(b *strings.Builder, indent string) {
	widths, right := make([]int, len(t.titles)), make([]bool, len(t.titles))
	titles, titled := make([]string, len(t.titles)), false
	for i, title := range t.titles {
		titles[i], right[i] = strings.CutPrefix(title, ">")
		titled = titled || titles[i] != ""
	}
	lines := t.rows
	if titled {
		lines = append([][]string{titles}, t.rows...)
	}
	for _, line := range lines {
		for i, c := range line {
			widths[i] = max(widths[i], utf8.RuneCountInString(c))
		}
	}
	for _, line := range lines {
		row := indent
		for i, c := range line {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))
			if right[i] {
				row += pad + c + "  "
			} else {
				row += c + pad + "  "
			}
		}
		b.WriteString(strings.TrimRight(row, " "))
		b.WriteByte('\n')
	}
}

// printable replaces what would move the cursor or colour the terminal: the
// texts come from files that others wrote.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '·'
	}, s)
}
