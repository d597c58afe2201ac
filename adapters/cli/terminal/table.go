package terminal

import (
	"io"
	"iter"
	"slices"
	"strings"
)

// Table aligns texts in columns. Columns whose title begins with > are aligned to the
// right. On a screen the table is made to fit: cells are broken into lines, and nothing is
// cut off.
type Table struct {
	titles  []string
	Rows    iter.Seq[[][]byte] // called twice
	added   [][][]byte
	Screen  Screen
	Colours map[string]string // of the first cell of a row, by its text
}

// NewTable makes a table of columns with titles, to which Add adds rows, unless Rows are set.
func NewTable(titles ...string) *Table {
	t := &Table{titles: titles}
	t.Rows = func(yield func([][]byte) bool) {
		for _, row := range t.added {
			if !yield(row) {
				return
			}
		}
	}
	return t
}

func (t *Table) Add(cells ...string) {
	row := make([][]byte, len(cells))
	for i, c := range cells {
		row[i] = []byte(c)
	}
	t.added = append(t.added, row)
}

// Writer is a writer whose errors show when it is flushed.
type Writer interface {
	io.Writer
	io.ByteWriter
	io.StringWriter
}

const (
	between = 2 // columns between two cells
	// leastProse is how narrow the last column may be beside the others: else its
	// cells stand below their rows, so much to the right.
	leastProse  = 36
	proseIndent = 4
)

// arrangement says where the cells of a row stand.
type arrangement uint8

const (
	side    arrangement = iota // one beside the other
	beneath                    // the same, the last one below them
	upright                    // one below the other, each after its title
)

// layout says how a table is made to fit.
type layout struct {
	how    arrangement
	titles []string
	right  []bool
	widths []int // of the columns; upright: of the titles, then of the cells
}

// AppendTo appends the table, without blanks at a line's end. One without titles
// has no line for them.
func (t *Table) AppendTo(b Writer) {
	l := t.layout()
	if l.how != upright && slices.ContainsFunc(l.titles, func(title string) bool { return title != "" }) {
		row := make([][]byte, len(l.titles))
		for i, title := range l.titles {
			row[i] = []byte(title)
		}
		if l.how == beneath {
			row[len(row)-1] = nil
		}
		l.appendRow(b, row, Screen{}, "")
	}
	first := true
	for row := range t.Rows {
		if l.how == upright && !first {
			_ = b.WriteByte('\n')
		}
		l.appendRow(b, makePrintable(row), t.Screen, t.Colours[string(row[0])])
		first = false
	}
}

