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
}
