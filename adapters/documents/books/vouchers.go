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
	"milaan/domain/bank"
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
	Contra              // moves what is not yet credited into the bank, or back
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
// statement shows it; a contra for each other month in which the statement shows money of it; and the reversal of
// a transfer that was returned. A payout of which only the ledger has lines has contras and reversals too. A payout of which
// nothing was collected, deducted or paid has none, and nor has one of which the run knows less than an earlier one: its voucher
// would replace the better one. Such payouts are left out, and the warnings say which and why.
func Of(run *ports.FinishedRun, couriers ports.Couriers) ([]Voucher, []domain.Warning) {
	b := &booking{run: run, couriers: naming.CouriersOf(couriers), books: run.Books.Complete(), reports: run.ReportTotals(),
		unshown: domain.Warning{Code: domain.WarnBeforeStatement}, partial: domain.Warning{Code: domain.WarnIncompletePayouts}}
	b.gather()
	b.allot()
	b.identify()
	for i := range b.payouts {
		b.post(&b.payouts[i])
	}
	return b.vouchers, slices.DeleteFunc([]domain.Warning{b.unshown, b.partial}, func(w domain.Warning) bool { return w.Count == 0 })
}

type booking struct {
	run      *ports.FinishedRun
	couriers naming.Couriers
	books    domain.Books
	reports  []verdict.ReportTotals
	payouts  []payout
	vouchers []Voucher

	unshown, partial domain.Warning // about payouts without a voucher of their own
}

// mostNamed is how many of the payouts that are left out a warning names.
const mostNamed = 5

// leaveOut adds a payout to the warning that says why it has no voucher.
func leaveOut(w *domain.Warning, p *payout) {
	if p.Collected == 0 && p.Paid == 0 {
		return
	}
	w.Count, w.Payouts = w.Count+1, w.Payouts+1
	w.Amount, w.HasAmount = w.Amount+p.Paid, true
	switch {
	case w.Payouts > mostNamed:
	case len(p.UTR) > 0:
		w.Examples = append(w.Examples, domain.Quotable(p.UTR))
	case p.RemittedOn != domain.NoDay:
		w.PaidOn = append(w.PaidOn, p.RemittedOn)
	}
}

// payout is a payout and what is posted of it, in paise.
type payout struct {
	bank.CreditedPayout
	earlier     bool // only the ledger has lines of it, and an earlier run has written its voucher
	id          string
	first, last domain.Day   // of the dates of its lines
	listed      domain.Paise // what they list as collected, of a parcel that is paid in parts each time
	charges     [differences]domain.Paise
	bills       []Bill
	place       map[string]int // of orders in bills
	credited    domain.Paise   // if it was paid together with others, its part of what the statement shows as credited
	returned    domain.Paise   // and of a transfer that was returned
}

// gather adds up the lines of each payout.
func (b *booking) gather() {
	if b.run.Statement != nil {
		for _, p := range b.run.Statement.Payouts {
			b.payouts = append(b.payouts, payout{CreditedPayout: p})
		}
	} else {
		for _, p := range b.run.Payouts() {
			b.payouts = append(b.payouts, payout{CreditedPayout: bank.CreditedPayout{Payout: p}})
		}
	}
	orders := b.ordersOfLines()
	for at, line := range b.run.PayoutLines() {
		b.payouts[at].gather(b.run, orders, line)
	}
	if b.run.Statement == nil {
		return
	}
	place := map[int]int{}
	for i, p := range b.run.Statement.CreditedEarlier() {
		place[i] = len(b.payouts)
		b.payouts = append(b.payouts, payout{CreditedPayout: *p, earlier: true})
	}
	if len(place) == 0 {
		return
	}
	for i, line := range b.run.EarlierLines() {
		if at, credited := place[i]; credited {
			b.payouts[at].gather(b.run, orders, line)
		}
	}
}

func (p *payout) gather(run *ports.FinishedRun, orders map[*verdict.Remittance]string, line *verdict.Remittance) {
	p.listed += line.Collected
	p.first, p.last = p.first.Earlier(line.RemittedOn), max(p.last, line.RemittedOn)
	for column, amount := range run.DeductedCharges(line) {
		p.charges[chargeOf(column)] += amount
	}
	if orders != nil {
		p.bill(oneLine(cmp.Or(orders[line], string(line.OrderID), string(line.AWB))), run.CollectedOn(line))
	}
}

