package browser_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"milaan/tests/browser"
	"milaan/tests/service"
)

// signInLink is what the command line prints for a customer.
func signInLink(t *testing.T, s *service.Service, c *service.Customer) string {
	t.Helper()
	token, err := s.Links.Link(t.Context(), c.Email, "")
	require.NoError(t, err)
	return "/app/sign-in#token=" + token
}

const address = "location.pathname + location.search + location.hash"

// TestALinkSignsInOnAClick opens the link of the command line, once by itself and once by
// pasting it where the person was.
func TestALinkSignsInOnAClick(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	tab := browser.Open(t, s.URL)
	link := signInLink(t, s, c)
	tab.Go(link).See("You have opened a sign-in link.")
	require.Equal(t, "/app/sign-in", browser.Eval[string](tab, address), "the token is in the address")
	require.NotContains(t, browser.Eval[string](tab, "document.documentElement.outerHTML"), link[strings.Index(link, "=")+1:])
	tab.Axe()
	tab.Click("Sign in").At("/app").See(c.Email)

	// The same link a second time, in a tab that has the screen open.
	other := browser.Open(t, s.URL).Go("/app/sign-in?to=%2Fapp%2Fhistory")
	other.See("With a sign-in link", "milaan session --email you@shop.example --link").Axe()
	browser.Eval[bool](other, `location.hash = "`+link[strings.Index(link, "#"):]+`", true`)
	other.See("You have opened a sign-in link.")
	other.Wait(address + ` === "/app/sign-in?to=%2Fapp%2Fhistory"`)
	other.Click("Sign in").See("The link did not sign you in").Axe()
	other.Click("Sign in in another way")

	// Keys alone: what is no link is refused in its place, and then a new link.
	browser.Eval[bool](other, `milaanTest.field("Sign-in link").focus(), true`)
	other.Press("a b\r").See("Paste the whole link")
	other.Wait(focused("Sign-in link")).Axe()
	other.Fill("Sign-in link", s.URL+signInLink(t, s, c))
	other.Press(kb.Tab).Wait(focused("Sign in"))
	other.Press("\r").At("/app/history").See("No runs yet")
	other.Wait(focused("History")).Axe()
}

// TestNobodyIsSentElsewhereAfterSigningIn tries addresses of others, and what is no page.
func TestNobodyIsSentElsewhereAfterSigningIn(t *testing.T) {
	s := serve(t, service.Options{})
	tab := browser.Open(t, s.URL).SignIn(s, s.Account(t), "/app/sign-in?to=%2Fapp%2Fkeys")
	const target = `document.querySelector("main a.primary").getAttribute("href")`
	require.Equal(t, "/app/keys", browser.Eval[string](tab, target))
	for _, to := range []string{"https://evil.example/app", "//evil.example/app", `/\evil.example/app`, "javascript:alert(1)", "/app/../docs", "/app/api/me", "/app/sign-in?to=/app", "/application", "http://[", "/docs"} {
		browser.Eval[bool](tab, `history.replaceState(null, "", "/app/sign-in?to=" + encodeURIComponent(`+"`"+strings.ReplaceAll(to, `\`, `\\`)+"`"+`)), dispatchEvent(new PopStateEvent("popstate"))`)
		tab.Wait(target + ` === "/app"`)
	}
}

// TestSigningOut ends one session, and then all of them.
func TestSigningOut(t *testing.T) {
	s := serve(t, service.Options{})
	c := s.Account(t)
	one, two := browser.Open(t, s.URL), browser.Open(t, s.URL)
	one.SignIn(s, c, "/app/account")
	two.SignIn(s, c, "/app/account")
	one.See("Pro", "Active", "0 of 10 runs are used.").Axe()
	one.Click("Sign out").At("/app/sign-in?signed-out").See("You are signed out.").Axe()
	one.Go("/app/keys").See("You need an account for this").Axe()

	one.SignIn(s, c, "/app/account")
	two.Click("Sign out everywhere…").See("Every browser in which you are signed in to this account is signed out").Axe()
	two.ClickOn("dialog .danger").At("/app/sign-in?signed-out")
	// The other browser learns of it at its next question, and comes back to it.
	one.Click("Security log").At("/app/sign-in?to=%2Fapp%2Fsecurity")
	one.Fill("Sign-in link", s.URL+signInLink(t, s, c))
	one.Click("Sign in").At("/app/security")
	one.See("All sessions were ended", "2 sessions", "A sign-in link was made", "Somebody signed in").Axe()
	one.Resize(390, 800).Wait(fits)
}

// focused says that what has a name has the focus. A page moves it once it has been painted.
func focused(name string) string {
	return "milaanTest.name(document.activeElement) === " + strconv.Quote(name)
}

// fits says that nothing must be scrolled to the side.
const fits = "document.documentElement.scrollWidth <= innerWidth"
