package cli

import (
	"bytes"
	"encoding/csv"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/cli/terminal"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
)

// someTotals are of two couriers and one that is not known.
func someTotals() []verdict.ReportTotals {
	sum := func(lines int, paid domain.Paise) verdict.LineSum {
		return verdict.LineSum{Lines: lines, Remitted: paid}
	}
	return []verdict.ReportTotals{
		{Report: 1, Courier: "delhivery", Rows: 5, Through: march(9), Read: sum(5, 1499_00), Matched: sum(3, 999_50), Unclaimed: sum(1, 499_50), Repeated: sum(1, 0)},
		{Report: 2, Courier: "dtdc", Rows: 2, Through: march(12), Read: sum(2, 250_00), Matched: sum(1, 200_00), Unidentified: sum(1, 50_00)},
		{Report: 3, Courier: "delhivery", Rows: 0, Through: march(20)},
		{Report: 4, Rows: 1, Through: march(15), Read: sum(1, 100_00), Matched: sum(1, 100_00)},
	}
}

func text(t *terminal.Table) string {
	var b strings.Builder
	t.AppendTo(&b)
	return b.String()
}

func TestControlTotals(t *testing.T) {
	names := []string{"one.csv", "two\x1b.csv", "three.csv", "four.csv"}
	require.Equal(t, `REPORT              READ        MATCHED    UNCLAIMED  LISTED TWICE  UNIDENTIFIED  COURIER
one.csv    ₹1,499.00 (5)    ₹999.50 (3)  ₹499.50 (1)     ₹0.00 (1)     ₹0.00 (0)  delhivery
two·.csv     ₹250.00 (2)    ₹200.00 (1)    ₹0.00 (0)     ₹0.00 (0)    ₹50.00 (1)  dtdc
three.csv      ₹0.00 (0)      ₹0.00 (0)    ₹0.00 (0)     ₹0.00 (0)     ₹0.00 (0)  delhivery
four.csv     ₹100.00 (1)    ₹100.00 (1)    ₹0.00 (0)     ₹0.00 (0)     ₹0.00 (0)  not known
all        ₹1,849.00 (8)  ₹1,299.50 (5)  ₹499.50 (1)     ₹0.00 (1)    ₹50.00 (1)
`, text(controlTotals(names, someTotals())))
	require.NotContains(t, text(controlTotals(names, someTotals()[:1])), "all")
	charged := someTotals()
	charged[0].Charges, charged[1].Charges = 7080, 20
	require.Regexp(t, `(?s)UNIDENTIFIED  CHARGES  COURIER.*  ₹70.80  .*  ₹0.20  dtdc.*\nall .* ₹71.00\n`, text(controlTotals(names, charged)))
}

func TestReportsAreDescribed(t *testing.T) {
	reports := []verdict.ReadReport{
		{Courier: "delhivery", Rows: 13, Through: march(9), Mapping: domain.Mapping{domain.RoleAWB: "AWB\x1b No", domain.RoleUTR: "UTR"}},
		{Mapping: domain.Mapping{domain.RoleOrderID: "Order"}},
	}
	require.Equal(t, `REPORT   COURIER    LINES  LATEST DATE  COLUMNS READ
one.csv  delhivery     12  2026-03-09   awb = AWB· No, utr = UTR
two.csv  not known      0  no date      order_id = Order
`, text(reportsTable([]string{"one.csv", "two.csv"}, reports, []verdict.ReportTotals{{Read: verdict.LineSum{Lines: 12}}, {}})))
}

// TestReportThatEndsFirstIsNamed holds that the guidance names the report whose dates end first.
func TestReportThatEndsFirstIsNamed(t *testing.T) {
	names := []string{"one.csv", "two.csv"}
	g := domain.Guidance{OffsetDays: 7, BatchAsOf: march(31), GuaranteedCoverageDays: 14, DataThrough: march(12)}
	of := func(behind domain.Behind, complete bool, through domain.Day) string {
		g.Behind, g.CoverageComplete, g.DataThrough = behind, complete, through
		return guidance(&g, names)[1]
	}
	dtdc, unknown := domain.Behind{Report: 2, Courier: "dtdc"}, domain.Behind{Report: 1}
	require.Equal(t, "The reports reach to 2026-03-12: most behind is two.csv (dtdc); one that reaches to 2026-04-14 is past every order's window.", of(dtdc, false, march(12)))
	require.Equal(t, "The reports reach to 2026-03-12: most behind is one.csv, but past every order's window.", of(unknown, true, march(12)))
	require.Len(t, guidance(&g, names), 2, "and nothing hangs on its courier")
	require.Equal(t, "The reports reach to 2026-03-12: most behind is one.csv; one that reaches to 2026-04-14 is past every order's window.", of(unknown, false, march(12)))
	require.Equal(t, "The courier of one.csv is not known, so only reports with the same header count as those of its courier: if others are of the same courier, name it for each of them (FILE:courier).", guidance(&g, names)[2])
	require.Equal(t, "How far the reports reach is not known, for two.csv (dtdc) has no date.", of(dtdc, false, domain.NoDay))
	require.Equal(t, "The reports have no date, so how far they reach is not known.", of(domain.Behind{}, false, domain.NoDay))
	require.Equal(t, "The reports reach to 2026-03-12, past every order's window.", of(domain.Behind{}, true, march(12)))
}

