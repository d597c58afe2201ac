package service

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestKeys holds what keys are and who gets them.
func TestKeys(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		t.Run("the answer is a live key and its prefix", func(t *testing.T) {
			c := s.Account(t)
			a := s.IssueKey(t, c.Session(t))
			issued := fields(t, a.Body)
			require.Len(t, issued, 2)
			key := issued["key"].(string)
			require.True(t, strings.HasPrefix(key, "milaan_live_"))
			require.Equal(t, key[:len("milaan_live_")+8], issued["prefix"])
			require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
			require.Equal(t, http.StatusOK, s.Reconcile(t, key, Small()).Status)
		})
		t.Run("only the SHA-256 of a key is stored", func(t *testing.T) {
			c := s.Customer(t)
			hash := sha256.Sum256([]byte(c.Key))
			query := "SELECT lower(hex(hash)), prefix FROM api_keys WHERE revoked_at_us IS NULL"
			if s.DatabaseURL != "" {
				query = "SELECT encode(hash, 'hex'), prefix FROM api_keys WHERE revoked_at_us IS NULL"
			}
			rows := s.Query(t, query)
			require.Contains(t, rows, []string{hex.EncodeToString(hash[:]), c.Key[:20]})
			s.databaseHoldsNone(t, []string{c.Key[20:]})
		})
		t.Run("a new key is the only one, and the old one dies at once", func(t *testing.T) {
			c := s.Customer(t)
			old := c.Key
			c.Run(t, Named(1))
			c.Rotate(t)
			require.NotEqual(t, old, c.Key)
			s.Reconcile(t, old, Named(2)).Refused(t, 401, "API key missing, malformed or expired")
			c.Run(t, Named(3))
		})
		t.Run("the sixth key within 60 s is refused, and nothing is blocked", func(t *testing.T) {
			c := s.Account(t)
			session := c.Session(t)
			for range 5 {
				c.Rotate(t)
				s.Clock.Advance(time.Second)
			}
			for _, wait := range []string{"55", "55", "54"} {
				a := s.IssueKey(t, session)
				a.Refused(t, 429, "Rate limit exceeded")
				require.Equal(t, wait, a.Header.Get("Retry-After"))
				s.Clock.Advance(500 * time.Millisecond)
			}
			c.Run(t, Small()) // with the fifth key, which stays
			s.Customer(t).Run(t, Small())
			s.Clock.Advance(53*time.Second + 499*time.Millisecond)
			require.Equal(t, "1", s.IssueKey(t, session).Header.Get("Retry-After"))
			s.Clock.Advance(time.Millisecond)
			c.Rotate(t)
			c.Run(t, Named("after"))
		})
		t.Run("what is refused earlier does not count towards the rate of keys", func(t *testing.T) {
			c := s.Account(t, func(a *domain.Account) { a.PhoneVerified = false })
			session := c.Session(t)
			for range 6 {
				s.IssueKey(t, session).Refused(t, 403, "phone_not_verified: ")
				s.Post(t, "/generate-api-key", session, nil, "Content-Type", "").Refused(t, 415, "Content-Type")
			}
			c.Change(t, func(a *domain.Account) { a.PhoneVerified, a.Subscription = true, domain.SubscriptionEnded })
			for range 6 {
				s.IssueKey(t, session).Refused(t, 403, "the account's subscription has ended")
			}
			c.Change(t, func(a *domain.Account) { a.Subscription = domain.SubscriptionActive })
			for range 5 {
				c.Rotate(t)
			}
			s.IssueKey(t, session).Refused(t, 429, "Rate limit exceeded")
		})
		t.Run("a new key inherits the window and the block of the one that it replaces", func(t *testing.T) {
			c := s.Customer(t)
			send := func() Answer { return s.Post(t, "/reconcile", c.Key, noJSON) }
			for i := range 10 {
				if i == 4 || i == 7 {
					c.Rotate(t)
				}
				send().Refused(t, 400, "the request body")
			}
			send().Refused(t, 429, "Rate limit exceeded")
			for range 2 { // nor do two rotations lift it
				c.Rotate(t)
				send().Refused(t, 429, "Rate limit exceeded")
			}
			s.Clock.Advance(5*time.Minute - time.Microsecond)
			c.Rotate(t)
			require.Equal(t, "1", send().Header.Get("Retry-After"))
			require.NoError(t, s.Housekeep.Sweep(t.Context()))
			send().Refused(t, 429, "Rate limit exceeded")
			s.Clock.Advance(time.Microsecond)
			send().Refused(t, 400, "the request body")
		})
		t.Run("a key revoked 30 days ago is deleted, and refused as before", func(t *testing.T) {
			c := s.Customer(t)
			old := c.Key
			c.Rotate(t)
			stored := func() int {
				return len(s.Query(t, "SELECT id FROM api_keys WHERE prefix = '"+old[:20]+"'"))
			}
			s.Clock.Advance(30 * 24 * time.Hour)
			require.NoError(t, s.Housekeep.Sweep(t.Context()))
			require.Equal(t, 1, stored())
			s.Reconcile(t, old, Small()).Refused(t, 401, "API key missing, malformed or expired")
			s.Clock.Advance(time.Microsecond)
			require.NoError(t, s.Housekeep.Sweep(t.Context()))
			require.Zero(t, stored())
			s.Reconcile(t, old, Small()).Refused(t, 401, "API key missing, malformed or expired")
			require.Equal(t, http.StatusOK, s.Reconcile(t, c.Key, Small()).Status)
		})
		t.Run("a key has access to all brands of its account", func(t *testing.T) {
			c := s.Customer(t)
			for _, brand := range []string{"one", "two", "three"} {
				require.Nil(t, c.Run(t, Named(brand)).Duplicate)
			}
		})
	})
}

