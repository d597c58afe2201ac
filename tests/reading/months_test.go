package reading

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"milaan/tests/garbage"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// newRules are those that cases of months must reach.
var newRules = []string{
	"AWB of a link", "AWB with a leading zero", "footer without the word", "footer with the word",
	"dates read as the file's other column, day first", "dates read as the file's other column, month first",
	"dates read month first, by the orders' time", "dates read day first, by the orders' time", "dates read day first, as both readings do",
	"charges explain by their sum", "charges explain by one of them", "charges explain nothing", "column of charges with a cell that is no money",
	"total of charges, alone: true", "total of charges, alone: false", "accepted charges compared with the due", "deductions by stated charges",
	"beside: another shop's line", "beside: serves the reason alone", "beside: a repeat", "beside: takes back what was not the order's", "beside: takes money back",
	"beside: a replacement", "beside: another parcel, nothing remitted", "beside: pays what is owed", "beside: more than is owed",
	"shared AWB", "shared AWB: taken back from the named order", "shared AWB: taken back from the first order",
	"shared AWB: a line that names an order pays more than it owes", "shared AWB: more than all owe",
	"cancelled, and money taken back", "cancelled, in another order's parcel", "returned, no evidence, and something was remitted", "on its way back: nothing collected", "prepaid_collected",
	"neighbours by carrier, fewer than 20: enough are listed", "neighbours by carrier, fewer than 20: too few are listed",
	"neighbours by carrier, around: enough are listed", "neighbours by carrier, around: too few are listed", "neighbours by carrier, all: enough are listed",
	"neighbours by form and first two characters, fewer than 20: enough are listed", "neighbours by form and first two characters, fewer than 20: too few are listed",
	"neighbours by form and first two characters, around: enough are listed", "neighbours by form and first two characters, around: too few are listed",
	"neighbours by form, of few, fewer than 20: enough are listed", "neighbours by form, of few, fewer than 20: too few are listed",
	"neighbours by form, as four in five have usual ones, fewer than 20: too few are listed",
	"neighbours by form, as four in five have usual ones, around: enough are listed",
	"neighbours by all, fewer than 20: enough are listed", "neighbours by all, around: enough are listed",
	"payouts: too close to be a series", "payouts: irregular", "payouts: another line is dated within the gap", "payouts: a gap", "payouts: before the first of them", "neighbours: too few are listed on one side", "payouts: the order falls in no gap",
	"a payout is corrected", "a payout gets its UTR", "a payout is listed twice", "a line is listed again", "a payout has two UTRs",
	"flag 9", "flag 10 not covered", "flag 10 another courier or time", "flag 10 payout lacks", "flag 10 rounded line",
}

// TestMonths compares the two readings over months of one to three couriers with
// regular payouts, of which something is left out, and with all that the rules say of
// charges, lines by order id, shared parcels and dates. They are the same each time.
func TestMonths(t *testing.T) {
	t.Parallel()
	c := newComparison()
	chance := rand.New(rand.NewPCG(21, 26))
	for range size(300, 10_000, 100_000) {
		given := drawMonth(chance)
		c.add(given, len(given.Orders)+len(given.Lines))
	}
	requireReached(t, c.rules, newRules...)
	c.report(t)
}

// TestReportsSentOften compares the same where couriers send reports several times.
func TestReportsSentOften(t *testing.T) {
	t.Parallel()
	c := newComparison()
	chance := rand.New(rand.NewPCG(22, 26))
	for range size(350, 5_000, 100_000) {
		m := &month{chance: chance, given: drawMonth(chance), untidy: 30, spell: spelling(0)}
		if !isPlainlyDated(m.given) {
			continue
		}
		for range 6 {
			before := len(m.given.Lines)
			m.sendAgain()
			added := m.given.Lines[before:]
			if len(added) > 1 && m.oneOf(2) { // it is a part of the payout
				m.given.Lines = m.given.Lines[:len(m.given.Lines)-1]
				m.given.Reports[len(m.given.Reports)-1].Lines--
			}
			lacks := chance.IntN(4)
			for i := range added {
				switch l := &added[i]; {
				case lacks == 0:
					l.OrderID = ""
				case lacks == 1:
					l.UTR = ""
				case lacks == 2 && m.given.Columns.RemittedAmount != "":
					l.CODAmount = blank
				}
			}
		}
		c.add(m.given, len(m.given.Orders)+len(m.given.Lines))
	}
	requireReached(t, c.rules,
		"a payout is corrected", "a line is listed again", "a third report lists a line again", "a line is corrected with another one",
	)
	c.report(t)
}

