package sheet

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits of a page. The spans are those of browsers. No tag of a real page is as long as longestTag bytes, and the tokenizer
// needs many times the bytes of a tag for its attributes.
const (
	longestTag   = 2 << 20
	mostNested   = 200
	mostColspan  = 1000
	mostRowspan  = 65534
	longestTitle = 40
)

// isHTML says whether a file is markup with a table: a page, or an XML Spreadsheet of
// Excel 2003. A page without a table is none.
func isHTML(content []byte) bool {
	start := toUTF8(content[:min(len(content), 1024)])
	start = bytes.TrimLeft(start, " \t\r\n\f")
	if len(start) < 2 || start[0] != '<' || start[1] != '!' && start[1] != '?' && !isLetter(start[1]) {
		return false
	}
	if isUTF16(content) {
		content = toUTF8(content) // in all other character sets a tag has the same bytes
	}
	return isSpreadsheetXML(start) || hasTag(content, "table")
}

func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }

// hasTag says whether a page has the start of a tag, in letters of any case. A longer name,
// such as table:table in the XML of other programs, is another tag.
func hasTag(page []byte, name string) bool {
	for {
		at := bytes.IndexByte(page, '<')
		if at < 0 || len(page)-at < len(name)+2 {
			return false
		}
		page = page[at+1:]
		if bytes.EqualFold(page[:len(name)], []byte(name)) && strings.IndexByte(" \t\r\n\f/>", page[len(name)]) >= 0 {
			return true
		}
	}
}

// openHTML opens a page: each table that has rows is a sheet, in the order in which
// they begin, also one inside another. An XML Spreadsheet has sheets of its own.
// openHTML returns ErrBroken if the page has no table with rows, or breaks off inside
// one. It is lenient as browsers are: the end of the page closes a table, if a whole
// row stands before it.
func openHTML(content []byte, l Limits) (Workbook, error) {
	page := content
	if isMarked(content) {
		page = toUTF8(content)
	}
	if isSpreadsheetXML(page) {
		return openXML(toUTF8(content), l)
	}
	r := newPageReader(page, l)
	if !isMarked(content) {
		r.guess.page = page
	}
	err := r.read()
	if !r.guess.holdsTo(len(page)) {
		r = newPageReader(toUTF8(content), l)
		err = r.read()
	}
	if err != nil {
		return nil, err
	}
	return r.page()
}

func newPageReader(page []byte, l Limits) *pageReader {
	return &pageReader{pageTokens: pageTokens{content: page}, left: l.Text, claim: l.Claim, passed: l.Passed}
}

// pageReader makes the texts of all tables in one pass over the page.
type pageReader struct {
	pageTokens
	left     int64 // bytes of text that may still be made
	claim    func(bytes int) error
	all      []*pageTable // in the order in which they begin
	open     []*pageTable // each inside a cell of the one before it
	spare    *pageTable   // one that had no row
	skipping atom.Atom    // the element whose text is passed over
	partial  bool         // the page ends inside a tag, a comment or a script
	grown    bool         // a text has been given room by its first rows
	guess    utf8Guess
	passed   func(part []byte) // nil: nobody asks
	gone     int               // up to where the page has been passed

	// Most cells of a page are written as one before them: the latest without a value, with the blanks after it, and the latest
	// tag whose attributes nobody asks for, as they stand in the page.
	blank, bare []byte
	formats     map[string]format // by class
	from1904    bool
}

type pageTable struct {
	id       string
	title    string   // the text of its caption
	begin    int      // where it begins in the page
	text     *csvText // nil: no row yet
	spans    []int32  // by column, the row up to which a cell above covers it
	row      int32    // the row being read, from 0; -1 before the first
	col      int      // the column after the latest cell
	cells    int      // cells of the row, and of the row before it
	cellsWas int
	inRow    bool
	inCell   bool
	inTitle  bool // a caption is read
	ended    bool // the latest cell was closed by a tag
	tagged   bool // rows of this table are closed by tags
	cell     []byte
	blank    bool // a blank stands before the cell's next text
	column   int  // of the cell
	raw      rawValue
}

