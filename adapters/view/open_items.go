package view

import (
	"milaan/domain"
	"milaan/domain/verdict"
)

// OpenItems are the orders that are open, or were in the run before, and what has become of what is claimed.
type OpenItems struct {
	Items     []OpenItem `json:"items"`
	Movements Movements  `json:"movements"`
}

// KeptItems is a page of the open items that a connection keeps, and what is claimed for all of them.
type KeptItems struct {
	AsOf      string     `json:"as_of"`                  // of the last run; blank: there has been none since they are kept
	KeptSince Instant    `json:"kept_since" ts:"string"` // when somebody said so
	WrittenAt Instant    `json:"written_at" ts:"string | null"`
	Items     []OpenItem `json:"items"`
	Movements Movements  `json:"movements"`
	Next      *int       `json:"next"` // after of the next page
}

// ExportedLedger is what a connection keeps of open items, in the export of an account.
type ExportedLedger struct {
	KeptSince Instant        `json:"kept_since"`
	WrittenAt Instant        `json:"written_at"`
	Ledger    string         `json:"ledger"` // a file that a run takes as previous; blank: no pass has written one
	Marks     []ExportedMark `json:"marks"`  // that people have noted since
}

// ExportedMark is a mark of an order.
type ExportedMark struct {
	OrderID       string `json:"order_id"`
	AWB           string `json:"awb"`
	State         string `json:"state"`
	RaisedOn      string `json:"raised_on"`
	PromisedUntil string `json:"promised_until"`
	Note          string `json:"note"`
}

// NewExportedLedger returns the view of a kept ledger.
func NewExportedLedger(kept *domain.KeptLedger) ExportedLedger {
	return ExportedLedger{KeptSince: Instant(kept.Since), WrittenAt: Instant(kept.WrittenAt), Ledger: string(kept.Text),
		Marks: Each(kept.Marks, func(m *domain.KeptMark) ExportedMark {
			return ExportedMark{m.OrderID, m.AWB, m.State.String(), m.RaisedOn.String(), m.PromisedUntil.String(), m.Note}
		})}
}

// OpenItem is an order that is flagged or awaited, or was in the run before.
type OpenItem struct {
	OrderID    string `json:"order_id"`
	AWB        string `json:"awb"`
	Courier    string `json:"courier,omitempty"` // id
	InExport   bool   `json:"in_export"`
	Flag       string `json:"flag"`
	FlagReason string `json:"flag_reason"`
	OrderDate  string `json:"order_date,omitempty"`
	DueBy      string `json:"due_by,omitempty"`
	CODAmount  Rupees `json:"cod_amount"`
	Remitted   Rupees `json:"remitted"`
	Accepted   Rupees `json:"accepted_charges,omitzero"`
	Shortfall  Rupees `json:"shortfall"`
	ItemHistory
	ClearedOn string `json:"cleared_on,omitempty"` // of what is cleared or recovered
	UTR       string `json:"utr,omitempty"`        // the same
	Dispute   string `json:"dispute,omitempty"`    // for a page: what is written to the courier; absent: nothing is asked for
}

// ItemHistory is what a ledger and people say of an order.
type ItemHistory struct {
	Since         string `json:"since,omitempty" jsonschema:"the day of the first run that has flagged it"`
	State         string `json:"state,omitempty" ts:"'disputed' | 'promised' | 'refused' | 'written off'" jsonschema:"disputed, promised, refused or written off: what a person has noted; nothing is claimed for what is written off"`
	RaisedOn      string `json:"raised_on,omitempty"`
	PromisedUntil string `json:"promised_until,omitempty"`
	PromisePassed bool   `json:"promise_passed,omitempty"`
	Note          string `json:"note,omitempty"`
	Change        string `json:"change,omitempty" ts:"'new' | 'reopened' | 'changed' | 'partly_paid' | 'cleared' | 'ceased' | 'written_off' | 'recovered'" jsonschema:"since the run before: new, reopened, changed, partly_paid, cleared, ceased, written_off or recovered"`
}

// ItemChanges are the words for what has become of an item since the run before; blank: nothing has.
var ItemChanges = [...]string{verdict.Unchanged: "", verdict.New: "new", verdict.Reopened: "reopened", verdict.PartlyPaid: "partly_paid",
	verdict.Cleared: "cleared", verdict.Ceased: "ceased", verdict.NowWrittenOff: "written_off", verdict.Recovered: "recovered",
	verdict.Changed: "changed"}

// Movements are the sums of open items, of all and per courier.
type Movements struct {
	All      Movement   `json:"all"`
	Couriers []Movement `json:"couriers"`
}

// Movement is how what is claimed has changed since the run before: before + new + changed - partly_paid - cleared -
// written_off + reopened = now. The others are sums of their own.
type Movement struct {
	Courier    string  `json:"courier,omitempty"` // id; absent: not known, or of all
	Before     ItemSum `json:"before"`
	New        ItemSum `json:"new"`
	Changed    ItemSum `json:"changed"`
	PartlyPaid ItemSum `json:"partly_paid"`
	Cleared    ItemSum `json:"cleared"`
	WrittenOff ItemSum `json:"written_off"`
	Reopened   ItemSum `json:"reopened"`
	Now        ItemSum `json:"now"`
	Recovered  ItemSum `json:"recovered"`
	Awaited    ItemSum `json:"awaited"`
	Overpaid   ItemSum `json:"overpaid"`
	Promises   ItemSum `json:"promises"` // that have passed
}

// ItemSum is a number of orders and an amount.
type ItemSum struct {
	Orders int    `json:"orders"`
	Amount Rupees `json:"amount"`
}

// NewMovements returns the view of the movements of couriers and of all.
func NewMovements(couriers []verdict.Movement, all verdict.Movement) Movements {
	return Movements{All: newMovement(&all), Couriers: Each(couriers, newMovement)}
}

func newMovement(m *verdict.Movement) Movement {
	sum := func(s verdict.ItemSum) ItemSum { return ItemSum{s.Items, Rupees(s.Amount)} }
	return Movement{Courier: m.Courier, Before: sum(m.Before), New: sum(m.New), Changed: sum(m.Changed), PartlyPaid: sum(m.PartlyPaid),
		Cleared: sum(m.Cleared), WrittenOff: sum(m.WrittenOff), Reopened: sum(m.Reopened), Now: sum(m.Now), Recovered: sum(m.Recovered),
		Awaited: sum(m.Awaited), Overpaid: sum(m.Overpaid), Promises: sum(m.Promises)}
}
