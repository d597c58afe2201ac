package pdf

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"milaan/adapters/documents/naming"
	"milaan/adapters/wording"
	"milaan/domain"
)

// Letter is the covering letter of a dispute pack: a shop asks a courier for its money. Its
// texts may be any; they are made harmless when they are written.
type Letter struct {
	Branding   domain.Branding
	Courier    string     // the name of the courier; blank: nobody knows it
	On         domain.Day // the date of the letter
	Reference  string     // for answers, such as the id of the run; blank: none
	Disputes   []Dispute  // in any order of flags
	Less       string     // what it says of payouts of which the bank has received less; blank: nothing, and then it has disputes
	InNoReport string     // what it says of transfers to the bank that no report lists; blank: nothing
}

// Dispute is what a letter says about one order.
type Dispute struct {
	AWB         string
	OrderID     string
	OrderedOn   domain.Day // NoDay: not known
	DeliveredOn domain.Day // NoDay: not known
	Due         domain.Paise
	Remitted    domain.Paise
	Charges     domain.Paise // what the courier's reports state as charges
	Asked       domain.Paise // what is owed and no charge explains; negative if too much was remitted
	AtMost      bool         // a part of Due and Asked may have been prepaid
	DaysOverdue int
	Flag        domain.Flag
	Reason      string
	UTR         string // of what was remitted; blank: none
	Line        string // all of this in a sentence
}

// WriteLetter writes a letter as PDF. It returns an error if the logo is not a PNG, and the
// errors of w.
func WriteLetter(w io.Writer, l *Letter) error {
	look, err := newLook(&l.Branding)
	if err != nil {
		return err
	}
	c := l.compose()
	d, err := newDocument(look, strings.TrimSuffix(c.subject+", "+c.courier, ", "), l.On.Start())
	if err != nil {
		return err
	}
	d.head = c.subject
	d.newPage()
	d.letterhead()
	d.y += 18
	const size = 9.5
	plain := face{regular, size}
	d.colour(ink)
	d.textRight(right, d.y+size, plain, c.date)
	for _, line := range c.to {
		d.paragraph(wide*2/3, plain, line)
	}
	d.y += 14
	for _, line := range c.about {
		d.paragraph(wide, face{bold, size}, line)
	}
	d.y += 10
	for _, text := range c.opening {
		d.paragraph(wide, plain, text)
		d.y += 6
	}
	for i := range c.groups {
		d.disputes(&c.groups[i])
	}
	if c.totals != nil {
		d.total(c)
	}
	for _, text := range c.closing {
		d.paragraph(wide, plain, text)
		d.y += 6
	}
	d.sign(c, plain)
	return d.output(w)
}

func (d *document) disputes(g *group) {
	d.room(130)
	d.y += 6
	d.pdf.Bookmark(g.about.Name, 0, d.y)
	d.heading(g.title(), 11)
	d.colour(ink)
	d.paragraph(wide, face{regular, 9}, g.about.Ask)
	d.y += 4
	t := table{d: d, size: 7.5, group: g.about.Name, rest: len(g.disputes), columns: []column{
		{title: "AWB", width: 72, lines: 3}, {title: "Order", width: 50, lines: 2}, {title: "Ordered", width: 54},
		{title: "Delivered", width: 54},
		{title: "COD", width: 50, right: true}, {title: "Remitted", width: 50, right: true}, {title: "Shortfall", width: 50, right: true},
		{title: "Days", width: 27, right: true}, {title: "UTR", width: wide - 407, lines: 3}}}
	cells := func(of []string, charges domain.Paise) []string { return of }
	if g.sum.charges > 0 {
		t.columns[6].title, t.columns[8].width = "Asked for", wide-457
		t.columns = slices.Insert(t.columns, 6, column{title: "Charges", width: 50, right: true})
		cells = func(of []string, charges domain.Paise) []string { return slices.Insert(of, 6, charges.Exact()) }
	}
	t.header()
	for _, c := range g.disputes {
		t.row(clean(c.Reason), cells([]string{cleanTo(c.AWB, longestCell), cleanTo(c.OrderID, longestCell), wording.Day(c.OrderedOn),
			wording.Day(c.DeliveredOn), exact(c.Due, c.AtMost), c.Remitted.Exact(), exact(c.Asked, c.AtMost), c.days(),
			cleanTo(c.UTR, longestCell)}, c.Charges)...)
	}
	t.sum(cells([]string{naming.CountOf(g.sum.orders, "order"), "", "", "", g.sum.exact(g.sum.due), g.sum.paid.Exact(),
		g.sum.exact(g.sum.short), "", ""}, g.sum.charges)...)
	if g.more > 0 {
		d.y += 4
		d.colour(ink)
		d.paragraph(wide, face{regular, 9}, moreOrders(g.more))
	}
	d.y += 8
}