// TestReportsWithoutIDs compares the verdicts where a courier sends a report again, or a part of it, without order ids, and the export
// lacks AWBs.
func TestReportsWithoutIDs(t *testing.T) {
	t.Parallel()
	c := newComparison()
	chance := rand.New(rand.NewPCG(22, 26))
	for range size(1_500, 10_000, 100_000) {
		m := &month{chance: chance, given: drawMonth(chance), untidy: 30, spell: spelling(0)}
		couriers := map[string]bool{}
		for _, r := range m.given.Reports {
			couriers[r.Courier] = true
		}
		if len(couriers) < len(m.given.Reports) || !m.given.Columns.OrderID || !isPlainlyDated(m.given) {
			continue
		}
		for i := range m.given.Orders {
			if m.oneOf(3) {
				m.given.Orders[i].Tracking = ""
			}
		}
		before := len(m.given.Lines)
		if m.sendAgain(); len(m.given.Lines) > before+1 && m.oneOf(2) {
			m.given.Lines = m.given.Lines[:len(m.given.Lines)-1]
			m.given.Reports[len(m.given.Reports)-1].Lines--
		}
		for i := range m.given.Lines {
			if i < before {
				m.given.Lines[i].UTR = "" // it is known only later
			} else {
				m.given.Lines[i].OrderID = ""
			}
		}
		want, _, all := c.answer(m.given)
		for _, rule := range want.Hits {
			c.rules[rule]++
		}
		for _, name := range all {
			if !strings.HasPrefix(name, "unclaimed ") { // the engine compares lines of no order only if an order is paid twice
				t.Fatalf("%s: %+v", name, c.shrink(m.given, name))
			}
		}
	}
	requireReached(t, c.rules, "the order is known by the id of another line")
}

// carrying is a courier of a drawn month.
type carrying struct {
	id, name   string
	begins     string // its AWBs
	digits     int
	first, gap int // payouts: the day of the first one, and days between two
	lag        int // days from dispatch to the earliest payout
	leftOut    int // the payout that is left out, or -1
}

// payout gives the number and the day of the payout that pays for a parcel.
func (c *carrying) payout(dispatch int, chance *rand.Rand) (number, on int) {
	for number = 0; ; number++ {
		if on = c.first + number*c.gap; on >= dispatch+c.lag {
			return number, on
		}
	}
}

// month is a month that is being drawn.
type month struct {
	chance   *rand.Rand
	given    Case
	couriers []*carrying
	untidy   int // how seldom something is unusual
	of       [][]Line
	spell    func(days int) string // of the report
}

func (m *month) oneOf(n int) bool { return m.chance.IntN(n) == 0 }

var monthStart = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// spelling gives how a file writes its days: as ISO days, or day or month first.
func spelling(style int) func(days int) string {
	layout := []string{time.DateOnly, "02/01/2006", "01/02/2006"}[style]
	return func(days int) string { return monthStart.AddDate(0, 0, days).Format(layout) }
}

// drawMonth draws a case of one to three couriers, most of it in order.
func drawMonth(chance *rand.Rand) Case {
	m := &month{chance: chance, untidy: 4 + chance.IntN(30), given: Case{
		OffsetDays: []int{7, 7, 7, 10, 1, 20}[chance.IntN(6)], MinorRupees: []int64{2, 2, 0, 10}[chance.IntN(4)], Accept: chance.IntN(2) == 0,
	}}
	m.given.Columns = reports[chance.IntN(len(reports)-1)]
	if !m.oneOf(3) {
		m.given.Columns = Columns{CODAmount: "COD Amount", RemittedAmount: []string{"Remitted Amount", "Remitted Amount", "COD Amount Remitted"}[chance.IntN(3)], RemittanceDate: true}
	}
	has := &m.given.Columns
	has.AWB, has.OrderID = true, !m.oneOf(5)
	has.Status, has.DeliveredDate, has.RemittanceStatus, has.UTR = !m.oneOf(5), !m.oneOf(3), m.oneOf(3), !m.oneOf(5)
	if has.RemittedAmount != "" && !m.oneOf(3) {
		has.Charges = [][3]string{
			{"Freight Charges", "GST"}, {"Freight Charges", "GST", "COD Charges"}, {"COD Charges", "GST", "Total Charges"}, {"Total Charges"}, {"Freight Charges", "TDS", "IGST"},
		}[chance.IntN(5)]
	}
	m.spell = spelling([]int{0, 0, 1, 2}[chance.IntN(4)])
	forms := [][2]any{{"190407", 14}, {"77", 14}, {"SF", 12}, {"4300", 11}, {"0071", 13}, {"Z", 10}}
	chance.Shuffle(len(forms), func(i, j int) { forms[i], forms[j] = forms[j], forms[i] })
	for i := range 1 + chance.IntN(3) {
		gap := []int{7, 7, 14, 15, 3}[chance.IntN(5)]
		m.couriers = append(m.couriers, &carrying{
			id: []string{"delhivery", "dtdc", "shadowfax"}[i], name: []string{"Delhivery", "DTDC Express", "Shadowfax"}[i],
			begins: forms[i][0].(string), digits: forms[i][1].(int), gap: gap, first: chance.IntN(gap), lag: 5 + chance.IntN(8), leftOut: -1,
		})
		if m.oneOf(2) {
			m.couriers[i].leftOut = 1 + chance.IntN(4)
		}
	}
	m.of = make([][]Line, len(m.couriers))
	m.drawOrders()
	m.drawNotes()
	m.join()
	m.sendAgain()
	return m.given
}

