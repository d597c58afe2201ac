package processes_test

import (
	"encoding/csv"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
)

// month is the invented month of the README: an export, three reports of each of two
// couriers, and a bank statement.
func month(t *testing.T) (export string, reports []string, bank string) {
	t.Helper()
	folder := only.Value(filepath.Abs(filepath.Join(root, "tests", "month")))(t)
	for _, courier := range []string{"delhivery", "xpressbees"} {
		of := only.Value(filepath.Glob(filepath.Join(folder, courier+"-*")))(t)
		reports = append(reports, of...)
	}
	require.Len(t, reports, 6)
	return filepath.Join(folder, "orders.csv"), reports, filepath.Join(folder, "bank.csv")
}

// tableOf reads what --csv prints.
func tableOf(t *testing.T, text string) [][]string {
	t.Helper()
	read := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\ufeff")))
	read.FieldsPerRecord = -1 // a summary has sections
	return only.Value(read.ReadAll())(t)
}

// A month of several couriers is one run: what was paid by which payout, whether the bank
// has it, and which courier is most behind.
func TestAMonthOnTheSpot(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	export, reports, bank := month(t)
	args := append([]string{"reconcile", export}, reports...)
	text := in.succeed(t, nil, append(args, "--payouts", "--unclaimed", "--bank", bank)...)
	require.Contains(t, text, "24 orders in orders.csv against 22 lines in 6 reports\n")
	require.Contains(t, text, "The reports reach to 2026-03-27: most behind is xpressbees-3.xls (xpressbees); one that reaches to 2026-04-07 ")
	require.Regexp(t, `\ndelhivery-2.csv +₹4,108.00 \(4\) +₹3,609.00 \(3\) +₹499.00 \(1\) +₹0.00 \(0\) +₹0.00 \(0\) +delhivery\n`, text)
	require.Regexp(t, `\ndelhivery-3.csv +₹4,729.00 \(5\) +₹4,169.00 \(4\) +₹0.00 \(0\) +₹560.00 \(1\) +₹0.00 \(0\) +delhivery\n`, text)
	require.Contains(t, text, "Bank statement bank.csv: 4 credited, 1 credited with another amount, 1 not in the statement.\n")
	require.Regexp(t, `\n1 credit of the statement names a courier and .*\n.*\n.*2026-03-16 +₹300.00 +NEFT CR-INVUTR26031609-XPRESSBEES-COD FEB\n`, text)
	require.Regexp(t, `\ndelhivery-2.csv +5 +14902603009999 +#?9999 +₹499.00 +2026-03-21 +INVUTR26032101\n`, text)

	payouts := tableOf(t, in.succeed(t, nil, append(args, "--csv", "--bank", bank)...))
	require.Len(t, payouts, 1+6+1)
	require.Equal(t, []string{"INVUTR26032002", "credited with another amount"}, []string{payouts[5][0], payouts[5][8]})
	orders := tableOf(t, in.runWith(t, nil, append(args, "--csv", "--all")...).stdout)
	require.Equal(t, []string{"2026-03-14", "INVUTR26031401", "Delivered", "delhivery-1.csv"}, orders[1][12:])
	require.Equal(t, []string{"2026-03-13", "INVUTR26031302", "Delivered", "xpressbees-1.csv"}, orders[2][12:])
}
