package cli

import (
	"io"
	"iter"
	"strconv"
	"strings"

	"milaan/domain"
)

// The columns of the CSV files of payouts and of unclaimed lines.
var (
	payoutFields    = strings.Fields("utr remitted_on courier report lines collected deducted paid")
	bankFields      = strings.Fields("bank credited_on credited statement_line narration")
	unclaimedFields = strings.Fields("report line awb order_id remitted remitted_on utr")
)

// creditWords are what the column bank has.
var creditWords = map[domain.CreditState]string{
	domain.CreditMissing: "not in the statement", domain.CreditEqual: "credited", domain.CreditDiffers: "credited with another amount",
}

// noPayout is what the column bank has for a credit that belongs to no payout.
const noPayout = "credit without payout"

// writePayoutsCSV writes the payouts and, with a bank statement, the credits that name a
// courier and belong to none.
func (r *report) writePayoutsCSV(w io.Writer, payouts []domain.Payout, found *domain.StatementFindings) error {
	fields := payoutFields
	if found != nil {
		fields = append(append([]string{}, payoutFields...), bankFields...)
	}
	out, err := newCSV(w, fields)
	if err != nil {
		return err
	}
	names := r.in.shortNames()
	for i, p := range payouts {
		deducted := ""
		if p.DeductedKnown {
			deducted = rupeesText(p.Deducted)
		}
		record := []string{out.id(p.UTR), dateText(p.RemittedOn), p.Courier, out.text(reportName(names, p.Report)),
			strconv.Itoa(p.Lines), rupeesText(p.Collected), deducted, rupeesText(p.Paid)}
		if found != nil {
			state, credit := found.Payouts[i].State, (*domain.Credit)(nil)
			if state != domain.CreditMissing {
				credit = &found.Payouts[i].Credit
			}
			record = append(record, out.credit(creditWords[state], credit)...)
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	if found == nil {
		return out.end()
	}
	for i := range found.Others {
		record := append(make([]string, len(payoutFields)), out.credit(noPayout, &found.Others[i])...)
		if err := out.Write(record); err != nil {
			return err
		}
	}
	return out.end()
}

// credit returns the cells of bankFields.
func (out *csvOut) credit(state string, c *domain.Credit) []string {
	if c == nil {
		return []string{state, "", "", "", ""}
	}
	return []string{state, dateText(c.On), rupeesText(c.Amount), strconv.Itoa(c.Line), out.text([]byte(c.Narration))}
}

// writeUnclaimedCSV writes the lines that belong to no order.
func (r *report) writeUnclaimedCSV(w io.Writer, lines iter.Seq[*domain.Remittance]) error {
	out, err := newCSV(w, unclaimedFields)
	if err != nil {
		return err
	}
	names := r.in.shortNames()
	for line := range lines {
		err := out.Write([]string{out.text([]byte(names[line.Report])), strconv.Itoa(int(line.Line)), out.id(line.AWB), out.id(line.OrderID),
			rupeesText(line.Remitted), dateText(line.RemittedOn), out.id(line.UTR)})
		if err != nil {
			return err
		}
	}
	return out.end()
}