// rawValue is what a spreadsheet program writes beside the text of a cell.
type rawValue struct {
	kind   byte // 'n': a number, 's': a text, 'e': the code of an error, 0: none
	text   []byte
	format format
	data   bool // it stands in attributes that other programs may use for other values
	sheet  bool // SheetJS has written it
}

// read reads the page. It returns early if the page is not UTF-8, as it was guessed. Little of the page is looked at before it is read,
// so that it is still in the processor's cache.
func (r *pageReader) read() error {
	for soon := 0; ; {
		if r.at >= soon {
			soon = r.at + passedAtOnce
			if !r.guess.holdsTo(soon) {
				return nil
			}
			if r.passed != nil {
				r.passed(r.content[r.gone:r.at])
				r.gone = r.at
			}
		}
		is := r.next()
		if is == html.ErrorToken {
			if err := r.odd.Err(); !errors.Is(err, io.EOF) {
				return ErrLarge // a tag is too long
			}
			r.partial = r.partial || len(r.raw()) > 0 || r.skipping != 0
			return r.end()
		}
		r.partial = false
		switch is {
		case html.TextToken:
			r.partial = bytes.HasSuffix(r.raw(), []byte("<"))
			r.takeText()
		case html.CommentToken:
			raw := r.raw()
			r.partial = !bytes.HasSuffix(raw, []byte(">")) || bytes.HasPrefix(raw, []byte("<!--")) && !bytes.HasSuffix(raw, []byte("->")) &&
				!bytes.HasSuffix(raw, []byte("--!>"))
			r.from1904 = r.from1904 || bytes.Contains(raw, []byte("<x:Date1904/>"))
		case html.StartTagToken:
			if err := r.start(false); err != nil {
				return err
			}
		case html.SelfClosingTagToken:
			if err := r.start(true); err != nil {
				return err
			}
		case html.EndTagToken:
			if err := r.endTag(); err != nil {
				return err
			}
		}
	}
}

// table returns the innermost open table, or nil.
func (r *pageReader) table() *pageTable {
	if len(r.open) == 0 {
		return nil
	}
	return r.open[len(r.open)-1]
}

func (r *pageReader) takeText() {
	t := r.table()
	switch {
	case r.skipping == atom.Style:
		r.readFormats(r.raw())
	case r.skipping != 0 || t == nil:
	case t.inCell:
		t.addText(r.text())
	case t.inTitle && len(t.title) <= longestTitle:
		t.title += strings.ReplaceAll(string(r.text()), "\r\n", "\n")
	}
}

// addText adds to the text of the cell. Blanks and line ends in a row are one blank.
func (t *pageTable) addText(text []byte) {
	if len(t.cell) == 0 && isSpaced(text) { // nearly every text
		t.cell = append(t.cell, text...)
		return
	}
	for len(text) > 0 {
		n := 0
		for n < len(text) && text[n] > ' ' {
			n++
		}
		if n > 0 {
			if t.blank && len(t.cell) > 0 {
				t.cell = append(t.cell, ' ')
			}
			t.cell, t.blank = append(t.cell, text[:n]...), false
		}
		for text = text[n:]; len(text) > 0 && text[0] <= ' '; text = text[1:] {
			t.blank = true
		}
	}
}

// isSpaced says that a text is not blank, and has no blanks but single ones between other characters.
func isSpaced(text []byte) bool {
	before := byte(' ')
	for _, c := range text {
		if c <= ' ' && (c < ' ' || before == ' ') {
			return false
		}
		before = c
	}
	return before != ' '
}

