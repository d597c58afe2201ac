package identity

import (
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func TestALinkNamesItsAccountForTenMinutes(t *testing.T) {
	clock := newStanding()
	b := newBuiltinAt(clock)
	link := only.Value(b.IssueLink("asha@shop.example", "account-1"))(t)
	other := only.Value(b.IssueLink("asha@shop.example", "account-1"))(t)
	issued := clock.now
	said, err := newBuiltinAt(clock).VerifyLink(link)
	require.NoError(t, err, "another instance accepts it")
	require.Equal(t, ports.SignInLink{Email: "asha@shop.example", AccountID: "account-1", ID: said.ID, Until: said.Until}, said)
	require.NotEqual(t, said.ID, only.Value(b.VerifyLink(other))(t).ID)
	former, err := b.VerifyLink(signed(t, jose.HS256, b.keys[0][:], jwt.Claims{Issuer: selfIssuer, Audience: jwt.Audience{linkAudience}, Subject: "asha@shop.example", ID: "1",
		Expiry: jwt.NewNumericDate(clock.now.Add(time.Minute))}))
	require.NoError(t, err, "an earlier version has made it")
	require.Empty(t, former.AccountID)

	for _, c := range []struct {
		at   time.Duration
		good bool
	}{
		{-leeway - time.Second, false}, {-leeway, true}, {10 * time.Minute, true}, {10*time.Minute + leeway, true}, {10*time.Minute + leeway + time.Second, false},
	} {
		clock.now = issued.Add(c.at)
		_, err := b.VerifyLink(link)
		if !c.good {
			require.ErrorIs(t, err, domain.ErrLink, c.at)
			continue
		}
		require.NoError(t, err, c.at)
		require.True(t, said.Until.After(clock.now.Add(domain.ClockSkew)), "its id is remembered as long as any instance accepts it")
	}
}

func TestLinksWhileTheSecretIsChanged(t *testing.T) {
	clock := newStanding()
	const old, fresh, strange = 1, 2, 3
	for _, c := range []struct {
		issuer, verifier several
		good             bool
	}{
		{several{old}, several{old, fresh}, true}, {several{old}, several{fresh, old}, true}, {several{fresh, old}, several{old, fresh}, true},
		{several{old}, several{fresh}, false}, {several{strange}, several{fresh, old}, false},
	} {
		link := only.Value(NewBuiltin(c.issuer, clock.time).IssueLink("asha@shop.example", "account-1"))(t)
		_, err := NewBuiltin(c.verifier, clock.time).VerifyLink(link)
		require.Equal(t, c.good, err == nil)
	}
}

func TestForgedLinksAreRefused(t *testing.T) {
	clock := newStanding()
	b := newBuiltinAt(clock)
	key := b.keys[0][:]
	claims := func(change func(*jwt.Claims)) jwt.Claims {
		c := jwt.Claims{Issuer: selfIssuer, Audience: jwt.Audience{linkAudience}, Subject: "asha@shop.example", ID: "1",
			IssuedAt: jwt.NewNumericDate(clock.now), Expiry: jwt.NewNumericDate(clock.now.Add(time.Minute))}
		change(&c)
		return c
	}
	same := claims(func(*jwt.Claims) {})
	session := only.Value(b.Issue("asha@shop.example", "account-1", time.Hour))(t)
	for name, token := range map[string]string{
		"nothing":          "",
		"a session token":  session,
		"another secret":   signed(t, jose.HS256, append([]byte{9}, key[1:]...), same),
		"another issuer":   signed(t, jose.HS256, key, claims(func(c *jwt.Claims) { c.Issuer = "https://login.example" })),
		"another audience": signed(t, jose.HS256, key, claims(func(c *jwt.Claims) { c.Audience = jwt.Audience{selfAudience} })),
		"no id":            signed(t, jose.HS256, key, claims(func(c *jwt.Claims) { c.ID = "" })),
		"no end":           signed(t, jose.HS256, key, claims(func(c *jwt.Claims) { c.Expiry = nil })),
		"not yet":          signed(t, jose.HS256, key, claims(func(c *jwt.Claims) { c.NotBefore = jwt.NewNumericDate(clock.now.Add(time.Minute)) })),
	} {
		t.Run(name, func(t *testing.T) {
			require.ErrorIs(t, only.Err(b.VerifyLink(token)), domain.ErrLink)
		})
	}
	good := signed(t, jose.HS256, key, same)
	require.NoError(t, only.Err(b.VerifyLink(good)), "the forgeries fail for what is forged")
	require.ErrorIs(t, only.Err(b.Verify(t.Context(), good)), domain.ErrSession, "a link is no session token")
}