// somePayouts are a payout of each state, with the findings of a statement.
func somePayouts() ([]verdict.Payout, *bank.Findings) {
	payouts := []verdict.Payout{
		{Report: 1, Courier: "delhivery", UTR: []byte("11122233344455"), RemittedOn: march(9), Lines: 3, Collected: 1200_00, Deducted: 100_50, DeductedKnown: true, Paid: 1099_50},
		{Report: 2, UTR: []byte("=cmd|'calc'"), RemittedOn: march(12), Lines: 1, Collected: 200_00, Paid: 200_00},
		{Report: 2, Courier: "dtdc", Lines: 1, Collected: 50_00, Paid: 50_00},
	}
	return payouts, &bank.Findings{
		Payouts: []bank.CreditedPayout{
			{Payout: payouts[0], State: bank.CreditEqual, Received: 1099_50, Together: 1,
				Credits: []bank.StatementLine{{Line: 7, On: march(10), Amount: 1099_50, Narration: "NEFT 11122233344455"}}},
			{Payout: payouts[1], State: bank.CreditDiffers, Received: 150_00, Together: 1,
				Credits: []bank.StatementLine{{Line: 9, On: march(12), Amount: 150_00, Narration: "@SUM(A1)"}}},
			{Payout: payouts[2]},
		},
		Others: []bank.StatementLine{{Line: 12, On: march(14), Amount: 75_00, Narration: "DTDC\x1b[2J COD"}},
	}
}

// reversedPayout returns a payout that came in two credits and was returned.
func reversedPayout(p verdict.Payout, together int) bank.CreditedPayout {
	return bank.CreditedPayout{Payout: p, State: bank.CreditReversed, Together: together,
		Credits: []bank.StatementLine{{Line: 4, On: march(10), Amount: 30_00, Narration: "NEFT DTDC"}, {Line: 6, On: march(10), Amount: 20_00}},
		Debits:  []bank.StatementLine{{Line: 8, On: march(12), Amount: 50_00}}}
}

func TestLinesOfPayouts(t *testing.T) {
	for together, want := range map[int]string{1: "", 2: ", with 1 other payout", 3: ", with 2 other payouts"} {
		p := reversedPayout(verdict.Payout{}, together)
		require.Equal(t, "reversed, not received: 2026-03-10, lines 4, 6 and 8"+want, creditText(&p))
	}
}

