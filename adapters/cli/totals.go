package cli

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
)

// writeReports says what was read of each report: for one, which column has which role;
// of several, also the courier, the lines and the latest date.
func (r *report) writeReports(b terminal.Writer, totals []verdict.ReportTotals) {
	if len(r.in.reports) == 1 {
		r.writeSentence(b, "", "Columns read: "+mappingText(r.run.Mapping)+".")
		return
	}
	_ = b.WriteByte('\n')
	r.writeTable(b, reportsTable(r.in.shortNames(), r.run.Reports(), totals))
}

func reportsTable(names []string, reports []verdict.ReadReport, totals []verdict.ReportTotals) *terminal.Table {
	t := terminal.NewTable("REPORT", "COURIER", ">LINES", "LATEST DATE", "COLUMNS READ")
	for i := range reports {
		of := &reports[i]
		t.Add(names[i], cmp.Or(of.Courier, unknown), strconv.Itoa(totals[i].Read.Lines), dayText(of.Through), mappingText(of.Mapping))
	}
	return t
}

// unknown is the cell of a courier that is not known.
const unknown = "not known"

func dayText(d domain.Day) string { return cmp.Or(d.String(), "no date") }

// writeTotals writes what --payouts and --unclaimed add.
func (r *report) writeTotals(b terminal.Writer, totals []verdict.ReportTotals) {
	names := r.in.shortNames()
	if r.payouts || r.unclaimed {
		_ = b.WriteByte('\n')
		r.writeTable(b, controlTotals(names, totals))
		r.writeSentence(b, "", "Rupees remitted, and in brackets lines: "+wording.PartRead+" = "+
			strings.Join(partsOf(totals), " + ")+".")
	}
	if r.payouts {
		r.writePayouts(b, names, r.run.Payouts(), r.run.Statement)
	}
	if r.unclaimed {
		_ = b.WriteByte('\n')
		r.writeUnclaimed(b, names, r.run.UnclaimedLines())
	}
}

func (r *report) writeTable(b terminal.Writer, t *terminal.Table) {
	t.Screen = r.screen
	t.AppendTo(b)
}

// partsOf names the parts of what was read. That of corrected lines is there if some line is one.
func partsOf(totals []verdict.ReportTotals) []string {
	parts := []string{wording.PartMatched, wording.PartUnclaimed, wording.PartRepeated}
	if hasCorrected(totals) {
		parts = append(parts, wording.PartCorrected)
	}
	return append(parts, wording.PartUnidentified)
}

func hasCorrected(totals []verdict.ReportTotals) bool {
	return slices.ContainsFunc(totals, func(of verdict.ReportTotals) bool { return of.Corrected.Lines > 0 })
}

// controlTotals returns the table that ties out each report, and the sums of several.
func controlTotals(names []string, totals []verdict.ReportTotals) *terminal.Table {
	charged := slices.ContainsFunc(totals, func(of verdict.ReportTotals) bool { return of.Charges != 0 })
	titles := []string{"REPORT"}
	corrected := hasCorrected(totals)
	for _, part := range append([]string{wording.PartRead}, partsOf(totals)...) {
		titles = append(titles, ">"+strings.ToUpper(part))
	}
	if charged {
		titles = append(titles, ">CHARGES")
	}
	t := terminal.NewTable(append(titles, "COURIER")...)
	add := func(name string, of *verdict.ReportTotals, courier string) {
		row := []string{name, sumText(of.Read), sumText(of.Matched), sumText(of.Unclaimed), sumText(of.Repeated)}
		if corrected {
			row = append(row, sumText(of.Corrected))
		}
		row = append(row, sumText(of.Unidentified))
		if charged {
			row = append(row, of.Charges.Exact())
		}
		t.Add(append(row, courier)...)
	}
	for _, of := range totals {
		add(string(reportName(names, of.Report)), &of, cmp.Or(of.Courier, unknown))
	}
	if len(totals) > 1 {
		all := verdict.SumOf(totals)
		add("all", &all, "")
	}
	return t
}

func sumText(s verdict.LineSum) string { return fmt.Sprintf("%s (%d)", s.Remitted.Exact(), s.Lines) }

