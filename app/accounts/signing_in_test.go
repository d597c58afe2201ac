package accounts_test

import (
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app/accounts"
	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// sessionsOf is storage with one session, if any, and how often it was asked.
type sessionsOf struct {
	ports.SessionStore
	ports.People
	ports.LinkIssuer
	ports.SecurityEvents

	account domain.Account
	found   ports.SignedIn
	begun   []domain.Session
	linkID  string
	finds   int
	fault   error
}

func (s *sessionsOf) Find(context.Context, domain.SessionHash) (ports.SignedIn, error) {
	s.finds++
	return s.found, s.fault
}

func (s *sessionsOf) Touch(context.Context, string, time.Time) error { return errAway }

func (s *sessionsOf) Begin(_ context.Context, session domain.Session, linkID string, _ time.Time, _ domain.SecurityEvent) error {
	s.begun, s.linkID = append(s.begun, session), linkID
	return s.fault
}

func (s *sessionsOf) WorksFor(_ context.Context, email string) ([]ports.Membership, error) {
	if email != s.account.Email {
		return nil, nil
	}
	return []ports.Membership{{Account: s.account, Role: domain.Owner, Proven: true}}, nil
}

func (*sessionsOf) IssueLink(string, string) (string, error) { return "a token", nil }

func (*sessionsOf) VerifyLink(token string) (ports.SignInLink, error) {
	return ports.SignInLink{Email: token, ID: "the id"}, nil
}

func (s *sessionsOf) Add(context.Context, domain.SecurityEvent) error { return s.fault }

var errAway = domain.ErrDatabase.Caused(errors.New("no route to db-7"))

func (s *sessionsOf) useCase(t *testing.T, now time.Time) *accounts.SigningIn {
	clock := func() time.Time { return now }
	refusals := admission.Refusals{Events: s, Windows: storage.New(t, s.account).Windows, Clock: clock, Log: slog.New(slog.DiscardHandler)}
	return &accounts.SigningIn{People: s, Sessions: s, Links: s, Refusals: refusals, Clock: clock}
}

func TestCheckingASession(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, time.November, 21, 10, 0, 0, 0, time.UTC)
	secret := base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("s", 32)))
	s := &sessionsOf{found: ports.SignedIn{Session: domain.Session{Hash: domain.HashSession(secret), CreatedAt: now, UsedAt: now}}}
	for _, odd := range []string{"", "x", secret + "A", secret[1:], secret[:42] + "!", secret[:42] + "\n", strings.Repeat("A", 1<<20)} {
		require.ErrorIs(t, only.Err(s.useCase(t, now).Check(t.Context(), odd)), domain.ErrSession)
	}
	require.Zero(t, s.finds, "what cannot be a secret costs no query")

	require.NoError(t, only.Err(s.useCase(t, now).Check(t.Context(), secret)))
	other := base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("o", 32)))
	require.ErrorIs(t, only.Err(s.useCase(t, now).Check(t.Context(), other)), domain.ErrSession, "the storage has found another session")
	require.ErrorIs(t, only.Err(s.useCase(t, now.Add(5*time.Minute)).Check(t.Context(), secret)), domain.ErrDatabase, "that it was used cannot be stored")
	s.fault = errAway
	require.ErrorIs(t, only.Err(s.useCase(t, now).Check(t.Context(), secret)), domain.ErrDatabase)
}

func TestRedeemingALink(t *testing.T) {
	t.Parallel()
	s := &sessionsOf{account: domain.Account{ID: "1", Email: "asha@shop.example"}}
	sign := s.useCase(t, time.Now())
	require.ErrorIs(t, only.Err(sign.Redeem(t.Context(), "nobody@shop.example", "")), domain.ErrSetup)
	require.Empty(t, s.begun)
	made, err := sign.Redeem(t.Context(), s.account.Email, "")
	require.NoError(t, err)
	require.Equal(t, "the id", s.linkID)
	require.Equal(t, domain.HashSession(made.Secret), s.begun[0].Hash)
	again := only.Value(sign.Redeem(t.Context(), s.account.Email, ""))(t)
	require.NotEqual(t, made.Secret, again.Secret)
	require.NotEqual(t, made.Session.ID, again.Session.ID)

	for fault, detail := range map[error]domain.Detail{domain.ErrSession: domain.DetailLink, errAway: ""} {
		s.fault = fault
		made, err = sign.Redeem(t.Context(), s.account.Email, "")
		shown, _ := errors.AsType[*domain.Error](err)
		require.Equal(t, detail, shown.Detail)
		require.Empty(t, made.Secret)
	}
}

func TestALinkIsLoggedBeforeItIsHandedOut(t *testing.T) {
	t.Parallel()
	s := &sessionsOf{account: domain.Account{ID: "1", Email: "asha@shop.example"}}
	links := &accounts.SigningIn{People: s, Links: s, Events: s, Clock: time.Now}
	token := only.Value(links.Link(t.Context(), " Asha@shop.example ", ""))(t)
	require.Equal(t, "a token", token)
	s.fault = errAway
	token, err := links.Link(t.Context(), s.account.Email, "")
	require.ErrorIs(t, err, domain.ErrDatabase)
	require.Empty(t, token)
	require.Error(t, only.Err(links.Link(t.Context(), "asha", "")))
	require.ErrorIs(t, only.Err(links.Link(t.Context(), "ravi@shop.example", "")), domain.ErrNoAccount)
}
