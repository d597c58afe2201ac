package cli

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

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
			idCell(text(result.AWB)), idCell(text(result.OrderID)), rupeesText(result.Due), rupeesText(result.Remitted), rupeesText(result.Shortfall),
			strconv.Itoa(result.DaysOverdue), result.Flag.String(), withoutFormula(string(text(reason))), withoutFormula(string(text([]byte(result.Status)))), result.MatchMode.String(),
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

const (
	// exactDigits is up to how many digits Excel shows a number as it is; of a longer
	// one it shows 1.49E+13, and saves that.
	exactDigits = 10
	// longestLiteral is how many characters a text in a formula may have in Excel.
	longestLiteral = 255
)

// idCell returns an id in a form that a spreadsheet leaves as it is. What Excel would
// take for a number, a date or a truth value is written ="…", which it shows as the
// text between the quotation marks; Milaan reads it, too.
func idCell(id []byte) string {
	if keepsAsIs(id) || len(id) > longestLiteral || bytes.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == '"' }) {
		return withoutFormula(string(id))
	}
	return `="` + string(id) + `"`
}

// keepsAsIs says whether a spreadsheet shows an id as it is: a number of few digits, or a
// text that does not begin like a number or a date. It is also true of a formula, which
// withoutFormula takes care of.
func keepsAsIs(id []byte) bool {
	switch {
	case len(id) == 0 || isFormula(string(id)):
		return true
	case '0' <= id[0] && id[0] <= '9':
		return len(id) <= exactDigits && (id[0] != '0' || len(id) == 1) && len(bytes.Trim(id, "0123456789")) == 0
	case id[0] == '.' || id[0] == '(' || id[0] == '$' || bytes.HasPrefix(id, []byte("₹")) || bytes.HasPrefix(id, []byte("Rs")):
		return false
	}
	start := strings.ToLower(string(id[:min(len(id), len("jan"))]))
	switch start {
	case "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", "tru", "fal":
		return false
	}
	return true
}

// withoutFormula keeps a spreadsheet from running a text of a file as a formula: an
// apostrophe in front makes it text.
func withoutFormula(s string) string {
	if isFormula(s) {
		return "'" + s
	}
	return s
}

// isFormula says whether a spreadsheet may run a text as a formula. Some spreadsheets
// accept full-width signs too.
func isFormula(s string) bool {
	start, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, unicode.IsSpace))
	return strings.ContainsRune("=+-@＝＋－＠", start) || strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "\r")
}
