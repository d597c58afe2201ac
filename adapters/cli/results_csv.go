package cli

import (
	"bufio"
	"encoding/csv"
	"io"
	"strconv"

	"milaan/domain"
	"milaan/ports/glue"
)

// resultFields are the contract's, in its order (section 2.3), and the two dates
// that an accountant sorts by.
var resultFields = []string{"awb", "order_id", "cod_amount", "remitted", "shortfall", "days_overdue", "flag", "flag_reason", "status", "match_mode",
	"order_date", "due_by"}

// byteOrderMark has Excel read a CSV file as UTF-8.
const byteOrderMark = "\ufeff"

// writeCSV writes the results of flagged orders, or of all, in the export's order and in
// the form that Excel opens correctly. On a terminal, control characters are replaced.
func writeCSV(w io.Writer, r *domain.Reconciliation, words glue.Wording, all bool) error {
	text := func(cell []byte) []byte { return cell }
	if _, is := terminal(w); is {
		text = printable
	}
	b := bufio.NewWriterSize(w, 64<<10)
	if _, err := b.WriteString(byteOrderMark); err != nil {
		return err
	}
	out := csv.NewWriter(b)
	out.UseCRLF = true
	if err := out.Write(resultFields); err != nil {
		return err
	}
	var reason []byte
	var why domain.Reason
	for i := range r.Len() {
		result := r.Result(i)
		if !result.Flag.IsFlagged() && !all {
			continue
		}
		why = r.Reason(i)
		reason = words.AppendReason(reason[:0], &why)
		err := out.Write([]string{
			domain.SpreadsheetID(text(result.AWB)), domain.SpreadsheetID(text(result.OrderID)), rupeesText(result.Due), rupeesText(result.Remitted), rupeesText(result.Shortfall),
			strconv.Itoa(result.DaysOverdue), result.Flag.String(), domain.SpreadsheetText(string(text(reason))), domain.SpreadsheetText(string(text([]byte(result.Status)))), result.MatchMode.String(),
			dateText(result.OrderedOn), dateText(result.DueBy),
		})
		if err != nil {
			return err
		}
	}
	if out.Flush(); out.Error() != nil {
		return out.Error()
	}
	return b.Flush()
}

func rupeesText(p domain.Paise) string { return string(p.AppendRupees(nil)) }

// dateText returns a day as spreadsheets of every language read it, or nothing.
func dateText(d domain.Day) string {
	if d == domain.NoDay {
		return ""
	}
	return d.String()
}
