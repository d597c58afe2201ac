package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// attacker serves pages of another origin, which is of the same site as the service: on
// loopback, ports make origins and not sites, so that the browser sends cookies along.
func attacker(t *testing.T, page string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, "<!doctype html><title>x</title><link rel=icon href=data:,><h1>Another page</h1>", page)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestPagesOfOthersReachNothing opens a page of another origin in a browser that is signed in.
// It shows the dashboard in a frame, and sends forms and requests with the cookie.
func TestPagesOfOthersReachNothing(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t, service.OnPlan(domain.Enterprise))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/account")
	tab.See(c.Email)

	tab.Tolerate()
	tab.Visit(attacker(t, ""))
	for _, page := range []string{"/app", "/app/account", "/app/sign-in", "/", "/docs", "/app/api/me"} {
		before := len(tab.Requested())
		browser.Eval[bool](tab, `new Promise((done) => { const frame = document.createElement("iframe"); frame.onload = () => done(true); frame.src = "`+s.URL+page+`"; document.body.append(frame); })`)
		tab.Complains("frame-ancestors")
		require.NotContains(t, tab.Requested()[before:], "/app/assets/", "the page in the frame was read")
	}

	// Scripts ask. None may read an answer, and none changes a thing.
	for _, ask := range []string{
		`fetch("%s/app/api/me", {credentials: "include"})`,
		`fetch("%s/app/api/me", {credentials: "include", mode: "no-cors"})`,
		`fetch("%s/app/api/sign-out-everywhere", {method: "POST", credentials: "include", body: "{}"})`,
		`fetch("%s/app/api/sign-out-everywhere", {method: "POST", credentials: "include", mode: "no-cors", body: "{}"})`,
		`fetch("%s/app/api/key", {method: "POST", credentials: "include", headers: {"Content-Type": "application/json"}, body: '{"replaces":""}'})`,
		`fetch("%s/app/api/account", {method: "PATCH", credentials: "include", headers: {"Content-Type": "application/json"}, body: '{"overdue_days":30}'})`,
		`new Promise((done, fail) => { const script = document.createElement("script"); script.src = "%s/app/api/me"; script.onload = done; script.onerror = fail; document.body.append(script); })`,
	} {
		require.Equal(t, "refused", browser.Eval[string](tab, "("+fmt.Sprintf(ask, s.URL)+`).then(() => "answered", () => "refused")`), ask)
	}
	// Forms take the browser to the answer.
	for _, path := range []string{"sign-out-everywhere", "key", "sign-in"} {
		tab.Visit(attacker(t, `<form method=post enctype=text/plain action="`+s.URL+`/app/api/`+path+`"><input name='{"replaces":"","x":"' value='"}'></form>`))
		browser.Eval[bool](tab, `setTimeout(() => document.forms[0].submit()), true`)
		tab.Wait(`location.pathname === "/app/api/` + path + `" && document.body.innerText.includes("cross_origin")`)
	}

	tab.Go("/app/account").See(c.Email)
	tab.Go("/app/keys").See("No key yet")
	require.Equal(t, []string{"signed_in"}, kinds(t, s, c))
}

// kinds are the kinds of the events of an account's security log but for links.
func kinds(t *testing.T, s *service.Service, c *service.Customer) (all []string) {
	t.Helper()
	for _, row := range s.Query(t, "SELECT kind FROM security_events WHERE kind <> 'sign_in_link_made' AND account_id = (SELECT id FROM accounts WHERE email = '"+c.Email+"')") {
		all = append(all, row[0])
	}
	return all
}

// Texts that run in pages that write them as HTML, and that turn the text around them.
const (
	runs    = `<img src=x onerror=globalThis.ran=1><script>globalThis.ran=1</script>`
	turns   = "\u202e" + "kcab" + "\u2066"
	formula = `=HYPERLINK(""http://127.0.0.1/x"",""a"")`
)

