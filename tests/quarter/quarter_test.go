package quarter

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/documents"
	"milaan/adapters/documents/ledger"
	"milaan/adapters/statement"
	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/adapters/wording"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/garbage"
	"milaan/tests/needed"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

func request(m Month) ports.Request {
	req := ports.Request{Storefront: []byte(m.Export()), Workbooks: true}
	for i := range m.reports {
		req.Reports = append(req.Reports, ports.Report{CourierName: Couriers[i].ID, Courier: []byte(m.Report(i))})
	}
	return req
}

// reconciling compares files as the program does.
func reconciling() *runs.Reconciling {
	tables := table.New()
	return runs.NewReconciling(runs.ReconcilingParams{Storefronts: storefront.New(tables), Couriers: couriers.New(tables), ReadStatement: statement.New(tables).Read,
		OpenLedger: ledger.New(table.NewWithin(table.Settings{MaxRows: ledger.MaxRows})).Open, Clock: time.Now})
}

func reconcile(t testing.TB, r *runs.Reconciling, req ports.Request) *ports.FinishedRun {
	t.Helper()
	run, err := r.Preview(t.Context(), req)
	if file, is := err.(*domain.FileError); is {
		t.Fatalf("%+v", file)
	}
	require.NoError(t, err)
	t.Cleanup(run.Release)
	return run
}

// files writes the documents of a run in a format.
func files(t testing.TB, run *ports.FinishedRun, format domain.Format) map[string][]byte {
	t.Helper()
	written := map[string]*bytes.Buffer{}
	for _, reporter := range documents.New(documents.Params{Couriers: couriers.New(table.New()), Languages: wording.NewLanguages(), Clock: time.Now}) {
		if reporter.Format() != format {
			continue
		}
		_, err := reporter.Write(func(name string) (io.Writer, error) {
			written[name] = new(bytes.Buffer)
			return written[name], nil
		}, run, domain.Branding{})
		require.NoError(t, err)
	}
	all := map[string][]byte{}
	for name, b := range written {
		all[name] = b.Bytes()
	}
	return all
}

// money is what an order ends with.
type money struct{ due, remitted, accepted, shortfall domain.Paise }

func ends(run *ports.FinishedRun) map[string]money {
	all := map[string]money{}
	for i := range run.All() {
		r := run.Result(i)
		all[string(r.OrderID)] = money{r.Due, r.Remitted, r.Accepted, r.Shortfall}
	}
	return all
}

// byMonths reconciles a quarter month by month. carry turns a run into the file for the next one.
func byMonths(t testing.TB, months []Month, charges domain.Charges, carry func(*ports.FinishedRun) []byte) *ports.FinishedRun {
	r := reconciling()
	var previous []byte
	for i, m := range months {
		req := request(m)
		req.Previous, req.Charges = previous, charges
		run := reconcile(t, r, req)
		if i == len(months)-1 {
			return run
		}
		previous = carry(run)
	}
	return nil
}

func requireSameEnd(t testing.TB, months []Month, whole Month, charges domain.Charges, carry func(*ports.FinishedRun) []byte) {
	t.Helper()
	req := request(whole)
	req.Charges = charges
	require.Equal(t, ends(reconcile(t, reconciling(), req)), ends(byMonths(t, months, charges, carry)))
}

func asCSV(t testing.TB) func(*ports.FinishedRun) []byte {
	return func(run *ports.FinishedRun) []byte { return files(t, run, domain.FormatCSV)["ledger.csv"] }
}

func asWorkbook(t testing.TB) func(*ports.FinishedRun) []byte {
	return func(run *ports.FinishedRun) []byte { return files(t, run, domain.FormatXLSX)["milaan.xlsx"] }
}

func TestMonthByMonthEndsAsAtOnce(t *testing.T) {
	chance := rand.New(rand.NewPCG(26, 1))
	for range 40 {
		months, whole := Draw(chance)
		charges := domain.FlagCharges
		if chance.IntN(2) == 0 {
			charges = domain.AcceptCharges
		}
		requireSameEnd(t, months, whole, charges, asCSV(t))
		requireSameEnd(t, months, whole, charges, asWorkbook(t))
	}
}

// TestSavedByLibreOffice opens the ledger between the months with LibreOffice and saves it again, as a workbook or, on
// the day after, as CSV; with MILAAN_SOAK as both, and as workbooks of two further kinds. Its start takes seconds.
func TestSavedByLibreOffice(t *testing.T) {
	if !needed.All() {
		t.Skip("NOT TESTED with LibreOffice: set MILAAN_TEST_REQUIRE_PROGRAMS")
	}
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("NOT TESTED with LibreOffice: install libreoffice-calc")
	}
	home := t.TempDir()
	savedAgain := func(text []byte, from, to string) []byte {
		folder := t.TempDir()
		opened, saved := filepath.Join(folder, "month."+from), filepath.Join(folder, "saved")
		require.NoError(t, os.WriteFile(opened, text, 0o600))
		out, err := exec.CommandContext(t.Context(), office, "-env:UserInstallation=file://"+home, "--headless",
			"--convert-to", to, "--outdir", saved, opened).CombinedOutput()
		require.NoError(t, err, string(out))
		again, err := os.ReadFile(filepath.Join(saved, "month."+to))
		require.NoError(t, err, string(out))
		return again
	}
	kinds := []string{"xlsx", "csv", "ods", "xls"}
	if os.Getenv("MILAAN_SOAK") == "" {
		kinds = kinds[time.Now().YearDay()%2:][:1]
	}
	for _, to := range kinds {
		months, whole := Draw(rand.New(rand.NewPCG(26, 2)))
		requireSameEnd(t, months, whole, domain.FlagCharges, func(run *ports.FinishedRun) []byte {
			if to == "csv" {
				return savedAgain(asCSV(t)(run), "csv", "csv")
			}
			return savedAgain(asWorkbook(t)(run), "xlsx", to)
		})
	}
}
