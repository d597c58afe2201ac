package processes_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"

	"milaan/tests/fakes/zips"
	"milaan/tests/only"
)

// monthReport is one of the reports of testdata/month. A courier is blank where the header
// shows it.
type monthReport struct{ file, courier string }

// monthReports are the reports in the order in which they are given. The columns of
// dtdc.ods could be another courier's too.
var monthReports = []monthReport{
	{file: "delhivery-1.csv"}, {file: "delhivery-2.csv"}, {file: "delhivery-3.csv"},
	{file: "shiprocket.xlsx"}, {file: "xpressbees.xls"}, {file: "dtdc.ods", courier: "dtdc"},
}

const monthStatement = "statement.xls"

func monthPath(t *testing.T, name string) string {
	t.Helper()
	return only.Value(filepath.Abs(filepath.Join("testdata", "month", name)))(t)
}

func monthFile(t *testing.T, name string) []byte {
	t.Helper()
	return only.Value(os.ReadFile(monthPath(t, name)))(t)
}

// monthText is a file as CSV: the file itself, or the one beside the workbook.
func monthText(t *testing.T, name string) string {
	t.Helper()
	if filepath.Ext(name) != ".csv" {
		name += ".csv"
	}
	return string(monthFile(t, name))
}

// monthArguments are the files of the month on a command line.
func monthArguments(t *testing.T) []string {
	t.Helper()
	args := []string{monthPath(t, "orders.csv")}
	for _, r := range monthReports {
		arg := monthPath(t, r.file)
		if r.courier != "" {
			arg += ":" + r.courier
		}
		args = append(args, arg)
	}
	return append(args, "--bank", monthPath(t, monthStatement))
}

var monthIncluded = []string{"payouts", "unclaimed", "orders", "lines"}

// monthBody is the month as the fields of POST /reconcile.
func monthBody(t *testing.T) map[string]any {
	t.Helper()
	reports := make([]map[string]string, len(monthReports))
	for i, r := range monthReports {
		reports[i] = map[string]string{"courier": monthText(t, r.file)}
		if r.courier != "" {
			reports[i]["courierName"] = r.courier
		}
	}
	return map[string]any{
		"shopify": monthText(t, "orders.csv"), "reports": reports, "bank": monthText(t, monthStatement), "include": monthIncluded, "brand": "month",
	}
}

// asBody encodes the fields of a request; they always encode.
func asBody(fields map[string]any) io.Reader {
	text, _ := json.Marshal(fields)
	return bytes.NewReader(text)
}

// monthForm is the month as a form with the files as they are.
func monthForm(t *testing.T) (media string, form *bytes.Buffer) {
	t.Helper()
	form = &bytes.Buffer{}
	w := multipart.NewWriter(form)
	file := func(part, name string) {
		to := only.Value(w.CreateFormFile(part, name))(t)
		require.NoError(t, only.Err(to.Write(monthFile(t, name))))
	}
	file("orders", "orders.csv")
	for _, r := range monthReports {
		file("report", r.file)
		require.NoError(t, w.WriteField("courierName", r.courier))
	}
	file("bank", monthStatement)
	require.NoError(t, w.WriteField("include", strings.Join(monthIncluded, ",")))
	require.NoError(t, w.WriteField("brand", "month"))
	require.NoError(t, w.Close())
	return w.FormDataContentType(), form
}

// monthSum is a number of lines and what they remitted.
type monthSum struct {
	Lines    int
	Remitted float64
}

// monthAnswer is the part of an answer that must tie out.
type monthAnswer struct {
	Results []struct {
		Flag     string
		Remitted float64
	}
	Reports []struct {
		Courier                                          string
		Read, Matched, Unclaimed, Repeated, Unidentified monthSum
	}
	Payouts []struct{ Paid float64 }
	Bank    struct {
		Payouts      []struct{ State string }
		OtherCredits []any `json:"other_credits"`
	}
}

// paise is an amount in rupees as whole paise; sums are made of these.
func paise(rupees float64) int { return int(rupees*100 + 0.5) }

