package identity

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// subkeys gives a key that depends on the secret and the purpose.
type subkeys byte

func (s subkeys) Subkeys(purpose string) [][32]byte {
	var key [32]byte
	copy(key[:], purpose)
	key[31] = byte(s)
	return [][32]byte{key}
}

// several has the first secret sign and all verify.
type several []subkeys

func (s several) Subkeys(purpose string) (keys [][32]byte) {
	for _, secret := range s {
		keys = append(keys, secret.Subkeys(purpose)...)
	}
	return keys
}

// While the service's secret is changed, instances with the old one first and instances
// with the new one first accept each other's tokens; in the end the old one's
// are worth nothing.
func TestBuiltinTokensWhileTheSecretIsChanged(t *testing.T) {
	clock := newStanding()
	issue := func(secrets ...subkeys) string {
		return only.Value(NewBuiltin(several(secrets), clock.time).Issue("asha@shop.example", "account-1", time.Hour))(t)
	}
	verify := func(token string, secrets ...subkeys) error {
		_, err := NewBuiltin(several(secrets), clock.time).Verify(t.Context(), token)
		return err
	}
	const old, fresh, strange = 1, 2, 3
	require.NoError(t, verify(issue(old), old, fresh))
	require.NoError(t, verify(issue(old, fresh), fresh, old))
	require.NoError(t, verify(issue(fresh, old), old, fresh))
	require.NoError(t, verify(issue(old, fresh), old), "the first signs")
	require.ErrorIs(t, verify(issue(fresh, old), old), domain.ErrSession)
	require.ErrorIs(t, verify(issue(old), fresh), domain.ErrSession)
	require.ErrorIs(t, verify(issue(strange), fresh, old), domain.ErrSession)
}

// standing is a clock that stands until it is moved.
type standing struct{ now time.Time }

func (c *standing) time() time.Time { return c.now }

func newStanding() *standing {
	return &standing{time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)}
}

func newBuiltinAt(c *standing) *Builtin { return NewBuiltin(subkeys(1), c.time) }

func TestBuiltinTokenNamesItsAccount(t *testing.T) {
	clock := newStanding()
	token := only.Value(newBuiltinAt(clock).Issue("asha@shop.example", "account-1", time.Hour))(t)
	got, err := newBuiltinAt(clock).Verify(t.Context(), token)
	require.NoError(t, err, "another instance accepts it")
	require.Equal(t, ports.Identity{Email: "asha@shop.example", EmailVerified: true, IssuedAt: got.IssuedAt, OwnAccount: new("account-1")}, got)
	require.True(t, clock.now.Truncate(time.Second).Equal(got.IssuedAt))
}

func TestBuiltinTokenExpires(t *testing.T) {
	clock := newStanding()
	b := newBuiltinAt(clock)
	issued := clock.now
	token := only.Value(b.Issue("asha@shop.example", "account-1", time.Hour))(t)
	for _, c := range []struct {
		at   time.Duration
		good bool
	}{
		{-leeway - time.Second, false}, {-leeway, true}, {time.Hour, true}, {time.Hour + leeway, true}, {time.Hour + leeway + time.Second, false},
	} {
		clock.now = issued.Add(c.at)
		_, err := b.Verify(t.Context(), token)
		if c.good {
			require.NoError(t, err, c.at)
		} else {
			require.ErrorIs(t, err, domain.ErrSession, c.at)
		}
	}
}

