package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// reporter writes documents of one format: which one it is, and how many orders the run
// has. Its files have the names of names; a blank one stands for any.
type reporter struct {
	format domain.Format
	names  []string
	brand  *domain.Branding // the last one
	books  domain.Books     // of the last run
	asked  []string         // the orders that disputes of the last run are for
	warns  []domain.Warning
	before func() // called before the first file; may be nil
	err    error  // after the last file
}

func (r *reporter) Format() domain.Format { return r.format }

func (r *reporter) Write(create func(string) (io.Writer, error), run *ports.FinishedRun, b domain.Branding) ([]domain.Warning, error) {
	*r.brand, r.books, r.asked = b, run.Books, nil
	for i := range run.Len() {
		if run.IsDisputed(i) {
			r.asked = append(r.asked, string(run.Result(i).OrderID))
		}
	}
	if r.before != nil {
		r.before()
	}
	for _, name := range r.names {
		w, err := create(name)
		if err != nil {
			return nil, err
		}
		if _, err := fmt.Fprintf(w, "%s %s of %d", r.format, name, run.Len()); err != nil {
			return nil, err
		}
	}
	return r.warns, r.err
}

// logos takes every image but a blank one.
type logos struct{}

func (logos) Clean(image []byte) ([]byte, error) {
	if len(image) == 0 {
		return nil, domain.Faults{{Field: domain.FieldBrandingLogo, Rule: domain.RuleMissing}}.Err()
	}
	return append([]byte("clean "), image...), nil
}

// printers is what the report command needs, with the folder that it works in.
type printers struct {
	previews

	xlsx, csv, pdf, dispute, tally, journal reporter
	brand                                   domain.Branding
	orders, remittance                      string
}

func newPrinters(t *testing.T) *printers {
	t.Helper()
	t.Chdir(t.TempDir())
	p := &printers{previews: previews{build: someOrders}}
	p.orders, p.remittance = files(t)
	p.xlsx = reporter{format: domain.FormatXLSX, names: []string{"any.xlsx"}, brand: &p.brand}
	p.csv = reporter{format: domain.FormatCSV, names: []string{"orders.csv", "payouts.csv"}, brand: &p.brand}
	p.pdf = reporter{format: domain.FormatPDF, names: []string{"any.pdf"}, brand: &p.brand}
	p.dispute = reporter{format: domain.FormatDispute, names: []string{"dispute-dtdc.xlsx"}, brand: &p.brand}
	p.tally = reporter{format: domain.FormatTally, names: []string{"any.xml"}, brand: &p.brand}
	p.journal = reporter{format: domain.FormatJournal, names: []string{"any.csv"}, brand: &p.brand}
	return p
}

func (p *printers) deps() Deps {
	deps := p.previews.deps()
	offline, err := deps.Offline()
	offline.CleanLogo = logos{}.Clean
	offline.Reporters = []ports.Reporter{&p.pdf, &p.dispute, &p.csv, &p.xlsx, &p.tally, &p.journal}
	deps.Offline = func() (Offline, error) { return offline, err }
	return deps
}

// report runs the command.
func (p *printers) report(flags ...string) ran {
	return run(p.deps(), append([]string{"report", p.orders, p.remittance}, flags...)...)
}

// there returns the files below the working directory with their texts.
func there(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		found[filepath.ToSlash(path)] = string(text)
		return err
	}))
	return found
}

