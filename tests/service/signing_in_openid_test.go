package service

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

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/oauth2-proxy/mockoidc"
	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi"
	"milaan/adapters/wording"
	"milaan/config"
	"milaan/domain"
	"milaan/tests/only"
)

// atProvider is a service whose people sign in at a real OpenID Connect provider, on
// loopback.
type atProvider struct {
	*Service

	provider *mockoidc.MockOIDC
	away     atomic.Bool // the provider's answers are errors
	ends     atomic.Bool // the provider has an address at which sessions end
}

func startAtProvider(t *testing.T) *atProvider { return startAtProviderWith(t, false) }

// startAtProviderWith is startAtProvider where people sign up, or not.
func startAtProviderWith(t *testing.T, signUp bool) *atProvider {
	t.Helper()
	return startAtProviderAs(t, signUp, Options{})
}

// startAtProviderAs is startAtProviderWith for a service with further options.
func startAtProviderAs(t *testing.T, signUp bool, o Options) *atProvider {
	t.Helper()
	p := &atProvider{}
	p.provider = only.Value(mockoidc.NewServer(nil))(t)
	require.NoError(t, p.provider.AddMiddleware(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if p.away.Load() {
				http.Error(w, "down for maintenance", http.StatusBadGateway)
				return
			}
			if !p.ends.Load() || r.URL.Path != mockoidc.DiscoveryEndpoint {
				next.ServeHTTP(w, r)
				return
			}
			discovered := httptest.NewRecorder()
			next.ServeHTTP(discovered, r)
			_, _ = io.WriteString(w, strings.Replace(discovered.Body.String(), "{", `{"end_session_endpoint":"`+p.provider.Issuer()+`/logout?policy=1",`, 1))
		})
	}))
	require.NoError(t, p.provider.Start(only.Value(net.Listen("tcp", "127.0.0.1:0"))(t), nil))
	t.Cleanup(func() { require.NoError(t, p.provider.Shutdown()) })
	further := o.Settings
	o.Settings = func(c *config.Config) {
		c.Identity = config.Identity{OIDCIssuer: p.provider.Issuer(), OIDCAudience: "milaan",
			OIDCClientID: p.provider.ClientID, OIDCClientSecret: config.Secret(p.provider.ClientSecret), SignUp: config.Switch(signUp)}
		if further != nil {
			further(c)
		}
	}
	p.Service = Start(t, o)
	p.secrets.Store(p.provider.ClientSecret, true)
	p.provider.FastForward(time.Until(p.Clock.Now()))
	p.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return p
}

// begin has the browser sign in at the provider as a person, and returns the address of
// this service to which the provider sends it back.
func (p *atProvider) begin(t *testing.T, b *Browser, to, email string, verified bool) string {
	t.Helper()
	return p.beginAt(t, b, "/app/api/sign-in/oidc?to="+url.QueryEscape(to), email, verified)
}

// beginAt is begin at an address of this service, which sends people to the provider.
func (p *atProvider) beginAt(t *testing.T, b *Browser, path, email string, verified bool) string {
	t.Helper()
	a := b.Get(t, path)
	require.Equal(t, http.StatusFound, a.Status, string(a.Body))
	cookie := a.cookies()["milaan-sign-in"]
	require.True(t, cookie.HttpOnly)
	require.Equal(t, http.SameSiteLaxMode, cookie.SameSite)
	require.Equal(t, 600, cookie.MaxAge)
	b.cookie = cookie.Name + "=" + cookie.Value
	p.provider.QueueUser(&mockoidc.MockUser{Subject: "42", Email: email, EmailVerified: verified})
	r := only.Value(http.NewRequestWithContext(t.Context(), http.MethodGet, a.Header.Get("Location"), nil))(t)
	answer, err := p.client.Do(r)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	back, found := strings.CutPrefix(answer.Header.Get("Location"), p.URL)
	require.True(t, found, answer.Header.Get("Location"))
	require.True(t, strings.HasPrefix(back, "/app/sign-in/callback?"))
	return back
}

// finish has the browser come back from the provider, by a link of the provider's page.
func (b *Browser) finish(t *testing.T, back string) Answer {
	t.Helper()
	a := b.Get(t, back, "Sec-Fetch-Site", "cross-site")
	require.Equal(t, http.StatusSeeOther, a.Status, string(a.Body))
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Equal(t, -1, a.cookies()["milaan-sign-in"].MaxAge, "what the browser has kept serves once")
	if session := a.cookies()["milaan"]; session != nil {
		b.cookie = "milaan=" + session.Value
		b.service.secrets.Store(session.Value, true)
	}
	return a
}

