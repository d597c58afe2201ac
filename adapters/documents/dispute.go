package documents

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"milaan/adapters/documents/pdf"
	"milaan/adapters/documents/xlsx"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
)

// packs writes dispute packs: for each courier what its desk asks for, as a workbook and
// as a covering letter.
type packs struct{ Params }

func (packs) Format() domain.Format { return domain.FormatDispute }

func (p packs) Write(create ports.CreateFile, finished *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	r := p.read(finished, b)
	r.forCourier, r.on = true, domain.DayOf(p.Clock())
	all := r.disputed()
	var asked []accused
	for len(all) > 0 {
		n := slices.IndexFunc(all, func(d dispute) bool { return d.courier != all[0].courier })
		if n < 0 {
			n = len(all)
		}
		if err := p.writePack(create, r, all[:n]); err != nil {
			return nil, err
		}
		asked, all = append(asked, all[0].courier), all[n:]
	}
	for i := range r.reports {
		courier := r.accusedBy(i + 1)
		if r.HasChosen() || slices.Contains(asked, courier) {
			continue
		}
		if letter := r.letter(courier, nil); letter.Less != "" {
			if err := writeLetter(create, courier.fileName(), letter); err != nil {
				return nil, err
			}
			asked = append(asked, courier)
		}
	}
	if asked == nil {
		return nil, writeText(create, "nothing-to-dispute", nothingAsked)
	}
	return nil, nil
}

// nothingAsked is the text of a pack without disputes.
const nothingAsked = "There is nothing to ask a courier for: each order is paid or still awaited, or what is short are charges that\n" +
	"a report states, or was written off, or is of orders that were not chosen.\n"

// fileName is the name of a courier's files, without their ending. It is made of ASCII.
func (a accused) fileName() string {
	switch {
	case a.id != "":
		return "dispute-" + a.id
	case a.report > 0:
		return "dispute-report-" + strconv.Itoa(a.report)
	}
	return "dispute-in-no-report"
}

// writePack writes the pack of one courier: a workbook, and the covering letter as PDF
// and as plain text.
func (p packs) writePack(create ports.CreateFile, r *run, all []dispute) error {
	name := all[0].courier.fileName()
	book, err := create(name + ".xlsx")
	if err != nil {
		return err
	}
	if err := r.pack(xlsx.New(book, p.Clock()), all); err != nil {
		return err
	}
	if all[0].courier == (accused{}) {
		return writeText(create, name, "No report lists these orders, and nothing shows which courier has them.\n"+
			"Look up by its AWB which courier has each, and add it to that courier's dispute.\n")
	}
	return writeLetter(create, name, r.letter(all[0].courier, all))
}

func writeLetter(create ports.CreateFile, name string, letter *pdf.Letter) error {
	document, err := create(name + ".pdf")
	if err != nil {
		return err
	}
	if err := pdf.WriteLetter(document, letter); err != nil {
		return err
	}
	return writeText(create, name, pdf.LetterText(letter))
}

func writeText(create ports.CreateFile, name, text string) error {
	file, err := create(name + ".txt")
	if err == nil {
		_, err = io.WriteString(file, text)
	}
	return err
}

// remind leaves out of a reason that the order was raised before if that was not before this document.
func (r *run) remind(reason *domain.Reason) {
	if reason.RaisedOn >= r.on {
		reason.RaisedOn = domain.NoDay
	}
}

// letter is the letter to a courier about its disputes, which may be none, and about what its payouts lack in the bank.
func (r *run) letter(courier accused, all []dispute) *pdf.Letter {
	l := &pdf.Letter{Branding: r.branding, Courier: r.name(courier), On: r.on, Reference: r.Run.ID, Disputes: make([]pdf.Dispute, len(all)),
		Less: r.receivedLess(courier)}
	var about verdict.Dispute
	for i, d := range all {
		result := r.Result(d.order)
		l.Disputes[i] = pdf.Dispute{AWB: string(result.AWB), OrderID: string(result.OrderID), OrderedOn: result.OrderedOn,
			Due: result.Due, Remitted: result.Remitted, DaysOverdue: result.DaysOverdue, Flag: d.flag, Charges: r.Details(d.order).Charges,
			Reason: string(r.why(d.order))}
		r.Dispute(d.order, &about)
		r.remind(&about.Reason)
		l.Disputes[i].Asked, l.Disputes[i].AtMost = about.Asked, about.Reason.Notes.Has(domain.NotePartPrepaid)
		l.Disputes[i].DeliveredOn, l.Disputes[i].UTR = about.DeliveredOn, string(about.UTR)
		l.Disputes[i].Line = string(r.wording.AppendDispute(nil, &about))
	}
	return l
}

