package report

import "milaan/domain"

// flagWords are the flags in words for people, and what each asks them to do (contract,
// section 2.5).
var flagWords = map[domain.Flag]struct{ name, action string }{
	domain.Missing:           {"Missing", "Dispute at once: the courier's reports do not list the order at all."},
	domain.ShortPaid:         {"Short paid", "Dispute the difference; most couriers resolve it in 7 to 14 days."},
	domain.Overdue:           {"Overdue", "Follow up with the courier; the money may come with the next payout."},
	domain.RTOAnomaly:        {"Returned but collected", "Escalate to the courier's fraud team, and request the proof of delivery."},
	domain.MinorDiff:         {"Minor difference", "Monitor; usually not worth a dispute."},
	domain.Overpaid:          {"Overpaid", "Verify against the bank statement; the courier may offset it in a later payout."},
	domain.Reconciled:        {"Reconciled", ""},
	domain.AwaitingNextCycle: {"Awaiting the next payout", "Compare again with the courier's next report."},
}

// creditWords say what a bank statement says about a payout.
var creditWords = map[domain.CreditState]string{
	domain.CreditMissing: "Not in the statement",
	domain.CreditEqual:   "Credited",
	domain.CreditDiffers: "Credited with another amount",
}
