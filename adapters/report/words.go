package report

import "milaan/domain"

// flagWord is a flag in words for people: its name, what it asks of the shop, and what
// the shop asks of the courier (contract, section 2.5).
type flagWord struct{ name, action, asked string }

var flagWords = map[domain.Flag]flagWord{
	domain.Missing: {"Missing", "Dispute at once, with AWB, order date and days overdue: the courier's reports do not list the order at all.",
		"Pay the whole amount, or prove that the parcel was not delivered."},
	domain.ShortPaid: {"Short paid", "Dispute the difference; most couriers resolve it in 7 to 14 days.",
		"Pay the difference, or state what was deducted and why."},
	domain.Overdue: {"Overdue", "Follow up with the courier; the money may come with the next payout.",
		"Pay the amount, or state the payout in which it will come."},
	domain.RTOAnomaly: {"Returned but collected", "Escalate to the courier's fraud team, and request the proof of delivery.",
		"Send the proof of delivery or of return, and pay what was collected."},
	domain.MinorDiff: {"Minor difference", "Monitor; usually not worth a dispute.",
		"For information."},
	domain.Overpaid:          {"Overpaid", "Verify against the bank statement; the courier may offset it in a later payout.", ""},
	domain.Reconciled:        {"Reconciled", "", ""},
	domain.AwaitingNextCycle: {"Awaiting the next payout", "Compare again with the courier's next report.", ""},
}

// creditWords say what a bank statement says about a payout.
var creditWords = map[domain.CreditState]string{
	domain.CreditMissing: "Not in the statement",
	domain.CreditEqual:   "Credited",
	domain.CreditDiffers: "Credited with another amount",
}

// absenceWords say why a payout is not in the statement, if that is known.
var absenceWords = map[domain.Absence]string{
	domain.AbsenceOutside:     "Not in the statement, which does not cover its days",
	domain.AbsenceUndated:     "Not in the statement, and it has no date",
	domain.AbsenceNothingPaid: "Nothing was paid out",
}
