package browser_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/tests/bench"
	"milaan/tests/browser"
	"milaan/tests/only"
	"milaan/tests/service"
)

// totals is what the page and the service are compared by.
type totals struct {
	Summary struct {
		Orders int     `json:"orders"`
		AtRisk float64 `json:"amount_risk"`
		Flags  []struct {
			Flag                     string
			Orders                   int
			Due, Remitted, Shortfall float64
		} `json:"flags"`
		Ageing []struct {
			Orders int
			Amount float64
		} `json:"ageing"`
	} `json:"summary"`
	Payouts []struct{ Paid float64 } `json:"payouts"`
}

func paise(amount float64) rupees { return rupees(math.Round(amount * 100)) }

// upload asks the service as the page does, and returns its answer.
func upload(t testing.TB, url string, files bench.Files) []byte {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for name, text := range map[string][]byte{"orders": files.Orders, "report": files.Remittances} {
		part := only.Value(form.CreateFormFile(name, name+".csv"))(t)
		_, _ = part.Write(text)
	}
	require.NoError(t, form.Close())
	request := only.Value(http.NewRequestWithContext(t.Context(), http.MethodPost, url+"/app/api/reconcile", &body))(t)
	request.Header.Set("Content-Type", form.FormDataContentType())
	request.Header.Set("Sec-Fetch-Site", "same-origin")
	client := &http.Client{Transport: &http.Transport{DisableCompression: true, DisableKeepAlives: true}}
	answer, err := client.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	text := only.Value(io.ReadAll(answer.Body))(t)
	require.Equal(t, http.StatusOK, answer.StatusCode, "%s", text)
	return text
}

// TestFilesBecomeResults drops two files on the whole service and compares what the page shows
// of each flag with the totals of the service.
func TestFilesBecomeResults(t *testing.T) {
	s := serve(t, service.Options{})
	files, folder := bench.Draw(900, false), t.TempDir()
	orders, report := filepath.Join(folder, "orders.csv"), filepath.Join(folder, "report.csv")
	require.NoError(t, os.WriteFile(orders, files.Orders, 0o600))
	require.NoError(t, os.WriteFile(report, files.Remittances, 0o600))
	var want totals
	require.NoError(t, json.Unmarshal(upload(t, s.URL, files), &want))
	tab := browser.Open(t, s.URL).Go("/app")
	tab.Upload(exportZone, orders)
	tab.Upload(reportZone, report)
	start(tab)
	tab.See(paise(want.Summary.AtRisk).shown())
	for _, f := range want.Summary.Flags {
		if f.Orders == 0 {
			continue
		}
		tab.ClickOn(".chip.flag-" + f.Flag)
		tab.Wait(shownOrders + fmt.Sprintf(`.startsWith("%d of %d order")`, f.Orders, want.Summary.Orders))
		require.Equal(t, []string{counted(f.Orders), "", paise(f.Due).shown(), paise(f.Remitted).shown(), paise(f.Shortfall).shown()}, footer(tab)[:5], f.Flag)
		tab.ClickOn(`.chip[aria-pressed=true]`)
	}
	ages := browser.Eval[[]string](tab, `[...document.querySelectorAll(".ageing td:last-child")].map((c) => c.textContent)`)
	paid := 0.0
	for i, a := range want.Summary.Ageing {
		require.Equal(t, paise(a.Amount).shown(), ages[i])
	}
	for _, p := range want.Payouts {
		paid += p.Paid
	}
	require.Equal(t, paise(paid).shown(), browser.Eval[string](tab, `document.querySelector(".payouts .grid-foot .c-paid").textContent`))
	tab.Click("Missing").Wait(`document.querySelector(".orders .grid-body .c-flag").textContent === "Missing"`)
	tab.ClickOn(".orders .grid-body .grid-cell").See("Dispute it at once.", "Write to the courier:")
	browser.Eval[bool](tab, `setTimeout(() => history.back()), true`)
	tab.Wait(`document.querySelector("dialog") === null`)
	browser.Eval[bool](tab, `setTimeout(() => history.back()), true`)
	tab.Wait(shownOrders + fmt.Sprintf(` === "%d of %d orders"`, want.Summary.Orders, want.Summary.Orders))
}
