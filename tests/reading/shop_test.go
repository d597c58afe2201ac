package reading

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"milaan/domain"
)

// parcelFate is what became of an order's money.
type parcelFate string

const (
	paidInFull parcelFate = "paid in full"
	paidShort  parcelFate = "paid short"
	kept       parcelFate = "kept by the courier"
	cameBack   parcelFate = "came back"
	replaced   parcelFate = "came back and was replaced"
	calledOff  parcelFate = "cancelled"
	prepaid    parcelFate = "prepaid"
	tooNew     parcelFate = "not paid yet"
)

// truth is what is known of one order.
type truth struct {
	name          string
	total         int64 // paise
	courier       *trueCourier
	awb           string
	created, sent int // days since the first
	delivered     int
	fate          parcelFate
	paid          int64 // paise, on lines of reports that are given
	charged       int64 // what charges of the same lines explain
	onlyInLeftOut bool  // lines of it stand in the report that was left out alone
	expectedBy    int   // the day of the payout that would pay it
	shared        bool
}

type trueCourier struct {
	id, company    string
	header         string
	begins         string
	serial         int
	twiceMonthly   bool
	weekday        int
	lag            int // days from delivery to the earliest payout
	charges, gross bool
	reports        []*trueReport
}

// trueReport is the report of one payout, or of all payouts of a courier.
type trueReport struct {
	courier *trueCourier
	payout  int // day, or -1
	text    strings.Builder
	lines   int
	paid    int64
	pays    map[*truth]int64 // paise; 0: it lists the order
}

// shop is a month of a shop.
type shop struct {
	chance   *rand.Rand
	couriers []*trueCourier
	orders   []*truth
	export   strings.Builder
	reports  []*trueReport // those that are given
	leftOut  *trueReport
	perDay   bool // a report for each payout
	dates    int  // as in spelling
	today    int  // reports reach to this day
	last     int  // the day of the last order
	carriers bool
	replaced int // parcels
	lines    findings
}

func (s *shop) oneOf(n int) bool { return s.chance.IntN(n) == 0 }

// newShop draws a month.
func newShop(chance *rand.Rand) *shop {
	s := &shop{chance: chance, lines: findings{}}
	s.perDay, s.dates, s.carriers = !s.oneOf(3), chance.IntN(3), s.oneOf(2)
	s.last = 40 + chance.IntN(30)
	s.today = s.last + 5 + chance.IntN(30)
	s.couriers = []*trueCourier{
		{id: "delhivery", company: "Delhivery", begins: "1904076", charges: true,
			header: "AWB No,Order ID,COD Amount,Freight Charges,GST,Remitted Amount,Remittance Date,Delivered Date,Status,UTR"},
		{id: "xpressbees", company: "XpressBees", begins: "1416252", gross: true,
			header: "Waybill Number,Order ID,COD Collected,Settlement Date,Delivered Date,Status,UTR"},
		{id: "shadowfax", company: "Shadowfax", begins: "SF90071",
			header: "AWB Number,Order ID,COD Amount (INR),Remitted Amount,Remittance Date,Delivered Date,Status,UTR"},
	}
	chance.Shuffle(3, func(i, j int) { s.couriers[i], s.couriers[j] = s.couriers[j], s.couriers[i] })
	s.couriers = s.couriers[:2+chance.IntN(2)]
	for _, c := range s.couriers {
		c.serial, c.twiceMonthly, c.weekday, c.lag = chance.IntN(1e6), s.oneOf(2), chance.IntN(7), 3+chance.IntN(5)
	}
	s.drawTruth()
	s.writeReports()
	s.leaveOut()
	s.writeExport()
	return s
}

// isPayout says whether a courier pays on a day since the first of January 2026.
func (c *trueCourier) isPayout(day int) bool {
	if c.twiceMonthly {
		of := monthStart.AddDate(0, 0, day).Day()
		return of == 1 || of == 16
	}
	return day%7 == c.weekday
}

// payoutAfter is the first payout on or after a day.
func (c *trueCourier) payoutAfter(day int) int {
	for !c.isPayout(day) {
		day++
	}
	return day
}

