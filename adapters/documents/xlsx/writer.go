// Package xlsx writes workbooks row by row. It holds no more than one part of a sheet in
// memory and writes no temporary files, for a sheet may have a million rows.
package xlsx

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"milaan/domain"
)

// Kind says what a cell has, and how it is shown.
type Kind uint8

// The kinds of cells.
const (
	Blank    Kind = iota
	Text          // never a formula, a number or a date, whatever it looks like
	ID            // a text such as an AWB, which may look like a number
	Sentence      // a text over all columns of the sheet, on as many lines as it needs
	Title
	Heading
	Count  // a whole number
	Amount // paise, shown as rupees
	Day
	headingOfNumbers // aligned as the numbers below it
	prose            // a text in a wide column, on as many lines as it needs
	amountUpTo       // an Amount that is the most that it may be, and is shown so
	kindCount
)

// Cell is one cell of a row.
type Cell struct {
	Kind   Kind
	Text   []byte
	Number int64 // of Count; paise of Amount; days since 1970-01-01 of Day
}

// TextCell is a cell with a text; blank if there is none.
func TextCell[T ~string | ~[]byte](text T) Cell {
	if len(text) == 0 {
		return Cell{}
	}
	return Cell{Kind: Text, Text: []byte(text)}
}

// IDCell is a cell with an id; blank if there is none.
func IDCell(id []byte) Cell {
	if len(id) == 0 {
		return Cell{}
	}
	return Cell{Kind: ID, Text: id}
}

// CountCell is a cell with a whole number.
func CountCell(n int) Cell { return Cell{Kind: Count, Number: int64(n)} }

// AmountCell is a cell with an amount.
func AmountCell(p domain.Paise) Cell { return Cell{Kind: Amount, Number: int64(p)} }

// AmountUpTo is a cell with an amount. If atMost is set, it may be less, and the cell says so.
func AmountUpTo(p domain.Paise, atMost bool) Cell {
	if atMost {
		return Cell{Kind: amountUpTo, Number: int64(p)}
	}
	return AmountCell(p)
}

// DayCell is a cell with a date; blank for NoDay.
func DayCell(d domain.Day) Cell {
	if d == domain.NoDay {
		return Cell{}
	}
	return Cell{Kind: Day, Number: int64(d)}
}

// The limits of Excel.
const (
	MaxRows     = 1 << 20
	mostText    = 32_767 // UTF-16 units of a cell
	epoch       = 25_569 // the serial number of 1970-01-01
	wide        = 40     // characters of a column
	lineHeight  = 15     // points
	flushAt     = 256 << 10
	compression = flate.BestSpeed // level 6 takes three times as long for a tenth less
)

// Writer writes one workbook. After an error it must not be used.
type Writer struct {
	zip    *zip.Writer
	made   time.Time
	sheets []string
	hidden []string // the names of sheets that are not shown
	filter []string // by sheet: the range that can be filtered; blank: none

	part     io.Writer // the sheet that is being written; nil: none
	b        []byte
	row      int
	width    int
	widths   []int // of the columns
	merged   []string
	headings []int // by column: where in b the style of the heading stands that no number has stood below yet; 0: nowhere
}

// New begins a workbook. made is the time that its parts bear.
func New(w io.Writer, made time.Time) *Writer {
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, compression) })
	return &Writer{zip: z, made: made}
}

// Sheet begins a sheet and ends the one before. widths are those of its columns, in
// characters. name is of at most 31 letters, digits and blanks. If header is given, it is the first row, stays in sight, and can be
// filtered by.
func (w *Writer) Sheet(name string, widths []int, header ...string) error {
	if err := w.endSheet(); err != nil {
		return err
	}
	w.sheets, w.filter = append(w.sheets, name), append(w.filter, "")
	part, err := w.create("xl/worksheets/sheet" + strconv.Itoa(len(w.sheets)) + ".xml")
	if err != nil {
		return err
	}
	w.part, w.row, w.width = part, 0, len(header)
	w.widths, w.merged = widths, nil
	w.b = append(w.b[:0], xmlHead+`<worksheet xmlns="`+mainSpace+`"><sheetPr><pageSetUpPr fitToPage="1"/></sheetPr><sheetViews><sheetView workbookViewId="0"`...)
	if len(header) > 0 {
		w.b = append(w.b, `><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView>`...)
	} else {
		w.b = append(w.b, ` showGridLines="0"/>`...)
	}
	w.b = append(w.b, `</sheetViews><sheetFormatPr defaultRowHeight="15"/><cols>`...)
	for i, width := range widths {
		n := strconv.Itoa(i + 1)
		w.b = append(w.b, `<col min="`+n+`" max="`+n+`" width="`+strconv.Itoa(width)+`" customWidth="1"/>`...)
	}
	w.b = append(w.b, `</cols><sheetData>`...)
	if len(header) == 0 {
		return nil
	}
	cells := make([]Cell, len(header))
	for i, h := range header {
		cells[i] = Cell{Kind: Heading, Text: []byte(h)}
	}
	return w.Row(cells...)
}

