package domain

import (
	"crypto/sha256"
	"time"
)

// SessionLimit is how long a session lasts at most, and SessionIdle how long it lasts
// without a request.
const (
	SessionLimit = 30 * 24 * time.Hour
	SessionIdle  = 7 * 24 * time.Hour
)

// SignInLinkLimit is how long a sign-in link can be used.
const SignInLinkLimit = 10 * time.Minute

// SessionHash is the SHA-256 of a session's secret. The service stores this hash and
// never the secret.
type SessionHash [sha256.Size]byte

// HashSession returns the hash of a session's secret.
func HashSession(secret string) SessionHash { return sha256.Sum256([]byte(secret)) }

// Session is a browser in which a person has signed in for an account.
type Session struct {
	ID        string // UUID
	AccountID string
	Hash      SessionHash
	CreatedAt time.Time
	UsedAt    time.Time // the last request, exact to some minutes
	MemberID  string    // the person's, as a member; blank: the person has the account's own address
	// Confined says that the session cannot go on to another account of its person: it began
	// with the link of an invitation, which others have seen too.
	Confined bool
}

// EndsAt returns when the session ends if it is not used again.
func (s Session) EndsAt() time.Time {
	end, idle := s.CreatedAt.Add(SessionLimit), s.UsedAt.Add(SessionIdle)
	if idle.Before(end) {
		return idle
	}
	return end
}
