package glue

import (
	"io"

	"milaan/ports"
)

// Answers writes a reconciliation as the contract's JSON object.
type Answers interface {
	// Write writes the 200 body of POST /reconcile, and with resultsOnly that
	// of GET /demo. A w that is Sized is told the length if all of it goes in
	// one piece.
	Write(w io.Writer, o *ports.FinishedRun, resultsOnly bool) error
}

// Sized is a writer that has a use for how much it will be given.
type Sized interface {
	// Size says how many bytes are to come in all, before the first of them.
	Size(n int)
}
