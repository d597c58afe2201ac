package app

import (
	"context"
	"encoding/base64"
	"errors"
	"time"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// touchAfter is how old the stored time of a session's last use may become. A session is
// so stored at most once in this time, and not with each request.
const touchAfter = 5 * time.Minute

// SigningIn signs people in to the dashboard. It fills ports.SigningIn and
// ports.CountingSignIns.
type SigningIn struct {
	in SigningInParams
}

// SigningInParams are what NewSigningIn needs.
type SigningInParams struct {
	fx.In

	Accounts ports.Accounts
	Sessions ports.SessionStore
	Links    ports.LinkIssuer
	Windows  ports.RateWindows // count for all instances of the service
	Names    ports.Pseudonyms  // keep addresses out of them
	Clock    ports.Clock
}

// NewSigningIn makes the use case.
func NewSigningIn(p SigningInParams) *SigningIn { return &SigningIn{p} }

// CountSignIn counts an attempt towards the client's rate.
func (s *SigningIn) CountSignIn(ctx context.Context, client string) error {
	return count(ctx, s.in.Windows, "sign-in:"+s.in.Names.Of(client), domain.SignInRate, s.in.Clock)
}

// Redeem makes a session for the account of a sign-in link.
func (s *SigningIn) Redeem(ctx context.Context, link string) (ports.NewSession, error) {
	email, id, until, err := s.in.Links.VerifyLink(link)
	if err != nil {
		return ports.NewSession{}, err
	}
	account, err := knownAccount(ctx, s.in.Accounts, email)
	if err != nil {
		return ports.NewSession{}, err
	}
	session, err := s.begin(ctx, account, "link", id, until)
	if errors.Is(err, domain.ErrSession) {
		err = domain.ErrLink.Caused(err)
	}
	return session, err
}

// Admit makes a session for the account of a person whom the identity provider has
// identified.
func (s *SigningIn) Admit(ctx context.Context, identity ports.Identity) (ports.NewSession, error) {
	event := newEvent(domain.SecurityEvent{At: s.in.Clock(), Kind: domain.SecurityAccount, By: domain.ByDashboard})
	account, err := identifiedAccount(ctx, s.in.Accounts, identity, event)
	if err != nil {
		return ports.NewSession{}, err
	}
	return s.begin(ctx, account, identity.Provider, "", time.Time{})
}

// begin stores a new session with a secret of its own. by is the detail of its event.
func (s *SigningIn) begin(ctx context.Context, account domain.Account, by, linkID string, until time.Time) (ports.NewSession, error) {
	bytes, now := random(), s.in.Clock()
	secret := base64.RawURLEncoding.EncodeToString(bytes[:])
	session := domain.Session{ID: newID(), AccountID: account.ID, Hash: domain.HashSession(secret), CreatedAt: now, UsedAt: now}
	event := domain.SecurityEvent{ID: newID(), AccountID: account.ID, At: now, Kind: domain.SecuritySignedIn, Detail: by, By: domain.ByDashboard}
	if err := s.in.Sessions.Begin(ctx, session, linkID, until, event); err != nil {
		return ports.NewSession{}, err
	}
	return ports.NewSession{SignedIn: ports.SignedIn{Session: session, Account: account, Email: account.Email, Role: domain.Owner}, Secret: secret}, nil
}

// Check finds the session with a secret. A text that cannot be a secret is refused without
// a query.
func (s *SigningIn) Check(ctx context.Context, secret string) (ports.SignedIn, error) {
	if bytes, err := base64.RawURLEncoding.Strict().DecodeString(secret); err != nil || len(bytes) != len(random()) {
		return ports.SignedIn{}, domain.ErrSession
	}
	hash := domain.HashSession(secret)
	found, err := s.in.Sessions.Find(ctx, hash)
	if err != nil {
		return ports.SignedIn{}, err
	}
	now := s.in.Clock()
	if !found.Session.Hash.Equal(hash) || !now.Before(found.Session.EndsAt()) {
		return ports.SignedIn{}, domain.ErrSession
	}
	if now.Sub(found.Session.UsedAt) >= touchAfter {
		if err := s.in.Sessions.Touch(ctx, found.Session.ID, now); err != nil {
			return ports.SignedIn{}, err
		}
		found.Session.UsedAt = now
	}
	return found, nil
}

// SignOut ends a session.
func (s *SigningIn) SignOut(ctx context.Context, session domain.Session) error {
	return s.in.Sessions.End(ctx, session.AccountID, session.ID)
}

// SignOutEverywhere ends all sessions of an account.
func (s *SigningIn) SignOutEverywhere(ctx context.Context, accountID string, by domain.Way) error {
	_, err := s.in.Sessions.EndAll(ctx, accountID, domain.SecurityEvent{
		ID: newID(), AccountID: accountID, At: s.in.Clock(), Kind: domain.SecuritySignedOut, By: by,
	})
	return err
}

// MakingLinks makes sign-in links. It fills ports.MakingLinks.
type MakingLinks struct {
	in MakingLinksParams
}

// MakingLinksParams are what NewMakingLinks needs.
type MakingLinksParams struct {
	fx.In

	Accounts ports.Accounts
	Links    ports.LinkIssuer
	Events   ports.SecurityEvents
	Clock    ports.Clock
}

// NewMakingLinks makes the use case.
func NewMakingLinks(p MakingLinksParams) *MakingLinks { return &MakingLinks{p} }

// Link makes the token of a sign-in link. The account's security log has it before anybody
// can use it.
func (m *MakingLinks) Link(ctx context.Context, email string) (string, error) {
	account, err := accountOf(ctx, m.in.Accounts, email)
	if err != nil {
		return "", err
	}
	token, err := m.in.Links.IssueLink(account.Email)
	if err != nil {
		return "", err
	}
	event := newEvent(domain.SecurityEvent{AccountID: account.ID, At: m.in.Clock(), Kind: domain.SecuritySignInLink, By: domain.ByCommandLine})
	if err := m.in.Events.Add(ctx, event); err != nil {
		return "", err
	}
	return token, nil
}
