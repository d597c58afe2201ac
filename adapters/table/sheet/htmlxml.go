package sheet

import (
	"bytes"
	"encoding/xml"
	"io"
	"strconv"
	"strings"
)

// spreadsheetNames is the namespace of the XML Spreadsheet of Excel 2003.
const spreadsheetNames = "urn:schemas-microsoft-com:office:spreadsheet"

// isSpreadsheetXML says whether a text is an XML Spreadsheet: its first kilobyte names
// the program or the namespace. Some scripts leave the XML declaration out.
func isSpreadsheetXML(text []byte) bool {
	start := bytes.TrimLeft(text[:min(len(text), 1024)], " \t\r\n")
	for _, first := range []string{"<?xml", "<?mso-application", "<Workbook"} {
		if bytes.HasPrefix(start, []byte(first)) {
			return bytes.Contains(start, []byte(`progid="Excel.Sheet"`)) || bytes.Contains(start, []byte(spreadsheetNames))
		}
	}
	return false
}

// xmlReader makes the texts of all sheets of an XML Spreadsheet in one pass.
type xmlReader struct {
	d        *xml.Decoder
	left     int64 // bytes of text that may still be made
	claim    func(bytes int) error
	book     openedBook
	formats  map[string]format // by style
	style    string            // the style that is being read
	from1904 bool

	name     string
	unseen   bool
	text     *csvText // of the sheet that is being read
	level    int      // how far inside a sheet the reader is
	row, col int      // where the next cell stands, from 0
	height   int      // rows of the row
	width    int      // columns of the cell
	format   format   // of the cell
	kind     string   // of its data
	cell     []byte
	formula  bool   // the cell has one, and no data yet
	remark   bool   // inside the comment of a cell, which has data too
	inside   string // the latest element that has begun
}

// The levels of the elements of a sheet.
const (
	outside = iota
	inSheet
	inRow
	inCell
	inData
)

