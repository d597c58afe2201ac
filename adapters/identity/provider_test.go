package identity

import (
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/oauth2-proxy/mockoidc"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

const callback = "http://127.0.0.1:8080/app/sign-in/callback"

// signingIn is a real provider, and the service as its client.
type signingIn struct {
	*provider

	client *Provider
}

func newSigningIn(t *testing.T) *signingIn {
	t.Helper()
	p := newProvider(t)
	p.FastForward(time.Until(p.clock.now))
	p.oidc.settings.OIDCClientID, p.oidc.settings.OIDCClientSecret = p.ClientID, config.Secret(p.ClientSecret)
	return &signingIn{p, NewProvider(p.oidc)}
}

// visit goes to the provider as a browser does, and returns with what it sends back.
func (s *signingIn) visit(t *testing.T) (code, state string, pending ports.PendingSignIn) {
	t.Helper()
	address, pending := only.Both(s.client.Begin(t.Context(), callback, "/app/history"))(t)
	r := only.Value(http.NewRequestWithContext(t.Context(), http.MethodGet, address, nil))(t)
	answer, err := http.DefaultTransport.RoundTrip(r)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	back := only.Value(answer.Location())(t)
	require.True(t, strings.HasPrefix(back.String(), callback+"?"))
	return back.Query().Get("code"), back.Query().Get("state"), pending
}

func TestProviderIdentifiesAPerson(t *testing.T) {
	s := newSigningIn(t)
	require.True(t, s.client.Enabled())
	s.QueueUser(&mockoidc.MockUser{Subject: "42", Email: "asha@shop.example", EmailVerified: true})
	code, state, pending := s.visit(t)
	require.Equal(t, "/app/history", pending.To)
	got := only.Value(s.client.Finish(t.Context(), callback, code, state, pending))(t)
	host := only.Value(url.Parse(s.Issuer()))(t)
	require.NotEmpty(t, got.IDToken)
	require.Equal(t, ports.Identity{Email: "asha@shop.example", EmailVerified: true, Provider: host.Host, IDToken: got.IDToken}, got)

	require.ErrorIs(t, only.Err(s.client.Finish(t.Context(), callback, code, state, pending)), domain.ErrPerson, "a code serves once")
}

func TestWhereTheProviderEndsItsSession(t *testing.T) {
	s := newSigningIn(t)
	s.oidc.settings.OIDCClientID, s.client.settings.OIDCClientID = "milaan", "milaan"
	address, err := s.client.SignOut(t.Context(), callback, "its token")
	require.NoError(t, err)
	require.Empty(t, address, "the provider has none")
	for end, want := range map[string]string{
		"https://login.example/end":       "https://login.example/end?client_id=milaan&id_token_hint=its+token&post_logout_redirect_uri=",
		"https://login.example/end?p=a+b": "https://login.example/end?client_id=milaan&id_token_hint=its+token&p=a+b&post_logout_redirect_uri=",
		"http://127.0.0.1:1/end":          "http://127.0.0.1:1/end?client_id=milaan&id_token_hint=its+token&post_logout_redirect_uri=",
		"javascript:alert(1)":             "",
		"javascript://login.example/%0a1": "",
		"/end":                            "",
		"https:///end":                    "",
	} {
		s.oidc.found.signOut = end
		address, err = s.client.SignOut(t.Context(), callback, "its token")
		if want == "" {
			require.ErrorIs(t, err, errProvider, end)
			require.Empty(t, address, end)
			continue
		}
		require.NoError(t, err, end)
		require.Equal(t, want+url.QueryEscape(callback), address)
	}
	s.oidc.found.signOut = "https://login.example/end"
	address = only.Value(s.client.SignOut(t.Context(), callback, ""))(t)
	require.NotContains(t, address, "id_token_hint")

	s.oidc.found, s.oidc.settings.OIDCIssuer = nil, "http://127.0.0.1:1"
	require.ErrorIs(t, only.Err(s.client.SignOut(t.Context(), callback, "")), errProvider)
}

func TestProviderIsSentSecretsOfEachSignIn(t *testing.T) {
	s := newSigningIn(t)
	seen := map[string]bool{}
	for range 2 {
		address, pending := only.Both(s.client.Begin(t.Context(), callback, ""))(t)
		u := only.Value(url.Parse(address))(t)
		require.Equal(t, "S256", u.Query().Get("code_challenge_method"))
		require.Equal(t, "openid email", u.Query().Get("scope"))
		require.NotContains(t, address, pending.Verifier)
		for _, secret := range []string{pending.State, pending.Nonce, pending.Verifier} {
			require.GreaterOrEqual(t, len(secret), 26)
			require.False(t, seen[secret])
			seen[secret] = true
		}
	}
}

func TestProviderIsAskedForTheAddressThatTheTokenLacks(t *testing.T) {
	s := newSigningIn(t)
	finish := func() (ports.Identity, error) {
		s.QueueUser(&mockoidc.MockUser{Subject: "42"})
		code, state, pending := s.visit(t)
		return s.client.Finish(t.Context(), callback, code, state, pending)
	}
	s.about.Store(`{"sub":"42","email":"asha@shop.example","email_verified":"true"}`)
	got := only.Value(finish())(t)
	require.Equal(t, "asha@shop.example", got.Email)
	require.True(t, got.EmailVerified)

	s.about.Store(`{"sub":"43","email":"ravi@shop.example","email_verified":true}`)
	require.ErrorIs(t, only.Err(finish()), domain.ErrPerson, "it tells about another person")
}

func TestProviderSignInsThatDoNotFit(t *testing.T) {
	s := newSigningIn(t)
	for name, change := range map[string]func(code, state *string, pending *ports.PendingSignIn){
		"another state":     func(_, state *string, _ *ports.PendingSignIn) { *state += "x" },
		"no state":          func(_, state *string, p *ports.PendingSignIn) { *state, p.State = "", "" },
		"another nonce":     func(_, _ *string, p *ports.PendingSignIn) { p.Nonce += "x" },
		"no nonce":          func(_, _ *string, p *ports.PendingSignIn) { p.Nonce = "" },
		"another verifier":  func(_, _ *string, p *ports.PendingSignIn) { p.Verifier += "x" },
		"no code":           func(code, _ *string, _ *ports.PendingSignIn) { *code = "" },
		"another code":      func(code, _ *string, _ *ports.PendingSignIn) { *code += "x" },
		"it took too long":  func(_, _ *string, p *ports.PendingSignIn) { p.Until = s.clock.now.Add(-time.Second) },
		"nothing was begun": func(_, _ *string, p *ports.PendingSignIn) { *p = ports.PendingSignIn{} },
	} {
		t.Run(name, func(t *testing.T) {
			code, state, pending := s.visit(t)
			change(&code, &state, &pending)
			_, err := s.client.Finish(t.Context(), callback, code, state, pending)
			require.ErrorIs(t, err, domain.ErrPerson)
			shown, _ := errors.AsType[*domain.Error](err)
			require.Equal(t, domain.DetailPerson, shown.Detail)
		})
	}
	code, state, pending := s.visit(t)
	s.client.settings.OIDCClientSecret = "another"
	require.ErrorIs(t, only.Err(s.client.Finish(t.Context(), callback, code, state, pending)), domain.ErrPerson, "the provider does not know the client")
}

func TestProviderTokensThatHaveExpired(t *testing.T) {
	s := newSigningIn(t)
	code, state, pending := s.visit(t)
	s.FastForward(-2 * time.Hour)
	require.ErrorIs(t, only.Err(s.client.Finish(t.Context(), callback, code, state, pending)), domain.ErrPerson)
}

func TestProviderAwayDuringASignIn(t *testing.T) {
	s := newSigningIn(t)
	s.away.Store(true)
	_, _, err := s.client.Begin(t.Context(), callback, "")
	requireUnavailable(t, err)
	s.away.Store(false)
	s.clock.now = s.clock.now.Add(retryDiscovery)
	code, state, pending := s.visit(t)
	s.away.Store(true)
	_, err = s.client.Finish(t.Context(), callback, code, state, pending)
	requireUnavailable(t, err)
	require.NotContains(t, err.Error(), code)
}

func TestNobodySignsInWithoutAProvider(t *testing.T) {
	require.ErrorIs(t, only.Err2(noProvider{}.Begin(t.Context(), callback, "")), domain.ErrPerson)
	require.ErrorIs(t, only.Err(noProvider{}.Finish(t.Context(), callback, "1", "1", ports.PendingSignIn{State: "1"})), domain.ErrPerson)
}