func (c *trueCourier) nextAWB() string {
	c.serial += 7
	return fmt.Sprintf("%s%07d", c.begins, c.serial)
}

// drawTruth draws the orders and what became of them.
func (s *shop) drawTruth() {
	count := 80 + s.chance.IntN(220)
	for i := range count {
		c := s.couriers[min(s.chance.IntN(4), len(s.couriers)-1)]
		o := &truth{name: fmt.Sprintf("#%d", 1001+i), total: 100 * int64(300+10*s.chance.IntN(200)), courier: c, awb: c.nextAWB()}
		o.created = i * s.last / count
		if i == count-1 {
			o.created = s.last
		}
		o.sent = o.created + s.chance.IntN(3)
		o.delivered = o.sent + 2 + s.chance.IntN(5)
		o.expectedBy = c.payoutAfter(o.delivered + c.lag)
		switch n := s.chance.IntN(100); {
		case n < 4:
			o.fate = kept
		case n < 7:
			o.fate = paidShort
		case n < 17:
			o.fate = cameBack
		case n < 20:
			o.fate = replaced
		case n < 22:
			o.fate = calledOff
		case n < 30:
			o.fate = prepaid
		default:
			o.fate = paidInFull
		}
		if o.expectedBy > s.today && (o.fate == paidInFull || o.fate == paidShort || o.fate == kept) {
			o.fate = tooNew
		}
		if before := len(s.orders) - 1; before >= 0 && s.oneOf(30) && o.fate == paidInFull && s.orders[before].fate == paidInFull && !s.orders[before].shared {
			with := s.orders[before]
			o.courier, o.awb, o.sent, o.delivered, o.expectedBy = with.courier, with.awb, with.sent, with.delivered, with.expectedBy
			o.created = min(o.created, with.sent)
			o.shared, with.shared = true, true
		}
		s.orders = append(s.orders, o)
	}
}

// reportOf gives the report of a courier in which a payout stands.
func (s *shop) reportOf(c *trueCourier, payout int) *trueReport {
	if !s.perDay {
		payout = -1
	}
	for _, r := range c.reports {
		if r.payout == payout {
			return r
		}
	}
	r := &trueReport{courier: c, payout: payout, pays: map[*truth]int64{}}
	r.text.WriteString(c.header + "\n")
	c.reports = append(c.reports, r)
	return r
}

// write writes a line of a report. Blank dates are -1.
func (s *shop) write(r *trueReport, awb, orderID string, collected, charge, remitted int64, paidOn, delivered int, status string, of ...*truth) {
	on := func(day int) string {
		if day < 0 {
			return ""
		}
		return spelling(s.dates)(day)
	}
	utr := ""
	if paidOn >= 0 {
		utr = fmt.Sprintf("UTR%s%03d", strings.ToUpper(r.courier.id[:3]), paidOn)
	}
	cells := []string{awb, orderID, rupeeText(collected)}
	if r.courier.charges {
		freight := charge * 100 / 118
		cells = append(cells, rupeeText(freight), rupeeText(charge-freight))
		if charge != 0 {
			s.lines["lines with charges"]++
		}
	}
	if !r.courier.gross {
		cells = append(cells, rupeeText(remitted))
	}
	cells = append(cells, on(paidOn), on(delivered), status, utr)
	r.text.WriteString(strings.Join(cells, ",") + "\n")
	r.lines++
	r.paid += remitted
	for _, o := range of {
		part := remitted
		if len(of) > 1 {
			part = o.total
		}
		r.pays[o] += part
	}
}

// rupeeText writes paise as rupees.
func rupeeText(paise int64) string { return money(Amount{Paise: paise, Stated: true}) }