// Hidden begins a sheet that programs do not show.
func (w *Writer) Hidden(name string, widths []int, header ...string) error {
	w.hidden = append(w.hidden, name)
	return w.Sheet(name, widths, header...)
}

// Row writes the next row of the sheet. Headings are aligned as what stands below them.
func (w *Writer) Row(cells ...Cell) error {
	w.row++
	if len(cells) > 0 && cells[0].Kind == Heading {
		w.headings = w.headings[:0]
	}
	b := strconv.AppendInt(append(w.b, `<row r="`...), int64(w.row), 10)
	if lines := w.lines(cells); lines > 1 {
		// Excel makes a row as high as its texts; other programs do not.
		b = strconv.AppendInt(append(b, `" customHeight="1" ht="`...), int64(lines*lineHeight), 10)
	}
	b = append(b, `">`...)
	if len(cells) > 0 && cells[0].Kind == Sentence && len(w.widths) > 0 {
		at := strconv.Itoa(w.row)
		w.merged = append(w.merged, "A"+at+":"+string(appendColumn(nil, len(w.widths)-1))+at)
	}
	for i := range cells {
		c := &cells[i]
		if c.Kind == Blank {
			continue
		}
		b = append(appendColumn(append(b, `<c r="`...), i), strconv.Itoa(w.row)...)
		style := c.Kind
		if style == Text && i < len(w.widths) && w.widths[i] >= wide {
			style = prose
		}
		b = strconv.AppendInt(append(b, `" s="`...), int64(style), 10)
		switch c.Kind {
		case Count, Amount, amountUpTo, Day:
			if i < len(w.headings) && w.headings[i] > 0 {
				b[w.headings[i]] = '0' + byte(headingOfNumbers)
				w.headings[i] = 0
			}
		case Heading:
			w.headings = append(w.headings, len(b)-1)
		}
		switch c.Kind {
		case Count:
			b = append(strconv.AppendInt(append(b, `"><v>`...), c.Number, 10), `</v></c>`...)
		case Amount, amountUpTo:
			b = append(domain.Paise(c.Number).AppendRupees(append(b, `"><v>`...)), `</v></c>`...)
		case Day:
			b = append(strconv.AppendInt(append(b, `"><v>`...), c.Number+epoch, 10), `</v></c>`...)
		default:
			b = append(appendText(append(b, `" t="inlineStr"><is><t xml:space="preserve">`...), c.Text), `</t></is></c>`...)
		}
	}
	w.b = append(b, `</row>`...)
	if len(w.b) < flushAt {
		return nil
	}
	return w.flush()
}

// lines estimates how many lines the texts of a row need.
func (w *Writer) lines(cells []Cell) int {
	most := 1
	for i := range min(len(cells), len(w.widths)) {
		c, width := &cells[i], w.widths[i]
		switch {
		case c.Kind == Title:
			most = 2
		case c.Kind == Sentence:
			for _, w := range w.widths[1:] {
				width += w
			}
		case c.Kind == Heading && len(c.Text) >= width:
			most = max(most, 2)
			continue
		case c.Kind != Text || width < wide:
			continue
		}
		if len(c.Text) > width {
			most = max(most, linesOf(c.Text, width))
		}
	}
	return most
}

// linesOf estimates how many lines a text needs in so many characters: words end lines early,
// and most letters are narrower than the digits by which a width is counted.
func linesOf(text []byte, width int) int { return 1 + (utf8.RuneCount(text)-1)/width }

