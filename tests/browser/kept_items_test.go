package browser_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
	"milaan/tests/only"
	"milaan/tests/service"
)

// joined signs somebody in at a tab of their own who works for the account of an owner's tab.
func joined(t *testing.T, s *service.Service, owner *browser.Tab, email, role, path string) *browser.Tab {
	t.Helper()
	invited := only.Value(json.Marshal(map[string]string{"email": email, "role": role}))(t)
	link := browser.Eval[string](owner, fmt.Sprintf(`fetch("/app/api/account/people", {method: "POST", headers: {"Content-Type": "application/json"}, body: %q}).then((r) => r.json()).then((i) => i.link)`, invited))
	guest := browser.Open(t, s.URL).Go(strings.TrimPrefix(link, s.URL))
	guest.Click("Accept").See(email)
	guest.Wait(`location.pathname !== "/app/invitation"`)
	guest.Go(path)
	return guest
}

// TestAConnectionKeepsItsOpenItems switches that on, finds the orders after a pass, marks one that somebody else marks at the
// same time, disputes them, and switches it off.
func TestAConnectionKeepsItsOpenItems(t *testing.T) {
	s := serve(t, service.Options{Settings: service.ConnectingHere})
	shop := s.NewShop(t, "kolam-kitchen", shopOrder(1, "#1001", "59112200001", 30), shopOrder(2, "#1002", "59112200002", 29), shopOrder(3, "#1003", "59112200003", 28), shopOrder(4, "#1004", "59112200004", 1))
	c := s.Account(t)
	c.SignIn(t).Send(t, "POST", "/app/api/connections", service.Connecting("Kolam Kitchen", shop.Settings(), service.FromUploads()))
	owner := browser.Open(t, s.URL).SignIn(s, c, "/app/autopilot")
	owner.Click("Kolam Kitchen")
	owner.See("Open items are not kept", "at most 50,000 orders, each deleted 180 days after it was last seen", "No name, address or e-mail of a buyer is kept.")
	owner.Look("kept-items-off")
	card := browser.Eval[string](owner, address)
	accountant := joined(t, s, owner, "ca@books.example", "accountant", card)
	accountant.See("Open items are not kept", "An owner of the account can switch this on.")
	accountant.Gone("Keep open items…")
	accountant.Go(card + "/open-items").See("The open items of this connection are not kept").Axe()

	owner.Click("Keep open items…").See("Keep the open items of this connection?").Axe()
	owner.Click("Keep them").See("Open items are kept. The next pass writes them.", "Open items are kept from the next pass on.")
	owner.Axe()
	owner.Upload("Drop reports here, or choose them", written(t, "delhivery-cod-20-nov.csv", "AWB No,Order Id,COD Amount,Amount Remitted,Remittance Date\n59112200001,#1001,1299,1299,2026-11-20\n59112200002,#1002,1299,1000,2026-11-20\n59112200009,#9,1299,1299,2026-11-20\n"))
	owner.See("1 file is kept.")
	owner.Click("Run now").See("Run stored", "2 orders are claimed: ₹1,598.00", "0 orders; later ones are in the open items")
	owner.Look("kept-items-card")

	owner.Click("Show the open items").At(card + "/open-items")
	owner.See("Open items of Kolam Kitchen", "2 orders are claimed: ₹1,598.00", "#1002", "#1003", "3 of 3 orders")
	accountant.Go(card+"/open-items").See("#1002", "#1003")
	for _, width := range []int64{390, 1280} {
		owner.Resize(width, 900).Wait(fits)
		for _, theme := range []string{"dark", "light"} {
			owner.Dark(theme == "dark")
			owner.Look(fmt.Sprintf("kept-items-%d-%s", width, theme))
		}
	}
	require.Empty(t, owner.Unmarked(), "the focus is not marked")
	owner.Resize(320, 900).Wait(fits)
	owner.Print()
	require.Empty(t, owner.Wide(), "printed: is wider than the paper")
	owner.Shot("kept-items-printed")
	owner.Dark(false)
	owner.Resize(1280, 900)
	owner.Choose("Which", "Open now").See("2 of 3 orders")
	owner.Fill("Search open items", "#1002").See("1 of 3 orders")

	// Each of the two sees what the other has noted before it is replaced.
	mark := func(tab *browser.Tab, state, note string) {
		tab.Choose("State", state)
		tab.Fill("Note", note)
		tab.ClickOn("dialog [type=submit]")
	}
	opens := func(tab *browser.Tab) {
		tab.ClickOn(`.open-items .grid-body [data-at="0"] .grid-cell`).See("Mark order #1002")
	}
	accountant.Fill("Search open items", "#1002").See("1 of 3 orders")
	opens(owner)
	owner.Look("kept-items-marking")
	opens(accountant)
	mark(owner, "Refused", "=1+1 Asha")
	owner.See("1 order is marked.", "Refused", "=1+1 Asha")
	mark(accountant, "Disputed", "by mail")
	accountant.See("Somebody else has changed this meanwhile.", "It is now: Refused · =1+1 Asha").Look("kept-items-changed")
	accountant.ClickOn("dialog [type=submit]").See("1 order is marked.", "by mail")

	// The documents.
	folder := owner.Downloads()
	owner.Go(card+"/open-items").See("Disputed", "by mail")
	owner.Click("CSV file of 3 orders")
	csv := only.Value(os.ReadFile(downloaded(t, folder, "*.csv")))(t)
	require.Contains(t, string(csv), `#1002,"=""59112200002""",Delhivery,`)
	require.Contains(t, string(csv), "by mail")
	require.Contains(t, string(csv), "Raised on,Promised until,Note")
	owner.Click("Dispute pack: Delhivery")
	downloaded(t, folder, "*.zip")
	owner.See("The dispute pack of 2 orders is saved.").Axe()
	owner.Click("Mark as raised today").See("2 orders are marked.")
	owner.Gone("The dispute pack of 2 orders is saved.")

	// What a pass has cleared meanwhile is gone from the list as soon as somebody marks it.
	accountant.Go(card + "/open-items")
	accountant.Fill("Search open items", "#1003").See("1 of 3 orders")
	accountant.ClickOn(`.open-items .grid-body [data-at="0"] .grid-cell`).See("Mark order #1003")
	s.Clock.Advance(time.Minute)
	owner.Go(card)
	owner.Upload("Drop reports here, or choose them", written(t, "delhivery-cod-21-nov.csv", "AWB No,Order Id,COD Amount,Amount Remitted,Remittance Date\n59112200003,#1003,1299,1299,2026-11-21\n"))
	owner.See("1 file is kept.")
	owner.Click("Run now").See("1 order is claimed: ₹299.00")
	mark(accountant, "Refused", "")
	accountant.See("No order matches the filters.", "1 order is claimed: ₹299.00")

	reader := joined(t, s, owner, "reader@books.example", "reader", "/app/history")
	reader.Click("Autopilot").See("What couriers still owe, of each connection whose open items are kept.")
	reader.Look("kept-items-reader")
	reader.Click("Open items of Kolam Kitchen").At(card+"/open-items").See("1 order is claimed", "#1002", "CSV file of 2 orders")
	reader.Gone("Dispute pack")
	reader.Gone("Mark the 2 orders shown")
	reader.ClickOn(`.open-items .grid-body [data-at="0"] .grid-cell`).Wait(`document.querySelector("dialog") !== null`).Axe()
	reader.Press(kb.Escape)

	accountant.Go("/app/account")
	accountant.Choose("Language", "हिन्दी").Wait(`document.documentElement.lang === "hi"`)
	accountant.Resize(390, 900)
	accountant.Go(card+"/open-items").See("बाकी ऑर्डर", "Kolam Kitchen", "#1002").Look("kept-items-hindi")

	owner.Go(card)
	owner.Click("Stop keeping them…").See("Everything that is kept is deleted at once").Axe()
	owner.Click("Stop, and delete them").See("Open items are not kept")
	reader.Go(card + "/open-items").See("The open items of this connection are not kept")
	reader.Go("/app/autopilot").See("Open items are not kept").Gone("Open items of Kolam Kitchen")
	owner.Go("/app/security")
	owner.See("The open items of a connection are kept from now on", "The open items of a connection were deleted, and are kept no more")
}
