package pdf

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"milaan/adapters/documents/naming"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// fileName is the name of a run's document.
const fileName = "milaan-report.pdf"

// Reporter writes the document of a run.
type Reporter struct {
	Clock    ports.Clock     // has the date of the document
	Words    peers.Wording   // for reasons and warnings
	Couriers naming.Couriers // may be nil
}

// Write creates the only file when the document is complete. It also returns an error if
// the logo is not a PNG.
func (p Reporter) Write(create ports.CreateFile, run *ports.FinishedRun, b domain.Branding) error {
	l, err := newLook(&b)
	if err != nil {
		return err
	}
	made := p.Clock()
	r := &findings{run: run, words: p.Words, couriers: p.Couriers}
	r.survey()
	title := "COD reconciliation report"
	if r.first != domain.NoDay {
		title += ", " + naming.Span(r.first, r.last)
	}
	if r.document, err = newDocument(l, title+", "+l.name, made); err != nil {
		return err
	}
	r.head = title
	r.newPage()
	r.letterhead()
	r.cover(wording.Moment(made))
	r.totals()
	r.charts()
	r.remarks()
	r.listing()
	if err := r.pdf.Error(); err != nil {
		return err
	}
	out, err := create(fileName)
	if err != nil {
		return err
	}
	return r.output(out)
}

// findings is the document of a run that is being written.
type findings struct {
	*document
	run      *ports.FinishedRun
	words    peers.Wording
	couriers naming.Couriers

	sums        [flags]flagSum
	awaiting    domain.Paise // what may still come in time
	first, last domain.Day   // order dates; NoDay: the export has none
	listed      []int32      // the flagged orders that are listed, flag by flag
	unlisted    int          // flagged orders beyond mostListed
}

type flagSum struct {
	orders  int
	due     domain.Paise
	short   domain.Paise
	charges domain.Paise // what the reports state as charges, in a letter
	paid    domain.Paise
	atMost  bool // a part of due and short may have been prepaid, in a letter
}

// String says how many orders there are, and what they are short of.
func (s *flagSum) String() string {
	if s.short < 0 {
		return naming.CountOf(s.orders, "order") + ", " + (-s.short).Exact() + " too much"
	}
	return naming.CountOf(s.orders, "order") + ", " + s.exact(s.short)
}

// exact is one of the sums in words.
func (s *flagSum) exact(sum domain.Paise) string { return exact(sum, s.atMost) }

// exact is an amount in words, of which a part may have been prepaid if it is at most this.
func exact(amount domain.Paise, atMost bool) string {
	if atMost {
		return "up to " + amount.Exact()
	}
	return amount.Exact()
}

const flags = int(domain.AwaitingNextCycle) + 1

// mostListed is how many orders a document lists, on some 800 pages. The workbook has all.
// The library keeps the whole document in memory: 4 KB for an ordinary order, 16 KB for one
// whose name and AWB are long and in Devanagari.
const mostListed = 20_000

// survey looks at all orders once.
func (r *findings) survey() {
	tally := &r.run.Tally
	var next [flags]int // where the next order of a flag goes in listed
	n := 0
	for _, f := range domain.Flags() {
		if next[f] = n; f.IsFlagged() {
			n += tally.Flags[f]
		}
	}
	r.listed = make([]int32, n)
	for i := range r.run.Len() {
		o := r.run.Result(i)
		s := &r.sums[o.Flag]
		s.orders, s.due, s.short, s.paid = s.orders+1, s.due+o.Due, s.short+o.Shortfall, s.paid+o.Remitted
		if o.Flag == domain.AwaitingNextCycle {
			r.awaiting += o.Due - o.Remitted
		}
		r.first, r.last = r.first.Earlier(o.OrderedOn), max(r.last, o.OrderedOn)
		if o.Flag.IsFlagged() {
			r.listed[next[o.Flag]] = int32(i)
			next[o.Flag]++
		}
	}
	if n > mostListed {
		r.listed, r.unlisted = r.listed[:mostListed], n-mostListed
	}
}

func (r *findings) cover(made string) {
	r.y += 20
	r.heading("COD reconciliation report", 22)
	facts := [][2]string{{"Period", "not known: the export has no order dates"}, {"Made on", made}}
	if r.first != domain.NoDay {
		facts[0][1] = "orders of " + naming.Span(r.first, r.last)
	}
	if brand := clean(r.run.Run.Brand); brand != "" && brand != domain.DefaultBrand && brand != r.look.name {
		facts = append(facts, [2]string{"Brand", brand})
	}
	if courier := cmp.Or(r.couriersOf(r.run.ReportTotals()), clean(r.run.Run.CourierName)); courier != "" {
		label := "Courier"
		if strings.Contains(courier, ", ") {
			label = "Couriers"
		}
		facts = append(facts, [2]string{label, courier})
	}
	if id := clean(r.run.Run.ID); id != "" {
		facts = append(facts, [2]string{"Run", id})
	}
	for _, fact := range facts {
		r.colour(soft)
		r.text(left, r.y+9, face{regular, 9}, fact[0])
		r.colour(ink)
		for _, line := range r.lines(fact[1], face{regular, 9}, wide-60, 3) {
			r.text(left+60, r.y+9, face{regular, 9}, line)
			r.y += 13
		}
	}
	r.y += 8
}

