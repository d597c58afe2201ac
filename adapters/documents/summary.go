package documents

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"milaan/adapters/documents/naming"
	"milaan/adapters/documents/xlsx"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
)

// sums are what orders come to.
type sums struct {
	orders, flagged         int
	due, remitted, accepted domain.Paise
	shortfall, atRisk       domain.Paise
	atMost                  bool // a part of due and of the shortfall may have been prepaid
}

func (s *sums) add(result *verdict.Result) {
	s.orders++
	s.due += result.Due
	s.remitted += result.Remitted
	s.accepted += result.Accepted
	s.shortfall += result.Shortfall
	if result.Flag.IsFlagged() {
		s.flagged++
		s.atRisk += max(result.Shortfall, 0)
	}
}

// summary writes the totals by flag and by courier, the reports, the ageing, the warnings
// and how far the reports reach.
func (r *run) summary(page *page) {
	byFlag, byCourier, first, last := r.sumUp()
	page.sheet("Summary", []int{34, 18, 18, 18, 18, 18, 18, 18, 18})
	t := &r.Tally
	page.row(title(cmp.Or(r.branding.Name, "Milaan") + ": cash on delivery, order by order"))
	if first != domain.NoDay {
		page.row(text("Orders from"), xlsx.DayCell(first), text("to"), xlsx.DayCell(last))
	}
	accepts := r.Accepts()
	header := func(names ...string) { // with the accepted charges beside the shortfall
		page.section(insertIf(accepts, names, slices.Index(names, "Shortfall")+1, wording.AcceptedCharges)...)
	}
	row := func(accepted domain.Paise, at int, cells ...xlsx.Cell) {
		page.row(insertIf(accepts, cells, at, xlsx.AmountCell(accepted))...)
	}
	header("Totals", "Orders", "Due", "Remitted", "Awaiting", "Shortfall", "At risk", "Flagged")
	row(r.Accepted, 6, text(""), xlsx.CountCell(t.Orders), xlsx.AmountCell(t.Due), xlsx.AmountCell(t.Remitted),
		xlsx.AmountCell(byFlag[domain.AwaitingNextCycle].due), xlsx.AmountCell(t.Shortfall), xlsx.AmountCell(t.AtRisk),
		xlsx.CountCell(t.Flags.Flagged()))

	header("By flag", "Orders", "Due", "Remitted", "Shortfall", "What to do")
	for _, f := range domain.Flags() {
		if s := &byFlag[f]; s.orders > 0 {
			row(s.accepted, 5, text(wording.Flag(f).Name), xlsx.CountCell(s.orders), xlsx.AmountCell(s.due), xlsx.AmountCell(s.remitted),
				xlsx.AmountCell(s.shortfall), text(wording.Flag(f).Todo))
		}
	}
	header("By courier", "Orders", "Due", "Remitted", "Shortfall", "At risk", "Flagged")
	for _, c := range byCourier {
		row(c.accepted, 5, text(c.name), xlsx.CountCell(c.orders), xlsx.AmountCell(c.due), xlsx.AmountCell(c.remitted),
			xlsx.AmountCell(c.shortfall), xlsx.AmountCell(c.atRisk), xlsx.CountCell(c.flagged))
	}
	page.section(insertIf(r.charged, []string{"Reports", "Lines", "Remitted", wording.PartMatched, wording.PartUnclaimed, wording.PartRepeated,
		wording.PartCorrected, wording.PartUnidentified, "Reaches to"}, 8, "Charges")...)
	for i := range r.reports {
		p := &r.reports[i]
		page.row(insertIf(r.charged, []xlsx.Cell{text(fmt.Sprintf("%s: %s", naming.Report(p), r.couriers.Of(p, len(r.reports) > 1))),
			xlsx.CountCell(p.Read.Lines),
			xlsx.AmountCell(p.Read.Remitted), xlsx.AmountCell(p.Matched.Remitted), xlsx.AmountCell(p.Unclaimed.Remitted),
			xlsx.AmountCell(p.Repeated.Remitted), xlsx.AmountCell(p.Corrected.Remitted), xlsx.AmountCell(p.Unidentified.Remitted),
			xlsx.DayCell(p.Through)}, 8, xlsx.AmountCell(p.Charges))...)
	}
	page.section("Days since the window ended", "Orders", "At risk")
	for _, b := range r.Ageing() {
		days := strconv.Itoa(b.From) + " to " + strconv.Itoa(b.To)
		if b.To < 0 {
			days = "over " + strconv.Itoa(b.From-1)
		}
		page.row(text(days), xlsx.CountCell(b.Orders), xlsx.AmountCell(b.AtRisk))
	}
	if r.Statement != nil {
		page.section("Bank statement")
		page.lines(naming.Statement(r.Statement))
	}
	page.section("How far the reports reach")
	page.lines(r.wording.Guidance(&r.Guidance, len(r.Reports()), naming.Names{}))
	page.section("Warnings")
	warnings := r.Warnings()
	for i := range warnings {
		page.row(sentence(r.wording.Warning(&warnings[i], naming.Names{})))
	}
	if len(warnings) == 0 {
		page.row(text("None."))
	}
	if r.branding.Footer != "" {
		page.row()
		page.row(text(r.branding.Footer))
	}
}

func (r *run) sumUp() (byFlag [domain.AwaitingNextCycle + 1]sums, byCourier []courierSums, first, last domain.Day) {
	for i := range r.Len() {
		result := r.Result(i)
		byFlag[result.Flag].add(&result)
		first, last = first.Earlier(result.OrderedOn), max(last, result.OrderedOn)
		name := r.name(r.addresseeOf(r.Details(i).Report))
		at := slices.IndexFunc(byCourier, func(c courierSums) bool { return c.name == name })
		if at < 0 {
			at = len(byCourier)
			byCourier = append(byCourier, courierSums{name: name})
		}
		byCourier[at].add(&result)
	}
	slices.SortStableFunc(byCourier, func(a, b courierSums) int { return cmp.Compare(a.name, b.name) })
	return byFlag, byCourier, first, last
}

type courierSums struct {
	name string
	sums
}

// page writes sheets and their rows, until one fails.
type page struct {
	to  tables
	err error
}

func (p *page) sheet(name string, widths []int, header ...string) {
	if p.err == nil {
		p.err = p.to.Sheet(name, widths, header...)
	}
}

func (p *page) row(cells ...xlsx.Cell) {
	if p.err == nil {
		p.err = p.to.Row(cells...)
	}
}

// close ends the document. It returns what has failed first.
func (p *page) close() error {
	if p.err != nil {
		return p.err
	}
	return p.to.Close()
}

func (p *page) lines(sentences []string) {
	for _, s := range sentences {
		p.row(sentence(s))
	}
}

// section leaves a row blank and writes headings.
func (p *page) section(headings ...string) {
	cells := make([]xlsx.Cell, len(headings))
	for i, h := range headings {
		cells[i] = xlsx.Cell{Kind: xlsx.Heading, Text: []byte(h)}
	}
	p.row()
	p.row(cells...)
}

func insertIf[T any](belong bool, all []T, at int, values ...T) []T {
	if !belong {
		return all
	}
	return slices.Insert(all, at, values...)
}

func text[T ~string | ~[]byte](s T) xlsx.Cell { return xlsx.TextCell(s) }

func sentence[T ~string | ~[]byte](s T) xlsx.Cell {
	return xlsx.Cell{Kind: xlsx.Sentence, Text: []byte(s)}
}

func title(s string) xlsx.Cell { return xlsx.Cell{Kind: xlsx.Title, Text: []byte(s)} }
