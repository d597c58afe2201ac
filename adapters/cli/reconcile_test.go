package cli

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"milaan/adapters/cli/terminal"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/only"
)

// previews answers every request with one reconciliation, made by the real
// domain, and remembers what it was asked.
type previews struct {
	ports.Reconciling

	asked    ports.Request
	check    domain.Faults
	err      error
	released int
	build    func(*verdict.Orders, *verdict.Remittances)
	told     []domain.Warning // of the last run
}

func (p *previews) Check(req ports.Request) domain.Faults {
	p.asked = req
	return p.check
}

func (p *previews) Preview(_ context.Context, req ports.Request) (*ports.FinishedRun, error) {
	p.asked = req
	if p.err != nil {
		return nil, p.err
	}
	var (
		orders      verdict.Orders
		remittances verdict.Remittances
		r           verdict.Reconciliation
	)
	orders.Reset()
	remittances.Reset()
	p.build(&orders, &remittances)
	orders.Rows, remittances.Rows = orders.Len(), remittances.Len()+1 // and a footer
	if err := r.Decide(&orders, &remittances, domain.TermsFor(req.OverdueDays, 0, req.MinorGap, req.Charges)); err != nil {
		return nil, err
	}
	p.told = r.Warnings()
	m := domain.Mapping{domain.RoleAWB: "AWB No", domain.RoleRemittedAmount: "Paid\x1b[31m", domain.RoleRemittanceDate: "Remittance Date"}
	run := ports.NewFinishedRun(&r, domain.Run{}, m, func() { p.released++ })
	if req.Statement != nil {
		run.Statement = &bank.Findings{Payouts: make([]bank.CreditedPayout, len(run.Payouts()))}
	}
	return run, nil
}

// answers prints whether it was asked for the results only.
type answers struct{ peers.Answers }

func (answers) Write(w io.Writer, o *ports.FinishedRun, resultsOnly bool) error {
	_, err := fmt.Fprintf(w, "%d results, only %v\n", o.Len(), resultsOnly)
	return err
}

// words is the catalogue. A test inside the package may not import another adapter, so
// words_test.go sets it.
var words Words

// Speak sets the catalogue.
func Speak(w Words) bool {
	words = w
	return true
}

func inEnglish() Words { return words }

func (p *previews) deps() Deps {
	return Deps{Words: inEnglish, Offline: func() (Offline, error) {
		return Offline{Reconciling: p, Answers: answers{}, Couriers: catalogue{}, Foresee: func(int64) {}}, nil
	}}
}

// addOrder adds an order of the 1st of March with an AWB of its own.
func addOrder(orders *verdict.Orders, name, awb string, total domain.Paise) {
	o, _ := orders.FindOrAdd([]byte(name))
	o.Total, o.HasTotal = total, true
	orders.Track(o, []byte(awb))
	o.CreatedOn, o.FulfilledOn, o.Fulfilment, o.FulfilmentText = march(1), march(1), verdict.Fulfilled, "fulfilled"
}

func addLine(lines *verdict.Remittances, awb string, paid domain.Paise, on domain.Day) {
	lines.Add(verdict.Remittance{AWB: []byte(awb), Collected: paid, Remitted: paid, RemittedOn: on})
}

func march(day int) domain.Day { return domain.DayFromDate(2026, time.March, day) }

// someOrders are one short, one missing, two settled, and a stray line.
func someOrders(orders *verdict.Orders, lines *verdict.Remittances) {
	addOrder(orders, "#1001", "90001", 129_999_50)
	addOrder(orders, "#1002", "90002", 1499_00)
	addOrder(orders, "#1003", "90003", 999_00)
	addOrder(orders, "=HYPERLINK(1)", "90004", 1_50)
	addLine(lines, "90001", 129_999_50, march(9))
	addLine(lines, "90002", 1400_00, march(20))
	addLine(lines, "90004", 3_00, march(12))
	addLine(lines, "77777", 500_00, march(9))
}

