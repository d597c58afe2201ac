package browser_test

import (
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/tests/browser"
	"milaan/tests/service"
)

// TestPeopleSignInAtTheirProvider goes to a real OpenID Connect provider and comes back to the
// page that was asked for.
func TestPeopleSignInAtTheirProvider(t *testing.T) {
	provider, err := mockoidc.NewServer(nil)
	require.NoError(t, err)
	var away atomic.Bool
	require.NoError(t, provider.AddMiddleware(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if away.Load() && r.URL.Path == mockoidc.TokenEndpoint {
				http.Error(w, "down for maintenance", http.StatusBadGateway)
				return
			}
			next.ServeHTTP(w, r)
		})
	}))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, provider.Start(listener, nil))
	t.Cleanup(func() { require.NoError(t, provider.Shutdown()) })
	s := service.Start(t, service.Options{Settings: func(c *config.Config) {
		c.Identity = config.Identity{OIDCIssuer: provider.Issuer(), OIDCAudience: "milaan",
			OIDCClientID: provider.ClientID, OIDCClientSecret: config.Secret(provider.ClientSecret)}
	}})
	provider.FastForward(time.Until(s.Clock.Now()))
	person := func(email string) {
		provider.QueueUser(&mockoidc.MockUser{Subject: "42", Email: email, EmailVerified: true})
	}
	c := s.Account(t)
	tab := browser.Open(t, s.URL)
	tab.Go("/app/sign-in?to=%2Fapp%2Fhistory")
	tab.See("With your organisation’s account")
	tab.Gone("With a sign-in link")
	tab.Axe()

	person("nobody@shop.example")
	tab.Click("Continue to sign in")
	tab.See("there is no account for your e-mail address here")
	alsoAxe(tab)

	person(c.Email)
	tab.Go("/app/sign-in?to=%2Fapp%2Fhistory")
	tab.Click("Continue to sign in")
	tab.At("/app/history")
	tab.See("No runs yet", c.Email)
	tab.Click("Settings")
	tab.Click("Sign out")
	tab.See("You are signed out.")

	away.Store(true)
	person(c.Email)
	tab.Click("Continue to sign in")
	tab.See("The identity provider does not answer. Try again in a minute.")
}