// A month of four couriers, whose reports are of five formats and of different weeks, is
// the same in one command, in one request of texts, in one form of files, and in a batch.
func TestAMonthOfSeveralCouriers(t *testing.T) {
	alongside(t)
	in := newInstallation(t, "")
	r := in.start(t)
	accounts := in.accounts(t, 3, -1) // the same files would be a duplicate
	media, form := monthForm(t)

	printed := in.succeed(t, nil, append([]string{"reconcile", "--json", "--payouts", "--unclaimed", "--include", "orders,lines"}, monthArguments(t)...)...)
	texts := post(t, r.url+"/reconcile", accounts[0].key, asBody(monthBody(t)))
	files := send(browser, request(t, http.MethodPost, r.url+"/reconcile/files", form, "Content-Type", media, "Authorization", "Bearer "+accounts[1].key))
	for _, a := range []answer{texts, files} {
		require.NoError(t, a.err)
		require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	}
	command := decoded(t, []byte(printed))
	require.Equal(t, command, decoded(t, texts.body))
	require.Equal(t, command, decoded(t, files.body))
	require.Equal(t, command, batched(t, in, r, accounts[2].key, monthBody(t)))
	tieOut(t, []byte(printed))

	t.Run("documents", func(t *testing.T) { compareDocuments(t, in, r, accounts[0].key, texts.header.Get("X-Run-Id")) })
	r.stop(t)
}

// decoded is an answer without what names files: the messages of warnings.
func decoded(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var fields map[string]any
	require.NoError(t, json.Unmarshal(body, &fields))
	require.Len(t, fields["warnings"], 3)
	for _, w := range fields["warnings"].([]any) {
		require.NotEmpty(t, w.(map[string]any)["message"])
		delete(w.(map[string]any), "message")
	}
	return fields
}

// batched makes the run in a batch of one job, and returns what a single run would answer.
func batched(t *testing.T, in *installation, r *replica, key string, job map[string]any) map[string]any {
	t.Helper()
	a := post(t, r.url+"/reconcile/batch", key, asBody(map[string]any{"jobs": []any{job}}))
	require.Equal(t, http.StatusAccepted, a.status, "%s", a.body)
	var accepted struct {
		ID string `json:"batch_id"`
	}
	require.NoError(t, json.Unmarshal(a.body, &accepted))
	var status struct {
		Status  string
		Results []json.RawMessage
	}
	in.awaitBatch(t, accepted.ID)
	a = r.status(t, key, accepted.ID)
	require.Equal(t, http.StatusOK, a.status, "%s", a.body)
	require.NoError(t, json.Unmarshal(a.body, &status))
	require.Equal(t, "complete", status.Status)
	require.Len(t, status.Results, 1)
	result := decoded(t, status.Results[0])
	require.Equal(t, "month", result["brand"])
	delete(result, "brand")
	delete(result, "courierName")
	return result
}

// tieOut holds the control totals of the month, and what is known of its files.
func tieOut(t *testing.T, body []byte) {
	t.Helper()
	var a monthAnswer
	require.NoError(t, json.Unmarshal(body, &a))
	flags, remitted, matched, read, payouts := map[string]int{}, 0, 0, 0, 0
	for _, result := range a.Results {
		flags[result.Flag]++
		remitted += paise(result.Remitted)
	}
	require.Equal(t, map[string]int{"RECONCILED": 108, "SHORT_PAID": 5, "MISSING": 4, "AWAITING_NEXT_CYCLE": 3}, flags)
	couriers := make([]string, len(a.Reports))
	var unclaimed, repeated, unidentified monthSum
	for i, r := range a.Reports {
		couriers[i] = r.Courier
		lines, paid := 0, 0
		for _, part := range []monthSum{r.Matched, r.Unclaimed, r.Repeated, r.Unidentified} {
			lines, paid = lines+part.Lines, paid+paise(part.Remitted)
		}
		require.Equal(t, r.Read.Lines, lines, r.Courier)
		require.Equal(t, paise(r.Read.Remitted), paid, r.Courier)
		matched, read = matched+paise(r.Matched.Remitted), read+paid
		unclaimed.add(r.Unclaimed)
		repeated.add(r.Repeated)
		unidentified.add(r.Unidentified)
	}
	require.Equal(t, []string{"delhivery", "delhivery", "delhivery", "shiprocket", "xpressbees", "dtdc"}, couriers)
	require.Equal(t, monthSum{1, 99}, unclaimed)
	require.Equal(t, monthSum{1, 529}, repeated)
	require.Equal(t, monthSum{1, 75.5}, unidentified)
	require.Equal(t, matched, remitted, "what results were remitted is what was matched")
	for _, p := range a.Payouts {
		payouts += paise(p.Paid)
	}
	require.Equal(t, read-paise(repeated.Remitted)-paise(unidentified.Remitted), payouts,
		"a line that is listed again was paid once, and what has no id is in no payout")

	states := map[string]int{}
	for _, p := range a.Bank.Payouts {
		states[p.State]++
	}
	require.Len(t, a.Bank.Payouts, len(a.Payouts))
	require.Equal(t, map[string]int{"credited": len(a.Payouts) - 3, "not_in_statement": 1, "credited_other_amount": 2}, states)
	require.Len(t, a.Bank.OtherCredits, 1)
}

