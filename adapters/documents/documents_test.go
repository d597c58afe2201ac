package documents_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"milaan/adapters/documents"
	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/domain/bank"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/garbage"
	"milaan/tests/only"
	"milaan/tests/worked"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// catalogue has the names of two couriers.
type catalogue struct{ ports.Couriers }

func (catalogue) Catalogue() []ports.CourierInfo {
	return []ports.CourierInfo{{ID: "delhivery", Name: "Delhivery"}, {ID: "dtdc", Name: "DTDC"}}
}

var made = time.Date(2026, 3, 20, 10, 0, 0, 0, domain.Kolkata)

func march(day int) domain.Day { return domain.DayFromDate(2026, time.March, day) }

// line is one line of a report.
type line struct {
	report int // from 1
	awb    string
	order  string
	utr    string
	cod    domain.Paise
	paid   domain.Paise
	on     domain.Day
}

// runOf compares orders of ₹100 with lines of two couriers. The last order is of 20
// March, and the others are of 1 March.
func runOf(t testing.TB, names []string, lines ...line) *ports.FinishedRun {
	return runOfCouriers(t, [2]string{"delhivery", "dtdc"}, names, lines...)
}

// runOfCouriers is runOf with the couriers of the two reports, which have one header; blank: nobody names it. Lines of report 0 are of a
// ledger, and of another courier that nobody names.
func runOfCouriers(t testing.TB, couriers [2]string, names []string, lines ...line) *ports.FinishedRun {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	remittances.Reset()
	for i, name := range names {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn, o.FulfilledOn, o.Fulfilment, o.FulfilmentText = 100_00, true, march(1), march(1), verdict.Fulfilled, "fulfilled"
		if i > 0 && i == len(names)-1 {
			o.CreatedOn, o.FulfilledOn = march(20), march(20)
		}
		orders.Track(o, fmt.Appendf(nil, "149026000000%02d", i))
	}
	for _, l := range lines {
		if l.report == 0 {
			require.Empty(t, remittances.Remember(&verdict.RememberedLine{CourierKey: 2, BothAmounts: true, Remittance: verdict.Remittance{AWB: []byte(l.awb),
				UTR: []byte(l.utr), Listed: l.cod, Collected: l.cod, Stated: l.paid, Remitted: l.paid, HasRemitted: true, RemittedOn: l.on}}))
		}
	}
	for report, courier := range couriers {
		remittances.Begin(courier)
		remittances.SetHeader(1)
		for n, l := range lines {
			if l.report == report+1 && l.awb+l.order == "" {
				remittances.SetUnidentified(verdict.LineSum{Lines: 1, Remitted: l.paid})
			} else if l.report == report+1 {
				remittances.Add(verdict.Remittance{AWB: []byte(l.awb), OrderID: []byte(l.order), UTR: []byte(l.utr), Listed: l.cod, Collected: l.cod, Stated: l.paid, Remitted: l.paid,
					HasRemitted: true, RemittedOn: l.on, Line: int32(n + 2)})
			}
		}
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
	return ports.NewFinishedRun(&r, domain.Run{Tally: r.Tally, Guidance: r.Guidance}, domain.Mapping{}, nil)
}

// write writes a document, and returns its files by name.
func write(t testing.TB, format domain.Format, run *ports.FinishedRun, b domain.Branding) map[string]string {
	files := map[string]*bytes.Buffer{}
	for _, reporter := range documents.New(documents.Params{Couriers: catalogue{}, Languages: wording.NewLanguages(), Clock: func() time.Time { return made }}) {
		if reporter.Format() != format {
			continue
		}
		require.NoError(t, only.Err(reporter.Write(func(name string) (io.Writer, error) {
			require.NotContains(t, files, name)
			files[name] = new(bytes.Buffer)
			return files[name], nil
		}, run, b)))
	}
	texts := map[string]string{}
	for name, b := range files {
		texts[name] = b.String()
	}
	return texts
}

// hostile is what a spreadsheet would run, and what no XML has.
const hostile = "=HYPERLINK(\"http://x\")\x01<b>&"

func aMonth(t testing.TB) *ports.FinishedRun {
	return runOf(t, []string{"#1", "#2", "#3", "#4", hostile, "#6 मिलान ₹", "#7"},
		line{1, "14902600000000", "1", "U1", 100_00, 100_00, march(9)},
		line{1, "14902600000001", "2", "U1", 100_00, 90_00, march(9)},
		line{2, "14902600000002", "3", "", 100_00, 95_50, march(12)},
		line{2, "stray", "99", "=U2", 50_00, 45_00, march(30)},
		line{2, "14902600000005", "", "U3", 100_00, 0, domain.NoDay},
	)
}

func TestFilesOfDocuments(t *testing.T) {
	run := aMonth(t)
	for format, want := range map[domain.Format][]string{
		domain.FormatXLSX: {"milaan.xlsx"},
		domain.FormatCSV:  {"disputes.csv", "ledger.csv", "movements.csv", "open-items.csv", "orders.csv", "payouts.csv", "summary.csv", "unclaimed.csv"},
		domain.FormatPDF:  {"milaan-report.pdf"},
		domain.FormatDispute: {"dispute-delhivery.pdf", "dispute-delhivery.txt", "dispute-delhivery.xlsx", "dispute-dtdc.pdf", "dispute-dtdc.txt", "dispute-dtdc.xlsx",
			"dispute-in-no-report.txt", "dispute-in-no-report.xlsx"},
	} {
		require.Equal(t, want, slices.Sorted(maps.Keys(write(t, format, run, domain.Branding{}))), format)
	}
	paid := runOf(t, []string{"#1"}, line{1, "14902600000000", "1", "U1", 100_00, 100_00, march(9)})
	require.Equal(t, map[string]string{"nothing-to-dispute.txt": "There is nothing to ask a courier for: each order is paid or still awaited, or what is short are charges that\na report states, or was written off, or is of orders that were not chosen.\n"}, write(t, domain.FormatDispute, paid, domain.Branding{}))
}

// rowsOf reads the sheets of a workbook as they are stored.
func rowsOf(t testing.TB, workbook string) map[string][][]string {
	book := only.Value(excelize.OpenReader(strings.NewReader(workbook)))(t)
	defer func() { require.NoError(t, book.Close()) }()
	sheets := map[string][][]string{}
	for _, name := range book.GetSheetList() {
		sheets[name] = only.Value(book.GetRows(name, excelize.Options{RawCellValue: true}))(t)
	}
	return sheets
}

func TestTablesOfDocuments(t *testing.T) {
	run := aMonth(t)
	sheets := rowsOf(t, write(t, domain.FormatXLSX, run, domain.Branding{Name: "मिलान & Co", Footer: "For internal use"})["milaan.xlsx"])
	require.Len(t, sheets["Orders"], 8)
	require.Equal(t, []string{"#2", "14902600000001", "46082", "46089", "100", "90", "10", "0", "Short paid"}, sheets["Orders"][2][:9])
	require.Equal(t, "=HYPERLINK(\"http://x\") <b>&", sheets["Orders"][5][0])
	require.Equal(t, []string{"In no report", "Delhivery", "DTDC"}, slices.Compact(column(sheets["Disputes"][1:], 0)))
	require.Equal(t, []string{"#4", hostileShown, "#2", "#3", "#6 मिलान ₹"}, column(sheets["Disputes"][1:], 2))
	require.Equal(t, [][]string{
		{"Report", "Courier", "UTR", "Remitted on", "Lines", "Collected", "Deducted", "Paid"},
		{"1", "Delhivery", "U1", "46090", "2", "200", "not stated", "190"},
	}, sheets["Payouts"][:2])
	require.Equal(t, [][]string{{"Report", "Line", "Courier", "AWB", "Order", "COD amount", "Remitted", "Remitted on", "UTR"},
		{"2", "5", "DTDC", "stray", "99", "50", "45", "46111", "=U2"}}, sheets["Unclaimed"])
	summary := sheets["Summary"]
	require.Equal(t, "मिलान & Co: cash on delivery, order by order", summary[0][0])
	require.Equal(t, "For internal use", summary[len(summary)-1][0])
	for _, want := range [][]string{
		{"", "7", "700", "285.5", "100", "314.5", "314.5", "5"},
		{"Delhivery", "2", "200", "190", "10", "10", "1"}, {"DTDC", "2", "200", "95.5", "104.5", "104.5", "2"}, {"In no report", "3", "300", "0", "200", "200", "2"},
		{"2: DTDC", "3", "140.5", "95.5", "45", "0", "0", "0", "46111"},
		{"Orders from", "46082", "to", "46101"},
	} {
		require.Contains(t, summary, want)
	}
	first := strings.Join(column(summary, 0), "\n")
	require.Contains(t, first, "1 line of the reports with ₹45 remitted belongs to no order of the export", "warnings stand in the summary")
	require.Contains(t, first, "The reports reach to ")

	for name, text := range write(t, domain.FormatCSV, run, domain.Branding{Name: "मिलान & Co", Footer: "=UTR()"}) {
		require.True(t, strings.HasPrefix(text, "\ufeff"), name)
		r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
		r.FieldsPerRecord = -1
		records, err := r.ReadAll()
		require.NoError(t, err, name)
		for _, record := range records {
			for _, cell := range record {
				require.False(t, strings.HasPrefix(cell, "=H") || strings.HasPrefix(cell, "=U"), "%s: %q", name, cell)
			}
		}
	}
}

// TestPayoutsThatShareACredit holds that the sheet has each credit once.
func TestPayoutsThatShareACredit(t *testing.T) {
	run := aMonth(t)
	of := func(utr string, line int) bank.CreditedPayout {
		return bank.CreditedPayout{Payout: verdict.Payout{Report: 1, UTR: []byte(utr), Paid: 100_00}, State: bank.CreditEqual, Received: 200_00, Together: 2,
			Credits: []bank.StatementLine{{Line: line, Amount: 200_00, On: march(9), Narration: "NEFT"}}}
	}
	run.Statement = &bank.Findings{Payouts: []bank.CreditedPayout{of("U1", 4), of("U2", 4), of("U3", 5)}, Earlier: []bank.CreditedPayout{of("U4", 5)}}
	rows := rowsOf(t, write(t, domain.FormatXLSX, run, domain.Branding{})["milaan.xlsx"])["Payouts"][1:]
	require.Equal(t, []string{"Credited", "Credited, in the amount of a payout above", "Credited",
		"Payout of an earlier run: credited, in the amount of a payout above"}, column(rows, 8))
	require.Equal(t, []string{"200", "", "200", ""}, column(rows, 10))
}

const hostileShown = "=HYPERLINK(\"http://x\") <b>&"

func column(rows [][]string, i int) (cells []string) {
	for _, row := range rows {
		if i < len(row) {
			cells = append(cells, row[i])
		}
	}
	return cells
}

// TestAnUnlistedOrderIsInItsCouriersPack has two couriers of which one alone lists AWBs of
// the order's form.
func TestAnUnlistedOrderIsInItsCouriersPack(t *testing.T) {
	paid := func(report int, awb, order string) line {
		return line{report, awb, order, "", 100_00, 100_00, march(9)}
	}
	run := runOf(t, []string{"#1", "#2", "#3", "#4", "#5"}, paid(1, "14902600000000", ""), paid(1, "14902600000001", ""), paid(1, "14902600000002", ""), paid(2, "D1", "99"))
	files := write(t, domain.FormatDispute, run, domain.Branding{})
	require.Equal(t, []string{"dispute-delhivery.pdf", "dispute-delhivery.txt", "dispute-delhivery.xlsx"}, slices.Sorted(maps.Keys(files)))
	require.Equal(t, []string{"#4"}, column(rowsOf(t, files["dispute-delhivery.xlsx"])["Disputes"][1:], 1))
}

// TestDisputePacks holds that a courier is told of its own orders alone, and is asked
// and not advised.
func TestDisputePacks(t *testing.T) {
	files := write(t, domain.FormatDispute, aMonth(t), domain.Branding{Name: "Acme"})
	rows := rowsOf(t, files["dispute-dtdc.xlsx"])
	require.Equal(t, []string{"#3", "#6 मिलान ₹"}, column(rows["Disputes"][1:], 1))
	require.Equal(t, []string{"Total", "2", "200", "95.5", "104.5"}, rows["Totals"][len(rows["Totals"])-1])
	require.Equal(t, "Acme: cash on delivery that DTDC owes", rows["Totals"][0][0])
	require.NotContains(t, files["dispute-dtdc.txt"], "dispute the difference")
	require.NotContains(t, rows["Disputes"][1][9], "dispute the difference")
	require.Contains(t, files["dispute-dtdc.txt"], "14902600000002")
	require.NotContains(t, files["dispute-dtdc.txt"], "14902600000001", "that is Delhivery's")

	one := runOf(t, []string{"#1", "#2", "#3"}, line{1, "14902600000000", "1", "U1", 100_00, 90_00, march(9)})
	require.Contains(t, slices.Collect(maps.Keys(write(t, domain.FormatDispute, one, domain.Branding{}))), "dispute-in-no-report.xlsx",
		"a report without lines is of another courier")
}

// TestAllFormsOfADisputeSayTheSame has two couriers of which Delhivery's report reaches further.
func TestAllFormsOfADisputeSayTheSame(t *testing.T) {
	run := runOf(t, []string{"#1", "#2", "#3", "#4", "#5"}, line{1, "14902600000000", "", "", 100_00, 100_00, march(28)},
		line{1, "14902600000002", "", "", 100_00, 100_00, march(28)}, line{1, "14902600000003", "", "", 100_00, 100_00, march(28)},
		line{2, "D1", "99", "", 100_00, 100_00, march(9)})
	files := write(t, domain.FormatDispute, run, domain.Branding{})
	why := rowsOf(t, files["dispute-delhivery.xlsx"])["Disputes"][1][9]
	require.Contains(t, why, "which reach 28 Mar 2026")
	require.Contains(t, strings.Join(strings.Fields(files["dispute-delhivery.txt"]), " "), why)
}

// chargedRun is a run of an order of ₹1,000 of which ₹880 were paid and freight explains ₹70.80, and
// with accept of two more: of ₹500 of which ₹450 were paid and freight explains the rest, and of
// ₹700 of which ₹600 were collected and all but the freight was paid.
func chargedRun(t testing.TB, accept bool) *ports.FinishedRun {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	remittances.Reset()
	remittances.Begin("delhivery")
	add := func(name, awb string, total, listed, paid, charge domain.Paise) {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn, o.FulfilledOn, o.Fulfilment, o.FulfilmentText = total, true, march(1), march(1), verdict.Fulfilled, "fulfilled"
		orders.Track(o, []byte(awb))
		remittances.Add(verdict.Remittance{AWB: []byte(awb), Listed: listed, Collected: listed, Stated: paid, Remitted: paid, HasRemitted: true, RemittedOn: march(9), Line: 2})
		remittances.AddCharge(0, charge)
	}
	add("#1", "14902600000000", 1000_00, 1000_00, 880_00, 70_80)
	terms := domain.TermsFor(nil, 0, nil)
	if accept {
		add("#2", "14902600000001", 500_00, 500_00, 450_00, 49_80)
		add("#3", "14902600000002", 700_00, 600_00, 550_00, 50_00)
		terms.AcceptCharges = true
	}
	remittances.SetCharges([]string{"Freight"})
	remittances.SetMapping(domain.Mapping{domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Net"})
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, terms))
	return ports.NewFinishedRun(&r, domain.Run{Tally: r.Tally, Guidance: r.Guidance}, domain.Mapping{}, nil)
}

// requireCells holds that figures stand below their names in the table that begins with a row.
func requireCells(t *testing.T, rows [][]string, header, row int, cells map[string]string) {
	t.Helper()
	for name, want := range cells {
		require.Equal(t, want, rows[row][slices.Index(rows[header], name)], name)
	}
}

// TestDisputePacksWithCharges holds that every figure of such a pack stands below its name: ₹120 are
// missing, of which freight explains ₹70.80.
func TestDisputePacksWithCharges(t *testing.T) {
	run := chargedRun(t, false)
	rows := rowsOf(t, write(t, domain.FormatDispute, run, domain.Branding{})["dispute-delhivery.xlsx"])["Disputes"]
	requireCells(t, rows, 0, 1, map[string]string{"COD amount": "1000", "Remitted": "880", "Shortfall": "120", "Charges": "70.8", "Asked for": "49.2"})
}

// TestDisputePacksOfPayoutsThatTheBankLacks holds that a courier is asked for what its payouts lack in the bank, beyond the charges that
// its reports state, and not for what the bank has taken.
func TestDisputePacksOfPayoutsThatTheBankLacks(t *testing.T) {
	run := aMonth(t)
	credited := func(report int, utr string, state bank.CreditState, paid, charges, credit, debit domain.Paise) bank.CreditedPayout {
		return bank.CreditedPayout{Payout: verdict.Payout{Report: report, UTR: []byte(utr), Paid: paid, Charges: charges, Undeducted: charges}, State: state, Received: credit - debit, Together: 1,
			Credits: []bank.StatementLine{{Line: len(utr) + int(paid), Amount: credit}}}
	}
	run.Statement = &bank.Findings{Payouts: []bank.CreditedPayout{credited(1, "U1", bank.CreditDiffers, 190_00, 0, 150_00, 5_90),
		credited(1, "U4", bank.CreditReversed, 80_00, 0, 80_00, 80_00), credited(1, "U5", bank.CreditDiffers, 70_00, 0, 70_00, 5_90),
		credited(1, "U6", bank.CreditDiffers, 60_00, 10_00, 50_00, 0), credited(2, "U7", bank.CreditEqual, 40_00, 0, 40_00, 0)}}
	laterPart := credited(1, "U8", bank.CreditDiffers, 65_00, 0, 55_00, 0)
	laterPart.Deducted, laterPart.DeductedKnown = -40_00, true
	partReturned := credited(1, "UA", bank.CreditDiffers, 90_00, 0, 60_00, 30_00)
	partReturned.Credits = append(partReturned.Credits, bank.StatementLine{Line: 1, Amount: 30_00})
	partReturned.Debits = []bank.StatementLine{{Line: 2, Amount: 30_00}}
	notFound := credited(1, "U9", bank.CreditMissing, 34_00, 4_00, 0, 0) // it may have come in without its UTR
	sentAgain := credited(1, "UB", bank.CreditReversed, 85_00, 0, 85_00, 85_00)
	sentAgain.SentAgain = true
	run.Statement.Payouts = append(run.Statement.Payouts, laterPart, partReturned, notFound, sentAgain)
	returned, cut := credited(1, "UC", bank.CreditReversed, 75_00, 0, 0, 75_00), credited(1, "UD", bank.CreditReversed, 45_00, 0, 0, 45_00)
	returned.Debits = []bank.StatementLine{{Amount: 75_00}}
	cut.Partial = true // nobody knows how much it was
	run.Statement.Earlier = []bank.CreditedPayout{returned, credited(1, "UE", bank.CreditDiffers, 95_00, 0, 5_00, 0), cut}
	const why = "By our bank statement, ₹235 less has come in than your reports say was paid out (UTR U1: ₹190 paid out, ₹150 received; " +
		"UTR U4: ₹80 paid out, ₹0 received; UTR U8: ₹65 paid out, ₹55 received; UTR UA: ₹90 paid out, ₹60 received; UTR UC: ₹75 paid out, " +
		"₹0 received). Please tell us why, or remit the rest."
	run.Statement.Others = []bank.StatementLine{{On: march(1) - 60, Amount: 10_00, Courier: "delhivery", Narration: "before all orders"},
		{On: march(9), Amount: 500_00, Courier: "delhivery", Narration: "NEFT-U99-DELHIVERY"}, {On: march(9), Amount: 20_00, Courier: "shadowfax"}}
	letterTo := func(run *ports.FinishedRun, courier string) string {
		return strings.Join(strings.Fields(write(t, domain.FormatDispute, run, domain.Branding{})["dispute-"+courier+".txt"]), " ")
	}
	require.Contains(t, letterTo(run, "delhivery"), why+" Please reply", "the payout that is not found may be the credit")
	run.Statement.Payouts = slices.DeleteFunc(run.Statement.Payouts, func(p bank.CreditedPayout) bool { return p.State == bank.CreditMissing })
	require.Contains(t, letterTo(run, "delhivery"), why+" Our bank statement has transfers of yours that we find in none of your reports "+
		"(₹500 on 9 Mar 2026, NEFT-U99-DELHIVERY). If they pay any of these orders, please send us their reports. Please reply")
	require.NotContains(t, letterTo(run, "dtdc"), "bank statement")
	paid := line{1, "14902600000000", "1", "U1", 100_00, 100_00, march(9)}
	alone, beside := runOf(t, []string{"#1"}, paid), runOf(t, []string{"#1", "#2", "#3"}, paid, line{2, "14902600000001", "2", "", 100_00, 90_00, march(9)})
	for _, owesNothing := range []*ports.FinishedRun{alone, beside} {
		owesNothing.Statement = run.Statement
		letter := write(t, domain.FormatDispute, owesNothing, domain.Branding{})["dispute-delhivery.txt"]
		require.Contains(t, strings.Join(strings.Fields(letter), " "), "Dear Sir or Madam, "+why+" Yours faithfully,")
		require.Contains(t, letter, "Subject: COD payouts that our bank has not received in full\n")
	}
	beside.ChooseOrders([]int{1})
	require.Equal(t, []string{"dispute-dtdc.pdf", "dispute-dtdc.txt", "dispute-dtdc.xlsx"},
		slices.Sorted(maps.Keys(write(t, domain.FormatDispute, beside, domain.Branding{}))), "a pack of chosen orders")
}

// TestDisputePacksOfACourierThatNobodyNames holds that one letter asks for what is owed by any report of the courier.
func TestDisputePacksOfACourierThatNobodyNames(t *testing.T) {
	run := runOfCouriers(t, [2]string{}, []string{"#1", "#2", "#3"}, line{1, "14902600000000", "1", "U1", 100_00, 90_00, march(9)},
		line{2, "14902600000001", "2", "UTR20260002", 100_00, 100_00, march(12)})
	var statement bank.Statement
	statement.AddCredit(1, march(12), 70_00, []byte("UTR20260002"))
	findings := statement.Match(run.Payouts(), nil)
	run.Statement = &findings
	files := write(t, domain.FormatDispute, run, domain.Branding{})
	require.Equal(t, []string{"dispute-report-1.pdf", "dispute-report-1.txt", "dispute-report-1.xlsx"}, slices.Sorted(maps.Keys(files)))
	require.Contains(t, strings.Join(strings.Fields(files["dispute-report-1.txt"]), " "), "UTR UTR20260002: ₹100 paid out, ₹70 received")
	require.Contains(t, rowsOf(t, write(t, domain.FormatXLSX, run, domain.Branding{})["milaan.xlsx"])["Summary"],
		[]string{"Courier of report 1", "2", "200", "190", "10", "10", "1"}, "its reports are one courier's in the sums too")
}

// TestDisputePacksOfAdjustments holds that a courier is not asked for what its report takes back on lines of no order, in whichever payouts.
func TestDisputePacksOfAdjustments(t *testing.T) {
	run := runOf(t, []string{"#1", "#2"}, line{1, "14902600000000", "1", "UTR20260001", 100_00, 100_00, march(9)},
		line{1, "14902600000001", "2", "UTR20260002", 100_00, 100_00, march(9)}, line{1, "", "", "UTR20260001", 0, -30_00, march(9)})
	for credited, want := range map[[2]domain.Paise]string{{70_00, 100_00}: "", {80_00, 90_00}: "", {80_00, 91_00}: "",
		{70_00, 90_00}: "₹10 less has come in than your reports say was paid out (UTR UTR20260001: ₹100 paid out, ₹70 received; UTR UTR20260002: " +
			"₹100 paid out, ₹90 received; of which they take back ₹30 on lines of no order). Please"} {
		var statement bank.Statement
		statement.AddCredit(1, march(9), credited[0], []byte("UTR20260001"))
		statement.AddCredit(2, march(9), credited[1], []byte("UTR20260002"))
		findings := statement.Match(run.Payouts(), nil)
		run.Statement = &findings
		letter, asks := write(t, domain.FormatDispute, run, domain.Branding{})["dispute-delhivery.txt"]
		require.Equal(t, want != "", asks, credited)
		require.Contains(t, strings.Join(strings.Fields(letter), " "), want)
	}
}

// TestDisputePacksOfATransferListedAgain holds that of a returned transfer a courier is asked only for what no other payout pays: reports
// list its parcels again when the money is sent again.
func TestDisputePacksOfATransferListedAgain(t *testing.T) {
	first := line{1, "14902600000000", "1", "UTR20260001", 100_00, 100_00, march(9)}
	other, again := line{1, "14902600000001", "2", "UTR20260001", 100_00, 100_00, march(9)}, line{1, "14902600000000", "1", "UTR20260002", 100_00, 100_00, march(12)}
	foreign, foreignAgain := line{1, "14902600000009", "9", "UTR20260001", 50_00, 50_00, march(9)}, line{1, "14902600000009", "", "UTR20260002", 50_00, 50_00, march(12)}
	rounded, roundedAgain := line{1, "14905500000000", "", "UTR20260001", 60_00, 60_00, march(9)}, line{1, "14905500000000", "", "UTR20260002", 60_00, 60_00, march(12)}
	unlike, ofOther, others := line{1, "14905500000000", "", "UTR20260002", 70_00, 70_00, march(12)}, line{1, "", "9", "UTR20260001", 70_00, 70_00, march(9)}, line{2, "", "9", "UTR20260002", 70_00, 70_00, march(12)}
	before, back := line{1, "14902600000009", "9", "UTR20260003", 50_00, 50_00, march(5)}, line{1, "14902600000009", "9", "UTR20260002", 50_00, -50_00, march(7)}
	for want, lines := range map[string][]line{"": {first, again, foreign, foreignAgain}, "UTR UTR20260001: ₹100 paid out, ₹0 received)": {first},
		"UTR UTR20260001: ₹60 paid out, ₹0 received)": {rounded, roundedAgain, unlike}, "UTR UTR20260001: ₹70 paid out, ₹0 received)": {ofOther, others},
		"UTR UTR20260001: ₹50 paid out, ₹0 received)": {foreign, before, again, back},
		"₹50 less has come in than your reports say was paid out (UTR UTR20260001: ₹150 paid out, ₹100 of it beyond what is due, ₹0 received)":  {first, again, foreign},
		"₹100 less has come in than your reports say was paid out (UTR UTR20260001: ₹200 paid out, ₹100 of it beyond what is due, ₹0 received)": {first, other, again}} {
		run := runOf(t, []string{"#1", "#2"}, lines...)
		var statement bank.Statement
		statement.AddCredit(1, march(9), run.Payouts()[0].Paid, []byte("UTR20260001"))
		statement.AddDebit(2, march(10), run.Payouts()[0].Paid, []byte("UTR20260001"))
		for _, p := range run.Payouts()[1:] {
			statement.AddCredit(3, p.RemittedOn, p.Paid, p.UTR)
		}
		findings := statement.Match(run.Payouts(), nil)
		run.Statement = &findings
		letter, asks := write(t, domain.FormatDispute, run, domain.Branding{})["dispute-delhivery.txt"]
		require.Equal(t, want != "", asks)
		require.Contains(t, strings.Join(strings.Fields(letter), " "), want)
	}
}

// TestDisputePacksOfATransferListedAgainInVain holds that a returned transfer is asked for if the money is listed again, and the statement
// covers the days on which it should have come and shows nothing that it may have come with.
func TestDisputePacksOfATransferListedAgainInVain(t *testing.T) {
	run := runOf(t, []string{"#1"}, line{1, "14902600000000", "1", "UTR20260001", 100_00, 100_00, march(9)},
		line{1, "14902600000009", "9", "UTR20260001", 50_00, 50_00, march(9)}, line{1, "14902600000000", "1", "UTR20260002", 100_00, 100_00, march(12)},
		line{1, "14902600000009", "9", "UTR20260002", 50_00, 50_00, march(12)}, line{1, "14902600000008", "8", "UTR20260003", 30_00, 30_00, march(16)})
	for name, of := range map[string]struct {
		to     int
		amount domain.Paise
		on     int
		text   string
		asks   bool
	}{
		"nothing has come":            {20, 0, 0, "", true},
		"it may still come":           {13, 0, 0, "", false},
		"with more":                   {20, 180_00, 18, "NEFT DELHIVERY", false},
		"with more, a day before":     {20, 180_00, 11, "NEFT DELHIVERY", false},
		"less has come":               {20, 120_00, 14, "NEFT DELHIVERY", true},
		"another courier's":           {20, 180_00, 14, "NEFT DTDC", true},
		"with more, of nobody":        {20, 180_00, 14, "NEFT CR COD", false},
		"of nobody, much later":       {20, 180_00, 18, "NEFT CR COD", true},
		"with the money of a payout":  {20, 180_00, 15, "UTR20260003", false},
		"with too little of a payout": {20, 179_00, 15, "UTR20260003", true},
	} {
		var statement bank.Statement
		statement.AddCredit(1, march(9), 150_00, []byte("UTR20260001"))
		statement.AddDebit(2, march(10), 150_00, []byte("UTR20260001"))
		statement.Cover(march(of.to))
		if of.amount > 0 {
			statement.AddCredit(3, march(of.on), of.amount, []byte(of.text))
		}
		findings := statement.Match(run.Payouts(), []bank.Payer{{Courier: "delhivery", Names: []string{"DELHIVERY"}}, {Courier: "dtdc", Names: []string{"DTDC"}}})
		run.Statement = &findings
		letter := strings.Join(strings.Fields(write(t, domain.FormatDispute, run, domain.Branding{})["dispute-delhivery.txt"]), " ")
		require.Equal(t, of.asks, strings.Contains(letter, "₹150 less has come in than your reports say was paid out (UTR UTR20260001: ₹150 paid out, ₹0 received)"), name)
	}

	// Of two parts the first one was sent again and has come; the second one lacks, which is asked for in no letter.
	run = runOf(t, []string{"#1"}, line{1, "14902600000000", "1", "UTR20260001", 100_00, 50_00, march(9)}, line{1, "14902600000000", "1", "UTR20260002", 100_00, 50_00, march(11)},
		line{1, "14902600000000", "1", "UTR20260003", 100_00, 50_00, march(12)})
	var statement bank.Statement
	statement.AddCredit(1, march(9), 50_00, []byte("UTR20260001"))
	statement.AddDebit(2, march(10), 50_00, []byte("UTR20260001"))
	statement.AddCredit(3, march(20), 50_00, []byte("UTR20260003"))
	findings := statement.Match(run.Payouts(), nil)
	run.Statement = &findings
	require.NotContains(t, write(t, domain.FormatDispute, run, domain.Branding{}), "dispute-delhivery.txt")
}

// TestLettersOfManyCreditsOfNoPayout holds that credits of no payout are not gone through for each payout that the statement lacks.
func TestLettersOfManyCreditsOfNoPayout(t *testing.T) {
	runtime.LockOSThread() // worked counts the time of the thread
	defer runtime.UnlockOSThread()
	took := func(n int) time.Duration {
		lines := []line{{1, "14902600000000", "1", "UTR20260000", 100_00, 100_00, march(9)}}
		var statement bank.Statement
		statement.AddCredit(1, march(9), 100_00, []byte("UTR20260000"))
		statement.AddDebit(2, march(10), 100_00, []byte("UTR20260000"))
		for i := range n {
			lines = append(lines, line{1, fmt.Sprint(24902600000000 + i), "", fmt.Sprintf("UTR2026%07d", i+1), 100_00, 100_00, march(9)})
			statement.AddCredit(3+i, march(10+i%15), 50, []byte("NEFT DELHIVERY"))
		}
		run := runOf(t, []string{"#1"}, lines...)
		findings := statement.Match(run.Payouts(), []bank.Payer{{Courier: "delhivery", Names: []string{"DELHIVERY"}}})
		run.Statement = &findings
		began := worked.For()
		require.Contains(t, write(t, domain.FormatDispute, run, domain.Branding{})["dispute-delhivery.txt"], "₹100 less")
		return worked.For() - began
	}
	for range 5 {
		if few, many := took(2000), took(16_000); many < 14*few {
			return
		}
	}
	t.Fatal("eight times as many take more than 14 times as long")
}

// returnTwo holds a run against a statement in which all payouts are, and the first two were returned.
func returnTwo(run *ports.FinishedRun) {
	var statement bank.Statement
	for i, p := range run.Payouts() {
		statement.AddCredit(2*i, p.RemittedOn, p.Paid, p.UTR)
		if i < 2 {
			statement.AddDebit(2*i+1, p.RemittedOn+1, p.Paid, p.UTR)
		}
	}
	findings := statement.Match(run.Payouts(), nil)
	run.Statement = &findings
}

// TestDisputePacksOfASharedAWBListedAgain holds that each line of a shared AWB excuses its transfer once, for whichever of the orders.
func TestDisputePacksOfASharedAWBListedAgain(t *testing.T) {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	remittances.Reset()
	remittances.Begin("delhivery")
	for i, name := range []string{"#1", "#2"} {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn, o.Fulfilment = domain.Paise(100_00+i*100), true, march(1), verdict.Fulfilled
		orders.Track(o, []byte("14902600000001"))
	}
	for i, utr := range []string{"UTR20260001", "UTR20260002", "UTR20260003", "UTR20260003"} {
		paid := domain.Paise(100_00 + i%2*100)
		remittances.Add(verdict.Remittance{AWB: []byte("14902600000001"), OrderID: fmt.Append(nil, 1+i%2), UTR: []byte(utr), Line: int32(2 + i), Listed: paid,
			Collected: paid, Stated: paid, Remitted: paid, HasRemitted: true, RemittedOn: march(9 + i/2*5)})
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
	run := ports.NewFinishedRun(&r, domain.Run{Tally: r.Tally, Guidance: r.Guidance}, domain.Mapping{}, nil)
	returnTwo(run)
	require.Equal(t, []string{"nothing-to-dispute.txt"}, slices.Sorted(maps.Keys(write(t, domain.FormatDispute, run, domain.Branding{}))))
}

// TestDisputePacksOfTransfersReturnedLater holds what is asked for of a payout of an earlier run whose transfer this statement alone shows
// as returned: what went back, and has not come since.
func TestDisputePacksOfTransfersReturnedLater(t *testing.T) {
	run := runOf(t, []string{"#1"}, line{0, "14902600000008", "1", "UTR20260001", 1000_00, 1000_00, march(9)}, line{0, "14902600000003", "4", "UTR20260004", 100_00, 100_00, march(9)}, line{1, "14902600000001", "2", "UTR20260002", 50_00, 50_00, march(12)})
	for want, moved := range map[string][2]domain.Paise{"": {1000_00, 1000_00}, "₹600 less has come in than your reports say was paid out (UTR UTR20260001: ₹1,000 paid out, ₹400 received)": {1000_00, 400_00},
		"₹950 less has come in than your reports say was paid out (UTR UTR20260001: ₹950 paid out, ₹0 received)": {950_00, 0}, "₹100 less has come in than your reports say was paid out (UTR UTR20260001: ₹900 paid out, ₹800 received)": {900_00, 800_00}, "₹1,000 less": {1005_90, 0}} {
		var statement bank.Statement
		statement.AddDebit(1, march(15), moved[0], []byte("RETURN UTR20260001"))
		statement.AddDebit(3, march(15), 59_00, []byte("CHARGE UTR20260004")) // of the bank
		if moved[1] > 0 {
			statement.AddCredit(2, march(20), moved[1], []byte("UTR20260001"))
		}
		findings := statement.Match(run.Payouts(), nil, run.EarlierPayouts()...)
		run.Statement = &findings
		letter, asks := write(t, domain.FormatDispute, run, domain.Branding{})["dispute-report-3.txt"]
		require.Equal(t, want != "", asks, want)
		require.NotContains(t, letter, "UTR20260004")
		require.Contains(t, strings.Join(strings.Fields(letter), " "), want)
	}
}

// TestDisputePacksOfAnOrderOfTwoCouriers holds that of two returned transfers for an order the one is not asked for whose parcel another
// payout pays.
func TestDisputePacksOfAnOrderOfTwoCouriers(t *testing.T) {
	run := runOf(t, []string{"#1"}, line{1, "14902600000007", "1", "UTR20260001", 50_00, 50_00, march(9)}, line{2, "14902600000008", "1", "UTR20260002", 50_00, 50_00, march(10)},
		line{2, "14902600000008", "1", "UTR20260003", 50_00, 50_00, march(14)})
	returnTwo(run)
	files := write(t, domain.FormatDispute, run, domain.Branding{})
	require.Contains(t, strings.Join(strings.Fields(files["dispute-delhivery.txt"]), " "), "UTR UTR20260001: ₹50 paid out, ₹0 received)")
	require.NotContains(t, files["dispute-dtdc.txt"], "UTR")
}

// TestDisputePacksOfACourierOfTheLedger holds that no letter names a report that was not given.
func TestDisputePacksOfACourierOfTheLedger(t *testing.T) {
	run := runOf(t, []string{"#1", "#2", "#3"}, line{0, "14902600000000", "", "U1", 100_00, 90_00, march(9)}, line{1, "14902600000001", "2", "U2", 100_00, 100_00, march(12)})
	require.Contains(t, write(t, domain.FormatDispute, run, domain.Branding{})["dispute-report-3.txt"], "The COD remittance desk\n\nSubject: ")
}

func TestLettersNameNoCourierThatNobodyNames(t *testing.T) {
	for _, id := range []string{"", domain.CustomCourier} {
		run := runOfCouriers(t, [2]string{id, "dtdc"}, []string{"#1", "#2"}, line{1, "14902600000000", "1", "U1", 100_00, 90_00, march(9)},
			line{2, "D4902600001", "2", "U2", 100_00, 90_00, march(12)})
		for name, text := range write(t, domain.FormatDispute, run, domain.Branding{}) {
			if strings.HasSuffix(name, ".txt") && name != "dispute-dtdc.txt" {
				require.Contains(t, text, "The COD remittance desk\n\nSubject: ")
			}
			if strings.HasSuffix(name, ".xlsx") && name != "dispute-dtdc.xlsx" {
				require.Equal(t, "Milaan: cash on delivery that is owed", rowsOf(t, text)["Totals"][0][0], "the pack goes to the courier, too")
			}
		}
	}
}

// TestDisputePacksOfASharedAWB is about an order whose AWB a later one has too, and a line that names that one: nothing that it says
// stands as if it were of the first.
func TestDisputePacksOfASharedAWB(t *testing.T) {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	remittances.Reset()
	remittances.Begin("delhivery")
	for i, name := range []string{"#1", "#2"} {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn, o.Fulfilment = 100_00, true, march(1+20*i), verdict.Fulfilled
		orders.Track(o, []byte("14902600000001"))
	}
	remittances.Add(verdict.Remittance{AWB: []byte("14902600000001"), OrderID: []byte("2"), UTR: []byte("U56"), Line: 2, Listed: 100_00, Collected: 100_00,
		Stated: 100_00, Remitted: 100_00, HasRemitted: true, DeliveredOn: march(5), RemittedOn: march(9)})
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
	files := write(t, domain.FormatDispute, ports.NewFinishedRun(&r, domain.Run{Tally: r.Tally, Guidance: r.Guidance}, domain.Mapping{}, nil), domain.Branding{})
	const why = "is also that of our order #2. You remitted ₹100 for it in 1 line (UTR U56), which counts for that order."
	rows := rowsOf(t, files["dispute-delhivery.xlsx"])["Disputes"]
	require.Contains(t, rows[1][9], why)
	requireCells(t, rows, 0, 1, map[string]string{"Order": "#1", "Delivered on": "", "Shortfall": "100"})
	require.LessOrEqual(t, len(rows[1]), slices.Index(rows[0], "UTR"), "the UTR is blank")
	letter := strings.Join(strings.Fields(files["dispute-delhivery.txt"]), " ")
	require.Contains(t, letter, why)
	require.Contains(t, letter, "order #1: ordered 1 Mar 2026; COD ₹100, remitted ₹0 by our books, shortfall ₹100;")
}

// TestDisputePacksOfPartPrepaidOrders holds that a workbook says of the same amounts as the letter that they may be less, and that they
// are amounts all the same.
func TestDisputePacksOfPartPrepaidOrders(t *testing.T) {
	var orders verdict.Orders
	var remittances verdict.Remittances
	orders.Reset()
	remittances.Reset()
	remittances.Begin("delhivery")
	for i, name := range []string{"#1", "#2", "#3"} {
		o, _ := orders.FindOrAdd([]byte(name))
		o.Total, o.HasTotal, o.CreatedOn, o.Fulfilment, o.PartPrepaid = 1_00_000_00, true, march(1+i/2*20), verdict.Fulfilled, i == 0
		orders.Track(o, fmt.Appendf(nil, "1490260000000%d", i+1))
		remittances.Add(verdict.Remittance{AWB: fmt.Appendf(nil, "1490260000000%d", i+1), Line: int32(2 + i), HasRemitted: true, DeliveredOn: march(2 + i/2*20)})
	}
	var r verdict.Reconciliation
	require.NoError(t, r.Decide(&orders, &remittances, domain.TermsFor(nil, 0, nil)))
	files := write(t, domain.FormatDispute, ports.NewFinishedRun(&r, domain.Run{Tally: r.Tally, Guidance: r.Guidance}, domain.Mapping{}, nil), domain.Branding{})
	require.Contains(t, files["dispute-delhivery.txt"], "of 2 orders, up to ₹2,00,000")
	rows := rowsOf(t, files["dispute-delhivery.xlsx"])["Disputes"]
	requireCells(t, rows, 0, 1, map[string]string{"Order": "#1", "COD amount": "100000", "Shortfall": "100000"})
	book := only.Value(excelize.OpenReader(strings.NewReader(files["dispute-delhivery.xlsx"])))(t)
	for at, want := range map[string]bool{"Disputes!E2": true, "Disputes!F2": false, "Disputes!G2": true, "Disputes!E3": false, "Disputes!G3": false,
		"Totals!C4": true, "Totals!D4": false, "Totals!E4": true} {
		sheet, cell, _ := strings.Cut(at, "!")
		shown := only.Value(book.GetCellValue(sheet, cell))(t)
		require.Equal(t, want, strings.HasPrefix(shown, "up to ₹"), "%s: %s", at, shown)
	}
	require.NoError(t, book.Close())
}

// TestAcceptedCharges holds that the sums of documents add up where charges count as paid, and that
// nobody is asked for them.
func TestAcceptedCharges(t *testing.T) {
	run := chargedRun(t, true)
	sheets := rowsOf(t, write(t, domain.FormatXLSX, run, domain.Branding{})["milaan.xlsx"])
	summary := sheets["Summary"]
	at := func(title string) int {
		return slices.IndexFunc(summary, func(row []string) bool { return len(row) > 0 && row[0] == title })
	}
	requireCells(t, summary, at("Totals"), at("Totals")+1, map[string]string{"Due": "2200", "Remitted": "1880", "Awaiting": "0", "Shortfall": "220",
		"Accepted charges": "100", "At risk": "220"})
	requireCells(t, summary, at("By flag"), at(wording.Flag(domain.ShortPaid).Name), map[string]string{"Due": "1700", "Shortfall": "220", "Accepted charges": "50"})
	requireCells(t, summary, at("By flag"), at(wording.Flag(domain.Reconciled).Name), map[string]string{"Due": "500", "Remitted": "450", "Shortfall": "0", "Accepted charges": "50"})
	requireCells(t, summary, at("By courier"), at("Delhivery"), map[string]string{"Due": "2200", "Shortfall": "220", "Accepted charges": "100", "Flagged": "2"})
	requireCells(t, summary, at("Reports"), at("Reports")+1, map[string]string{"Remitted": "1880", "Matched": "1880", "Charges": "170.6", "Reaches to": "46090"})
	requireCells(t, sheets["Orders"], 0, 2, map[string]string{"COD amount": "500", "Remitted": "450", "Accepted charges": "50", "Shortfall": "0", "Charges": "49.8", "Days overdue": "0"})
	require.Contains(t, write(t, domain.FormatCSV, run, domain.Branding{})["orders.csv"], "Shortfall,Accepted charges,Charges,")

	rows := rowsOf(t, write(t, domain.FormatDispute, run, domain.Branding{})["dispute-delhivery.xlsx"])["Disputes"]
	require.Len(t, rows, 3, "the order that is paid but for its charges is not there")
	requireCells(t, rows, 0, 2, map[string]string{"COD amount": "700", "Remitted": "550", "Shortfall": "100", "Charges": "50", "Asked for": "100"})
	requireCells(t, rows, 0, 1, map[string]string{"COD amount": "1000", "Remitted": "880", "Shortfall": "120", "Charges": "70.8", "Asked for": "49.2"})
}

// TestTotalsOfDocumentsAddUp holds that in every document of every run Due = Remitted + Awaiting +
// Shortfall + Accepted charges, of all orders and of each that does not wait.
func TestTotalsOfDocumentsAddUp(t *testing.T) {
	reporter := documents.New(documents.Params{Couriers: catalogue{}, Languages: wording.NewLanguages(), Clock: func() time.Time { return made }})[1]
	require.Equal(t, domain.FormatCSV, reporter.Format())
	rapid.Check(t, func(t *rapid.T) {
		rupees := func(name string, most int) domain.Paise {
			return domain.Paise(rapid.IntRange(0, most).Draw(t, name)) * 50
		}
		var orders verdict.Orders
		var remittances verdict.Remittances
		orders.Reset()
		remittances.Reset()
		remittances.Begin("delhivery")
		for i := range rapid.IntRange(1, 12).Draw(t, "orders") {
			awb := fmt.Appendf(nil, "149026000000%02d", i)
			o, _ := orders.FindOrAdd(fmt.Appendf(nil, "#%d", i))
			o.Total, o.HasTotal, o.Fulfilment, o.FulfilmentText = rupees("total", 40), true, verdict.Fulfilled, "fulfilled"
			o.CreatedOn = march(rapid.IntRange(1, 30).Draw(t, "ordered on"))
			o.FulfilledOn = o.CreatedOn
			orders.Track(o, awb)
			for n := range rapid.IntRange(0, 2).Draw(t, "lines") {
				paid := rupees("paid", 44)
				remittances.Add(verdict.Remittance{AWB: awb, UTR: fmt.Append(nil, "U", n), Listed: o.Total, Collected: o.Total, Stated: paid, Remitted: paid, HasRemitted: true, RemittedOn: march(31)})
				if rapid.Bool().Draw(t, "explained") {
					remittances.AddCharge(0, o.Total-paid)
				}
			}
		}
		remittances.SetCharges([]string{"Freight"})
		remittances.SetMapping(domain.Mapping{domain.RoleCODAmount: "COD", domain.RoleRemittedAmount: "Net"})
		terms := domain.TermsFor(nil, 0, nil)
		terms.AcceptCharges = rapid.Bool().Draw(t, "accept charges")
		var r verdict.Reconciliation
		require.NoError(t, r.Decide(&orders, &remittances, terms))
		run := ports.NewFinishedRun(&r, domain.Run{Tally: r.Tally, Guidance: r.Guidance}, domain.Mapping{}, nil)
		sheets := map[string]*bytes.Buffer{}
		require.NoError(t, only.Err(reporter.Write(func(name string) (io.Writer, error) {
			sheets[name] = new(bytes.Buffer)
			return sheets[name], nil
		}, run, domain.Branding{})))
		rows := func(name string) [][]string {
			read := csv.NewReader(strings.NewReader(strings.TrimPrefix(sheets[name].String(), "\ufeff")))
			read.FieldsPerRecord = -1
			return only.Value(read.ReadAll())(t)
		}
		// addsUp returns what a row leaves over; a column that is not there has 0.
		addsUp := func(header, row []string) (left domain.Paise) {
			amount := func(name string) domain.Paise {
				at := slices.Index(header, name)
				if at < 0 {
					return 0
				}
				p, err := strconv.ParseFloat(row[at], 64)
				require.NoError(t, err, "%s of %v", name, row)
				return domain.Paise(math.Round(p * 100))
			}
			return amount("Due") + amount("COD amount") - amount("Remitted") - amount("Awaiting") - amount("Shortfall") - amount("Accepted charges")
		}
		summary := rows("summary.csv")
		at := slices.IndexFunc(summary, func(row []string) bool { return row[0] == "Totals" })
		require.Zero(t, addsUp(summary[at], summary[at+1]))
		require.Equal(t, r.Accepts(), slices.Contains(summary[at], "Accepted charges"))
		of := rows("orders.csv")
		for _, row := range of[1:] {
			if row[slices.Index(of[0], "Flag")] != wording.Flag(domain.AwaitingNextCycle).Name {
				require.Zero(t, addsUp(of[0], row), row)
			}
		}
	})
}
