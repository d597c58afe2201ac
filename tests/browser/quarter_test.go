package browser_test

import (
	"archive/zip"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
	"milaan/tests/only"
	"milaan/tests/quarter"
	"milaan/tests/service"
)

// owed is what is open of an order: due, remitted, accepted charges and shortfall, as the file of open items has them.
type owed [4]string

// TestAQuarterOnThePage works three months one after the other, each with the workbook that the one before has saved. At the
// end as much is open as of the quarter at once.
func TestAQuarterOnThePage(t *testing.T) {
	s := serve(t, service.Options{})
	months, whole := quarter.Draw(rand.New(rand.NewPCG(26, 3)))
	tab := browser.Open(t, s.URL)
	folder := tab.Downloads()
	reconcile := func(m quarter.Month, ledger string) {
		tab.Go("/app")
		files := []string{written(t, "orders.csv", m.Export())}
		for i, c := range quarter.Couriers {
			files = append(files, written(t, c.ID+".csv", m.Report(i)))
		}
		if ledger != "" {
			files = append(files, ledger)
		}
		tab.Drop("h1", files...).At("/app/results").Wait(settled)
	}
	var ledger string
	for i, m := range months {
		reconcile(m, ledger)
		switch i {
		case 0: // nothing is remembered yet, and orders are marked all the same
			tab.Click("Mark orders").See("open now: ₹")
			tab.HasFocus("Open items")
			tab.ClickOn(`.open-items .grid-body [data-at="1"] [type=checkbox]`)
			tab.ClickOn(`.open-items .grid-body [data-at="0"] [type=checkbox]`).See("2 chosen").Look("open-items-first-month")
			tab.Click("Mark the 2 orders chosen")
			tab.Fill("Note", "raised by telephone")
			tab.ClickOn("dialog [type=submit]")
		case 1:
			tab.See("raised by telephone", "How the sums have changed")
		}
		if i == len(months)-1 {
			break
		}
		tab.Click("Download")
		tab.ClickOn("dialog [type=submit]")
		saved := downloaded(t, folder, "*.xlsx")
		ledger = filepath.Join(t.TempDir(), fmt.Sprintf("month-%d.xlsx", i+1))
		require.NoError(t, os.Rename(saved, ledger))
	}
	byMonths := openItems(t, tab, folder)
	require.NotEmpty(t, byMonths)
	asked := tab.Asked()
	reconcile(whole, "")
	require.Equal(t, asked+1, tab.Asked(), "the browser asks before results and marks are lost")
	require.Equal(t, openItems(t, tab, folder), byMonths)
}

// openItems downloads the CSV files of the results and reads what is open.
func openItems(t *testing.T, tab *browser.Tab, folder string) map[string]owed {
	t.Helper()
	tab.Click("Download")
	tab.Click("CSV files")
	tab.ClickOn("dialog [type=submit]")
	saved := downloaded(t, folder, "*.zip")
	pack := only.Value(zip.OpenReader(saved))(t)
	defer func() {
		require.NoError(t, pack.Close())
		require.NoError(t, os.Remove(saved))
	}()
	file := only.Value(pack.Open("open-items.csv"))(t)
	rows := only.Value(csv.NewReader(file).ReadAll())(t)
	all := map[string]owed{}
	for _, row := range rows[1:] {
		all[row[0]] = owed(row[6:10])
	}
	return all
}
