package books

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"milaan/adapters/documents/naming"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// Kind is the type of a voucher, as accounting programs in India tell them apart.
type Kind uint8

// The kinds.
const (
	Journal Kind = iota // moves nothing in the bank
	Receipt             // brings money into the bank, or what is not yet credited
	Payment             // takes it from there
	Contra              // moves what is not yet credited into the bank
)

// String returns the name that accounting programs have for the kind.
func (k Kind) String() string { return [...]string{"Journal", "Receipt", "Payment", "Contra"}[k] }

// Voucher is one entry of the books. Its lines sum to 0 paise.
type Voucher struct {
	ID        string // the same whenever the same payout is written; of letters, digits and "-"
	Number    string // short, for people; made of the ID
	Kind      Kind
	On        domain.Day
	Reference string // the UTR; blank: none
	Narration string
	Lines     []Line
}

// Line is what a voucher says of one ledger.
type Line struct {
	Ledger  string
	Amount  domain.Paise // debits are above 0, credits below
	Courier bool         // the ledger is the courier's
	Bills   []Bill       // which sum to Amount; none: it is not settled by orders
}

// Bill is an order that a line settles, with its part of the amount.
type Bill struct {
	Order  string
	Amount domain.Paise
}

// Of makes the vouchers of a run, payout by payout: the payout, which is credited to the bank only as far as the bank
// statement shows it; the contra in the month of a credit that comes in another month than the payout; and the reversal of
// a transfer that was returned. A payout of which nothing was collected, deducted or paid has none.
func Of(run *ports.FinishedRun, couriers ports.Couriers) []Voucher {
	b := booking{run: run, couriers: naming.CouriersOf(couriers), books: run.Books.Complete(), reports: run.ReportTotals()}
	b.gather()
	b.allot()
	b.identify()
	for i := range b.payouts {
		b.post(&b.payouts[i])
	}
	return b.vouchers
}

// booking is the work of Of.
type booking struct {
	run      *ports.FinishedRun
	couriers naming.Couriers
	books    domain.Books
	reports  []verdict.ReportTotals
	payouts  []payout
	vouchers []Voucher
}

// payout is a payout and what is posted of it, in paise.
type payout struct {
	verdict.CreditedPayout
	id          string
	first, last domain.Day // of the dates of its lines
	charges     [differences]domain.Paise
	bills       []Bill
	place       map[string]int // of orders in bills
	credited    domain.Paise   // its part of what the statement shows as credited
	returned    domain.Paise   // its part of a transfer that was returned
}

// charge is a kind of charges, each with a ledger of its own.
type charge uint8

const (
	codCharge charge = iota
	freight
	chargesTax
	taxDeducted
	otherCharge
	differences
)

// chargeWords are words in the names of columns of charges, by what they are for. The first that a name has decides: the
// tax on freight is a tax.
var chargeWords = []struct {
	charge charge
	words  []string
}{
	{taxDeducted, []string{"tds", "tcs", "withholding", "tax deducted", "tax collected"}},
	{chargesTax, []string{"gst", "tax", "cess", "vat"}},
	{freight, []string{"freight", "shipping", "rto", "forward", "reverse", "return", "courier", "delivery", "weight", "zone", "fuel"}},
	{codCharge, []string{"cod", "cash", "collection", "early", "remittance"}},
}

// chargeOf says what a charge is for, by the name of its column.
func chargeOf(column string) charge {
	name := strings.ToLower(column)
	for _, of := range chargeWords {
		if of.charge == chargesTax && strings.Contains(name, "incl") {
			continue // freight with its tax
		}
		if slices.ContainsFunc(of.words, func(word string) bool { return strings.Contains(name, word) }) {
			return of.charge
		}
	}
	return otherCharge
}

// gather adds up the lines of each payout.
func (b *booking) gather() {
	if b.run.Statement != nil {
		for _, p := range b.run.Statement.Payouts {
			b.payouts = append(b.payouts, payout{CreditedPayout: p})
		}
	} else {
		for _, p := range b.run.Payouts() {
			b.payouts = append(b.payouts, payout{CreditedPayout: verdict.CreditedPayout{Payout: p}})
		}
	}
	orders := b.ordersOfLines()
	for at, line := range b.run.PayoutLines() {
		p := &b.payouts[at]
		if on := line.RemittedOn; on != domain.NoDay {
			if p.first == domain.NoDay || on < p.first {
				p.first = on
			}
			p.last = max(p.last, on)
		}
		for column, amount := range b.run.DeductedCharges(line) {
			p.charges[chargeOf(column)] += amount
		}
		if orders != nil {
			p.bill(oneLine(cmp.Or(orders[line], string(line.OrderID), string(line.AWB))), line.Collected)
		}
	}
}

