package couriers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func TestIDsThatASpreadsheetHasCut(t *testing.T) {
	cut := func(column string, line, count int, examples ...string) domain.Warning {
		return domain.Warning{Code: domain.WarnCutIDs, Column: column, Line: line, Count: count, Examples: examples}
	}
	const ten, twenty, thirty = "1490260300000010", "1490260300000020", "1490260300000030"
	const named, awbs, orders = "AWB No,Order ID,COD Amount,Remittance Date\n", "AWB No,COD Amount,Remittance Date\n", "Order ID,COD Amount,Remittance Date\n"
	for _, c := range []struct {
		what, text string
		want       []domain.Warning
	}{
		{"AWBs of several orders", named + "148,#9,100,x\n" + ten + ",#1,100,x\n" + ten + ",#2,100,x\n" + ten + ",#3,100,x\n" + twenty + ",#4,100,x\nSF1490260300000011,#5,100,x\n",
			[]domain.Warning{cut("AWB No", 3, 4, ten, twenty)}},
		{"AWBs that look like repeats", awbs + ten + ",100,x\n" + ten + ",100,x\n" + twenty + ",100,x\n" + thirty + ",100,x\n14902603000000400,100,x\n",
			[]domain.Warning{cut("AWB No", 2, 5, ten, twenty, thirty)}},
		{"AWBs of several amounts", awbs + ten + ",100,x\n" + ten + ",200,x\n" + ten + ",300,x\n" + ten + ",400,x\n", []domain.Warning{cut("AWB No", 2, 4, ten)}},
		{"order ids", orders + ten + ",100,x\n#" + ten + ",200,x\n" + twenty + ",100,x\n" + thirty + ",100,x\n", []domain.Warning{cut("Order ID", 2, 4, ten, twenty, thirty)}},
		{"an order id with an exponent", named + "A1,#1,100,x\nA2,'1.49026E+15,100,x\nA3," + ten + "1,100,x\n", []domain.Warning{cut("Order ID", 3, 1, "1.49026E+15")}},
		{"an AWB with an exponent, which is a rounded one", named + "1.49026E+15,#1,100,x\n1.49026030000001E+15,#2,100,x\n", nil},
		{"AWBs of many zeros, which may be rounded ones", awbs + strings.Repeat("14902603000000100000,100,x\n", 4) + "14902603000000200000,1,x\n14902603000000300000,1,x\n14902603000000400000,1,x\n", nil},
		{"too few", named + ten + ",#1,100,x\n" + ten + ",#2,100,x\n" + twenty + ",#3,100,x\n", nil},
		{"a line listed twice", awbs + strings.Repeat(ten+",100,x\n", 9) + twenty + ",100,x\n" + thirty + ",100,x\n", nil},
		{"honest ids that end in 0", awbs + ten + ",100,x\n" + twenty + ",100,x\n" + thirty + ",100,x\n1490260300000040,100,x\n1490260300000050,100,x\n", nil},
		{"one of them does not", awbs + ten + ",100,x\n" + ten + ",200,x\n" + twenty + ",100,x\n" + thirty + ",100,x\n1490260300000041,100,x\n" + ten + ",300,x\n", nil},
		{"15 digits", awbs + strings.Repeat("149026030000000,100,x\n149026030000000,200,x\n149026030000010,200,x\n149026030000020,200,x\n", 2), nil},
		{"other signs", named + "X" + ten + ",A+12,100,x\nX" + ten + ",REF+12,100,x\nX" + ten + ",1E+1,100,x\nX" + ten + "," + ten + "-C,100,x\n", nil},
	} {
		got := mustRead(t, strings.ReplaceAll(c.text, ",x\n", ",2026-03-15\n"), noOrders).Warnings
		require.Equal(t, c.want, got, c.what)
	}
	turned := mustRead(t, named+"A1,1.49026E+15,100,03/14/2026\nA2,#2,100,03/05/2026\n", noOrders) // which is read twice
	require.Equal(t, []domain.Warning{cut("Order ID", 2, 1, "1.49026E+15")}, turned.Warnings)
}

// TestWhatWasCollectedAlone holds that nothing is said where what was paid out is read too, or where the header alone is read so.
func TestWhatWasCollectedAlone(t *testing.T) {
	chosen := []string{"awb", "Docket", "cod_amount", "Amt", "remittance_date", "Sent"}
	for _, c := range []struct {
		header  string
		columns []string
		want    []domain.Warning
	}{
		{"Docket,Amt,Bank,Sent", chosen, []domain.Warning{{Code: domain.WarnCollectedOnly, Count: 1}}},
		{"Docket,Amt,Bank,Sent", append(chosen, "remitted_amount", "Bank"), nil},
		{"AWB No,COD Amount,Note,Remittance Date", []string{"cod_amount", "COD Amount"}, nil},
	} {
		lines, _ := only.Both(readAs(ports.MappingChoice{Columns: choose(t, c.columns...)}, c.header+"\nA1,1000,1000,2026-03-05\n", noOrders))(t)
		require.Equal(t, c.want, lines.Warnings, c.columns)
	}
}

// TestAnUnreadColumnOfWhatWasPaidOut holds of which columns the warning speaks, and that others are passed over.
func TestAnUnreadColumnOfWhatWasPaidOut(t *testing.T) {
	for _, c := range []struct {
		column, cells string // of lines with ₹1,000 collected, and ₹1,001 on the third
		want          bool
	}{
		{"Paid", "941 941 1000", true},
		{"भुगतान", "₹941.00 1,000 1000", true},
		{"Paid", "1000 1000 1001", false},
		{"Paid", "500 500 500", false},
		{"Paid", "941 941", false},
		{"Paid", "941 1000 1180", false},
		{"Paid", "Yes No Yes", false},
		{"Taxable Value", "847 847 847", false},
		{"Wt (gms)", "500 500 600", false},
		{"Hub Code", "501 502 503", false},
		{"Order Amount", "950 950 951", false},
		{"Freight", "700 700 700", false}, // it is read
	} {
		text := strings.Builder{}
		text.WriteString("AWB,COD Amount," + c.column + ",Remittance Date\n")
		for i, cell := range strings.Fields(c.cells) {
			fmt.Fprintf(&text, "A%d,%d,%q,2026-03-05\n", i, 1000+i/2, cell)
		}
		text.WriteString("A9,1000,,\n")
		var want []domain.Warning
		if c.want {
			want = []domain.Warning{{Code: domain.WarnCollectedOnly, Column: c.column, Count: 3}}
		}
		require.Equal(t, want, mustRead(t, text.String(), noOrders).Warnings, "%s %s", c.column, c.cells)
	}
}