func (m *month) drawOrders() {
	chance := m.chance
	spelt := []int{0, 0, 0, 1, 2}[chance.IntN(5)]
	day := spelling(spelt)
	carriers := chance.IntN(3) // named: of none, some, all
	absent := -1               // the courier whose report was left out
	if len(m.couriers) > 1 && m.oneOf(3) {
		absent = chance.IntN(len(m.couriers))
	}
	count, span := 5+chance.IntN(65), []int{20, 40, 60}[chance.IntN(3)]
	links, anotherShop, forms := m.oneOf(5), m.oneOf(12), chance.IntN(15)
	sendsFirst := 1 + chance.IntN(4) // how the orders fall to the couriers
	for i := range count {
		which := 0
		if len(m.couriers) > 1 && m.oneOf(sendsFirst) {
			which = chance.IntN(len(m.couriers))
		}
		c := m.couriers[which]
		awb := c.begins + fmt.Sprintf("%0*d", c.digits-len(c.begins), 60868931+17*i)
		switch forms {
		case 0: // one form, and every number begins in its own way
			awb = fmt.Sprintf("%02d%09d", 10+i, chance.IntN(1e9))
		case 1: // hardly two of one form
			awb = strings.Repeat("K", 1+chance.IntN(9)) + fmt.Sprintf("%0*d", 4+chance.IntN(9), 7+i)
		}
		created := i * span / count
		sent := created + chance.IntN(4)
		o := Order{
			Name: fmt.Sprintf("#%d", 1001+i), CreatedAt: day(created), Financial: "pending", Fulfilment: "fulfilled", Tracking: awb,
			Total: Rupees([]int64{400, 600, 1000, 1000, 2000, 1499}[chance.IntN(6)]), Currency: "INR",
		}
		if !m.oneOf(3) {
			o.FulfilledAt = day(sent)
		} else {
			sent = created
		}
		if carriers == 2 || carriers == 1 && m.oneOf(2) {
			o.Carrier = []string{c.name, strings.ToUpper(c.name), strings.ReplaceAll(c.name, " ", "-")}[chance.IntN(3)]
		}
		if links {
			o.Tracking = []string{"https://track.example/p/" + awb, "https://track.example/track?lang=en&awb=" + awb + "&x=1"}[chance.IntN(2)]
		}
		if m.oneOf(2 * m.untidy) {
			o.Tracking = []string{"", rounded, zeros}[chance.IntN(3)]
		}
		if m.oneOf(m.untidy) {
			o.CancelledAt = day(created + 1)
		}
		if m.oneOf(2 * m.untidy) {
			o.PaymentMethod, o.Financial = "Razorpay", "paid"
		}
		if m.oneOf(m.untidy) {
			o.Outstanding = []Amount{Rupees(0), Rupees(200)}[chance.IntN(2)]
		}
		if spelt == 0 && m.oneOf(3*m.untidy) {
			o.CreatedAt, o.FulfilledAt = "", ""
		}
		number, on := c.payout(sent, chance)
		var lines []Line
		if i > 0 && m.oneOf(m.untidy) && m.given.Orders[i-1].Tracking != "" {
			o.Tracking = m.given.Orders[i-1].Tracking // they went in one parcel
			o.Carrier = m.given.Orders[i-1].Carrier
			m.given.Orders = append(m.given.Orders, o)
			m.drawShared(which, i, on)
			continue
		}
		m.given.Orders = append(m.given.Orders, o)
		if which == absent || number == c.leftOut || m.oneOf(m.untidy) {
			continue
		}
		first := m.line(o, awb, on)
		lines = append(lines, first)
		if m.oneOf(m.untidy) || anotherShop && m.oneOf(3) {
			lines = m.drawBeside(o, first, on)
		}
		m.of[which] = append(m.of[which], lines...)
	}
}

