package ports

import (
	"io"

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

// OrdersReader reads a shop's orders, wherever they come from. Each is read once.
type OrdersReader interface {
	// Size is about how many bytes there are to be read.
	Size() int64
	// Read adds every order to orders, which are of this run alone and may be Reset.
	// It returns a *domain.FileError for orders that cannot be read.
	Read(orders *domain.Orders) error
}

// RemittancesReader reads what a courier says that it collected and remitted,
// wherever that comes from. It is read once.
type RemittancesReader interface {
	// Size is about how many bytes there are to be read.
	Size() int64
	// Read adds every line to remittances and returns the mapping by which it was
	// read; none where there are no columns. It returns a *domain.FileError for a
	// report that cannot be read.
	//
	// orders waits for the run's orders, and is nil if they could not be read. It is
	// asked only where the report alone does not say how it is to be read; after nil,
	// any error will do.
	Read(orders func() *domain.Orders, remittances *domain.Remittances) (domain.Mapping, error)
}

// Storefronts knows the exports of storefronts.
type Storefronts interface {
	// Orders makes a reader of an export. The text is the reader's until it has been
	// read, which may alter it in place.
	Orders(text []byte) OrdersReader
}

// CourierInfo is what the catalogue says of a courier.
type CourierInfo struct {
	ID        string
	Name      string
	Signature []string // the contract's three column names; none for custom
}

// MappingChoice is what is known of a courier file's columns before it is read.
type MappingChoice struct {
	Columns map[domain.Role]string // demanded by the request
	Saved   *domain.Mapping        // remembered from an earlier run
}

// Recognition is how one courier reads a header.
type Recognition struct {
	Courier CourierInfo
	Mapping domain.Mapping
	Exact   bool // by the contract's own column names
}

// Couriers is the catalogue of couriers.
type Couriers interface {
	// Catalogue lists the couriers, sorted by id; custom is the last.
	Catalogue() []CourierInfo
	// Identify gives the id that a courierName means, case, blanks, - and _
	// aside, or an error with CodeField that lists the ids.
	Identify(courierName string) (id string, err error)
	// Remittances makes a reader of a courier's report. The text is the reader's
	// until it has been read, which may alter it in place.
	Remittances(text []byte, choice MappingChoice) RemittancesReader
	// Recognise says which couriers know the header of a report, best first,
	// and by which mapping it would be read, or why it would not.
	Recognise(text []byte) ([]Recognition, domain.Mapping, error)
}

// Answers writes a reconciliation as the contract's JSON object.
type Answers interface {
	// Write writes the 200 body of POST /reconcile, and with resultsOnly that
	// of GET /demo. A w that is Sized is told the length if all of it goes in
	// one piece.
	Write(w io.Writer, o *Outcome, resultsOnly bool) error
}

// Sized is a writer that has a use for how much it will be given.
type Sized interface {
	// Size says how many bytes are to come in all, before the first of them.
	Size(n int)
}
