package domain

import "fmt"

// File says which file of a run an error is about.
type File uint8

// The files of a run. A run may have several courier files.
const (
	StorefrontFile File = iota + 1
	CourierFile
	StatementFile // of the bank
	LedgerFile    // of an earlier run
)

func (f File) String() string {
	switch f {
	case StorefrontFile:
		return "storefront file"
	case StatementFile:
		return "bank statement"
	case LedgerFile:
		return "ledger"
	}
	return "courier file"
}

// FileRule is the rule that a file breaks. adapters/wording has the words of each rule
// in every language.
type FileRule string

// The rules of cells and rows. The FileError says where the cell is, and its Value is
// the cell's text. The comments name the further fields that the error has.
const (
	RuleAmount          FileRule = "amount"
	RuleDate            FileRule = "date"               // Roles: the role of the column, in a report
	RuleMonthFirst      FileRule = "date_month_first"   // a month-first date in a column with dates that are day first
	RuleFarDate         FileRule = "date_far_from_all"  // a date more than a year after all others of the column
	RuleUnknownStatus   FileRule = "status_unknown"     // Amount: the money that the status decides about
	RuleCurrency        FileRule = "currency"           // a currency other than the rupee
	RuleNoName          FileRule = "order_name_missing" // the row has a total and no name of an order
	RuleTrackingNumbers FileRule = "tracking_numbers"   // Limit: how many one order may have
	RuleNamesakes       FileRule = "namesakes"          // Limit: how many orders may have one name
	RuleBeyondHeader    FileRule = "cell_beyond_header" // Count: cells of the record; Limit: cells of the header
	RuleSecondHeader    FileRule = "second_header"      // Found: the columns of the header of another report
	RuleSideTable       FileRule = "side_table"         // Found: the columns of another table; Candidates: the one with a role
	RuleRows            FileRule = "rows"               // Limit: how many rows a file may have
	// Limit: how many rows several reports may have together; Report is the one with which they have more
	RuleRowsTogether    FileRule = "rows_together"
	RuleSandboxRows     FileRule = "sandbox_rows" // as RuleRows, in the sandbox
	RuleSandboxTogether FileRule = "sandbox_rows_together"
	RuleQuoteOpen       FileRule = "quote_never_closed"
	RuleQuoteTrailed    FileRule = "text_after_quote"
	RuleSums            FileRule = "sums"                    // Limit: rupees that the amounts may add up to
	RuleDirection       FileRule = "direction_unknown"       // the cell does not say whether the amount beside it is a credit or a debit
	RuleUnreadDebits    FileRule = "debits_unread"           // the column may have the debits of a statement in which none is known
	RuleNoLines         FileRule = "statement_lines_missing" // no line below the header of a statement has a date
	RuleNoOrders        FileRule = "orders_missing"          // nothing below the header is an order
	RuleNoDates         FileRule = "order_dates_missing"
)

// The rules of ledgers.
const (
	RuleLedgerVersion  FileRule = "ledger_version"          // Value: the version of a format that is newer than this program
	RuleLedgerWord     FileRule = "ledger_word"             // Options: the words that the cell may have
	RuleLedgerAltered  FileRule = "ledger_line_altered"     // the fingerprint does not fit the line
	RuleLedgerRounded  FileRule = "ledger_awb_rounded"      // of a line without an order id
	RuleLedgerTwice    FileRule = "ledger_order_twice"      // the order or the line stands in it twice
	RuleLedgerRows     FileRule = "ledger_rows"             // Count: its rows of the kind Value; Limit: how many were written
	RuleLedgerOrders   FileRule = "ledger_orders"           // Limit: how many orders it may have
	RuleLedgerCouriers FileRule = "ledger_couriers"         // Limit: of how many couriers it may have orders, or lines
	RuleLedgerCharges  FileRule = "ledger_names_of_charges" // Limit: how many charges a line may have

	RuleLedgerAllCharges FileRule = "ledger_charges" // Limit: how many charges all its lines may have
)

// The rules of headers.
const (
	RuleNoColumn    FileRule = "column_missing"       // Roles: one of them is needed, in a report; LookedFor; Found
	RuleNotThere    FileRule = "named_column_missing" // Value: the name that the request gives for the role; Found
	RuleAmbiguous   FileRule = "header_ambiguous"     // Candidates: the columns that couriers use, role by role
	RuleMappings    FileRule = "mappings_several"     // Options: the names of saved mappings that fit the header and differ
	RuleColumnTwice FileRule = "column_twice"         // Candidates: the columns of one name; Roles: their roles, in a report
	RuleTwoRoles    FileRule = "column_of_two_roles"  // Roles
	RuleTwoExports  FileRule = "export_of_two"        // Exporters: the header may be of any of them
	RuleFarHeader   FileRule = "header_too_far_down"  // Limit: the last line that may be a header
	RuleWide        FileRule = "line_too_wide"        // Count: cells of the line; Limit: how many a header may have
)

