package documents

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"milaan/adapters/documents/naming"
	"milaan/adapters/documents/xlsx"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
)

// tables is where the rows of a document go: the sheets of a workbook, or CSV files.
type tables interface {
	// Sheet begins a sheet and ends the one before. widths are in characters.
	Sheet(name string, widths []int, header ...string) error
	// Hidden begins a sheet that spreadsheet programs do not show.
	Hidden(name string, widths []int, header ...string) error
	// Row adds a row to the sheet.
	Row(cells ...xlsx.Cell) error
	// Close ends the document.
	Close() error
}

// run is a finished run and what its documents need besides.
type run struct {
	*ports.FinishedRun
	wording  peers.Wording
	couriers naming.Couriers
	branding domain.Branding
	reports  []verdict.ReportTotals
	charged  bool // a report has a column of charges
	reason   domain.Reason
	text     []byte
	cells    []xlsx.Cell

	on domain.Day // of a document for a courier
}

func (r *run) write(to tables) error {
	p := &page{to: to}
	for _, sheet := range []func(*page){r.summary, r.orders, r.disputes, r.payouts, r.unclaimed, r.openItems, r.movements, r.ledger} {
		sheet(p)
	}
	return p.close()
}

// courierOf names the courier of a report, which is given from 1; 0: no report.
func (r *run) courierOf(report int) string {
	if report == 0 {
		return ""
	}
	return r.couriers.Of(&r.reports[report-1], len(r.reports) > 1)
}

// why returns why the i-th order has its flag. The text is valid until the next call.
func (r *run) why(i int) []byte {
	r.Explain(i, &r.reason)
	r.text = r.wording.AppendReason(r.text[:0], &r.reason)
	return r.text
}

func (r *run) orders(to *page) {
	sheets := 1
	header := []string{"Order", "AWB", "Ordered on", "Due by", "COD amount", "Remitted", "Shortfall", "Days overdue", "Flag", "Reason",
		"Order status", "Matched by", "Delivered on", "Remitted on", "UTR", "Courier status", "Courier", "Report"}
	widths := []int{12, 17, 12, 12, 13, 13, 13, 9, 18, 54, 12, 12, 12, 12, 18, 16, 13, 8}
	header, widths = insertIf(r.charged, header, 7, "Charges"), insertIf(r.charged, widths, 7, 14)
	accepts := r.Accepts()
	header, widths = insertIf(accepts, header, 7, wording.AcceptedCharges), insertIf(accepts, widths, 7, 14)
	to.sheet("Orders", widths, header...)
	for i := range r.Len() {
		if i > 0 && i%(xlsx.MaxRows-1) == 0 {
			sheets++
			to.sheet(fmt.Sprintf("Orders %d", sheets), widths, header...)
		}
		result := r.Result(i)
		details := r.Details(i)
		report := xlsx.Cell{}
		if details.Report > 0 {
			if report = xlsx.CountCell(details.Report); r.reports[details.Report-1].Remembered {
				report = xlsx.TextCell(naming.Report(&r.reports[details.Report-1]))
			}
		}
		r.cells = append(r.cells[:0], xlsx.IDCell(result.OrderID), xlsx.IDCell(result.AWB), xlsx.DayCell(result.OrderedOn),
			xlsx.DayCell(result.DueBy), xlsx.AmountCell(result.Due), xlsx.AmountCell(result.Remitted), xlsx.AmountCell(result.Shortfall),
			xlsx.CountCell(result.DaysOverdue),
			xlsx.TextCell(wording.Flag(result.Flag).Name), xlsx.TextCell(r.why(i)), xlsx.TextCell(result.Status),
			xlsx.TextCell(result.MatchMode.String()),
			xlsx.DayCell(details.DeliveredOn), xlsx.DayCell(details.RemittedOn), xlsx.IDCell(details.UTR), xlsx.TextCell(details.CourierStatus),
			xlsx.TextCell(r.courierOf(details.Report)), report)
		r.cells = insertIf(r.charged, r.cells, 7, xlsx.AmountCell(details.Charges))
		r.cells = insertIf(accepts, r.cells, 7, xlsx.AmountCell(result.Accepted))
		to.row(r.cells...)
	}
}

// disputed lists the orders whose money is to be claimed: flagged orders that are owed
// something, also those that only the ledger has. They are sorted by courier, then by
// flag, then as in the export.
func (r *run) disputed() []dispute {
	var all []dispute
	for item := range r.OpenItems() {
		if !r.IsDisputed(item.Order) {
			continue
		}
		courier := r.addresseeOf(r.CourierReport(item.Order))
		if courier == (addressee{}) {
			courier.id = item.Now.Courier
		}
		all = append(all, dispute{order: item.Order, flag: item.Now.Flag, courier: courier})
	}
	slices.SortStableFunc(all, func(a, b dispute) int {
		return cmp.Or(cmp.Compare(a.courier.id, b.courier.id), cmp.Compare(a.courier.report, b.courier.report), cmp.Compare(a.flag, b.flag))
	})
	return all
}

// dispute is an order whose money is to be claimed from a courier.
type dispute struct {
	order   int
	flag    domain.Flag
	courier addressee
}

// addressee is the courier that is asked for money: by its id, or else by the first of its reports if it
// is not known; neither, if nothing shows which courier has the order.
type addressee struct {
	id     string
	report int // from 1; 0 if id says it, or if none is known
}

// addresseeOf returns the courier of a report, which is given from 1; 0: no report.
func (r *run) addresseeOf(report int) addressee {
	if report == 0 {
		return addressee{}
	}
	if id := r.reports[report-1].Courier; id != "" && id != domain.CustomCourier {
		return addressee{id: id}
	}
	return addressee{report: r.FirstReport(report)}
}

