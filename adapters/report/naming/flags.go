package naming

import "milaan/domain"

// FlagWords is what documents say about a flag (contract, section 2.5).
type FlagWords struct {
	Name    string // for people
	Meaning string
	Todo    string // what the shop does about it; blank: nothing
	Ask     string // what the shop says to the courier, and asks of it
}

// Flag returns what documents say about a flag.
func Flag(f domain.Flag) FlagWords {
	switch f {
	case domain.Missing:
		return FlagWords{"Missing", "The window is over, and no remittance is in the courier's report.",
			"Dispute these at once, and cite AWB, order date and days overdue.",
			"Your reports have no remittance for these orders, and the time for it is over. Please remit these amounts at once, or tell us the UTR and the date of their remittance."}
	case domain.ShortPaid:
		return FlagWords{"Short paid", "Less was remitted than was collected.",
			"Dispute the difference; most couriers pay it within 7 to 14 days.",
			"You remitted less than was collected. Please remit the difference, or tell us what was deducted and why."}
	case domain.Overdue:
		return FlagWords{"Overdue", "Nothing was remitted within the courier's window.",
			"Ask the courier; the money may come in the next cycle.",
			"Nothing was remitted within your window. Please tell us in which cycle these amounts will be remitted, or the UTR if they have been."}
	case domain.RTOAnomaly:
		return FlagWords{"RTO anomaly", "Marked as returned, but COD was collected and nothing was remitted.",
			"Escalate these to the courier's fraud team, and ask for proof of delivery.",
			"Your reports mark these parcels as returned, but COD was collected and nothing was remitted. Please have your fraud team examine these parcels, and send us the proof of delivery of each."}
	case domain.MinorDiff:
		return FlagWords{"Minor difference", "Slightly less was remitted, within the tolerance.",
			"Watch these; usually they are not worth a dispute.",
			"You remitted slightly less than was collected. These small differences are for your information."}
	case domain.Overpaid:
		return FlagWords{"Overpaid", "More was remitted than was collected.",
			"Check these with the bank statement; they can be offset in a later cycle.",
			"You remitted more than was collected. Please tell us how you will offset what was paid too much."}
	case domain.AwaitingNextCycle:
		return FlagWords{Name: "Awaiting next cycle"}
	}
	return FlagWords{Name: "Reconciled"}
}
