package domain

import (
	"bytes"
	"slices"
)

// ItemState is what a person says of an open item (guide: verdict 10).
type ItemState uint8

// The states of an open item.
const (
	Unmarked ItemState = iota
	Disputed
	Promised
	Refused
	WrittenOff // nothing is asked for any more
)

var itemStates = [...]string{Disputed: "disputed", Promised: "promised", Refused: "refused", WrittenOff: "written off"}

// ItemStates returns the words of all states; the first is blank.
func ItemStates() []string { return slices.Clone(itemStates[:]) }

// String returns the state's word; blank for Unmarked.
func (s ItemState) String() string { return itemStates[s] }

// The columns that people fill in.
const (
	StateColumn    = "State"
	RaisedColumn   = "Raised on"
	PromisedColumn = "Promised until"
	NoteColumn     = "Note"
)

// ListsOpenItems says whether a header is that of a list of open items, which people fill in, and not that of a ledger.
func ListsOpenItems(header [][]byte) bool {
	if slices.ContainsFunc(header, func(cell []byte) bool { return bytes.HasPrefix(Unwrap(cell), []byte(LedgerHeading)) }) {
		return false
	}
	return hasColumns(header, []string{"Order", StateColumn, RaisedColumn, PromisedColumn, NoteColumn})
}

// resultColumns are columns by which the tables of a run's results are told from the files of others: those of documents,
// and those that the command prints.
var resultColumns = [][]string{
	{"Order", "Shortfall", "Days overdue", "Reason"}, // orders and disputes
	{"order_id", "shortfall", "days_overdue", "flag_reason"},
	{"Report", "Line", "AWB", "Order", "Remitted on"}, // unclaimed lines
	{"report", "line", "awb", "order_id", "remitted_on"},
	{"Report", "UTR", "Lines", "Collected", "Deducted", "Paid"}, // payouts
	{"report", "utr", "lines", "collected", "deducted", "paid"},
	{"Courier", "Open before", "Open now", "Recovered"}, // movements
}

// ListsResults says whether a header is that of a table of a run's results.
func ListsResults(header [][]byte) bool {
	return slices.ContainsFunc(resultColumns, func(names []string) bool { return hasColumns(header, names) })
}

func hasColumns(header [][]byte, names []string) bool {
	for _, name := range names {
		if !slices.ContainsFunc(header, func(cell []byte) bool { return string(Unwrap(cell)) == name }) {
			return false
		}
	}
	return true
}

// LedgerHeading begins the name of the first column of a ledger; the version of its form stands behind it.
const LedgerHeading = "Milaan ledger "

// Mark is what a person notes on an open item. A ledger carries it on as it is.
type Mark struct {
	State         ItemState
	RaisedOn      Day // NoDay: not said
	PromisedUntil Day // NoDay: not said
	Note          string
}

// lastMarkDay is 2100-12-31.
const lastMarkDay Day = 47_846

// GoodMarkDay says whether a mark can have a day: none, or one from 2000 to 2100. A ledger reads no days that are far from these, and
// who types 26 for the year means none of them.
func GoodMarkDay(d Day) bool { return d == NoDay || firstDay <= d && d <= lastMarkDay }

// ChosenOrder names an order of the export or of the ledger.
type ChosenOrder struct {
	OrderID string
	AWB     string // tells orders of one name apart; blank: not said
}

// MarkedOrder is a mark, and the order that it is for.
type MarkedOrder struct {
	ChosenOrder
	Mark
}

// MaxMarks is how many orders a request may mark, or choose.
const MaxMarks = MaxRows

// MaxNote is how many characters a note may have that is not typed in a spreadsheet program.
const MaxNote = 500

// MaxNotes is how many bytes the notes on the open items of one connection may have together: whoever reads or marks its items reads
// all of them.
const MaxNotes = 2 << 20

// GoodNote says whether a text can be such a note: one line.
func GoodNote(s string) bool { return isLine(s, MaxNote) }
