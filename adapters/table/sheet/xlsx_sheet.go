package sheet

import (
	"bytes"
	"encoding/binary"
	"strconv"
)

// xlsxSheet reads the cells of a sheet of a workbook in Office Open XML.
type xlsxSheet struct {
	*markup
	book *xlsx
	out  csvText
	rows int   // how many are read
	size int64 // bytes of the part when inflated, as the archive states them

	row, column int    // of the last cell, from 0; -1: none
	rowText     []byte // the row's number, as references to its cells end
	rowWord     uint64 // the same and a quotation mark, to be compared at once
	rowMask     uint64 // which bytes of a word these are
	stated      bool   // the row says its number
	value       []byte // of a cell that is read in pieces
	scratch     []byte
	grown       bool
}

type cellKind uint8

// The kinds of cells, by the attribute t.
const (
	numberCell cellKind = iota // none, or n
	sharedCell                 // s
	truthCell                  // b
	textCell                   // str, e, and inlineStr
	dayCell                    // d
)

// kindOf is the kind of an attribute t.
func kindOf(t []byte) (cellKind, bool) {
	switch string(t) {
	case "", "n":
		return numberCell, true
	case "s":
		return sharedCell, true
	case "b":
		return truthCell, true
	case "str", "e", "inlineStr":
		return textCell, true
	case "d":
		return dayCell, true
	}
	return numberCell, false
}

// wrong ends the reading for something that a sheet may not have.
func (r *xlsxSheet) wrong(what string) error {
	r.malformed(what)
	return r.err
}

// read reads all rows, or as many as are wanted.
func (r *xlsxSheet) read() error {
	r.row = -1
	sheet := false // in sheetData of the worksheet
	for {
		switch r.next() {
		case ended:
			return r.err
		case opened:
			switch {
			case r.depth == 1 && string(r.name) != "worksheet":
				return r.wrong("a sheet that is none")
			case r.depth == 2:
				sheet = string(r.name) == "sheetData"
			case r.depth == 3 && sheet && string(r.name) == "row":
				if err := r.beginRow(); err != nil {
					return err
				}
				if r.row >= r.rows {
					return nil
				}
				if err := r.readRow(); err != nil {
					return err
				}
				if !r.grown {
					r.expect()
				}
			case r.depth == 3 && string(r.name) == "mergeCell": // they stand behind all rows
				if err := r.cover(attribute(r.attrs, "ref")); err != nil {
					return err
				}
			}
		}
	}
}

// cover notes the cell of a range such as A2:A9. What is none covers nothing.
func (r *xlsxSheet) cover(ref []byte) error {
	from, to, _ := bytes.Cut(ref, []byte(":"))
	column, top := columnOf(from)
	_, bottom := columnOf(to)
	first, begins := readCount(top)
	last, ends := readCount(bottom)
	if column < 0 || !begins || !ends {
		return nil
	}
	return r.out.cover(first-1, column, last-first+1)
}

// expect makes room for the text of all rows by the length of the text of the first ones.
func (r *xlsxSheet) expect() {
	text, used := len(r.out.text), r.used()
	if used < enoughToExpect {
		return
	}
	r.grown = true
	if r.rows == lastRow {
		// A sheet has no more than twice its bytes of text, unless it repeats long shared ones.
		r.out.expect(int(min(int64(text)*r.size/used, 2*r.size)) - text)
	}
}

// beginRow reads the attributes of a row. Rows come in order: another order, or a row
// that comes twice, is how damaged files and attacks look, not files.
func (r *xlsxSheet) beginRow() error {
	number := r.row + 2
	stated := attribute(r.attrs, "r")
	if r.stated = stated != nil; r.stated {
		n, ok := readCount(stated)
		if !ok || n <= r.row+1 || n > lastRow {
			return r.wrong("rows out of order")
		}
		number = n
	}
	if number > lastRow {
		return r.wrong("too many rows")
	}
	r.row, r.column = number-1, -1
	r.setRowText(appendCount(r.rowText[:0], number))
	return nil
}