func TestReportWritesWhatIsAskedFor(t *testing.T) {
	p := newPrinters(t)
	got := p.report("--xlsx", "new/may.xlsx", "--csv", "new/tables", "--pdf", "may.pdf", "--dispute", "disputes", "--overdue-days", "9", "--bank", p.orders)
	require.Equal(t, ExitDone, got.code, got.stderr)
	require.Empty(t, got.stdout)
	require.Equal(t, map[string]string{
		"new/may.xlsx": "xlsx any.xlsx of 4", "may.pdf": "pdf any.pdf of 4", "disputes/dispute-dtdc.xlsx": "dispute dispute-dtdc.xlsx of 4",
		"new/tables/orders.csv": "csv orders.csv of 4", "new/tables/payouts.csv": "csv payouts.csv of 4",
	}, there(t))
	require.Equal(t, strings.TrimSuffix(p.warningLines(), "\n")+"Wrote new/may.xlsx\nWrote new/tables/orders.csv\nWrote new/tables/payouts.csv\nWrote may.pdf\nWrote disputes/dispute-dtdc.xlsx\n", filepath.ToSlash(got.stderr))
	require.Equal(t, 9, *p.asked.OverdueDays)
	require.Equal(t, "orders", string(p.asked.Statement))
	require.True(t, p.asked.Include.Has(domain.IncludePayouts|domain.IncludeUnclaimed|domain.IncludeOrders|domain.IncludeLines))
	require.Equal(t, 1, p.released, "one run for all documents")
	require.Equal(t, domain.Branding{}, p.brand)

	require.NoError(t, os.WriteFile("disputes/dispute-delhivery.pdf", nil, 0o600))
	got = p.report("--dispute", "disputes", "--force")
	require.Equal(t, ExitDone, got.code, got.stderr)
	require.Contains(t, got.stderr, "disputes has files of an earlier dispute pack: dispute-delhivery.pdf. Do not send them, delete them.\n")
	require.NoError(t, os.Remove("disputes/dispute-delhivery.pdf"))

	p.tally.warns = []domain.Warning{{Code: domain.WarnBeforeStatement, Count: 2}}
	p.journal.warns = p.tally.warns
	got = p.report("--tally", "books.xml", "--journal", "-")
	require.Equal(t, "journal any.csv of 4", got.stdout)
	require.Equal(t, 1, strings.Count(got.stderr, "Warning: No voucher is written of 2 payouts because they are from before "), got.stderr)
	require.Equal(t, "tally any.xml of 4", there(t)["books.xml"])

	got = p.report("--pdf", "-", "--xlsx", "other.xlsx")
	require.Equal(t, "pdf any.pdf of 4", got.stdout)
	require.Contains(t, got.stderr, "\nWrote other.xlsx\n")
}

func TestReportOfChosenOrders(t *testing.T) {
	p := newPrinters(t)
	require.Equal(t, ExitDone, p.report("--dispute", "all").code)
	require.Equal(t, []string{"#1002", "#1003"}, p.dispute.asked)

	for _, only := range [][]string{{"--only", "1003"}, {"--only", "#1003,1003"}, {"--only", " #1003 "}} {
		got := p.report(append(only, "--dispute", "some", "--csv", "tables", "--force")...)
		require.Equal(t, ExitDone, got.code, got.stderr)
		require.Equal(t, []string{"#1003"}, p.dispute.asked)
		require.Equal(t, []string{"#1003"}, p.csv.asked)
	}
	require.Equal(t, ExitDone, p.report("--only", "1002", "--only", "1003", "--dispute", "some", "--force").code)
	require.Equal(t, []string{"#1002", "#1003"}, p.dispute.asked)

	for flags, want := range map[string]string{
		"--only 1001 --dispute none":            "--only names the order 1001, for which nothing is asked of a courier",
		"--only 1003,77 --dispute none":         "--only names the order 77, for which nothing is asked of a courier",
		"--only 1003 --xlsx x.xlsx --csv none":  "--only leaves other orders out of --dispute and --csv: write --xlsx with a command of its own",
		"--only 1003":                           "say what to write",
		"--only= --dispute none --csv no-table": "--only names no order",
	} {
		got := p.report(strings.Fields(flags)...)
		require.NotEqual(t, ExitDone, got.code, flags)
		require.Contains(t, got.stderr, want, flags)
	}
	require.NoFileExists(t, "x.xlsx")
	require.NoDirExists(t, "none")
}

// TestReportOverwritesNothing holds that a file that is there is named, and stays as it is
// with all others that would have been written.
func TestReportOverwritesNothing(t *testing.T) {
	p := newPrinters(t)
	require.NoError(t, os.Mkdir("tables", 0o700))
	for _, name := range []string{"may.pdf", filepath.Join("tables", "payouts.csv"), filepath.Join("tables", "mine.csv")} {
		require.NoError(t, os.WriteFile(name, []byte("mine"), 0o600))
	}
	before, long := there(t), strings.Repeat("a", 250) // a temporary name is longer
	for _, c := range []struct {
		flags []string
		want  string
	}{
		{[]string{"--pdf", long}, "milaan: " + long + ": "},
		{[]string{"--pdf", "may.pdf", "--xlsx", "a.xlsx"}, "may.pdf exists: give another name, or --force to overwrite it"},
		{[]string{"--csv", "tables", "--xlsx", "a.xlsx"}, filepath.Join("tables", "payouts.csv") + " exists"},
		{[]string{"--csv", "may.pdf"}, "may.pdf is a file, and --csv writes into a folder: give the name of a folder"},
		{[]string{"--csv", "may.pdf/tables"}, "one of its folders is a file"},
		{[]string{"--pdf", "tables", "--force"}, "tables is a folder: give the name of a file"},
		{[]string{"--pdf", os.DevNull, "--force"}, "is no ordinary file: give another name, or - for standard output"},
		{[]string{"--csv", "folder", "--dispute", "folder", "--xlsx", "folder/orders.csv"}, filepath.Join("folder", "orders.csv") + " would be written twice"},
		{[]string{"--pdf", p.remittance, "--force"}, p.remittance + " is one of the files that are compared"},
		{[]string{"--pdf", p.orders}, p.orders + " exists"},
	} {
		got := p.report(c.flags...)
		got.refused(t, ExitFailed, c.want)
		require.Equal(t, before, there(t), "%v", c.flags)
	}

	require.Equal(t, ExitDone, p.report("--pdf", "may.pdf", "--csv", "tables", "--force").code)
	after := there(t)
	require.Equal(t, "pdf any.pdf of 4", after["may.pdf"])
	require.Equal(t, "csv payouts.csv of 4", after["tables/payouts.csv"])
	require.Equal(t, "mine", after["tables/mine.csv"])
	require.Len(t, after, 4)
}

