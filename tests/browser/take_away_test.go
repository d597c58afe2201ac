package browser_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestDocumentsAreTakenAway downloads a dispute pack and a workbook of the files at hand.
func TestDocumentsAreTakenAway(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL)
	folder := tab.Downloads()
	tab.SignIn(s, c, "/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, report)
	start(tab)
	tab.Click("Download").See("Download the results", "Name on the document").Look("download")
	tab.Click("Dispute pack").See("Send each courier its workbook and letter.")
	tab.Fill("Name on the document", "Asha Textiles")
	tab.ClickOn("dialog [type=submit]").See("is in your downloads.")
	pack, err := zip.OpenReader(downloaded(t, folder, "*.zip"))
	require.NoError(t, err)
	defer pack.Close()
	var names []string
	for _, f := range pack.File {
		names = append(names, f.Name)
	}
	require.Equal(t, []string{"dispute-delhivery.xlsx", "dispute-delhivery.pdf", "dispute-delhivery.txt"}, names)

	tab.Click("Download").See("Download the results")
	tab.ClickOn("dialog [type=submit]")
	downloaded(t, folder, "*.xlsx")
}

// TestVouchersThatAreNotThereAreTold downloads the journal with a statement that begins after every payout.
func TestVouchersThatAreNotThereAreTold(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL)
	folder := tab.Downloads()
	tab.Go("/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, report, written(t, "bank.csv", "Date,Narration,Credit\n2026-12-01,OPENED,1.00\n"))
	start(tab)
	tab.Click("Download")
	tab.Click("Journal in CSV")
	tab.ClickOn("dialog [type=submit]")
	downloaded(t, folder, "*-journal.csv")
	tab.See("No voucher is written of 9 payouts", "because they are from before the first day of the bank statement").Look("vouchers-left-out")
}

// TestADocumentOfAChangedFileIsNotMade spoils a file after its results.
func TestADocumentOfAChangedFileIsNotMade(t *testing.T) {
	s := serve(t, service.Options{})
	mine := changed(t, "mine.csv", report)
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, mine)
	start(tab)
	require.NoError(t, os.Remove(mine))
	tab.Click("Download")
	tab.ClickOn("dialog [type=submit]").See("The file mine.csv was changed, moved or deleted after you chose it.").Axe()
}

// downloaded waits until a file that fits a pattern is complete.
func downloaded(t *testing.T, folder, pattern string) string {
	t.Helper()
	var found []string
	require.Eventually(t, func() bool {
		found, _ = filepath.Glob(filepath.Join(folder, pattern))
		return len(found) == 1
	}, time.Minute, 10*time.Millisecond, pattern)
	return found[0]
}
