package service

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/only"
)

// TestOpenID holds section 4.3 with an OpenID Connect provider: a real one, on
// loopback, whose tokens the test signs.
func TestOpenID(t *testing.T) {
	t.Parallel()
	provider := NewProvider(t)
	s := Start(t, Options{Settings: func(c *config.Config) {
		c.Identity = config.Identity{OIDCIssuer: provider.Issuer(), OIDCAudience: "milaan"}
	}})
	kid := only.Value(provider.Keypair.KeyID())(t)
	token := func(t *testing.T, email string, change func(map[string]any)) string {
		t.Helper()
		claims := map[string]any{"iss": provider.Issuer(), "aud": "milaan", "sub": "42", "iat": s.Clock.Now().Unix(),
			"exp": s.Clock.Now().Add(time.Hour).Unix(), "email": email, "email_verified": true}
		if change != nil {
			change(claims)
		}
		text := signed(t, jose.RS256, jose.JSONWebKey{Key: provider.Keypair.PrivateKey, KeyID: kid}, claims)
		s.secrets.Store(text, true)
		return text
	}
	set := func(claim string, value any) func(map[string]any) {
		return func(claims map[string]any) { claims[claim] = value }
	}

	t.Run("a session token of the provider issues a key", func(t *testing.T) {
		require.Equal(t, http.StatusOK, s.IssueKey(t, token(t, s.Account(t).Email, nil)).Status)
	})
	t.Run("a phone that the provider has verified opens the API", func(t *testing.T) {
		c := s.Account(t, func(a *domain.Account) { a.PhoneVerified = false })
		s.IssueKey(t, token(t, c.Email, nil)).Refused(t, 403, "phone_not_verified: ")
		s.IssueKey(t, token(t, c.Email, set("phone_number_verified", false))).Refused(t, 403, "phone_not_verified: ")
		require.Equal(t, http.StatusOK, s.IssueKey(t, token(t, c.Email, set("phone_number_verified", true))).Status)
		require.True(t, only.Value(s.Manage.Show(t.Context(), c.Email))(t).PhoneVerified)
		// Many providers say so of everybody; this one may have been verified by a code.
		require.Equal(t, http.StatusOK, s.IssueKey(t, token(t, c.Email, set("phone_number_verified", false))).Status)
	})
	t.Run("a token from before an account was closed is not for one that is made anew", func(t *testing.T) {
		c := s.Account(t)
		former := token(t, c.Email, set("phone_number_verified", true))
		require.Equal(t, http.StatusOK, s.IssueKey(t, former).Status)
		closing := s.Request(t, http.MethodDelete, "/account", strings.NewReader(`{"confirm":"`+c.Email+`"}`), "Content-Type", "application/json", "Authorization", "Bearer "+former)
		require.Equal(t, http.StatusNoContent, s.Do(t, closing).Status)
		s.Clock.Advance(time.Second)
		s.Account(t, func(a *domain.Account) { a.Email, a.PhoneVerified = c.Email, false })
		s.IssueKey(t, former).Refused(t, 401, "session token missing, malformed or expired")
		s.IssueKey(t, token(t, c.Email, func(claims map[string]any) { delete(claims, "iat") })).Refused(t, 401, "session token")
		s.IssueKey(t, token(t, c.Email, nil)).Refused(t, 403, "phone_not_verified: ")
	})
}
