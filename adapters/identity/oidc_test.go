package identity

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/oauth2-proxy/mockoidc"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

const audience = "milaan"

// provider is a real OpenID Connect provider on loopback, and the check of its
// tokens.
type provider struct {
	*mockoidc.MockOIDC

	clock *standing
	oidc  *OIDC
	asked atomic.Int32 // requests to the provider
	away  atomic.Bool  // its answers are errors
	about atomic.Value // what it tells of any person, as JSON; nil: its own words
}

// listen reserves an address; the provider may come up on it later.
func listen(t *testing.T) net.Listener {
	t.Helper()
	return only.Value(net.Listen("tcp", "127.0.0.1:0"))(t)
}

func newProvider(t *testing.T) *provider {
	t.Helper()
	mock := only.Value(mockoidc.NewServer(nil))(t)
	p := &provider{MockOIDC: mock, clock: newStanding()}
	require.NoError(t, mock.AddMiddleware(func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			p.asked.Add(1)
			if p.away.Load() {
				http.Error(w, "down for maintenance", http.StatusBadGateway)
				return
			}
			if about, set := p.about.Load().(string); set && r.URL.Path == mockoidc.UserinfoEndpoint {
				w.Header().Set("Content-Type", "application/json")
				_, _ = io.WriteString(w, about)
				return
			}
			next.ServeHTTP(w, r)
		})
	}))
	require.NoError(t, mock.Start(listen(t), nil))
	t.Cleanup(func() { require.NoError(t, mock.Shutdown()) })
	p.oidc = NewOIDC(config.Identity{OIDCIssuer: mock.Issuer(), OIDCAudience: audience}, nil, p.clock.time)
	return p
}

// claimSet is a token's content; tests change it.
type claimSet = map[string]any

func (p *provider) claims(change func(claimSet)) claimSet {
	c := claimSet{
		"iss": p.Issuer(), "aud": []string{"other", audience}, "sub": "42",
		"iat": p.clock.now.Unix(), "exp": p.clock.now.Add(time.Hour).Unix(),
		"email": "asha@shop.example", "email_verified": true,
	}
	if change != nil {
		change(c)
	}
	return c
}

func (p *provider) token(t *testing.T, change func(claimSet)) string {
	t.Helper()
	kid := only.Value(p.Keypair.KeyID())(t)
	return signed(t, jose.RS256, jose.JSONWebKey{Key: p.Keypair.PrivateKey, KeyID: kid}, p.claims(change))
}

func (p *provider) verify(token string) (ports.Identity, error) {
	return p.oidc.Verify(context.Background(), token)
}

func TestOIDCReadsTheClaims(t *testing.T) {
	p := newProvider(t)
	for name, c := range map[string]struct {
		change func(claimSet)
		want   ports.Identity
	}{
		"verified":            {nil, ports.Identity{Email: "asha@shop.example", EmailVerified: true}},
		"verified, as text":   {func(c claimSet) { c["email_verified"] = "true" }, ports.Identity{Email: "asha@shop.example", EmailVerified: true}},
		"unverified":          {func(c claimSet) { c["email_verified"] = false }, ports.Identity{Email: "asha@shop.example"}},
		"unverified, as text": {func(c claimSet) { c["email_verified"] = "false" }, ports.Identity{Email: "asha@shop.example"}},
		"nothing said":        {func(c claimSet) { delete(c, "email_verified") }, ports.Identity{Email: "asha@shop.example"}},
		"null":                {func(c claimSet) { c["email_verified"] = nil }, ports.Identity{Email: "asha@shop.example"}},
		"phone verified":      {func(c claimSet) { c["phone_number_verified"] = true }, ports.Identity{Email: "asha@shop.example", EmailVerified: true, PhoneVerified: true}},
		"phone as text":       {func(c claimSet) { c["phone_number_verified"] = "true" }, ports.Identity{Email: "asha@shop.example", EmailVerified: true, PhoneVerified: true}},
		"phone unverified":    {func(c claimSet) { c["phone_number_verified"] = false }, ports.Identity{Email: "asha@shop.example", EmailVerified: true}},
		"one audience":        {func(c claimSet) { c["aud"] = audience }, ports.Identity{Email: "asha@shop.example", EmailVerified: true}},
		"no e-mail":           {func(c claimSet) { delete(c, "email") }, ports.Identity{EmailVerified: true}},
	} {
		t.Run(name, func(t *testing.T) {
			got := only.Value(p.verify(p.token(t, c.change)))(t)
			require.Equal(t, p.clock.now.Unix(), got.IssuedAt.Unix())
			c.want.IssuedAt = got.IssuedAt
			require.Equal(t, c.want, got)
		})
	}
	require.EqualValues(t, 2, p.asked.Load(), "discovery and keys are fetched once")
}

