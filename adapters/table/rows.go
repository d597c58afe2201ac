package table

import (
	"bytes"
	"cmp"
	"math"
	"slices"

	"milaan/adapters/table/sheet"
	"milaan/domain"
	"milaan/ports/peers"
)

// rows goes through the records below a header. It returns the cells of the columns
// that the caller wants, and passes over the others without looking at their text.
//
// Where the cells end is found for many records at once (see marker).
type rows struct {
	table *csvFile
	text  []byte
	begin int // where the current record begins
	at    int // where the next one does
	count int
	err   error

	counted     int // up to where Line has counted
	linesBefore int // how many lines end before that

	begun  bool // the caller's cells are empty, or filled from here
	filled int  // how many cells the last record had

	columns  int
	passOver func(cell []byte) bool // by the first wanted cell; nil: none
	passed   bool                   // the last record is passed over
	wanted   []wanted               // by column, and one that never comes
	nextFor  []int16                // by column: the place in wanted of the first from it on
	marks    marker
	oddOnes  int   // how many odd records stand above, one below the other
	arena    arena // not the table's: other rows may be read at the same time
	spread   []spread
}

type wanted struct {
	column int
	slot   int // where its cell goes
}

const never = math.MaxInt // the column of a cell that never comes

func (t *csvFile) Rows(columns []int) peers.Rows { return t.rows(columns) }

func (t *csvFile) RowsBut(columns []int, passOver func(cell []byte) bool) peers.Rows {
	r := t.rows(columns)
	if r.wanted[0].slot == 0 { // else a cell of another column comes first
		r.passOver = passOver
	}
	return r
}

func (t *csvFile) rows(columns []int) *rows {
	r := &rows{table: t, text: t.body, columns: len(t.header)}
	r.marks.none()
	slots := make([]int, len(t.header))
	for slot, c := range columns {
		if c >= 0 {
			slots[c] = slot + 1
		}
	}
	for _, s := range t.spread {
		if s.slot = slots[s.column] - 1; s.slot >= 0 {
			r.spread = append(r.spread, s)
		}
	}
	r.nextFor = make([]int16, len(t.header)+1)
	for c, slot := range slots {
		r.nextFor[c] = int16(len(r.wanted))
		if slot > 0 {
			r.wanted = append(r.wanted, wanted{column: c, slot: slot - 1})
		}
	}
	r.nextFor[len(t.header)] = int16(len(r.wanted))
	r.wanted = append(r.wanted, wanted{column: never})
	return r
}

func (r *rows) Next(cells [][]byte) bool {
	if !r.begun { // what stands there is the caller's
		clear(cells)
		r.begun = true
	}
	for r.err == nil && r.at < len(r.text) {
		if r.text[r.at] == r.table.dialect.eol {
			r.at++ // an empty line: a file may end with millions of them
			continue
		}
		r.begin = r.at
		width := r.record(cells)
		if r.err != nil {
			return false
		}
		r.clearFrom(cells, width)
		if !r.passed && r.allBlank(cells, width) && r.table.dialect.blank(r.text[r.begin:r.at]) {
			continue
		}
		if width > r.columns && !r.surplusBlank(width) {
			return false
		}
		if r.count++; r.count > r.table.maxRows {
			r.fail(domain.FileError{Rule: domain.RuleRows, Limit: r.table.maxRows})
			return false
		}
		if !r.passed {
			return r.spread == nil || r.spreadMerged(cells)
		}
	}
	r.marks.giveBack()
	return false
}

// spread is a column of which merged cells have their value on all their rows.
type spread struct {
	column int
	slot   int
	cells  []sheet.Merged // by first row, from the latest row on
	last   int32          // up to which row the latest has its value
	value  []byte
}

func (t *csvFile) SpreadMerged(columns ...int) {
	for _, c := range columns {
		s := spread{column: c}
		for _, m := range t.merged {
			if int(m.Column) == c {
				s.cells = append(s.cells, m)
			}
		}
		if s.cells != nil {
			slices.SortFunc(s.cells, func(a, b sheet.Merged) int { return cmp.Compare(a.First, b.First) })
			t.spread = append(t.spread, s)
		}
	}
}