// line is a line that pays an order in full, or short by its charges.
func (m *month) line(o Order, awb string, on int) Line {
	chance := m.chance
	if strings.HasPrefix(awb, "0") && m.oneOf(2) {
		awb = strings.TrimLeft(awb, "0")
	}
	l := Line{AWB: awb, OrderID: o.Name, CODAmount: o.Total, RemittedAmount: o.Total, RemittanceDate: m.spell(on), UTR: fmt.Sprintf("N10826%07d", on)}
	if m.oneOf(4) {
		l.OrderID = ""
	}
	if !m.oneOf(3) {
		l.DeliveredDate = m.spell(max(0, on-3-chance.IntN(4)))
		l.Status = "Delivered"
	}
	m.charge(&l)
	switch {
	case m.oneOf(m.untidy):
		l.Status = []string{"RTO In Transit", "RTO Initiated", "RTO Delivered", "Cancelled", "Returned - pending", "Out for delivery", "RTO undelivered"}[chance.IntN(7)]
		if !m.oneOf(4) {
			l.RemittedAmount, l.Charges = Rupees(0), [3]string{}
			l.RemittanceDate = ""
		}
		if m.oneOf(3) {
			l.DeliveredDate = ""
		}
	case m.oneOf(m.untidy):
		l.RemittedAmount.Paise -= []int64{100, 4000, 20000, -5000}[chance.IntN(4)]
	case m.oneOf(m.untidy):
		l.RemittedAmount, l.CODAmount, l.Charges, l.Status = Rupees(-40), []Amount{Rupees(0), blank}[chance.IntN(2)], [3]string{"40"}, "Cancelled"
	case m.oneOf(2 * m.untidy):
		l.AWB = []string{rounded, zeros}[chance.IntN(2)]
	}
	return l
}

// charge draws the charges of a line, and most often deducts them.
func (m *month) charge(l *Line) {
	if m.given.Columns.Charges[0] == "" {
		return
	}
	freight := int64(40 + 10*m.chance.IntN(4))
	l.Charges = [3]string{fmt.Sprint(freight), fmt.Sprintf("%.2f", float64(freight)*0.18), ""}
	sum := freight*100 + freight*18
	switch m.given.Columns.Charges[2] {
	case "Total Charges":
		l.Charges[2] = fmt.Sprintf("%.2f", float64(sum)/100)
	case "COD Charges", "IGST":
		l.Charges[2] = "12"
		sum += 1200
	}
	if m.given.Columns.Charges[1] == "" {
		l.Charges = [3]string{l.Charges[0]}
		sum = freight * 100
	}
	switch {
	case m.oneOf(m.untidy):
		sum = freight * 100 // the tax is inside
	case m.oneOf(m.untidy):
		sum += 4920 // more than is stated
		if m.given.Columns.Charges[2] == "Total Charges" && m.oneOf(2) {
			l.Charges[2] = fmt.Sprintf("%.2f", float64(sum)/100) // but for the total, which counts for nothing beside them
		}
	case m.oneOf(m.untidy):
		sum = 0
	}
	if m.oneOf(8) {
		l.Charges[0] = "-" + l.Charges[0]
	}
	if m.oneOf(20 * m.untidy) {
		l.Charges[1] = "18%"
	}
	l.RemittedAmount.Paise -= sum
}