// WriteTables writes tables with a blank line between them.
func WriteTables(w io.Writer, tables ...*Table) error {
	var b strings.Builder
	for i, t := range tables {
		if i > 0 {
			b.WriteByte('\n')
		}
		t.AppendTo(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// WriteOr writes a table, or a sentence in place of one to which no row was added.
func (t *Table) WriteOr(w io.Writer, sentence string) error {
	if len(t.added) == 0 {
		_, err := io.WriteString(w, sentence+"\n")
		return err
	}
	return WriteTables(w, t)
}

// makePrintable replaces, in place, what is not printable.
func makePrintable(row [][]byte) [][]byte {
	for i, cell := range row {
		row[i] = Printable(cell)
	}
	return row
}

// layout measures all cells.
func (t *Table) layout() *layout {
	n := len(t.titles)
	l := &layout{titles: make([]string, n), right: make([]bool, n), widths: make([]int, n)}
	least := make([]int, n) // columns of the longest word
	for i, title := range t.titles {
		l.titles[i], l.right[i] = strings.CutPrefix(title, ">")
		l.widths[i] = Columns([]byte(l.titles[i]))
	}
	copy(least, l.widths)
	for row := range t.Rows {
		for i, cell := range makePrintable(row) {
			w := Columns(cell)
			l.widths[i] = max(l.widths[i], w)
			if t.Screen.Width > 0 && w > least[i] {
				least[i] = max(least[i], longestWord(cell))
			}
		}
	}
	if t.Screen.Width > 0 {
		l.fit(t.Screen.Width, least)
	}
	return l
}

// fit finds the arrangement that reads best in the given number of columns.
func (l *layout) fit(most int, least []int) {
	last := len(l.widths) - 1
	natural := slices.Clone(l.widths)
	if totalWidth(natural) <= most {
		return
	}
	prose := min(natural[last], leastProse)
	if l.narrow(most-prose-between, least) {
		l.widths[last] = most - totalWidth(l.widths[:last]) - between
		return
	}
	copy(l.widths, natural)
	if l.how = beneath; l.narrow(most, least) {
		l.widths[last] = most - proseIndent
		return
	}
	l.how = upright
	titles := 0
	for _, title := range l.titles {
		titles = max(titles, Columns([]byte(title)))
	}
	l.widths = []int{titles, max(most-titles-between, leastProse/4)}
}

// narrow makes the columns before the last take the given number of columns together, and says
// whether they can. A word is never broken, nor is the first column.
func (l *layout) narrow(most int, least []int) bool {
	widths := l.widths[:len(l.widths)-1]
	for excess := totalWidth(widths) - most; excess > 0; excess = totalWidth(widths) - most {
		widest := -1
		for i := 1; i < len(widths); i++ {
			if !l.right[i] && widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest]) {
				widest = i
			}
		}
		if widest < 0 {
			return false
		}
		widths[widest] = max(widths[widest]-excess, least[widest])
	}
	return true
}

// totalWidth returns how many columns cells of these widths take side by side.
func totalWidth(widths []int) int {
	n := between * (len(widths) - 1)
	for _, w := range widths {
		n += w
	}
	return n
}

// appendRow appends a row. It changes the cells.
func (l *layout) appendRow(b Writer, row [][]byte, s Screen, colour string) {
	switch l.how {
	case side:
		l.appendLines(b, row, s, colour)
	case beneath:
		last := len(row) - 1
		l.appendLines(b, row[:last], s, colour)
		for rest := row[last]; len(rest) > 0; {
			var line []byte
			line, rest = CutLine(rest, l.widths[last])
			appendBlanks(b, proseIndent)
			_, _ = b.Write(line)
			_ = b.WriteByte('\n')
		}
	case upright:
		l.appendUpright(b, row, s, colour)
	}
}

// appendLines appends cells side by side, in as many lines as the longest takes.
func (l *layout) appendLines(b Writer, row [][]byte, s Screen, colour string) {
	for more := true; more; colour = "" {
		more = false
		owed := 0 // blanks that are written if anything follows them
		for i, cell := range row {
			line, rest := CutLine(cell, l.widths[i])
			row[i], more = rest, more || len(rest) > 0
			pad := l.widths[i] - Columns(line)
			if l.right[i] {
				owed, pad = owed+pad, 0
			}
			if len(line) > 0 {
				appendBlanks(b, owed)
				owed = 0
				if i == 0 && colour != "" {
					_, _ = b.WriteString(s.Paint(colour, string(line)))
				} else {
					_, _ = b.Write(line)
				}
			}
			owed += pad + between
		}
		_ = b.WriteByte('\n')
	}
}

// appendUpright appends a row's cells one below the other; blank ones are left out.
func (l *layout) appendUpright(b Writer, row [][]byte, s Screen, colour string) {
	for i, cell := range row {
		for k := 0; len(cell) > 0; k++ {
			var line []byte
			line, cell = CutLine(cell, l.widths[1])
			title := l.titles[i]
			if k > 0 {
				title = ""
			}
			_, _ = b.WriteString(title)
			appendBlanks(b, l.widths[0]-Columns([]byte(title))+between)
			if i == 0 && colour != "" {
				_, _ = b.WriteString(s.Paint(colour, string(line)))
			} else {
				_, _ = b.Write(line)
			}
			_ = b.WriteByte('\n')
		}
	}
}

func appendBlanks(b Writer, n int) {
	const blanks = "                                "
	for ; n > 0; n -= len(blanks) {
		_, _ = b.WriteString(blanks[:min(n, len(blanks))])
	}
}