// TestNothingOfAFileRuns puts HTML, formulas and characters that turn text around into every
// cell, name and field, and looks at every screen that shows them.
func TestNothingOfAFileRuns(t *testing.T) {
	endpoint := service.NewEndpoint(t, nil)
	s := serve(t, service.Options{Settings: service.OnLoopback})
	c := s.Account(t, service.OnPlan(domain.Enterprise))
	orders := written(t, `<img src=x onerror=ran=1> & "orders".csv`, "Name,Email,Financial Status,Fulfillment Status,Total,Created at,Payment Method,Tracking Number\n"+
		"#1"+runs+",,"+runs+",fulfilled,900,2026-10-01 11:00:00 +0530,Cash on Delivery (COD),A1"+runs+"\n"+
		`"`+formula+`",,pending,`+runs+`,800,2026-10-01 11:00:00 +0530,Cash on Delivery (COD),A2`+turns+"\n"+
		"@SUM(A1),,pending,fulfilled,700,2026-10-01 11:00:00 +0530,"+runs+",-2+3\n"+
		turns+",,pending,fulfilled,600,2026-10-01 11:00:00 +0530,Cash on Delivery (COD),A4\n")
	report := written(t, turns+"report.csv", "AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,UTR,Status,Remarks "+runs+"\n"+
		"A1"+runs+",,900,700,2026-10-10,"+runs+","+runs+",\n"+
		"A2"+turns+",,800,800,2026-10-10,U2,"+turns+",\n"+
		"X"+runs+",<b>,100,100,2026-10-10,"+turns+",,\n")
	bank := written(t, "bank.csv", "Date,Narration,Credit\n2026-10-10,"+runs+" DELHIVERY,1700\n")
	bad := written(t, "bad.csv", "AWB No,COD Amount,Remittance Date\nA1,"+runs+",2026-10-10\n")
	unknown := written(t, "<b>unknown.csv", runs+","+turns+"\n1,2\n")

	tab := browser.Open(t, s.URL)
	nothing := func() {
		t.Helper()
		require.Equal(t, []int{0, 0}, browser.Eval[[]int](tab, `[globalThis.ran ?? 0, document.querySelectorAll("main script, main img[src=x], main b > img, dialog script, dialog img").length]`))
	}
	tab.SignIn(s, c, "/app?brand="+strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "=", "%3D").Replace(runs))
	tab.Wait(`Boolean(milaanTest.field("Brand")?.value)`) // it is set after the first paint
	require.Equal(t, runs, tab.Value("Brand"))
	tab.Upload(exportZone, orders)
	tab.Upload(reportZone, bad).See("is not an amount", `<img src=x onerror=ran=1> & "orders".csv`)
	nothing()
	tab.Click("Remove bad.csv")
	tab.Drop("h1", report, bank, unknown).See("Delhivery report", "Bank statement", "Milaan does not recognise this file.")
	tab.Wait(settled)
	browser.Eval[bool](tab, `document.querySelectorAll("details").forEach((d) => { d.open = true; }), true`)
	nothing()
	tab.Click("Remove <b>unknown.csv")
	browser.Eval[bool](tab, `history.pushState(null, "", "/app/mapping?report=1"), dispatchEvent(new PopStateEvent("popstate"))`)
	tab.See("Columns of", "First cells", runs)
	nothing()
	tab.Click("Back to the files").HasFocus("Reconcile")
	tab.Wait(settled)
	start(tab)
	tab.See("#1"+runs, formula[:11])
	nothing()
	browser.Eval[bool](tab, `navigator.clipboard.writeText = async (text) => { globalThis.copied = text }, true`)
	tab.Click("Copy")
	tab.Click("All 4 orders shown").See("4 orders were copied.")
	for _, row := range strings.Split(browser.Eval[string](tab, "globalThis.copied"), "\r\n") {
		for cell := range strings.SplitSeq(row, "\t") {
			require.NotContains(t, []string{"=H", "@S", "-2"}, cell[:min(2, len(cell))], "a cell that a spreadsheet runs")
		}
	}
	tab.ClickOn(".orders .grid-body .grid-cell")
	for i := range 4 {
		tab.See(fmt.Sprintf("%d of 4", i+1), "Details")
		nothing()
		if i < 3 {
			tab.Click("Next")
		}
	}
	tab.Press(kb.Escape).Wait(`document.querySelector("dialog") === null`)
	tab.Fill("Search orders", runs)
	tab.Wait(shownOrders + ` !== "4 of 4 orders"`)
	browser.Eval[bool](tab, `dispatchEvent(new Event("beforeprint")), true`)
	nothing()

	tab.Click("Settings")
	tab.Click("Branding")
	tab.Fill("Name", runs[:36])
	tab.Fill("Footer", runs)
	tab.Click("Save").See("Saved.")
	nothing()
	tab.Click("Webhooks")
	tab.Fill("URL that is called", endpoint.URL+"?<img src=x onerror=ran=1>")
	tab.Click("Save").Wait(`document.querySelector("dialog, .field-error") !== null`)
	nothing()
	for _, page := range []string{"/app/history", "/app/history?brand=" + strings.NewReplacer("<", "%3C", ">", "%3E", " ", "%20", "=", "%3D").Replace(runs), "/app/compare?a=<script>&b=<img%20src=x>",
		"/app/history/%3Cimg%20src=x%20onerror=ran=1%3E", "/app/mappings", "/app/security", "/app/sign-in?to=javascript:ran=1", "/app/sign-in?failed=<img%20src=x%20onerror=ran=1>", "/app/results?sample&flag=<img%20src=x%20onerror=ran=1>#order=<img src=x onerror=ran=1>"} {
		tab.Go(page).Wait(settled)
		nothing()
	}
}

