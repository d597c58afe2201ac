package processes_test

import (
	"bytes"
	"encoding/csv"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/only"
	"milaan/tests/quarter"
)

// A quarter that is worked month by month ends with the same open items by commands, with workbooks, and over HTTP, with CSV
// files; and as the quarter at once. What spreadsheets make of these files is tested in tests/quarter.
func TestAQuarterMonthByMonth(t *testing.T) {
	alongside(t)
	in := newInstallation(t, "")
	r := in.start(t)
	key := in.accounts(t, 1, -1)[0].key
	months, whole := quarter.Draw(rand.New(rand.NewPCG(26, 4)))

	command := func(m quarter.Month, previous string) (open map[string][]string, workbook string) {
		out := t.TempDir()
		write := func(name, text string) string {
			path := filepath.Join(out, name)
			require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			return path
		}
		workbook = filepath.Join(out, "month.xlsx")
		args := []string{"report", "--xlsx", workbook, "--csv", filepath.Join(out, "csv")}
		if previous != "" {
			args = append(args, "--previous", previous)
		}
		args = append(args, write("orders.csv", m.Export()))
		for i, c := range quarter.Couriers {
			args = append(args, write(c.ID+".csv", m.Report(i))+":"+c.ID)
		}
		require.Empty(t, in.succeed(t, nil, args...))
		return openItems(t, only.Value(os.ReadFile(filepath.Join(out, "csv", "open-items.csv")))(t)), workbook
	}
	api := func(m quarter.Month, previous string) (open map[string][]string, ledger string) {
		body := map[string]any{"shopify": m.Export(), "format": "csv"}
		if previous != "" {
			body["previous"] = previous
		}
		var reports []map[string]string
		for i, c := range quarter.Couriers {
			reports = append(reports, map[string]string{"courier": m.Report(i), "courierName": c.ID})
		}
		body["reports"] = reports
		a := post(t, r.url+"/report", key, asBody(body))
		require.NoError(t, a.err)
		require.Equal(t, http.StatusOK, a.status, "%s", a.body)
		files := archived(t, a.body)
		return openItems(t, files["open-items.csv"]), string(files["ledger.csv"])
	}

	var workbook, ledger string
	var byCommand, byAPI map[string][]string
	for _, m := range months {
		byCommand, workbook = command(m, workbook)
		byAPI, ledger = api(m, ledger)
	}
	atOnce, _ := command(whole, "")
	require.NotEmpty(t, atOnce)
	require.Equal(t, atOnce, byCommand)
	require.Equal(t, atOnce, byAPI)
	r.stop(t)
}

// openItems is what is open by order: due, remitted, accepted charges and shortfall. The courier of an order that no report
// lists is one that a month alone may show.
func openItems(t *testing.T, file []byte) map[string][]string {
	t.Helper()
	rows := only.Value(csv.NewReader(bytes.NewReader(file)).ReadAll())(t)
	all := map[string][]string{}
	for _, row := range rows[1:] {
		all[row[0]] = row[6:10]
	}
	return all
}
