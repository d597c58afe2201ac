package sheet

import (
	"bytes"
	"unicode/utf8"
)

// The last row and column that a sheet may have.
const (
	lastRow    = 1 << 20
	lastColumn = 1 << 14
)

// notComputed stands for the value of a formula that no program has computed: it must be
// refused where an amount or a day is read, and must not be taken for none.
const notComputed = "#N/A"

// Gap stands in the text of a sheet, before their number and after it, for the separators of
// as many empty cells, if there are leastGap or more: so a cell in the last column takes hardly
// more than another. No value has it, as it is a control character.
const Gap = 0x1f

// leastGap is more cells than the exports of shops have in a row: a text with gaps is copied once its header is known.
const leastGap = 128

// csvText makes CSV text of cells that come in order. Rows without a value take a byte each if
// a value follows them, and none if none does; so do cells, but see Gap.
type csvText struct {
	text  []byte
	most  int // bytes that the text may have
	held  int // bytes that are claimed
	claim func(bytes int) error
	row   int // the place of the last cell, from 0
	cells int // of the row, with the last cell
	line  int // where the row begins in text

	merged []Merged
}

// claimedAtOnce is how many bytes are claimed at most before they are needed.
const claimedAtOnce = 64 << 10

// A text of largeText bytes or more grows to four times as many, or to all that it may have: while a
// text is copied, nothing else can collect garbage, and everything waits for that. What is not used of
// it takes no memory, and what it leaves behind stays until garbage is collected.
const largeText = 4 << 20

// room makes sure that the given number of further bytes fit, and claims memory for them.
func (t *csvText) room(bytes int) error {
	to := len(t.text) + bytes
	if to > t.most {
		return ErrLarge
	}
	if to <= t.held {
		return nil
	}
	more := to - t.held + min(claimedAtOnce, len(t.text))
	if err := t.claim(more); err != nil {
		return err
	}
	t.held += more
	if c := cap(t.text); c >= largeText && c-to < 2*claimedAtOnce {
		t.text = withRoom(t.text, min(4*c, t.most)-len(t.text))
	}
	return nil
}

// fits says whether there is room for as many values of this length, with a separator between any two.
func (t *csvText) fits(times, length int) bool { return times <= (t.most-len(t.text)+1)/(length+1) }

// enoughToExpect is how many bytes of a file or of its text say how long the text of the rest is.
const enoughToExpect = 512 << 10

// expect makes room for the given number of further bytes and a quarter more at once, if it may: a text that
// grows step by step takes several times its bytes until garbage is collected. The first orders of an export
// are often not shipped yet, and so are shorter than the others.
func (t *csvText) expect(bytes int) {
	bytes = max(0, min(bytes+bytes/4, t.most-len(t.text)))
	if err := t.room(bytes); err == nil { // else it grows as long as it may
		t.text = withRoom(t.text, bytes)
	}
}

// withRoom returns a text with room for further bytes. Room that is not used takes no memory if it is fresh
// from the system. After slices.Grow, which clears it, it always does.
func withRoom(text []byte, bytes int) []byte {
	if cap(text)-len(text) >= bytes {
		return text
	}
	return append(make([]byte, 0, len(text)+bytes), text...)
}

// beginText gets ready for a text after dst, of at most the given number of further bytes.
func beginText(dst []byte, most int, claim func(bytes int) error) csvText {
	return csvText{text: dst, most: len(dst) + most, held: len(dst), claim: claim}
}

// place makes the next value stand in a row and a column, from 0, after all values before
// it, and makes sure that the given number of bytes fit.
func (t *csvText) place(row, column, bytes int) error {
	if row == t.row && column == t.cells && t.cells > 0 { // nearly every cell
		t.cells++
		if err := t.room(1 + bytes); err != nil {
			return err
		}
		t.text = append(t.text, ',')
		return nil
	}
	rows, columns := row-t.row, column
	if rows == 0 {
		columns -= max(t.cells-1, 0)
	}
	separators := columns
	if columns >= leastGap {
		separators = len("\x1f12345\x1f")
	}
	if err := t.room(rows + separators + bytes); err != nil {
		return err
	}
	t.text = appendRepeated(t.text, '\n', rows)
	if rows > 0 || t.cells == 0 {
		t.line = len(t.text)
	}
	if columns < leastGap {
		t.text = appendRepeated(t.text, ',', columns)
	} else {
		t.text = append(appendCount(append(t.text, Gap), columns), Gap)
	}
	t.row, t.cells = row, column+1
	return nil
}

