package ports

import (
	"bytes"
	"context"

	"milaan/domain"
)

// Memory is the memory of this instance for all that may be large.
type Memory interface {
	// Take waits for the given number of bytes. Whoever comes first is served first. Its errors are those of
	// ctx.
	Take(ctx context.Context, bytes int64) (giveBack func(), err error)
	// TryTake takes the given number of bytes if they are free and nobody waits.
	TryTake(bytes int64) (giveBack func(), taken bool)
}

// How many bytes of memory a request takes besides its body. Some are for each byte of the
// body. They hold the decoded fields that are no file; or the text of a file once more, if
// it was not UTF-8, and names, AWBs and references once more, in blocks that are filled to
// at least three quarters. The others are for each row. They hold orders, lines, their
// index and their results, whose number domain.MaxRows and verdict.MaxTokens limit.
const (
	workPerByte    = 3
	mostText       = 25 << 20 // of both files, after U+FFFD has replaced bytes that are not UTF-8
	workPerRowByte = 64       // a row may have four bytes
	workOfFewRows  = 512 << 10
	workPerRow     = 256
	workPerToken   = 64 // an AWB of a cell that lists several
	mostWorkOfRows = 32 << 20
)

// WorkBytes returns how many bytes of memory it takes at most to read and reconcile a body
// of n bytes, whatever the bytes are, besides the body itself. A single request needs
// them until its answer is written, a batch until it is stored. For 25 MiB they are
// 107 MiB; an ordinary export of that size takes 20 MiB.
//
// A body of more than 25 MiB is a form, whose files are read where they are. Its texts are
// held once more only if they are UTF-16, as UTF-8 of at most one and a half times the
// length; and names, AWBs and references of that text once more, in blocks that are filled
// to three quarters. So for 64 MiB they are 256 MiB: 96 of UTF-8, 128 of names and 32 of
// rows, of which there are no more than in a small body.
func WorkBytes(n int64) int64 {
	if n > mostText {
		text := n + n/2
		return text + text*4/3 + mostWorkOfRows
	}
	return workOfTexts(n) + min(workPerRowByte*n, mostWorkOfRows)
}

// WorkBytesFor is WorkBytes for one body, by the number of rows that it can have: most
// bodies have far fewer than their length allows. Some of its strings may be decoded
// already. In a body longer than countedBody the rows are not counted, because that
// takes more time than it is worth.
func WorkBytesFor(body []byte) int64 {
	n := int64(len(body))
	if n > countedBody {
		return WorkBytes(n)
	}
	rows := workOfFewRows + workPerRow*count(body, rowSigns) + workPerToken*count(body, tokenSigns)
	return workOfTexts(n) + min(workPerRowByte*n, rows, mostWorkOfRows)
}

const (
	countedBody = 4 << 20
	// The bytes that end a row, or begin the escape of its end.
	rowSigns = "\n\r\\"
	// The bytes that separate AWBs in a cell, or are the first of such a character.
	tokenSigns = " ,;|\t\xc2\xe1\xe2\xe3"
)

// count returns how many bytes of a text are one of signs. One loop over the bytes would
// be slower.
func count(text []byte, signs string) (n int64) {
	for i := range len(signs) {
		n += int64(bytes.Count(text, []byte{signs[i]}))
	}
	return n
}

func workOfTexts(n int64) int64 {
	texts := min(3*n, mostText)
	return max(workPerByte*n, texts+texts*4/3)
}

// What the rows of a ledger take besides: an order with what was found on it, or a line with its fingerprint. All are
// held beside those of the export and the reports.
const (
	workPerLedgerRow = 384
	mostLedgerRows   = 4 * domain.MaxRows
	ledgerRowsPerKB  = 25 // of a workbook's text: a line has a fingerprint of 32 bytes
)

// LedgerMemory returns the memory for a body of n bytes of text of which one is a ledger.
func LedgerMemory(n int64, ledger []byte) WorkbookMemory {
	w := WorkbookMemory{Bytes: WorkBytes(n) + ledgerBytes(count(ledger, "\n\r")+1)}
	w.Allotted, w.Most = w.Bytes, w.Bytes
	return w
}

// WithLedger adds what it takes if one of the workbooks, of the given number of bytes, is a ledger.
func (w WorkbookMemory) WithLedger(bytes int64) WorkbookMemory {
	w.Bytes += ledgerBytes(4 * bytes * ledgerRowsPerKB >> 10)
	w.Most += ledgerBytes(mostLedgerRows)
	return w
}

func ledgerBytes(rows int64) int64 { return workPerLedgerRow * min(rows, mostLedgerRows) }

// MostUploadText is how many bytes of text the workbooks of an upload in the dashboard may
// have together: an export of domain.MaxRows rows has 31 MB, as a workbook too.
const MostUploadText = 64 << 20

// MostAPIText is how many bytes of text the workbooks of a request of the API may have together.
const MostAPIText = mostText

// WorkbookMemory is how many bytes of memory it takes to read and reconcile a body with workbooks, besides
// the body itself.
type WorkbookMemory struct {
	Bytes    int64 // for as many bytes of text as such bodies nearly always have
	Allotted int64 // of these, what the workbooks may expand to
	// Most is for as many bytes of text as all workbooks may have together, which they may
	// repeat from a few: such a body may take it in the place of Bytes.
	Most int64
}

// MemoryOfWorkbooks returns the memory for a body with the given number of bytes of workbooks, and of other
// files. most is how many bytes of text the workbooks may have. A text that grows is held twice
// for a while, and names, AWBs and references of it once more, as of any text.
func MemoryOfWorkbooks(workbooks, others, most int64) WorkbookMemory {
	const text, expanded, least = 4, 8, 256 << 10
	allotted := expanded*workbooks + least
	w := WorkbookMemory{Bytes: allotted + WorkBytes(text*workbooks+others), Allotted: allotted}
	w.Most = most*9/5 + most*4/3 + mostWorkOfRows + workOfTexts(others)
	w.Bytes = min(w.Bytes, w.Most)
	return w
}

// BatchBytes returns how many bytes of memory it takes at most to store a batch with a body of n
// bytes: its jobs are decoded, sealed, and copied by the database.
func BatchBytes(n int64) int64 { return workOfFewRows + 8*n }

// JobBytes returns how many bytes of memory it takes at most to make a run of a batch: its files
// are read from the database, opened and decoded; what WorkBytes says; and the rows of a ledger.
func JobBytes() int64 { return 4*mostText + WorkBytes(mostText) + ledgerBytes(mostLedgerRows) }
