// Package sheet reads the sheets of workbooks: .xlsx, .xls (BIFF8), .ods and HTML tables,
// which couriers' panels send as .xls. It recognises a workbook by its content, never by
// its name, and makes CSV text of a sheet, so that everything after it reads one format.
//
//	sheet.go    what a workbook offers, and which kind a file is
//	xlsx.go     Office Open XML: the parts of a workbook
//	xlsx_sheet.go  its sheets, cell by cell
//	ods.go      OpenDocument
//	xls.go      Excel 97 to 2003 (BIFF8): its container in xlsfile.go, its cells in xlscells.go, its texts in xlstext.go
//	html.go     tables of pages: their cells in htmlcells.go, their values in htmlvalues.go, their characters in htmlcharset.go
//	htmlxml.go  the XML Spreadsheet of Excel 2003
//	archive.go  the zip files that both are, within limits
//	markup.go   XML, read as it is inflated
//	number.go   numbers, dates and times as text
//	text.go     the CSV text of cells
//	plain.go    texts that stand in cells of CSV as they are
//
// Everything is read as it stands in the file: hidden rows and columns like others, so
// that a filter loses no money, and the cells that a merged one covers, which mostly are
// empty. Which rows one covers is told beside the text.
// Nothing is written to disk.
package sheet

import (
	"errors"
	"math"
	"sync/atomic"
)

// Workbook is an opened workbook. It is for one goroutine at a time.
type Workbook interface {
	Kind() Kind
	// Sheets returns the names of the sheets, in the order of the workbook.
	Sheets() []string
	// Hidden says whether a spreadsheet program does not show a sheet, by its place in Sheets.
	Hidden(sheet int) bool
	// AppendText appends a sheet as CSV text in UTF-8: cells are separated by commas and
	// quoted where they must be, many empty ones are a Gap, and line n of the text is row n of the sheet, so that
	// messages name the row that a spreadsheet program shows. Line ends inside cells
	// become blanks. most is how many rows are read at most; 0: all. AppendText returns
	// ErrBroken for a sheet that cannot be read to its end, and ErrLarge if the text
	// would have more bytes than Open allowed. After an error the text is incomplete
	// and must not be used.
	AppendText(dst []byte, sheet, most int) ([]byte, error)
	// Merged returns the cells that cover further rows, in any order, of a sheet that AppendText has just read whole.
	Merged(sheet int) []Merged
}

// Merged is a cell that covers the rows from the first, which has its value, to the last. Rows count from 1, as the
// lines of the text, and columns from 0.
type Merged struct{ Column, First, Last int32 }

// contents are what a workbook has in it.
type contents struct {
	kind   Kind
	names  []string
	hidden []bool // nil: none is
}

func (c *contents) Kind() Kind { return c.kind }

func (c *contents) Sheets() []string { return c.names }

func (c *contents) Hidden(sheet int) bool { return c.hidden != nil && c.hidden[sheet] }

// openedBook is a Workbook all of whose sheets are read when it is opened.
type openedBook struct {
	contents
	texts  [][]byte
	merged [][]Merged
}

func (b *openedBook) AppendText(dst []byte, sheet, most int) ([]byte, error) {
	return appendTexts(dst, b.texts[sheet], most), nil
}

func (b *openedBook) Merged(sheet int) []Merged { return b.merged[sheet] }

// The faults of a workbook. They may be wrapped.
var (
	ErrBroken   = errors.New("the workbook is damaged")
	ErrPassword = errors.New("the workbook is protected by a password")
	ErrLarge    = errors.New("the workbook has more text than a file may have")
)

var kinds = []struct {
	begins func(content []byte) bool
	open   func(content []byte, l Limits) (Workbook, error)
}{
	{isZip, openZip},
	{isXLS, openXLS},
	{isHTML, openHTML},
}

// Kind is the kind of a workbook.
type Kind uint8

// The kinds of workbooks.
const (
	KindXLSX Kind = iota + 1
	KindXLS
	KindODS
	KindHTML
	KindXML // XML Spreadsheet of Excel 2003
)

// errOther says that a file has the container of a workbook and something else in it.
var errOther = errors.New("no workbook")

// Limits are what a workbook may take.
type Limits struct {
	Text int64 // bytes that its text may have, the sheet names and the texts of all sheets in it counted
	// Elements counts the elements of all workbooks that have this counter, while they are
	// read. Together they may have as many as one alone; nil: this one is alone.
	Elements *atomic.Int64
	// Inflated counts the bytes that all readings of the files that have this counter have inflated. Together they may inflate
	// twice what one file of Files bytes may; nil: this reading is alone.
	Inflated *atomic.Int64
	Files    int64
	// Again is a workbook that was opened of the same content before, and of which nobody reads a sheet any more. What was
	// made of it is not made again; nil: there is none.
	Again Workbook
	// Claim is called before the given number of further bytes of text are kept. Its error ends the reading.
	Claim func(bytes int) error
	// Passed is called with parts of the content, or of a copy of it, that have been read and have not been altered; nil: nobody
	// asks. They are hardly read again.
	Passed func(part []byte)
}

// passedAtOnce is how many bytes are read before they are passed.
const passedAtOnce = 256 << 10

// Open opens a workbook. It returns false for a file that is no workbook, or one of a kind
// that we do not read. Otherwise it returns the workbook, or ErrBroken, ErrPassword or
// ErrLarge. The content must not change while the workbook is in use.
func Open(content []byte, l Limits) (Workbook, bool, error) {
	l.Text = min(l.Text, math.MaxInt32) // places in texts are kept in 32 bits
	if l.Claim == nil {
		l.Claim = func(int) error { return nil }
	}
	if opened, is := l.Again.(*openedBook); is {
		return opened, true, nil
	}
	for _, k := range kinds {
		if !k.begins(content) {
			continue
		}
		book, err := k.open(content, l)
		if errors.Is(err, errOther) {
			return nil, false, nil
		}
		return book, true, err
	}
	return nil, false, nil
}
