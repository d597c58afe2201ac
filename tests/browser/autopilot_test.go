package browser_test

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/wording"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/browser"
	"milaan/tests/fakes/shopify"
	"milaan/tests/service"
)

// staged starts a service whose autopilot is a stage, with a customer signed in.
func staged(t *testing.T, stage *autopilotStage, path string, changes ...func(*domain.Account)) (*service.Service, *browser.Tab) {
	t.Helper()
	stage.now = service.Morning
	if stage.found == nil {
		stage.found = func(change ports.ConnectionChange) *ports.ConnectionTest {
			return &ports.ConnectionTest{Shop: ports.PartTest{Connector: change.Shop.Connector}, Sources: make([]ports.PartTest, len(change.Sources))}
		}
	}
	s := service.Start(t, service.Options{Broken: stage.parts()})
	tab := browser.Open(t, s.URL).SignIn(s, s.Account(t, changes...), path)
	return s, tab
}

// labelOf is what the page calls a setting.
func labelOf(connector domain.Connector, name string) string {
	label, _ := wording.NewLanguages().Settings("en").Setting(connector, name)
	return label
}

func optional(connector domain.Connector, name string) string {
	return labelOf(connector, name) + " (optional)"
}

// TestAShopIsConnected connects a shop with a source whose host key is not known yet, is told
// what does not work, and saves once everything does.
func TestAShopIsConnected(t *testing.T) {
	const fingerprint = "SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8"
	stage := &autopilotStage{found: func(change ports.ConnectionChange) *ports.ConnectionTest {
		found := &ports.ConnectionTest{Shop: ports.PartTest{Connector: "shopify"}, Sources: []ports.PartTest{{Connector: "sftp"}, {Connector: "upload"}}}
		if change.Shop.Settings["client_secret"] != "right" {
			found.Shop.Failure = &domain.ConnectorError{Rule: domain.ConnRefused, Connector: "shopify", Setting: "client_secret"}
		}
		if change.Sources[0].Settings["host_key"] == "" {
			found.Sources[0].Failure = &domain.ConnectorError{Rule: domain.ConnNoHostKey, Connector: "sftp", Source: 1, Setting: "host_key", Value: fingerprint}
			return found
		}
		found.Sources[0].Matching = 4
		found.Sources[0].Files = []ports.TestedFile{
			{Name: "remittance-20.csv", Courier: "delhivery", Rows: 1200, Through: domain.DayOf(service.Morning)},
			{Name: "notes.csv", Failure: &domain.FileError{File: domain.CourierFile, Rule: domain.RuleRows, Limit: 50000}},
		}
		return found
	}}
	_, tab := staged(t, stage, "/app/autopilot")
	tab.See("No shop is connected yet", "E-mails", "They go to").Look("autopilot-empty")
	tab.Click("Connect a shop").At("/app/autopilot/new").See("1. Your shop")
	tab.Click("Shopify")
	tab.Fill(labelOf("shopify", "shop"), "asha.myshopify.com")
	tab.Fill(optional("shopify", "client_secret"), "wrong")
	tab.Click("WooCommerce")
	tab.Fill(labelOf("woocommerce", "url"), "https://asha.example")
	tab.Click("Shopify")
	require.Equal(t, []string{"asha.myshopify.com", "wrong"},
		[]string{tab.Value(labelOf("shopify", "shop")), tab.Value(optional("shopify", "client_secret"))}, "what was typed of a kind stays")
	tab.Click("SFTP server")
	tab.Fill(labelOf("sftp", "host"), "sftp.courier.example")
	tab.Fill(labelOf("sftp", "user"), "asha")
	tab.Fill(optional("sftp", "password"), "pw")
	tab.Click("Files uploaded here")
	tab.Choose("Courier", "Delhivery")
	tab.Axe()

	tab.Click("Test").See("This does not work yet", fingerprint, "2 parts do not work yet: see above.")
	tab.Look("autopilot-test-failed")
	tab.Fill(optional("shopify", "client_secret"), "right")
	tab.Click("Use this fingerprint and test again")
	tab.See("Connected", "4 files match.", "remittance-20.csv: Delhivery, 1,200 rows to 21 Nov 2026", "notes.csv", "And 2 more, not read")
	require.Equal(t, fingerprint, tab.Value(optional("sftp", "host_key")))
	tab.Look("autopilot-test")

	// What is wrong stands at its field.
	tab.Click("Save and start").Wait(focused("Brand")).Axe()
	tab.Fill("Brand", "Asha Textiles")
	tab.Fill("Alert above (₹, optional)", "25000")
	tab.Click("Other terms than the account's")
	tab.Choose("Charges that explain what was deducted", "They count as paid")
	tab.Axe()
	tab.Click("Save and start").At("/app/autopilot/01890000-0000-7000-8000-00000000000c")
	tab.See("Asha Textiles", "Saved. The first pass is at", "No pass has been made yet.", "No file is kept.")
	require.Equal(t, domain.Paise(2500000), stage.connections[0].AlertAbove)
	require.Equal(t, "delhivery", stage.connections[0].Sources[0].Courier)
	require.Equal(t, domain.AcceptCharges, stage.connections[0].Charges)

	// Secrets are not shown again.
	tab.Click("Edit").See("Stored. Leave it empty to keep it.")
	require.Empty(t, tab.Value(optional("shopify", "client_secret")))
	require.Equal(t, "25000", tab.Value("Alert above (₹, optional)"))
	tab.Look("autopilot-edit")
	for _, width := range []int64{320, 390, 1920} {
		tab.Resize(width, 900).Wait(fits)
		if width == 390 {
			tab.Shot("autopilot-edit-390")
		}
	}
}

