package browser_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// secretFiles are files whose contents can be told from everything else.
var secretFiles = map[string]string{
	"CANARYFILE orders.csv": "Name,Email,Phone,Billing Name,Billing Street,Financial Status,Fulfillment Status,Total,Created at,Payment Method,Tracking Number\n" +
		"#CANARYORDER1,buyer1@canary.example,+919812345671,CANARYPERSON Asha,12 CANARYSTREET,pending,fulfilled,73913771.37,2026-10-01 11:00:00 +0530,Cash on Delivery (COD),CANARYAWB1\n" +
		"#CANARYORDER2,buyer2@canary.example,+919812345672,CANARYPERSON Bina,13 CANARYSTREET,pending,fulfilled,42424242.42,2026-10-01 11:00:00 +0530,Cash on Delivery (COD),CANARYAWB2\n" +
		"#CANARYORDER3,buyer3@canary.example,+919812345673,CANARYPERSON Devi,14 CANARYSTREET,pending,fulfilled,18188181.81,2026-10-01 11:00:00 +0530,CANARYMETHOD Wallet,CANARYAWB3\n" +
		"#CANARYORDER4,,,,,pending,fulfilled,35355353.53,2026-10-02 11:00:00 +0530,Cash on Delivery (COD),CANARYAWB4\n",
	"CANARYFILE delhivery.csv": "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,UTR,Status\n" +
		"CANARYAWB1,#CANARYORDER1,73913771.37,61131761.17,2026-10-10,CANARYUTR1,Delivered\n" +
		"CANARYAWB2,#CANARYORDER2,42424242.42,42424242.42,2026-10-10,CANARYUTR1,CANARYSTATUS\n" +
		"CANARYAWB9,,,56565656.56,2026-10-10,CANARYUTR1,\n" +
		"CANARYAWB8,,,1.00,2026-10-10,CANARYUTR1,\n",
	"CANARYFILE odd.csv": "Parcel MAPPEDCOLUMN,At The Door,Sent To Bank,Sent On,Remarks\n" +
		"CANARYAWB4,35355353.53,3434.43,2026-10-11,CANARYREMARK\n",
	"CANARYFILE bank.csv": "Date,Narration,Credit\n2026-10-10,CANARYNARRATION DELHIVERY CANARYUTR1,84848484.84\n",
	"CANARYFILE bad.csv":  "AWB No,COD Amount,Remittance Date\nCANARYAWB1,CANARYCELL,2026-10-10\n",
}

// secrets are what no place but the tab may have of the files. Amounts are also looked for as
// paise; with ten digits, because six may stand by chance in a time or an id.
var secrets = []string{"CANARY", "canary.example", "9812345671", "9812345672", "9812345673",
	"73913771.37", "7391377137", "7,39,13,771.37", "42424242.42", "4242424242", "18188181.81", "1818818181", "35355353.53", "3535535353",
	"61131761.17", "6113176117", "56565656.56", "5656565656", "84848484.84", "8484848484"}

// kept are what the database has by its contract, the log never: the brand of a run, the
// columns of a saved mapping, and what documents are marked with.
var kept = []string{"MAPPEDBRAND", "MAPPEDCOLUMN", "MARKEDNAME"}

// TestNothingOfTheFilesIsKept uses every screen with files of canaries, as an account and as a
// visitor, and looks for them wherever the service and the browser write.
func TestNothingOfTheFilesIsKept(t *testing.T) {
	folder, file := t.TempDir(), map[string]string{}
	for name, text := range secretFiles {
		file[strings.TrimSuffix(strings.Fields(name)[1], ".csv")] = filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600))
	}
	endpoint := service.NewEndpoint(t, nil)
	s := service.Start(t, service.Options{Settings: service.OnLoopback})
	c := s.Account(t, service.OnPlan(domain.Enterprise))
	tab, visitor := browser.Open(t, s.URL), browser.Open(t, s.URL)
	// From here on: Chromium, which has begun, keeps its own temporary files elsewhere.
	temporary := filepath.Join(folder, "temporary")
	require.NoError(t, os.Mkdir(temporary, 0o700))
	t.Setenv("TMPDIR", temporary)

	tab.SignIn(s, c, "/app/webhooks")
	session := tab.Cookie("milaan").Value
	tab.Fill("URL that is called", endpoint.URL)
	tab.Click("Save")
	signing := takeSecret(tab, "Signing secret")
	tab.Click("Send a test").See("Delivered")
	tab.Click("API keys")
	tab.Click("Create a key")
	key := takeSecret(tab, "API key")
	tab.Click("Branding")
	tab.Fill("Name", "MARKEDNAME")
	tab.Click("Save").See("Saved.")

	useFiles(t, tab, file, true)
	tab.Click("History").See("MAPPEDBRAND")
	tab.Choose("Brand", "MAPPEDBRAND").Wait(settled)
	tab.ClickOn("tbody tr:nth-child(1) .pick input")
	tab.ClickOn("tbody tr:nth-child(2) .pick input")
	tab.Click("Compare").See("Compare two runs")
	tab.ClickOn("thead a").See("The orders of this run are not kept")
	tab.Click("Settings")
	tab.Fill("Days after delivery", "9")
	tab.Click("Save").See("Saved.")
	tab.Click("Saved mappings").See("Parcel MAPPEDCOLUMN")
	tab.Click("Security log").See("Somebody signed in")

	useFiles(t, visitor, file, false)

	browserKeepsNone(t, tab, append(secrets, session, signing, key))
	browserKeepsNone(t, visitor, secrets)
	tab.ClickOn(".menu > button")
	tab.ClickOn(".menu-box button").At("/app/sign-in?signed-out")
	require.Nil(t, tab.Cookie("milaan"))
	browserKeepsNone(t, tab, append(secrets, session, signing, key))
	for range 4 {
		browser.Eval[bool](tab, "setTimeout(() => history.back()), true")
		shows(t, tab, secrets)
	}

	_ = c.Deliveries(t)
	for _, call := range endpoint.Calls() {
		for _, secret := range secrets {
			require.NotContains(t, string(call.Body), secret, "a webhook")
		}
	}
	require.Len(t, s.Query(t, "SELECT id FROM runs WHERE brand = 'MAPPEDBRAND'"), 2, "the runs of the account are stored, those of the visitor not")
	s.HoldsNone(t, temporary, append(secrets, session, signing, key))
	s.LogsNone(t, temporary, append(kept, c.Email))
	require.Contains(t, s.Log.String(), `"route":"/app/api/document"`)
	s.Stop()
	s.DiskHoldsNone(t, append(secrets, session, signing, key))
}

