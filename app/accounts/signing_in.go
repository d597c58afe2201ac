package accounts

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"
	"time"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// touchAfter is how old the stored time of a session's last use may become. A session is
// so stored at most once in this time, and not with each request.
const touchAfter = 5 * time.Minute

// SigningIn signs people in to the dashboard, and lets programs and the command line act for them.
type SigningIn struct {
	fx.In

	Accounts    ports.Accounts
	People      ports.People
	Invitations ports.Invitations
	Sessions    ports.SessionStore
	Verify      ports.VerifySession
	Links       ports.LinkIssuer
	Ways        ports.SignInWays
	Managing    Managing          // of keys
	Windows     ports.RateWindows // count for all instances of the service
	Names       ports.Pseudonyms  // keep addresses out of them
	Events      ports.SecurityEvents
	Refusals    admission.Refusals
	Clock       ports.Clock
}

func (s *SigningIn) CountSignIn(ctx context.Context, client string) error {
	return admission.Count(ctx, s.Windows, admission.SignIns.Of(s.Names.Of(client)), domain.SignInRate, s.Clock)
}

func (s *SigningIn) Redeem(ctx context.Context, link, address string) (ports.NewSession, error) {
	said, err := s.Links.VerifyLink(link)
	if err != nil {
		return ports.NewSession{}, err
	}
	all, err := s.People.WorksFor(ctx, said.Email)
	if err == nil && len(all) == 0 {
		err = domain.ErrSetup
	}
	if err != nil {
		return ports.NewSession{}, err
	}
	account := chooseAccount(all)
	if said.AccountID != "" {
		at := slices.IndexFunc(all, func(m ports.Membership) bool { return m.Account.ID == said.AccountID })
		if at < 0 {
			return ports.NewSession{}, domain.ErrLink // they do not work for it any more
		}
		account = all[at]
	}
	session, err := s.begin(ctx, account, said.Email, "link", address, said)
	if errors.Is(err, domain.ErrSession) {
		s.Refusals.Add(ctx, domain.SecurityEvent{AccountID: account.Account.ID, Kind: domain.SecuritySignInRefused, Detail: "link",
			Whom: said.Email, By: domain.Actor{Way: domain.WayDashboard, Address: address}})
		err = domain.ErrLink.Caused(err)
	}
	return session, err
}

func (s *SigningIn) Admit(ctx context.Context, a ports.Arrival) (ports.NewSession, error) {
	if a.Invitation != "" {
		email, err := verifiedAddress(a.Identity)
		if err != nil {
			return ports.NewSession{}, err
		}
		return s.acceptAs(ctx, a.Invitation, email, a.Identity.Provider, a.Address)
	}
	email, all, err := s.resolve(ctx, a.Identity)
	if err == nil {
		event := admission.NewEvent(domain.SecurityEvent{At: s.Clock(), Kind: domain.SecurityAccount, By: actorOf(email, a)})
		err = s.markPhone(ctx, a.Identity, all, event)
	}
	if err == nil && (len(all) == 0 || s.Ways.SignUp && len(provenOf(all)) == 0) {
		all, err = s.signUp(ctx, email, a)
	}
	if err != nil {
		return ports.NewSession{}, err
	}
	return s.begin(ctx, chooseAccount(all), email, a.Identity.Provider, a.Address, ports.SignInLink{})
}

// signUp makes an account for a person who works for none. What it lacks is said in the
// dashboard, where it is completed. Of many sign-ins at once, one makes the account and all
// sign in.
func (s *SigningIn) signUp(ctx context.Context, email string, a ports.Arrival) ([]ports.Membership, error) {
	if !s.Ways.SignUp {
		return nil, domain.ErrSetup
	}
	now := s.Clock()
	account := domain.NewAccount(ids.New(), email, now)
	account.PhoneVerified = a.Identity.PhoneVerified
	if err := account.Validate(domain.DayOf(now)); err != nil {
		return nil, err
	}
	event := admission.NewEvent(domain.SecurityEvent{AccountID: account.ID, At: now, Kind: domain.SecuritySignedUp,
		Detail: a.Identity.Provider, By: actorOf(email, a)})
	err := s.Accounts.SignUp(ctx, account, admission.SignUps.Of(s.Names.Of(a.Client)), domain.SignUpRate, domain.AllSignUpsRate, event)
	if err != nil && !errors.Is(err, domain.ErrAccountTaken) {
		return nil, err
	}
	all, err := s.People.WorksFor(ctx, email)
	if err == nil && len(all) == 0 {
		err = domain.ErrSetup // it was closed meanwhile
	}
	return all, err
}

