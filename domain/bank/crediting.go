package bank

import (
	"cmp"
	"slices"
	"strings"

	"milaan/domain"
	"milaan/domain/verdict"
)

// creditDays is by how many days the date of a credit may differ from that of its payout
// if the UTR does not show that they belong together.
const creditDays = 3

// Match holds payouts against the statement (guide: verdict 8). A payout belongs to the
// credits and debits whose narration has its UTR; payouts of one UTR are one. If no credit
// has it, the payout belongs to a credit of its amount within creditDays of it: to the only
// one that names its courier, or else to the only one that names no courier. Payouts of one
// courier and day may have been paid by one credit of their sum. A credit that names another
// courier belongs to no payout of this one, and no credit pays twice. The order of the
// statement's lines does not matter. Payouts of earlier runs come after these: to them belong the lines that have their UTR, and of
// what is left the credits that name their courier.
func (s *Statement) Match(payouts []verdict.Payout, payers []Payer, earlier ...verdict.Payout) Findings {
	m := crediting{statement: s, spent: make([]bool, len(s.lines))}
	all := slices.Concat(payouts, earlier)
	m.transfersOf(all, len(payouts))
	m.readNarrations(payers)
	m.byUTR()
	m.joinByUTR()
	m.byAmount()
	found := make([]CreditedPayout, len(all))
	for i, p := range all {
		found[i] = CreditedPayout{Payout: p, Absence: s.absenceOf(p)}
	}
	for _, t := range m.transfers {
		m.conclude(t, found)
	}
	if slices.ContainsFunc(found, func(p CreditedPayout) bool { return p.State == CreditReversed }) {
		m.findWithin(found, len(payouts))
	}
	f := Findings{Payouts: found[:len(payouts):len(payouts)], Earlier: found[len(payouts):], From: s.From, To: s.To}
	for _, i := range m.order {
		if line := &s.lines[i]; !line.debit && !m.spent[i] && line.Courier != "" {
			f.Others = append(f.Others, line.StatementLine)
		}
	}
	return f
}

// absenceOf says why a payout may be missing in the statement.
func (s *Statement) absenceOf(p verdict.Payout) Absence {
	switch {
	case p.Paid <= 0:
		return AbsenceNothingPaid
	case p.RemittedOn == domain.NoDay:
		return AbsenceUndated
	case s.From == domain.NoDay || p.RemittedOn < s.From || p.RemittedOn+creditDays > s.To:
		return AbsenceOutside
	}
	return AbsenceUnexplained
}

type crediting struct {
	statement *Statement
	order     []int       // the places of the lines, by what they say; by Line only if they say the same
	spent     []bool      // by line: it belongs to a transfer, or has the UTR of one
	couriers  [][]string  // by line: the ids of those that its narration names
	transfers []*transfer // in the order of the payouts
	days      map[courierDay][]*transfer
	payers    map[string][]string  // by key: the couriers of transfers
	left      map[string]*leftOver // by key of a returned transfer: the credits that are of no transfer and may be its money
	again     []bool               // by line: whether it is taken for the money of a returned transfer
}

// transfer is payouts that come as one amount, and the lines of the statement that belong to
// them.
type transfer struct {
	utr             string   // as verdict.UTRKey returns it; blank: none
	couriers        []string // ids, of which one pays it; none: not known, or payouts of several
	payouts         []int
	sum             domain.Paise
	on              domain.Day // the latest of the payouts
	report          int        // of the first payout
	courierReport   int        // the first one of the courier of the first payout
	earlier         bool       // it is of an earlier run
	credits, debits []int
}

// key names the couriers of a transfer; blank: not known.
func (t *transfer) key() string { return strings.Join(t.couriers, " ") }

// payersOf returns the ids of the couriers of which one pays the payout.
func payersOf(p *verdict.Payout) []string {
	if p.Courier == "" || p.Courier == domain.CustomCourier {
		return p.OneOf
	}
	return []string{p.Courier}
}

// courierDay names the payouts of one courier and day. A courier that is not known is told by
// its first report.
type courierDay struct {
	couriers      string
	courierReport int
	report        int // of payouts of one report alone
	on            domain.Day
	earlier       bool
}

