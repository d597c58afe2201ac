// Package sheet reads the sheets of workbooks: .xlsx, .xls (BIFF8), .ods and HTML tables,
// which couriers' panels send as .xls. It recognises a workbook by its content, never by
// its name, and makes CSV text of a sheet, so that everything after it reads one format.
package sheet

import "errors"

// Workbook is an opened workbook.
type Workbook interface {
	// Sheets returns the names of the sheets, in the order of the workbook.
	Sheets() []string
	// AppendText appends a sheet as CSV text in UTF-8: cells are separated by commas and
	// quoted where they must be, and line n of the text is row n of the sheet, so that
	// messages name the row that a spreadsheet program shows. Line ends inside cells
	// become blanks. most is how many rows are read at most; 0: all. AppendText returns
	// ErrBroken for a sheet that cannot be read to its end, and ErrLarge if the text
	// would have more bytes than Open allowed. After an error the text is incomplete
	// and must not be used.
	AppendText(dst []byte, sheet, most int) ([]byte, error)
}

// The faults of a workbook. They may be wrapped.
var (
	ErrBroken   = errors.New("the workbook is damaged")
	ErrPassword = errors.New("the workbook is protected by a password")
	ErrLarge    = errors.New("the workbook has more text than a file may have")
)
