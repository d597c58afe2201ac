package wording

import (
	"milaan/domain"
	"milaan/domain/verdict"
)

// This file has labels: short names beside values. Documents, the command line and the pages
// have them from here; the pages by ui/labels.ts, which go generate makes of it, and in other
// languages by the translations of the pages.

// FlagLabel is what people read about a flag (guide: verdict 4).
type FlagLabel struct {
	Name    string // for people
	Meaning string
	Todo    string // what the shop does about it; blank: nothing
	Ask     string // what the shop says to the courier, and asks of it
}

// Flag returns what people read about a flag.
func Flag(f domain.Flag) FlagLabel {
	switch f {
	case domain.Missing:
		return FlagLabel{"Missing", "The window is over, and no remittance is in the courier's report.",
			"Dispute these at once, and cite AWB, order date and days overdue.",
			"Your reports have no remittance for these orders, and the time for it is over. Please remit these amounts at once, or tell us the UTR and the date of their remittance."}
	case domain.ShortPaid:
		return FlagLabel{"Short paid", "Less was remitted than was collected.",
			"Dispute the difference; most couriers pay it within 7 to 14 days.",
			"You remitted less than was collected. Please remit the difference, or tell us what was deducted and why."}
	case domain.Overdue:
		return FlagLabel{"Overdue", "Nothing was remitted within the courier's window.",
			"Ask the courier; the money may come in the next cycle.",
			"Nothing was remitted within your window. Please tell us in which cycle these amounts will be remitted, or the UTR if they have been."}
	case domain.RTOAnomaly:
		return FlagLabel{"Returned, cash kept", "Marked as returned, but COD was collected and nothing was remitted.",
			"Escalate these to the courier's fraud team, and ask for proof of delivery.",
			"Your reports mark these parcels as returned, but COD was collected and nothing was remitted. Please have your fraud team examine these parcels, and send us the proof of delivery of each."}
	case domain.MinorDiff:
		return FlagLabel{"Small difference", "Slightly less was remitted, within the tolerance.",
			"Watch these; usually they are not worth a dispute.",
			"You remitted slightly less than was collected. These small differences are for your information."}
	case domain.Overpaid:
		return FlagLabel{"Overpaid", "More was remitted than was collected.",
			"Check these with the bank statement; they can be offset in a later cycle.",
			"You remitted more than was collected. Please tell us how you will offset what was paid too much."}
	case domain.AwaitingNextCycle:
		return FlagLabel{Name: "Waiting for payout"}
	}
	return FlagLabel{Name: "Settled"}
}

// Credit returns what the bank statement says of a payout.
func Credit(s verdict.CreditState) string {
	switch s {
	case verdict.CreditEqual:
		return "Credited"
	case verdict.CreditDiffers:
		return "Credited with another amount"
	case verdict.CreditReversed:
		return "Reversed"
	}
	return "Not in the statement"
}

// The parts of a report's control totals: what was read is the sum of the others.
const (
	PartRead         = "Read"
	PartMatched      = "Matched"
	PartUnclaimed    = "Unclaimed"
	PartRepeated     = "Listed twice"
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