// days returns which payouts one credit may pay together, in the order in which it is looked for. A courier
// that is not known may transfer what one report lists, so that comes before what all its reports list.
func (t *transfer) days() []courierDay {
	if key := t.key(); key != "" {
		return []courierDay{{couriers: key, on: t.on, earlier: t.earlier}}
	}
	return []courierDay{{report: t.report, on: t.on, earlier: t.earlier}, {courierReport: t.courierReport, on: t.on, earlier: t.earlier}}
}

// transfersOf makes a transfer of each UTR, and of each payout without one. The first payouts are the run's own.
func (m *crediting) transfersOf(payouts []verdict.Payout, own int) {
	byUTR := map[string]*transfer{}
	for i := range payouts {
		p := &payouts[i]
		couriers := payersOf(p)
		utr, names := verdict.UTRKey(p.UTR)
		if !names {
			utr = ""
		}
		t := byUTR[utr]
		if utr == "" || t == nil {
			t = &transfer{utr: utr, couriers: couriers, report: p.Report, courierReport: p.CourierReport, earlier: i >= own}
			m.transfers = append(m.transfers, t)
			byUTR[utr] = t
		}
		t.payouts = append(t.payouts, i)
		t.sum += p.Paid
		t.on = max(t.on, p.RemittedOn)
		if !slices.Equal(t.couriers, couriers) {
			t.couriers = nil
		}
	}
	m.days, m.payers = map[courierDay][]*transfer{}, map[string][]string{"": nil}
	for _, t := range m.transfers {
		if t.on != domain.NoDay && t.sum != 0 {
			for _, day := range t.days() {
				m.days[day] = append(m.days[day], t)
			}
		}
		m.payers[t.key()] = t.couriers
	}
}

// readNarrations finds the couriers that the narrations name, and orders the lines.
func (m *crediting) readNarrations(payers []Payer) {
	lines, names := m.statement.lines, namesOf(payers)
	m.order, m.couriers = make([]int, len(lines)), make([][]string, len(lines))
	for i := range lines {
		m.order[i] = i
		m.couriers[i] = readNarration(lines[i].narration).couriers(names)
		lines[i].Courier = ""
		if len(m.couriers[i]) > 0 {
			lines[i].Courier = m.couriers[i][0]
		}
	}
	slices.SortFunc(m.order, func(a, b int) int {
		x, y := &lines[a], &lines[b]
		return cmp.Or(cmp.Compare(x.On, y.On), cmp.Compare(x.Amount, y.Amount), strings.Compare(x.narration, y.narration),
			cmp.Compare(x.Line, y.Line))
	})
}

// isForeign says whether a line names couriers, and none of them can be that of a transfer, whose couriers are given.
func (m *crediting) isForeign(line int, couriers []string) bool {
	return len(couriers) > 0 && len(m.couriers[line]) > 0 && !m.names(line, couriers)
}

func (m *crediting) names(line int, couriers []string) bool {
	return slices.ContainsFunc(couriers, func(id string) bool { return slices.Contains(m.couriers[line], id) })
}

// byUTR gives transfers the lines that have their UTR.
func (m *crediting) byUTR() {
	byUTR := map[string]*transfer{}
	for _, t := range m.transfers {
		if t.utr != "" {
			byUTR[t.utr] = t
		}
	}
	if len(byUTR) == 0 {
		return
	}
	for _, i := range m.order {
		switch t := m.transferOf(i, byUTR); {
		case t == nil:
		case m.statement.lines[i].debit:
			t.debits = append(t.debits, i)
		default:
			t.credits, m.spent[i] = append(t.credits, i), true
		}
	}
}

// transferOf returns the transfer whose UTR a line has; nil if it has none. If it has
// several, the amount decides, and then which UTR is the longest.
func (m *crediting) transferOf(line int, byUTR map[string]*transfer) (best *transfer) {
	equal := false
	readNarration(m.statement.lines[line].narration).eachUTR(func(key []byte) {
		t := byUTR[string(key)]
		if t == nil || m.isForeign(line, t.couriers) {
			return
		}
		sums := t.sum == m.statement.lines[line].Amount
		if best == nil || sums && !equal || sums == equal && (len(t.utr) > len(best.utr) || len(t.utr) == len(best.utr) && t.utr < best.utr) {
			best, equal = t, sums
		}
	})
	return best
}

