package browser_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/oauth2-proxy/mockoidc"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/tests/browser"
	"milaan/tests/only"
	"milaan/tests/service"
)

// TestPeopleSignInAtTheirProvider goes to a real OpenID Connect provider and comes back to the
// page that was asked for.
func TestPeopleSignInAtTheirProvider(t *testing.T) {
	provider := only.Value(mockoidc.NewServer(nil))(t)
	var away, refuses atomic.Bool
	var ended atomic.Value // of which person's token the provider has ended the session
	require.NoError(t, provider.AddMiddleware(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() && r.URL.Path == mockoidc.TokenEndpoint {
				http.Error(w, "down for maintenance", http.StatusBadGateway)
				return
			}
			if refuses.Load() && r.URL.Path == mockoidc.AuthorizationEndpoint { // as when somebody says no there
				back := url.Values{"error": {"access_denied"}, "state": {r.URL.Query().Get("state")}}
				http.Redirect(w, r, r.URL.Query().Get("redirect_uri")+"?"+back.Encode(), http.StatusFound)
				return
			}
			if r.URL.Query().Has("post_logout_redirect_uri") {
				ended.Store(r.URL.Query().Get("id_token_hint"))
				http.Redirect(w, r, r.URL.Query().Get("post_logout_redirect_uri"), http.StatusFound)
				return
			}
			if r.URL.Path != mockoidc.DiscoveryEndpoint {
				next.ServeHTTP(w, r)
				return
			}
			discovered := httptest.NewRecorder()
			next.ServeHTTP(discovered, r)
			_, _ = io.WriteString(w, strings.Replace(discovered.Body.String(), "{", `{"end_session_endpoint":"`+provider.Addr()+mockoidc.AuthorizationEndpoint+`?end",`, 1))
		})
	}))
	require.NoError(t, provider.Start(only.Value(net.Listen("tcp", "127.0.0.1:0"))(t), nil))
	t.Cleanup(func() { require.NoError(t, provider.Shutdown()) })
	s := serve(t, service.Options{Settings: func(c *config.Config) {
		c.Identity = config.Identity{OIDCIssuer: provider.Issuer(), OIDCAudience: "milaan",
			OIDCClientID: provider.ClientID, OIDCClientSecret: config.Secret(provider.ClientSecret)}
	}})
	provider.FastForward(time.Until(s.Clock.Now()))
	person := func(email string) {
		provider.QueueUser(&mockoidc.MockUser{Subject: "42", Email: email, EmailVerified: true})
	}
	c := s.Account(t)
	tab := browser.Open(t, s.URL).Go("/app/sign-in?to=%2Fapp%2Fhistory")
	tab.See("With your organisation’s account")
	tab.Gone("With a sign-in link").Axe()

	person("nobody@shop.example")
	tab.Click("Continue to sign in").See("there is no account for your e-mail address here").Axe()

	person(c.Email)
	tab.Go("/app/sign-in?to=%2Fapp%2Fhistory")
	tab.Click("Continue to sign in").At("/app/history").See("No runs yet", c.Email)
	session := tab.Cookie("milaan")
	require.Equal(t, []any{true, network.CookieSameSiteLax, "/", "127.0.0.1"}, []any{session.HTTPOnly, session.SameSite, session.Path, session.Domain})
	require.NotContains(t, tab.Stored(), session.Value, "scripts can read it")
	require.Nil(t, tab.Cookie("milaan-sign-in"), "what it takes to come back serves once")
	tab.Click("Settings")
	require.NotContains(t, tab.Stored(), tab.Cookie("milaan-provider").Value, "scripts can read it")
	tab.Click("Sign out").See("You are signed out.")
	require.NotEmpty(t, ended.Load(), "the provider's session has ended too")
	require.Nil(t, tab.Cookie("milaan-provider"))

	// Somebody says no at the provider, and another has an address that it has not verified.
	refuses.Store(true)
	tab.Click("Continue to sign in").See("Signing in at the identity provider did not work, or took too long. Try again.")
	require.Nil(t, tab.Cookie("milaan"))
	refuses.Store(false)
	provider.QueueUser(&mockoidc.MockUser{Subject: "43", Email: c.Email})
	tab.Click("Continue to sign in").See("or the provider has not verified the address")
	require.Nil(t, tab.Cookie("milaan"))

	s.Clock.Advance(2 * time.Minute) // the rate of sign-ins is another test's
	provider.FastForward(2 * time.Minute)
	away.Store(true)
	person(c.Email)
	tab.Click("Continue to sign in").See("The identity provider does not answer. Try again in a minute.")
	away.Store(false)

	// Who has files at hand signs in in a tab of its own, as a visitor and after a session that has ended.
	tab.Click("Reconcile")
	tab.Upload(exportZone, export)
	for _, ended := range []bool{false, true} {
		if ended {
			require.True(t, browser.Eval[bool](tab, `fetch("/app/api/sign-out", {method: "POST"}).then((r) => r.ok)`))
			tab.Click("History")
		} else {
			tab.Click("Menu")
			tab.Click("Sign in")
		}
		tab.See("Your identity provider opens in another tab, because this one has your files.")
		person(c.Email)
		tab.Click("Continue to sign in")
		require.Eventually(t, func() bool { return tab.Cookie("milaan") != nil }, time.Minute, 20*time.Millisecond)
		browser.Eval[bool](tab, `dispatchEvent(new Event("focus"))`) // as when somebody comes back to this tab
		tab.See("You are signed in as " + c.Email)
		tab.Click("Reconcile").See("Shopify orders export", c.Email)
	}
}
