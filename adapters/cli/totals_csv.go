package cli

import (
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
)

// The columns of the CSV files of payouts and of unclaimed lines.
var (
	payoutFields    = strings.Fields("utr remitted_on courier report lines collected deducted paid")
	bankFields      = strings.Fields("bank credited_on credited statement_line narration")
	unclaimedFields = strings.Fields("report line awb order_id remitted remitted_on utr")
)

// noPayout is what the column bank has for a credit that belongs to no payout.
const noPayout = "credit without payout"

// ofEarlierRun is how it says that only the ledger has a payout.
const ofEarlierRun = "payout of an earlier run: "

// writePayoutsCSV writes the payouts and, with a bank statement, the credits that name a
// courier and belong to none.
func (r *report) writePayoutsCSV(w io.Writer, payouts []verdict.Payout, found *bank.Findings) error {
	charged, fields := statesCharges(payouts), slices.Clone(payoutFields)
	if charged {
		fields = append(fields, "charges")
	}
	own := len(fields)
	if found != nil {
		fields = append(fields, bankFields...)
	}
	out, err := newCSV(w, fields)
	if err != nil {
		return err
	}
	told := map[int]bool{} // the first lines of payouts whose amounts stand in a row
	ofBank := func(before string, p *bank.CreditedPayout) []string {
		state := before + strings.ToLower(wording.Credit(p.State))
		if p.State == bank.CreditMissing {
			return []string{state, "", "", "", ""}
		}
		line := p.First().Line
		cells := out.bank(state, p.Received, p.Lines())
		if told[line] {
			cells[0], cells[2] = state+wording.InPayoutAbove, ""
		}
		told[line] = true
		return cells
	}
	names := r.in.shortNames()
	for i, p := range payouts {
		deducted := ""
		if p.DeductedKnown {
			deducted = rupeesText(p.Deducted)
		}
		record := []string{out.id(p.UTR), p.RemittedOn.String(), p.Courier, out.text(reportName(names, p.Report)),
			strconv.Itoa(p.Lines), rupeesText(p.Collected), deducted, rupeesText(p.Paid)}
		if charged {
			record = append(record, rupeesText(p.Charges))
		}
		if found != nil {
			record = append(record, ofBank("", &found.Payouts[i])...)
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	if found == nil {
		return out.end()
	}
	for _, p := range found.CreditedEarlier() {
		record := append(make([]string, 0, own), out.id(p.UTR), p.RemittedOn.String(), p.Courier)
		record = append(record[:own], ofBank(ofEarlierRun, p)...)
		if err := out.Write(record); err != nil {
			return err
		}
	}
	for i := range found.Others {
		record := append(make([]string, own), out.bank(noPayout, found.Others[i].Amount, found.Others[i:i+1])...)
		if err := out.Write(record); err != nil {
			return err
		}
	}
	return out.end()
}

// bank returns the cells of bankFields. Several lines are separated by blanks; the day and
// the narration are those of the first.
func (out *csvOut) bank(state string, received domain.Paise, lines []bank.StatementLine) []string {
	numbers := make([]string, len(lines))
	for i := range lines {
		numbers[i] = strconv.Itoa(lines[i].Line)
	}
	return []string{state, lines[0].On.String(), rupeesText(received), strings.Join(numbers, " "), out.text([]byte(lines[0].Narration))}
}

func (r *report) writeUnclaimedCSV(w io.Writer, lines iter.Seq[*verdict.Remittance]) error {
	out, err := newCSV(w, unclaimedFields)
	if err != nil {
		return err
	}
	names := r.in.shortNames()
	for line := range lines {
		err := out.Write([]string{out.text(reportName(names, r.run.ReportOf(line))), strconv.Itoa(int(line.Line)), out.id(line.AWB),
			out.id(line.OrderID), rupeesText(line.Remitted), line.RemittedOn.String(), out.id(line.UTR)})
		if err != nil {
			return err
		}
	}
	return out.end()
}