// The rules of whole files.
const (
	RuleWorkbook    FileRule = "workbook"
	RuleOldWorkbook FileRule = "old_workbook"
	RulePDF         FileRule = "pdf"
	RulePicture     FileRule = "picture"
	RuleArchive     FileRule = "archive"  // of files, such as ZIP
	RuleDocument    FileRule = "document" // of an Office program, and no workbook that we read
	RuleWebPage     FileRule = "web_page"
	RuleNotText     FileRule = "not_text"
	RuleEmpty       FileRule = "empty"
	RuleSwapped     FileRule = "files_swapped"
	RuleGivenTwice  FileRule = "file_given_twice"
	RuleOtherFile   FileRule = "other_file" // a report in place of the export or a statement, or an export in place of the report
	RuleLedger      FileRule = "ledger"     // a ledger in place of another file
	RuleResults     FileRule = "results"    // a table of the results of a run
	RuleOpenItems   FileRule = "open_items" // the list of open items alone, in place of the ledger or of another file
)

// The rules of workbooks.
const (
	RuleBrokenWorkbook FileRule = "workbook_broken"   // damaged, or not written to its end
	RulePassword       FileRule = "workbook_password" // protected by a password
	RuleLargeWorkbook  FileRule = "workbook_large"    // Limit: how many bytes of text it may have; Count: its own, if they limit it
	RuleLongMerged     FileRule = "merged_long"       // a cell that holds for several rows; Limit: how many bytes it may have
	RuleSeveralSheets  FileRule = "sheets_several"    // Options: the sheets that have a header
	RuleContinued      FileRule = "sheet_continued"   // Value: a sheet without a header; Options: the one whose lines go on there
	RuleNoSheet        FileRule = "sheet_missing"     // Value: the sheet that was named; Options: the sheets that there are
)

// FileError is a fault of one of the files: where it is, what the file has there,
// and which rule that breaks. Line counts physical lines from 1, as an editor shows
// them, and in a workbook the rows of Sheet; 0 means the whole file. The texts of the
// file in it are for the caller and are never logged.
type FileError struct {
	File   File
	Report int // which of several reports, from 1; 0: there is only one, or the file is no report
	Rule   FileRule
	Sheet  string // of a workbook with several sheets; blank: none
	Line   int
	Column string
	Value  string
	More   int // how many further cells of the column have a fault

	NoHeader bool // no line of the file is a header, so it may be another kind of file
	OfBank   bool // it was given as a report, and a line of it is the header of a bank's statement
	OfSource bool // it is a report of a report source, whose settings say how it is read

	// Further values of some rules.
	Roles        []Role
	Candidates   []Candidate
	Found        []string   // the columns of a header
	LookedFor    [][]string // for each of Roles, or once in an export: the names that the column may have
	Exporters    []Exporter // the storefronts whose export this may be
	Options      []string   // sheets, or names of mappings
	Amount       Paise
	Count, Limit int
}

// Exporter is a storefront, and the steps by which people get an export from it.
type Exporter struct{ Storefront, Steps string }

// Candidate is a column that may have a role.
type Candidate struct {
	Role     Role
	Column   string
	Place    int      // in the header, from 1
	Couriers []string // ids of the couriers in whose reports it has the role
}

// Error returns a text for logs and programmers. It repeats nothing of the file.
func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s, line %d: %s", e.File, e.Line, e.Rule)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Rule)
}

// Is says whether target is ErrFile, which stands for every FileError.
func (e *FileError) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == CodeFile
}

// ErrFile stands for every FileError in calls of errors.Is.
var ErrFile = &Error{Kind: KindInvalid, Code: CodeFile}

// quotedBytes is how many bytes of a faulty cell or name a message repeats at most.
const quotedBytes = 60

// Shortened cuts a long text of the caller to quotedBytes for a message, and does not
// cut inside a character.
func Shortened(s string) string {
	if len(s) <= quotedBytes {
		return s
	}
	return CutText(s, quotedBytes) + "…"
}

// Quotable is Shortened for a cell. It copies no more of the cell than a message
// repeats.
func Quotable(cell []byte) string { return Shortened(string(cell[:min(len(cell), quotedBytes+1)])) }
