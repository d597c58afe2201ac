package pdf

import (
	"strconv"

	"milaan/adapters/documents/naming"
	"milaan/domain"
	"milaan/domain/verdict"
)

// method says in a few sentences how a run is computed. minorGap is the largest shortfall
// that it tolerates, and accepts says whether charges count as paid in it.
func method(g *domain.Guidance, minorGap domain.Paise, accepts bool) string {
	source := "Milaan's default"
	if g.OffsetSource == domain.OffsetExplicit {
		source = "as set for this run"
	}
	tolerance := "Every shortfall is flagged"
	if minorGap > 0 {
		tolerance = "A shortfall of at most " + minorGap.String() + " is a small difference"
	}
	charges := ""
	if accepts {
		charges = "Charges that a report states and that explain what was deducted on a line count as paid. "
	}
	return "Each order of the storefront's export was matched with the courier's lines by AWB, and by order id where it has no AWB " +
		"that the courier lists, " +
		"and what the courier remitted on these lines was added up and compared with what is due. " +
		"The courier has " + naming.CountOf(g.OffsetDays, "day") + " after delivery (" + source +
		") to remit; the fulfilment or order date counts where the delivery date is not known. " + charges +
		tolerance + ", every order has exactly one flag, and at risk is what the flagged orders are short of."
}

// openItems says what has become of what was claimed in the run before, by its ledger.
func openItems(all *verdict.Movement) string {
	count := func(s verdict.ItemSum, what string) string {
		return naming.CountOf(s.Items, "order") + " " + what + " (" + s.Amount.Exact() + ")"
	}
	s := "Open items, by the ledger of the run before: " + count(all.Before, "open before") + ", " + count(all.Cleared, "cleared") + ", " +
		count(all.New, "new") + ", " + count(all.Now, "open now") + "."
	if all.WrittenOff.Items > 0 {
		s += " " + count(all.WrittenOff, "written off") + "."
	}
	if all.Promises.Items > 0 {
		s += " " + count(all.Promises, "promised until a day that has passed") + "."
	}
	return s
}

func bandName(b *verdict.AgeBand) string {
	if b.To < 0 {
		return "over " + strconv.Itoa(b.From-1) + " days"
	}
	return strconv.Itoa(b.From) + "–" + strconv.Itoa(b.To) + " days"
}
