package peers

import (
	"io"
	"iter"

	"milaan/domain"
	"milaan/ports"
)

// Answers writes the contract's JSON objects.
type Answers interface {
	// Write writes the 200 body of POST /reconcile, and with resultsOnly that
	// of GET /demo. If w has a method Size and the body is written in one piece, Write
	// first calls it with the number of bytes.
	Write(w io.Writer, run *ports.FinishedRun, resultsOnly bool) error
	// WriteResult writes the element of results about the i-th order of the run, with what the run
	// includes. If the run has a ledger, the order may be one that only the ledger has, and the element says what
	// open items say of earlier runs.
	WriteResult(w io.Writer, run *ports.FinishedRun, i int) error
	// WritePage writes the answer for a page of the dashboard: the body of POST /reconcile
	// with everything that the run includes, its sums, guidance in sentences, and for each
	// order that can be disputed the line of the dispute letter. Reasons, warnings and
	// guidance are in the words and names of the page; the line is in those of the letter,
	// which are letter's. What a page shows first stands in the first line, and then each result in one,
	// those to act on first (verdict.Reconciliation.ToActOn).
	WritePage(w io.Writer, run *ports.FinishedRun, words, letter Wording, names Names) error
	// WriteExport writes what is stored of an account, as one JSON object, and no more of it at a
	// time than one of its elements. After an error the object is not closed.
	WriteExport(w io.Writer, e *ports.AccountExport) error
	// WriteSecurityLog writes events as a JSON list or, with csv, as a CSV file in the form that
	// Excel opens correctly.
	WriteSecurityLog(w io.Writer, events iter.Seq2[domain.SecurityEvent, error], csv bool) error
}

// AnswersAhead makes answers before they may be sent.
type AnswersAhead interface {
	// Begin has another goroutine make the answer of Answers.Write, if it is short, and Write then waits for it. early gets that
	// answer, in that goroutine. If the run turns out to be a duplicate, Write writes another one.
	Begin(run *ports.FinishedRun, early func(answer []byte))
}

// ItemAnswers writes open items that a connection keeps.
type ItemAnswers interface {
	// WriteItems writes a page of them as one JSON object: at most limit, from the one at from, counted from 0, and the from of
	// the next page if there are more. Reasons are in the words given, and what is written to a courier in those of letter.
	WriteItems(w io.Writer, items *ports.KeptItems, from, limit int, words, letter Wording) error
}
