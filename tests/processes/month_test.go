package processes_test

import (
	"archive/zip"
	"encoding/csv"
	"os"
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

// Paths with colons, a file that is given twice, standard input, and a file that is away.
func TestReportsAreFoundByTheirPaths(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	export, reports, _ := month(t)
	folder := t.TempDir()
	colon := filepath.Join(folder, "week 10:30.csv")
	require.NoError(t, os.WriteFile(colon, only.Value(os.ReadFile(reports[3]))(t), 0o600))
	for _, arg := range []string{colon, colon + ":xpressbees"} {
		got := in.succeed(t, nil, "reconcile", export, reports[0], arg)
		require.Regexp(t, `\nweek 10:30.csv +xpressbees +3 +2026-03-13 +awb = `, got)
	}

	once := in.succeed(t, nil, "reconcile", export, reports[0], "--csv", "--all")
	twice := in.runWith(t, nil, "reconcile", export, reports[0], reports[0], "--csv", "--all")
	require.Zero(t, twice.code, twice.stderr)
	require.Len(t, tableOf(t, twice.stdout), len(tableOf(t, once)))
	for i, record := range tableOf(t, once) {
		require.Equal(t, record[:7], tableOf(t, twice.stdout)[i][:7], "what is listed twice counts once")
	}

	away := filepath.Join(folder, "away.csv")
	for _, arg := range []string{away, away + ":dtdc"} {
		got := in.run(t, "reconcile", export, reports[0], arg)
		require.Equal(t, 1, got.code)
		require.Contains(t, got.stderr, away+": no such file")
	}
	got := in.run(t, "reconcile", export, reports[0], colon+":dtcd")
	require.Equal(t, 2, got.code)
	require.Contains(t, got.stderr, `"dtcd" is no courier`)
	got = in.run(t, "reconcile", export, reports[0], export)
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "milaan: "+export+": ", "the second report is named by its path")
}

// Documents are written out of one run, whole or not at all, and leave nothing behind.
func TestReportsAreWritten(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	export, reports, _ := month(t)
	folder := t.TempDir()
	args := append(append([]string{"report", export}, reports...), "--xlsx", filepath.Join(folder, "new", "month.xlsx"), "--csv", filepath.Join(folder, "tables"), "--dispute", filepath.Join(folder, "disputes"))
	first := in.run(t, args...)
	require.Zero(t, first.code, first.stderr)
	require.Empty(t, first.stdout)
	require.Contains(t, first.stderr, "Wrote "+filepath.Join(folder, "new", "month.xlsx")+"\n")
	require.NoError(t, only.Value(zip.OpenReader(filepath.Join(folder, "new", "month.xlsx")))(t).Close())

	again := in.run(t, args...)
	require.Equal(t, 1, again.code)
	require.Contains(t, again.stderr, filepath.Join(folder, "new", "month.xlsx")+" exists: give another name, or --force to overwrite it\n")
	require.Zero(t, in.run(t, append(args, "--force")...).code)
	require.NoError(t, filepath.WalkDir(folder, func(path string, _ os.DirEntry, err error) error {
		require.NotContains(t, path, ".part", "a temporary file is left")
		return err
	}))

	require.Equal(t, 2, in.run(t, "report", export, reports[0]).code)
	require.Empty(t, only.Value(os.ReadDir(in.dir))(t), "nothing is stored")
}

// What the files say neither runs in a spreadsheet nor moves the cursor.
func TestTablesOfHostileFiles(t *testing.T) {
	t.Parallel()
	in := newInstallation(t, "")
	folder := t.TempDir()
	export, report := filepath.Join(folder, "orders.csv"), filepath.Join(folder, "=cmd.csv")
	require.NoError(t, os.WriteFile(export, []byte("Name,Financial Status,Fulfillment Status,Total,Created at,Payment Method\n#1,pending,fulfilled,500,2026-03-01 10:00:00 +0530,Cash on Delivery (COD)\n"), 0o600))
	require.NoError(t, os.WriteFile(report, []byte("AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status,UTR\nD1,#1,500,500,2026-03-09,=1+1,@SUM(A1)\nD\x1b[2J2,=HYPERLINK(1),70,70,2026-03-09,Delivered,+91\x1b]0;x\n"), 0o600))

	orders := tableOf(t, in.run(t, "reconcile", export, report, "--csv", "--all").stdout)
	require.Equal(t, []string{"'@SUM(A1)", "'=1+1", "'=cmd.csv"}, orders[1][13:])
	unclaimed := tableOf(t, in.run(t, "reconcile", export, report, "--csv", "--unclaimed").stdout)
	require.Equal(t, "'=cmd.csv", unclaimed[1][0])
	require.Equal(t, "'=HYPERLINK(1)", unclaimed[1][3])
	payouts := tableOf(t, in.run(t, "reconcile", export, report, "--csv", "--payouts").stdout)
	require.Equal(t, "'@SUM(A1)", payouts[1][0])

	for _, flags := range [][]string{{"--payouts", "--unclaimed"}, {"--csv", "--unclaimed"}, {"--csv", "--payouts"}, {"--csv", "--all"}} {
		shown, told := newScreen(t, 200).on(t, in, []string{"NO_COLOR=1"}, append([]string{"reconcile", export, report}, flags...)...)
		require.NotContains(t, shown, "\x1b", "%v", flags)
		require.NotContains(t, told, "\x1b", "%v", flags)
	}
	got := in.run(t, "report", export, report, "--csv", filepath.Join(folder, "tables"))
	require.Zero(t, got.code, got.stderr)
	files := only.Value(filepath.Glob(filepath.Join(folder, "tables", "*.csv")))(t)
	require.NotEmpty(t, files)
	for _, file := range files {
		for _, record := range tableOf(t, string(only.Value(os.ReadFile(file))(t))) {
			for _, cell := range record {
				require.NotRegexp(t, `^[=+@]([^"]|$)`, cell, "%s", file)
			}
		}
	}
}