// TestForgedMailsAreShown tests a mailbox whose server's id is not known yet, and shows the mails
// that are left out, there and after a pass, and that former settings come to an end.
func TestForgedMailsAreShown(t *testing.T) {
	at := service.Morning.Add(-time.Hour)
	stage := workingStage()
	stage.connections[0].Sources[0].Connector = "imap"
	stage.connections[0].Sources[0].Settings = domain.Settings{"host": "imap.gmail.com", "user": "asha@shop.example", "from": "courier", "password": ""}
	stage.passes[0].Sources[0].RefusedFrom = domain.DayOf(service.Morning) + 29
	stage.passes[0].Sources[0].LeftOut = []domain.LeftOutMail{{At: at, Rule: domain.ConnNoResult}}
	stage.found = func(change ports.ConnectionChange) *ports.ConnectionTest {
		found := &ports.ConnectionTest{Shop: ports.PartTest{Connector: "shopify"}, Sources: make([]ports.PartTest, 2)}
		if change.Sources[0].Settings["authserv_id"] == "" {
			found.Sources[0].Failure = &domain.ConnectorError{Rule: domain.ConnNoAuthServID, Connector: "imap", Source: 1, Setting: "authserv_id", Value: "mx.google.com"}
			return found
		}
		found.Sources[0].Folders = []string{"Couriers/COD", "INBOX"}
		if change.Sources[0].Settings["from"] == "@new.example" {
			return found // no report has come yet
		}
		found.Sources[0].Matching = 4
		found.Sources[0].Files = []ports.TestedFile{{Name: "photos.zip", LeftOut: domain.ConnPacked}}
		found.Sources[0].LeftOut = []domain.LeftOutMail{{At: at, Rule: domain.ConnShownName, From: "attacker@evil.example"}}
		return found
	}
	_, tab := staged(t, stage, "/app/autopilot/c-1")
	tab.See("1. Mailbox (IMAP): refused from 20 Dec 2026 on", "anybody could pose as your courier", "1. Mailbox (IMAP): 1 mail with reports was left out",
		"the mail server has not written whether its sender is proven", "Milaan does not store that.")
	tab.Look("autopilot-senders")
	tab.Click("Edit").See("Required: take proven senders alone", "Off: take mails without a proof, forged ones too")
	require.Equal(t, "courier", tab.Value(optional("imap", "from")))
	require.Equal(t, "required", tab.Value(labelOf("imap", "sender_check")))
	tab.Fill(optional("imap", "from"), "remittance@courier.example")
	tab.Click("Test").See("at the top of most of its latest mails is the id mx.google.com")
	tab.Click("Use mx.google.com and test again")
	tab.See("Connected", "4 files match.", "attacker@evil.example", "its shown name has the sender that you entered, but it is from another address")
	require.Equal(t, "mx.google.com", tab.Value(optional("imap", "authserv_id")))
	tab.See("photos.zip: left out, it is an archive", "Folders of the mailbox: Couriers/COD, INBOX").Look("autopilot-left-out")
	tab.Fill(optional("imap", "from"), "@new.example")
	tab.Click("Test").See("Connected", "No report is there yet", "Everything works.")
}