// openXML opens an XML Spreadsheet, whose text is UTF-8 whatever it says.
func openXML(content []byte, l Limits) (Workbook, error) {
	for rest := content; len(rest) > 0; {
		next := bytes.IndexByte(rest[1:], '<') + 1
		if next == 0 {
			next = len(rest)
		}
		if next > longestTag { // the decoder needs many times the bytes of a tag
			return nil, ErrLarge
		}
		rest = rest[next:]
	}
	d := xml.NewDecoder(bytes.NewReader(content))
	d.CharsetReader = func(_ string, text io.Reader) (io.Reader, error) { return text, nil }
	r := &xmlReader{d: d, left: l.Text, claim: l.Claim, book: openedBook{contents: contents{kind: KindXML}}, formats: map[string]format{}}
	for ended := false; !ended; {
		token, err := d.RawToken()
		if err != nil {
			return nil, broken("the XML breaks off: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			err = r.start(token.Name.Local, token.Attr)
		case xml.EndElement:
			ended = token.Name.Local == "Workbook"
			err = r.end(token.Name.Local)
		case xml.CharData:
			switch {
			case r.level == inData:
				r.cell = append(r.cell, token...)
			case r.inside == "Visible":
				r.unseen = r.unseen || strings.HasPrefix(string(bytes.TrimSpace(token)), "Sheet")
			}
		}
		if err != nil {
			return nil, err
		}
	}
	if len(r.book.names) == 0 || r.level != outside {
		return nil, broken("a workbook without sheets")
	}
	return &r.book, nil
}

func attributeOf(all []xml.Attr, name string) string {
	for _, a := range all {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (r *xmlReader) start(name string, all []xml.Attr) error {
	r.inside = name
	switch name {
	case "Style":
		r.style = attributeOf(all, "ID")
		r.formats[r.style] = r.formats[attributeOf(all, "Parent")]
	case "NumberFormat":
		r.formats[r.style] = pageFormat(attributeOf(all, "Format"))
	case "Date1904":
		r.from1904 = true
	case "Comment":
		r.remark = true
	case "Worksheet":
		if len(r.book.names) == mostSheets {
			return ErrLarge
		}
		r.name, r.unseen = attributeOf(all, "Name"), false
		r.text, r.row, r.col = &csvText{claim: r.claim}, 0, 0
		return r.enter(inSheet)
	case "Row":
		r.col, r.height = 0, 1+countOf(all, "Span")
		if err := r.place(&r.row, attributeOf(all, "Index")); err != nil {
			return err
		}
		return r.enter(inRow)
	case "Cell":
		r.format, r.width = r.formats[attributeOf(all, "StyleID")], 1+countOf(all, "MergeAcross")
		r.formula = attributeOf(all, "Formula") != ""
		if err := r.place(&r.col, attributeOf(all, "Index")); err != nil {
			return err
		}
		if r.col >= lastColumn || r.row >= lastRow {
			return broken("a cell in row %d, column %d", r.row+1, r.col+1)
		}
		if err := r.enter(inCell); err != nil {
			return err // it may be of no sheet
		}
		return r.text.coverWithin(&r.left, r.row, r.col, 1+countOf(all, "MergeDown"))
	case "Data":
		if r.remark {
			return nil
		}
		r.kind, r.cell, r.formula = attributeOf(all, "Type"), r.cell[:0], false
		return r.enter(inData)
	}
	return nil
}

// enter goes one level deeper. An element that begins elsewhere is one that has lost its
// end, or its begin.
func (r *xmlReader) enter(level int) error {
	if r.level++; r.level != level {
		return broken("an element <%s> stands where none may", r.inside)
	}
	return nil
}

func (r *xmlReader) leave(level int, name string) error {
	if r.level--; r.level != level-1 {
		return broken("an element </%s> stands where none may", name)
	}
	return nil
}

// countOf reads an attribute that says how many rows or columns more there are.
func countOf(all []xml.Attr, name string) int {
	n, _ := strconv.ParseUint(attributeOf(all, name), 10, 20)
	return int(n)
}

// place moves to the row or column that an index names, which is not before the next.
func (r *xmlReader) place(next *int, index string) error {
	if index == "" {
		return nil
	}
	n, err := strconv.ParseInt(index, 10, 32)
	if err != nil || int(n) <= *next {
		return broken("a row or a cell %q", index)
	}
	*next = int(n) - 1
	return nil
}

func (r *xmlReader) end(name string) error {
	r.inside = ""
	switch name {
	case "Comment":
		r.remark = false
	case "Worksheet":
		if err := r.leave(inSheet, name); err != nil {
			return err
		}
		r.book.names, r.book.texts = append(r.book.names, r.name), append(r.book.texts, r.text.text)
		r.book.hidden, r.book.merged = append(r.book.hidden, r.unseen), append(r.book.merged, r.text.merged)
	case "Row":
		r.row += r.height
		return r.leave(inRow, name)
	case "Cell":
		if r.formula {
			r.kind, r.cell = "Error", append(r.cell[:0], notComputed...)
			if err := r.write(); err != nil {
				return err
			}
		}
		r.col += r.width
		return r.leave(inCell, name)
	case "Data":
		if r.remark {
			return nil
		}
		if err := r.leave(inData, name); err != nil {
			return err
		}
		return r.write()
	}
	return nil
}

// write writes the cell whose data have ended.
func (r *xmlReader) write() error {
	if r.row < r.text.row || r.row == r.text.row && r.col < r.text.cells {
		return broken("two cells in one place")
	}
	cell := r.cell
	switch r.kind {
	case "Number":
		if v, ok := readNumber(bytes.TrimSpace(cell)); ok {
			cell = appendFormatted(nil, v, r.format, r.from1904)
		}
	case "DateTime":
		cell = appendISODate(nil, bytes.TrimSpace(cell))
	case "Boolean":
		if len(cell) > 0 {
			cell = appendTruthOrError(nil, cell[0]-'0', false)
		}
	}
	return r.text.putWithin(&r.left, r.row, r.col, cell)
}