// ordersOfLines returns the names of the orders that lines belong to alone; nil if no bill references are asked for.
func (b *booking) ordersOfLines() map[*verdict.Remittance]string {
	if !b.books.ByOrder {
		return nil
	}
	orders := map[*verdict.Remittance]string{}
	for i := range b.run.Len() {
		name := string(b.run.Result(i).OrderID)
		for line := range b.run.LinesOf(i) {
			if _, shared := orders[line]; shared {
				name = "" // the line says whose it is
			}
			orders[line] = name
		}
	}
	return orders
}

// bill notes that a line settles an order.
func (p *payout) bill(order string, collected domain.Paise) {
	if p.place == nil {
		p.place = map[string]int{}
	}
	order = domain.CutText(order, shownOrder)
	at, known := p.place[order]
	if !known {
		at = len(p.bills)
		p.place[order], p.bills = at, append(p.bills, Bill{Order: order})
	}
	p.bills[at].Amount -= collected
}

// allot divides what the statement shows among the payouts that were paid together.
func (b *booking) allot() {
	together := map[int][]*payout{} // by a line of the statement, which belongs to one transfer
	for i := range b.payouts {
		if p := &b.payouts[i]; p.State != verdict.CreditMissing {
			line := p.First().Line
			together[line] = append(together[line], p)
		}
	}
	for _, all := range together {
		in, out := sumOf(all[0].Credits), sumOf(all[0].Debits)
		if all[0].State != verdict.CreditReversed {
			in, out = all[0].Received, 0
		}
		divide(all, in, func(p *payout) *domain.Paise { return &p.credited })
		divide(all, out, func(p *payout) *domain.Paise { return &p.returned })
	}
}

func sumOf(lines []verdict.StatementLine) (sum domain.Paise) {
	for _, line := range lines {
		sum += line.Amount
	}
	return sum
}

// divide gives each payout its part of a sum, which is all of it if the sum is that of the payouts. Else what is taken
// back comes first, then each has what it paid for as long as something is left, and the last one has what is left over.
func divide(all []*payout, sum domain.Paise, part func(*payout) *domain.Paise) {
	left := sum
	for _, p := range all {
		left -= p.Paid
	}
	if whole := left == 0; whole || sum == 0 {
		for _, p := range all {
			if whole {
				*part(p) = p.Paid
			}
		}
		return
	}
	left = sum
	for _, p := range all {
		left -= min(p.Paid, 0)
		*part(p) = min(p.Paid, 0)
	}
	for _, p := range all {
		if p.Paid > 0 {
			*part(p) = min(p.Paid, left)
			left -= *part(p)
		}
	}
	*part(all[len(all)-1]) += left
}

// identify gives each payout its id. A payout with a UTR has it from the courier and the UTR, so that a corrected report
// changes the voucher. One without has it from what it says: two of one day are two payouts. Their count would not tell them
// apart: of two whose reports are exported one by one, the second would take the place of the first in the books.
func (b *booking) identify() {
	alike := map[string]int{}
	for i := range b.payouts {
		p := &b.payouts[i]
		h := sha256.New()
		courier := cmp.Or(p.Courier, strings.Join(p.OneOf, "+"))
		_, _ = fmt.Fprintf(h, "%q %q", courier, strings.ToUpper(string(p.UTR)))
		if len(p.UTR) == 0 {
			_, _ = fmt.Fprintf(h, " %s %d %d %d", p.RemittedOn, p.Payout.Lines, p.Collected, p.Paid)
		}
		id := hex.EncodeToString(h.Sum(nil)[:16])
		if alike[id]++; alike[id] > 1 {
			id += "-" + strconv.Itoa(alike[id])
		}
		p.id = id
	}
}

// post adds the vouchers of a payout. Credits of another month than its own have contras there, one for each month.
func (b *booking) post(p *payout) {
	on, inBank, months := p.dateOf(b), domain.Paise(0), p.creditedByMonth()
	for _, m := range months {
		if sameMonth(on, m.on) {
			on, inBank = m.on, m.amount
		}
	}
	b.add(p, "", on, 1, inBank)
	suffix, contras := "-C", 0
	for _, m := range months {
		if sameMonth(on, m.on) || m.amount == 0 {
			continue
		}
		if contras++; contras > 1 {
			suffix = "-C" + strconv.Itoa(contras)
		}
		lines := []Line{{Ledger: b.books.Bank, Amount: m.amount}, {Ledger: b.books.NotCredited, Amount: -m.amount}}
		b.vouchers = append(b.vouchers, b.voucher(p, suffix, m.on, Contra, lines))
	}
	if p.State == verdict.CreditReversed {
		b.add(p, "-R", p.Debits[0].On, -1, p.returned)
	}
}

// credited is what was credited in a month, on the day of its first credit.
type credited struct {
	on     domain.Day
	amount domain.Paise
}

