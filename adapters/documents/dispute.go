package documents

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"milaan/adapters/documents/pdf"
	"milaan/adapters/documents/xlsx"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

// writePacks writes dispute packs: for each courier what its desk asks for, as a workbook and
// as a covering letter.
func (p Params) writePacks(create ports.CreateFile, finished *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	r := p.read(finished, b)
	r.on = domain.DayOf(p.Clock())
	all := r.disputed()
	var asked []addressee
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
		courier := r.addresseeOf(i + 1)
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
func (a addressee) fileName() string {
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
func (p Params) writePack(create ports.CreateFile, r *run, all []dispute) error {
	name := all[0].courier.fileName()
	book, err := create(name + ".xlsx")
	if err != nil {
		return err
	}
	if err := r.pack(xlsx.New(book, p.Clock()), all); err != nil {
		return err
	}
	if all[0].courier == (addressee{}) {
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

// fillDispute fills in the dispute of the i-th order, and returns its reason, the same in all forms of a pack. The courier is reminded
// of what was raised before this document. The text is valid until the next call of fillDispute or why.
func (r *run) fillDispute(i int, about *verdict.Dispute) (why []byte) {
	r.Dispute(i, about)
	if about.Reason.RaisedOn >= r.on {
		about.Reason.RaisedOn = domain.NoDay
	}
	r.text = r.wording.AppendReason(r.text[:0], &about.Reason)
	return r.text
}

// letter is the letter to a courier about its disputes, which may be none, and about what its payouts lack in the bank.
func (r *run) letter(courier addressee, all []dispute) *pdf.Letter {
	l := &pdf.Letter{Branding: r.branding, Courier: r.couriers.Name(courier.id), On: r.on, Reference: r.Run.ID,
		Disputes: make([]pdf.Dispute, len(all)), Less: r.receivedLess(courier)}
	var about verdict.Dispute
	for i, d := range all {
		result, charges, why := r.Result(d.order), r.Details(d.order).Charges, r.fillDispute(d.order, &about)
		l.Disputes[i] = pdf.Dispute{AWB: string(result.AWB), OrderID: string(result.OrderID), OrderedOn: result.OrderedOn,
			Due: result.Due, Remitted: result.Remitted, DaysOverdue: result.DaysOverdue, Flag: d.flag, Charges: charges,
			Reason: string(why)}
		l.Disputes[i].Asked, l.Disputes[i].AtMost = about.Asked, about.Reason.Notes.Has(domain.NotePartPrepaid)
		l.Disputes[i].DeliveredOn, l.Disputes[i].UTR = about.DeliveredOn, string(about.UTR)
		l.Disputes[i].Line = string(r.wording.AppendDispute(nil, &about))
	}
	l.InNoReport = r.inNoReport(courier, l.Disputes)
	return l
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
		charges, why := r.Details(d.order).Charges, xlsx.TextCell(r.fillDispute(d.order, &about))
		atMost := about.Reason.Notes.Has(domain.NotePartPrepaid)
		total.atMost, byFlag[d.flag].atMost = total.atMost || atMost, byFlag[d.flag].atMost || atMost
		cells := []xlsx.Cell{xlsx.IDCell(result.AWB), xlsx.IDCell(result.OrderID), xlsx.DayCell(result.OrderedOn),
			xlsx.DayCell(about.DeliveredOn), xlsx.AmountUpTo(result.Due, atMost), xlsx.AmountCell(result.Remitted),
			xlsx.AmountUpTo(short, atMost), xlsx.CountCell(result.DaysOverdue),
			xlsx.TextCell(wording.Flag(d.flag).Name), why, xlsx.IDCell(about.UTR)}
		cells = insertIf(r.charged, cells, 7, xlsx.AmountCell(charges), xlsx.AmountUpTo(result.Shortfall, atMost))
		to.row(cells...)
	}
	owing := r.couriers.Name(all[0].courier.id)
	if owing != "" {
		owing += " owes"
	}
	to.sheet("Totals", []int{34, 10, 20, 16, 20, 80})
	to.row(title(cmp.Or(r.branding.Name, "Milaan") + ": cash on delivery that " + cmp.Or(owing, "is owed")))
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