// shopOrder is an order that Delhivery has carried, made some days ago.
func shopOrder(id int64, name, awb string, days int) shopify.Order {
	at := service.Morning.AddDate(0, 0, -days)
	return shopify.Order{ID: id, Name: name, CreatedAt: at, Financial: "PENDING", Fulfilment: "FULFILLED", Gateways: []string{"Cash on Delivery (COD)"}, Total: 129900, Outstanding: 129900,
		Fulfilments: []shopify.Fulfilment{{CreatedAt: at.Add(time.Hour), Tracking: []shopify.Tracking{{Number: awb, Company: "Delhivery"}}}}}
}

// TestTheAutopilotMakesARun connects a shop, gives it a report and asks for a pass, of which a
// run comes that the history shows.
func TestTheAutopilotMakesARun(t *testing.T) {
	s := serve(t, service.Options{Settings: service.ConnectingHere})
	shop := s.NewShop(t, "kolam-kitchen", shopOrder(1, "#1001", "59112200001", 12), shopOrder(2, "#1002", "59112200002", 11), shopOrder(3, "#1003", "59112200003", 10))
	tab := browser.Open(t, s.URL).SignIn(s, s.Account(t), "/app/autopilot/new")
	tab.Click("Shopify")
	tab.Fill("Brand", "Kolam Kitchen")
	settings := shop.Settings()
	tab.Fill(labelOf("shopify", "shop"), settings["shop"])
	for _, name := range []string{"client_id", "client_secret", "base_url"} {
		tab.Fill(optional("shopify", name), settings[name])
	}
	tab.Click("Files uploaded here")
	tab.Click("Test").See("Everything works. Save, and passes begin.")
	tab.Click("Save and start").See("Saved. The first pass is at", "No pass has been made yet.")
	require.NotContains(t, browser.Eval[string](tab, "document.documentElement.outerHTML"), settings["client_secret"])

	report := written(t, "delhivery-cod-20-nov.csv", "AWB No,Order Id,COD Amount,Amount Remitted,Remittance Date\n59112200001,#1001,1299,1299,2026-11-20\n59112200002,#1002,1299,1000,2026-11-20\n")
	tab.Upload("Drop reports here, or choose them", report).See("1 file is kept.", "delhivery-cod-20-nov.csv")
	tab.Click("Run now").See("Run stored", "What each source has brought", "20 Nov 2026").Look("autopilot-run")
	tab.Click("The run").See("Kolam Kitchen", "Autopilot", "₹3,897.00")
	tab.Go("/app/history?source=autopilot").See("Kolam Kitchen")
	tab.Choose("Made by", "Autopilot")
}

// workingStage has a connection with passes of each outcome.
func workingStage() *autopilotStage {
	at := func(hour int) time.Time { return service.Morning.Add(time.Duration(hour) * time.Hour) }
	through := domain.DayOf(service.Morning)
	sources := []domain.SourceResult{
		{SourceID: "a", Courier: "delhivery", Files: 4, Lines: 5321, Through: through - 1},
		{SourceID: "b", Courier: "xpressbees", Files: 1, Lines: 204, Through: through - 6, Behind: true},
	}
	ended := func(id string, hour int, r domain.PassResult) domain.Pass {
		return domain.Pass{ID: id, Slot: at(hour), Due: at(hour), StartedAt: at(hour), EndedAt: at(hour).Add(90 * time.Second), PassResult: r}
	}
	refused := &domain.ConnectorError{Rule: domain.ConnRefused, Connector: "sftp", Source: 1, Setting: "password"}
	return &autopilotStage{
		connections: []domain.Connection{{
			ID: "c-1", Brand: "Asha Textiles", Shop: domain.Shop{Connector: "shopify", Settings: domain.Settings{"shop": "asha.myshopify.com", "client_secret": ""}},
			Sources: []domain.ReportSource{{ID: "a", Connector: "sftp", Settings: domain.Settings{"host": "sftp.example", "password": ""}}, {ID: "b", Connector: "upload", Courier: "xpressbees"}}, ConnectionTerms: domain.ConnectionTerms{WindowDays: 45},
			ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionActive, NextPassAt: at(0).Add(37 * time.Minute), CheckedAt: at(-1), LastRunID: "01890000-0000-7000-8000-00000000000d", LastRunAt: at(-2), AtRisk: 12345600, Left: domain.OrderSum{Orders: 3, Amount: 450000}},
		}},
		passes: []domain.Pass{
			ended("p1", -1, domain.PassResult{Outcome: domain.PassUnchanged, Orders: 4096, Sources: sources, Leaving: domain.OrderSum{Orders: 2, Amount: 199900}, RunID: "01890000-0000-7000-8000-00000000000d"}),
			ended("p2", -2, domain.PassResult{Outcome: domain.PassStored, Orders: 4096, Sources: sources, Left: domain.OrderSum{Orders: 3, Amount: 450000}, RunID: "01890000-0000-7000-8000-00000000000d"}),
			ended("p3", -3, domain.PassResult{Outcome: domain.PassFailed, Failure: refused}),
			ended("p4", -4, domain.PassResult{Outcome: domain.PassSkipped}),
		},
	}
}