func TestBuiltinRefusesForgeries(t *testing.T) {
	clock := newStanding()
	b := newBuiltinAt(clock)
	good := only.Value(b.Issue("asha@shop.example", "account-1", time.Hour))(t)
	parts := strings.Split(good, ".")

	claims := func(change func(*builtinClaims)) builtinClaims {
		c := builtinClaims{Claims: jwt.Claims{Issuer: selfIssuer, Audience: jwt.Audience{selfAudience},
			IssuedAt: jwt.NewNumericDate(clock.now), Expiry: jwt.NewNumericDate(clock.now.Add(time.Hour))},
			Email: "asha@shop.example", EmailVerified: true}
		change(&c)
		return c
	}
	same := claims(func(*builtinClaims) {})
	key := b.keys[0][:]
	rsaKey := only.Value(rsa.GenerateKey(rand.Reader, 2048))(t)
	encode := base64.RawURLEncoding.EncodeToString

	for name, token := range map[string]string{
		"nothing":              "",
		"no token":             "asha@shop.example",
		"no signature":         parts[0] + "." + parts[1] + ".",
		"alg none":             encode([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + parts[1] + ".",
		"changed claims":       parts[0] + "." + encode([]byte(`{"email":"ravi@shop.example","email_verified":true}`)) + "." + parts[2],
		"changed signature":    parts[0] + "." + parts[1] + "." + flipped(parts[2]),
		"another secret":       signed(t, jose.HS256, append([]byte{9}, key[1:]...), same),
		"another algorithm":    signed(t, jose.HS512, append(key, key...), same),
		"RSA":                  signed(t, jose.RS256, rsaKey, same),
		"another issuer":       signed(t, jose.HS256, key, claims(func(c *builtinClaims) { c.Issuer = "https://login.example" })),
		"no issuer":            signed(t, jose.HS256, key, claims(func(c *builtinClaims) { c.Issuer = "" })),
		"another audience":     signed(t, jose.HS256, key, claims(func(c *builtinClaims) { c.Audience = jwt.Audience{"milaan"} })),
		"no audience":          signed(t, jose.HS256, key, claims(func(c *builtinClaims) { c.Audience = nil })),
		"never expires":        signed(t, jose.HS256, key, claims(func(c *builtinClaims) { c.Expiry = nil })),
		"not yet":              signed(t, jose.HS256, key, claims(func(c *builtinClaims) { c.NotBefore = jwt.NewNumericDate(clock.now.Add(time.Hour)) })),
		"issued in the future": signed(t, jose.HS256, key, claims(func(c *builtinClaims) { c.IssuedAt = jwt.NewNumericDate(clock.now.Add(time.Hour)) })),
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, only.Err(b.Verify(t.Context(), token)), domain.ErrSession)
		})
	}
	require.NoError(t, only.Err(b.Verify(t.Context(), signed(t, jose.HS256, key, same))), "the forgeries fail for what is forged")
}

func TestWithOIDCTheBuiltinIssuerIsOff(t *testing.T) {
	clock := newStanding()
	own := New(config.Identity{}, subkeys(1), clock.time)
	require.False(t, own.Provider.Enabled())
	token := only.Value(own.Links.Issue("asha@shop.example", "account-1", time.Hour))(t)
	require.NoError(t, only.Err(own.Verify(t.Context(), token)))
	link := only.Value(own.Links.IssueLink("asha@shop.example", ""))(t)

	provided := New(config.Identity{OIDCIssuer: "https://login.example", OIDCAudience: "milaan"}, subkeys(1), clock.time)
	away, cancel := context.WithCancel(t.Context())
	cancel()
	require.Error(t, only.Err(provided.Verify(away, token)), "a token of the built-in issuer is not accepted without asking the provider")
	require.False(t, provided.Provider.Enabled(), "the service is no client of the provider")
	require.ErrorIs(t, only.Err(provided.Links.VerifyLink(link)), domain.ErrLink)
	require.ErrorIs(t, only.Err(provided.Links.IssueLink("asha@shop.example", "")), domain.ErrSession)
	_, err := provided.Links.Issue("asha@shop.example", "account-1", time.Hour)
	require.Equal(t, &domain.Error{Kind: domain.KindConflict, Code: domain.CodeSession, Detail: domain.DetailElsewhere, Value: "https://login.example"}, err)
}

func signed(t *testing.T, algorithm jose.SignatureAlgorithm, key, claims any) string {
	t.Helper()
	signer := only.Value(jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, nil))(t)
	return only.Value(jwt.Signed(signer).Claims(claims).Serialize())(t)
}

// flipped changes the first character of a signature.
func flipped(signature string) string {
	if signature[0] == 'A' {
		return "B" + signature[1:]
	}
	return "A" + signature[1:]
}
