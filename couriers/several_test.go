package couriers_test

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/table"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/only"
)

// readAll reads reports one after the other.
func readAll(t *testing.T, orders func() *verdict.Orders, texts ...[]byte) *verdict.Remittances {
	t.Helper()
	registry, all := couriers.New(table.New()), new(verdict.Remittances)
	all.Reset()
	for _, text := range texts {
		all.Begin("")
		require.NoError(t, only.Err(registry.Remittances(ports.Content{Bytes: slices.Clone(text)}, ports.MappingChoice{}).Read(orders, all)))
	}
	return all
}

// toldLine is a line with its statuses as texts, and without its report.
type toldLine struct {
	verdict.Remittance
	status, money string
}

func told(all *verdict.Remittances, lines []verdict.Remittance) (texts []toldLine) {
	for _, l := range lines {
		line := toldLine{l, string(all.Status(l.Status).Text), string(all.Status(l.MoneyStatus).Text)}
		line.Status, line.MoneyStatus, line.Report = 0, 0, 0
		texts = append(texts, line)
	}
	return texts
}

// TestAReportIsReadAsIfItWereAlone holds for every sample that what is read of it does not
// depend on the reports before it: lines, rows, courier, dates, and warnings with their
// footers.
func TestAReportIsReadAsIfItWereAlone(t *testing.T) {
	var texts [][]byte
	for _, s := range samples(t) {
		text := only.Value(os.ReadFile(s.path))(t)
		texts = append(texts, text)
	}
	for len(texts) > 0 {
		n := min(len(texts), domain.MaxReports)
		for _, some := range [][][]byte{texts[:n], backwards(texts[:n])} {
			all := readAll(t, noOrders, some...)
			from, warnings := 0, 0
			for i, text := range some {
				alone := readAll(t, noOrders, text)
				lines := alone.Len()
				var got []verdict.Remittance
				for k := range lines {
					got = append(got, *all.At(from + k))
					require.EqualValues(t, i, all.At(from+k).Report)
				}
				from += lines
				require.Equal(t, told(alone, alone.Lines()), told(all, got))
				require.Equal(t, alone.Warnings, slices.Clip(all.Warnings[warnings:warnings+len(alone.Warnings)]))
				warnings += len(alone.Warnings)
				one, other := alone.Reports()[0], all.Reports()[i]
				require.Equal(t, []any{one.Courier, one.Rows, one.Through, one.Unidentified}, []any{other.Courier, other.Rows, other.Through, other.Unidentified})
			}
			require.Equal(t, from, all.Len())
		}
		texts = texts[n:]
	}
}

func backwards(texts [][]byte) [][]byte {
	texts = slices.Clone(texts)
	slices.Reverse(texts)
	return texts
}

// TestMonthFirstInOneReport holds that a report which is read again, month first, leaves
// the reports before it alone.
func TestMonthFirstInOneReport(t *testing.T) {
	const header = "AWB,COD Amount,Remittance Date,Status\n"
	all := readAll(t, noOrders,
		[]byte(header+"A1,10,03/02/2026,Delivered\n,99,03/02/2026,\nTotal,500,,\n"),
		[]byte(header+"A2,20,02/13/2026,RTO\nA3E+15,30,02/03/2026,\n,55,02/03/2026,\n"),
		[]byte(header+"A4,40,03/02/2026,Delivered\n"))
	require.Equal(t, 4, all.Len())
	require.Equal(t, "2026-02-03", all.At(0).RemittedOn.String())
	require.Equal(t, "2026-02-13", all.At(1).RemittedOn.String())
	require.Equal(t, "2026-02-03", all.At(2).RemittedOn.String())
	require.Equal(t, "2026-02-03", all.At(3).RemittedOn.String())
	require.Equal(t, "RTO", string(all.Status(all.At(1).Status).Text))
	require.Equal(t, "Delivered", string(all.Status(all.At(0).Status).Text))
	require.Equal(t, 7, all.Rows)
	reports := all.Reports()
	require.Equal(t, "2026-02-13", reports[1].Through.String())
	require.Equal(t, verdict.LineSum{Lines: 1, Remitted: 99 * domain.Rupee}, reports[0].Unidentified)
	require.Equal(t, verdict.LineSum{Lines: 1, Remitted: 55 * domain.Rupee}, reports[1].Unidentified)
	require.Equal(t, verdict.LineSum{}, reports[2].Unidentified)
}

