package sheet

import (
	"bytes"
	"io"
)

const odsType = "application/vnd.oasis.opendocument.spreadsheet" // and of templates, with more behind it

// openODS opens the workbook that an archive holds, or returns errOther.
func openODS(a *archive, most int64) (Workbook, error) {
	if !a.has("mimetype") {
		return nil, errOther
	}
	is, err := a.open("mimetype")
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(is, int64(len(odsType))))
	is.Close()
	if err != nil {
		return nil, err
	}
	if string(text) != odsType {
		return nil, errOther
	}
	if err := a.refuseEncrypted(); err != nil {
		return nil, err
	}
	in, err := a.open("content.xml")
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := odsReader{markup: newMarkup(in), out: beginText(nil, int(most), a.claim), hidden: map[string]bool{}}
	r.book.kind = KindODS
	r.read()
	if r.err != nil {
		return nil, r.err
	}
	return &r.book, nil
}

// refuseEncrypted returns ErrPassword if the archive's manifest says that a part is
// encrypted.
func (a *archive) refuseEncrypted() error {
	const manifest = "meta-inf/manifest.xml"
	if !a.has(manifest) {
		return nil
	}
	return a.eachElement(manifest, true, func(m *markup) error {
		if string(m.name) == "encryption-data" {
			return ErrPassword
		}
		return nil
	})
}

// odsReader reads the sheets of an OpenDocument's content, which are all in one part.
type odsReader struct {
	*markup
	book   openedBook
	out    csvText
	hidden map[string]bool // names of the styles of sheets that are not shown
	styles names           // these
	tables names           // those of the sheets
	heads  odsHeads

	row, column int // of the next cell, from 0
	cell        odsCell
	scratch     []byte
	text        []byte // room for the text of a cell
	value       []byte // and for its value
	grown       bool   // the text has been given room by its first rows
}

func (r *odsReader) read() {
	var style []byte
	for {
		switch r.next() {
		case ended:
			return
		case opened:
			switch string(r.name) {
			case "style":
				style = append(style[:0], attribute(r.attrs, "name")...)
			case "table-properties":
				switch {
				case string(attribute(r.attrs, "display")) != "false":
				case r.styles.add(len(style)):
					r.hidden[string(style)] = true
				default:
					r.fail(ErrLarge)
				}
			case "tracked-changes":
				r.skip() // cells that the sheets have no more
			case "table":
				if r.depth == 4 { // of document-content, body and spreadsheet
					r.readSheet()
				} else {
					r.skip()
				}
			}
		}
		if len(r.hidden) > mostStyles {
			r.fail(ErrLarge)
		}
	}
}

// readSheet reads the table just opened, to its end.
func (r *odsReader) readSheet() {
	name, _ := textOf(r.attrs, "name")
	if len(r.book.names) == mostParts || !r.tables.add(len(name)) || len(name) > r.out.most-len(r.out.text) {
		r.fail(ErrLarge)
		return
	}
	r.book.names = append(r.book.names, string(inOneLine([]byte(name))))
	r.book.hidden = append(r.book.hidden, r.hidden[string(attribute(r.attrs, "style-name"))])
	from := len(r.out.text)
	r.out = csvText{text: r.out.text, most: r.out.most - len(name), held: r.out.held, claim: r.out.claim}
	r.row = 0
	for outer := r.depth; ; {
		switch r.next() {
		case ended:
			return
		case closed:
			if r.depth < outer {
				r.book.texts, r.book.merged = append(r.book.texts, r.out.text[from:]), append(r.book.merged, r.out.merged)
				return
			}
		case opened:
			switch string(r.name) {
			case "table-row-group", "table-header-rows", "table-rows":
			case "table-row":
				r.readRow()
			default:
				r.skip()
			}
		}
	}
}

// repeats is how often a row or a cell stands there; once unless it says so.
func repeats(stated []byte) int {
	if n, ok := readCount(stated); ok && n > 0 {
		return n
	}
	return 1
}

