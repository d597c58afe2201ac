package accounts

import (
	"context"
	"encoding/base64"
	"time"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/hashing"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// InvitationTokens makes the tokens of invitations. A token is a keyed hash of the
// invitation's id: the mail with it can be written after the process that has made it has died,
// and nothing is stored from which it could be read.
type InvitationTokens struct {
	fx.In

	Subkeys ports.Subkeys
}

// tokens returns the tokens of an invitation by each of the service's secrets; the first one is
// that of a new invitation.
func (t *InvitationTokens) tokens(id string) []string {
	var all []string
	for _, key := range t.Subkeys.Subkeys("invitations") {
		sum := hashing.Keyed(key, "invitation", id, nil)
		all = append(all, base64.RawURLEncoding.EncodeToString(sum[:]))
	}
	return all
}

// Of returns the token of a stored invitation; blank if the service does not have the secret
// of its day any more.
func (t *InvitationTokens) Of(i domain.Invitation) string {
	for _, token := range t.tokens(i.ID) {
		if hash, err := domain.HashInvitation(token); err == nil && domain.SameHash(hash, i.Hash) {
			return token
		}
	}
	return ""
}

func (s *SigningIn) ShowInvitation(ctx context.Context, token string) (ports.Invited, error) {
	_, i, account, err := s.open(ctx, token)
	if err != nil {
		return ports.Invited{}, err
	}
	return ports.Invited{Account: account.Email, Email: i.Email, Role: i.Role, Until: i.Until}, nil
}

// AcceptInvitation gives a session, because where people sign in by links, an invitation's is one.
// The link has been shown to whoever made it, so it proves no address: the session is
// confined to the account, unless the person had one that proves it.
func (s *SigningIn) AcceptInvitation(ctx context.Context, token string, by *ports.SignedIn, address string) (ports.NewSession, error) {
	hash, i, account, err := s.open(ctx, token)
	if err != nil {
		return ports.NewSession{}, err
	}
	proven := by != nil && by.Email == i.Email && !by.Session.Confined
	if !proven && !s.Ways.Links {
		return ports.NewSession{}, domain.ErrSignedOut
	}
	return s.join(ctx, hash, i, account, arrival{"invitation", address, !proven})
}

// acceptAs accepts an invitation for a person whose address is proved.
func (s *SigningIn) acceptAs(ctx context.Context, token, email, provider, address string) (ports.NewSession, error) {
	hash, i, account, err := s.open(ctx, token)
	if err == nil && i.Email != email {
		s.Refusals.Add(ctx, domain.SecurityEvent{AccountID: account.ID, Kind: domain.SecuritySignInRefused, Detail: "invitation",
			Whom: i.Email, By: domain.Actor{Way: domain.WayDashboard, Name: email, Address: address}})
		err = domain.ErrInvited
	}
	if err != nil {
		return ports.NewSession{}, err
	}
	return s.join(ctx, hash, i, account, arrival{provider, address, false})
}

func (s *SigningIn) open(ctx context.Context, token string) (hash domain.InvitationHash, i domain.Invitation, a domain.Account, err error) {
	if hash, err = domain.HashInvitation(token); err != nil {
		return hash, i, a, err
	}
	i, a, err = s.Invitations.Find(ctx, hash)
	if err == nil && !i.Open(s.Clock()) {
		err = domain.ErrInvitation
	}
	return hash, i, a, err
}

// arrival is how somebody comes with an invitation.
type arrival struct {
	through, address string
	confined         bool
}

// join stores the member and their session.
func (s *SigningIn) join(
	ctx context.Context, hash domain.InvitationHash, i domain.Invitation, account domain.Account, a arrival,
) (ports.NewSession, error) {
	now := s.Clock()
	m := ports.Membership{Account: account, MemberID: ids.New(), Role: i.Role}
	made := newSession(m, i.Email, now)
	made.Session.Confined = a.confined
	signedIn := signedInEvent(made, a.through, a.address)
	if a.confined {
		signedIn.By.Way, signedIn.By.Name, signedIn.Whom = domain.WayInvitation, "", i.Email
	}
	added := admission.NewEvent(domain.SecurityEvent{AccountID: account.ID, At: now, Kind: domain.SecurityMemberAdded, By: signedIn.By})
	if err := s.Invitations.Accept(ctx, hash, m.MemberID, made.Session, added, signedIn); err != nil {
		return ports.NewSession{}, err
	}
	return made, nil
}

// newSession makes a session of a person for an account, with a secret of its own.
func newSession(m ports.Membership, email string, now time.Time) ports.NewSession {
	bytes := ids.Secret()
	secret := base64.RawURLEncoding.EncodeToString(bytes[:])
	session := domain.Session{ID: ids.New(), AccountID: m.Account.ID, Hash: domain.HashSession(secret), CreatedAt: now, UsedAt: now,
		MemberID: m.MemberID}
	return ports.NewSession{SignedIn: ports.SignedIn{Session: session, Account: m.Account, Email: email, Role: m.Role}, Secret: secret}
}

// signedInEvent is the event of a session that begins. through is its detail.
func signedInEvent(s ports.NewSession, through, address string) domain.SecurityEvent {
	return admission.NewEvent(domain.SecurityEvent{AccountID: s.Account.ID, At: s.Session.CreatedAt, Kind: domain.SecuritySignedIn,
		Detail: through, By: domain.Actor{Way: domain.WayDashboard, Name: s.Email, Address: address}})
}
