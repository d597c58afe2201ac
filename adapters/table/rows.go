package table

import (
	"bytes"
	"math"
	"math/bits"

	"milaan/domain"
	"milaan/ports/peers"
)

// rows goes through the records below a header. It returns the cells of the columns
// that the caller wants, and passes over the others without looking at their text.
//
// Delimiters, quotation marks and line ends are marked for 64 bytes at once (see marker), and
// runs of cells that nobody wants are passed over by counting marks.
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

	columns int
	wanted  []wanted // by column, and one that never comes
	nextFor []int16  // by column: the place in wanted of the first from it on
	marks   marker
	oddOnes int // how many odd records stand above, one below the other
}

// wanted is a column that was asked for.
type wanted struct {
	column int
	slot   int // where its cell goes
	gap    int // how many columns nobody wants stand between it and the next one
}

const never = math.MaxInt // the column of a cell that never comes

func (t *csvFile) Rows(columns []int) peers.Rows {
	r := &rows{table: t, text: t.body, columns: len(t.header)}
	r.marks.none()
	slots := make([]int, len(t.header))
	for slot, c := range columns {
		slots[c] = slot + 1
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
	for i := range len(r.wanted) - 1 {
		r.wanted[i].gap = r.wanted[i+1].column - r.wanted[i].column - 1
	}
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
		if r.allBlank(cells, width) && r.table.dialect.blank(r.text[r.begin:r.at]) {
			continue
		}
		if width > r.columns && !r.surplusBlank(width) {
			return false
		}
		if r.count++; r.count > r.table.maxRows {
			r.fail(domain.FileError{Rule: domain.RuleRows, Limit: r.table.maxRows})
			return false
		}
		return true
	}
	return false
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

// marked reads a record by the marks of its text. It returns 0 for one with an odd quotation
// mark, which oddRecord must read.
func (r *rows) marked(cells [][]byte) int {
	text, m, start := r.text, &r.marks, r.at
	if start < m.from || start > m.from+markedBytes {
		m.begin(start)
	}
	if start >= m.from+markedBytes && !m.advance(text, r.table.dialect) {
		return 0
	}
	behind := ^uint64(0) << (start - m.from)
	commas, eols := m.commas&behind, m.eols&behind
	next := 0
	left := r.wanted[0].column // delimiters up to the next wanted cell
	for {
		ends := eols & -eols
		for here := commas & (ends - 1); here != 0; here &= here - 1 {
			if n := bits.OnesCount64(here); left >= n {
				left, start = left-n, m.from+markedBytes-bits.LeadingZeros64(here)
				break
			}
			if left > 0 {
				for ; left > 1; left-- {
					here &= here - 1
				}
				left, start = 0, m.from+bits.TrailingZeros64(here)+1
				continue
			}
			end := m.from + bits.TrailingZeros64(here)
			w := &r.wanted[next]
			r.putMarked(cells, w.slot, text[start:end])
			left, start = w.gap, end+1
			next++
		}
		if ends != 0 {
			break
		}
		if !m.advance(text, r.table.dialect) {
			return 0
		}
		commas, eols = m.commas, m.eols
	}
	end := m.from + bits.TrailingZeros64(eols)
	if left == 0 {
		r.putMarked(cells, r.wanted[next].slot, text[start:end])
	}
	r.at = min(end+1, len(text))
	return r.wanted[next].column - left + 1
}

// putMarked puts a cell into its slot, without the quotation marks and the blanks around it.
func (r *rows) putMarked(cells [][]byte, slot int, cell []byte) {
	if n := len(cell); n > 0 && (cell[0] <= quote || cell[n-1] <= ' ') {
		cell = r.bare(cell)
	}
	cells[slot] = cell
}

func (r *rows) bare(cell []byte) []byte {
	cell = withoutBlanks(cell)
	if len(cell) > 0 && cell[0] == quote {
		cell = withoutBlanks(r.table.unquoted(cell[1 : len(cell)-1]))
	}
	return cell
}

// oddRecord reads one record from r.at on, and returns how many cells it has. It
// goes from quotation mark to quotation mark: between two of them there are only
// delimiters to be found, until the line ends.
func (r *rows) oddRecord(cells [][]byte) int {
	text, eol := r.text, r.table.dialect.eol
	column, start := 0, r.at
	line := r.lineEnd(start)
	for {
		n := indexNear(text[start:line], quote)
		if n < 0 {
			column, start = r.plain(cells, column, start, line)
			r.keep(cells, column, r.table.dialect.withoutCR(text[start:line], text[line:]))
			r.at = min(line+1, len(text))
			return column + 1
		}
		mark := start + n
		if n > 0 {
			column, start = r.plain(cells, column, start, mark)
		}
		var end int
		if len(withoutBlanks(text[start:mark])) == 0 {
			end = r.quotedCell(cells, column, mark)
		} else {
			end = r.oddCell(cells, column, start, mark, line)
		}
		switch {
		case r.err != nil:
			return 0
		case end == len(text) || text[end] == eol:
			r.at = min(end+1, len(text))
			return column + 1
		}
		column, start = column+1, end+1
		if start > line {
			line = r.lineEnd(start)
		}
	}
}

// indexNear is bytes.IndexByte for a byte that may be among the next four, where the
// call would take longer than the search.
func indexNear(text []byte, b byte) int {
	for i := range min(len(text), 4) {
		if text[i] == b {
			return i
		}
	}
	return bytes.IndexByte(text, b)
}

// lineEnd is where the line ends on which at stands.
func (r *rows) lineEnd(at int) int {
	if n := bytes.IndexByte(r.text[at:], r.table.dialect.eol); n >= 0 {
		return at + n
	}
	return len(r.text)
}

// plain goes through text[start:end], in which there are only plain cells, the
// first beginning at its start in this column. It returns the column that end
// stands in, and where that column's cell begins.
func (r *rows) plain(cells [][]byte, column, start, end int) (int, int) {
	for {
		n := bytes.IndexByte(r.text[start:end], r.table.dialect.comma)
		if n < 0 {
			return column, start
		}
		r.keep(cells, column, r.text[start:start+n])
		column, start = column+1, start+n+1
	}
}

// firstWanted returns the place in wanted of the first column from this one on. No
// column beyond the header is wanted.
func (r *rows) firstWanted(column int) int { return int(r.nextFor[min(column, r.columns)]) }

// quotedCell reads the quoted cell at position at and returns where it ends.
func (r *rows) quotedCell(cells [][]byte, column, at int) int {
	text, d := r.text, r.table.dialect
	end := at + 1
	for {
		n := indexNear(text[end:], quote)
		if n < 0 {
			r.fail(domain.FileError{Rule: domain.RuleQuoteOpen})
			return at
		}
		if end += n; end+1 < len(text) && text[end+1] == quote {
			end = afterDoubled(text, end)
			continue
		}
		break
	}
	inner := text[at+1 : end]
	if w := &r.wanted[r.firstWanted(column)]; w.column == column {
		put(cells, w.slot, r.table.unquoted(inner))
	}
	end = len(text) - len(d.afterQuote(text[end+1:]))
	if end < len(text) && text[end] != d.comma && text[end] != d.eol {
		r.fail(domain.FileError{Rule: domain.RuleQuoteTrailed})
	}
	return end
}

// oddCell reads the cell that begins at start and has a quotation mark inside,
// on the line that ends at line: one of the form ="…", in which there may be
// delimiters, or one in which it is a character. It returns where the cell ends.
func (r *rows) oddCell(cells [][]byte, column, start, mark, line int) int {
	if mark == start+1 {
		if n := r.table.dialect.wrapped(r.text[start:]); n > 0 {
			r.keep(cells, column, r.text[start:start+n])
			return len(r.text) - len(r.table.dialect.withoutLoneCR(r.text[start+n:]))
		}
	}
	end := line
	if n := bytes.IndexByte(r.text[mark:line], r.table.dialect.comma); n >= 0 {
		end = mark + n
	}
	r.keep(cells, column, r.text[start:end])
	return end
}

// unquoted is the text of a quoted cell that stands between its quotation marks.
func (t *csvFile) unquoted(inner []byte) []byte {
	if bytes.IndexByte(inner, quote) >= 0 || t.dialect.eol == '\n' && bytes.IndexByte(inner, '\r') >= 0 {
		return t.unquote(inner)
	}
	return inner
}

// unquote copies a cell into the table's own memory, with a single quotation mark for
// two and \n for \r\n. Many copies share one allocation.
func (t *csvFile) unquote(inner []byte) []byte {
	const block = 4096
	if cap(t.arena)-len(t.arena) < len(inner) {
		t.arena = make([]byte, 0, max(block, len(inner)))
	}
	from := len(t.arena)
	for i := 0; i < len(inner); i++ {
		if i+1 < len(inner) && (inner[i] == quote || inner[i] == '\r' && inner[i+1] == '\n' && t.dialect.eol == '\n') {
			i++
		}
		t.arena = append(t.arena, inner[i])
	}
	return t.arena[from:len(t.arena):len(t.arena)]
}

// keep puts a cell where it was asked for.
func (r *rows) keep(cells [][]byte, column int, cell []byte) {
	if w := &r.wanted[r.firstWanted(column)]; w.column == column {
		put(cells, w.slot, cell)
	}
}

// put puts a cell into its slot, without the blanks around it.
func put(cells [][]byte, slot int, cell []byte) {
	if n := len(cell); n > 0 && (cell[0] <= ' ' || cell[n-1] <= ' ') {
		cell = withoutBlanks(cell)
	}
	cells[slot] = cell
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
