package browser_test

import (
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"milaan/domain"
	"milaan/tests/browser"
	"milaan/tests/service"
)

type screen struct {
	name string
	who  string // of people; blank: an account that has something of everything
	// stage makes the answers that the screen gets, in place of a service; nil: there is none,
	// unless the screen is one of accountScreens.
	stage func(*accountStage)
	hindi bool // on a stage
	path  string
	// answers is how the service answers what the screen asks: blank: as it does; never; or
	// refuses, with 503, or as if it could not be reached where files are sent.
	answers string
	does    func(t *testing.T, tab *browser.Tab) // brings the screen to its state
	sees    string                               // what it shows then
}

// screens are all screens and their states. A new one is a line here.
var screens = []screen{
	{name: "sign-in", who: "nobody", path: "/app/sign-in", sees: "With a sign-in link"},
	{name: "sign-in-link", who: "nobody", path: "/app/sign-in?to=/app#token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", sees: "You have opened a sign-in link."},
	{name: "sign-in-no-link", who: "nobody", path: "/app/sign-in", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Fill("Sign-in link", "a b").Press("\r")
	}, sees: "Paste the whole link"},
	{name: "sign-in-failed", who: "nobody", path: "/app/sign-in?failed=setup_incomplete", sees: "The identity provider knows you"},
	{name: "sign-in-out", who: "nobody", path: "/app/sign-in?signed-out", sees: "You are signed out."},
	{name: "sign-in-done", path: "/app/sign-in", sees: "You are signed in as"},
	{name: "account-needed", who: "visitor", path: "/app/keys", sees: "You need an account for this"},
	{name: "not-found", path: "/app/nothing", sees: "This page does not exist"},
	{name: "menu", path: "/app", does: func(_ *testing.T, tab *browser.Tab) { tab.ClickOn(".menu > button") }, sees: "Sign out"},

	{name: "reconcile-sign-in-first", who: "nobody", path: "/app", sees: "Sign in to reconcile your own files"},
	{name: "reconcile-empty", who: "visitor", path: "/app", sees: "Choose the orders export and a courier's report first."},
	{name: "reconcile-empty-account", path: "/app", sees: "Choose the orders export and a courier's report first."},
	{name: "reconcile-help", who: "visitor", path: "/app", does: func(_ *testing.T, tab *browser.Tab) { openAll(tab) }, sees: "Add a bank statement"},
	{name: "reconcile-recognised", who: "visitor", path: "/app", does: chosenFiles, sees: "Delhivery report"},
	{name: "reconcile-recognised-all", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		tab.Drop("h1", month+"orders.csv", month+"delhivery-1.csv", month+"xpressbees-3.xls", month+"bank.csv", changed(t, "rents.csv", export, "Name,Email", "Tenant,Mail", "Financial Status", "Paid", "Total", "Rent"))
		tab.See("XpressBees report", "Milaan does not recognise this file.")
		tab.Wait(settled)
		openAll(tab)
	}, sees: "Bank statement"},
	{name: "reconcile-inspecting", who: "visitor", path: "/app", answers: "never", does: func(_ *testing.T, tab *browser.Tab) { tab.Upload(exportZone, export) }, sees: "Sending…"},
	{name: "reconcile-unreachable", who: "visitor", path: "/app", answers: "refuses", does: func(_ *testing.T, tab *browser.Tab) { tab.Upload(exportZone, export) }, sees: "Milaan could not be reached."},
	{name: "reconcile-fault", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		tab.Upload(exportZone, export)
		tab.Upload(reportZone, changed(t, "bad.csv", report, "₹849.50", "eight")).See("A file has a problem")
		tab.Wait(settled)
	}, sees: `"eight" is not an amount`},
	{name: "reconcile-wrong-files", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		tab.Drop("h1", written(t, "photo.png", "\x89PNG\r\n\x1a\n"), written(t, "nothing.csv", "")).See("nothing.csv: is empty")
	}, sees: "photo.png: is a picture"},
	{name: "reconcile-missing-roles", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		tab.Upload(reportZone, odd(t)).See("None of these columns was found.")
		tab.Wait(settled)
	}, sees: "All columns of this report"},
	{name: "reconcile-second-export", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		tab.Upload(exportZone, export).See("Shopify orders export")
		tab.Drop("h1", export)
	}, sees: "This is another orders export."},
	{name: "reconcile-running", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		chosenFiles(t, tab)
		answers(tab, "never")
		tab.ClickOn(".start")
	}, sees: "Sending the files…"},
	{name: "reconcile-run-failed", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		chosenFiles(t, tab)
		answers(tab, "refuses")
		tab.ClickOn(".start")
	}, sees: "Your files are still here"},
	{name: "reconcile-option-wrong", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		tab.Fill("Overdue (days)", "99")
		chosenFiles(t, tab)
		tab.ClickOn(".start")
	}, sees: "The files could not be reconciled."},
	{name: "reconcile-cap", who: "capped", path: "/app", sees: "You have used all runs of this month."},
	{name: "reconcile-start-over", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		ranFiles(t, tab)
		tab.Click("Reconcile other files")
		tab.Click("Start over")
	}, sees: "The files and the results are removed from this tab."},

	{name: "mapping", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		tab.Upload(reportZone, odd(t))
		tab.Click("All columns of this report")
	}, sees: "Some columns must be chosen before the report can be read."},
	{name: "mapping-detected", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		chosenFiles(t, tab)
		tab.Click("Look at the columns")
	}, sees: "First cells"},
	{name: "mapping-no-header", who: "visitor", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		broken := written(t, "broken.xlsx", "PK\x03\x04 and no more")
		tab.Upload(reportZone, broken)
		tab.Click("Look at the columns")
	}, sees: "No header was found in this file"},
	{name: "mapping-gone", who: "visitor", path: "/app/mapping?report=2", sees: "This report is no longer in this tab"},

	{name: "results-empty", who: "visitor", path: "/app/results", sees: "There are no results in this tab"},
	{name: "results-loading", who: "visitor", path: "/app/results?sample", answers: "never", sees: "The sample is being reconciled…"},
	{name: "results-failed", who: "visitor", path: "/app/results?sample", answers: "refuses", sees: tooMuch},
	{name: "results-sample", who: "nobody", path: "/app/results?sample", sees: "Sample results"},
	{name: "results", path: "/app", does: ranFiles, sees: "At risk"},
	{name: "results-of-a-month", who: "visitor", path: "/app", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Drop("h1", month+"orders.csv", month+"delhivery-1.csv", month+"xpressbees-1.csv", month+"bank.csv").At("/app/results")
	}, sees: "XpressBees"},
	{name: "results-warnings", who: "visitor", path: "/app/results?sample", does: func(_ *testing.T, tab *browser.Tab) { tab.ClickOn(".fold.warn summary") }, sees: "before you escalate"},
	{name: "results-nothing-found", who: "visitor", path: "/app/results?sample", does: func(_ *testing.T, tab *browser.Tab) { tab.Fill("Search orders", "nothing has this") }, sees: "No order matches the search and the flags."},
	{name: "results-copy", who: "visitor", path: "/app/results?sample", does: func(_ *testing.T, tab *browser.Tab) { tab.Click("Copy") }, sees: "The orders on the screen"},
	{name: "results-order", who: "visitor", path: "/app/results?sample", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Click("Missing")
		tab.ClickOn(".orders .grid-body .grid-cell")
	}, sees: "Details"},
	{name: "results-download", path: "/app", does: func(t *testing.T, tab *browser.Tab) {
		ranFiles(t, tab)
		tab.Click("Download")
		tab.Click("Dispute pack")
	}, sees: "Send each courier its workbook and letter."},
	{name: "results-no-such-order", who: "visitor", path: "/app/results?sample#order=none", sees: "At risk"},

	{name: "history", path: "/app/history", sees: "Money at risk, run by run"},
	{name: "history-table", path: "/app/history?brand=Asha+Textiles", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Click("Show as a table")
		tab.Click("Compare the run of")
	}, sees: "Tick one more."},
	{name: "history-empty", who: "newcomer", path: "/app/history", sees: "No runs yet"},
	{name: "history-none-match", path: "/app/history?brand=Nobody", sees: "No run matches these filters"},
	{name: "history-loading", path: "/app/history", answers: "never", sees: "History"},
	{name: "history-failed", path: "/app/history", answers: "refuses", sees: tooMuch},
	{name: "compare", path: "/app/history", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Click("Compare the run of 21")
		tab.Click("Compare the run of 22")
		tab.Click("Compare").At(browser.Eval[string](tab, "location.pathname + location.search"))
	}, sees: "Compare two runs"},
	{name: "compare-none", path: "/app/compare", sees: "No runs are chosen"},
	{name: "compare-missing", path: "/app/compare?a=x&b=y", sees: "One of the runs is not there"},
	{name: "compare-loading", path: "/app/compare?a=x&b=y", answers: "never", sees: "Compare two runs"},
	{name: "compare-failed", path: "/app/compare?a=x&b=y", answers: "refuses", sees: tooMuch},
	{name: "run", path: "/app/history", does: func(_ *testing.T, tab *browser.Tab) { tab.Click("21 Nov 2026") }, sees: "The orders of this run are not kept"},
	{name: "run-missing", path: "/app/history/none", sees: "There is no such run"},
	{name: "run-loading", path: "/app/history/none", answers: "never", sees: "Reading the run…"},
	{name: "run-failed", path: "/app/history/none", answers: "refuses", sees: tooMuch},

	{name: "mappings", path: "/app/mappings", sees: "Delhivery"},
	{name: "mappings-empty", who: "newcomer", path: "/app/mappings", sees: "No mappings yet"},
	{name: "mappings-plan", who: "solo", path: "/app/mappings", sees: "Mappings are saved on the Enterprise plan"},
	{name: "mappings-loading", path: "/app/mappings", answers: "never", sees: "mappings"},
	{name: "mappings-failed", path: "/app/mappings", answers: "refuses", sees: tooMuch},
	{name: "mappings-delete", path: "/app/mappings", does: clicks("Delete…"), sees: "Delete the mapping of Delhivery?"},

	{name: "keys", path: "/app/keys", sees: "Active key"},
	{name: "keys-empty", who: "newcomer", path: "/app/keys", sees: "No key yet"},
	{name: "keys-plan", who: "solo", path: "/app/keys", sees: "Your account cannot use the API"},
	{name: "keys-loading", path: "/app/keys", answers: "never", sees: "API keys"},
	{name: "keys-failed", path: "/app/keys", answers: "refuses", sees: tooMuch},
	{name: "keys-rotate", path: "/app/keys", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Click("Rotate…")
		tab.Fill("To confirm, type", "milaan")
	}, sees: "To confirm, type"},
	{name: "keys-revoke", path: "/app/keys", does: clicks("Revoke…"), sees: "To confirm, type"},
	{name: "keys-secret", who: "another", path: "/app/keys", does: clicks("Create a key"), sees: "Store it now"},

	{name: "webhooks", path: "/app/webhooks", does: func(_ *testing.T, tab *browser.Tab) { openAll(tab) }, sees: "Delivered"},
	{name: "webhooks-empty", who: "newcomer", path: "/app/webhooks", sees: "Set a URL"},
	{name: "webhooks-plan", who: "solo", path: "/app/webhooks", sees: "Webhooks are part of the Enterprise plan"},
	{name: "webhooks-loading", path: "/app/webhooks", answers: "never", sees: "Webhook"},
	{name: "webhooks-failed", path: "/app/webhooks", answers: "refuses", sees: tooMuch},
	{name: "webhooks-wrong", who: "newcomer", path: "/app/webhooks", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Fill("URL that is called", "http://shop.example/x").Press("\r").Wait(`document.querySelector(".field-error") !== null`)
	}, sees: "URL that is called"},
	{name: "webhooks-rotate", path: "/app/webhooks", does: clicks("Rotate the secret…"), sees: "secret"},
	{name: "webhooks-remove", path: "/app/webhooks", does: clicks("Remove…"), sees: "Your URL is not called any more"},
	{name: "webhooks-secret", path: "/app/webhooks", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Click("Rotate the secret…")
		tab.ClickOn("dialog .danger")
	}, sees: "Store it now"},

	{name: "books", path: "/app/books", sees: "Names of ledgers"},
	{name: "books-loading", path: "/app/books", answers: "never", sees: "Loading…"},
	{name: "books-failed", path: "/app/books", answers: "refuses", sees: tooMuch},
	{name: "branding", path: "/app/branding", sees: "Your branding"},
	{name: "branding-empty", who: "newcomer", path: "/app/branding", sees: "Your branding"},
	{name: "branding-plan", who: "solo", path: "/app/branding", sees: "Branding is part of the Pro and Enterprise plans"},
	{name: "branding-loading", path: "/app/branding", answers: "never", sees: "Loading…"},
	{name: "branding-failed", path: "/app/branding", answers: "refuses", sees: tooMuch},
	{name: "branding-wrong", path: "/app/branding", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Fill("Colour", "#FFFF00")
		tab.Click("Save").Wait(`document.querySelector(".field-error") !== null`)
	}, sees: "Colour"},
	{name: "branding-remove", path: "/app/branding", does: clicks("Remove all…"), sees: "Remove"},

	{name: "account", path: "/app/account", sees: "Enterprise"},
	{name: "account-visitor", who: "visitor", path: "/app/account", sees: "Theme"},
	{name: "account-wrong", path: "/app/account", does: func(_ *testing.T, tab *browser.Tab) {
		tab.Fill("Days after delivery", "99").Press("\r").Wait(`document.querySelector(".field-error") !== null`)
	}, sees: "Days after delivery"},
	{name: "account-everywhere", path: "/app/account", does: clicks("Sign out everywhere…"), sees: "Every browser in which you are signed in to this account is signed out"},

	{name: "security", path: "/app/security", sees: "Somebody signed in"},
	{name: "security-loading", path: "/app/security", answers: "never", sees: "Security"},
	{name: "security-failed", path: "/app/security", answers: "refuses", sees: tooMuch},

	{name: "hindi-reconcile", who: "hindi", path: "/app", sees: "₹"},
	{name: "hindi-results", who: "hindi", path: "/app/results?sample", sees: "₹"},
	{name: "hindi-history", who: "hindi", path: "/app/history", sees: "₹"},
	{name: "hindi-keys", who: "hindi", path: "/app/keys", sees: "API"},
	{name: "hindi-webhooks", who: "hindi", path: "/app/webhooks", sees: "URL"},
	{name: "hindi-account", who: "hindi", path: "/app/account", sees: "Enterprise"},
}

