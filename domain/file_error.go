package domain

import (
	"fmt"
	"unicode/utf8"
)

// File says which of the two files an error is about.
type File uint8

// The two files of a run.
const (
	StorefrontFile File = iota + 1
	CourierFile
)

func (f File) String() string {
	if f == StorefrontFile {
		return "storefront file"
	}
	return "courier file"
}

// FileRule is what a file breaks. Each has its words in every language's table.
type FileRule string

// The rules of cells and rows. FileError says where and, in Value, what stands
// there.
const (
	RuleAmount          FileRule = "amount"
	RuleDate            FileRule = "date"               // Roles: the column's, in a report
	RuleMonthFirst      FileRule = "date_month_first"   // in a column with dates that are day first
	RuleFarDate         FileRule = "date_far_from_all"  // more than a year after every other one of the column
	RuleUnknownStatus   FileRule = "status_unknown"     // Amount hangs on it
	RuleCurrency        FileRule = "currency"           // not the rupee
	RuleNoName          FileRule = "order_name_missing" // although the row has a total
	RuleTrackingNumbers FileRule = "tracking_numbers"   // Limit of one order
	RuleNamesakes       FileRule = "namesakes"          // Limit of one name
	RuleBeyondHeader    FileRule = "cell_beyond_header" // Count cells of a record, Limit of the header
	RuleSecondHeader    FileRule = "second_header"      // Found: that of another report
	RuleRows            FileRule = "rows"               // Limit
	RuleQuoteOpen       FileRule = "quote_never_closed"
	RuleQuoteTrailed    FileRule = "text_after_quote"
	RuleSums            FileRule = "sums"           // Limit: rupees that amounts may add up to
	RuleNoOrders        FileRule = "orders_missing" // below the header
	RuleNoDates         FileRule = "order_dates_missing"
)

// The rules of headers.
const (
	RuleNoColumn    FileRule = "column_missing"       // Roles, in a report: one of them is needed; LookedFor, Found
	RuleNotThere    FileRule = "named_column_missing" // Value: the name given for the role; Found
	RuleAmbiguous   FileRule = "header_ambiguous"     // Candidates: what couriers take for one role after another
	RuleColumnTwice FileRule = "column_twice"         // Candidates: those of one name; Roles: theirs, in a report
	RuleTwoRoles    FileRule = "column_of_two_roles"  // Roles
	RuleTwoExports  FileRule = "export_of_two"        // Exporters: the header could be that of either
	RuleFarHeader   FileRule = "header_too_far_down"  // Limit: the last line that may be one
	RuleWide        FileRule = "line_too_wide"        // Count cells, Limit of a header
)

// The rules of whole files.
const (
	RuleWorkbook    FileRule = "workbook"
	RuleOldWorkbook FileRule = "old_workbook"
	RulePDF         FileRule = "pdf"
	RuleWebPage     FileRule = "web_page"
	RuleNotText     FileRule = "not_text"
	RuleEmpty       FileRule = "empty"
	RuleSwapped     FileRule = "files_swapped"
	RuleGivenTwice  FileRule = "file_given_twice"
	RuleOtherFile   FileRule = "other_file" // a report in place of the export, or the other way round
)

// FileError is a fault of one of the two files: where it is, what stands there,
// and which rule it breaks. Line counts physical lines from 1, as an editor shows
// them; 0 means the whole file. What it quotes of the file is for the caller and
// never for a log.
type FileError struct {
	File   File
	Rule   FileRule
	Line   int
	Column string
	Value  string
	More   int // further cells of the column with a fault

	NoHeader bool // no line of the file is a header, so it may be another file

	// What a rule tells besides.
	Roles        []Role
	Candidates   []Candidate
	Found        []string   // the columns of a header
	LookedFor    [][]string // by Roles, or once in an export: names of which one would do
	Exporters    []Exporter // whose export is meant
	Amount       Paise
	Count, Limit int
}

// Exporter is a storefront, and where people find its export.
type Exporter struct{ Storefront, Steps string }

// Candidate is a column that may be meant.
type Candidate struct {
	Role     Role
	Column   string
	Place    int      // in the header, from 1
	Couriers []string // the ids of those who take it for the role
}

// Error is for logs and programmers: it has no text of the file.
func (e *FileError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s, line %d: %s", e.File, e.Line, e.Rule)
	}
	return fmt.Sprintf("%s: %s", e.File, e.Rule)
}

// Is makes every FileError the same error as ErrFile.
func (e *FileError) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Code == CodeFile
}

// ErrFile stands for every FileError in errors.Is.
var ErrFile = &Error{Kind: KindInvalid, Code: CodeFile}

// quotedBytes is how many bytes of a faulty cell or name a message repeats.
const quotedBytes = 60

// Shortened cuts a text of the caller's for a message, at a character's edge.
func Shortened(s string) string {
	if len(s) <= quotedBytes {
		return s
	}
	cut := quotedBytes
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}

// Quotable is Shortened for a cell, of which nothing is copied that a message
// does not repeat.
func Quotable(cell []byte) string { return Shortened(string(cell[:min(len(cell), quotedBytes+1)])) }