// TestSignInAtAProvider holds the sign-in by OpenID Connect.
func TestSignInAtAProvider(t *testing.T) {
	t.Parallel()
	p := startAtProvider(t)
	refused := func(t *testing.T, a Answer, code string) {
		t.Helper()
		require.Equal(t, "/app/sign-in?failed="+code, a.Header.Get("Location"))
		require.Nil(t, a.cookies()["milaan"])
	}
	next := func() { p.Clock.Advance(2 * time.Minute); p.provider.FastForward(2 * time.Minute) } // the rate of sign-ins is another test's

	t.Run("a person whom the provider identifies is signed in", func(t *testing.T) {
		c, b := p.Account(t), p.Browser()
		a := b.finish(t, p.begin(t, b, "/app/history?brand=Asha", strings.ToUpper(c.Email), true))
		require.Equal(t, "/app/history?brand=Asha", a.Header.Get("Location"))
		require.Equal(t, c.Email, b.signedInAs(t))
		m := b.me(t)
		require.True(t, m.SignIn.OIDC)
		require.False(t, m.SignIn.Link)
		host := strings.TrimPrefix(p.provider.Addr(), "http://")
		require.Equal(t, []string{"signed_in " + host + " dashboard"}, c.securityLog(t))
	})
	t.Run("people without an account, or whose address is not verified, are told so", func(t *testing.T) {
		next()
		c, b := p.Account(t), p.Browser()
		refused(t, b.finish(t, p.begin(t, b, "", "nobody@shop.example", true)), "setup_incomplete")
		refused(t, b.finish(t, p.begin(t, b, "", c.Email, false)), "setup_incomplete")
	})
	t.Run("a browser finishes its own sign-in, once and in time", func(t *testing.T) {
		next()
		c, b, other := p.Account(t), p.Browser(), p.Browser()
		back := p.begin(t, b, "", c.Email, true)
		refused(t, other.finish(t, back), "session_invalid")
		p.begin(t, other, "", c.Email, true)
		refused(t, other.finish(t, back), "session_invalid")
		kept := b.cookie
		require.Equal(t, "/app", b.finish(t, back).Header.Get("Location"))
		b.cookie = kept
		refused(t, b.finish(t, back), "session_invalid")
		next()
		b = p.Browser()
		back = p.begin(t, b, "", c.Email, true)
		p.Clock.Advance(10*time.Minute + time.Second)
		p.provider.FastForward(10*time.Minute + time.Second)
		refused(t, b.finish(t, back), "session_invalid")
		damaged := p.Browser()
		damaged.cookie = kept[:len(kept)-1]
		refused(t, damaged.finish(t, back), "session_invalid")
		refused(t, p.Browser().finish(t, "/app/sign-in/callback?error=access_denied&state=x"), "session_invalid")
	})
	t.Run("nobody is sent to another place than a page", func(t *testing.T) {
		next()
		c := p.Account(t)
		for _, to := range []string{"https://elsewhere.example", "//elsewhere.example/app", `/\elsewhere.example`, `/app\..\..`, "/app/../..//elsewhere.example", "/app//elsewhere.example", "javascript:alert(1)", "/", "/docs", "/apple", "/app/api/sign-out", "/app/sign-in", "app", "/app/\n", "%zz"} {
			next()
			b := p.Browser()
			require.Equal(t, "/app", b.finish(t, p.begin(t, b, to, c.Email, true)).Header.Get("Location"), to)
		}
	})
	t.Run("a provider that is away is told of", func(t *testing.T) {
		next()
		c, b := p.Account(t), p.Browser()
		back := p.begin(t, b, "", c.Email, true)
		p.away.Store(true)
		defer p.away.Store(false)
		refused(t, b.finish(t, back), "identity_provider_unavailable")
		require.Contains(t, p.Log.String(), `"code":"identity_provider_unavailable"`)
	})
	t.Run("there are no links beside a provider", func(t *testing.T) {
		next()
		c := p.Account(t)
		_, err := p.Links.Link(t.Context(), c.Email, "")
		require.Contains(t, wording.New().Message(err, httpapi.Names{}), p.provider.Issuer())
		require.Empty(t, c.securityLog(t))
		p.Browser().redeem(t, "x").RefusedPage(t, 401, "session_invalid", "")
	})
	t.Run("attempts are counted", func(t *testing.T) {
		next()
		b := p.Browser()
		for range domain.SignInRate.Limit {
			require.Equal(t, http.StatusFound, b.Get(t, "/app/api/sign-in/oidc").Status)
		}
		require.Equal(t, "/app/sign-in?failed=rate_limited", b.Get(t, "/app/api/sign-in/oidc").Header.Get("Location"))
		refused(t, b.finish(t, "/app/sign-in/callback?code=1&state=1"), "rate_limited")
	})
}