const tooMuch = "The service has too much to do."

func clicks(name string) func(*testing.T, *browser.Tab) {
	return func(_ *testing.T, tab *browser.Tab) { tab.Click(name) }
}

func openAll(tab *browser.Tab) {
	browser.Eval[bool](tab, `document.querySelectorAll("details").forEach((d) => { d.open = true; }), true`)
}

func chosenFiles(_ *testing.T, tab *browser.Tab) {
	tab.Upload(exportZone, export)
	tab.Upload(reportZone, report).See("Shopify orders export", "Delhivery report")
	tab.Wait(settled)
}

func ranFiles(t *testing.T, tab *browser.Tab) {
	chosenFiles(t, tab)
	start(tab)
}

// start makes a run of the files that are chosen.
func start(tab *browser.Tab) {
	tab.ClickOn(".start").At("/app/results")
}

// inHindi changes the language without leaving the page.
func inHindi(tab *browser.Tab) {
	tab.ClickOn(".menu > button")
	tab.Choose("Language", "हिन्दी").Wait(`document.documentElement.lang === "hi"`)
	tab.Press("\x1b")
}

// answers has the service answer what the page asks from now on in a way of screen.answers.
func answers(tab *browser.Tab, how string) {
	switch how {
	case "never":
		browser.Eval[bool](tab, `globalThis.fetch = () => new Promise(() => {}), XMLHttpRequest.prototype.send = () => {}, true`)
	case "refuses":
		browser.Eval[bool](tab, `globalThis.fetch = async () => new Response(JSON.stringify({ error: "`+tooMuch+` Send the request again in some seconds.", code: "busy" }), { status: 503 }),
			XMLHttpRequest.prototype.send = function () { setTimeout(() => this.onerror()); }, true`)
	}
}

