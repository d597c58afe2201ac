package glue

import (
	"io"

	"milaan/ports"
)

// Answers writes a reconciliation as the contract's JSON object.
type Answers interface {
	// Write writes the 200 body of POST /reconcile, and with resultsOnly that
	// of GET /demo. If w is Sized and the body is written in one piece, Write calls
	// Size first.
	Write(w io.Writer, run *ports.FinishedRun, resultsOnly bool) error
	// WritePage writes the answer for a page of the dashboard: the body of POST /reconcile
	// with everything that the run includes, its sums, guidance in sentences, and for each
	// order that can be disputed the line of the dispute letter. Reasons, warnings and
	// guidance are in the words and names of the page; the line is in the language of the
	// letter. What a page shows first stands in the first line, and then each result in one.
	WritePage(w io.Writer, run *ports.FinishedRun, words Wording, names Names) error
}

// Exports writes what is stored of an account.
type Exports interface {
	// WriteExport writes one JSON object, and no more of it at a time than one of its
	// elements. After an error the object is not closed.
	WriteExport(w io.Writer, e *ports.AccountExport) error
}

// Sized is a writer that can use the length of what is written to it.
type Sized interface {
	// Size is called before the first byte, with the number of all bytes.
	Size(n int)
}
