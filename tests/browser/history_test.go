package browser_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestHistory looks at runs of two brands: the list by brand, one run, and two compared. What
// is shown are the service's sums.
func TestHistory(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Customer(t, service.OnPlan(domain.Enterprise))
	c.Run(t, service.EightFlags().With("brand", "Asha Textiles"))
	s.Clock.Advance(24 * time.Hour)
	c.Run(t, service.Named("Blue Lotus"))
	s.Clock.Advance(24 * time.Hour)
	c.Run(t, service.Small().With("brand", "Asha Textiles"))

	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/history")
	tab.See("21 Nov 2026, 10:00 am", "22 Nov 2026, 10:00 am", "23 Nov 2026, 10:00 am", "₹6,150.50", "₹2,802.00", "Tick two runs to compare them.")
	tab.See("These are runs of several brands.").Look("history")
	tab.Choose("Brand", "Asha Textiles").At("/app/history?brand=Asha+Textiles").Gone("22 Nov 2026, 10:00 am")
	tab.Click("Show as a table")
	tab.Axe()
	tab.Choose("Brand", "Blue Lotus").Gone("Money at risk, run by run")
	browser.Eval[bool](tab, "setTimeout(() => history.back()), true")
	tab.At("/app/history?brand=Asha+Textiles").See("Money at risk, run by run")
	browser.Eval[bool](tab, `(() => { const from = milaanTest.field("From"); from.value = "2026-11-22"; return from.dispatchEvent(new Event("input", { bubbles: true })); })()`)
	tab.At("/app/history?brand=Asha+Textiles&from=2026-11-22").Gone("21 Nov 2026, 10:00 am")
	tab.Click("Show all runs").At("/app/history").Wait(settled)

	tab.Click("Compare the run of 23 Nov 2026").See("is ticked. Tick one more.")
	tab.Click("Compare the run of 21 Nov 2026")
	tab.Click("Compare").See("Compare two runs", "-₹5,150.50", "-₹2,802.00", "Missing", "-1").Axe()
	tab.Resize(390, 800).Wait(fits).Axe()
	tab.Resize(1280, 900)

	tab.Click("21 Nov 2026, 10:00 am")
	tab.See("Run of 21 Nov 2026, 10:00 am", "Asha Textiles · ", "₹6,150.50", "besides ₹400.00 of accepted charges, or not due yet", "The orders of this run are not kept", "This run is kept until 21 Nov 2028.")
	tab.Look("run")
	tab.Resize(390, 800).Wait(fits)
	tab.Resize(1280, 900)
	tab.Click("Give the files again").See("Orders export")
	require.Equal(t, "Asha Textiles", tab.Value("Brand"))
}

// TestLongNamesWrap has names without a blank, as long as they may be, in titles.
func TestLongNamesWrap(t *testing.T) {
	s := serve(t, service.Options{})
	c, name := s.Customer(t, service.OnPlan(domain.Enterprise)), strings.Repeat("W", 100)
	c.Run(t, service.Small().With("brand", name))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/history").Resize(390, 800)
	tab.Click("21 Nov 2026, 10:00 am").See("Run of 21 Nov 2026, 10:00 am", name).Wait(fits)
	c.SignIn(t).Send(t, http.MethodPost, "/app/api/named-mappings", service.Body{"name": name, "header_names": []string{"Docket", "Amt", "Dt"},
		"columns": service.Body{"awb": "Docket", "cod_amount": "Amt", "remittance_date": "Dt"}})
	tab.Go("/app/mappings").See("1 with a name", name).Wait(fits)
}

// TestHistoryHasPages goes to the earlier runs and back, and keeps what was ticked.
func TestHistoryHasPages(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Customer(t, service.OnPlan(domain.Enterprise))
	for i := range 51 {
		s.Clock.Advance(10 * time.Second)
		c.Run(t, service.Named(fmt.Sprintf("Brand %d.", i)))
	}
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app/history")
	tab.See("Brand 50.", "Brand 1.")
	tab.Wait(settled)
	tab.Click("Compare the run of")
	tab.Click("Earlier runs").See("Brand 0.", "is ticked. Tick one more.")
	tab.Click("Latest runs").At("/app/history").See("Brand 50.")
}