func (s *monthSum) add(more monthSum) {
	s.Lines, s.Remitted = s.Lines+more.Lines, s.Remitted+more.Remitted
}

// compareDocuments makes every document by the command line from the files, and by the API
// from their texts.
func compareDocuments(t *testing.T, in *installation, r *replica, key, run string) {
	out := t.TempDir()
	args := append([]string{"report", "--xlsx", filepath.Join(out, "month.xlsx"), "--csv", filepath.Join(out, "csv"),
		"--pdf", filepath.Join(out, "month.pdf"), "--dispute", filepath.Join(out, "dispute"),
		"--tally", filepath.Join(out, "books.xml"), "--journal", filepath.Join(out, "books.csv")}, monthArguments(t)...)
	require.Empty(t, in.succeed(t, nil, args...))
	made := func(format string) []byte {
		body := monthBody(t)
		body["format"] = format
		a := post(t, r.url+"/report", key, asBody(body))
		require.Equal(t, http.StatusOK, a.status, "%s %s", format, a.body)
		require.Empty(t, a.header.Get("X-Run-Id"), "the run was made before")
		return a.body
	}
	written := func(name string) []byte {
		return only.Value(os.ReadFile(filepath.Join(out, name)))(t)
	}

	tables := only.Value(zips.Files(made("csv")))(t)
	require.Len(t, tables, 8)
	for name, text := range tables {
		require.Equal(t, withoutFiles(string(written("csv/"+name))), withoutFiles(text), name)
	}
	require.Equal(t, sheetsOf(t, written("month.xlsx")), sheetsOf(t, made("xlsx")))
	require.Len(t, sheetsOf(t, written("month.xlsx")), len(tables))

	pack := only.Value(zips.Files(made("dispute")))(t)
	require.Len(t, pack, len(only.Value(os.ReadDir(filepath.Join(out, "dispute")))(t)))
	for name, content := range pack {
		of := written("dispute/" + name)
		switch filepath.Ext(name) {
		case ".xlsx":
			require.Equal(t, sheetsOf(t, of), sheetsOf(t, []byte(content)), name)
		case ".txt":
			reference := "Our reference: " + run + "\n"
			require.Equal(t, name != "dispute-in-no-report.txt", strings.Contains(content, reference), "the run of the API is stored, and letters refer to it")
			require.Equal(t, string(of), strings.Replace(content, reference, "", 1), name)
		default:
			require.Equal(t, "%PDF-", content[:5], name)
		}
	}
	require.Equal(t, string(written("books.xml")), string(made("tally")))
	require.Equal(t, string(written("books.csv")), string(made("journal")))
	for _, pdf := range [][]byte{written("month.pdf"), made("pdf")} {
		require.True(t, bytes.HasPrefix(pdf, []byte("%PDF-")))
		require.True(t, bytes.HasSuffix(bytes.TrimSpace(pdf), []byte("%%EOF")))
	}
}

// reportNames are what the command line and the API call the report that a warning names.
var reportNames = regexp.MustCompile(`courier file 3 \(reports\[2\]\)|\S*delhivery-3\.csv`)

// withoutFiles leaves these names out.
func withoutFiles(text string) string {
	text = strings.Replace(text, "\nrun,month,", "\nrun,,", 1) // the command has no brand for the ledger
	return reportNames.ReplaceAllString(text, "REPORT")
}

// sheetsOf are the cells of a workbook as a spreadsheet library reads them, by sheet.
func sheetsOf(t *testing.T, content []byte) map[string][][]string {
	t.Helper()
	book := only.Value(excelize.OpenReader(bytes.NewReader(content)))(t)
	defer func() { require.NoError(t, book.Close()) }()
	sheets := map[string][][]string{}
	for _, name := range book.GetSheetList() {
		rows := only.Value(book.GetRows(name))(t)
		for _, row := range rows {
			if len(row) > 1 && row[0] == "run" {
				row[1] = "" // the brand
			}
			for i := range row {
				row[i] = withoutFiles(row[i])
			}
		}
		sheets[name] = rows
	}
	return sheets
}