func (s *shop) writeReports() {
	for _, c := range s.couriers { // couriers send a report of each payout
		for day := range s.today + 1 {
			if c.isPayout(day) && s.perDay && slices.ContainsFunc(s.orders, func(o *truth) bool { return o.courier == c && o.expectedBy == day }) {
				s.reportOf(c, day)
			}
		}
	}
	for i, o := range s.orders {
		if o.expectedBy > s.today {
			continue
		}
		c := o.courier
		r := s.reportOf(c, o.expectedBy)
		id := o.name
		if s.oneOf(4) {
			id = ""
		}
		charge := int64(0)
		if c.charges && !s.oneOf(5) {
			charge = 118 * int64(30+s.chance.IntN(50))
		}
		switch o.fate {
		case paidInFull, paidShort:
			if o.shared && i > 0 && s.orders[i-1].awb == o.awb {
				continue // the line of the one above pays both
			}
			total, of := o.total, []*truth{o}
			if o.shared {
				total += s.orders[i+1].total
				of = append(of, s.orders[i+1])
				charge = 0
			}
			remitted := total - charge
			if o.fate == paidShort {
				short := 100 * (20 + int64(s.chance.IntN(int(o.total/300))))
				remitted -= short
				if c.gross {
					total = remitted
				}
			}
			s.write(r, o.awb, id, total, charge, remitted, o.expectedBy, o.delivered, "Delivered", of...)
			o.charged = charge
		case cameBack, replaced:
			status := []string{"RTO", "RTO Delivered", "RTO In Transit"}[s.chance.IntN(3)]
			s.write(r, o.awb, id, 0, 0, 0, -1, -1, status, o)
			again := c.payoutAfter(o.expectedBy + 8)
			if o.fate == cameBack || again > s.today || s.replaced == 4 { // five could be another shop's
				o.fate = cameBack
				continue
			}
			s.replaced++
			total, remitted := o.total, o.total
			if s.oneOf(3) {
				remitted -= 20000
				if c.gross {
					total = remitted
				}
			}
			s.write(s.reportOf(c, again), c.nextAWB(), o.name, total, 0, remitted, again, again-5, "Delivered", o)
		case calledOff:
			if s.oneOf(2) && !c.gross {
				s.write(r, o.awb, id, 0, 0, 0, -1, -1, "Cancelled", o)
			}
		}
	}
}

func (s *shop) leaveOut() {
	var all []*trueReport
	for _, c := range s.couriers {
		for _, r := range c.reports {
			if r.lines > 0 {
				all = append(all, r)
			}
		}
	}
	at := s.chance.IntN(len(all))
	s.leftOut = all[at]
	s.reports = slices.Delete(all, at, at+1)
	given := map[*truth]bool{}
	for _, r := range s.reports {
		for o, paid := range r.pays {
			given[o] = true
			o.paid += paid
		}
	}
	for o := range s.leftOut.pays {
		o.onlyInLeftOut = !given[o]
	}
	for len(s.reports) > domain.MaxReports { // a person puts two files of a courier together
		for i := len(s.reports) - 1; i > 0; i-- {
			if s.reports[i].courier == s.reports[i-1].courier {
				s.reports[i-1].add(s.reports[i])
				s.reports = slices.Delete(s.reports, i, i+1)
				break
			}
		}
	}
}

// add appends the lines of another report with the same header.
func (r *trueReport) add(other *trueReport) {
	_, lines, _ := strings.Cut(other.text.String(), "\n")
	r.text.WriteString(lines)
	r.lines += other.lines
	r.paid += other.paid
}

func (s *shop) writeExport() {
	s.export.WriteString("Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Currency,Total,Created at,Cancelled at,Payment Method,Outstanding Balance,Fulfillment: Tracking Number")
	if s.carriers {
		s.export.WriteString(",Fulfillment: Tracking Company")
	}
	s.export.WriteString("\n")
	at := func(day int) string {
		return monthStart.AddDate(0, 0, day).Format(time.DateOnly) + " 11:22:33 +0530"
	}
	for _, o := range s.orders {
		method, financial, cancelled := "Cash on Delivery (COD)", "pending", ""
		switch o.fate {
		case prepaid:
			method, financial = "Razorpay", "paid"
		case calledOff:
			cancelled = at(o.created + 1)
		}
		cells := []string{o.name, "buyer@shop.example", financial, "", "fulfilled", at(o.sent), "INR", rupeeText(o.total), at(o.created), cancelled, method, "", o.awb}
		if s.carriers {
			cells = append(cells, o.courier.company)
		}
		s.export.WriteString(strings.Join(cells, ",") + "\n")
	}
}
