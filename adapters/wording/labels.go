package wording

import (
	"sync"

	"milaan/domain"
	"milaan/domain/bank"
)

// This file has labels: short names beside values. Documents, the command line and the pages
// have them from here; the pages by ui/labels.ts, which go generate makes of it, and in other
// languages by the translations of the pages.

type labels struct {
	Flags   map[string]FlagLabel `json:"flags"`
	Credits map[string]string    `json:"credits"` // what the bank statement says of a payout
}

// FlagLabel is what people read about a flag (guide: verdict 4).
type FlagLabel struct {
	Name    string `json:"name"` // for people
	Meaning string `json:"meaning"`
	Todo    string `json:"todo"` // what the shop does about it; blank: nothing
	Ask     string `json:"ask"`  // what the shop says to the courier, and asks of it
}

var theLabels = sync.OnceValue(func() labels { return decoded[labels](english("labels")) })

// Flag returns what people read about a flag.
func Flag(f domain.Flag) FlagLabel { return theLabels().Flags[f.String()] }

// Credit returns what the bank statement says of a payout.
func Credit(s bank.CreditState) string { return theLabels().Credits[s.String()] }

// InPayoutAbove follows what a row says of a payout that shares its credits with one above: the amount stands there alone, so that the
// column adds up.
const InPayoutAbove = ", in the amount of a payout above"

// AcceptedCharges are the charges of a run that count as paid.
const AcceptedCharges = "Accepted charges"

// Totals says how the totals of a run add up, so that a reader can check them. accepts says whether charges count as paid in
// it; overpaid is the sum of what was paid too much.
func Totals(accepts bool, overpaid domain.Paise) string {
	s := "Due = Remitted + Awaiting + Shortfall"
	if accepts {
		s += " + " + AcceptedCharges
	}
	if overpaid > 0 {
		s += "; At risk = Shortfall + " + overpaid.Exact() + " overpaid"
	}
	return s + "."
}

// The parts of a report's control totals: what was read is the sum of the others.
const (
	PartRead         = "Read"
	PartMatched      = "Matched"
	PartUnclaimed    = "Unclaimed"
	PartRepeated     = "Listed twice"
	PartCorrected    = "Corrected"
	PartUnidentified = "Unidentified"
)

// ConnectionStates are the names of the states of connections.
var ConnectionStates = map[domain.ConnectionState]string{
	domain.ConnectionActive:  "Active",
	domain.ConnectionPaused:  "Paused",
	domain.ConnectionRefused: "Needs attention",
}

// ConnectionFailing is an active connection whose last pass has failed.
const ConnectionFailing = "Last pass failed"

// Connection returns the name of the state that a connection is in.
func Connection(c *domain.Connection) string {
	if c.State == domain.ConnectionActive && c.Failure != nil {
		return ConnectionFailing
	}
	return ConnectionStates[c.State]
}

// PassOutcomes are the names of the outcomes of passes.
var PassOutcomes = map[domain.PassOutcome]string{
	domain.PassUnderWay:  "Under way",
	domain.PassStored:    "Run stored",
	domain.PassUnchanged: "Nothing new",
	domain.PassFailed:    "Failed",
	domain.PassSkipped:   "Skipped",
}

// PassWaiting is a pass that has not begun.
const PassWaiting = "Waiting"

// Pass returns the name of how far a pass has come.
func Pass(p *domain.Pass) string {
	if p.Outcome == domain.PassUnderWay && p.StartedAt.IsZero() {
		return PassWaiting
	}
	return PassOutcomes[p.Outcome]
}

// DeliveryStates are the names of the states of deliveries.
var DeliveryStates = map[domain.DeliveryState]string{
	domain.DeliveryPending:   "Under way",
	domain.DeliveryDelivered: "Delivered",
	domain.DeliveryFailed:    "Failed",
	domain.DeliveryDropped:   "Dropped",
}