// joinByUTR joins the transfers of a courier and day if the statement has one credit for
// all of them, which has the UTR of one, or only its return.
func (m *crediting) joinByUTR() {
	found := map[courierDay]int{} // how many of the day's transfers have lines
	for name, day := range m.days {
		for _, t := range day {
			if len(t.credits)+len(t.debits) > 0 {
				found[name]++
			}
		}
	}
	for _, t := range m.transfers {
		moved := t.credits
		if len(moved) == 0 {
			moved = t.debits
		}
		if len(moved) != 1 || len(t.debits) > 1 || t.on == domain.NoDay || t.sum == 0 {
			continue
		}
		for _, name := range t.days() {
			if found[name] > 1 {
				continue
			}
			day, sum := m.days[name], domain.Paise(0)
			for _, other := range day {
				sum += other.sum
			}
			if sum != t.sum && sum == m.statement.lines[moved[0]].Amount {
				t.join(day)
			}
		}
	}
}

// join adds the payouts of others to a transfer. Nothing is left of the others.
func (t *transfer) join(others []*transfer) {
	for _, other := range others {
		if other != t {
			t.payouts, t.sum = append(t.payouts, other.payouts...), t.sum+other.sum
			*other = transfer{}
		}
	}
}

// byAmount gives the transfers without a credit the credits of their amounts, and then
// those of one courier and day the credit of their sum; first the credits that name the
// courier, and then those that name none. What is left and names the courier of an earlier payout may be that one's: an earlier
// statement may have shown it, so a credit that names nobody is not.
func (m *crediting) byAmount() {
	for _, pass := range []struct{ named, earlier bool }{{true, false}, {false, false}, {true, true}} {
		credits := m.unspent(pass.named)
		for together := range 3 {
			m.settle(m.open(pass.named, together, pass.earlier), credits)
		}
	}
}

// openSum is transfers of one courier and day for whose sum a credit is looked for.
type openSum struct {
	dated
	transfers []*transfer
}

// dated is an open sum or a credit by courier, amount and day.
type dated struct {
	couriers string // as transfer.key returns them; blank: no courier is compared
	amount   domain.Paise
	on       domain.Day
}

func (d dated) compare(other dated) int {
	return cmp.Or(strings.Compare(d.couriers, other.couriers), cmp.Compare(d.amount, other.amount), cmp.Compare(d.on, other.on))
}

// open returns the sums of the transfers that have no credit: if together is 0, of each by itself; if it is
// 1 or 2, of all that have the first or the second of their days in common. named is for credits that name a
// courier, earlier for payouts of earlier runs.
func (m *crediting) open(named bool, together int, earlier bool) (sums []openSum) {
	add := func(first *transfer, all []*transfer) {
		sum := openSum{dated{on: first.on}, all}
		for _, t := range all {
			if len(t.payouts) == 0 || len(t.credits) > 0 {
				return
			}
			sum.amount += t.sum
		}
		if named {
			sum.couriers = first.key()
		}
		if sum.amount > 0 && sum.on != domain.NoDay && (!named || sum.couriers != "") {
			sums = append(sums, sum)
		}
	}
	for i, t := range m.transfers {
		if t.earlier != earlier {
			continue
		}
		if together == 0 {
			add(t, m.transfers[i:i+1])
		} else if days := t.days(); together <= len(days) {
			day := m.days[days[together-1]]
			if len(day) > 1 && day[0] == t && !slices.ContainsFunc(day, func(t *transfer) bool { return len(t.debits) > 0 }) {
				add(t, day)
			}
		}
	}
	slices.SortFunc(sums, func(a, b openSum) int { return a.compare(b.dated) })
	return sums
}

// credit is a credit under the couriers of transfers of which it names one, or under none.
type credit struct {
	dated
	line int
}

func (m *crediting) unspent(named bool) (credits []credit) {
	for i := range m.statement.lines {
		line := &m.statement.lines[i]
		if line.debit || m.spent[i] {
			continue
		}
		for key, couriers := range m.payers {
			if named && m.names(i, couriers) {
				credits = append(credits, credit{dated{key, line.Amount, line.On}, i})
			}
		}
		if len(m.couriers[i]) == 0 && !named {
			credits = append(credits, credit{dated{"", line.Amount, line.On}, i})
		}
	}
	slices.SortFunc(credits, func(a, b credit) int { return a.compare(b.dated) })
	return credits
}