// setRowText sets the row's number as references have it.
func (r *xlsxSheet) setRowText(text []byte) {
	r.rowText, r.rowWord, r.rowMask = text, 1, 0 // which no bytes are
	if len(text) < 8 {
		r.rowWord = 0
		for i, c := range append(text, '"') {
			r.rowWord, r.rowMask = r.rowWord|uint64(c)<<(8*i), r.rowMask<<8|0xff
		}
	}
}

// readRow reads the cells of the row just opened, to its end.
func (r *xlsxSheet) readRow() error {
	for {
		if err := r.plainCells(); err != nil {
			return err
		}
		switch r.next() {
		case ended:
			return r.err
		case closed:
			return nil
		case opened:
			if string(r.name) != "c" {
				r.skip()
				continue
			}
			if err := r.readCell(); err != nil {
				return err
			}
		}
	}
}

// readCell reads the cell just opened, to its end.
func (r *xlsxSheet) readCell() error {
	ref, s, t := cellAttributes(r.attrs)
	is, known := kindOf(t)
	if !known {
		return r.wrong("a cell of an unknown kind")
	}
	column := r.column + 1
	if ref != nil {
		var ok bool
		if column, ok = r.reference(ref); !ok || column <= r.column {
			return r.wrong("cells out of order")
		}
	}
	if column >= lastColumn {
		return r.wrong("too many columns")
	}
	style := 0
	if s != nil {
		style, _ = readCount(s)
	}
	r.column = column
	r.value = r.value[:0]
	formula := false
	for outer := r.depth; ; {
		switch r.next() {
		case ended:
			return r.err
		case closed:
			if r.depth >= outer {
				continue
			}
			if formula && is == numberCell && r.uncomputed() {
				return r.out.put(r.row, r.column, []byte(notComputed))
			}
			return r.put(is, style, r.value)
		case opened:
			switch string(r.name) {
			case "v":
				r.value = r.appendContent(r.value[:0])
				if is == textCell {
					r.value = withoutEscapes(r.value, 0)
				}
			case "is":
				r.value = r.appendRich(r.value[:0])
				is = textCell
			default:
				formula = formula || string(r.name) == "f"
				r.skip()
			}
		}
	}
}

// cellAttributes returns the values of the attributes r, s and t, of each the first; nil: there is none.
func cellAttributes(attrs []byte) (r, s, t []byte) {
	for {
		name, value, rest := nextAttribute(attrs)
		if name == nil {
			return r, s, t
		}
		attrs = rest
		var to *[]byte
		switch string(localName(name)) {
		case "r":
			to = &r
		case "s":
			to = &s
		case "t":
			to = &t
		default:
			continue
		}
		if *to == nil {
			*to = value
		}
	}
}

// uncomputed says that the value just read is none of the formula in its cell. Programs
// that do not compute leave the value out, or write 0 and have the workbook computed when
// it is opened.
func (r *xlsxSheet) uncomputed() bool {
	value := bytes.TrimSpace(r.value)
	return len(value) == 0 || r.book.stale && string(value) == "0"
}

// appendContent appends the text of the element that was just opened, to its end.
func (m *markup) appendContent(dst []byte) []byte {
	for depth := m.depth; ; {
		switch t := m.next(); {
		case t == texted && m.depth == depth:
			dst = m.appendToken(dst)
		case t == ended, t == closed && m.depth < depth:
			return dst
		}
	}
}

// reference is the column of a reference such as AB12 to a cell of the row. The first cell
// of a row that does not say its number says it.
func (r *xlsxSheet) reference(ref []byte) (column int, ok bool) {
	column, row := columnOf(ref)
	if !r.stated && r.column < 0 {
		if n, ok := readCount(row); ok && n > r.row && n <= lastRow {
			r.row = n - 1
			r.setRowText(append(r.rowText[:0], row...))
		}
	}
	return column, column >= 0 && bytes.Equal(row, r.rowText)
}