func (r *pageReader) start(closed bool) error {
	name := r.is
	t := r.table()
	switch name {
	case atom.Script, atom.Style, atom.Noscript, atom.Iframe, atom.Noembed, atom.Noframes:
		if !closed && r.skipping == 0 {
			r.skipping = name
		}
		return nil
	}
	if r.skipping != 0 {
		return nil
	}
	switch name {
	case atom.Table:
		return r.startTable()
	case atom.Tr:
		if t != nil {
			if err := r.startRow(t); err != nil {
				return err
			}
			return r.plainCells(t)
		}
	case atom.Td, atom.Th:
		if t != nil {
			return r.startCell(t)
		}
	case atom.Thead, atom.Tbody, atom.Tfoot:
		if t != nil {
			return r.closeRow(t)
		}
	case atom.Caption:
		if t != nil {
			t.inTitle = !t.inCell
		}
	case atom.Br, atom.P, atom.Div, atom.Li, atom.Hr, atom.Option:
		if t != nil {
			t.blank = true
		}
	}
	return nil
}

func (r *pageReader) endTag() error {
	name := r.is
	if r.skipping != 0 {
		if name == r.skipping {
			r.skipping = 0
		}
		return nil
	}
	t := r.table()
	if t == nil {
		return nil
	}
	switch name {
	case atom.Table:
		if err := r.closeRow(t); err != nil {
			return err
		}
		r.drop(t)
	case atom.Tr:
		t.tagged = true
		return r.closeRow(t)
	case atom.Thead, atom.Tbody, atom.Tfoot:
		return r.closeRow(t)
	case atom.Td, atom.Th:
		t.ended = true
		return r.closeCell(t)
	case atom.Caption:
		t.inTitle = false
	case atom.P, atom.Div, atom.Li:
		t.blank = true
	}
	return nil
}

// startTable begins a table. Outside a cell it ends the one that is open, because
// nobody closed that.
func (r *pageReader) startTable() error {
	if t := r.table(); t != nil && !t.inCell {
		if err := r.closeRow(t); err != nil {
			return err
		}
		r.drop(t)
	}
	if len(r.open) == mostNested {
		return broken("%d tables inside each other", mostNested)
	}
	t := r.spare
	if r.spare = nil; t == nil {
		t = &pageTable{}
	}
	*t = pageTable{row: -1, begin: r.at}
	r.eachAttribute(func(key, value []byte) {
		if string(key) == "id" && len(value) <= longestTitle {
			t.id = string(value)
		}
	})
	r.open = append(r.open, t)
	return nil
}

func (r *pageReader) startRow(t *pageTable) error {
	if err := r.closeRow(t); err != nil {
		return err
	}
	t.inTitle, t.inRow, t.ended, t.col = false, true, false, 0
	t.cellsWas, t.cells = t.cells, 0
	t.row++
	if t.text != nil {
		return nil
	}
	if len(r.all) == mostSheets {
		return ErrLarge
	}
	t.text = &csvText{claim: r.claim}
	r.all = append(r.all, t)
	return nil
}

func (r *pageReader) closeRow(t *pageTable) error {
	err := r.closeCell(t)
	t.inRow = false
	if !r.grown && t.text != nil && len(t.text.text) >= enoughToExpect {
		r.grown = true
		rest := len(r.content) - r.at
		t.text.most = len(t.text.text) + int(r.left)
		t.text.expect(min(rest, int(int64(len(t.text.text))*int64(rest)/int64(r.at-t.begin))))
	}
	return err
}

