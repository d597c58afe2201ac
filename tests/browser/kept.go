package browser

import (
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// Requested returns the methods and URLs of all requests of the tab so far. They have no
// fragments: those are sent to nobody.
func (tab *Tab) Requested() string {
	tab.mu.Lock()
	defer tab.mu.Unlock()
	return strings.Join(tab.requests, "\n")
}

// Stored returns everything that pages of the service have put into the browser's storage,
// but for cookies that scripts cannot read.
func (tab *Tab) Stored() string {
	tab.t.Helper()
	return Eval[string](tab, `(async () => {
		const opened = (await indexedDB.databases()).map((d) => d.name);
		const kept = (await Promise.all((await caches.keys()).map(async (name) => [name, ...(await (await caches.open(name)).keys()).map((r) => r.url)]))).flat();
		const files = [];
		for await (const name of (await navigator.storage.getDirectory()).keys()) files.push(name);
		const workers = (await navigator.serviceWorker.getRegistrations()).map((w) => w.scope);
		return JSON.stringify({ local: { ...localStorage }, session: { ...sessionStorage }, opened, kept, files, workers, cookie: document.cookie, name: window.name, state: history.state });
	})()`)
}

// History returns the addresses of the tab's history, the titles with them.
func (tab *Tab) History() string {
	tab.t.Helper()
	var all []string
	for _, entry := range call(tab, page.GetNavigationHistory, cdp.Empty{}).Entries {
		all = append(all, entry.URL+" "+entry.Title)
	}
	return strings.Join(all, "\n")
}

// Cookie returns the value of a cookie of the service, also of one that scripts cannot read;
// nil if there is none.
func (tab *Tab) Cookie(name string) *network.Cookie {
	tab.t.Helper()
	for _, c := range call(tab, network.GetCookies, network.GetCookiesParams{URLs: []string{tab.url}}).Cookies {
		if c.Name == name {
			return c
		}
	}
	return nil
}
