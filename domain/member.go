package domain

import (
	"crypto/sha256"
	"encoding/base64"
	"slices"
	"time"
)

// MemberRole is what a person may do for an account.
type MemberRole string

// The roles of members. Each may also do what the next one may.
const (
	Owner      MemberRole = "owner"      // everything
	Accountant MemberRole = "accountant" // runs, documents and reports, and what they need
	Reader     MemberRole = "reader"     // the history of runs
)

// MemberRoles are all roles, the one that may do most first.
var MemberRoles = []MemberRole{Owner, Accountant, Reader}

// May says whether a member of this role may do what a member of the role least may. A role
// that is not known may do nothing.
func (r MemberRole) May(least MemberRole) bool {
	own, needed := slices.Index(MemberRoles, r), slices.Index(MemberRoles, least)
	return own >= 0 && own <= needed
}

// ParseMemberRole returns the role with a name. It returns an *Error with CodeField if there is
// none.
func ParseMemberRole(name string) (MemberRole, error) {
	role := MemberRole(name)
	if slices.Contains(MemberRoles, role) {
		return role, nil
	}
	options := make([]string, len(MemberRoles))
	for i, r := range MemberRoles {
		options[i] = string(r)
	}
	return "", Faults{{Field: FieldMemberRole, Rule: RuleOneOf, Options: options}}.Err()
}

// Member is a person who may sign in for an account besides the person who has the account's
// own address. That one is always an owner, and is no Member.
type Member struct {
	ID      string // UUID
	Email   string // as ParseEmail returns it; one member of the account has it
	Role    MemberRole
	AddedAt time.Time
}

const (
	// MaxPeople is how many members and open invitations an account has together at most.
	MaxPeople = 50
	// MaxInvitations is how many invitations an account makes in InvitationSpan at most. Each
	// may send a mail to somebody who does not know the account.
	MaxInvitations = 20
	// InvitationSpan is the time in which an account makes MaxInvitations.
	InvitationSpan = 24 * time.Hour
	// InvitationLimit is how long an invitation is open.
	InvitationLimit = 7 * 24 * time.Hour
)

// InvitationHash is the SHA-256 of an invitation's token. The service stores this hash and
// never the token.
type InvitationHash [sha256.Size]byte

// HashInvitation returns the hash of a token. It returns ErrInvitation, without hashing it,
// for a text that cannot be a token.
func HashInvitation(token string) (InvitationHash, error) {
	bytes, err := base64.RawURLEncoding.Strict().DecodeString(token)
	if err != nil || len(bytes) != sha256.Size {
		return InvitationHash{}, ErrInvitation
	}
	return sha256.Sum256([]byte(token)), nil
}

// Invitation is a link by which one person becomes a member of an account, once. It is open
// until it is accepted or withdrawn, or its time is over.
type Invitation struct {
	ID        string // UUID
	AccountID string
	Email     string // of who is invited, as ParseEmail returns it
	Role      MemberRole
	Hash      InvitationHash
	MadeAt    time.Time
	Until     time.Time
}

// Open says whether the invitation can be accepted, if it is stored.
func (i Invitation) Open(now time.Time) bool { return now.Before(i.Until) }