// settle gives each sum its only credit, unless this is the only one of another sum as well.
// A credit that is given leaves other sums with one less, so these are looked at again. Equal
// sums of one day have the same credits and are in each other's way; so each is looked at a
// few times, however many there are.
func (m *crediting) settle(sums []openSum, credits []credit) {
	look := make([]int, 0, len(sums))
	for i := range sums {
		look = append(look, i)
	}
	done := make([]bool, len(sums))
	wanted := map[int]int{} // by line: of how many sums it is the only credit
	for len(look) > 0 {
		only := map[int]*credit{} // by sum
		for _, i := range look {
			if done[i] {
				continue
			}
			from, end := near(credits, sums[i].dated, func(c credit) dated { return c.dated })
			if c := m.onlyUnspent(credits[from:end]); c != nil {
				only[i], done[i] = c, true
				wanted[c.line]++
			}
		}
		look = look[:0]
		for i, c := range only {
			if wanted[c.line] > 1 {
				continue
			}
			m.spent[c.line] = true
			all := sums[i].transfers
			all[0].join(all)
			all[0].credits = append(all[0].credits, c.line)
			for key := range m.payers {
				from, end := near(sums, dated{key, c.amount, c.on}, func(s openSum) dated { return s.dated })
				for k := from; k < end; k++ {
					look = append(look, k)
				}
			}
		}
	}
}

// onlyUnspent returns the only credit that is not spent; nil if there are several, or none.
func (m *crediting) onlyUnspent(credits []credit) (only *credit) {
	for i := range credits {
		if m.spent[credits[i].line] {
			continue
		}
		if only != nil {
			return nil
		}
		only = &credits[i]
	}
	return only
}

// near returns which part of a sorted list has the same courier and amount within
// creditDays.
func near[T any](list []T, to dated, of func(T) dated) (from, end int) {
	at := func(on domain.Day) int {
		i, _ := slices.BinarySearchFunc(list, dated{to.couriers, to.amount, on}, func(x T, y dated) int { return of(x).compare(y) })
		return i
	}
	return at(to.on - creditDays), at(to.on + creditDays + 1)
}

// mostCharge is what a bank charges for a transfer at most.
const mostCharge = 500 * domain.Rupee

// conclude says of the payouts of a transfer what its lines prove. A debit without a credit
// that is less than the payout proves that it was returned only if it is more than half of it and more than mostCharge: an adjustment may
// have made the transfer smaller, and another debit may be a charge of the bank. So it proves that a payout was taken back only if it is
// the payout's amount.
func (m *crediting) conclude(t *transfer, payouts []CreditedPayout) {
	sumOf := func(lines []int) (sum domain.Paise, all []StatementLine) {
		for _, i := range lines {
			sum += m.statement.lines[i].Amount
			all = append(all, m.statement.lines[i].StatementLine)
		}
		return sum, all
	}
	in, credits := sumOf(t.credits)
	out, debits := sumOf(t.debits)
	received, state := in-out, CreditDiffers
	switch {
	case len(credits) == 0 && len(debits) > 0 && t.sum < 0 && received == t.sum:
		state = CreditEqual
	case len(credits) == 0:
		if len(debits) == 0 || t.sum <= 0 || out < t.sum && (2*out <= t.sum || out <= mostCharge) {
			return
		}
		state = CreditReversed
	case received == t.sum:
		state = CreditEqual
	case len(debits) > 0 && received <= 0:
		state = CreditReversed
	}
	for _, i := range t.payouts {
		p := &payouts[i]
		p.State, p.Credits, p.Debits, p.Received, p.Together, p.Absence = state, credits, debits, received, len(t.payouts), AbsenceUnexplained
	}
	if first := &payouts[t.payouts[0]]; state == CreditReversed && m.sentAgain(t, first.ReceivedAgain()) {
		for _, i := range t.payouts {
			payouts[i].SentAgain = true
		}
	}
}