// TestAConnectionIsLookedAfter shows how passes go, asks for one, pauses, gives files, and
// removes the connection.
func TestAConnectionIsLookedAfter(t *testing.T) {
	stage := workingStage()
	_, tab := staged(t, stage, "/app/autopilot")
	tab.See("Asha Textiles", "Active", "₹1,23,456.00", "Shopify · SFTP server · Files uploaded here").Look("autopilot-list")
	tab.Click("Asha Textiles")
	tab.See("The next pass is at 10:37 am.", "2 unpaid orders become too old tomorrow", "Most behind", "Run stored", "Nothing new", "Failed", "Skipped", "3 orders of ₹4,500.00 became too old unpaid")
	tab.Look("autopilot")
	tab.Dark(true)
	tab.Shot("autopilot-dark")
	tab.Dark(false)
	for _, width := range []int64{320, 390, 1920} {
		tab.Resize(width, 900).Wait(fits)
		if width == 390 {
			tab.Shot("autopilot-390")
		}
	}
	tab.Resize(1280, 900)

	tab.Click("Run now").See("A pass is under way.", "Waiting", "asked for by a person")
	require.Equal(t, "true", browser.Eval[string](tab, `document.querySelector("main .primary").getAttribute("aria-disabled")`))
	tab.Axe()
	_ = stage.do("", func() {
		stage.passes[0].StartedAt, stage.passes[0].EndedAt, stage.passes[0].Outcome, stage.passes[0].Orders = stage.now, stage.now, domain.PassStored, 4097
	})
	tab.See("4,097") // the page asks by itself
	stage.refuse("run", domain.ErrPassRunning)
	tab.Click("Run now").Wait(`document.querySelector("main .notice.error") !== null`)
	tab.Click("Pause").See("No pass is made until you resume.")
	tab.Click("Resume").See("The next pass is at")

	tab.Upload("Drop reports here, or choose them", report).See("1 file is kept.", "remittance.csv").Axe()
	tab.Click("Delete remittance.csv")
	tab.ClickOn("dialog .danger").See("No file is kept.")
	tab.Wait(`document.querySelector("dialog") === null`)
	stage.refuse("keep", domain.ErrKeptFiles)
	tab.DropPast("h1", ".drop-zone", report).See("is not kept")

	stage.change(func(c *domain.Connection) {
		c.State, c.FailingSince, c.Failure = domain.ConnectionRefused, service.Morning, &domain.ConnectorError{Rule: domain.ConnRefused, Connector: "sftp", Source: 1, Setting: "password"}
	})
	tab.Go("/app/autopilot/c-1").See("Needs attention", "No pass is made until this is corrected.", "Passes have failed since")
	tab.Look("autopilot-attention")
	stage.refuse("run", nil)
	tab.Click("Try again").See("A pass is under way.")

	stage.refuse("open items", domain.ErrItemsUnread)
	for _, path := range []string{"/app/autopilot/c-1/open-items", "/app/autopilot/c-1"} {
		tab.Go(path).See("The open items of this connection are kept and cannot be read", "Try again").Axe()
	}
	tab.See("Stop keeping them…").Shot("autopilot-items-unread")

	tab.Click("Remove…")
	tab.Fill("To confirm, type", "Asha Textiles")
	tab.Axe()
	tab.ClickOn("dialog .danger").At("/app/autopilot").See("No shop is connected yet")
	tab.Go("/app/autopilot/c-1").See("There is no such connection")
}