// actorOf is a person whom the identity provider has sent back.
func actorOf(email string, a ports.Arrival) domain.Actor {
	return domain.Actor{Way: domain.WayDashboard, Name: email, Address: a.Address}
}

// begin stores a new session. through is the detail of its event; link is the one that it was
// begun with, if any.
func (s *SigningIn) begin(
	ctx context.Context, m ports.Membership, email, through, address string, link ports.SignInLink,
) (ports.NewSession, error) {
	made := newSession(m, email, s.Clock())
	if err := s.Sessions.Begin(ctx, made.Session, link.ID, link.Until, signedInEvent(made, through, address)); err != nil {
		return ports.NewSession{}, err
	}
	return made, nil
}

// Check finds the session with a secret. A text that cannot be a secret is refused without
// a query.
func (s *SigningIn) Check(ctx context.Context, secret string) (ports.SignedIn, error) {
	if bytes, err := base64.RawURLEncoding.Strict().DecodeString(secret); err != nil || len(bytes) != len(ids.Secret()) {
		return ports.SignedIn{}, domain.ErrSession
	}
	hash := domain.HashSession(secret)
	found, err := s.Sessions.Find(ctx, hash)
	if err != nil {
		return ports.SignedIn{}, err
	}
	now := s.Clock()
	if !domain.SameHash(found.Session.Hash, hash) || !now.Before(found.Session.EndsAt()) {
		return ports.SignedIn{}, domain.ErrSession
	}
	if now.Sub(found.Session.UsedAt) >= touchAfter {
		if err := s.Sessions.Touch(ctx, found.Session.ID, now); err != nil {
			return ports.SignedIn{}, err
		}
		found.Session.UsedAt = now
	}
	return found, nil
}

func (s *SigningIn) SignOut(ctx context.Context, session domain.Session) error {
	return s.Sessions.End(ctx, session.AccountID, session.ID)
}

// SignOutEverywhere ends the sessions of a person, or of all people of an account. A confined
// session is no proof of who its person is: it ends only theirs for its account.
func (s *SigningIn) SignOutEverywhere(ctx context.Context, of ports.SignedIn, everybody bool, by domain.Actor) error {
	scope := ports.SessionScope{Email: of.Email, Anywhere: !of.Session.Confined}
	if everybody {
		if !of.Role.May(domain.Owner) {
			return domain.ErrRole
		}
		scope = ports.SessionScope{}
	}
	_, err := s.Sessions.EndAll(ctx, of.Account.ID, scope, domain.SecurityEvent{
		ID: ids.New(), AccountID: of.Account.ID, At: s.Clock(), Kind: domain.SecuritySignedOut, By: by,
	})
	return err
}

// Link makes the token of a sign-in link. The account's security log has it before anybody
// can use it.
func (s *SigningIn) Link(ctx context.Context, email, account string) (string, error) {
	email, all, err := s.accountsOf(ctx, email)
	if err != nil {
		return "", err
	}
	meant := chooseAccount(all)
	if account != "" {
		if meant, err = namedAccount(all, account); err != nil {
			return "", err
		}
	}
	token, err := s.Links.IssueLink(email, meant.Account.ID)
	if err != nil {
		return "", err
	}
	event := admission.NewEvent(domain.SecurityEvent{AccountID: meant.Account.ID, At: s.Clock(), Kind: domain.SecuritySignInLink,
		Whom: email, By: domain.ByCommandLine})
	if err := s.Events.Add(ctx, event); err != nil {
		return "", err
	}
	return token, nil
}

// accountsOf lists the accounts of a person whose e-mail address is as a person writes it. It
// returns domain.ErrNoAccount if they work for none.
func (s *SigningIn) accountsOf(ctx context.Context, email string) (string, []ports.Membership, error) {
	email, err := domain.ParseEmail(email)
	if err != nil {
		return "", nil, err
	}
	all, err := s.People.WorksFor(ctx, email)
	if err == nil && len(all) == 0 {
		err = domain.ErrNoAccount
	}
	return email, all, err
}
