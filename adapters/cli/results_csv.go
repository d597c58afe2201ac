package cli

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"

	"milaan/domain"
	"milaan/ports"
)

// resultFields are the contract's, in its order (section 2.3).
var resultFields = []string{"awb", "order_id", "cod_amount", "remitted", "shortfall", "days_overdue", "flag", "flag_reason", "status", "match_mode"}

// writeCSV writes every result, in the export's order.
func writeCSV(w io.Writer, r *domain.Reconciliation, words ports.Wording) error {
	out := csv.NewWriter(w)
	if err := out.Write(resultFields); err != nil {
		return err
	}
	var reason []byte
	for i := range r.Len() {
		result := r.Result(i)
		why := r.Reason(i)
		reason = words.AppendReason(reason[:0], &why)
		err := out.Write([]string{
			inert(string(result.AWB)), inert(string(result.OrderID)), rupees(result.Due), rupees(result.Remitted), rupees(result.Shortfall),
			strconv.Itoa(result.DaysOverdue), result.Flag.String(), inert(string(reason)), inert(result.Status), result.MatchMode.String(),
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func rupees(p domain.Paise) string { return string(p.AppendRupees(nil)) }

// inert keeps a spreadsheet from running a text that a file's author wrote as
// a formula: an apostrophe in front makes it text.
func inert(s string) string {
	if start := strings.TrimLeft(s, " \t\r\n"); start != "" && strings.ContainsRune("=+-@", rune(start[0])) || strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "\r") {
		return "'" + s
	}
	return s
}