// drawBeside draws what else may be listed for an order.
func (m *month) drawBeside(o Order, first Line, on int) (lines []Line) {
	chance := m.chance
	other := m.line(o, "", on+7*chance.IntN(2))
	other.OrderID = o.Name
	other.AWB = []string{"", "", rounded, "88" + fmt.Sprintf("%010d", chance.IntN(1e9)), "88" + fmt.Sprintf("%010d", chance.IntN(1e9))}[chance.IntN(5)]
	part := Rupees([]int64{100, 200, 500}[chance.IntN(3)])
	lines = []Line{first, other}
	from := &lines[0]
	switch chance.IntN(8) {
	case 0: // a rest
		from.RemittedAmount.Paise -= part.Paise
		lines[1].CODAmount, lines[1].RemittedAmount, lines[1].Charges = part, part, [3]string{}
	case 1: // a debit
		lines[1].CODAmount, lines[1].RemittedAmount, lines[1].Charges = blank, Amount{Paise: -part.Paise, Stated: true}, [3]string{}
	case 2, 3: // a replacement, or nearly
		from.Status = []string{"RTO Delivered", "RTO", "Cancelled", "RTO In Transit", ""}[chance.IntN(5)]
		from.RemittedAmount, from.Charges = Rupees(0), [3]string{}
		if m.oneOf(3) {
			from.RemittanceDate = ""
		}
		lines[1].Status = []string{"Delivered", "", "In Transit", "RTO"}[chance.IntN(4)]
		if m.oneOf(3) {
			lines[1].RemittedAmount, lines[1].RemittanceDate, lines[1].Charges = Rupees(0), "", [3]string{}
		}
		if m.oneOf(3) {
			debit := lines[1]
			debit.AWB, debit.CODAmount, debit.RemittedAmount, debit.Status, debit.Charges = "", blank, Rupees(-60), []string{"", "RTO"}[chance.IntN(2)], [3]string{"60"}
			lines = append(lines, debit)
		}
	case 4: // a second payment, and it is taken back
		back := lines[1]
		back.RemittedAmount.Paise, back.UTR, back.RemittanceDate = -back.RemittedAmount.Paise, "U9", m.spell(on+14)
		if lines[1].UTR == from.UTR {
			lines[1].UTR = "U8"
		}
		lines = append(lines, back)
	case 5: // two parcels of one price, each listed by the order id
		from.CODAmount.Paise /= 2
		from.RemittedAmount.Paise = (from.RemittedAmount.Paise - o.Total.Paise) + from.CODAmount.Paise
		from.OrderID = o.Name
		again := *from
		again.AWB = other.AWB
		lines[1] = again
	case 6: // told of, and nothing paid
		lines[1].RemittedAmount, lines[1].RemittanceDate, lines[1].Charges = Rupees(0), "", [3]string{}
		lines[1].Status = []string{"", "RTO", "Delivered", "Manifested", "In Transit"}[chance.IntN(5)]
	}
	if m.oneOf(4) {
		chance.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	}
	return lines
}

// drawShared draws what pays for the order at i and the one above it, which have one AWB.
func (m *month) drawShared(which, i, on int) {
	a, b := m.given.Orders[i-1], m.given.Orders[i]
	at := len(m.of[which]) - 1
	if at < 0 {
		return
	}
	l := &m.of[which][at]
	if !l.CODAmount.Stated {
		return
	}
	compared, _ := (&run{hits: map[string]bool{}}).trackingOf(b.Tracking)
	if len(compared) == 0 || !strings.EqualFold(awbText(l.AWB), compared[0]) {
		return
	}
	switch m.chance.IntN(6) {
	case 0, 1: // one line pays both
		l.CODAmount.Paise += b.Total.Paise
		l.RemittedAmount.Paise += b.Total.Paise
		l.OrderID = []string{a.Name, b.Name, ""}[m.chance.IntN(3)]
	case 2: // a line for each
		second := *l
		l.OrderID, second.OrderID = a.Name, []string{b.Name, ""}[m.chance.IntN(2)]
		second.CODAmount, second.RemittedAmount = b.Total, b.Total
		m.charge(&second)
		m.of[which] = append(m.of[which], second)
	case 3: // both, and it is taken back
		l.CODAmount.Paise += b.Total.Paise
		l.RemittedAmount.Paise += b.Total.Paise
		back := *l
		back.OrderID = []string{a.Name, b.Name, ""}[m.chance.IntN(3)]
		back.CODAmount, back.RemittedAmount, back.UTR = b.Total, Amount{Paise: -b.Total.Paise, Stated: true}, "U7"
		m.of[which] = append(m.of[which], back)
	case 4: // too much
		l.CODAmount.Paise += 3 * b.Total.Paise
		l.RemittedAmount.Paise += 3 * b.Total.Paise
	}
}