// TestSignOutAtAProvider holds that who signs out here is sent to the provider to sign out there.
func TestSignOutAtAProvider(t *testing.T) {
	t.Parallel()
	p := startAtProvider(t)
	p.ends.Store(true)
	c := p.Account(t)
	signIn := func(t *testing.T) (b *Browser, kept *http.Cookie) {
		t.Helper()
		p.Clock.Advance(2 * time.Minute)
		p.provider.FastForward(2 * time.Minute)
		b = p.Browser()
		kept = b.finish(t, p.begin(t, b, "", c.Email, true)).cookies()["milaan-provider"]
		require.NotNil(t, kept)
		require.True(t, kept.HttpOnly)
		require.Equal(t, http.SameSiteLaxMode, kept.SameSite)
		p.secrets.Store(kept.Value, true)
		b.cookie += "; milaan-provider=" + kept.Value
		return b, kept
	}
	// signedOut holds that the browser is, and returns where it is sent.
	signedOut := func(t *testing.T, b *Browser, path string) url.Values {
		t.Helper()
		a := b.Send(t, http.MethodPost, path, nil)
		require.Equal(t, http.StatusOK, a.Status, string(a.Body))
		require.Equal(t, -1, a.cookies()["milaan"].MaxAge)
		require.Equal(t, -1, a.cookies()["milaan-provider"].MaxAge)
		require.Empty(t, b.signedInAs(t))
		var answer struct {
			ContinueAt string `json:"continue_at"`
		}
		a.JSON(t, &answer)
		base, query, _ := strings.Cut(answer.ContinueAt, "?")
		require.Equal(t, p.provider.Issuer()+"/logout", base)
		values := only.Value(url.ParseQuery(query))(t)
		require.Equal(t, []string{"1", p.provider.ClientID, p.URL + "/app/sign-in/callback"}, []string{values.Get("policy"), values.Get("client_id"), values.Get("post_logout_redirect_uri")})
		return values
	}
	for _, path := range []string{"/app/api/sign-out", "/app/api/sign-out-everywhere"} {
		t.Run(path, func(t *testing.T) {
			b, kept := signIn(t)
			hint := signedOut(t, b, path).Get("id_token_hint")
			p.secrets.Store(hint, true)
			parsed := only.Value(jwt.ParseSigned(hint, []jose.SignatureAlgorithm{jose.RS256}))(t)
			var claims jwt.Claims
			require.NoError(t, parsed.UnsafeClaimsWithoutVerification(&claims))
			require.Equal(t, "42", claims.Subject)
			require.NotContains(t, kept.Value, hint[:20], "what the browser keeps is sealed")
			a := b.Get(t, "/app/sign-in/callback", "Sec-Fetch-Site", "cross-site")
			require.Equal(t, "/app/sign-in?signed-out", a.Header.Get("Location"))
			require.Equal(t, http.StatusNoContent, p.Browser().Send(t, http.MethodPost, "/app/api/sign-out", nil).Status, "nobody was signed in")
		})
	}
	t.Run("a session that is over here goes on there", func(t *testing.T) {
		b, _ := signIn(t)
		p.Clock.Advance(domain.SessionIdle)
		p.provider.FastForward(domain.SessionIdle)
		require.NotEmpty(t, signedOut(t, b, "/app/api/sign-out").Get("id_token_hint"))
	})
	t.Run("without the provider's token it asks the person", func(t *testing.T) {
		for _, kept := range []string{"", "; milaan-provider=AAAA"} {
			b, _ := signIn(t)
			b.cookie, _, _ = strings.Cut(b.cookie, ";")
			b.cookie += kept
			require.False(t, signedOut(t, b, "/app/api/sign-out").Has("id_token_hint"))
		}
	})
	t.Run("a page of another site signs nobody out", func(t *testing.T) {
		b, _ := signIn(t)
		b.Send(t, http.MethodPost, "/app/api/sign-out", nil, "Sec-Fetch-Site", "cross-site").RefusedPage(t, 403, "cross_origin", "")
		require.Equal(t, c.Email, b.signedInAs(t))
		require.Equal(t, http.StatusSeeOther, b.Get(t, "/app/sign-in/callback", "Sec-Fetch-Site", "cross-site").Status)
		require.Equal(t, c.Email, b.signedInAs(t), "nor does who is sent back without having gone")
	})
	t.Run("a provider without such an address", func(t *testing.T) {
		p := startAtProvider(t)
		c, b := p.Account(t), p.Browser()
		b.finish(t, p.begin(t, b, "", c.Email, true))
		require.Equal(t, http.StatusNoContent, b.Send(t, http.MethodPost, "/app/api/sign-out", nil).Status)
		require.Empty(t, b.signedInAs(t))
	})
}

// TestNoProvider holds that there is no way to a provider where none is set.
func TestNoProvider(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	for _, path := range []string{"/app/api/sign-in/oidc", "/app/sign-in/callback?code=1&state=1"} {
		a := s.Browser().Get(t, path)
		require.Equal(t, http.StatusNotFound, a.Status)
		require.Equal(t, "route_missing", a.Code())
	}
}