// sentAgain says whether the money of a returned transfer may have come after its return: by its UTR, by which some has come, or by a
// credit that no payout has and that names no other courier. Banks give what is sent again another UTR, and it may take weeks.
func (m *crediting) sentAgain(t *transfer, byUTR domain.Paise) bool {
	lines := m.statement.lines
	last := &lines[t.debits[len(t.debits)-1]]
	if byUTR >= last.Amount {
		return true
	}
	left := m.left[t.key()]
	if left == nil {
		left = m.leftFor(t)
	}
	at, _ := slices.BinarySearchFunc(left.credits, last, func(i int, last *bankLine) int {
		return cmp.Or(cmp.Compare(lines[i].Amount, last.Amount), cmp.Compare(lines[i].On, last.On))
	})
	if at = left.from(at, m.again); at == len(left.credits) || lines[left.credits[at]].Amount != last.Amount {
		return false
	}
	m.again[left.credits[at]] = true // it is the money of one transfer
	return true
}

// leftOver are credits by amount and day. Of all that stand between a place and its next one, none is left.
type leftOver struct{ credits, next []int }

// from returns the first place, from another one on, whose credit is left. It makes the way shorter for those that come later.
func (l *leftOver) from(at int, taken []bool) int {
	for at < len(l.credits) && taken[l.credits[at]] {
		if to := l.next[at]; to < len(l.credits) && taken[l.credits[to]] {
			l.next[at] = l.next[to]
		}
		at = l.next[at]
	}
	return at
}

// leftFor looks for the credits that are of no transfer and may be the money of a returned one.
func (m *crediting) leftFor(t *transfer) *leftOver {
	if m.left == nil {
		m.left, m.again = map[string]*leftOver{}, make([]bool, len(m.statement.lines))
	}
	left := new(leftOver)
	for i := range m.statement.lines {
		if !m.statement.lines[i].debit && !m.spent[i] && !m.isForeign(i, t.couriers) {
			left.credits = append(left.credits, i)
			left.next = append(left.next, len(left.credits))
		}
	}
	slices.SortStableFunc(left.credits, func(i, j int) int {
		a, b := &m.statement.lines[i], &m.statement.lines[j]
		return cmp.Or(cmp.Compare(a.Amount, b.Amount), cmp.Compare(a.On, b.On))
	})
	m.left[t.key()] = left
	return left
}

// findWithin finds those of the first payouts that another credit may have in it: one of which no payout has as much, and which can be
// their courier's. One that names no courier can only within creditDays of them, as by amount.
func (m *crediting) findWithin(payouts []CreditedPayout, own int) {
	lines := m.statement.lines
	left := make([]domain.Paise, len(lines)) // by line: what no payout has of a credit
	for i := range lines {
		if !lines[i].debit && !m.spent[i] {
			left[i] = lines[i].Amount
		}
	}
	for _, t := range m.transfers {
		if n := len(t.credits); n > 0 {
			left[t.credits[n-1]] = payouts[t.payouts[0]].Received - t.sum
		}
	}
	ofNobody := map[domain.Day]domain.Paise{} // the most of one credit
	for i, sum := range left {
		if len(m.couriers[i]) == 0 {
			ofNobody[lines[i].On] = max(ofNobody[lines[i].On], sum)
		}
	}
	named := map[string][]domain.Paise{} // by key of couriers: the most of one credit from a place of order on
	for i := range payouts[:own] {
		p := &payouts[i]
		if p.State != CreditMissing || p.Absence != AbsenceUnexplained {
			continue
		}
		couriers := payersOf(&p.Payout)
		key := strings.Join(couriers, " ")
		most, known := named[key]
		if !known {
			most = make([]domain.Paise, len(m.order)+1)
			for at, line := range slices.Backward(m.order) {
				if most[at] = most[at+1]; len(m.couriers[line]) > 0 && !m.isForeign(line, couriers) {
					most[at] = max(most[at], left[line])
				}
			}
			named[key] = most
		}
		from := p.RemittedOn - creditDays
		at, _ := slices.BinarySearchFunc(m.order, from, func(line int, on domain.Day) int { return cmp.Compare(lines[line].On, on) })
		p.Within = most[at] >= p.Paid
		for on := from; on <= p.RemittedOn+creditDays; on++ {
			p.Within = p.Within || ofNobody[on] >= p.Paid
		}
	}
}