// drawNotes puts repeats, footers and lines of others among the lines.
func (m *month) drawNotes() {
	chance := m.chance
	for i := range m.of {
		for range chance.IntN(2) * chance.IntN(3) {
			if n := len(m.of[i]); n > 0 {
				again := m.of[i][chance.IntN(n)]
				if m.oneOf(3) {
					again.AWB, again.OrderID = fmt.Sprintf("66%09d", chance.IntN(1e6)), []string{"", "#5001"}[chance.IntN(2)]
				}
				m.of[i] = append(m.of[i], again)
			}
		}
		if m.oneOf(3) {
			chance.Shuffle(len(m.of[i]), func(a, b int) { m.of[i][a], m.of[i][b] = m.of[i][b], m.of[i][a] })
		}
		if !m.oneOf(4) || len(m.of[i]) == 0 {
			continue
		}
		at := len(m.of[i])
		if m.oneOf(3) {
			at = 1 + chance.IntN(at)
		}
		var footer Line
		for _, l := range m.of[i][:at] {
			footer.CODAmount.Paise += l.CODAmount.Paise
			footer.RemittedAmount.Paise += l.RemittedAmount.Paise
		}
		footer.CODAmount.Stated, footer.RemittedAmount.Stated = !m.oneOf(4), true
		switch chance.IntN(6) {
		case 0:
			footer.RemittedAmount.Paise += 100 // unidentified money
		case 1:
			footer.AWB = "Grand Total"
		case 2:
			footer.Status = "कुल"
		}
		rest := append([]Line{footer}, m.of[i][at:]...)
		m.of[i] = append(append([]Line{}, m.of[i][:at]...), rest...)
	}
}

// join puts the lines into one report, or one of each courier.
func (m *month) join() {
	several := m.oneOf(2)
	for i, lines := range m.of {
		m.given.Lines = append(m.given.Lines, lines...)
		if several && (len(lines) > 0 || !m.oneOf(2)) {
			m.given.Reports = append(m.given.Reports, Report{Lines: len(lines), Courier: m.couriers[i].id})
		}
	}
	for i := range m.given.Lines { // of which no column tells
		if m.given.Columns.CODAmount == "" {
			m.given.Lines[i].CODAmount = blank
		}
		if m.given.Columns.RemittedAmount == "" {
			m.given.Lines[i].RemittedAmount = blank
		}
	}
}

// sendAgain lets a courier send a report once more, whole or in part, and corrected or not.
func (m *month) sendAgain() {
	if len(m.given.Reports) == 0 || !m.oneOf(3) {
		return
	}
	which := m.chance.IntN(len(m.given.Reports))
	from := 0
	for _, r := range m.given.Reports[:which] {
		from += r.Lines
	}
	again := m.given.Reports[which]
	lines := slices.Clone(m.given.Lines[from : from+again.Lines])
	lines = slices.DeleteFunc(lines, func(l Line) bool { // without footers
		return l.AWB == "" && l.OrderID == "" || strings.Contains(l.AWB, "Total")
	})
	more := []int64{0, 0, -10000, 5000, -1, 100}[m.chance.IntN(6)]
	half := m.oneOf(5) // what was listed is a part
	for i := range lines {
		l := &lines[i]
		paid := &l.RemittedAmount
		if m.given.Columns.RemittedAmount == "" {
			paid = &l.CODAmount
		}
		switch {
		case !paid.Stated || paid.Paise == 0:
		case half:
			paid.Paise /= 2
		default:
			paid.Paise += more
		}
		if m.oneOf(20 * m.untidy) {
			paid.Paise = 0
		}
		if m.oneOf(20 * m.untidy) {
			l.DeliveredDate, l.Status = m.spell(m.chance.IntN(60)), "Delivered"
		}
		if m.given.Columns.Charges[0] != "" && m.oneOf(10*m.untidy) {
			l.Charges[0] = "33"
		}
	}
	if m.oneOf(4) { // when the report was sent first, the UTRs were not known
		for i := range again.Lines {
			m.given.Lines[from+i].UTR = ""
		}
	}
	if m.oneOf(3) { // the report was saved in another way
		for i := range lines {
			l := &lines[i]
			if l.UTR != "" {
				l.UTR = []string{"UTR: " + l.UTR, strings.ToLower(l.UTR) + "/neft", "N-" + l.UTR[1:], "1.0826E+12", l.UTR + "1"}[m.chance.IntN(5)]
			}
			if m.oneOf(9) {
				l.OrderID = ""
			}
		}
	}
	for m.oneOf(6) && len(lines) > 1 {
		lines = lines[1:]
	}
	again.Lines = len(lines)
	m.given.Reports = append(m.given.Reports, again)
	m.given.Lines = append(m.given.Lines, lines...)
}