func (d *document) total(c *composition) {
	const height = 46
	d.room(height + 100) // the closing stands beside it
	d.y += 6
	d.fill(paper, left, d.y, wide, height)
	width := wide / float64(len(c.totals))
	for i, total := range c.totals {
		x := left + 10 + float64(i)*width
		d.colour(soft)
		d.text(x, d.y+16, face{regular, 8}, total[0])
		d.colour(ink)
		d.text(x, d.y+35, d.fitted(total[1], face{bold, 13}, width-16), total[1])
	}
	d.y += height + 14
	d.colour(ink)
}

// sign draws the line for the signature, and who signs.
func (d *document) sign(c *composition, f face) {
	d.room(90)
	d.y += 6
	d.paragraph(wide, f, c.farewell)
	d.y += 34
	d.fill(ink, left, d.y, 180, 0.6)
	d.y += 3
	for _, line := range c.signed {
		d.paragraph(wide/2, f, line)
	}
}

// composition is the content of a letter, cleaned.
type composition struct {
	courier  string
	date     string
	to       []string
	subject  string
	about    []string
	opening  []string
	groups   []group
	totals   [][2]string
	closing  []string
	farewell string
	signed   []string
}

type group struct {
	about    wording.FlagLabel
	disputes []*Dispute
	more     int // disputes beyond mostListed
	sum      flagSum
}

func (g *group) title() string { return g.about.Name + ": " + g.sum.String() }

func (c *Dispute) days() string {
	if c.DaysOverdue <= 0 {
		return ""
	}
	return strconv.Itoa(c.DaysOverdue)
}

// compose sorts the disputes by flag, sums them and words the letter.
func (l *Letter) compose() *composition {
	c := &composition{courier: clean(l.Courier), date: naming.LongDate(l.On), farewell: "Yours faithfully,"}
	var all, owed, over flagSum
	first, last := domain.NoDay, domain.NoDay
	byFlag := make([]group, flags)
	for i := range l.Disputes {
		one := &l.Disputes[i]
		g := &byFlag[one.Flag]
		g.sum.add(one)
		all.add(one)
		if one.Asked < 0 {
			over.add(one)
		} else {
			owed.add(one)
		}
		if all.orders <= mostListed {
			g.disputes = append(g.disputes, one)
		} else {
			g.more++
		}
		first, last = first.Earlier(one.OrderedOn), max(last, one.OrderedOn)
	}
	for _, f := range domain.Flags() {
		if g := byFlag[f]; g.sum.orders > 0 {
			g.about = wording.Flag(f)
			c.groups = append(c.groups, g)
		}
	}

	c.to = []string{"To", "The COD remittance desk"}
	if c.courier != "" {
		c.to = append(c.to, c.courier)
	}
	c.subject = "COD payouts that our bank has not received in full"
	if all.orders > 0 {
		c.subject = "COD remittances of " + naming.CountOf(all.orders, "order") + ", " + owed.exact(owed.short) + " outstanding"
	}
	c.about = []string{"Subject: " + c.subject}
	if reference := clean(l.Reference); reference != "" {
		c.about = append(c.about, "Our reference: "+reference)
	}
	if name := clean(l.Branding.Name); name != "" {
		c.signed = []string{"For " + name}
	} else {
		c.signed = []string{"Name and signature"}
	}
	c.opening = []string{"Dear Sir or Madam,"}
	for _, text := range []string{clean(l.Less), clean(l.InNoReport)} {
		if text != "" {
			c.closing = append(c.closing, text)
		}
	}
	if all.orders == 0 {
		return c
	}
	period := ""
	if first != domain.NoDay {
		period = " of " + naming.Span(first, last)
	}
	finding := "By our books " + owed.exact(owed.short) + " of their COD is outstanding"
	if over.orders > 0 {
		finding += ", and " + (-over.short).Exact() + " was paid too much"
	}
	c.opening = append(c.opening, "We have reconciled our cash-on-delivery orders"+period+" with your remittance reports. The reports differ "+
		"from our books for the orders below. "+finding+". Each list says what we ask of you; the enclosed spreadsheet has the same orders.")
	c.totals = [][2]string{{"Orders", naming.Grouped(all.orders)}, {"COD", all.exact(all.due)}, {"Remitted", all.paid.Exact()},
		{"Outstanding", owed.exact(owed.short)}}
	if over.orders > 0 {
		c.totals = append(c.totals, [2]string{"Paid too much", (-over.short).Exact()})
	}
	c.closing = append(c.closing, "Please reply with the UTR and the date of each remittance, and with your reason for each order that "+
		"you do not accept.")
	return c
}

func (s *flagSum) add(c *Dispute) {
	s.orders++
	s.atMost = s.atMost || c.AtMost
	s.due, s.paid, s.charges, s.short = s.due+c.Due, s.paid+c.Remitted, s.charges+c.Charges, s.short+c.Asked
}

func moreOrders(n int) string {
	return "The spreadsheet has " + naming.CountOf(n, "more order") + " of this kind."
}
