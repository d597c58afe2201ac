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
	})
}

// TestIssuingKeys holds who gets a key, and that nothing else is read of the request.
func TestIssuingKeys(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	t.Run("a session token that has ended gets none, nor does a link to sign in", func(t *testing.T) {
		c := s.Account(t)
		token := c.Session(t)
		s.IssueKey(t, c.link(t)).Refused(t, 401, "session token missing, malformed or expired")
		s.Clock.Advance(time.Hour + time.Minute)
		s.IssueKey(t, token).Refused(t, 401, "session token missing, malformed or expired")
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
