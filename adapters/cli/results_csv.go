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
	"milaan/ports"
)

// resultFields are the contract's, in its order (section 2.3), and the two dates
// that an accountant sorts by.
var resultFields = []string{"awb", "order_id", "cod_amount", "remitted", "shortfall", "days_overdue", "flag", "flag_reason", "status", "match_mode",
	"order_date", "due_by"}

// byteOrderMark has Excel read a CSV file as UTF-8.
const byteOrderMark = "\ufeff"

// writeCSV writes results in the export's order, as Excel likes to open them: the
// flagged ones, or all. On a terminal it is printable.
func writeCSV(w io.Writer, r *domain.Reconciliation, words ports.Wording, all bool) error {
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
			asText(text(result.AWB)), asText(text(result.OrderID)), rupees(result.Due), rupees(result.Remitted), rupees(result.Shortfall),
			strconv.Itoa(result.DaysOverdue), result.Flag.String(), inert(string(text(reason))), inert(string(text([]byte(result.Status)))), result.MatchMode.String(),
			date(result.OrderedOn), date(result.DueBy),
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

func rupees(p domain.Paise) string { return string(p.AppendRupees(nil)) }

// date is a day as spreadsheets of every language read it, or blank.
func date(d domain.Day) string {
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

// asText gives an id in a form that a spreadsheet leaves as it is. What Excel would
// take for a number, a date or a truth value is written ="…", which it shows as the
// text between the quotation marks; Milaan reads it, too.
func asText(id []byte) string {
	if plainText(id) || len(id) > longestLiteral || bytes.ContainsFunc(id, func(r rune) bool { return r < ' ' || r == '"' }) {
		return inert(string(id))
	}
	return `="` + string(id) + `"`
}

// plainText says that a spreadsheet shows an id as it is: a number of few digits,
// or a text that begins as neither a number nor a date does. What a spreadsheet
// takes for a formula counts among them: it has its own remedy.
func plainText(id []byte) bool {
	switch {
	case len(id) == 0 || formula(string(id)):
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

// inert keeps a spreadsheet from running a text that a file's author wrote as
// a formula: an apostrophe in front makes it text.
func inert(s string) string {
	if formula(s) {
		return "'" + s
	}
	return s
}

// formula says that a spreadsheet may run a text. Some take the full-width forms
// of the signs for the signs.
func formula(s string) bool {
	start, _ := utf8.DecodeRuneInString(strings.TrimLeftFunc(s, unicode.IsSpace))
	return strings.ContainsRune("=+-@＝＋－＠", start) || strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "\r")
}