// ordersOfLines returns the names of the orders that lines belong to alone; nil if no bill references are asked for.
func (b *booking) ordersOfLines() map[*verdict.Remittance]string {
	if !b.books.ByOrder {
		return nil
	}
	orders := map[*verdict.Remittance]string{}
	for i := range b.run.All() {
		name := string(b.run.Result(i).OrderID)
		for line := range b.run.LinesOf(i) {
			if _, shared := orders[line]; shared {
				orders[line] = "" // the line says whose it is
				continue
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
		if p := &b.payouts[i]; p.Together > 1 {
			line := p.First().Line
			together[line] = append(together[line], p)
		}
	}
	for _, all := range together {
		in, out := sumOf(all[0].Credits), sumOf(all[0].Debits)
		if all[0].State != bank.CreditReversed {
			in, out = all[0].Received, 0
		}
		divide(all, in, func(p *payout) *domain.Paise { return &p.credited })
		divide(all, out, func(p *payout) *domain.Paise { return &p.returned })
	}
}

func sumOf(lines []bank.StatementLine) (sum domain.Paise) {
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

// identify gives each payout its id. A payout with a UTR has it from that alone, so that a corrected report changes the
// voucher, and neither how the courier is told nor what else is in the run does. A UTR that is too short to name one
// payout of all couriers has it with the courier. One without has it from what it says: two of one day are two payouts. Their
// count would not tell them apart: of two whose reports are exported one by one, the second would take the place of the first
// in the books.
func (b *booking) identify() {
	alike := map[string]int{}
	for i := range b.payouts {
		p := &b.payouts[i]
		h := sha256.New()
		key, names := verdict.UTRKey(p.UTR)
		if names {
			_, _ = fmt.Fprintf(h, "%q", key)
		} else {
			courier := cmp.Or(p.Courier, strings.Join(p.OneOf, "+"))
			_, _ = fmt.Fprintf(h, "%q %q", courier, key)
		}
		if len(p.UTR) == 0 {
			_, _ = fmt.Fprintf(h, " %s %d %d %d", p.RemittedOn, p.Payout.Lines, p.listed, p.Paid)
		}
		id := hex.EncodeToString(h.Sum(nil)[:16])
		if alike[id]++; alike[id] > 1 {
			id += "-" + strconv.Itoa(alike[id])
		}
		p.id = id
	}
}

// post adds the vouchers of a payout: what the bank moved in its own month, a contra for what it moved in each other one, and
// the reversal, which has what went back in the month of the return. So the bank has each month what its statement
// shows. The contras name their months: a later statement shows other ones.
func (b *booking) post(p *payout) {
	day, reversed := p.dateOf(b), p.State == bank.CreditReversed
	if reversed && p.ReceivedAgain() > 0 && !sameMonth(day, p.Debits[0].On) {
		reversed = false // what came and went in other months are contras
	}
	on, inBank, back := day, domain.Paise(0), domain.Paise(0)
	var contras []Voucher
	for _, m := range p.months() {
		net := m.in - m.out
		if reversed && sameMonth(p.Debits[0].On, m.on) {
			net, back = m.in, m.out
		}
		switch year, month, _ := m.on.Date(); {
		case net == 0:
		case sameMonth(day, m.on):
			on, inBank = m.on, net
		default:
			lines := []Line{{Ledger: b.books.Bank, Amount: net}, {Ledger: b.books.NotCredited, Amount: -net}}
			contras = append(contras, b.voucher(p, fmt.Sprintf("-C%d%02d", year, month), m.on, Contra, lines))
		}
	}
	switch {
	case p.Partial && (reversed || !p.earlier):
		leaveOut(&b.partial, p)
		return
	case p.earlier:
		if inBank != 0 && p.isWhole() {
			b.add(p, "", on, 1, inBank)
		}
	case b.isUnshown(p, day):
		leaveOut(&b.unshown, p)
	default:
		b.add(p, "", on, 1, inBank)
	}
	b.vouchers = append(b.vouchers, contras...)
	if reversed {
		b.add(p, "-R", p.Debits[0].On, -1, back)
	}
}

// isWhole says whether the ledger has all of an earlier payout, as the statement shows: then its voucher is written again, because an
// earlier statement may not have shown the credit. One without a UTR has no id that is surely the same.
func (p *payout) isWhole() bool {
	_, names := verdict.UTRKey(p.UTR)
	return p.State == bank.CreditEqual && !p.Partial && names
}

// isUnshown says whether an earlier statement may show more of a payout: this one begins later and does not have all of it, or
// has its return alone. The voucher that was made with the earlier one must stay.
func (b *booking) isUnshown(p *payout, day domain.Day) bool {
	s := b.run.Statement
	return s != nil && p.State != bank.CreditEqual && (day < s.From || p.State == bank.CreditReversed && len(p.Credits) == 0)
}

// moved is what the bank moved of a payout in a month, on the day of the first line.
type moved struct {
	on      domain.Day
	in, out domain.Paise
}

// months returns what the statement shows of a payout, by month. What belongs to several payouts counts in the month of the
// first credit, and of the first debit.
func (p *payout) months() (months []moved) {
	add := func(on domain.Day, in, out domain.Paise) {
		at := slices.IndexFunc(months, func(m moved) bool { return sameMonth(m.on, on) })
		if at < 0 {
			at, months = len(months), append(months, moved{on: on})
		}
		m := &months[at]
		m.on, m.in, m.out = min(m.on, on), m.in+in, m.out+out
	}
	if p.Together > 1 {
		add(p.First().On, p.credited, 0)
		if p.State == bank.CreditReversed {
			add(p.Debits[0].On, 0, p.returned)
		}
		return months
	}
	for _, l := range p.Credits {
		add(l.On, l.Amount, 0)
	}
	for _, l := range p.Debits {
		add(l.On, 0, l.Amount)
	}
	slices.SortFunc(months, func(a, b moved) int { return cmp.Compare(a.on, b.on) })
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
	if lines = append(lines, b.owed(p, sign)...); len(lines) == 0 {
		return
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

// owed returns the line of what the courier owed: of a payout in which orders cancel each other out one for either side, for a
// line of ₹0 settles no order.
func (b *booking) owed(p *payout, sign domain.Paise) (lines []Line) {
	var bills [2][]Bill // debits and credits
	for _, bill := range p.bills {
		if bill.Amount *= sign; bill.Amount != 0 {
			side := 0
			if bill.Amount < 0 {
				side = 1
			}
			bills[side] = append(bills[side], bill)
		}
	}
	ledger := b.books.ReceivableOf(b.courierOf(p))
	if p.Collected != 0 {
		return []Line{{ledger, -sign * p.Collected, true, slices.Concat(bills[0], bills[1])}}
	}
	for _, of := range bills {
		line := Line{Ledger: ledger, Courier: true, Bills: of}
		for _, bill := range of {
			line.Amount += bill.Amount
		}
		if line.Amount != 0 {
			lines = append(lines, line)
		}
	}
	return lines
}

// courierOf names the courier of a payout, without its report: a ledger is the same every month.
func (b *booking) courierOf(p *payout) string {
	if p.Courier == "" || p.Courier == domain.CustomCourier {
		return "Courier"
	}
	return b.couriers.Name(p.Courier)
}

// The most bytes of texts of a report that a voucher shows, and how many characters of the id its number has: programs take
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
	short := suffix
	if kind == Contra {
		short = "-C" + suffix[len("-C20"):]
	}
	return Voucher{
		ID:     "milaan-" + p.id + strings.ToLower(suffix),
		Number: "COD-" + strings.ToUpper(p.id[:numberDigits-len(count)]) + count + short,
		Kind:   kind, On: on, Reference: reference, Narration: b.narration(p, suffix, reference, lines), Lines: lines,
	}
}

// narration tells of a payout: what it is, whose, its UTR, its days, and of how many lines.
func (b *booking) narration(p *payout, suffix, reference string, lines []Line) string {
	what := "COD"
	switch {
	case strings.HasPrefix(suffix, "-C"):
		what = "Credit of the COD"
		if lines[0].Amount < 0 {
			what = "Debit of the COD"
		}
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
	if p.State != bank.CreditMissing {
		if len(p.Credits) > 0 {
			parts = append(parts, "credited "+naming.LongDate(p.Credits[0].On))
		}
		if len(p.Debits) > 0 {
			what := "returned "
			if p.Paid < 0 || p.Debits[0].Amount < p.Paid { // a smaller one may be a charge of the bank
				what = "debited "
			}
			parts = append(parts, what+naming.LongDate(p.Debits[0].On))
		}
	}
	return strings.Join(append(parts, naming.CountOf(p.Payout.Lines, "line")), ", ")
}

// oneLine returns a text of a report without what ends a line or is no character.
func oneLine(s string) string {
	parts := strings.FieldsFunc(strings.ToValidUTF8(s, " "), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
	return strings.Join(parts, " ")
}