func manyOrders(orders *verdict.Orders, lines *verdict.Remittances) {
	for i := range fewOrders + 1 {
		addOrder(orders, fmt.Sprint("#", 2000+i), fmt.Sprint(80000+i), 100_00)
		addLine(lines, fmt.Sprint(80000+i), domain.Paise(min(i+1, 2)*50_00), march(5))
	}
}

func writeFile(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

func files(t *testing.T) (orders, remittance string) {
	t.Helper()
	return writeFile(t, "orders.csv", "orders"), writeFile(t, "remittance.csv", "lines")
}

// reconcile runs the command on two files.
func (p *previews) reconcile(t *testing.T, flags ...string) ran {
	t.Helper()
	orders, remittance := files(t)
	return run(p.deps(), append([]string{"reconcile", orders, remittance}, flags...)...)
}

func TestReconcileReport(t *testing.T) {
	p := &previews{build: someOrders}
	got := p.reconcile(t)
	require.Equal(t, ran{stdout: `4 orders in orders.csv against 4 lines in remittance.csv

Due        ₹1,32,499.00
Remitted   ₹1,31,402.50
Awaiting          ₹0.00
Shortfall     ₹1,096.50
At risk       ₹1,098.00
Due = Remitted + Awaiting + Shortfall; At risk = Shortfall + ₹1.50 overpaid.

MISSING     1  ₹999.00
SHORT_PAID  1   ₹99.00
OVERPAID    1   -₹1.50
RECONCILED  1    ₹0.00

` + p.warningLines() + `An order is overdue 7 days after delivery (Milaan's default), as of 2026-03-01, the latest order date.
The report reaches to 2026-03-20, past every order's window.
Columns read: awb = AWB No, remitted_amount = Paid·[31m, remittance_date = Remittance Date.

FLAG        ORDER          AWB             DUE      REMITTED  SHORTFALL  DAYS  REASON
MISSING     #1003          90003       ₹999.00         ₹0.00    ₹999.00     1  Not remitted
SHORT_PAID  #1002          90002     ₹1,499.00     ₹1,400.00     ₹99.00        Shortfall detected
OVERPAID    =HYPERLINK(1)  90004         ₹1.50         ₹3.00     -₹1.50        Overpaid
RECONCILED  #1001          90001  ₹1,29,999.50  ₹1,29,999.50      ₹0.00        Fully remitted
`}, ran{got.code, withoutDetails(got.stdout), got.stderr})
	require.Equal(t, "orders", string(p.asked.Storefront))
	require.Equal(t, "lines", string(p.asked.Courier))
	require.Equal(t, 1, p.released)
}

// warningLines returns the warnings of the last run as the report has them.
func (p *previews) warningLines() string {
	var b strings.Builder
	for i := range p.told {
		fmt.Fprintf(&b, "Warning: %s\n", words.Warning(&p.told[i], names{}))
	}
	if len(p.told) > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// withoutDetails ends each order's reason at its colon: the words before it are
// the contract's, those after it the engine's.
func withoutDetails(report string) string {
	head, orders, _ := strings.Cut(report, "FLAG ")
	return head + "FLAG " + regexp.MustCompile(`(?m): .*$`).ReplaceAllString(orders, "")
}

func TestReconcileListsOrdersThatAreNotFlaggedOnRequest(t *testing.T) {
	p := &previews{build: manyOrders}
	got := p.reconcile(t)
	require.Equal(t, ExitDone, got.code)
	require.Contains(t, got.stdout, "#2000")
	require.NotContains(t, got.stdout, "#2001")
	require.Contains(t, got.stdout, "\nNot flagged: 20 more orders; --all lists them too.\n")
	got = p.reconcile(t, "--all")
	require.Contains(t, got.stdout, "#2001")
	require.NotContains(t, got.stdout, "--all")
}

// TestAcceptedChargesAreInTheTotals holds that totals and formula have them, if there are any.
func TestAcceptedChargesAreInTheTotals(t *testing.T) {
	p := &previews{build: func(orders *verdict.Orders, lines *verdict.Remittances) {
		addOrder(orders, "#1", "90001", 1000_00)
		lines.Add(verdict.Remittance{AWB: []byte("90001"), Listed: 1000_00, Collected: 1000_00, Stated: 929_20, HasRemitted: true, Remitted: 929_20, RemittedOn: march(9)})
		lines.AddCharge(0, 70_80)
		lines.SetCharges([]string{"Freight"})
		lines.SetMapping(domain.Mapping{domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Net"})
	}}
	got := p.reconcile(t, "--charges", "accept").stdout
	require.Contains(t, got, `
Due               ₹1,000.00
Remitted            ₹929.20
Awaiting              ₹0.00
Shortfall             ₹0.00
Accepted charges     ₹70.80
At risk               ₹0.00
Due = Remitted + Awaiting + Shortfall + Accepted charges.
`)
	require.Contains(t, got, "RECONCILED  1  ₹0.00")
	require.Contains(t, p.reconcile(t, "--charges", "accept", "--csv", "--all").stdout, ",report,accepted_charges\r\n")
	require.NotContains(t, p.reconcile(t).stdout, "Accepted")
	require.NotContains(t, p.reconcile(t, "--csv").stdout, "accepted_charges")
}

func TestReconcilePassesTheFlagsOn(t *testing.T) {
	p := &previews{build: someOrders}
	p.reconcile(t)
	require.Nil(t, p.asked.OverdueDays, "a default is not a mode")
	require.Nil(t, p.asked.MinorGap)
	require.Empty(t, p.asked.Charges)
	require.Empty(t, p.asked.CourierName)
	require.Nil(t, p.asked.Columns)

	p.reconcile(t, "--overdue-days", "7", "--minor-gap", "0", "--charges", "accept", "--courier", "DTDC")
	require.Equal(t, 7, *p.asked.OverdueDays)
	require.Equal(t, 0, *p.asked.MinorGap)
	require.Equal(t, domain.AcceptCharges, p.asked.Charges)
	require.Equal(t, "DTDC", p.asked.CourierName)

	p.reconcile(t, "--column", "awb=Docket", "--column", "cod_amount=Amt = Rs, net")
	require.Equal(t, "custom", p.asked.CourierName)
	require.Equal(t, map[string]string{"awb": "Docket", "cod_amount": "Amt = Rs, net"}, p.asked.Columns)
	p.reconcile(t, "--column", "awb=Docket", "--courier", "dtdc")
	require.Equal(t, "dtdc", p.asked.CourierName, "whether it may is for the service to say")
}

func TestReconcileJSONIsTheServicesAnswer(t *testing.T) {
	p := &previews{build: someOrders}
	require.Equal(t, ran{stdout: "4 results, only false\n"}, p.reconcile(t, "--json"))
}

func TestReconcileCSV(t *testing.T) {
	p := &previews{build: someOrders}
	read := func(flags ...string) [][]string {
		got := p.reconcile(t, append(flags, "--csv")...)
		require.Equal(t, ExitDone, got.code)
		require.Equal(t, strings.TrimSuffix(p.warningLines(), "\n\n"), strings.TrimSuffix(got.stderr, "\n"), "they have no place in the file")
		text, marked := strings.CutPrefix(got.stdout, "\ufeff")
		require.True(t, marked, "Excel would read it in the machine's old encoding")
		require.Equal(t, strings.Count(text, "\n"), strings.Count(text, "\r\n"))
		records := only.Value(csv.NewReader(strings.NewReader(text)).ReadAll())(t)
		require.Equal(t, strings.Fields("awb order_id cod_amount remitted shortfall days_overdue flag flag_reason status match_mode order_date due_by remitted_on utr courier_status report"), records[0])
		return records[1:]
	}
	flagged := read()
	require.Len(t, flagged, 3)
	for i, flag := range []string{"SHORT_PAID", "MISSING", "OVERPAID"} {
		require.Equal(t, flag, flagged[i][6], "in the export's order")
	}
	require.Equal(t, "'=HYPERLINK(1)", flagged[2][1], "a spreadsheet shows it and does not run it")
	require.Equal(t, "-1.5", flagged[2][4], "a number stays one")

	records := read("--all")
	require.Len(t, records, 4)
	require.Equal(t, []string{"90001", "#1001", "129999.5", "129999.5", "0", "0", "RECONCILED"}, records[0][:7])
	require.Equal(t, []string{"fulfilled", "awb", "2026-03-01", "2026-03-08"}, records[0][8:12])

	p.build = func(orders *verdict.Orders, _ *verdict.Remittances) {
		addOrder(orders, "00123", "14902602000001", 1_00)
		o, _ := orders.FindOrAdd([]byte("MAR-26"))
		o.Total, o.HasTotal = 2_00, true
		orders.Track(o, []byte("14902602000002, 14902602000003"))
	}
	records = read("--all")
	require.Equal(t, []string{`="14902602000001"`, `="00123"`}, records[0][:2])
	require.Equal(t, []string{`="14902602000002, 14902602000003"`, `="MAR-26"`}, records[1][:2])
	require.Equal(t, []string{"2026-03-01", "2026-03-08"}, records[0][10:12])
	require.Equal(t, []string{"", ""}, records[1][10:12], "nothing dates it")

	p.build = func(orders *verdict.Orders, lines *verdict.Remittances) {
		addOrder(orders, "#1", "90001", 5_00)
		lines.Begin("dtdc")
		lines.Begin("dtdc")
		lines.Add(verdict.Remittance{AWB: []byte("90001"), Collected: 5_00, Remitted: 5_00, UTR: []byte("@SUM(A1)"), Status: lines.AddStatus([]byte("=1+1")), HasStatus: true})
	}
	got := run(p.deps(), "reconcile", "--csv", "--all", writeFile(t, "orders.csv", "orders"), writeFile(t, "first.csv", "none"), writeFile(t, "=cmd.csv", "lines"))
	require.Contains(t, got.stdout, ",'@SUM(A1),'=1+1,'=cmd.csv\r\n", "nor does it run what else the files say")
}

func TestCSVOfNothingFlaggedIsItsHeader(t *testing.T) {
	p := &previews{build: func(orders *verdict.Orders, _ *verdict.Remittances) { addOrder(orders, "#1", "9", 0) }}
	require.Equal(t, "\ufeff"+strings.Join(resultFields, ",")+"\r\n", p.reconcile(t, "--csv").stdout)
}

// TestCSVOnATerminalDoesNotMoveTheCursor holds what the text has, too. Into a file
// goes what the two files say.
func TestCSVOnATerminalDoesNotMoveTheCursor(t *testing.T) {
	p := &previews{build: func(orders *verdict.Orders, _ *verdict.Remittances) {
		addOrder(orders, "#1\x1b[31m", "9\u202e1", 1_00)
		o, _ := orders.FindOrAdd([]byte("#2"))
		o.Total, o.HasTotal, o.FulfilmentText = 1_00, true, "ful\x1b]0;filled"
	}}
	orders, remittance := files(t)
	args := []string{"reconcile", "--csv", "--all", orders, remittance}
	got := run(p.deps(), args...).stdout
	for _, raw := range []string{"#1 [31m", "9\u202e1", "ful\x1b]0;filled"} {
		require.Contains(t, got, raw)
	}

	ours, theirs, err := pty.Open()
	if err != nil {
		t.Skipf("NOT TESTED: no pseudo terminal: %v", err)
	}
	defer func() { require.NoError(t, ours.Close()) }()
	shown := make(chan string)
	go func() {
		text, _ := io.ReadAll(ours) // ends with an error once nobody has the other side open
		shown <- string(text)
	}()
	require.Equal(t, ExitDone, Execute(t.Context(), p.deps(), args, theirs, io.Discard))
	require.NoError(t, theirs.Close())
	got = <-shown
	for _, text := range []string{"#1 [31m", "9·1", "ful·]0;filled"} {
		require.Contains(t, got, text)
	}
	require.NotContains(t, got, "\x1b")
	require.NotContains(t, got, "\u202e")
}

func TestReconcileErrorsNameTheFile(t *testing.T) {
	orders, remittance := files(t)
	fault := &domain.FileError{File: domain.CourierFile, Rule: domain.RuleAmount, Line: 3}
	p := &previews{err: fmt.Errorf("reading: %w", fault)}
	got := run(p.deps(), "reconcile", orders, remittance)
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: " + remittance + ", line 3: is not an amount; write it like 1299.50\n"}, got)

	p = &previews{err: &domain.FileError{File: domain.StorefrontFile, Rule: domain.RuleWorkbook}}
	got = run(p.deps(), "reconcile", orders, remittance)
	require.Equal(t, "milaan: "+orders+": is an Excel workbook (.xlsx) or a ZIP archive, not CSV; open it and save the sheet as 'CSV UTF-8'\n", got.stderr)

	run(p.deps(), "reconcile", orders+".away", remittance).refused(t, ExitFailed, orders+".away: no such file")
	run(p.deps(), "reconcile", orders, filepath.Dir(orders)).refused(t, ExitFailed, "is a folder; give a file")

	large := filepath.Join(t.TempDir(), "large.csv")
	f := only.Value(os.Create(large))(t)
	require.NoError(t, f.Truncate(maxFile+1)) // takes no room: it is never written
	require.NoError(t, f.Close())
	got = run(p.deps(), "reconcile", large, remittance)
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: " + large + " has more than 2 GB, which is more than a file may have: export the orders of fewer months, or give the report in several files\n"}, got)
}

// TestFilesAreReadAsTheyAre holds that mapped files are read as copied ones are, and that what is
// altered in memory is not written back.
func TestFilesAreReadAsTheyAre(t *testing.T) {
	for _, size := range []int{0, 1, worthMapping - 1, worthMapping, worthMapping + 4097} {
		path, want := filepath.Join(t.TempDir(), "orders.csv"), bytes.Repeat([]byte("Name,Total\n"), size)[:size]
		require.NoError(t, os.WriteFile(path, want, 0o600))
		text := only.Value(readFile(&cobra.Command{}, path))(t)
		require.True(t, bytes.Equal(want, text), size)
		for i := range text {
			text[i] = '?'
		}
		require.True(t, bytes.Equal(want, only.Value(os.ReadFile(path))(t)), size)
	}
}

func TestFilesAreReadUpToALimit(t *testing.T) {
	for _, size := range []int64{0, 3, 5, 9} { // what the system said of it
		require.Equal(t, "12345", string(only.Value(readUpTo(strings.NewReader("12345"), size, 9))(t)))
	}
	require.NoError(t, only.Err(readUpTo(strings.NewReader("12345"), 0, 5)))
	require.ErrorIs(t, only.Err(readUpTo(strings.NewReader("123456"), 0, 5)), errTooLarge)
	require.ErrorIs(t, only.Err(readUpTo(nil, 6, 5)), errTooLarge, "it is not read")
}

// TestNames is what people at a terminal call the files, and what they state for a
// column.
func TestNames(t *testing.T) {
	n := names{paths: map[domain.File]string{domain.StorefrontFile: "a/o\x1b.csv"}, reports: []string{"-"}}
	require.Equal(t, "a/o·.csv", n.File(domain.StorefrontFile, 0))
	require.Equal(t, "standard input", n.File(domain.CourierFile, 0))
	require.Equal(t, `--column 'awb=its "own" name'`, n.Column(0, domain.RoleAWB, `its "own" name`))
	require.Equal(t, `--column 'cod_amount=Buyer'\''s Amt'`, n.Column(0, domain.RoleCODAmount, "Buyer's Amt"))
	require.Equal(t, "--column 'awb=AWB· No'", n.Column(0, domain.RoleAWB, "AWB\x1b No"), "it can be copied: signs do not count")
	require.Equal(t, peers.CommandLine, n.Surface())
}

func TestReconcileReadsStandardInput(t *testing.T) {
	orders, remittance := files(t)
	for _, c := range []struct{ first, second, export, report, sentence string }{
		{"-", remittance, "piped", "lines", "4 orders in standard input against 4 lines in remittance.csv\n"},
		{orders, "-", "orders", "piped", "4 orders in orders.csv against 4 lines in standard input\n"},
	} {
		p := &previews{build: someOrders}
		root := New(p.deps())
		var stdout bytes.Buffer
		root.SetIn(strings.NewReader("piped"))
		root.SetOut(&stdout)
		root.SetArgs([]string{"reconcile", c.first, c.second})
		require.NoError(t, root.ExecuteContext(t.Context()))
		require.Equal(t, c.export, string(p.asked.Storefront))
		require.Equal(t, c.report, string(p.asked.Courier))
		require.Contains(t, stdout.String(), c.sentence)
	}
}

// TestWarningsComeBeforeTheOrders holds where they stand, and that each is told
// once: what the report itself used to say of lines that nobody claims and of a
// report without any is left to them.
func TestWarningsComeBeforeTheOrders(t *testing.T) {
	p := &previews{build: someOrders}
	outcome := only.Value(p.Preview(t.Context(), ports.Request{}))(t)
	var b strings.Builder
	r := report{run: outcome, words: words, in: &inputs{orders: "o.csv", reports: []reportFile{{path: "c.csv"}}},
		warnings: []domain.Warning{{Code: "one_code"}, {Code: "code\x1b[31m"}}}
	require.NoError(t, r.write(&b))
	got := b.String()
	require.Contains(t, got, "\nRECONCILED  1    ₹0.00\n\nWarning: one_code\nWarning: code·[31m\n\nAn order is overdue ")
	require.Equal(t, 2, strings.Count(got, "Warning"))
	require.NotContains(t, got, "claims")

	r.warnings, r.screen = []domain.Warning{{Code: "one two three four five"}}, terminal.Screen{Width: 20, Coloured: true}
	b.Reset()
	require.NoError(t, r.write(&b))
	require.Contains(t, b.String(), "\n\x1b[1;33mWarning:\x1b[0m one two\nthree four five\n\n")
}

func TestReconcileRefusedRequests(t *testing.T) {
	p := &previews{check: domain.Faults{{Field: domain.FieldCourierName, Rule: domain.RuleOneOf, Options: []string{"delhivery", "custom"}}}}
	got := p.reconcile(t, "--courier", "ups")
	got.refused(t, ExitUsage, "milaan: --courier must be one of delhivery, custom\n")
	p.check = domain.Faults{{Field: domain.FieldColumns, Rule: domain.RuleCustom}}
	got = p.reconcile(t, "--courier", "dtdc", "--column", "awb=Docket")
	require.Contains(t, got.stderr, "milaan: --column role=Header is accepted only with --courier custom\n")

	broken := Deps{Offline: func() (Offline, error) { return Offline{}, errors.New("two couriers named dtdc") }}
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: two couriers named dtdc\n"}, run(broken, "reconcile", "a", "b"))
}

// full is a disk without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestReconcileReportsWhatCannotBeWritten(t *testing.T) {
	orders, remittance := files(t)
	for _, format := range []string{"--all", "--csv", "--json"} {
		p := &previews{build: someOrders}
		var stderr bytes.Buffer
		code := Execute(t.Context(), p.deps(), []string{"reconcile", format, orders, remittance}, full{}, &stderr)
		require.Equal(t, ExitFailed, code, format)
		require.Contains(t, stderr.String(), "no space left")
		require.Equal(t, 1, p.released)
	}
}

// guidance is what is said of reports with such names.
func guidance(g *domain.Guidance, short []string) []string {
	return words.Guidance(g, len(short), tableNames{names{}, short})
}

func TestGuidanceInSentences(t *testing.T) {
	base := domain.Guidance{OffsetDays: 1, OffsetSource: domain.OffsetExplicit, BatchAsOf: march(31), GuaranteedCoverageDays: 14, AwaitingNextCycle: 1}
	require.Equal(t, []string{
		"An order is overdue 1 day after delivery (as set for this run), as of 2026-03-31, the latest order date.",
		"The report has no date, so how far it reaches is not known.",
		"1 order may still be paid in time: run again with the next report.",
	}, guidance(&base, []string{"one.csv"}))
	base.DataThrough = march(20)
	require.Contains(t, guidance(&base, []string{"one.csv"}), "The report reaches to 2026-03-20; one that reaches to 2026-04-14 is past every order's window.")
	base.CoverageComplete = true
	require.Contains(t, guidance(&base, []string{"one.csv"}), "The report reaches to 2026-03-20, past every order's window.")
}