// longestSpread is how many bytes a cell may have that has its value on several rows. Dates, statuses and UTRs have far fewer, and a
// small workbook could have a longer one on very many.
const longestSpread = 1000

// spreadMerged fills the empty cells of the current record that a cell above covers. It is false if that one is too long.
func (r *rows) spreadMerged(cells [][]byte) bool {
	line := int32(r.Line())
	for i := range r.spread {
		s := &r.spread[i]
		for ; len(s.cells) > 0 && s.cells[0].First <= line; s.cells = s.cells[1:] {
			if s.last, s.value = s.cells[0].Last, nil; s.cells[0].First == line {
				s.value = cells[s.slot]
			}
		}
		if len(s.value) > longestSpread {
			r.fail(domain.FileError{Rule: domain.RuleLongMerged, Column: domain.Quotable(r.table.header[s.column]),
				Value: domain.Quotable(domain.Unwrap(s.value)), Limit: longestSpread})
			return false
		}
		if line <= s.last && len(cells[s.slot]) == 0 {
			cells[s.slot] = s.value
			r.filled = max(r.filled, s.column+1)
		}
	}
	return true
}

// clearFrom empties the cells that the record before had and this one, of width cells,
// does not have. It does not go through all wanted columns: they may be many, in a
// file whose lines are nearly empty.
func (r *rows) clearFrom(cells [][]byte, width int) {
	width = min(width, r.columns)
	if width < r.filled {
		for _, w := range r.wanted[r.firstWanted(width):] {
			if w.column >= r.filled {
				break
			}
			cells[w.slot] = nil
		}
	}
	r.filled = width
}

// allBlank says so of the wanted cells of a record.
func (r *rows) allBlank(cells [][]byte, width int) bool {
	width = min(width, r.columns)
	for _, w := range r.wanted {
		if w.column >= width {
			break
		}
		c := cells[w.slot]
		if len(c) > 0 && (c[0] == '#' || c[0]-'0' <= 9) { // as nearly all names and ids begin
			return false
		}
		if len(c) > 0 && !domain.IsSeparator(c) && !domain.IsSeparator(domain.Unwrap(c)) {
			return false
		}
	}
	return true
}

// mostOdd is after how many odd records in a row the others are read as such ones: all of them
// are, most likely.
const mostOdd = 16

// record reads one record from r.at on, and returns how many cells it has.
func (r *rows) record(cells [][]byte) int {
	r.passed = false
	if r.oddOnes < mostOdd {
		if width := r.marked(cells); width > 0 {
			r.oddOnes = 0
			return width
		}
		r.oddOnes++
		r.marks.none()
	}
	return r.oddRecord(cells)
}

// marked reads a record by where the marker has found its cells' ends. It returns 0 for one that oddRecord
// must read.
func (r *rows) marked(cells [][]byte) int {
	m := &r.marks
	if !m.find(r.text, r.at, r.table.dialect) {
		return 0
	}
	text, ends, end := r.text[m.from:], m.ends[m.cell:m.inEnds], m.lines[m.line]
	width := r.columns
	if width == 0 || width >= len(ends) || ends[width] != end { // few records have other cells than the header
		for width = 1; ends[width] != end; {
			width++
		}
	}
	m.line++
	m.cell += width
	r.at = min(m.from+int(end)+1, len(r.text))
	for i := range r.wanted {
		w := &r.wanted[i]
		if w.column >= width {
			break
		}
		cell := text[ends[w.column]+1 : ends[w.column+1]] // the -1 becomes 0
		if !isBare(cell) {
			cell = r.bare(cell)
		}
		cells[w.slot] = cell
		if i == 0 && r.passOver != nil && r.passOver(cell) {
			r.passed = true
			return 1
		}
	}
	return width
}

// isBare says that a cell surely has neither quotation marks nor blanks around it, as most have none. It
// is inlined, so that reading such a cell needs no call.
func isBare(cell []byte) bool {
	return len(cell) == 0 || cell[0] > quote && cell[len(cell)-1] > ' '
}