func TestOIDCRefusesForgeries(t *testing.T) {
	p := newProvider(t)
	good := p.token(t, nil)
	parts := strings.Split(good, ".")
	encode := base64.RawURLEncoding.EncodeToString
	kid := only.Value(p.Keypair.KeyID())(t)
	stranger := only.Value(rsa.GenerateKey(rand.Reader, 2048))(t)
	public := only.Value(x509.MarshalPKIXPublicKey(p.Keypair.PublicKey))(t)
	own := only.Value(newBuiltinAt(p.clock).Issue("asha@shop.example", "account-1", time.Hour))(t)

	for name, token := range map[string]string{
		"nothing":              "",
		"no token":             "asha@shop.example",
		"alg none":             encode([]byte(`{"alg":"none","kid":"`+kid+`"}`)) + "." + parts[1] + ".",
		"public key as secret": signed(t, jose.HS256, jose.JSONWebKey{Key: public, KeyID: kid}, p.claims(nil)),
		"stranger's key":       signed(t, jose.RS256, jose.JSONWebKey{Key: stranger, KeyID: kid}, p.claims(nil)),
		"unknown key":          signed(t, jose.RS256, jose.JSONWebKey{Key: stranger, KeyID: "new"}, p.claims(nil)),
		"algorithm not agreed": signed(t, jose.RS512, jose.JSONWebKey{Key: p.Keypair.PrivateKey, KeyID: kid}, p.claims(nil)),
		"changed claims":       parts[0] + "." + encode([]byte(`{"email":"ravi@shop.example"}`)) + "." + parts[2],
		"changed signature":    parts[0] + "." + parts[1] + "." + flipped(parts[2]),
		"built-in issuer's":    own,
		"another audience":     p.token(t, func(c claimSet) { c["aud"] = "other" }),
		"no audience":          p.token(t, func(c claimSet) { delete(c, "aud") }),
		"another issuer":       p.token(t, func(c claimSet) { c["iss"] = "https://login.example" }),
		"expired":              p.token(t, func(c claimSet) { c["exp"] = p.clock.now.Add(-leeway - time.Second).Unix() }),
		"never expires":        p.token(t, func(c claimSet) { delete(c, "exp") }),
		"not yet":              p.token(t, func(c claimSet) { c["nbf"] = p.clock.now.Add(time.Hour).Unix() }),
		"odd verification":     p.token(t, func(c claimSet) { c["email_verified"] = 7 }),
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, only.Err(p.verify(token)), domain.ErrSession)
		})
	}
	require.NoError(t, only.Err(p.verify(good)), "the forgeries fail for what is forged")
	require.NoError(t, only.Err(p.verify(p.token(t, func(c claimSet) { c["exp"] = p.clock.now.Add(-leeway + time.Second).Unix() }))), "clocks may differ a little")
}

func TestOIDCFollowsKeyRotation(t *testing.T) {
	p := newProvider(t)
	before := p.token(t, nil)
	require.NoError(t, only.Err(p.verify(before)))

	p.Keypair = only.Value(mockoidc.RandomKeypair(2048))(t)
	asked := p.asked.Load()
	require.ErrorIs(t, only.Err(p.verify(p.token(t, nil))), domain.ErrSession)
	require.Equal(t, asked, p.asked.Load(), "unknown keys do not make us ask without end")
	p.clock.now = p.clock.now.Add(keepKeys)
	// The library gives an answer, the refused one before and the newly fetched
	// keys alike, an instant before it is done with it: a call in between meets
	// what was.
	renewed := p.token(t, nil)
	require.Eventually(t, func() bool {
		_, err := p.verify(renewed)
		return err == nil
	}, time.Minute, time.Millisecond, "a new key is fetched when it is used")
	require.Eventually(t, func() bool {
		_, err := p.verify(before)
		return errors.Is(err, domain.ErrSession)
	}, time.Minute, time.Millisecond, "a key that the provider dropped is good no more")
}

func TestOIDCProviderAwayAtTheStart(t *testing.T) {
	p := newProvider(t)
	p.away.Store(true)
	token := p.token(t, nil)
	_, err := p.verify(token)
	requireUnavailable(t, err)
	shown, ok := errors.AsType[*domain.Error](err)
	require.True(t, ok)
	require.Empty(t, shown.Value, "the caller is not told where the provider is")

	asked := p.asked.Load()
	_, err = p.verify(token)
	requireUnavailable(t, err)
	require.Equal(t, asked, p.asked.Load(), "a provider that is away is not asked once per request")

	p.away.Store(false)
	p.clock.now = p.clock.now.Add(retryDiscovery)
	require.NoError(t, only.Err(p.verify(token)))
}

func TestOIDCProviderGoneLater(t *testing.T) {
	p := newProvider(t)
	known := p.token(t, nil)
	require.NoError(t, only.Err(p.verify(known)))

	p.away.Store(true)
	require.NoError(t, only.Err(p.verify(known)), "keys that are known need no provider")
	var err error
	p.Keypair = only.Value(mockoidc.RandomKeypair(2048))(t)
	p.clock.now = p.clock.now.Add(keepKeys)
	for range 2 {
		_, err = p.verify(p.token(t, nil))
		requireUnavailable(t, err)
	}
	require.ErrorIs(t, only.Err(p.verify("no token")), domain.ErrSession, "nonsense is refused without the provider")
}

func TestOIDCNobodyListens(t *testing.T) {
	l := listen(t)
	require.NoError(t, l.Close())
	o := NewOIDC(config.Identity{OIDCIssuer: "http://" + l.Addr().String(), OIDCAudience: audience}, nil, newStanding().time)
	_, err := o.Verify(t.Context(), "a.b.c")
	requireUnavailable(t, err)
}

func TestOIDCCallerGivesUpWaiting(t *testing.T) {
	p := newProvider(t)
	p.oidc.discovery <- struct{}{} // another call looks at the provider
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := p.oidc.Verify(ctx, p.token(t, nil))
	requireUnavailable(t, err)
	require.ErrorIs(t, err, context.Canceled)
}

func requireUnavailable(t *testing.T, err error) {
	t.Helper()
	kind, _, known := domain.KindOf(err)
	require.True(t, known, err)
	require.Equal(t, domain.KindUnavailable, kind)
}
