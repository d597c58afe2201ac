package ports

import (
	"context"
	"milaan/domain"
	"time"
)

// ManagingPeople is what owners may do about the people of their account.
type ManagingPeople interface {
	// People lists the members and the open invitations.
	People(ctx context.Context, accountID string) (PeopleOf, error)
	// Invite makes an invitation, and sends it by mail if the service sends any. It returns
	// errors with CodeField and those of People.Invite.
	Invite(ctx context.Context, a domain.Account, email, role string, by domain.Actor) (NewInvitation, error)
	// ChangeRole changes the role of a member or of an open invitation. It holds from the
	// member's next request on. It returns errors with CodeField, and domain.ErrNoMember.
	ChangeRole(ctx context.Context, accountID, id, role string, by domain.Actor) error
	// Remove removes a member, whose sessions for the account end at once, or withdraws an
	// open invitation. It returns domain.ErrNoMember.
	Remove(ctx context.Context, accountID, id string, by domain.Actor) error
}

// PeopleOf is who works for an account and who is invited to.
type PeopleOf struct {
	Members     []domain.Member
	Invitations []domain.Invitation
}

// NewInvitation is an invitation that was just made. Token exists only here, and in the mail
// to who is invited.
type NewInvitation struct {
	domain.Invitation
	Token  string
	Mailed bool // a mail with the token is sent
}

// InvitationPage is where the link of an invitation leads; the token follows. It is behind #, so
// that browsers send it to no server by themselves, and no log has it.
const InvitationPage = "/app/invitation#token="

// Invited is what somebody with the link of an invitation may see before they accept it.
type Invited struct {
	Account string // its e-mail address
	Email   string // of who is invited
	Role    domain.MemberRole
	Until   time.Time
}

// Membership is an account that a person works for.
type Membership struct {
	Account  domain.Account
	MemberID string // blank: the account has the person's address
	Role     domain.MemberRole
	Last     bool // the account that the person used last; not set if they have used none
	// Proven says that the person has proved their address to the account: it is their own, or
	// they have had a session for it that is not confined. A member who has not may have been
	// made by somebody else, with the link of the invitation.
	Proven bool
}

// People stores who works for accounts besides their own addresses, and who is invited to.
// E-mail addresses are compared byte for byte, as in Accounts. What alters an account's people
// comes one after the other, in all processes.
type People interface {
	// WorksFor lists the accounts of a person: the one with their e-mail address first, then
	// by when they became members.
	WorksFor(ctx context.Context, email string) ([]Membership, error)
	// List lists an account's members by when they were added, and the invitations that are
	// open at a time, by when they were made.
	List(ctx context.Context, accountID string, now time.Time) ([]domain.Member, []domain.Invitation, error)
	// Invite stores an invitation and event and, unless it is the zero Mail, mail with its
	// job, in one transaction. It takes the place of an invitation of the same address. It
	// returns domain.ErrOwnAddress, ErrMemberExists, ErrPeople, ErrNoAccount, the error of
	// domain.ErrInvitations, and ErrUnsettled if it is not known whether the invitation was
	// stored, because the connection broke during the commit. The limits are exact, however many
	// callers invite at the same time.
	Invite(ctx context.Context, i domain.Invitation, event domain.SecurityEvent, mail domain.Mail) error
	// ChangeRole stores the role of a member or of an invitation that is open at the event's
	// time, and event, about that person, if that changed something. It returns
	// domain.ErrNoMember.
	ChangeRole(ctx context.Context, accountID, id string, role domain.MemberRole, event domain.SecurityEvent) error
	// Remove deletes a member with their sessions for the account, or an open invitation, and
	// stores the event of the two that fits, about that person, in one transaction, with the role as
	// its detail. It returns domain.ErrNoMember.
	Remove(ctx context.Context, accountID, id string, member, invitation domain.SecurityEvent) error
}

// Invitations finds invitations and makes members of them.
type Invitations interface {
	// Find returns the invitation with a hash and its account, or domain.ErrInvitation. The
	// caller checks whether it is open.
	Find(ctx context.Context, hash domain.InvitationHash) (domain.Invitation, domain.Account, error)
	// ByID returns domain.ErrInvitation if there is none.
	ByID(ctx context.Context, id string) (domain.Invitation, error)
	// Accept deletes the invitation with a hash, if it is open at the session's time, and
	// stores its person as a member with memberID, the session as the member's, and both
	// events, the first about that person with the role as its detail, in one transaction. Of any number of
	// calls for one invitation, one succeeds; the others return domain.ErrInvitation. Unless
	// the session is confined, the person has used the account last, and is proven.
	Accept(ctx context.Context, hash domain.InvitationHash, memberID string, session domain.Session, added,
		signedIn domain.SecurityEvent) error
}