func (w *Writer) flush() error {
	_, err := w.part.Write(w.b)
	w.b, w.headings = w.b[:0], w.headings[:0]
	return err
}

func (w *Writer) endSheet() error {
	if w.part == nil {
		return nil
	}
	w.b = append(w.b, `</sheetData>`...)
	if w.width > 0 {
		last := string(appendColumn(nil, w.width-1))
		w.b = append(w.b, `<autoFilter ref="A1:`+last+strconv.Itoa(w.row)+`"/>`...)
		w.filter[len(w.filter)-1] = "$A$1:$" + last + "$" + strconv.Itoa(w.row)
	}
	if len(w.merged) > 0 {
		w.b = append(w.b, `<mergeCells><mergeCell ref="`+strings.Join(w.merged, `"/><mergeCell ref="`)+`"/></mergeCells>`...)
	}
	w.b = append(w.b, `<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/>`+
		`<pageSetup paperSize="9" orientation="landscape" fitToHeight="0"/>`+
		`<headerFooter><oddFooter>&amp;L&amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter></worksheet>`...)
	err := w.flush()
	w.part = nil
	return err
}

// Close ends the workbook. It does not close what it is written to.
func (w *Writer) Close() error {
	if err := w.endSheet(); err != nil {
		return err
	}
	var types, sheets, relations, names strings.Builder
	for i, name := range w.sheets {
		n := strconv.Itoa(i + 1)
		types.WriteString(`<Override PartName="/xl/worksheets/sheet` + n +
			`.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`)
		state := ""
		if slices.Contains(w.hidden, name) {
			state = `" state="hidden`
		}
		sheets.WriteString(`<sheet name="` + name + `" sheetId="` + n + state + `" r:id="rId` + n + `"/>`)
		relations.WriteString(`<Relationship Id="rId` + n + `" Type="` + relationSpace + `/worksheet" Target="worksheets/sheet` + n + `.xml"/>`)
		if w.filter[i] != "" {
			for _, n := range [][2]string{{`_FilterDatabase" hidden="1`, w.filter[i]}, {`Print_Area`, w.filter[i]}, {`Print_Titles`, `$1:$1`}} {
				names.WriteString(`<definedName localSheetId="` + strconv.Itoa(i) + `" name="_xlnm.` + n[0] + `">'` + name + `'!` + n[1] + `</definedName>`)
			}
		}
	}
	defined := ""
	if names.Len() > 0 {
		defined = `<definedNames>` + names.String() + `</definedNames>`
	}
	for _, part := range [][2]string{
		{"[Content_Types].xml",
			`<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
				`<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
				`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>` +
				types.String() + `</Types>`},
		{"_rels/.rels", `<Relationships xmlns="` + packageSpace + `"><Relationship Id="rId1" Type="` + relationSpace +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="` + mainSpace + `" xmlns:r="` + relationSpace + `"><sheets>` + sheets.String() + `</sheets>` +
			defined + `</workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="` + packageSpace + `">` + relations.String() +
			`<Relationship Id="rId` + strconv.Itoa(len(w.sheets)+1) + `" Type="` + relationSpace + `/styles" Target="styles.xml"/></Relationships>`},
		{"xl/styles.xml", styles()},
	} {
		out, err := w.create(part[0])
		if err == nil {
			_, err = io.WriteString(out, xmlHead+part[1])
		}
		if err != nil {
			return err
		}
	}
	return w.zip.Close()
}

func (w *Writer) create(name string) (io.Writer, error) {
	return w.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Deflate, Modified: w.made})
}

const (
	xmlHead       = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` + "\n"
	mainSpace     = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
	relationSpace = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	packageSpace  = "http://schemas.openxmlformats.org/package/2006/relationships"
)

// styles returns the part with a style for each kind of cell. Rupees are grouped as in
// India; of negative ones Excel can group only the last three digits.
func styles() string {
	const rupees = `[&gt;=10000000]&quot;₹&quot;##\,##\,##\,##0.00;[&gt;=100000]&quot;₹&quot;##\,##\,##0.00;&quot;₹&quot;##,##0.00`
	upTo := strings.ReplaceAll(rupees, `&quot;₹`, `&quot;up to ₹`)
	const text, number, rupee, day, upToRupee = 49, 3, 164, 165, 166
	format := func(number, font, fill int, alignment string) string {
		quoted := ""
		if number == text {
			quoted = ` quotePrefix="1"`
		}
		return fmt.Sprintf(`<xf numFmtId="%d" fontId="%d" fillId="%d" borderId="0" xfId="0"%s applyNumberFormat="1" applyFont="1" applyFill="1" `+
			`applyAlignment="1"><alignment vertical="top"%s/></xf>`, number, font, fill, quoted, alignment)
	}
	// What stands beside the figures of the column before is kept off them.
	const apart, wrapped = ` horizontal="left" indent="1"`, ` wrapText="1"`
	formats := [kindCount]string{
		Blank: `<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>`, Text: format(text, 0, 0, apart), ID: format(text, 0, 0, apart),
		Sentence: format(text, 0, 0, apart+wrapped), Title: format(text, 2, 0, apart), Heading: format(text, 1, 2, apart+wrapped),
		Count: format(number, 0, 0, ""), Amount: format(rupee, 0, 0, ""), Day: format(day, 0, 0, ""),
		headingOfNumbers: format(text, 1, 2, ` horizontal="right"`+wrapped), prose: format(text, 0, 0, apart+wrapped),
		amountUpTo: format(upToRupee, 0, 0, ""),
	}
	const font = `<sz val="11"/><name val="Calibri"/><family val="2"/>`
	return `<styleSheet xmlns="` + mainSpace + `"><numFmts count="3"><numFmt numFmtId="164" formatCode="` + rupees +
		`"/><numFmt numFmtId="165" formatCode="d\ mmm\ yyyy"/><numFmt numFmtId="166" formatCode="` + upTo + `"/></numFmts>` +
		`<fonts count="3"><font>` + font + `</font><font><b/>` + font +
		`</font><font><b/><sz val="16"/><name val="Calibri"/><family val="2"/></font></fonts>` +
		`<fills count="3"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>` +
		`<fill><patternFill patternType="solid"><fgColor rgb="FFE7E6E6"/><bgColor indexed="64"/></patternFill></fill></fills>` +
		`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
		`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
		`<cellXfs count="` + strconv.Itoa(int(kindCount)) + `">` + strings.Join(formats[:], "") + `</cellXfs>` +
		`<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`
}

// appendColumn appends the letters of a column, from 0.
func appendColumn(b []byte, column int) []byte {
	if column >= 26 {
		b = appendColumn(b, column/26-1)
	}
	return append(b, byte('A'+column%26))
}

// appendText appends a text as XML. Characters that XML cannot have become U+FFFD. A
// text is cut where a cell of Excel is full.
func appendText(b, text []byte) []byte {
	if len(text) > mostText {
		text = cut(text)
	}
	if clean(text) {
		return append(b, text...)
	}
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		switch {
		case r == '&':
			b = append(b, "&amp;"...)
		case r == '<':
			b = append(b, "&lt;"...)
		case r == '>':
			b = append(b, "&gt;"...)
		case r == '"':
			b = append(b, "&quot;"...)
		case r == '_' && isEscape(text):
			b = append(b, "_x005F_"...) // or Excel would take what follows for an escape
		case r == '\t' || r == '\n':
			b = append(b, byte(r))
		case r < ' ' || r == 0xfffe || r == 0xffff || r == utf8.RuneError:
			b = append(b, "\ufffd"...)
		default:
			b = append(b, text[:n]...)
		}
		text = text[n:]
	}
	return b
}

// clean says whether a text is ASCII that XML has as it is.
func clean(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c >= utf8.RuneSelf || c == '&' || c == '<' || c == '>' || c == '"' || c == '_' {
			return false
		}
	}
	return true
}

// isEscape says whether a text begins like _x0041_, which Excel reads as a character.
func isEscape(text []byte) bool {
	if len(text) < 7 || text[1] != 'x' && text[1] != 'X' || text[6] != '_' {
		return false
	}
	return len(bytes.Trim(text[2:6], "0123456789abcdefABCDEF")) == 0
}

// cut cuts a text to what a cell may have, and says so by an ellipsis.
func cut(text []byte) []byte {
	units := 0
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRune(text[i:])
		if units++; r > 0xffff {
			units++
		}
		if units >= mostText {
			return append(bytes.Clone(text[:i]), "…"...)
		}
		i += n
	}
	return text
}
