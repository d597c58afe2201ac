package table

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/bits"
	"strconv"

	"milaan/domain"
	"milaan/ports"
)

// rows goes through the records below a header. Of the cells of a record it
// keeps those that were asked for, and steps over the others without looking
// at what they hold.
//
// The loop works on eight bytes at a time: for each of delimiter, quotation
// mark and line end it computes a word with the top bit set in every byte that
// is one (see matches), so that text without any of them costs a few
// instructions per eight bytes, and a run of cells nobody wants is passed by
// counting bits. Quoted cells are left to bytes.IndexByte, which is faster
// still on long text.
type rows struct {
	table *opened
	text  []byte
	begin int // where the current record begins
	at    int // where the next one does
	count int
	err   error

	columns int
	slotOf  []int16 // by column: where its cell goes, or unwanted
	nextFor []int16 // by column: the first wanted column from it on
	last    int     // the last column that is wanted
	commas  uint64
	eols    uint64
}

const (
	unwanted = -1
	ones     = 0x0101010101010101
	low7     = 0x7f7f7f7f7f7f7f7f
	high     = 0x8080808080808080
	quotes   = ones * quote
)

// Rows fills ports.Table.
func (t *opened) Rows(columns []int) ports.Rows {
	r := &rows{table: t, text: t.body, columns: len(t.header),
		commas: ones * uint64(t.dialect.comma), eols: ones * uint64(t.dialect.eol)}
	r.slotOf = make([]int16, len(t.header)+1)
	for c := range r.slotOf {
		r.slotOf[c] = unwanted
	}
	for slot, c := range columns {
		r.slotOf[c] = int16(slot)
		r.last = max(r.last, c)
	}
	r.nextFor = make([]int16, len(r.slotOf))
	coming := int16(math.MaxInt16)
	for c := len(r.slotOf) - 1; c >= 0; c-- {
		if r.slotOf[c] != unwanted {
			coming = int16(c)
		}
		r.nextFor[c] = coming
	}
	return r
}

// matches gives a word whose bytes are 0x80 where w has the byte of which
// pattern consists, and 0 elsewhere, exactly.
func matches(w, pattern uint64) uint64 {
	x := w ^ pattern
	return ^(((x & low7) + low7) | x | low7)
}

// has gives a word in which a top bit is set if w has the byte of which pattern
// consists, and none is if it has not: cheaper than matches, but it does not
// say where.
func has(w, pattern uint64) uint64 {
	x := w ^ pattern
	return (x - ones) &^ x
}

// Next fills ports.Rows.
func (r *rows) Next(cells [][]byte) bool {
	for r.err == nil && r.at < len(r.text) {
		clear(cells)
		r.begin = r.at
		width := r.record(cells)
		if r.err != nil {
			return false
		}
		if allBlank(cells) && r.table.dialect.blank(r.text[r.begin:r.at]) {
			continue
		}
		if width > r.columns && !r.surplusBlank() {
			return false
		}
		if r.count++; r.count > domain.MaxRows {
			r.fail("", "has more than "+strconv.Itoa(domain.MaxRows)+" rows below its header", "split it, for instance by month, and run the parts one by one")
			return false
		}
		return true
	}
	return false
}

// record reads one record from r.at on, and returns how many cells it has.
func (r *rows) record(cells [][]byte) int {
	text := r.text
	column, start, at := 0, r.at, r.at
	for {
		if start == at && at < len(text) && text[at] == quote {
			if at = r.quotedCell(cells, column, at); r.err != nil {
				return 0
			}
			// at is now a delimiter, a line's end or the text's end.
			if at == len(text) || text[at] == r.table.dialect.eol {
				r.at = min(at+1, len(text))
				return column + 1
			}
			at++
			column, start = column+1, at
			continue
		}
		var w uint64
		if at+8 <= len(text) {
			w = binary.LittleEndian.Uint64(text[at:])
		} else if at < len(text) {
			var tail [8]byte
			copy(tail[:], text[at:])
			w = binary.LittleEndian.Uint64(tail[:])
		} else {
			r.keep(cells, column, withoutCR(text[start:]))
			r.at = len(text)
			return column + 1
		}
		commas, others := matches(w, r.commas), matches(w, r.eols)|matches(w, quotes)
		word := at
		at = min(at+8, len(text))
		if others == 0 {
			if commas == 0 {
				continue
			}
			if next := r.nextWanted(column); column+bits.OnesCount64(commas) <= next {
				column, start = column+bits.OnesCount64(commas), word+8-bits.LeadingZeros64(commas)>>3
				if next-column >= longStretch {
					column, start, at = r.skip(column, next, start, at)
				}
				continue
			}
			for ; commas != 0; commas &= commas - 1 {
				i := word + bits.TrailingZeros64(commas)>>3
				r.keep(cells, column, text[start:i])
				column, start = column+1, i+1
			}
			continue
		}
		found := commas | others
	signs:
		for ; found != 0; found &= found - 1 {
			i := word + bits.TrailingZeros64(found)>>3
			switch text[i] {
			case quote:
				if i == start {
					at = i
					break signs
				}
				n := 0
				if i == start+1 {
					n = r.table.dialect.wrapped(text[start:])
				}
				if n == 0 {
					r.fail("", quoteInside, quoteAdvice)
					return 0
				}
				r.keep(cells, column, text[start:start+n])
				at = len(text) - len(r.table.dialect.withoutLoneCR(text[start+n:]))
				if at == len(text) || text[at] == r.table.dialect.eol {
					r.at = min(at+1, len(text))
					return column + 1
				}
				at++
				column, start = column+1, at
				break signs
			case r.table.dialect.eol:
				r.keep(cells, column, r.lastCell(text[start:i]))
				r.at = i + 1
				return column + 1
			default:
				r.keep(cells, column, text[start:i])
				column, start = column+1, i+1
			}
		}
	}
}

