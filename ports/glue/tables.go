package glue

import (
	"milaan/domain"
)

// Tables reads CSV text, whatever its dialect.
type Tables interface {
	// Open finds the dialect and the header row: the first of the first 100
	// lines that recognise accepts. recognise is given the cells of a line and
	// answers whether they are the header; an error of its stops the search
	// and is returned. Cells may be trimmed of surrounding blanks; of one that is
	// longer than domain.MaxColumnName some may be left out, but it still is. A
	// line of thousands of cells is never asked about.
	//
	// Open returns a *domain.FileError for text that is no CSV (a workbook, a
	// PDF, a web page), where the header stands further down, or where the line that looks most like a header has too
	// many cells for one, and missing's error if no line was accepted; missing is
	// given the line that looks most like a header.
	//
	// The table's cells are slices of text or of memory of its own: they are
	// good until Close, and the text must stay as it is until then.
	Open(file domain.File, text []byte, recognise func(cells [][]byte) (bool, error), missing func(line int, cells [][]byte) error) (Table, error)
}

// Table is an opened file whose header is known.
type Table interface {
	// Header is the header's cells.
	Header() [][]byte
	// Rows reads the records below the header. Next fills cells with those of
	// the columns asked for, in their order. Rows may be called again to read
	// from the top.
	Rows(columns []int) Rows
	// Lines is about how many lines stand below the header, rather too many than
	// too few, and no more than a file may have: a hint how much memory to make
	// ready.
	Lines() int
	// Cells are all cells of a record of Rows, trimmed and without wrappers; none for
	// one of thousands of cells. They are good until the next call, which is for odd
	// records: it takes the record apart once more.
	Cells(record []byte) [][]byte
	// Close gives the table's memory back.
	Close()
}

// Rows goes through the records of a table. Blank records (nothing but blanks
// and separators such as ----) are passed over and not counted.
type Rows interface {
	// Next puts the next record's cells into cells, which must be the same slice
	// each time, trimmed of surrounding blanks; a cell beyond the record's end is
	// empty. It is false at the end and at an error.
	Next(cells [][]byte) bool
	// Line is the physical line, from 1, on which the current record begins. It
	// counts on from the line that it gave last.
	Line() int
	// Record is the current record as it stands in the text: that of the last
	// Next, or the one that has cells beyond the header if that ended the rows.
	Record() []byte
	// Count is how many records Next has returned.
	Count() int
	// Err is the *domain.FileError that ended the rows, if one did: broken
	// quoting, a record with cells beyond the header, too many records.
	Err() error
}