// TestReportWritesAllOrNothing holds that no file appears if one document fails, is
// interrupted, or finds its name taken meanwhile.
func TestReportWritesAllOrNothing(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(p *printers, interrupt func())
		want  string
		left  map[string]string
	}{
		"a reporter fails":          {func(p *printers, _ func()) { p.pdf.err = errors.New("no such letter") }, "no such letter", nil},
		"a name leads elsewhere":    {func(p *printers, _ func()) { p.dispute.names = []string{"../up.txt"} }, `"../up.txt" is no name of a file in d`, nil},
		"somebody writes meanwhile": {func(p *printers, _ func()) { p.pdf.before = func() { _ = os.WriteFile("a.xlsx", nil, 0o600) } }, "a.xlsx exists", map[string]string{"a.xlsx": ""}},
		"interrupted":               {func(p *printers, interrupt func()) { p.dispute.before = interrupt }, "interrupted: nothing was written", nil},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPrinters(t)
			ctx, interrupt := context.WithCancel(t.Context())
			defer interrupt()
			c.spoil(p, interrupt)
			var stdout, stderr bytes.Buffer
			code := Execute(ctx, p.deps(), []string{"report", p.orders, p.remittance, "--xlsx", "a.xlsx", "--csv", "c", "--pdf", "a.pdf", "--dispute", "d"}, &stdout, &stderr)
			require.Equal(t, ExitFailed, code)
			require.Contains(t, stderr.String(), c.want)
			require.NotContains(t, stderr.String(), "Wrote")
			left := there(t)
			require.Len(t, left, len(c.left), "%v", left)
			for path, text := range c.left {
				require.Equal(t, text, left[path])
			}
			require.Equal(t, 1, p.released)
		})
	}
}

func TestReportBranding(t *testing.T) {
	p := newPrinters(t)
	logo := writeFile(t, "logo.png", "picture")
	got := p.report("--pdf", "a.pdf", "--brand-name", " Asha वस्त्र ", "--logo", logo, "--colour", "#7A1f3d", "--footer", "GSTIN 27AAAPA1234A1Z5")
	require.Equal(t, ExitDone, got.code, got.stderr)
	require.Equal(t, domain.Branding{Name: "Asha वस्त्र", Logo: []byte("clean picture"), Colour: domain.Colour{0x7a, 0x1f, 0x3d}, Footer: "GSTIN 27AAAPA1234A1Z5"}, p.brand)

	for _, c := range []struct {
		flags []string
		code  int
		want  string
	}{
		{[]string{"--brand-name", strings.Repeat("x", 101)}, ExitUsage, "--brand-name must be at most 100 characters, none of them a control character"},
		{[]string{"--footer", "two\nlines"}, ExitUsage, "--footer must be"},
		{[]string{"--logo", writeFile(t, "none.png", "")}, ExitUsage, "--logo"},
		{[]string{"--logo", logo + ".away"}, ExitFailed, "no such file"},
	} {
		got := p.report(append(c.flags, "--pdf", "b.pdf")...)
		require.Equal(t, c.code, got.code, "%v: %s", c.flags, got.stderr)
		require.Contains(t, got.stderr, c.want)
	}
	require.NoFileExists(t, "b.pdf")
}

// TestReportsFailAsRunsDo holds that nothing is written for files that cannot be compared.
func TestReportsFailAsRunsDo(t *testing.T) {
	p := newPrinters(t)
	p.err = &domain.FileError{File: domain.CourierFile, Rule: domain.RuleEmpty}
	got := p.report("--pdf", "a.pdf")
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: " + p.remittance + ": is empty; export or download it again\n"}, got)
	require.Empty(t, there(t))

	p = newPrinters(t)
	deps := p.deps()
	offline, _ := deps.Offline()
	offline.Reporters = nil
	deps.Offline = func() (Offline, error) { return offline, nil }
	run(deps, "report", p.orders, p.remittance, "--pdf", "a.pdf").refused(t, ExitFailed, "--pdf: this program cannot write pdf")
}