// TestFootersAreHeldAgainstTheirOwnReport holds that a footer states what the lines of its
// report come to, and that the warning says which report it is.
func TestFootersAreHeldAgainstTheirOwnReport(t *testing.T) {
	const header = "AWB,COD Amount,Remittance Date\n"
	right, wrong := header+"A1,10,2026-02-03\nA2,20,2026-02-03\nTotal,30,\n", header+"A3,10,2026-02-03\nTotal,40,\n"
	all := readAll(t, noOrders, []byte(right), []byte(wrong), []byte(right))
	var orders verdict.Orders
	orders.Reset()
	o, _ := orders.FindOrAdd([]byte("#1"))
	o.Total, o.HasTotal, o.CreatedOn = 10*domain.Rupee, true, all.At(0).RemittedOn
	orders.Track(o, []byte("A1"))
	var run verdict.Reconciliation
	require.NoError(t, run.Decide(&orders, all, domain.TermsFor(nil, 0, nil)))
	var found []domain.Warning
	for _, w := range run.Warnings() {
		if w.Code == domain.WarnFooterDiffers {
			found = append(found, w)
		}
	}
	require.Equal(t, []domain.Warning{{Code: domain.WarnFooterDiffers, Report: 2, Line: 3, Stated: 40 * domain.Rupee, Amount: 10 * domain.Rupee, HasAmount: true}}, found)
}

// TestLinesAreWhereAnEditorShowsThem holds that a line knows the physical line on which it
// begins, whatever stands above it.
func TestLinesAreWhereAnEditorShowsThem(t *testing.T) {
	text := "sep=,\nReport of May\n\nAWB,COD Amount,Remittance Date\nA1,10,2026-02-03\n\n\"A2\",\"10\n\",2026-02-03\nAWB,COD Amount,Remittance Date\n,,\nA3,10,2026-02-03\nTotal,30,\nA4,10,2026-02-03"
	for _, eol := range []string{"\n", "\r\n", "\r"} {
		all := readAll(t, noOrders, bytes.ReplaceAll([]byte(text), []byte("\n"), []byte(eol)))
		var lines []int32
		for i := range all.Len() {
			lines = append(lines, all.At(i).Line)
		}
		require.Equal(t, []int32{5, 7, 11, 13}, lines, "%q", eol)
	}
}

// TestTheCourierOfAReport holds when the header shows whose report it is.
func TestTheCourierOfAReport(t *testing.T) {
	for text, courier := range map[string]string{
		"AWB Code,Total Amount,Payment Date\n":          "shiprocket",
		"AWB Number,COD Amount (INR),Remittance Date\n": "dtdc or shadowfax",
		"AWB,COD Amount,Remittance Date\n":              "",
	} {
		all := readAll(t, noOrders, []byte(text))
		report := all.Reports()[0]
		require.Equal(t, courier, report.Courier+strings.Join(report.OneOf, " or "), text)
	}
	all := new(verdict.Remittances)
	all.Reset()
	all.Begin("dtdc")
	all.Recognise("shadowfax")
	require.Equal(t, "dtdc", all.Reports()[0].Courier, "what the request names counts")
}

// TestReportsOfUnknownCouriersWithOneHeader holds that they are one courier's: its weekly
// reports reach as far as the latest of them, and not only as far as the first.
func TestReportsOfUnknownCouriersWithOneHeader(t *testing.T) {
	const header, other = "Docket No,COD Amount,Remittance Date\n", "Docket Number,COD Amount,Remittance Date\n"
	first, second := "D1,10,2026-02-03\n", "D2,10,2026-03-03\n"
	through := func(texts ...string) string {
		var reports [][]byte
		for _, text := range texts {
			reports = append(reports, []byte(text))
		}
		lines := readAll(t, noOrders, reports...)
		require.Empty(t, lines.Reports()[0].Courier)
		var orders verdict.Orders
		orders.Reset()
		var r verdict.Reconciliation
		require.NoError(t, r.Decide(&orders, lines, domain.Terms{}))
		return r.Guidance.DataThrough.String()
	}
	require.Equal(t, "2026-03-03", through(header+first, header+second))
	require.Equal(t, "2026-03-03", through(header+second, strings.ToUpper(header)+first), "case and signs aside")
	require.Equal(t, "2026-02-03", through(header+first, other+second), "another header may be another courier's")
	require.Equal(t, "2026-03-14", through(header+"D3,10,03/14/2026\n", header+second, header+"D1,1,25/02/2026\n"), "also if a report is read twice")
	require.Equal(t, uint64(0xa016a6320c6b24d3), readAll(t, noOrders, []byte(header+first)).Reports()[0].Header, "ledgers have it")
}