// TestRunsThatAreNotThere opens runs that were never made, and those of another account.
func TestRunsThatAreNotThere(t *testing.T) {
	s := serve(t, service.Options{})
	mine, other := s.Customer(t), s.Customer(t)
	theirs := other.Reconcile(t, service.Small()).Header.Get("X-Run-Id")
	own := mine.Reconcile(t, service.Small()).Header.Get("X-Run-Id")
	tab := browser.Open(t, s.URL).SignIn(s, mine, "/app/history/"+theirs)
	tab.See("There is no such run").Axe()
	tab.Go("/app/compare?a=" + own + "&b=" + url.QueryEscape(theirs)).See("One of the runs is not there")
	tab.Go("/app/compare").See("No runs are chosen").Axe()
	tab.Go("/app/history?brand=Nobody").See("No run matches these filters").Axe()
	tab.Go("/app/history?from=never").Wait(`document.querySelector(".notice.error") !== null`)
	require.Contains(t, browser.Eval[string](tab, "document.title"), "History")
}

// TestARunHasTheCouriersThatWereRecognised reconciles files of which nobody named a courier.
// The history names those that the page had shown, and finds the run by them.
func TestARunHasTheCouriersThatWereRecognised(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Customer(t, service.OnPlan(domain.Enterprise))
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app")
	tab.Drop("main", month+"orders.csv", month+"delhivery-1.csv", month+"xpressbees-1.csv", month+"bank.csv")
	tab.See("10 Mar 2026 to 28 Mar 2026", "Delhivery report", "XpressBees report") // the days of the bank statement
	tab.Wait(settled)
	start(tab)
	tab.See("At risk")
	require.False(t, browser.Eval[bool](tab, `milaanTest.sees("bank.csv is a bank statement")`), "the message is about the page before")
	tab.Go("/app/history").See("Delhivery, XpressBees")
	tab.Choose("Courier", "XpressBees").At("/app/history?courier=xpressbees").See("Delhivery, XpressBees")
}

// TestDaysAreThoseOfIndia looks at pages on a machine far west of India, in the evening of UTC:
// every day is the next one already.
func TestDaysAreThoseOfIndia(t *testing.T) {
	s := serve(t, service.Options{Now: time.Date(2026, time.November, 21, 20, 0, 0, 0, time.UTC)})
	c := s.Customer(t, service.OnPlan(domain.Enterprise))
	first := c.Reconcile(t, service.Small().With("courierName", "delhivery")).Header.Get("X-Run-Id")
	s.Clock.Advance(48 * time.Hour)
	c.Run(t, service.EightFlags())
	tab := browser.Open(t, s.URL)
	tab.Zone("America/Los_Angeles")
	tab.SignIn(s, c, "/app/history")
	tab.See("which are kept for 2 years", "22 Nov 2026, 1:30 am", "24 Nov 2026, 1:30 am")
	const days = `[...document.querySelectorAll(".trend-chart text:not(.amount)")].map((t) => t.textContent).join()`
	tab.Wait(days + ` === "22 Nov,23 Nov,24 Nov"`)
	tab.Go("/app/history/"+first).See("Run of 22 Nov 2026, 1:30 am", "This run is kept until 22 Nov 2028.")
	tab.Go("/app/account")
	tab.See("22 Nov 2026") // since when the account is there
	tab.Go("/app/security").See("24 Nov 2026, 1:30 am")
	tab.Go("/app/mappings").See("Saved on 22 Nov 2026, 1:30 am")
	for _, path := range []string{"/app/history", "/app/history/" + first, "/app/account", "/app/security", "/app/mappings", "/app/keys"} {
		tab.Go(path).Wait(settled)
		require.NotRegexp(t, "21 Nov|23 Nov 2026", browser.Eval[string](tab, "document.body.innerText"), path)
	}
}

// TestTheHeaderOfAPhoneIsOneRow measures it in both languages, and that of the settings, which
// has a second one.
func TestTheHeaderOfAPhoneIsOneRow(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL).SignIn(s, c, "/app")
	ranFiles(t, tab)
	tab.Resize(390, 800)
	const height, inSight = `document.querySelector(".top").offsetHeight`, `(() => {
		const at = document.querySelector(".top nav [aria-current]").getBoundingClientRect(), bar = document.querySelector(".top nav").getBoundingClientRect();
		return at.left >= bar.left - 1 && at.right <= bar.right + 1;
	})()`
	for _, language := range []string{"en", "hi"} {
		if language == "hi" {
			inHindi(tab)
		}
		for _, link := range []string{"/app", "/app/results", "/app/history", "/app/autopilot", "/app/account"} {
			tab.ClickOn(`.top nav a[href="` + link + `"]`).At(link).Wait(settled)
			tab.Wait(inSight)
			require.LessOrEqual(t, browser.Eval[int](tab, height), 60, link)
			tab.Wait(fits)
		}
		require.LessOrEqual(t, browser.Eval[int](tab, `document.querySelector(".subnav").offsetHeight`), 48)
		tab.Look("header-phone-" + language)
	}
}