// put appends a value in a row and a column. An empty one takes no place.
func (t *csvText) put(row, column int, value []byte) error {
	if len(value) == 0 {
		return nil
	}
	if err := t.place(row, column, len(value)); err != nil {
		return err
	}
	from := len(t.text)
	t.text = appendCell(t.text, value)
	return t.within(from)
}

// putWithin is put with a limit that several texts share: how many bytes are left.
func (t *csvText) putWithin(left *int64, row, column int, value []byte) error {
	before := len(t.text)
	t.most = before + int(*left)
	err := t.put(row, column, value)
	*left -= int64(len(t.text) - before)
	return err
}

// mergedBytes is how many bytes of text a merged cell takes the place of.
const mergedBytes = 12

// cover notes that the cell in a row and a column stands for so many rows.
func (t *csvText) cover(row, column, rows int) error {
	if rows <= 1 {
		return nil
	}
	if t.most -= mergedBytes; t.most < len(t.text) {
		return ErrLarge
	}
	const atOnce = 1024
	if len(t.merged)%atOnce == 0 {
		if err := t.claim(atOnce * mergedBytes); err != nil {
			return err
		}
	}
	t.merged = append(t.merged, Merged{int32(column), int32(row + 1), int32(row + rows)})
	return nil
}

// coverWithin is cover with the limit of putWithin.
func (t *csvText) coverWithin(left *int64, row, column, rows int) error {
	t.most = len(t.text) + int(*left)
	err := t.cover(row, column, rows)
	*left = int64(t.most - len(t.text))
	return err
}

// within is ErrLarge if what was appended is too much. The text is given back then.
func (t *csvText) within(from int) error {
	if err := t.room(0); err != nil {
		t.text = t.text[:from]
		return err
	}
	return nil
}

// putRaw appends a value that appendCell has made.
func (t *csvText) putRaw(row, column int, cell []byte) error {
	if len(cell) == 0 {
		return nil
	}
	if err := t.place(row, column, len(cell)); err != nil {
		return err
	}
	t.text = append(t.text, cell...)
	return nil
}

func appendRepeated(dst []byte, b byte, n int) []byte {
	for range n {
		dst = append(dst, b)
	}
	return dst
}

// firstLines returns the first lines of a text, or all if most is 0.
func firstLines(text []byte, most int) []byte {
	if most <= 0 {
		return text
	}
	at := 0
	for range most {
		n := bytes.IndexByte(text[at:], '\n')
		if n < 0 {
			return text
		}
		at += n + 1
	}
	return text[:at-1]
}

// appendTexts appends the first lines of a text that is kept, or all if most is 0: then
// it makes no copy where it need not.
func appendTexts(dst, text []byte, most int) []byte {
	if dst == nil && most <= 0 {
		return text[:len(text):len(text)]
	}
	return append(dst, firstLines(text, most)...)
}

// appendCell appends a value as a cell of CSV in UTF-8. Line ends and other control
// characters, but tabs, become blanks, and what is not UTF-8 becomes U+FFFD.
func appendCell(dst, value []byte) []byte {
	odd := !isLine(value)
	quoted := bytes.IndexByte(value, ',') >= 0 || bytes.IndexByte(value, '"') >= 0
	if !odd && !quoted {
		return append(dst, value...)
	}
	if odd {
		value = inOneLine(value)
	}
	if !quoted {
		return append(dst, value...)
	}
	dst = append(dst, '"')
	for {
		n := bytes.IndexByte(value, '"')
		if n < 0 {
			break
		}
		dst = append(dst, value[:n+1]...)
		dst = append(dst, '"')
		value = value[n+1:]
	}
	dst = append(dst, value...)
	return append(dst, '"')
}

// inOneLine replaces in value itself what may not be in a line of text, if it has any.
func inOneLine(value []byte) []byte {
	if isLine(value) { // nearly every one
		return value
	}
	if !utf8.Valid(value) {
		value = bytes.ToValidUTF8(value, []byte("\ufffd"))
	}
	kept := value[:0]
	for i, c := range value {
		switch {
		case c == '\r' && i+1 < len(value) && value[i+1] == '\n':
			continue
		case c < ' ' && c != '\t':
			c = ' '
		}
		kept = append(kept, c)
	}
	return kept
}