// TestAnAnswerIsLate holds the answers of the service: what a person does meanwhile is not lost, and what they have changed is
// not said to work.
func TestAnAnswerIsLate(t *testing.T) {
	stage := workingStage()
	_, tab := staged(t, stage, "/app/autopilot/c-1")
	tab.See("No file is kept.", "Weekly digest")
	held := func(act func()) {
		stage.mu.Lock()
		defer stage.mu.Unlock()
		act()
	}
	held(func() {
		tab.Upload("Drop reports here, or choose them", report).See("Sending remittance.csv…")
		tab.Upload("Drop reports here, or choose them", export)
	})
	tab.See("2 files are kept.", "remittance.orders.csv")
	const saving = `document.querySelector("input[aria-disabled=true]") !== null`
	for _, mail := range []string{"Weekly digest", "Alerts"} {
		held(func() {
			tab.Click(mail).Wait(saving)
		})
		tab.Wait("!(" + saving + ")")
	}
	require.Equal(t, domain.MailChoice{NoDigest: true, NoAlerts: true}, stage.choice)

	tab.Click("Edit")
	held(func() {
		tab.Click("Test")
		tab.Fill(labelOf("shopify", "shop"), "other.myshopify.com")
	})
	tab.See("Something was changed meanwhile: test again.")
	leave := func() {
		tab.Click("Save")
		tab.Click("History")
	}
	stage.refuse("save", domain.ErrConnectionChanged)
	held(leave)
	tab.See("else has changed this connection")
	stage.refuse("", nil)
	tab.Go("/app/autopilot/c-1?edit").See("1. Your shop")
	held(leave)
	tab.See("Saved.")
	tab.At("/app/history")
}

// TestWhichMailsAreWanted chooses them, also where the service sends none.
func TestWhichMailsAreWanted(t *testing.T) {
	stage := &autopilotStage{noMails: true}
	_, tab := staged(t, stage, "/app/autopilot")
	tab.See("This service sends no e-mails")
	tab.Click("Weekly digest").See("Saved.")
	require.Equal(t, domain.MailChoice{NoDigest: true}, stage.choice)
	tab.Axe()
}

// TestWhoHasNoAutopilot says why, and still shows what such an account has to remove.
func TestWhoHasNoAutopilot(t *testing.T) {
	_, tab := staged(t, workingStage(), "/app/autopilot", service.OnPlan(domain.Solo))
	tab.See("The autopilot is part of the Pro and Enterprise plans", "Asha Textiles")
	tab.Gone("Connect a shop").Axe()
	tab.Click("Asha Textiles").See("No pass is made: see your plan.")
	tab.Go("/app/autopilot/new").See("The autopilot is part of the Pro and Enterprise plans")
}

// TestFilesOfPassesAreIgnored shows what the last pass took its files for, ignores one, and takes it
// back.
func TestFilesOfPassesAreIgnored(t *testing.T) {
	stage := workingStage()
	stage.passes[0].Sources = slices.Clone(stage.passes[0].Sources)
	stage.passes[0].Sources[0].Skipped = []domain.SkippedFile{{Name: "customers.csv", Rule: domain.ConnCustomers}}
	seen := func(name string, rule domain.ConnectorRule) domain.SeenFile {
		return domain.SeenFile{SourceID: "a", Name: name, Version: "1", Modified: service.Morning, Rule: rule}
	}
	stage.seen = []domain.SeenFile{seen("remittance-2026-11-18.csv", ""), seen("customers.csv", domain.ConnCustomers), seen("locked.xlsx", domain.ConnReport)}
	stage.more = 9_500
	_, tab := staged(t, stage, "/app/autopilot/c-1")
	tab.See("Not listed: 9,500 more")
	tab.See("Files of the last pass", "remittance-2026-11-18.csv", "To be compared", "Left out", "it is an export of customers", "Stops the pass", "customers.csv: left out")
	tab.Look("autopilot-seen")
	tab.Click("Ignore locked.xlsx").See("Ignore locked.xlsx?", "A corrected file with the same name is compared again.").Axe()
	tab.ClickOn("dialog .danger").See("Ignored since")
	require.Len(t, stage.ignored, 1)
	tab.Axe()
	tab.Resize(390, 900).Wait(fits).Shot("autopilot-seen-390")
	tab.Resize(1280, 900)
	tab.Click("Compare again: locked.xlsx").Gone("Ignored since")
	require.Empty(t, stage.ignored)
	tab.Click("Ignore remittance-2026-11-18.csv").See("orders that it alone has paid count as unpaid then")
	stage.refuse("ignore", domain.ErrIgnored)
	tab.ClickOn("dialog .danger").See("take back some that have gone")
	stage.refuse("", nil)
	tab.Go("/app/account")
	tab.Choose("Language", "हिन्दी").Wait(`document.documentElement.lang === "hi"`)
	tab.Go("/app/autopilot/c-1")
	tab.Resize(390, 900)
	tab.See("पिछले दौर की फ़ाइलें", "यह ग्राहकों का एक्सपोर्ट है")
	tab.Dark(true)
	tab.Look("autopilot-seen-hindi")
}