// writePayouts writes the payouts, and what the bank statement says about them. found is
// nil without a statement.
func (r *report) writePayouts(b terminal.Writer, names []string, payouts []verdict.Payout, found *bank.Findings) {
	_ = b.WriteByte('\n')
	if len(payouts) == 0 {
		r.writeSentence(b, "", "The reports list no payout.")
	} else {
		r.writeTable(b, payoutsTable(names, payouts, found))
	}
	if found == nil {
		return
	}
	count, unpaid := map[bank.CreditState]int{}, 0
	for i := range found.Payouts {
		if p := &found.Payouts[i]; p.State == bank.CreditMissing && p.Absence == bank.AbsenceNothingPaid {
			unpaid++
		} else {
			count[p.State]++
		}
	}
	reversed, unpaidText := "", ""
	if n := count[bank.CreditReversed]; n > 0 {
		reversed = fmt.Sprintf("%d reversed, ", n)
	}
	if unpaid > 0 {
		unpaidText = fmt.Sprintf(", %d with nothing to pay", unpaid)
	}
	r.writeSentence(b, "", fmt.Sprintf("Bank statement %s: %d credited, %d credited with another amount, %s%d not in the statement%s.",
		fileName(r.in.bank), count[bank.CreditEqual], count[bank.CreditDiffers], reversed, count[bank.CreditMissing], unpaidText))
	t := terminal.NewTable("UTR", "DATE", ">AMOUNT", "NARRATION")
	told := map[int]bool{} // the first lines of payouts whose amounts stand in a row
	for _, p := range found.CreditedEarlier() {
		first, received := p.First(), p.Received.Exact()
		if told[first.Line] {
			received = ""
		}
		told[first.Line] = true
		t.Add(string(p.UTR), dayText(first.On), received, first.Narration)
	}
	if len(told) > 0 {
		_ = b.WriteByte('\n')
		r.writeSentence(b, "", "The statement has money of payouts that only the ledger of earlier runs lists:")
		r.writeTable(b, t)
	}
	if len(found.Others) == 0 {
		return
	}
	_ = b.WriteByte('\n')
	others := "1 credit of the statement names a courier and belongs to no payout of the reports: ask for the report that lists it."
	if n := len(found.Others); n > 1 {
		others = fmt.Sprintf("%d credits of the statement name a courier and belong to no payout of the reports: "+
			"ask for the reports that list them.", n)
	}
	r.writeSentence(b, "", others)
	t = terminal.NewTable("LINE", "DATE", ">AMOUNT", "NARRATION")
	for _, c := range found.Others {
		t.Add(strconv.Itoa(c.Line), dayText(c.On), c.Amount.Exact(), c.Narration)
	}
	r.writeTable(b, t)
}

// payoutsTable returns the table of payouts. found is nil without a bank statement. Only
// of several reports it says which one lists a payout.
func payoutsTable(names []string, payouts []verdict.Payout, found *bank.Findings) *terminal.Table {
	charged, several := statesCharges(payouts), len(names) > 1
	titles := []string{"UTR", "REMITTED ON", "COURIER"}
	if several {
		titles = append(titles, "REPORT")
	}
	titles = append(titles, ">LINES", ">COLLECTED", ">DEDUCTED", ">PAID")
	if charged {
		titles = append(titles, ">CHARGES")
	}
	if found != nil {
		titles = append(titles, "BANK")
	}
	t := terminal.NewTable(titles...)
	for i := range payouts {
		p := &payouts[i]
		row := []string{cmp.Or(string(p.UTR), "-"), dayText(p.RemittedOn), cmp.Or(p.Courier, unknown)}
		if several {
			row = append(row, names[p.Report-1])
		}
		row = append(row, strconv.Itoa(p.Lines), p.Collected.Exact(), deductedText(p), p.Paid.Exact())
		if charged {
			row = append(row, p.Charges.Exact())
		}
		if found != nil {
			row = append(row, creditText(&found.Payouts[i]))
		}
		t.Add(row...)
	}
	return t
}

func statesCharges(payouts []verdict.Payout) bool {
	return slices.ContainsFunc(payouts, func(p verdict.Payout) bool { return p.Charges != 0 })
}

func deductedText(p *verdict.Payout) string {
	if !p.DeductedKnown {
		return "not stated"
	}
	return p.Deducted.Exact()
}

// missingWords say that a payout is not in the bank statement, and why if that is known.
var missingWords = [...]string{
	bank.AbsenceUnexplained: "not in the statement",
	bank.AbsenceOutside:     "not in the statement, which does not cover its days",
	bank.AbsenceUndated:     "not in the statement, and it has no date",
	bank.AbsenceNothingPaid: "nothing was paid out",
}

func creditText(p *bank.CreditedPayout) string {
	switch p.State {
	case bank.CreditEqual:
		if len(p.Credits) == 0 {
			return "debited on " + linesText(p)
		}
		return "credited on " + linesText(p)
	case bank.CreditDiffers:
		return fmt.Sprintf("credited with %s on %s", p.Received.Exact(), linesText(p))
	case bank.CreditReversed:
		return "reversed, not received: " + linesText(p)
	case bank.CreditMissing:
	}
	return missingWords[p.Absence]
}

// linesText returns the day and the lines of a payout that is in the bank statement, and how
// many other payouts share them.
func linesText(p *bank.CreditedPayout) string {
	text := dayText(p.First().On)
	var numbers []string
	for _, line := range p.Lines() {
		numbers = append(numbers, strconv.Itoa(line.Line))
	}
	if last := len(numbers) - 1; last == 0 {
		text += ", line " + numbers[0]
	} else {
		text += ", lines " + strings.Join(numbers[:last], ", ") + " and " + numbers[last]
	}
	switch {
	case p.Together == 2:
		text += ", with 1 other payout"
	case p.Together > 2:
		text += fmt.Sprintf(", with %d other payouts", p.Together-1)
	}
	return text
}

// writeUnclaimed writes the lines that belong to no order.
func (r *report) writeUnclaimed(b terminal.Writer, names []string, lines iter.Seq[*verdict.Remittance]) {
	t := terminal.NewTable("REPORT", ">LINE", "AWB", "ORDER", ">REMITTED", "REMITTED ON", "UTR")
	t.Rows = func(yield func([][]byte) bool) {
		for line := range lines {
			row := [][]byte{reportName(names, r.run.ReportOf(line)), strconv.AppendInt(nil, int64(line.Line), 10), line.AWB, line.OrderID,
				line.Remitted.AppendExact(nil), []byte(dayText(line.RemittedOn)), line.UTR}
			if !yield(row) {
				return
			}
		}
	}
	for range t.Rows {
		r.writeTable(b, t)
		return
	}
	r.writeSentence(b, "", "Every line belongs to an order or repeats another one.")
}