// readRow reads the row just opened, to its end, and appends it as often as it stands
// there. A row without values is only counted: sheets end with a million of them.
func (r *odsReader) readRow() {
	rows := repeats(attribute(r.attrs, "number-rows-repeated"))
	r.column = 0
	for inRow := true; inRow; {
		r.plainCells()
		switch r.next() {
		case ended:
			return
		case closed:
			inRow = false
		case opened:
			switch string(r.name) {
			case "table-cell", "covered-table-cell": // one that another covers may have kept its value
				r.readCell()
			default:
				r.skip()
			}
		}
	}
	if r.out.cells > 0 && r.out.row == r.row {
		if r.row+rows > lastRow {
			r.malformed("too many rows")
			return
		}
		line := r.out.text[r.out.line:]
		if rows > 1 && !r.out.fits(rows-1, len(line)) {
			r.fail(ErrLarge)
			return
		}
		for range rows - 1 {
			if err := r.out.room(1 + len(line)); err != nil {
				r.fail(err)
				return
			}
			r.out.line = len(r.out.text) + 1
			r.out.text = append(append(r.out.text, '\n'), line...)
			r.out.row++
		}
	}
	r.row = min(r.row+rows, lastRow)
	if used := r.used(); !r.grown && used >= enoughToExpect {
		r.grown = true
		expected := int64(len(r.out.text)) * r.in.size / used
		r.out.expect(int(min(expected, r.in.size)) - len(r.out.text))
	}
}

// readCell reads the cell just opened, to its end.
func (r *odsReader) readCell() {
	r.cell = odsCell{text: r.text[:0]}
	c := &r.cell
	// The attributes stand in the bytes that are read, which the next token may move.
	attrs := append(r.scratch[:0], r.attrs...)
	c.read(attrs)
	for outer, paragraphs := r.depth, 0; ; {
		switch r.next() {
		case ended:
			return
		case closed:
			if r.depth < outer {
				r.scratch, r.text = attrs, c.text
				if err := r.out.cover(r.row, r.column, c.rows); err != nil {
					r.fail(err)
					return
				}
				r.putCell()
				return
			}
		case opened:
			if string(r.name) != "p" {
				r.skip() // a comment, a drawing or a table in the cell
				continue
			}
			if paragraphs++; paragraphs > 1 {
				c.text = append(c.text, ' ')
			}
			c.text = r.appendParagraph(c.text)
		}
	}
}

// plainCells reads cells as long as they stand as nearly all do, such as
//
//	<table:table-cell table:number-columns-repeated="3"/>
//	<table:table-cell office:value-type="string"><text:p>Pune</text:p></table:table-cell>
//
// with blanks between them or none, and leaves the first that does not, and the last bytes of what is inflated, to
// readCell. It only saves time: readCell reads all cells alike.
func (r *odsReader) plainCells() {
	const begin, empty, text = "<table:table-cell", "/>", "><text:p>"
	for !r.empty && r.err == nil && r.in.archive.tags >= 2 && r.depth+2 <= deepest {
		b := r.buf[r.at:r.end]
		head := afterBlanks(b, 0)
		i := r.heads.read(&r.cell, b[head:]) + head
		if i == head {
			if !bytes.HasPrefix(b[head:], []byte(begin)) {
				return
			}
			if i = r.cell.readPlain(b, head+len(begin)); i < 0 || r.cell.rows > 1 {
				return
			}
			r.heads.learn(&r.cell, b[head:i])
		}
		tags, as := int64(1), oddText
		switch rest := b[i:]; {
		case bytes.HasPrefix(rest, []byte(empty)):
			i += len(empty)
		case bytes.HasPrefix(rest, []byte(text)):
			i += len(text)
			var n int
			if r.cell.text, n, tags, as = r.plainText(b[i:]); n == 0 {
				return
			}
			tags++
			i += n
		default:
			return
		}
		r.in.archive.tags -= tags
		r.at += i
		switch c := &r.cell; {
		case len(c.text) == 0 && c.kind == nil && c.stated == nil && !c.formula: // nearly every empty one
			r.column = min(r.column+c.repeated, lastColumn)
		case as == oddText || !r.putPlain(as):
			r.putCell()
		}
	}
}

type cellText uint8

// The kinds of texts.
const (
	oddText   cellText = iota
	lineText           // of ASCII without control characters, in one paragraph
	plainText          // the same, and it stands in a cell of CSV as it is
)