func TestPayouts(t *testing.T) {
	payouts, found := somePayouts()
	names := []string{"one.csv", "two.csv"}
	require.Equal(t, `UTR             REMITTED ON  COURIER    REPORT   LINES  COLLECTED    DEDUCTED       PAID
11122233344455  2026-03-09   delhivery  one.csv      3  ₹1,200.00     ₹100.50  ₹1,099.50
=cmd|'calc'     2026-03-12   not known  two.csv      1    ₹200.00  not stated    ₹200.00
-               no date      dtdc       two.csv      1     ₹50.00  not stated     ₹50.00
`, text(payoutsTable(names, payouts, nil)))

	payouts[0].Charges = 7080
	require.Regexp(t, `PAID  CHARGES\n1112.*  ₹70.80\n`, text(payoutsTable(names, payouts, nil)))
	payouts[0].Charges = 0
	require.NotContains(t, text(payoutsTable(names[:1], payouts[:1], nil)), "one.csv", "there is no other")

	with := text(payoutsTable(names, payouts, found))
	require.Regexp(t, `  BANK\n1112.* ₹1,099.50  credited on 2026-03-10, line 7\n`, with)
	require.Regexp(t, `₹200.00  credited with ₹150.00 on 2026-03-12, line 9\n`, with)
	require.Regexp(t, `₹50.00  not in the statement\n$`, with)
	for why, want := range map[bank.Absence]string{bank.AbsenceOutside: "not in the statement, which does not cover its days",
		bank.AbsenceUndated: "not in the statement, and it has no date", bank.AbsenceNothingPaid: "nothing was paid out"} {
		require.Equal(t, want, creditText(&bank.CreditedPayout{Absence: why}))
	}

	var b strings.Builder
	r := report{in: &inputs{bank: "may/statement.csv", reports: []reportFile{{path: "one.csv"}, {path: "two.csv"}}}}
	r.writePayouts(&b, names, payouts, found)
	require.Contains(t, b.String(), with+"Bank statement statement.csv: 1 credited, 1 credited with another amount, 1 not in the statement.\n\n"+
		"1 credit of the statement names a courier and belongs to no payout of the reports: ask for the report that lists it.\n"+
		"LINE  DATE        AMOUNT  NARRATION\n12    2026-03-14  ₹75.00  DTDC·[2J COD\n")
	b.Reset()
	r.writePayouts(&b, names, payouts[2:], &bank.Findings{Payouts: []bank.CreditedPayout{{Payout: payouts[2], Absence: bank.AbsenceNothingPaid}}})
	require.Contains(t, b.String(), ": 0 credited, 0 credited with another amount, 0 not in the statement, 1 with nothing to pay.\n")
	b.Reset()
	r.writePayouts(&b, names, payouts[2:], &bank.Findings{Payouts: []bank.CreditedPayout{reversedPayout(payouts[2], 1)}})
	require.Contains(t, b.String(), ": 0 credited, 0 credited with another amount, 1 reversed, 0 not in the statement.\n")
	b.Reset()
	earlier := reversedPayout(payouts[2], 2)
	r.writePayouts(&b, names, nil, &bank.Findings{Earlier: []bank.CreditedPayout{earlier, earlier}})
	require.Equal(t, 1, strings.Count(b.String(), "₹0.00"), "the column adds up: %s", &b)
	b.Reset()
	r.writePayouts(&b, names, nil, nil)
	require.Equal(t, "\nThe reports list no payout.\n", b.String())

	r.screen.Width = 40
	b.Reset()
	r.writePayouts(&b, names, payouts, found)
	for line := range strings.Lines(b.String()) {
		require.LessOrEqual(t, terminal.Columns([]byte(strings.TrimSuffix(line, "\n"))), 40, line)
	}
}

// The tables that the command prints are told from couriers' reports.
func TestTablesAreToldAsResults(t *testing.T) {
	for _, header := range [][]string{resultFields, payoutFields, unclaimedFields} {
		var cells [][]byte
		for _, name := range header {
			cells = append(cells, []byte(name))
		}
		require.True(t, domain.ListsResults(cells), header)
	}
}

func TestPayoutsCSV(t *testing.T) {
	payouts, found := somePayouts()
	r := report{in: &inputs{reports: []reportFile{{path: "=one.csv"}, {path: "two.csv"}}}}
	var b bytes.Buffer
	require.NoError(t, r.writePayoutsCSV(&b, payouts, nil))
	require.Equal(t, [][]string{
		{"utr", "remitted_on", "courier", "report", "lines", "collected", "deducted", "paid"},
		{`="11122233344455"`, "2026-03-09", "delhivery", "'=one.csv", "3", "1200", "100.5", "1099.5"},
		{"'=cmd|'calc'", "2026-03-12", "", "two.csv", "1", "200", "", "200"},
		{"", "", "dtdc", "two.csv", "1", "50", "", "50"},
	}, recordsOf(t, b.String()))

	b.Reset()
	require.NoError(t, r.writePayoutsCSV(&b, payouts, found))
	records := recordsOf(t, b.String())
	require.Equal(t, []string{"bank", "credited_on", "credited", "statement_line", "narration"}, records[0][8:])
	require.Equal(t, []string{"credited", "2026-03-10", "1099.5", "7", "NEFT 11122233344455"}, records[1][8:])
	require.Equal(t, []string{"credited with another amount", "2026-03-12", "150", "9", "'@SUM(A1)"}, records[2][8:])
	require.Equal(t, []string{"not in the statement", "", "", "", ""}, records[3][8:])
	require.Equal(t, []string{"", "", "", "", "", "", "", "", "credit without payout", "2026-03-14", "75", "12", "DTDC\x1b[2J COD"}, records[4])

	b.Reset()
	together := found.Payouts[0]
	together.Together = 2
	require.NoError(t, r.writePayoutsCSV(&b, payouts[:2], &bank.Findings{Payouts: []bank.CreditedPayout{together, together}, Earlier: []bank.CreditedPayout{together}}))
	records = recordsOf(t, b.String())
	require.Equal(t, []string{"credited", "1099.5", "7"}, []string{records[1][8], records[1][10], records[1][11]})
	require.Equal(t, []string{"credited, in the amount of a payout above", "", "7"}, []string{records[2][8], records[2][10], records[2][11]}, "the column adds up")
	require.Equal(t, []string{"payout of an earlier run: credited, in the amount of a payout above", "", "7"}, []string{records[3][8], records[3][10], records[3][11]})

	b.Reset()
	require.NoError(t, r.writePayoutsCSV(&b, payouts[2:], &bank.Findings{Payouts: []bank.CreditedPayout{reversedPayout(payouts[2], 1)}}))
	require.Equal(t, []string{"reversed", "2026-03-10", "0", "4 6 8", "NEFT DTDC"}, recordsOf(t, b.String())[1][8:])
}

