package ports

import (
	"io"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"sync"
	"sync/atomic"
)

// OrdersReader reads a shop's orders, wherever they come from. Read is called once.
type OrdersReader interface {
	// Size is about how many bytes there are to be read.
	Size() int64
	// Read adds every order to orders, which belong to this run and may be Reset. It
	// returns a *domain.FileError for orders that cannot be read.
	Read(orders *verdict.Orders) error
}

// RemittancesReader reads a courier's remittances, wherever they come from. Read is called
// once.
type RemittancesReader interface {
	// Size is about how many bytes there are to be read.
	Size() int64
	// Read adds every line to remittances. It returns the mapping by which they were
	// read, which is empty if the source has no columns, and a *domain.FileError for a
	// report that cannot be read.
	//
	// orders waits for the run's orders and returns nil if they cannot be read. Read
	// calls it only if the report alone does not show how it must be read. After nil,
	// Read may return any error.
	Read(orders func() *verdict.Orders, remittances *verdict.Remittances) (domain.Mapping, error)
	// Text returns a report that is a sheet of a workbook as CSV, with what Read has of a merged cell on each of its lines; nil if it is
	// none, or cannot be read. Its error is that of a merged cell that cannot hold for its lines.
	Text() ([]byte, error)
}

// Content is the content of a file, as it was received.
type Content struct {
	// Taken counts what all workbooks of the run take, which are held to the limits of one;
	// nil: this one alone is.
	Taken    *Taken
	Bytes    []byte
	MaxRows  int   // records below the header that are read; 0: as many as the reader takes
	Seen     *Seen // is filled by readers, also of a file that cannot be read; nil: it is not needed
	Workbook bool  // the file may be a workbook; false: it is text
	// Sheets are the sheets that are to be read, by name; AllSheets: all of them. Of a
	// workbook that has none of them, the sheet with a header is read.
	Sheets []string
}

// AllSheets stands for every sheet that has a header. No sheet has that name.
const AllSheets = "*"

// Taken is what workbooks have taken so far. Several may be read at the same time.
type Taken struct {
	Most     int64        // bytes that their texts may have together; 0: as many as the files of the API
	Text     atomic.Int64 // bytes of their texts
	Elements atomic.Int64 // elements of their XML, of which blank cells have some too
	// Files are the bytes of all files of the run. What is unpacked of its workbooks, also by those that are read twice, is held to
	// a multiple of them and counted in Unpacked; 0: each reading is alone.
	Files    int64
	Unpacked atomic.Int64
	// Opened is for who reads workbooks: the one that was opened last, if several of its sheets are read, or if Again says that each
	// file may be read again as one of another kind.
	Opened atomic.Pointer[OpenedWorkbook]
	Again  bool
	// Sheets has those of Content.Sheets that some workbook has.
	Sheets sync.Map
	// Large is held while a workbook is read that takes much memory, so that no two of a run are at the same time.
	Large sync.Mutex
	// Claim is called before the given number of further bytes of memory are taken for what they expand to. Its
	// error ends the reading. nil: nobody counts.
	Claim func(bytes int64) error
	// Passed is called with parts of a workbook that are hardly read again, so that the memory can be given back of those that the
	// caller can have once more. They have not been altered. nil: nobody asks.
	Passed func(part []byte)
}

// OpenedWorkbook is what was made of the content of a workbook.
type OpenedWorkbook struct {
	Content []byte
	Book    any
}

// Seen is what readers note of a file for its inspection. Of a file without a header, it is
// about the line that looks most like one.
type Seen struct {
	Kind       Kind
	Sheet      string   // of a workbook with several sheets; blank: none
	HeaderLine int      // physical line, from 1; 0: there is no such line
	Header     []string // its first SeenColumns cells, without blanks at its end; a text that is too long for a name is shortened
	// Samples are, for each column of the header, the first cells that are not blank: at
	// most SampleCells, shortened.
	Samples [][]string
	Rows    int // records below the header that are not blank, up to the first with a fault of its form

	Exporter ExporterInfo  // of an export
	Couriers []CourierInfo // of a report: those that know the header, best first
	// Mapping is, of a report, the columns that have roles; of a report that cannot be read,
	// those roles that are not in doubt.
	Mapping domain.Mapping
	Saved   domain.Mapping // what a saved mapping of the MappingChoice gave of it; none: no such mapping was used
	Name    string         // of the named mapping that was used; blank: none
	// Names are those of the named mappings that fit the header, if they name different columns.
	Names      []string
	HeaderHash domain.HeaderHash // of a report; zero: it has no header
}

