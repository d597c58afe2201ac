package cli

import (
	"encoding/csv"
	"io"
	"slices"
	"strconv"

	"milaan/adapters/cli/terminal"
	"milaan/adapters/view"
	"milaan/domain"
)

// resultFields are the contract's, in its order, the two dates that an
// accountant sorts by, and what is known of an order besides (guide: verdict 8).
var resultFields = []string{"awb", "order_id", "cod_amount", "remitted", "shortfall", "days_overdue", "flag", "flag_reason", "status",
	"match_mode", "order_date", "due_by", "remitted_on", "utr", "courier_status", "report"}

// csvOut writes CSV in the form that Excel opens correctly. On a terminal, control
// characters of the files' texts are replaced.
type csvOut struct {
	*csv.Writer

	terminal bool
}

func newCSV(w io.Writer, fields []string) (*csvOut, error) {
	_, is := terminal.Width(w)
	out := &csvOut{view.NewCSV(w), is}
	return out, out.Write(fields)
}

// end writes what is left.
func (out *csvOut) end() error {
	out.Flush()
	return out.Error()
}

func (out *csvOut) id(id []byte) string { return domain.SpreadsheetID(out.shown(id)) }

func (out *csvOut) text(text []byte) string { return domain.SpreadsheetText(string(out.shown(text))) }

func (out *csvOut) shown(text []byte) []byte {
	if out.terminal {
		return terminal.Printable(text)
	}
	return text
}

// writeOrdersCSV writes the results of flagged orders, or of all, in the export's order.
func (r *report) writeOrdersCSV(w io.Writer) error {
	accepts, fields := r.run.Accepts(), slices.Clone(resultFields)
	if accepts {
		fields = append(fields, "accepted_charges")
	}
	out, err := newCSV(w, fields)
	if err != nil {
		return err
	}
	names := r.in.shortNames()
	var reason []byte
	var why domain.Reason
	for i := range r.run.Len() {
		result := r.run.Result(i)
		if !result.Flag.IsFlagged() && !r.all {
			continue
		}
		why = r.run.Reason(i)
		reason = r.words.AppendReason(reason[:0], &why)
		record := []string{
			out.id(result.AWB), out.id(result.OrderID), rupeesText(result.Due), rupeesText(result.Remitted), rupeesText(result.Shortfall),
			strconv.Itoa(result.DaysOverdue), result.Flag.String(), out.text(reason), out.text([]byte(result.Status)), result.MatchMode.String(),
			result.OrderedOn.String(), result.DueBy.String(),
		}
		more := r.run.Details(i)
		record = append(record, more.RemittedOn.String(), out.id(more.UTR), out.text(more.CourierStatus),
			out.text(reportName(names, more.Report)))
		if accepts {
			record = append(record, rupeesText(result.Accepted))
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	return out.end()
}

// reportName returns the name of a report by its number, from 1; nothing for 0. Those that stand for a ledger come last.
func reportName(names []string, report int) []byte {
	if report == 0 {
		return nil
	}
	if report > len(names) {
		return []byte("ledger")
	}
	return []byte(names[report-1])
}

func rupeesText(p domain.Paise) string { return string(p.AppendRupees(nil)) }