// columnOf is the column of a reference to a cell, and the number of its row; -1: it has no column.
func columnOf(ref []byte) (column int, row []byte) {
	i := 0
	for i < len(ref) && i < 4 && ref[i]-'A' < 26 {
		column = column*26 + int(ref[i]-'A') + 1
		i++
	}
	return column - 1, ref[i:]
}

// put puts a cell's value into the row and column that were read last.
func (r *xlsxSheet) put(is cellKind, style int, value []byte) error {
	if len(value) > 0 && value[0] <= ' ' && is != textCell {
		value = bytes.TrimSpace(value) // as some programs indent it
	}
	if len(value) == 0 {
		return r.err
	}
	switch is {
	case sharedCell:
		n, ok := readCount(value)
		if !ok || n >= r.book.texts.n {
			return r.wrong("a text that is not there")
		}
		return r.out.putRaw(r.row, r.column, r.book.texts.at(n))
	case truthCell:
		switch string(value) {
		case "1", "true":
			value = []byte("TRUE")
		case "0", "false":
			value = []byte("FALSE")
		}
	case dayCell:
		r.scratch = appendISODate(r.scratch[:0], value)
		value = r.scratch
	case numberCell:
		value = r.number(style, value)
		if isPlain(value) {
			return r.out.putRaw(r.row, r.column, value)
		}
	}
	return r.out.put(r.row, r.column, value)
}

// number is a number as text, by the format of its cell. Text that is no number, although
// the cell says so, is taken as it is.
func (r *xlsxSheet) number(style int, value []byte) []byte {
	is := plainNumber
	if style < len(r.book.formats) {
		is = r.book.formats[style]
	}
	if is == plainNumber && isPlain(value) {
		return value
	}
	f, ok := readNumber(value)
	if !ok {
		return value
	}
	r.scratch = appendFormatted(r.scratch[:0], f, is, r.book.from1904)
	return r.scratch
}

// The bytes that plainCells looks at together.
const (
	longestHead  = 64 // of <c …><is><t>
	longestValue = 512
	longestTail  = len("</t></is></c>")
)

// plainCells reads cells as long as they stand as nearly all do, such as
//
//	<c r="A1" s="2" t="s"><v>7</v></c>
//	<c r="A1" t="inlineStr"><is><t>Pune</t></is></c>
//
// and leaves the first that does not, and the last bytes of what is inflated, to readCell.
// It only saves time: readCell reads all cells alike.
func (r *xlsxSheet) plainCells() error {
	if r.empty {
		return nil
	}
	b, at := r.buf[:r.end], r.at
	for at+longestHead+longestValue+longestTail < len(b) {
		column, style, is, i := r.plainHead(b, at)
		if i == 0 {
			break
		}
		if b[i] == '/' && b[i+1] == '>' {
			r.column, at = column, i+2
			continue
		}
		const tail, tailOfText = "</v></c>", "</t></is></c>"
		inline := false
		switch {
		case string(b[i:i+len("><v>")]) == "><v>":
			i += len("><v>")
		case is == textCell && string(b[i:i+len("><is><t>")]) == "><is><t>":
			i += len("><is><t>")
			inline = true
		default:
			r.at = at
			return nil
		}
		value, n, plain := r.plainValue(is, style, b[i:i+longestValue])
		if n < 0 {
			break
		}
		if i += n; !inline && string(b[i:i+len(tail)]) == tail {
			i += len(tail)
		} else if inline && string(b[i:i+len(tailOfText)]) == tailOfText {
			i += len(tailOfText)
		} else {
			break
		}
		r.column, at = column, i
		var err error
		if plain {
			err = r.out.putRaw(r.row, column, value)
		} else {
			err = r.put(is, style, value)
		}
		if err != nil {
			r.at = at
			return err
		}
	}
	r.at = at
	return nil
}