// SampleCells is how many sample cells a column has at most, and SeenColumns of how many
// columns there are samples: four times as many as the widest export has.
const (
	SampleCells = 3
	SeenColumns = 300
)

// Kind is the kind of a file, by its bytes and not by its name.
type Kind string

// The kinds of files.
const (
	KindCSV  Kind = "csv"
	KindXLSX Kind = "xlsx"
	KindXLS  Kind = "xls"
	KindODS  Kind = "ods"
	KindHTML Kind = "html"
	KindXML  Kind = "xml" // XML Spreadsheet of Excel 2003
)

// ExporterInfo describes a storefront whose exports are read.
type ExporterInfo struct{ ID, Name string }

// Storefronts reads the exports of storefronts.
type Storefronts interface {
	// Orders makes a reader of an export. The bytes belong to the reader until it has
	// been read, which may alter those of a workbook in place. Text is not altered: others may
	// read it meanwhile.
	Orders(export Content) OrdersReader
	// Exported says what the table with a header is an export of, if the header leaves no doubt;
	// ExportedNothing if it does.
	Exported(header []string) Exported
}

// Exported is what an export of a storefront lists.
type Exported string

// What exports list. The last one may be anything else, a report included.
const (
	ExportedOrders    Exported = "orders"
	ExportedCustomers Exported = "customers"
	ExportedProducts  Exported = "products" // or their stock
	ExportedNothing   Exported = ""
)

// ReadStatement adds the credits of a bank's statement, and the days that it covers, to into,
// which is empty. It may alter the content in place. It returns a *domain.FileError for a
// statement that cannot be read; then into may have a part of it.
type ReadStatement func(content Content, into *bank.Statement) error

// OpenLedger opens the ledger of an earlier run, of whose bytes the same holds as of an export's. It returns a
// *domain.FileError for a file that is none.
type OpenLedger func(content Content) (Ledger, error)

// WriteLedger writes the ledger of a run as text that OpenLedger reads. It returns the errors of to.
type WriteLedger func(run *FinishedRun, to io.Writer) error

// Ledger is what an earlier run has written down. Lines and Orders may be called at the same time, each once, and return a
// *domain.FileError for a ledger that cannot be read.
type Ledger interface {
	// Lines adds the lines, before the first report of the run is read.
	Lines(into *verdict.Remittances) error
	// Orders adds the orders and what was found on them, once the export is read.
	Orders(into *verdict.Orders) error
	// Rows is at most how many orders and lines it has.
	Rows() int
	// Close frees memory, once nothing is added any more.
	Close()
}

// Couriers is the catalogue of couriers.
type Couriers interface {
	// Catalogue lists the couriers, sorted by id; custom is the last.
	Catalogue() []CourierInfo
	// Identify returns the id of the courier that a courierName means. Case, blanks, -
	// and _ do not matter. known is false if there is no such courier.
	Identify(courierName string) (id string, known bool)
	// Remittances makes a reader of a courier's report, of whose bytes the same holds as of an
	// export's.
	Remittances(report Content, choice MappingChoice) RemittancesReader
	// Sheets returns the sheets of a workbook that content names and that have the header
	// of a report, if they are several: each is a report of its own. Otherwise it returns
	// nil.
	Sheets(report Content, choice MappingChoice) []string
	// Recognise returns the couriers that know the header of a report, best first, and
	// the mapping by which the report would be read, or why it cannot be read. It fills Seen too,
	// and alters nothing.
	Recognise(report Content) ([]Recognition, domain.Mapping, error)
}

// CourierInfo describes a courier of the catalogue.
type CourierInfo struct {
	ID        string
	Name      string
	Signature []string // the contract's three column names; none for custom
	// InStatements are the names under which banks' statements show the courier.
	InStatements []string
}

// MappingChoice is what is known of a courier file's columns before it is read.
type MappingChoice struct {
	Columns map[domain.Role]string // stated in the request
	Asked   *domain.NamedMapping   // the request names it; Saved and Named are not used
	Saved   *domain.Mapping        // stored by an earlier run
	// Named are the account's, where no courier decides: the one with exactly the report's
	// header is used.
	Named []domain.NamedMapping
}

// Recognition is how one courier reads a header.
type Recognition struct {
	Courier CourierInfo
	Mapping domain.Mapping
	Exact   bool // by the contract's own column names
}