// creditedByMonth returns what the statement shows of a payout, by month. What belongs to several payouts, or was returned
// in part, counts in the month of the first credit.
func (p *payout) creditedByMonth() (months []credited) {
	if len(p.Credits) == 0 {
		return nil
	}
	if p.Together > 1 || len(p.Debits) > 0 {
		return []credited{{p.Credits[0].On, p.credited}}
	}
	for _, c := range p.Credits {
		if last := len(months) - 1; last >= 0 && sameMonth(months[last].on, c.On) {
			months[last].amount += c.Amount
		} else {
			months = append(months, credited{c.On, c.Amount})
		}
	}
	return months
}

// dateOf returns the date of a payout as its report has it: that of the remittance, else that of its first credit, else that of
// the latest line of its report, or of the latest order.
func (p *payout) dateOf(b *booking) domain.Day {
	if p.RemittedOn == domain.NoDay && len(p.Credits) > 0 {
		return p.Credits[0].On
	}
	return cmp.Or(p.RemittedOn, b.reports[p.Report-1].Through, b.run.Guidance.BatchAsOf)
}

func sameMonth(a, b domain.Day) bool {
	year, month, _ := a.Date()
	otherYear, otherMonth, _ := b.Date()
	return year == otherYear && month == otherMonth
}

// add adds the voucher of a payout, or with the sign -1 that of its reversal. inBank is what the bank shows of it.
func (b *booking) add(p *payout, suffix string, on domain.Day, sign, inBank domain.Paise) {
	var lines []Line
	add := func(ledger string, amount domain.Paise) {
		if amount != 0 {
			lines = append(lines, Line{Ledger: ledger, Amount: sign * amount})
		}
	}
	add(b.books.Bank, inBank)
	add(b.books.NotCredited, p.Paid-inBank)
	left := p.Collected - p.Paid
	for kind, ledger := range [differences]string{b.books.CODCharges, b.books.Freight, b.books.ChargesTax, b.books.TaxDeducted,
		b.books.OtherCharges} {
		add(ledger, p.charges[kind])
		left -= p.charges[kind]
	}
	add(b.books.Difference, left)
	add(b.books.ReceivableOf(b.courierOf(p)), -p.Collected)
	if len(lines) == 0 {
		return
	}
	if last := &lines[len(lines)-1]; p.Collected != 0 {
		last.Courier = true
		for _, bill := range p.bills {
			if bill.Amount != 0 {
				last.Bills = append(last.Bills, Bill{bill.Order, sign * bill.Amount})
			}
		}
	}
	kind := Journal
	switch moved := sign * cmp.Or(p.Paid, inBank); {
	case moved > 0:
		kind = Receipt
	case moved < 0:
		kind = Payment
	}
	b.vouchers = append(b.vouchers, b.voucher(p, suffix, on, kind, lines))
}

// courierOf names the courier of a payout, without its report: a ledger is the same every month.
func (b *booking) courierOf(p *payout) string {
	if p.Courier == "" || p.Courier == domain.CustomCourier {
		return "Courier"
	}
	return b.couriers.Name(p.Courier)
}

// The most bytes of texts of a report that a voucher shows, and how many digits of the id its number has: programs take
// numbers of 16 to 21 characters.
const (
	shownReference = 60
	shownOrder     = 100
	numberDigits   = 10
)

func (b *booking) voucher(p *payout, suffix string, on domain.Day, kind Kind, lines []Line) Voucher {
	reference := oneLine(domain.CutText(string(p.UTR), shownReference))
	count := p.id[32:] // which of those that are alike
	for i := range lines {
		lines[i].Ledger = oneLine(lines[i].Ledger)
	}
	return Voucher{
		ID:     "milaan-" + p.id + strings.ToLower(suffix),
		Number: "COD-" + strings.ToUpper(p.id[:numberDigits]) + count + suffix,
		Kind:   kind, On: on, Reference: reference, Narration: b.narration(p, suffix, reference), Lines: lines,
	}
}

// narration tells of a payout: what it is, whose, its UTR, its days, and of how many lines.
func (b *booking) narration(p *payout, suffix, reference string) string {
	what := "COD"
	switch {
	case strings.HasPrefix(suffix, "-C"):
		what = "Credit of the COD"
	case suffix != "":
		what = "Returned transfer of the COD"
	}
	parts := []string{what + " payout of " + b.courierOf(p)}
	if reference != "" {
		parts = append(parts, "UTR "+reference)
	}
	if p.last != domain.NoDay {
		parts = append(parts, "remitted "+naming.Span(p.first, p.last))
	}
	if p.State != verdict.CreditMissing {
		if len(p.Credits) > 0 {
			parts = append(parts, "credited "+naming.LongDate(p.Credits[0].On))
		}
		if len(p.Debits) > 0 {
			parts = append(parts, "returned "+naming.LongDate(p.Debits[0].On))
		}
	}
	return strings.Join(append(parts, naming.CountOf(p.Payout.Lines, "line")), ", ")
}

// oneLine returns a text of a report without what ends a line or is no character.
func oneLine(s string) string {
	parts := strings.FieldsFunc(strings.ToValidUTF8(s, " "), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return strings.Join(parts, " ")
}