// recordsOf reads CSV as it is written for Excel.
func recordsOf(t *testing.T, text string) [][]string {
	t.Helper()
	text, marked := strings.CutPrefix(text, domain.ByteOrderMark)
	require.True(t, marked)
	records, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	require.NoError(t, err)
	return records
}

func unclaimedOf(lines ...verdict.Remittance) iter.Seq[*verdict.Remittance] {
	return func(yield func(*verdict.Remittance) bool) {
		for i := range lines {
			if !yield(&lines[i]) {
				return
			}
		}
	}
}

func TestUnclaimedLines(t *testing.T) {
	r := report{in: &inputs{reports: []reportFile{{path: "=one.csv"}, {path: "two.csv"}}}}
	var orders verdict.Orders
	var read verdict.Remittances
	var decided verdict.Reconciliation
	require.NoError(t, decided.Decide(&orders, &read, domain.TermsFor(nil, 0, nil)))
	r.run = ports.NewFinishedRun(&decided, domain.Run{}, domain.Mapping{}, nil)
	lines := unclaimedOf(
		verdict.Remittance{Report: 0, Line: 12, AWB: []byte("14902602000001"), OrderID: []byte("-1001"), Remitted: 499_50, RemittedOn: march(9), UTR: []byte("=UTR1")},
		verdict.Remittance{Report: 1, Line: 3, AWB: []byte("SF1\x1bIN"), Remitted: -5_00},
	)
	var b strings.Builder
	r.writeUnclaimed(&b, []string{"one.csv", "two.csv"}, lines)
	require.Equal(t, `REPORT   LINE  AWB             ORDER  REMITTED  REMITTED ON  UTR
one.csv    12  14902602000001  -1001   ₹499.50  2026-03-09   =UTR1
two.csv     3  SF1·IN                   -₹5.00  no date
`, b.String())
	b.Reset()
	r.writeUnclaimed(&b, nil, unclaimedOf())
	require.Equal(t, "Every line belongs to an order or repeats another one.\n", b.String())

	b.Reset()
	require.NoError(t, r.writeUnclaimedCSV(&b, lines))
	require.Equal(t, [][]string{
		{"report", "line", "awb", "order_id", "remitted", "remitted_on", "utr"},
		{"'=one.csv", "12", `="14902602000001"`, "'-1001", "499.5", "2026-03-09", "'=UTR1"},
		{"two.csv", "3", "SF1\x1bIN", "", "-5", "", ""},
	}, recordsOf(t, b.String()))
}

// TestWhatIsPrintedBesides goes through the command: the tables follow the orders, and a
// CSV file has one table.
func TestWhatIsPrintedBesides(t *testing.T) {
	p := &previews{build: someOrders}
	got := p.reconcile(t, "--payouts", "--unclaimed").stdout
	require.Regexp(t, `(?s)\nFLAG .*\nREPORT  .*READ .*\nRupees remitted, .*\nREPORT +LINE .*\nremittance.csv .*77777 .*₹500.00`, got)
	require.Equal(t, domain.IncludePayouts|domain.IncludeUnclaimed, p.asked.Include)

	got = p.reconcile(t, "--csv", "--unclaimed").stdout
	records := recordsOf(t, got)
	require.Len(t, records, 2)
	require.Equal(t, "77777", records[1][2])
	require.Equal(t, payoutFields, recordsOf(t, p.reconcile(t, "--csv", "--payouts").stdout)[0])

	orders, remittance := files(t)
	got = run(p.deps(), "reconcile", orders, remittance, "--bank", orders, "--csv").stdout
	require.Equal(t, slices.Concat(payoutFields, bankFields), recordsOf(t, got)[0], "a statement is held against payouts")
}