// longStretch is how many columns nobody may want before skip is worth its
// while.
const longStretch = 8

// skip passes over cells that nobody wants, four words at a time, until it
// comes near the next wanted column, a quotation mark or a line's end. It
// returns the column that it stands in, where that column's cell begins, and
// where to go on.
func (r *rows) skip(column, next, start, at int) (int, int, int) {
	text := r.text
	for at+32 <= len(text) {
		w0, w1 := binary.LittleEndian.Uint64(text[at:]), binary.LittleEndian.Uint64(text[at+8:])
		w2, w3 := binary.LittleEndian.Uint64(text[at+16:]), binary.LittleEndian.Uint64(text[at+24:])
		if (has(w0, r.eols)|has(w1, r.eols)|has(w2, r.eols)|has(w3, r.eols)|
			has(w0, quotes)|has(w1, quotes)|has(w2, quotes)|has(w3, quotes))&high != 0 {
			break
		}
		c0, c1, c2, c3 := matches(w0, r.commas), matches(w1, r.commas), matches(w2, r.commas), matches(w3, r.commas)
		// Each byte of the sum counts at most four.
		n := int((c0>>7 + c1>>7 + c2>>7 + c3>>7) * ones >> 56)
		if column+n > next {
			break
		}
		if n > 0 {
			column += n
			start = -1
		}
		at += 32
	}
	if start < 0 {
		start = bytes.LastIndexByte(text[:at], r.table.dialect.comma) + 1
	}
	return column, start, at
}

// nextWanted is the first wanted column from column on. Beyond the header
// nothing is wanted.
func (r *rows) nextWanted(column int) int {
	if column < len(r.nextFor) {
		return int(r.nextFor[column])
	}
	return math.MaxInt
}

// quotedCell reads the quoted cell at position at and returns where it ends.
func (r *rows) quotedCell(cells [][]byte, column, at int) int {
	text, d := r.text, r.table.dialect
	doubled := false
	end := at + 1
	for {
		n := bytes.IndexByte(text[end:], quote)
		if n < 0 {
			r.fail("", quoteOpen, quoteAdvice)
			return at
		}
		if end += n; end+1 < len(text) && text[end+1] == quote {
			doubled = true
			end += 2
			continue
		}
		break
	}
	inner := text[at+1 : end]
	if column <= r.last && r.slotOf[column] != unwanted {
		if doubled || d.eol == '\n' && bytes.IndexByte(inner, '\r') >= 0 {
			inner = r.table.unquoted(inner)
		}
		r.keep(cells, column, inner)
	}
	end++
	if end < len(text) && text[end] == '\r' && d.eol == '\n' && (end+1 == len(text) || text[end+1] == '\n') {
		end++
	}
	if end < len(text) && text[end] != d.comma && text[end] != d.eol {
		r.fail("", quoteTrailed, quoteAdvice)
	}
	return end
}

// unquoted copies a cell into the table's own memory, with single quotation
// marks for doubled ones and \n for \r\n. The copies share few allocations.
func (t *opened) unquoted(inner []byte) []byte {
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
	if column > r.last {
		return
	}
	slot := r.slotOf[column]
	if slot == unwanted {
		return
	}
	for len(cell) > 0 && cell[0] <= ' ' {
		cell = cell[1:]
	}
	for len(cell) > 0 && cell[len(cell)-1] <= ' ' {
		cell = cell[:len(cell)-1]
	}
	cells[slot] = cell
}

func (r *rows) lastCell(cell []byte) []byte {
	if r.table.dialect.eol == '\n' {
		return withoutCR(cell)
	}
	return cell
}

func withoutCR(cell []byte) []byte {
	if n := len(cell); n > 0 && cell[n-1] == '\r' {
		return cell[:n-1]
	}
	return cell
}

func allBlank(cells [][]byte) bool {
	for _, c := range cells {
		if len(c) > 0 && !domain.IsSeparator(c) && !domain.IsSeparator(domain.Unwrapped(c)) {
			return false
		}
	}
	return true
}

// surplusBlank checks a record with more cells than the header: they may be
// blank, and are else a sign that cells have slipped into the wrong columns.
func (r *rows) surplusBlank() bool {
	cells, _, _, _ := r.table.dialect.record(r.text[r.begin:r.at])
	for _, c := range cells[r.columns:] {
		if len(domain.Unwrapped(c)) > 0 {
			r.fail(string(domain.Unwrapped(c)), "stands beyond the header's last column: the record has "+
				strconv.Itoa(len(cells))+" cells, the header "+strconv.Itoa(r.columns),
				"look for a stray comma in this line, or export the file again")
			return false
		}
	}
	return true
}

func (r *rows) fail(value, problem, advice string) {
	r.err = &domain.FileError{File: r.table.file, Line: r.Line(), Value: value, Problem: problem, Advice: advice}
}

// Line fills ports.Rows. It counts when it is asked, which only errors do.
func (r *rows) Line() int {
	return r.table.line + bytes.Count(r.text[:r.begin], []byte{r.table.dialect.eol})
}

// Count fills ports.Rows.
func (r *rows) Count() int { return r.count }

// Err fills ports.Rows.
func (r *rows) Err() error { return r.err }
