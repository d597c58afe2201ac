package domain

// Credit is one line of a bank statement that states money received.
type Credit struct {
	Line      int // of the statement, from 1
	On        Day
	Amount    Paise
	Narration string // the bank's text, shortened
}

// CreditState says what a bank statement says about a payout.
type CreditState uint8

// The states.
const (
	CreditMissing CreditState = iota // not in the statement
	CreditEqual                      // credited
	CreditDiffers                    // credited with another amount
)

// CreditedPayout is a payout, and the credit of the statement that belongs to it.
type CreditedPayout struct {
	Payout
	State  CreditState
	Credit Credit // unless State is CreditMissing
}

// StatementFindings is what comes of holding the payouts of a run against a bank
// statement.
type StatementFindings struct {
	Payouts []CreditedPayout // in the order of Reconciliation.Payouts
	Others  []Credit         // credits that name a courier and belong to no payout
}
