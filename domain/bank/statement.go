// Package bank holds the payouts that reports list against a bank's statement, and says which of them were credited
// (adapters/guide/chapters/verdict.md, 8). It takes what an adapter reads of the statement (statement.go), finds couriers and UTRs
// in the bank's texts (narrations.go), and gives payouts their credits and debits (crediting.go).
package bank

import (
	"iter"
	"slices"

	"milaan/domain"
	"milaan/domain/verdict"
)

// shownNarration is how much of a narration is shown. Banks write up to some 120 characters,
// and many the UTR behind everything else.
const shownNarration = 160

// StatementLine is a credit or a debit of a bank statement.
type StatementLine struct {
	Line      int // of the statement, from 1
	On        domain.Day
	Amount    domain.Paise // above 0, of a debit too
	Narration string       // the bank's text, at most shownNarration bytes of it and …
	Courier   string       // id of the first courier that the narration names; blank: none
}

// CreditState says what a bank statement says about a payout.
type CreditState uint8

// The states.
const (
	CreditMissing  CreditState = iota // not in the statement
	CreditEqual                       // credited
	CreditDiffers                     // credited with another amount
	CreditReversed                    // the transfer was returned, so that nothing was received
)

// creditStateNames has the name of each state for programs. They never change.
var creditStateNames = [...]string{
	CreditMissing: "not_in_statement", CreditEqual: "credited", CreditDiffers: "credited_other_amount", CreditReversed: "reversed",
}

// CreditStates is how many states there are.
const CreditStates = len(creditStateNames)

// String returns the name of the state for programs. It never changes.
func (s CreditState) String() string { return creditStateNames[s] }

// Absence says whether there is a reason why a payout is not in the statement.
type Absence uint8

// The reasons.
const (
	AbsenceUnexplained Absence = iota // the statement covers the days on which the payout should be in it
	AbsenceOutside                    // the statement does not cover all of these days
	AbsenceUndated                    // the payout has no date, so it is not known whether the statement covers it
	AbsenceNothingPaid                // the payout is of ₹0 or less
)

// String returns the name of the reason for programs; it is blank for AbsenceUnexplained.
func (a Absence) String() string {
	return [...]string{AbsenceOutside: "outside_statement", AbsenceUndated: "undated", AbsenceNothingPaid: "nothing_paid"}[a]
}

// CreditedPayout is a payout, and the lines of the statement that belong to it. Payouts that
// were paid together share their lines: then Received is what was received for all of them.
type CreditedPayout struct {
	verdict.Payout
	State     CreditState
	Credits   []StatementLine // by day; none if State is CreditMissing
	Debits    []StatementLine // by day, of transfers that were returned
	Received  domain.Paise    // the credits less the debits; below 0 if the statement has the debits alone
	Together  int             // how many payouts share the lines, this one included; 0 if State is CreditMissing
	Absence   Absence         // if State is CreditMissing
	SentAgain bool            // if State is CreditReversed: a later credit may be its money
	Within    bool            // if State is CreditMissing, and some transfer was returned: another credit may have it in it
}

// Lines returns the lines of the statement that belong to the payout, the credits first.
func (p *CreditedPayout) Lines() []StatementLine { return slices.Concat(p.Credits, p.Debits) }

// ReceivedAgain returns what came of a returned transfer by its UTR after the last return.
func (p *CreditedPayout) ReceivedAgain() (sum domain.Paise) {
	for _, c := range p.Credits {
		if len(p.Debits) > 0 && c.On > p.Debits[len(p.Debits)-1].On {
			sum += c.Amount
		}
	}
	return sum
}

// First returns the first credit of the payout, or its first debit if the statement has no
// credit of it. State must not be CreditMissing.
func (p *CreditedPayout) First() *StatementLine {
	if len(p.Credits) > 0 {
		return &p.Credits[0]
	}
	return &p.Debits[0]
}

// Findings is what comes of holding the payouts of a run against a bank
// statement.
type Findings struct {
	Payouts  []CreditedPayout // in the order of Reconciliation.Payouts
	Earlier  []CreditedPayout // in the order of Reconciliation.EarlierPayouts
	Others   []StatementLine  // credits that name a courier and belong to no payout, by day
	From, To domain.Day       // the days that the statement covers
}

// CreditedEarlier yields the payouts of earlier runs of which the statement has lines, each with its place in Earlier.
func (f *Findings) CreditedEarlier() iter.Seq2[int, *CreditedPayout] {
	return func(yield func(int, *CreditedPayout) bool) {
		for i := range f.Earlier {
			if p := &f.Earlier[i]; p.State != CreditMissing && !yield(i, p) {
				return
			}
		}
	}
}

// Statement is what was read of a bank statement: its credits and debits, and the days that
// it covers. The zero value is empty.
type Statement struct {
	From, To domain.Day // the first and the last day of its lines; NoDay: it has no lines
	lines    []bankLine
}

type bankLine struct {
	StatementLine
	narration string // whole
	debit     bool
}

// Cover says that the statement has a line of a day.
func (s *Statement) Cover(on domain.Day) {
	if s.From == domain.NoDay || on < s.From {
		s.From = on
	}
	s.To = max(s.To, on)
}

// AddCredit adds a credit. The narration is copied.
func (s *Statement) AddCredit(line int, on domain.Day, amount domain.Paise, narration []byte) {
	s.add(line, on, amount, narration, false)
}

// AddDebit adds a debit; its amount is above 0. The narration is copied.
func (s *Statement) AddDebit(line int, on domain.Day, amount domain.Paise, narration []byte) {
	s.add(line, on, amount, narration, true)
}

func (s *Statement) add(line int, on domain.Day, amount domain.Paise, narration []byte, debit bool) {
	s.Cover(on)
	s.lines = append(s.lines, bankLine{StatementLine: StatementLine{Line: line, On: on, Amount: amount}, narration: string(narration),
		debit: debit})
	s.lines[len(s.lines)-1].show()
}

// Continue adds a text to the narration of the last credit or debit, if there is one.
func (s *Statement) Continue(narration []byte) {
	if last := len(s.lines) - 1; last >= 0 {
		s.lines[last].narration += " " + string(narration)
		s.lines[last].show()
	}
}

// show sets what is shown of the narration.
func (l *bankLine) show() {
	l.Narration = domain.CutText(l.narration, shownNarration)
	if len(l.Narration) < len(l.narration) {
		l.Narration += "…"
	}
}

func (s *Statement) Reset() { *s = Statement{lines: s.lines[:0]} }

// Credits returns the credits in the order in which they were added.
func (s *Statement) Credits() []StatementLine { return s.linesOf(false) }

// Debits returns the debits in the order in which they were added.
func (s *Statement) Debits() []StatementLine { return s.linesOf(true) }

func (s *Statement) linesOf(debit bool) (lines []StatementLine) {
	for i := range s.lines {
		if s.lines[i].debit == debit {
			lines = append(lines, s.lines[i].StatementLine)
		}
	}
	return lines
}

// Payer is a courier, and the names under which banks' statements show it.
type Payer struct {
	Courier string // id
	Names   []string
}