// plainValue finds the value of a cell, and its length in the XML; -1 for one that is left to readCell. plain says
// that the value stands in a cell of CSV as it is.
func (r *xlsxSheet) plainValue(is cellKind, style int, b []byte) (value []byte, n int, plain bool) {
	switch is {
	case textCell:
		n = plainLength(b)
		value, plain = b[:n], n < len(b) && b[n] == '<'
		if !plain {
			if n = bytes.IndexByte(b, '<'); n < 0 {
				return nil, -1, false
			}
			value = b[:n]
			if bytes.IndexByte(value, '&') >= 0 {
				var known bool
				if r.value, known = appendText(r.value[:0], value); !known {
					return nil, -1, false
				}
				value = r.value
			}
		}
		if bytes.IndexByte(value, '_') >= 0 && bytes.Contains(value, []byte("_x")) {
			return nil, -1, false
		}
		return value, n, plain
	case sharedCell:
		text := 0
		for n < 9 && b[n]-'0' < 10 {
			text = text*10 + int(b[n]-'0')
			n++
		}
		if n > 0 && b[n] == '<' && text < r.book.texts.n {
			return r.book.texts.at(text), n, true
		}
	}
	for n < len(b) && b[n] != '<' && b[n] != '&' {
		n++
	}
	value = b[:n]
	plain = is == numberCell && (style >= len(r.book.formats) || r.book.formats[style] == plainNumber) && isPlain(value)
	return value, n, plain
}

// plainHead reads the beginning of a cell up to its > or />, and returns where that
// stands; 0 for a cell that is left to readCell. There are enough bytes for it.
func (r *xlsxSheet) plainHead(b []byte, at int) (column, style int, is cellKind, next int) {
	i := at
	if b[i] != '<' || b[i+1] != 'c' || b[i+2] != ' ' {
		return 0, 0, 0, 0
	}
	i += 3
	column = r.column + 1
	if b[i] == 'r' && b[i+1] == '=' && b[i+2] == '"' {
		i += 3
		column = 0
		for k := 0; k < 3 && b[i]-'A' < 26; k++ {
			column = column*26 + int(b[i]-'A') + 1
			i++
		}
		if column--; column <= r.column || binary.LittleEndian.Uint64(b[i:])&r.rowMask != r.rowWord {
			return 0, 0, 0, 0
		}
		if i += len(r.rowText) + 1; b[i] == ' ' {
			i++
		}
	}
	if column >= lastColumn {
		return 0, 0, 0, 0
	}
	if b[i] == 's' && b[i+1] == '=' && b[i+2] == '"' {
		i += 3
		for k := 0; k < 6 && b[i]-'0' < 10; k++ {
			style = style*10 + int(b[i]-'0')
			i++
		}
		if b[i] != '"' {
			return 0, 0, 0, 0
		}
		if i++; b[i] == ' ' {
			i++
		}
	}
	if b[i] == 't' && b[i+1] == '=' && b[i+2] == '"' {
		i += 3
		switch {
		case b[i] == 's' && b[i+1] == '"':
			is = sharedCell
			i += len(`s"`)
		case b[i] == 'n' && b[i+1] == '"':
			i += len(`n"`)
		case string(b[i:i+len(`str"`)]) == `str"`:
			is = textCell
			i += len(`str"`)
		case string(b[i:i+len(`inlineStr"`)]) == `inlineStr"`:
			is = textCell
			i += len(`inlineStr"`)
		default:
			return 0, 0, 0, 0
		}
	}
	return column, style, is, i
}

// readCount reads a number of at most nine digits.
func readCount(s []byte) (n int, ok bool) {
	if len(s) == 0 || len(s) > 9 {
		return 0, false
	}
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

func appendCount(dst []byte, n int) []byte { return strconv.AppendInt(dst, int64(n), 10) }
