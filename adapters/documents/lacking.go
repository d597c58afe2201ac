package documents

import (
	"cmp"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"milaan/adapters/documents/naming"
	"milaan/adapters/documents/pdf"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
)

// mostPayouts is how many payouts, or credits without one, a letter names.
const mostPayouts = 10

// receivedLess asks about the payouts of a courier's reports of which less has come to the bank than was paid out, unless the charges
// that the reports state explain it; blank: there is none. What the bank itself has taken is not the courier's. A payout that is not
// found is not asked about: it may have come in without its UTR, beside another of the same amount or together with others. Nor is one
// that was returned and whose money may have come since, or what its report takes back on lines of no order, from whichever payout.
func (r *run) receivedLess(courier addressee) string {
	if r.Statement == nil {
		return ""
	}
	all := r.lackingTransfers(courier)
	lacking := map[int]domain.Paise{} // by report
	for _, t := range all {
		lacking[t.Report] += t.lacks()
	}
	var less, takenBack domain.Paise
	for report := range lacking {
		back := max(0, -r.reports[report-1].Unidentified.Remitted)
		if lacking[report] -= back; lacking[report] >= domain.Rupee {
			less, takenBack = less+lacking[report], takenBack+back
		}
	}
	var list []string
	for _, t := range all {
		if lacking[t.Report] < domain.Rupee {
			continue
		}
		beyond := ""
		if t.surplus > 0 {
			beyond = t.surplus.String() + " of it beyond what is due, "
		}
		list = append(list, fmt.Sprintf("UTR %s: %s paid out, %s%s received", domain.Quotable(t.UTR), t.paid, beyond, t.received))
	}
	if len(list) == 0 {
		return ""
	}
	taken := ""
	if takenBack > 0 {
		taken = "; of which they take back " + takenBack.String() + " on lines of no order"
	}
	return "By our bank statement, " + less.String() + " less has come in than your reports say was paid out (" +
		listed(list) + taken + "). Please tell us why, or remit the rest."
}

// inNoReport asks a courier for the reports of transfers to the bank that are in none: they may pay what the disputes ask for. What came
// before the first of these orders pays none. It returns a blank text if there is none, if nobody knows the courier, or if the statement
// does not show a payout of its that it should show, for that may be the transfer.
func (r *run) inNoReport(courier addressee, disputes []pdf.Dispute) string {
	isLost := func(p bank.CreditedPayout) bool {
		return p.State == bank.CreditMissing && p.Absence == bank.AbsenceUnexplained && r.addresseeOf(p.Report) == courier
	}
	if r.Statement == nil || courier.id == "" || len(disputes) == 0 || slices.ContainsFunc(r.Statement.Payouts, isLost) {
		return ""
	}
	first := slices.MinFunc(disputes, func(a, b pdf.Dispute) int { return cmp.Compare(a.OrderedOn, b.OrderedOn) }).OrderedOn
	var list []string
	for _, c := range r.Statement.Others {
		if c.Courier == courier.id && c.On >= first {
			list = append(list, fmt.Sprintf("%s on %s, %s", c.Amount, naming.LongDate(c.On), domain.Quotable([]byte(c.Narration))))
		}
	}
	if list == nil {
		return ""
	}
	return "Our bank statement has transfers of yours that we find in none of your reports (" + listed(list) +
		"). If they pay any of these orders, please send us their reports."
}

// listed joins the first mostPayouts of some texts, and says how many more there are.
func listed(list []string) string {
	more := ""
	if n := len(list) - mostPayouts; n > 0 {
		list, more = list[:mostPayouts], fmt.Sprintf("; and %d more", n)
	}
	return strings.Join(list, "; ") + more
}

// transfer is one transfer of the bank that paid one payout or several: those of one UTR, which share its lines.
type transfer struct {
	*bank.CreditedPayout
	payouts                 int
	paid, received, surplus domain.Paise
}

func (t *transfer) lacks() domain.Paise { return t.paid - t.surplus - t.received }

// lackingTransfers returns the transfers of a courier of which less was received than was paid out. Of one of an earlier run only the
// return is sure: an earlier statement may show another part of it.
func (r *run) lackingTransfers(courier addressee) []*transfer {
	var all []*transfer
	surplus := r.surplusReturned()
	byLine := map[int]*transfer{}
	for i, p := range slices.Concat(r.Statement.Payouts, r.Statement.Earlier) {
		returned, earlier := p.State == bank.CreditReversed && !p.SentAgain, i >= len(r.Statement.Payouts)
		if !returned && (p.State != bank.CreditDiffers || earlier) || earlier && p.Partial || r.addresseeOf(p.Report) != courier {
			continue
		}
		t := byLine[p.First().Line]
		if t == nil {
			t = &transfer{CreditedPayout: &p, received: receivedOf(&p)}
			byLine[p.First().Line], all = t, append(all, t)
		}
		t.payouts++
		t.paid, t.surplus = t.paid+p.Paid-p.Undeducted, t.surplus+surplus[i]
		if earlier { // an adjustment that no line of the ledger has may have made it less
			var back domain.Paise
			for _, d := range p.Debits {
				back += d.Amount
			}
			t.paid = min(t.paid, back)
		}
	}
	return slices.DeleteFunc(all, func(t *transfer) bool { return t.payouts != t.Together || t.lacks() < domain.Rupee })
}

