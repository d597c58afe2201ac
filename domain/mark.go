package domain

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

// String returns the state's word; blank for Unmarked.
func (s ItemState) String() string { return itemStates[s] }

// LedgerHeading begins the name of the first column of a ledger; the version of its form stands behind it.
const LedgerHeading = "Milaan ledger "

// Mark is what a person notes on an open item. A ledger carries it on as it is.
type Mark struct {
	State         ItemState
	RaisedOn      Day // NoDay: not said
	PromisedUntil Day // NoDay: not said
	Note          string
}
