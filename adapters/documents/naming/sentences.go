package naming

import (
	"cmp"
	"fmt"

	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/bank"
)

// CountOf returns a number with its noun.
func CountOf(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Grouped(n) + " " + noun + "s"
}

// Grouped writes a number with commas as in India: 1,23,456.
func Grouped(n int) string { return string(domain.AppendGrouped(nil, n)) }

// LongDate writes a day as 31 Mar 2026.
func LongDate(d domain.Day) string { return cmp.Or(wording.Day(d), "not known") }

// Span writes a first and a last day.
func Span(first, last domain.Day) string {
	if first == last {
		return LongDate(first)
	}
	return LongDate(first) + " to " + LongDate(last)
}

// Statement says what a bank statement says about the payouts, as sentences.
func Statement(f *bank.Findings) (sentences []string) {
	var counts [bank.CreditStates]int
	var sums [bank.CreditStates]domain.Paise
	var outside, undated, unpaid int
	var other domain.Paise        // received in place of what was paid out
	counted := make(map[int]bool) // the first lines of payouts, which may share them
	for i := range f.Payouts {
		p := &f.Payouts[i]
		switch {
		case p.State == bank.CreditDiffers && !counted[p.First().Line]:
			counted[p.First().Line] = true
			other += p.Received
		case p.State != bank.CreditMissing:
		case p.Absence == bank.AbsenceNothingPaid:
			unpaid++
			continue
		case p.Absence == bank.AbsenceOutside:
			outside++
		case p.Absence == bank.AbsenceUndated:
			undated++
		}
		counts[p.State]++
		sums[p.State] += p.Paid
	}
	say := func(n int, sentence string) {
		if n > 0 {
			sentences = append(sentences, sentence)
		}
	}
	say(counts[bank.CreditEqual], fmt.Sprintf("Credited: %s of %s.", CountOf(counts[bank.CreditEqual], "payout"),
		sums[bank.CreditEqual]))
	say(counts[bank.CreditDiffers], fmt.Sprintf("Credited with another amount: %s of %s, for which %s came in.",
		CountOf(counts[bank.CreditDiffers], "payout"), sums[bank.CreditDiffers], other))
	say(counts[bank.CreditReversed], fmt.Sprintf("Reversed: %s of %s; the bank returned the money, so it was not received.",
		CountOf(counts[bank.CreditReversed], "payout"), sums[bank.CreditReversed]))
	missing := fmt.Sprintf("Not in the statement: %s of %s", CountOf(counts[bank.CreditMissing], "payout"), sums[bank.CreditMissing])
	if counts[bank.CreditMissing] == 1 && outside+undated > 0 {
		missing += map[bool]string{true: "; the statement does not cover its days", false: "; the reports have no date for it"}[outside > 0]
	} else {
		if outside > 0 {
			missing += fmt.Sprintf("; the statement does not cover the days of %d of these", outside)
		}
		if undated > 0 {
			missing += fmt.Sprintf("; the reports have no date for %d of these", undated)
		}
	}
	say(counts[bank.CreditMissing], missing+".")
	say(unpaid, fmt.Sprintf("Nothing was paid out: %s.", CountOf(unpaid, "payout")))
	var earlier int
	var before domain.Paise
	for _, p := range f.CreditedEarlier() {
		earlier++
		if !counted[p.First().Line] {
			counted[p.First().Line] = true
			before += p.Received
		}
	}
	say(earlier, fmt.Sprintf("Payouts of earlier runs: %s, for which %s came in.", CountOf(earlier, "payout"), before))
	var unplaced domain.Paise
	for i := range f.Others {
		unplaced += f.Others[i].Amount
	}
	others := "%s of %s that name a courier and belong to no payout: ask for the reports that list them."
	if len(f.Others) == 1 {
		others = "%s of %s that names a courier and belongs to no payout: ask for the report that lists it."
	}
	say(len(f.Others), fmt.Sprintf(others, CountOf(len(f.Others), "credit"), unplaced))
	return sentences
}

// Credit says what a bank statement says about one payout.
func Credit(p *bank.CreditedPayout) string {
	label := wording.Credit(p.State)
	switch {
	case p.State == bank.CreditReversed:
		return label + ": the bank returned the money"
	case p.State != bank.CreditMissing:
		return label
	}
	switch p.Absence {
	case bank.AbsenceOutside:
		return label + ", which does not cover its days"
	case bank.AbsenceUndated:
		return label + ", and it has no date"
	case bank.AbsenceNothingPaid:
		return "Nothing was paid out"
	}
	return label
}