// people are those who look at screens, each in a tab of their own.
type people struct {
	test    *testing.T // as long as which the tabs are open
	service *service.Service
	rich    *service.Customer
	tabs    map[string]*browser.Tab
}

// newPeople gives an account something of everything.
func newPeople(t *testing.T) *people {
	t.Helper()
	var broken atomic.Bool
	endpoint := service.NewEndpoint(t, func(w http.ResponseWriter, _ *http.Request) {
		if broken.Load() {
			w.WriteHeader(http.StatusInternalServerError)
		}
	})
	s := service.Start(t, service.Options{Settings: service.OnLoopback})
	p := &people{test: t, service: s, tabs: map[string]*browser.Tab{}}
	p.rich = s.Customer(t, service.OnPlan(domain.Enterprise))
	p.rich.Run(t, service.EightFlags().With("brand", "Asha Textiles").With("courierName", "delhivery"))
	s.Clock.Advance(24 * time.Hour)
	p.rich.Run(t, service.Small().With("brand", "Asha Textiles"))
	tab := p.tab(t, "")
	tab.Go("/app/branding")
	tab.Fill("Name", "Asha Textiles")
	tab.Upload("Logo", logo(t))
	tab.Click("Save").See("Saved.")
	tab.Go("/app/webhooks")
	tab.Fill("URL that is called", endpoint.URL)
	tab.Click("Save")
	takeSecret(tab, "Signing secret")
	tab.Click("Send a test").See("Delivered")
	broken.Store(true)
	tab.Click("Send a test").See("refused with 500 after")
	return p
}