// plainText reads the paragraphs of a cell, in the first of which b begins, up to the end of the cell, which length counts. It
// is 0 for a cell that is left to readCell.
func (r *odsReader) plainText(b []byte) (text []byte, length int, paragraphs int64, as cellText) {
	const next, end = "</text:p><text:p>", "</text:p></table:table-cell>"
	n := plainLength(b)
	if bytes.HasPrefix(b[n:], []byte(end)) {
		return b[:n], n + len(end), 1, plainText
	}
	if n < len(b) && b[n] != '<' {
		if n = bytes.IndexByte(b, '<'); n < 0 {
			return nil, 0, 0, oddText
		}
	}
	if text = b[:n]; bytes.HasPrefix(b[n:], []byte(end)) && isLine(text) && bytes.IndexByte(text, '&') < 0 {
		return text, n + len(end), 1, lineText
	}
	r.text = r.text[:0]
	for at := 0; ; {
		n := bytes.IndexByte(b[at:], '<')
		if paragraphs++; n < 0 || len(r.text)+n > longestToken || paragraphs == r.in.archive.tags {
			return nil, 0, 0, oddText
		}
		var known bool
		if r.text, known = appendText(r.text, b[at:at+n]); !known {
			return nil, 0, 0, oddText
		}
		at += n
		if bytes.HasPrefix(b[at:], []byte(end)) {
			return r.text, at + len(end), paragraphs, oddText
		}
		if !bytes.HasPrefix(b[at:], []byte(next)) {
			return nil, 0, 0, oddText
		}
		r.text = append(r.text, ' ')
		at += len(next)
	}
}

// putPlain is putCell for a text that is not odd, and for a number that the cell has as appendNumber writes it. It is
// false for other cells.
func (r *odsReader) putPlain(as cellText) bool {
	c := &r.cell
	value := c.text
	switch string(c.kind) {
	case "string":
		if len(value) == 0 {
			return false
		}
	case "float":
		if len(value) == 0 || value[0] != '-' && value[0]-'0' > 9 || !isPlain(c.value) {
			return false // it may say an error
		}
		if !bytes.Equal(value, c.value) {
			if isPadded(value, c.value) {
				return false
			}
			value = c.value
		}
		as = plainText
	default:
		return false
	}
	if r.column+c.repeated > lastColumn {
		return false
	}
	if c.repeated > 1 && !r.out.fits(c.repeated, len(value)) {
		r.fail(ErrLarge)
		return true
	}
	for range c.repeated {
		var err error
		if as == plainText {
			err = r.out.putRaw(r.row, r.column, value)
		} else {
			err = r.out.put(r.row, r.column, value)
		}
		if err != nil {
			r.fail(err)
			return true
		}
		r.column++
	}
	return true
}

// appendParagraph appends the text of the paragraph just opened, to its end.
func (m *markup) appendParagraph(dst []byte) []byte {
	const mostBlanks = 100
	for outer := m.depth; ; {
		switch m.next() {
		case ended:
			return dst
		case texted:
			dst = m.appendToken(dst)
		case closed:
			if m.depth < outer {
				return dst
			}
		case opened:
			switch string(m.name) {
			case "s":
				if n := min(repeats(attribute(m.attrs, "c")), mostBlanks); m.fits(len(dst) + n) {
					dst = appendRepeated(dst, ' ', n)
				}
			case "tab", "line-break":
				dst = append(dst, ' ')
			case "annotation", "note", "ruby-text":
				m.skip()
			}
		}
	}
}

// putCell appends the cell's value as often as it stands there.
func (r *odsReader) putCell() {
	r.value = r.cell.appendValue(r.value[:0])
	n, value := r.cell.repeated, inOneLine(r.value)
	if len(value) > 0 {
		if r.column+n > lastColumn {
			r.malformed("too many columns")
			return
		}
		if n > 1 && !r.out.fits(n, len(value)) {
			r.fail(ErrLarge) // before any of it is written
			return
		}
		for i := range n {
			if err := r.out.put(r.row, r.column+i, value); err != nil {
				r.fail(err)
				return
			}
		}
	}
	r.column = min(r.column+n, lastColumn)
}