// receivedOf returns what the bank received for a payout. A debit of the amount of a credit is its return; another is a charge of the
// bank, which the courier does not owe. Of a returned one it is what came after the return.
func receivedOf(p *bank.CreditedPayout) (received domain.Paise) {
	if p.State == bank.CreditReversed {
		return p.ReceivedAgain()
	}
	for _, c := range p.Credits {
		received += c.Amount
	}
	for _, d := range p.Debits {
		if slices.ContainsFunc(p.Credits, func(c bank.StatementLine) bool { return c.Amount == d.Amount }) {
			received -= d.Amount
		}
	}
	return received
}

// surplusReturned returns how much of each returned payout is more than is due for its orders, by its place in Statement.Payouts and then
// in Earlier. A courier that sends money again lists its parcels again, under the new UTR, so of an order those lines come first for whose
// parcel a payout of the courier pays as much that is not an earlier one. Of a line of no order nobody knows what is due, so such a payment
// is all that tells. What is absent in the statement too pays nothing.
func (r *run) surplusReturned() map[int]domain.Paise {
	payouts := slices.Concat(r.Statement.Payouts, r.Statement.Earlier)
	isReturned := func(p bank.CreditedPayout) bool { return p.State == bank.CreditReversed && !p.SentAgain }
	if !slices.ContainsFunc(payouts, isReturned) {
		return nil
	}
	returned, kept := map[*verdict.Remittance]int{}, map[payment]domain.Day{} // the latest
	rest, absent := map[*verdict.Remittance]domain.Paise{}, map[*verdict.Remittance]domain.Paise{}
	for at, line := range r.linesOfPayouts() {
		p := r.paymentOf(line, payouts[at].Report)
		switch {
		case isReturned(payouts[at]):
			returned[line], rest[line] = at, line.Remitted
		case at < len(r.Statement.Payouts) && isAbsent(&payouts[at]):
			absent[line] = r.withCharges(line)
		case p.parcel != "":
			kept[p] = max(kept[p], line.RemittedOn)
		}
	}
	paidAgain := func(line *verdict.Remittance, at int) bool {
		on, found := kept[r.paymentOf(line, payouts[at].Report)]
		return found && on >= line.RemittedOn
	}
	surplus, unclaimed := map[int]domain.Paise{}, maps.Clone(returned)
	for i := range r.All() {
		result := r.Result(i)
		left := result.Remitted + r.Details(i).Charges - result.Due
		take := func(of map[*verdict.Remittance]domain.Paise, line *verdict.Remittance) domain.Paise { // a line may be of several orders
			part := max(0, min(left, of[line]))
			of[line], left = of[line]-part, left-part
			return part
		}
		for _, again := range []bool{true, false} {
			if !again {
				for line := range r.LinesOf(i) {
					take(absent, line)
				}
			}
			for line := range r.LinesOf(i) {
				at, found := returned[line]
				delete(unclaimed, line)
				if !found || left <= 0 || paidAgain(line, at) != again {
					continue
				}
				left -= r.withCharges(line) - line.Remitted
				surplus[at] += take(rest, line)
			}
		}
	}
	for line, at := range unclaimed {
		if paidAgain(line, at) {
			surplus[at] += line.Remitted
		}
	}
	return surplus
}

// withCharges is what a line pays, and what was deducted from it.
func (r *run) withCharges(line *verdict.Remittance) domain.Paise {
	sum := line.Remitted
	for _, charge := range r.DeductedCharges(line) {
		sum += charge
	}
	return sum
}

// isAbsent says whether the statement should have a payout of this run and does not, nor a credit that may have it in it.
func isAbsent(p *bank.CreditedPayout) bool {
	return p.State == bank.CreditMissing && p.Absence == bank.AbsenceUnexplained && !p.Within
}

// linesOfPayouts yields the lines of the payouts of this run and then of earlier ones, each with the place of its payout.
func (r *run) linesOfPayouts() iter.Seq2[int, *verdict.Remittance] {
	return func(yield func(int, *verdict.Remittance) bool) {
		for at, line := range r.PayoutLines() {
			if !yield(at, line) {
				return
			}
		}
		for at, line := range r.EarlierLines() {
			if !yield(len(r.Statement.Payouts)+at, line) {
				return
			}
		}
	}
}

// payment is what a courier paid for a parcel.
type payment struct {
	courier addressee
	parcel  string // blank if nobody can tell which: a rounded AWB names none
	paid    domain.Paise
}

func (r *run) paymentOf(line *verdict.Remittance, report int) payment {
	parcel := cmp.Or(string(line.AWB), string(line.OrderID))
	if line.AWBRounded {
		parcel = string(line.OrderID)
	}
	return payment{r.addresseeOf(report), parcel, line.Remitted}
}