func (p *people) tab(t *testing.T, who string) *browser.Tab {
	t.Helper()
	if tab := p.tabs[who]; tab != nil {
		return tab
	}
	url := p.service.URL
	if who == "nobody" {
		url = strings.Replace(url, "127.0.0.1", browser.ForeignHost, 1)
	}
	tab := browser.Open(t, url)
	tab.Tolerate() // answers that never come, and a name without HTTPS
	switch who {
	case "":
		tab.SignIn(p.service, p.rich, "/app")
	case "newcomer", "another":
		tab.SignIn(p.service, p.service.Account(t, service.OnPlan(domain.Enterprise)), "/app")
	case "solo":
		tab.SignIn(p.service, p.service.Account(t, service.OnPlan(domain.Solo)), "/app")
	case "capped":
		tab.SignIn(p.service, p.service.Account(t, service.OnPlan(domain.Solo), service.Capped(0)), "/app")
	case "hindi":
		tab.SignIn(p.service, p.rich, "/app/account")
		tab.Choose("Language", "हिन्दी").Wait(`document.documentElement.lang === "hi"`)
	}
	p.tabs[who] = tab
	return tab
}

// stageTab returns the tab in which a screen is looked at: that of somebody, or one of a stage.
func (p *people) stageTab(t *testing.T, s screen, staged bool) *browser.Tab {
	t.Helper()
	if !staged {
		return p.tab(p.test, s.who)
	}
	stage := newAccountStage(t)
	tab := browser.Open(t, stage.URL)
	tab.Tolerate()
	if s.hindi {
		tab.Go("/app/account")
		tab.Choose("Language", "हिन्दी").Wait(`document.documentElement.lang === "hi"`)
	}
	if s.stage != nil {
		s.stage(stage)
	}
	return tab
}