// couriersOf names the couriers of reports, each once.
func (r *findings) couriersOf(reports []verdict.ReportTotals) string {
	var names []string
	for i := range reports {
		if name := r.couriers.Of(&reports[i], len(reports) > 1); reports[i].Courier != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}

// totals draws the sums of the run, and of each report if there are several.
func (r *findings) totals() {
	t := &r.run.Tally
	tiles := []struct {
		name   string
		amount domain.Paise
	}{{"Due", t.Due}, {"Remitted", t.Remitted}, {"Awaiting", r.awaiting}, {"Shortfall", t.Shortfall},
		{wording.AcceptedCharges, r.run.Accepted}, {"At risk", t.AtRisk}}
	if !r.run.Accepts() {
		tiles = slices.Delete(tiles, 4, 5)
	}
	const gap, height = 8, 44
	width := (wide - gap*float64(len(tiles)-1)) / float64(len(tiles))
	for i, tile := range tiles {
		x := left + float64(i)*(width+gap)
		last := i == len(tiles)-1
		back, front, label := paper, ink, soft
		if last {
			back, front, label = r.look.colour, onto(r.look.colour), onto(r.look.colour)
		}
		r.fill(back, x, r.y, width, height)
		r.colour(label)
		r.text(x+8, r.y+15, face{regular, 8}, tile.name)
		r.colour(front)
		f := r.fitted(tile.amount.Exact(), face{bold, 13}, width-16)
		r.text(x+8, r.y+34, f, tile.amount.Exact())
	}
	r.y += height + 8
	r.colour(soft)
	reports := r.run.ReportTotals()
	lines := naming.CountOf(verdict.LinesOf(reports), "line")
	if own := len(r.run.Reports()); own > 1 {
		lines += " in " + naming.CountOf(own, "report")
	}
	r.paragraph(wide, face{regular, 8.5}, naming.CountOf(t.Orders, "order")+" against "+lines+". "+
		wording.Totals(r.run.Accepts(), -r.sums[domain.Overpaid].short))
	if r.run.Remembers() {
		r.y += 6
		_, all := r.run.Movements()
		r.paragraph(wide, face{regular, 8.5}, openItems(&all))
	}
	if len(reports) > 1 {
		r.y += 6
		r.reports(reports)
	}
	r.y += 12
}

// reports draws the control totals of each report (guide: verdict 8).
func (r *findings) reports(all []verdict.ReportTotals) {
	t := table{d: r.document, size: 7.8, rest: len(all), columns: []column{
		{title: "Report", width: 32}, {title: "Courier", width: 60, lines: 2}, {title: "Lines", width: 36, right: true},
		{title: "Remitted", width: 62, right: true}, {title: wording.PartMatched, width: 62, right: true},
		{title: wording.PartUnclaimed, width: 54, right: true}, {title: wording.PartRepeated, width: 52, right: true},
		{title: wording.PartCorrected, width: 52, right: true}, {title: wording.PartUnidentified, width: 54, right: true},
		{title: "Reaches to", width: wide - 464, right: true}}}
	charged := slices.ContainsFunc(all, func(t verdict.ReportTotals) bool { return t.Charges != 0 })
	cells := func(of []string, charges domain.Paise) []string { return of }
	if charged {
		t.columns[1].width, t.columns[3].width, t.columns[4].width, t.columns[9].width = 52, 58, 58, wide-496
		t.columns = slices.Insert(t.columns, 9, column{title: "Charges", width: 48, right: true})
		cells = func(of []string, charges domain.Paise) []string { return slices.Insert(of, 9, charges.Exact()) }
	}
	r.room(60)
	t.header()
	for i := range all {
		one := &all[i]
		t.row("", cells([]string{naming.Report(one), r.couriers.Of(one, true), naming.Grouped(one.Read.Lines), one.Read.Remitted.Exact(),
			one.Matched.Remitted.Exact(), one.Unclaimed.Remitted.Exact(), one.Repeated.Remitted.Exact(), one.Corrected.Remitted.Exact(),
			one.Unidentified.Remitted.Exact(), wording.Day(one.Through)}, one.Charges)...)
	}
	sum := verdict.SumOf(all)
	t.sum(cells([]string{"All", "", naming.Grouped(sum.Read.Lines), sum.Read.Remitted.Exact(), sum.Matched.Remitted.Exact(),
		sum.Unclaimed.Remitted.Exact(), sum.Repeated.Remitted.Exact(), sum.Corrected.Remitted.Exact(), sum.Unidentified.Remitted.Exact(), ""},
		sum.Charges)...)
}

// remarks writes warnings, guidance and method.
func (r *findings) remarks() {
	if warnings := r.run.Warnings(); len(warnings) > 0 {
		texts := make([]string, len(warnings))
		for i := range warnings {
			texts[i] = r.words.Warning(&warnings[i], naming.Names{})
		}
		r.section("Warnings", texts)
	}
	if r.run.Statement != nil {
		r.section("Bank statement", naming.Statement(r.run.Statement))
	}
	r.section("How far the reports reach", r.words.Guidance(&r.run.Guidance, len(r.run.Reports()), naming.Names{}))
	var minorGap domain.Paise // every reason has it
	if r.run.Len() > 0 {
		minorGap = r.run.Reason(0).MinorGap
	}
	r.section("How this was computed", []string{method(&r.run.Guidance, minorGap, r.run.Accepts())})
}

func (r *findings) section(title string, texts []string) {
	const size = 9
	kept := func(lines []string) float64 { return float64(min(len(lines), 3)) * size * leading }
	for i, text := range texts {
		lines := r.lines(clean(text), face{regular, size}, wide-12, longestText)
		if i == 0 { // the heading stays with what is below it
			r.room(max(50, 12*leading+12*0.3+kept(lines)))
			r.heading(title, 12)
		}
		r.room(kept(lines))
		if len(texts) > 1 {
			r.fill(r.look.colour, left, r.y+4.4, 3, 3)
		}
		r.colour(ink)
		x := float64(left)
		if len(texts) > 1 {
			x += 12
		}
		for _, line := range lines {
			r.room(size * leading)
			r.text(x, r.y+size, face{regular, size}, line)
			r.y += size * leading
		}
		r.y += 3
	}
	r.y += 10
}

func (r *findings) listing() {
	if len(r.listed) == 0 {
		r.section("Flagged orders", []string{"No order is flagged: every order is reconciled or may still be paid in time."})
		return
	}
	if r.y > top+200 {
		r.newPage()
	}
	r.heading("Flagged orders", 16)
	if r.unlisted > 0 {
		r.colour(ink)
		r.paragraph(wide, face{regular, 9}, fmt.Sprintf("The first %s are listed; the workbook has the other %s. The sums are of all.",
			naming.CountOf(len(r.listed), "order"), naming.Grouped(r.unlisted)))
		r.y += 4
	}
	rest := r.listed
	for _, f := range domain.Flags() {
		if n := min(r.sums[f].orders, len(rest)); f.IsFlagged() && n > 0 {
			r.list(f, rest[:n])
			rest = rest[n:]
		}
	}
}

func (r *findings) list(f domain.Flag, orders []int32) {
	about, sum := wording.Flag(f), &r.sums[f]
	t := table{d: r.document, size: 7.8, group: about.Name, rest: len(orders), columns: []column{
		{title: "Order", width: 82, lines: 2}, {title: "AWB", width: 102, lines: 3}, {title: "Ordered", width: 58}, {title: "Due by", width: 58},
		{title: "COD", width: 60, right: true}, {title: "Remitted", width: 60, right: true}, {title: "Shortfall", width: 60, right: true},
		{title: "Days", width: wide - 480, right: true}}}
	r.room(110)
	r.pdf.Bookmark(about.Name, 0, r.y)
	r.heading(about.Name+": "+sum.String(), 11)
	r.colour(soft)
	r.paragraph(wide, face{regular, 8.5}, about.Meaning+" "+about.Todo)
	r.y += 3
	t.header()
	var reason []byte
	var why domain.Reason
	for _, i := range orders {
		r.run.Explain(int(i), &why)
		reason = r.words.AppendReason(reason[:0], &why)
		o := r.run.Result(int(i))
		days := ""
		if o.DaysOverdue > 0 {
			days = strconv.Itoa(o.DaysOverdue)
		}
		t.row(clean(string(reason)), cleanCell(o.OrderID), cleanCell(o.AWB), wording.Day(o.OrderedOn), wording.Day(o.DueBy),
			o.Due.Exact(), o.Remitted.Exact(), o.Shortfall.Exact(), days)
	}
	t.sum(naming.CountOf(sum.orders, "order"), "", "", "", sum.due.Exact(), sum.paid.Exact(), sum.short.Exact(), "")
	r.y += 16
}
