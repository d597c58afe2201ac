package pdf

import (
	"fmt"
	"strconv"
	"time"

	"milaan/domain"
)

// flagWords is what documents say about a flag (contract, section 2.5).
type flagWords struct {
	name    string // for people
	meaning string
	todo    string // what the shop does about it
	ask     string // what the shop says to the courier, and asks of it
}

func wordsOf(f domain.Flag) flagWords {
	switch f {
	case domain.Missing:
		return flagWords{"Missing", "The window is over, and no remittance is in the courier's report.",
			"Dispute these at once, and cite AWB, order date and days overdue.",
			"Your reports have no remittance for these orders, and the time for it is over. Please remit these amounts at once, or tell us the UTR and the date of their remittance."}
	case domain.ShortPaid:
		return flagWords{"Short paid", "Less was remitted than was collected.",
			"Dispute the difference; most couriers pay it within 7 to 14 days.",
			"You remitted less than was collected. Please remit the difference, or tell us what was deducted and why."}
	case domain.Overdue:
		return flagWords{"Overdue", "Nothing was remitted within the courier's window.",
			"Ask the courier; the money may come in the next cycle.",
			"Nothing was remitted within your window. Please tell us in which cycle these amounts will be remitted, or the UTR if they have been."}
	case domain.RTOAnomaly:
		return flagWords{"RTO anomaly", "Marked as returned, but COD was collected and nothing was remitted.",
			"Escalate these to the courier's fraud team, and ask for proof of delivery.",
			"Your reports mark these parcels as returned, but COD was collected and nothing was remitted. Please have your fraud team examine these parcels, and send us the proof of delivery of each."}
	case domain.MinorDiff:
		return flagWords{"Minor difference", "Slightly less was remitted, within the tolerance.",
			"Watch these; usually they are not worth a dispute.",
			"You remitted slightly less than was collected. These small differences are for your information."}
	case domain.Overpaid:
		return flagWords{"Overpaid", "More was remitted than was collected.",
			"Check these with the bank statement; they can be offset in a later cycle.",
			"You remitted more than was collected. Please tell us how you will offset what was paid too much."}
	case domain.AwaitingNextCycle:
		return flagWords{name: "Awaiting next cycle"}
	}
	return flagWords{name: "Reconciled"}
}

// countOf returns a number with its noun.
func countOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(n) + " " + noun + "s"
}

// grouped writes a number with commas as in India: 1,23,456.
func grouped(n int) string {
	const sign = "₹"
	return domain.Paise(n * int(domain.Rupee)).String()[len(sign):]
}

// longDate writes a day as 31 Mar 2026.
func longDate(d domain.Day) string {
	if d == domain.NoDay {
		return "not known"
	}
	return d.Start().Format("2 Jan 2006")
}

// span writes a first and a last day.
func span(first, last domain.Day) string {
	if first == last {
		return longDate(first)
	}
	return longDate(first) + " to " + longDate(last)
}

// moment writes a time in India.
func moment(t time.Time) string { return t.In(domain.Kolkata).Format("2 Jan 2006, 15:04 IST") }

// guidance says how far the courier's report reaches, or how far those of all couriers do, as
// sentences.
func guidance(g *domain.Guidance, several bool) (sentences []string) {
	undated, past, short := "The courier's report has no date, so how far it reaches is not known.",
		"The courier's report reaches to %s, past every order's window.",
		"The courier's report reaches to %s; one that reaches to %s is past every order's window."
	if several {
		undated, past, short = "The reports of one courier have no date, so how far those of all couriers reach is not known.",
			"The reports of all couriers reach to %s, past every order's window.",
			"The reports of all couriers reach to %s; once they reach to %s, they are past every order's window."
	}
	if g.BatchAsOf != domain.NoDay {
		sentences = append(sentences, "All days overdue are counted up to "+longDate(g.BatchAsOf)+", the latest order date.")
	}
	switch {
	case g.DataThrough == domain.NoDay:
		sentences = append(sentences, undated)
	case g.CoverageComplete:
		sentences = append(sentences, fmt.Sprintf(past, longDate(g.DataThrough)))
	case g.BatchAsOf != domain.NoDay:
		sentences = append(sentences, fmt.Sprintf(short, longDate(g.DataThrough), longDate(g.BatchAsOf+domain.Day(g.GuaranteedCoverageDays))))
	}
	switch n := g.AwaitingNextCycle; {
	case n == 1:
		sentences = append(sentences, "1 order may still be paid in time: reconcile again with the next report.")
	case n > 1:
		sentences = append(sentences, countOf(n, "order")+" may still be paid in time: reconcile again with the next report.")
	}
	return sentences
}

// method says in three sentences how a run is computed. minorGap is the largest shortfall
// that it tolerates.
func method(g *domain.Guidance, minorGap domain.Paise) string {
	source := "Milaan's default"
	if g.OffsetSource == domain.OffsetExplicit {
		source = "as set for this run"
	}
	tolerance := "Every shortfall is flagged"
	if minorGap > 0 {
		tolerance = "A shortfall of at most " + minorGap.String() + " is a minor difference"
	}
	return "Each order of the storefront's export was matched with the courier's lines by AWB, and by order id where it has no AWB that the courier lists, " +
		"and what the courier remitted on these lines was added up and compared with what is due. " +
		"The courier has " + countOf(g.OffsetDays, "day") + " after delivery (" + source + ") to remit; the fulfilment or order date counts where the delivery date is not known. " +
		tolerance + ", every order has exactly one flag, and at risk is what the flagged orders are short of."
}

// totalsFormula says how the totals add up. overpaid is what was paid too much.
func totalsFormula(overpaid domain.Paise) string {
	s := "Due = Remitted + Awaiting + Shortfall"
	if overpaid > 0 {
		s += ", and At risk = Shortfall + " + overpaid.String() + " overpaid"
	}
	return s + "."
}

// bandName names a span of days.
func bandName(b *domain.AgeBand) string {
	if b.To < 0 {
		return "over " + strconv.Itoa(b.From-1) + " days"
	}
	return strconv.Itoa(b.From) + "–" + strconv.Itoa(b.To) + " days"
}
