package ports

import "milaan/domain"

// Wording puts what the domain finds into the words of one language, as UTF-8
// without line ends. What it repeats of the two files is as they have it, so the
// text must be escaped where it goes. Its own words need no escaping in JSON: they
// have no quotation mark " and no backslash.
type Wording interface {
	// AppendReason appends a result's flag_reason (decisions, section 4).
	AppendReason(dst []byte, r *domain.Reason) []byte
	// AppendWarning appends a warning's message: a sentence with its figures and
	// the remedy (decisions, section 6).
	AppendWarning(dst []byte, w *domain.Warning) []byte
	// AppendError appends what is wrong and what to do about it, of any error that
	// domain.KindOf knows, however deeply it is wrapped; of another one nothing. What
	// it names, it names as names says. No cause is told.
	AppendError(dst []byte, err error, names Names) []byte
}

// Names is how one adapter calls what a sentence names: a client of the API knows
// the fields of JSON, a person at a terminal flags and paths.
type Names interface {
	// Surface is where the sentence is read. Some differ in what is to be done.
	Surface() Surface
	// File is what one of the two files is called.
	File(f domain.File) string
	// Field is what a field is called; job is the number of the batch's job that it
	// is of, from 1, or 0.
	Field(f domain.Field, job int) string
	// Column is what to state so that a column plays a role, such as
	// --column 'awb=Docket No'.
	Column(role domain.Role, column string) string
}

// Surface is where people meet the service.
type Surface uint8

// The surfaces.
const (
	API Surface = iota
	CommandLine
)