// useFiles does everything that can be done with the files.
func useFiles(t *testing.T, tab *browser.Tab, file map[string]string, signedIn bool) {
	t.Helper()
	tab.Downloads()
	tab.Go("/app")
	if signedIn {
		tab.Fill("Brand", "MAPPEDBRAND")
	}
	tab.Upload(exportZone, file["orders"])
	tab.Upload(reportZone, file["bad"]).See(`"CANARYCELL" is not an amount`)
	tab.Click("Remove CANARYFILE bad.csv").Gone("CANARYCELL")
	tab.Drop("h1", file["delhivery"], file["bank"]).See("Delhivery report", "Bank statement")
	tab.Wait(settled)
	start(tab)
	tab.See("#CANARYORDER1", "₹7,39,13,771.37")

	tab.Fill("Search orders", "CANARYAWB1")
	tab.Wait(shownOrders + `.startsWith("1 of ")`)
	tab.Wait(`location.hash !== ""`)
	tab.ClickOn(".orders .grid-body .grid-cell").See("Order #CANARYORDER1", "CANARYUTR1")
	browser.Eval[bool](tab, `navigator.clipboard.writeText = async (text) => { globalThis.copied = text }, true`)
	tab.Click("Copy the AWB").Wait(`globalThis.copied === "CANARYAWB1"`)
	tab.Click("Copy the sentence").Wait(`globalThis.copied.includes("CANARYAWB1")`)
	tab.Press(kb.Escape).Wait(`document.querySelector("dialog") === null`)
	tab.Click("Show all orders")
	tab.ClickOn(".chip")
	tab.Click("Copy")
	tab.ClickOn(".popup-box button, [role=menu] button, .popup button + * button")
	tab.Fill("Search unclaimed lines", "CANARYAWB9")
	browser.Eval[bool](tab, `dispatchEvent(new Event("beforeprint")), dispatchEvent(new Event("afterprint"))`)
	for _, format := range []string{"Excel workbook", "Dispute pack", "PDF report", "CSV files"} {
		tab.Click("Download").See("Download the results")
		tab.Click(format)
		tab.ClickOn("dialog [type=submit]").Wait(`document.querySelector("dialog") === null`)
	}

	// A second run, with columns that are chosen.
	tab.Click("Reconcile other files").HasFocus("Reconcile")
	tab.Click("Remove CANARYFILE delhivery.csv").Gone("CANARYFILE delhivery.csv")
	tab.Upload(reportZone, file["odd"]).See("None of these columns was found.")
	tab.Wait(settled)
	tab.Choose("AWB (tracking number)", "Parcel MAPPEDCOLUMN: CANARYAWB4").Wait(settled)
	tab.Click("All columns of this report").See("CANARYAWB4")
	tab.Choose("Cash collected", "At The Door").Wait(settled)
	tab.Choose("Amount paid to you", "Sent To Bank")
	tab.Choose("Day of the payment", "Sent On").Wait(settled)
	tab.Click("Back to the files").HasFocus("Reconcile")
	tab.Choose("Courier", "Shadowfax").See("Shadowfax report")
	tab.Wait(settled)
	start(tab)
	if signedIn {
		tab.See("CANARYORDER4")
	}
}

// browserKeepsNone holds that the browser has none of the texts in its storage, and that no
// address has one that is sent or that the history keeps.
func browserKeepsNone(t *testing.T, tab *browser.Tab, texts []string) {
	t.Helper()
	for place, content := range map[string]string{"the storage": tab.Stored(), "a request": tab.Requested(), "the history": tab.History()} {
		for _, text := range texts {
			if strings.Contains(content, text) {
				t.Errorf("%s of the browser has %s: %s", place, text, content)
			}
		}
	}
}

// shows holds that the page shows none of the texts, also where nobody looks.
func shows(t *testing.T, tab *browser.Tab, none []string) {
	t.Helper()
	page := ""
	for page == "" { // it may be left between the two
		tab.Wait(`document.querySelector("h1") !== null && document.documentElement.style.visibility !== "hidden"`)
		page = browser.Eval[string](tab, `document.documentElement?.outerHTML ?? ""`)
	}
	for _, text := range none {
		require.NotContains(t, page, text, "the page after signing out")
	}
}