// startCell begins a cell in the next column that no cell above it covers.
func (r *pageReader) startCell(t *pageTable) error {
	if err := r.closeCell(t); err != nil {
		return err
	}
	if !t.inRow {
		if err := r.startRow(t); err != nil {
			return err
		}
	}
	columns, rows, raw := 1, 1, rawValue{text: t.raw.text[:0]}
	r.eachAttribute(func(key, value []byte) {
		switch string(key) {
		case "colspan":
			columns = span(value, mostColspan)
		case "rowspan":
			rows = span(value, mostRowspan)
		default:
			r.readRaw(&raw, key, value)
		}
	})
	if raw.data && !raw.sheet {
		raw = rawValue{text: raw.text}
	}
	for t.col < len(t.spans) && t.spans[t.col] > t.row {
		t.col++
		r.left-- // so that empty cells cannot take more time than text would
	}
	if r.left < 0 || t.col+columns > lastColumn {
		return ErrLarge
	}
	if rows > 1 {
		for len(t.spans) < t.col+columns {
			t.spans = append(t.spans, 0)
		}
		for i := range columns {
			t.spans[t.col+i] = t.row + int32(rows)
		}
		r.left -= int64(columns)
		if err := t.text.coverWithin(&r.left, int(t.row), t.col, rows); err != nil {
			return err
		}
	}
	t.column, t.col, t.cells = t.col, t.col+columns, t.cells+1
	t.inCell, t.ended, t.blank, t.cell, t.raw = true, false, false, t.cell[:0], raw
	if r.odd != nil {
		return nil
	}
	if text, _, n := r.plainText(t, r.window(r.at)); n > 0 {
		r.at = afterBlanks(r.content, r.at+n)
		t.cell, t.ended = append(t.cell[:0], text...), true
		if err := r.closeCell(t); err != nil {
			return err
		}
		return r.plainCells(t)
	}
	t.blank, t.cell = false, t.cell[:0]
	return nil
}

// span reads a colspan or rowspan, within what browsers take.
func span(value []byte, most int) int {
	n, err := strconv.Atoi(strings.TrimSpace(string(value[:min(len(value), 32)])))
	if err != nil || n < 1 {
		if errors.Is(err, strconv.ErrRange) {
			return most
		}
		return 1
	}
	return min(n, most)
}

func (r *pageReader) closeCell(t *pageTable) error {
	if !t.inCell {
		return nil
	}
	t.inCell = false
	cell := trimCell(t.cell)
	if t.raw.kind != 0 {
		cell = t.raw.value(cell, r.from1904)
	}
	return t.text.putWithin(&r.left, int(t.row), t.column, cell)
}

// trimCell removes blanks from both ends, also those that do not break.
func trimCell(cell []byte) []byte {
	if n := len(cell); n > 0 && isGraphic(cell[0]) && isGraphic(cell[n-1]) {
		return cell
	}
	return bytes.TrimFunc(cell, func(c rune) bool { return c <= ' ' || c == '\u00a0' || c == '\u202f' || c == '\ufeff' })
}

func isGraphic(c byte) bool { return ' ' < c && c < utf8.RuneSelf }

// end ends all tables at the end of the page. A table that nobody closed must end
// after a whole row: after one that a tag closes, or, if no row of the table has such
// a tag, after a closed cell and as many cells as the row before had.
func (r *pageReader) end() error {
	for len(r.open) > 0 {
		t := r.table()
		whole := !t.inRow || !t.tagged && !t.inCell && t.ended && t.cells == t.cellsWas
		if r.partial || !whole || len(r.open) > 1 {
			return broken("the page breaks off inside a table")
		}
		r.drop(t)
	}
	return nil
}

// drop takes a table that has ended from the open ones.
func (r *pageReader) drop(t *pageTable) {
	r.open, t.spans, t.cell = r.open[:len(r.open)-1], nil, nil
	if t.text == nil {
		r.spare = t
	}
}

// page returns the tables that have rows.
func (r *pageReader) page() (Workbook, error) {
	if len(r.all) == 0 {
		return nil, broken("no table with rows")
	}
	p, named := &openedBook{contents: contents{kind: KindHTML}}, map[string]bool{}
	for i, t := range r.all {
		name := "table " + strconv.Itoa(i+1)
		for _, own := range []string{t.id, t.title} {
			own = strings.Join(strings.Fields(own), " ")
			if own != "" && len(own) <= longestTitle && !named[strings.ToLower(own)] {
				name = own
			}
		}
		named[strings.ToLower(name)] = true
		p.names, p.texts = append(p.names, name), append(p.texts, t.text.text)
		p.merged = append(p.merged, t.text.merged)
	}
	return p, nil
}
