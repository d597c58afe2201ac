package peers

import (
	"milaan/domain"
	"milaan/domain/verdict"
)

// Wording puts what the domain finds into the words of one language, as UTF-8 without
// line ends. It repeats texts of the two files unchanged, so the caller must escape what
// it writes. Its own words need no escaping in JSON: they have no quotation mark " and no
// backslash.
type Wording interface {
	// AppendReason appends a result's flag_reason (guide: verdict 4).
	AppendReason(dst []byte, r *domain.Reason) []byte
	// Warning is a warning's message: a sentence with its figures and the remedy (guide:
	// verdict 6). A report that the warning is about is named by names, which may be nil if
	// there is only one report.
	Warning(w *domain.Warning, names Names) string
	// AppendDispute appends the sentence with which a shop disputes one order with its
	// courier. It is the dispute letter's line.
	AppendDispute(dst []byte, d *verdict.Dispute) []byte
	// Guidance says how far the reports of a run reach, and when to run again with which of
	// them. reports is their number. Each is a whole sentence.
	Guidance(g *domain.Guidance, reports int, names Names) []string
	// Message says what is wrong and what to do about it, for an error that domain.KindOf
	// knows, however deeply it is wrapped; for other errors it is blank. Fields, files and
	// columns are named by names. The error's cause is not told.
	Message(err error, names Names) string
}

// Names is how one adapter names things in a sentence: for a client of the API the fields
// of JSON, for a person at a terminal flags and paths.
type Names interface {
	// Surface is where the sentence is read. What to do about an error may depend on it.
	Surface() Surface
	// File returns the name of one of the files. report says which of several reports,
	// from 1; 0: there is only one, or the file is no report.
	File(f domain.File, report int) string
	// Field returns the name of a fault's field, with its job and its report if it has
	// any.
	Field(f *domain.Fault) string
	// Column returns what to state so that a column of a report has a role, such as
	// --column 'awb=Docket No'. report is as in File.
	Column(report int, role domain.Role, column string) string
}

// Surface is where people meet the service.
type Surface uint8

// The surfaces.
const (
	API Surface = iota
	CommandLine
	Pages  // of the dashboard
	Passes // of the autopilot: their warnings, wherever they are read
)