// TestNothingIsLeftAfterSigningOut goes back after signing out, and opens the pages anew.
func TestNothingIsLeftAfterSigningOut(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Customer(t, service.OnPlan(domain.Enterprise))
	c.Run(t, service.Small().With("brand", "PRIVATEBRAND").With("courierName", "delhivery"))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app")
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, report)
	start(tab)
	for _, page := range []string{"/app/keys", "/app/mappings", "/app/history"} {
		tab.Go(page) // loaded anew, so that the browser may keep whole pages
		tab.Wait(settled)
	}
	tab.See("PRIVATEBRAND")
	tab.ClickOn(".menu > button")
	tab.ClickOn(".menu-box button").At("/app/sign-in?signed-out")
	for range 5 {
		browser.Eval[bool](tab, `globalThis.left = true, setTimeout(() => history.back()), true`)
		shows(t, tab, []string{"PRIVATEBRAND", c.Email, c.Key[:len("milaan_live_")+8], "AWB No", "#1"})
	}
}

// TestASessionThatEndsMeanwhile lets the session end while files are at hand: they stay in the
// tab, and after signing in again they are reconciled.
func TestASessionThatEndsMeanwhile(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app?brand=Asha")
	chosenFiles(t, tab)
	s.Clock.Advance(domain.SessionIdle)
	tab.ClickOn(".start").At("/app/sign-in?to=%2Fapp%3Fbrand%3DAsha")
	tab.Fill("Sign-in link", s.URL+signInLink(t, s, c))
	tab.Click("Sign in").At("/app?brand=Asha").See("Delhivery report", "remittance.csv", "2 Feb 2026 to 7 Mar 2026")
	start(tab)
	tab.See("At risk")
}

// TestSignedOutInAnotherTab holds that nobody becomes a visitor without knowing: a tab whose
// session was ended in another one says so, keeps its files and its result, and asks.
func TestSignedOutInAnotherTab(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL)
	const signOut = `fetch("/app/api/sign-out", {method: "POST"}).then((r) => r.ok)`
	result := func() {
		ranFiles(t, tab)
		tab.See("At risk")
	}
	tab.SignIn(s, c, "/app")
	result()
	require.Equal(t, 1, s.Runs(t))

	// The service alone knows of it: the next action says so.
	require.True(t, browser.Eval[bool](tab, signOut))
	tab.Click("Reconcile")
	tab.ClickOn(".start").At("/app/sign-in")
	tab.See("Your session has ended", "The files and results of this tab are still here.", "Go on without signing in")
	tab.Look("session-ended")
	tab.Resize(390, 800).Wait(fits).Shot("session-ended-phone")
	tab.Resize(1280, 900)
	tab.Click("Results").See("Your session has ended", "At risk").Look("session-ended-banner")
	tab.Click("Reconcile")
	tab.ClickOn(".start") // it stays so until the person has decided
	tab.At("/app/sign-in")
	tab.Fill("Sign-in link", s.URL+signInLink(t, s, c))
	tab.Click("Sign in").At("/app").Gone("Your session has ended")
	tab.See("Delhivery report", c.Email)
	tab.Click("Results").See("At risk")
	require.Equal(t, 1, s.Runs(t))

	// The other tab tells of it: this one says so at once.
	require.True(t, browser.Eval[bool](tab, signOut))
	require.True(t, browser.Eval[bool](tab, `new BroadcastChannel("milaan").postMessage("signed-out"), true`))
	tab.See("You were signed out in another tab", "At risk").Look("signed-out-elsewhere")
	tab.Click("Go on without signing in").Gone("You were signed out in another tab")
	tab.See("At risk")
	tab.Click("Reconcile").See("You work on this computer without an account", "Delhivery report")
	start(tab)
	require.Equal(t, 1, s.Runs(t), "a visitor's run is stored nowhere")

	s.Clock.Advance(time.Minute) // a run like the first one is no repeat of it any more
	// Files that are dropped meanwhile stay, and are read after signing in again.
	tab.SignIn(s, c, "/app")
	require.True(t, browser.Eval[bool](tab, signOut))
	tab.Upload(exportZone, export).At("/app/sign-in")
	tab.Fill("Sign-in link", s.URL+signInLink(t, s, c))
	tab.Click("Sign in").At("/app").See("Shopify orders export")
	tab.Upload(reportZone, report).Wait(settled)
	start(tab)
	tab.See("At risk")
	require.Equal(t, 2, s.Runs(t))
}