// bare is a cell without the quotation marks and the blanks around it.
func (r *rows) bare(cell []byte) []byte {
	cell = withoutBlanks(cell)
	if len(cell) > 0 && cell[0] == quote {
		cell = withoutBlanks(r.arena.unquoted(cell[1:len(cell)-1], r.table.dialect.eol))
	}
	return cell
}

// oddRecord reads one record from r.at on, cell by cell, and returns how many cells it has.
func (r *rows) oddRecord(cells [][]byte) int {
	wanted := r.wanted
	width, rest, broken := r.table.dialect.eachCell(r.text[r.at:], func(column int, cell []byte, quoted bool) {
		if column < wanted[0].column {
			return
		}
		if quoted {
			cell = r.arena.unquoted(cell, r.table.dialect.eol)
		}
		cells[wanted[0].slot] = withoutBlanks(cell)
		wanted = wanted[1:]
	})
	if broken != "" {
		r.fail(domain.FileError{Rule: broken})
		return 0
	}
	r.at = len(r.text) - len(rest)
	return width
}

// firstWanted returns the place in wanted of the first column from this one on. No
// column beyond the header is wanted.
func (r *rows) firstWanted(column int) int { return int(r.nextFor[min(column, r.columns)]) }

// arena has copies of cells, many in one allocation.
type arena []byte

// unquoted is the text of a quoted cell that stands between its quotation marks, in lines that end with eol.
func (a *arena) unquoted(inner []byte, eol byte) []byte {
	if bytes.IndexByte(inner, quote) >= 0 || eol == '\n' && bytes.IndexByte(inner, '\r') >= 0 {
		return a.unquote(inner, eol)
	}
	return inner
}

// unquote copies a cell, with a single quotation mark for two and \n for \r\n.
func (a *arena) unquote(inner []byte, eol byte) []byte {
	const block = 4096
	b := *a
	if cap(b)-len(b) < len(inner) {
		b = make([]byte, 0, max(block, len(inner)))
	}
	from := len(b)
	for i := 0; i < len(inner); i++ {
		if i+1 < len(inner) && (inner[i] == quote || inner[i] == '\r' && inner[i+1] == '\n' && eol == '\n') {
			i++
		}
		b = append(b, inner[i])
	}
	*a = b
	return b[from:len(b):len(b)]
}

func withoutBlanks(cell []byte) []byte {
	for len(cell) > 0 && cell[0] <= ' ' {
		cell = cell[1:]
	}
	for len(cell) > 0 && cell[len(cell)-1] <= ' ' {
		cell = cell[:len(cell)-1]
	}
	return cell
}

// surplusBlank says whether the cells beyond the header's are all blank. If not, the
// rows end with an error, because cells are probably in the wrong columns.
func (r *rows) surplusBlank(width int) bool {
	cell, blank := r.table.dialect.blankFrom(r.text[r.begin:r.at], r.columns)
	if !blank {
		r.fail(domain.FileError{Rule: domain.RuleBeyondHeader, Value: domain.Quotable(domain.Unwrap(cell)), Count: width, Limit: r.columns})
	}
	return blank
}

// fail ends the rows with what is wrong with the current one.
func (r *rows) fail(e domain.FileError) {
	e.File, e.Sheet, e.Line = r.table.file, r.table.sheet, r.Line()
	r.err = &e
}

// Line counts on from where it was asked last.
func (r *rows) Line() int {
	r.linesBefore += bytes.Count(r.text[r.counted:r.begin], []byte{r.table.dialect.eol})
	r.counted = r.begin
	return r.table.line + r.linesBefore
}

func (r *rows) Record() []byte { return r.text[r.begin:r.at] }

func (t *csvFile) Cells(record []byte) [][]byte {
	if bytes.Count(record, []byte{t.dialect.comma}) >= maxColumns {
		return nil
	}
	t.odd, _, _ = t.record(t.odd[:0], record)
	for i, cell := range t.odd {
		t.odd[i] = domain.Unwrap(cell)
	}
	return t.odd
}

func (r *rows) Count() int { return r.count }

func (r *rows) Err() error { return r.err }
