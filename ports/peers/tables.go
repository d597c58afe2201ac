package peers

import (
	"errors"

	"milaan/domain"
	"milaan/ports"
)

// Tables reads CSV text of any dialect, and workbooks.
type Tables interface {
	// Open finds the dialect and the header row: the first of the first 100 lines that
	// recognise accepts. recognise gets the cells of a line and returns whether they are
	// the header; if it returns an error, the search stops and Open returns it. Cells
	// may be trimmed of surrounding blanks. A cell that is longer than
	// domain.MaxColumnName may be shortened, but stays longer than that. recognise must
	// not keep the slice of cells of a line that it does not accept. It is called neither
	// for a line of thousands of cells nor for one in which fewer than two are filled.
	//
	// Open returns a *domain.FileError for text that is no CSV (a workbook, a PDF, a web
	// page), if the header is further down, or if the line that looks most like a header
	// has too many cells. If no line is accepted, it calls missing with the line that
	// looks most like a header, and returns the error of missing.
	//
	// If content may be a workbook and is one, by its bytes and not by its name, Open
	// reads the only sheet that has a header: among those that content names, if the
	// workbook has any of them, or else among those that a spreadsheet program shows, else
	// among the hidden ones. Lines are the rows of the sheet. Errors name the sheet if
	// there are several. If several have a header, or if the workbook is damaged,
	// protected by a password or too large, Open returns a *domain.FileError.
	//
	// The table's cells are slices of the content or of the table's own memory. They may
	// be used until Close, and the content must not change until then.
	Open(file domain.File, content ports.Content, recognise func(cells [][]byte) (bool, error),
		missing func(line int, cells [][]byte) error) (Table, error)
	// Sheets returns the sheets of a workbook that content names and that have a header,
	// if they are several: each is a file of its own. Otherwise it returns nil.
	Sheets(content ports.Content, recognise func(cells [][]byte) (bool, error)) []string
}

// Table is an opened file whose header is known.
type Table interface {
	// Header returns the cells of the header.
	Header() [][]byte
	// Rows reads the records below the header. Its Next returns the cells of the given
	// columns, in their order, and nothing for a column of -1. Rows may be called again to read from the first record, and several
	// may be read at the same time.
	Rows(columns []int) Rows
	// Lines estimates how many lines are below the header, in order to allocate memory.
	// It is more often too high than too low, and at most what a file may have.
	Lines() int
	// Cells returns all cells of a record of Rows, trimmed and without wrappers; none for
	// a record of thousands of cells. They may be used until the next call. It parses the
	// record once more, so it is meant for unusual records only.
	Cells(record []byte) [][]byte
	// Close frees the table's memory for other tables.
	Close()
}

// Selecting is a Table that can pass over records by one cell, which takes less time than to read them.
type Selecting interface {
	// RowsBut is Rows without the records of which passOver says so by their cell of columns[0]. They count, and
	// some may come all the same.
	RowsBut(columns []int, passOver func(cell []byte) bool) Rows
}

// Merging is a Table of which cells may cover several rows. Rows has each on the first of them.
type Merging interface {
	// SpreadMerged makes later Rows have such a cell of one of these columns on all its rows. A column of -1 is none.
	SpreadMerged(columns ...int)
}

// Sheeted is a Table that may be a sheet of a workbook.
type Sheeted interface {
	// Sheet returns the name of the sheet if the workbook has several; else nothing.
	Sheet() string
	// Text returns the whole sheet as CSV in UTF-8, as SpreadMerged has its cells; nil if the table is no sheet. Its error is that of
	// a row that Rows has not.
	Text() ([]byte, error)
}

// NameSheet makes a *domain.FileError about a table name the table's sheet, unless it
// names one. It returns err.
func NameSheet(t Table, err error) error {
	fault, is := errors.AsType[*domain.FileError](err)
	if s, sheeted := t.(Sheeted); is && sheeted && fault.Sheet == "" {
		fault.Sheet = s.Sheet()
	}
	return err
}

// Rows reads the records of a table one after the other. Blank records (only blanks and
// separators such as ----) are skipped and not counted.
type Rows interface {
	// Next puts the cells of the next record into cells, trimmed of surrounding blanks.
	// cells must be the same slice in each call. A cell beyond the record's end is
	// empty. Next returns false at the end and at an error.
	Next(cells [][]byte) bool
	// Line returns the physical line, from 1, on which the current record begins. It
	// counts from the line that it returned last.
	Line() int
	// Record returns the current record as it is in the text: the record of the last
	// Next, or the record with cells beyond the header if that was the error.
	Record() []byte
	// Count returns how many records Next has returned.
	Count() int
	// Err returns the *domain.FileError at which Next stopped, if any: broken quoting, a
	// record with cells beyond the header, too many records.
	Err() error
}