// TestSessions holds who may issue keys, with the built-in issuer.
func TestSessions(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	const refused = "session token missing, malformed or expired"
	key := s.Subkeys.Subkeys("session tokens")[0]
	claims := func(email string, change func(map[string]any)) map[string]any {
		now := s.Clock.Now()
		m := map[string]any{"iss": "milaan", "aud": "milaan/generate-api-key", "sub": email, "iat": now.Unix(),
			"exp": now.Add(time.Hour).Unix(), "email": email, "email_verified": true}
		change(m)
		return m
	}
	unchanged := func(map[string]any) {}
	t.Run("a live key is rejected where keys are issued", func(t *testing.T) {
		c := s.Customer(t)
		s.IssueKey(t, c.Key).Refused(t, 401, "an API key cannot issue keys")
		s.IssueKey(t, "milaan_sandbox_x").Refused(t, 401, "an API key cannot issue keys")
		c.Run(t, Small())
	})
	t.Run("a session token is needed", func(t *testing.T) {
		c := s.Account(t)
		token := c.Session(t)
		header, rest, _ := strings.Cut(token, ".")
		for _, bad := range []string{"", "x", token + "x", header + "." + strings.ToUpper(rest), strings.TrimRight(token, token[len(token)-4:])} {
			a := s.IssueKey(t, bad)
			a.Refused(t, 401, refused)
			require.Equal(t, "Bearer", a.Header.Get("WWW-Authenticate"))
		}
		require.Equal(t, http.StatusOK, s.IssueKey(t, token).Status)
	})
	t.Run("a session token expires", func(t *testing.T) {
		c := s.Account(t)
		token := c.Session(t)
		s.Clock.Advance(time.Hour - time.Second)
		require.Equal(t, http.StatusOK, s.IssueKey(t, token).Status)
		s.Clock.Advance(time.Minute)
		s.IssueKey(t, token).Refused(t, 401, refused)
	})
	t.Run("a session token for somebody else, or from somebody else, is rejected", func(t *testing.T) {
		c := s.Account(t)
		good := claims(c.Email, unchanged)
		require.Equal(t, http.StatusOK, s.IssueKey(t, signed(t, jose.HS256, key[:], good)).Status, "what is forged below is good but for one thing")
		for name, change := range map[string]func(map[string]any){
			"another audience": func(m map[string]any) { m["aud"] = "milaan/elsewhere" },
			"no audience":      func(m map[string]any) { delete(m, "aud") },
			"another issuer":   func(m map[string]any) { m["iss"] = "elsewhere" },
			"no end":           func(m map[string]any) { delete(m, "exp") },
			"not yet":          func(m map[string]any) { m["nbf"] = s.Clock.Now().Add(time.Hour).Unix() },
		} {
			if a := s.IssueKey(t, signed(t, jose.HS256, key[:], claims(c.Email, change))); a.Status != http.StatusUnauthorized {
				t.Errorf("%s: got %d %s", name, a.Status, a.Body)
			}
		}
		other := s.Subkeys.Subkeys("something else")[0]
		s.IssueKey(t, signed(t, jose.HS256, other[:], good)).Refused(t, 401, refused)
		s.IssueKey(t, "eyJhbGciOiJub25lIn0."+strings.Split(signed(t, jose.HS256, key[:], good), ".")[1]+".").Refused(t, 401, refused)
	})
	t.Run("an unverified e-mail address or no account is an incomplete setup", func(t *testing.T) {
		c := s.Account(t)
		token := func(email string, verified bool) string {
			return signed(t, jose.HS256, key[:], claims(email, func(m map[string]any) { m["email_verified"] = verified }))
		}
		s.IssueKey(t, token(c.Email, false)).Refused(t, 403, "account setup incomplete")
		s.IssueKey(t, token("nobody@shop.example", true)).Refused(t, 403, "account setup incomplete")
		s.IssueKey(t, token("", true)).Refused(t, 403, "account setup incomplete")
		require.Equal(t, http.StatusOK, s.IssueKey(t, token(strings.ToUpper(c.Email), true)).Status, "addresses have no case")
	})
	t.Run("keys need an active Pro or Enterprise subscription", func(t *testing.T) {
		solo := s.Account(t, OnPlan(domain.Solo))
		s.IssueKey(t, solo.Session(t)).Refused(t, 403, "the account's plan has no API access")
		ended := s.Account(t, func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded })
		s.IssueKey(t, ended.Session(t)).Refused(t, 403, "the account's subscription has ended")
		s.Customer(t, OnPlan(domain.Enterprise)).Run(t, Small())
	})
	t.Run("there is no request body, and one that comes is not read", func(t *testing.T) {
		c := s.Account(t)
		require.Equal(t, http.StatusOK, s.Post(t, "/generate-api-key", c.Session(t), []byte(`{"email":"another@shop.example"}`)).Status)
		require.Equal(t, http.StatusOK, s.Post(t, "/generate-api-key", c.Session(t), noJSON).Status)
		for _, body := range [][]byte{nil, {}, []byte(`{}`)} { // {} is what the description has clients send
			require.Equal(t, http.StatusOK, s.Post(t, "/generate-api-key", c.Session(t), body).Status, string(body))
		}
	})
}

// signed makes a token with a key of the test's.
func signed(t *testing.T, algorithm jose.SignatureAlgorithm, key any, claims map[string]any) string {
	t.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: algorithm, Key: key}, (&jose.SignerOptions{}).WithType("JWT"))
	require.NoError(t, err)
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	require.NoError(t, err)
	return token
}