func (r *run) name(a addressee) string {
	switch {
	case a == addressee{}:
		return "In no report"
	case a.report > 0:
		return r.courierOf(a.report)
	}
	return r.couriers.Name(a.id)
}

var (
	disputeHeader = []string{"Courier", "AWB", "Order", "Ordered on", "Delivered on", "COD amount", "Remitted", "Shortfall", "Days overdue",
		"Flag", "Reason", "UTR", "What to do"}
	disputeWidths = []int{13, 17, 12, 12, 12, 13, 13, 13, 9, 18, 54, 18, 40}
)

// disputes writes a row for each order whose money is to be claimed.
func (r *run) disputes(to *page) {
	header := insertIf(r.charged, slices.Clone(disputeHeader), 8, "Charges", "To ask for")
	widths := insertIf(r.charged, slices.Clone(disputeWidths), 8, 14, 14)
	to.sheet("Disputes", widths, header...)
	for _, d := range r.disputed() {
		result := r.Result(d.order)
		details := r.Details(d.order)
		cells := []xlsx.Cell{xlsx.TextCell(r.name(d.courier)), xlsx.IDCell(result.AWB), xlsx.IDCell(result.OrderID),
			xlsx.DayCell(result.OrderedOn), xlsx.DayCell(details.DeliveredOn), xlsx.AmountCell(result.Due), xlsx.AmountCell(result.Remitted),
			xlsx.AmountCell(result.Shortfall), xlsx.CountCell(result.DaysOverdue),
			xlsx.TextCell(wording.Flag(d.flag).Name), xlsx.TextCell(r.why(d.order)), xlsx.IDCell(details.UTR),
			xlsx.TextCell(wording.Flag(d.flag).Todo)}
		to.row(insertIf(r.charged, cells, 8, xlsx.AmountCell(details.Charges), xlsx.AmountCell(r.Asked(d.order)))...)
	}
}

// payouts writes a row for each payout, and what the bank statement says of it. What was credited for several payouts together
// stands in the row of the first, so that the column adds up.
func (r *run) payouts(to *page) {
	header := []string{"Report", "Courier", "UTR", "Remitted on", "Lines", "Collected", "Deducted", "Paid"}
	widths := []int{8, 16, 24, 12, 8, 14, 14, 14}
	header, widths = insertIf(r.charged, header, len(header), "Charges"), insertIf(r.charged, widths, len(widths), 14)
	if r.Statement == nil {
		to.sheet("Payouts", widths, header...)
		for _, p := range r.Payouts() {
			to.row(r.payoutCells(&p)...)
		}
		return
	}
	header = append(header, "In the bank", "Credited on", "Credited", "Narration")
	to.sheet("Payouts", append(widths, 26, 12, 14, 50), header...)
	told := map[int]bool{} // the first lines of payouts whose amounts stand in a row: payouts of one amount share them
	row := func(p *bank.CreditedPayout, state string) {
		cells := r.payoutCells(&p.Payout)
		if p.State == bank.CreditMissing {
			to.row(append(cells, xlsx.TextCell(state))...)
			return
		}
		first, received := p.First(), xlsx.AmountCell(p.Received)
		if told[first.Line] {
			state, received = state+wording.InPayoutAbove, xlsx.TextCell("")
		}
		told[first.Line] = true
		to.row(append(cells, xlsx.TextCell(state), xlsx.DayCell(first.On), received, xlsx.TextCell(first.Narration))...)
	}
	for i := range r.Statement.Payouts {
		p := &r.Statement.Payouts[i]
		row(p, naming.Credit(p))
	}
	for _, p := range r.Statement.CreditedEarlier() {
		row(p, "Payout of an earlier run: "+strings.ToLower(wording.Credit(p.State)))
	}
	for _, c := range r.Statement.Others {
		cells := make([]xlsx.Cell, len(header)-4, len(header))
		cells = append(cells, xlsx.TextCell("Credit without a payout"), xlsx.DayCell(c.On), xlsx.AmountCell(c.Amount), xlsx.TextCell(c.Narration))
		to.row(cells...)
	}
}

func (r *run) payoutCells(p *verdict.Payout) []xlsx.Cell {
	deducted := xlsx.TextCell("not stated")
	if p.DeductedKnown {
		deducted = xlsx.AmountCell(p.Deducted)
	}
	cells := []xlsx.Cell{xlsx.CountCell(p.Report), xlsx.TextCell(r.courierOf(p.Report)), xlsx.IDCell(p.UTR), xlsx.DayCell(p.RemittedOn),
		xlsx.CountCell(p.Lines), xlsx.AmountCell(p.Collected), deducted, xlsx.AmountCell(p.Paid)}
	return insertIf(r.charged, cells, len(cells), xlsx.AmountCell(p.Charges))
}

// unclaimed writes a row for each line that belongs to no order.
func (r *run) unclaimed(to *page) {
	to.sheet("Unclaimed", []int{8, 8, 16, 20, 14, 14, 14, 12, 24}, "Report", "Line", "Courier", "AWB", "Order", "COD amount",
		"Remitted", "Remitted on", "UTR")
	for line := range r.UnclaimedLines() {
		report := r.ReportOf(line)
		to.row(xlsx.CountCell(report), xlsx.CountCell(int(line.Line)), xlsx.TextCell(r.courierOf(report)), xlsx.IDCell(line.AWB),
			xlsx.IDCell(line.OrderID), xlsx.AmountCell(line.Listed), xlsx.AmountCell(line.Remitted), xlsx.DayCell(line.RemittedOn),
			xlsx.IDCell(line.UTR))
	}
}