// mostPayouts is how many payouts a letter names.
const mostPayouts = 10

// receivedLess asks about the payouts of a courier's reports of which less has come to the bank than was paid out, unless the charges
// that the reports state explain it; blank: there is none. What the bank itself has taken is not the courier's. A payout that is not
// found is not asked about: it may have come in without its UTR, beside another of the same amount or together with others. Nor is one
// that was returned and whose money may have come since, or what its report takes back on lines of no order, from whichever payout.
func (r *run) receivedLess(courier accused) string {
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
	more := ""
	if n := len(list) - mostPayouts; n > 0 {
		list, more = list[:mostPayouts], fmt.Sprintf("; and %d more", n)
	}
	if takenBack > 0 {
		more += "; of which they take back " + takenBack.String() + " on lines of no order"
	}
	return "By our bank statement, " + less.String() + " less has come in than your reports say was paid out (" +
		strings.Join(list, "; ") + more + "). Please tell us why, or remit the rest."
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
func (r *run) lackingTransfers(courier accused) []*transfer {
	var all []*transfer
	surplus := r.surplusReturned()
	byLine := map[int]*transfer{}
	for i, p := range slices.Concat(r.Statement.Payouts, r.Statement.Earlier) {
		returned, earlier := p.State == bank.CreditReversed && !p.SentAgain, i >= len(r.Statement.Payouts)
		if !returned && (p.State != bank.CreditDiffers || earlier) || earlier && p.Partial || r.accusedBy(p.Report) != courier {
			continue
		}
		t := byLine[p.First().Line]
		if t == nil {
			t = &transfer{CreditedPayout: &p, received: receivedOf(&p)}
			byLine[p.First().Line], all = t, append(all, t)
		}
		t.payouts++
		t.paid, t.surplus = t.paid+p.Paid-p.Undeducted, t.surplus+surplus[i]
	}
	return slices.DeleteFunc(all, func(t *transfer) bool { return t.payouts != t.Together || t.lacks() < domain.Rupee })
}

// receivedOf returns what the bank received for a payout. A debit of the amount of a credit is its return; another is a charge of the
// bank, which the courier does not owe.
func receivedOf(p *bank.CreditedPayout) (received domain.Paise) {
	if p.State == bank.CreditReversed {
		return 0
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
// is all that tells. A rounded AWB names no parcel.
func (r *run) surplusReturned() map[int]domain.Paise {
	payouts := slices.Concat(r.Statement.Payouts, r.Statement.Earlier)
	lines := func(yield func(line *verdict.Remittance, at int) bool) {
		for at, line := range r.PayoutLines() {
			if !yield(line, at) {
				return
			}
		}
		for at, line := range r.EarlierLines() {
			if !yield(line, len(r.Statement.Payouts)+at) {
				return
			}
		}
	}
	isReturned := func(p bank.CreditedPayout) bool { return p.State == bank.CreditReversed && !p.SentAgain }
	if !slices.ContainsFunc(payouts, isReturned) {
		return nil
	}
	type payment struct {
		courier accused
		parcel  string
		paid    domain.Paise
	}
	paymentOf := func(line *verdict.Remittance, at int) payment {
		parcel := cmp.Or(string(line.AWB), string(line.OrderID))
		if line.AWBRounded {
			parcel = string(line.OrderID)
		}
		return payment{r.accusedBy(payouts[at].Report), parcel, line.Remitted}
	}
	returned, kept := map[*verdict.Remittance]int{}, map[payment]domain.Day{} // the latest
	for line, at := range lines {
		if isReturned(payouts[at]) {
			returned[line] = at
		} else if p := paymentOf(line, at); p.parcel != "" {
			kept[p] = max(kept[p], line.RemittedOn)
		}
	}
	paidAgain := func(line *verdict.Remittance, at int) bool {
		on, found := kept[paymentOf(line, at)]
		return found && on >= line.RemittedOn
	}
	surplus, unclaimed := map[int]domain.Paise{}, maps.Clone(returned)
	for i := range r.All() {
		result := r.Result(i)
		left := result.Remitted + r.Details(i).Charges - result.Due
		for _, again := range []bool{true, false} {
			for line := range r.LinesOf(i) {
				at, found := returned[line]
				delete(unclaimed, line)
				if !found || left <= 0 || paidAgain(line, at) != again {
					continue
				}
				for _, charge := range r.DeductedCharges(line) {
					left -= charge
				}
				part := max(0, min(left, line.Remitted))
				surplus[at], left = surplus[at]+part, left-part
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

var (
	packHeader = []string{"AWB", "Order", "Ordered on", "Delivered on", "COD amount", "Remitted", "Shortfall", "Days overdue", "Finding",
		"Reason", "UTR"}
	packWidths = []int{17, 12, 12, 12, 19, 13, 19, 9, 18, 60, 18}
)

// pack writes the workbook of one courier: its disputes with their totals, and what is
// asked of it for each finding.
func (r *run) pack(tables tables, all []dispute) error {
	to := &page{to: tables}
	header := insertIf(r.charged, slices.Clone(packHeader), 7, "Charges", "Asked for")
	widths := insertIf(r.charged, slices.Clone(packWidths), 7, 14, 19)
	to.sheet("Disputes", widths, header...)
	var total sums
	byFlag := map[domain.Flag]*sums{}
	var about verdict.Dispute
	for _, d := range all {
		result := r.Result(d.order)
		short := result.Shortfall
		result.Shortfall = r.Asked(d.order)
		total.add(&result)
		if byFlag[d.flag] == nil {
			byFlag[d.flag] = &sums{}
		}
		byFlag[d.flag].add(&result)
		charges, why := r.Details(d.order).Charges, xlsx.TextCell(r.why(d.order))
		r.Dispute(d.order, &about)
		atMost := about.Reason.Notes.Has(domain.NotePartPrepaid)
		total.atMost, byFlag[d.flag].atMost = total.atMost || atMost, byFlag[d.flag].atMost || atMost
		cells := []xlsx.Cell{xlsx.IDCell(result.AWB), xlsx.IDCell(result.OrderID), xlsx.DayCell(result.OrderedOn),
			xlsx.DayCell(about.DeliveredOn), xlsx.AmountUpTo(result.Due, atMost), xlsx.AmountCell(result.Remitted),
			xlsx.AmountUpTo(short, atMost), xlsx.CountCell(result.DaysOverdue),
			xlsx.TextCell(wording.Flag(d.flag).Name), why, xlsx.IDCell(about.UTR)}
		cells = insertIf(r.charged, cells, 7, xlsx.AmountCell(charges), xlsx.AmountUpTo(result.Shortfall, atMost))
		to.row(cells...)
	}
	to.sheet("Totals", []int{34, 10, 20, 16, 20, 80})
	to.row(title(cmp.Or(r.branding.Name, "Milaan") + ": cash on delivery that " + r.name(all[0].courier) + " owes"))
	to.section("Finding", "Orders", "COD amount", "Remitted", "Asked for", "What we ask of you")
	for _, f := range domain.Flags() {
		if s := byFlag[f]; s != nil {
			to.row(text(wording.Flag(f).Name), xlsx.CountCell(s.orders), xlsx.AmountUpTo(s.due, s.atMost), xlsx.AmountCell(s.remitted),
				xlsx.AmountUpTo(s.shortfall, s.atMost), text(wording.Flag(f).Ask))
		}
	}
	to.row(text("Total"), xlsx.CountCell(total.orders), xlsx.AmountUpTo(total.due, total.atMost), xlsx.AmountCell(total.remitted),
		xlsx.AmountUpTo(total.shortfall, total.atMost))
	return to.close()
}