// show brings a screen to its state, in a window as it is opened.
func (p *people) show(t *testing.T, tab *browser.Tab, s screen) {
	t.Helper()
	tab.Dark(false)
	tab.Resize(1280, 900)
	if s.answers == "" {
		tab.Go(s.path)
	} else {
		tab.Go("/app/sign-in")
		answers(tab, s.answers)
		browser.Eval[bool](tab, fmt.Sprintf(`history.pushState(null, "", %q), dispatchEvent(new PopStateEvent("popstate")), true`, s.path))
	}
	if s.does != nil {
		s.does(t, tab)
	}
	tab.See(s.sees)
	if s.answers != "never" && s.name != "reconcile-running" {
		tab.Wait(settled)
	}
}

// TestEveryScreenInEveryState looks at the screens in light and dark colours, from a phone, or
// a page that is enlarged four times, to a large window, and as they are printed: axe finds
// nothing, nothing is scrolled to the side, and what has the focus is marked. An ordinary run
// looks at some of it, each day at others; MILAAN_SOAK=short at every second screen in one width, and
// the next time at the others; MILAAN_SOAK=long at all. MILAAN_TEST_SCREENSHOTS gets a picture of each.
func TestEveryScreenInEveryState(t *testing.T) {
	widths, day := []int64{320, 390, 1280, 1920}, time.Now().YearDay()
	all := slices.Concat(screens, accountScreens)
	staged := func(i int) bool { return i >= len(screens) }
	chosen := make([]int, len(all))
	for i := range all {
		chosen[i] = i
	}
	switch os.Getenv("MILAAN_SOAK") {
	case "":
		chosen = []int{day % len(all), (day + len(all)/2) % len(all)}
		widths = widths[day%4 : day%4+1]
	case "short":
		day /= 2 // every second day has a soak of other tests
		widths = []int64{320, 1280}[day/2%2 : day/2%2+1]
		chosen = slices.DeleteFunc(chosen, func(i int) bool { return i%2 != day%2 })
	}
	p := newPeople(t)
	for _, i := range chosen {
		s := all[i]
		t.Run(s.name, func(t *testing.T) {
			tab := p.stageTab(t, s, staged(i))
			defer tab.Lend(t)()
			p.show(t, tab, s)
			for _, width := range widths {
				tab.Resize(width, 900)
				for _, theme := range []string{"light", "dark"} {
					tab.Dark(theme == "dark")
					at := fmt.Sprintf("%d-%s", width, theme)
					assert.Empty(t, tab.Wide(), "%s: is wider than the window", at)
					assert.Empty(t, tab.Findings(), "%s: what axe finds", at)
					tab.Shot(s.name + "-" + at)
				}
			}
			for _, dark := range []bool{false, true} { // last, because what is open closes when it loses the focus
				tab.Dark(dark)
				assert.Empty(t, tab.Unmarked(), "dark %t: the focus is not marked", dark)
			}
			tab.Print()
			assert.Empty(t, tab.Wide(), "printed: is wider than the paper")
			tab.Shot(s.name + "-printed")
		})
	}
}

// TestAScreenIsFetchedAgain loses the connection while the files of the screens that nobody
// sees first are fetched. A browser remembers for a page that it could not load a script.
func TestAScreenIsFetchedAgain(t *testing.T) {
	t.Parallel()
	for _, lost := range []string{"later.js", "autopilot-later.js"} {
		t.Run(lost, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, draw(1, 3).text(t))
			s.lost.Store(lost)
			tab := browser.Open(t, s.URL).Go("/app/results?sample")
			tab.See("This screen could not be loaded.")
			tab.Click("Try again").See("This screen could not be loaded.")
			s.lost.Store("")
			// The page may try by itself meanwhile.
			tab.Wait(`(milaanTest.target("Try again")?.click(), milaanTest.sees("Sample results"))`)
			tab.Forgive("ERR_EMPTY_RESPONSE")
		})
	}
}
