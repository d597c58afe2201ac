package ports

import (
	"context"
	"milaan/domain"
	"time"
)

// SigningIn signs people in to the dashboard, and lets programs and the command line act for
// them: by session tokens, sign-in links, and keys.
type SigningIn interface {
	// Redeem makes a session for the account that a sign-in link names. A link can be
	// redeemed once. Redeem returns domain.ErrLink for a link that was redeemed before,
	// has expired or is not ours, and domain.ErrSetup if there is no such account. Of a link that
	// was redeemed before, the account's security log says so. address is the client's, here and
	// below, for that log.
	Redeem(ctx context.Context, link, address string) (NewSession, error)
	// Admit makes a session for a person whom the identity provider has identified: for the
	// account that the invitation is of or, without one, the account that the person used
	// last, or else their own. If they work for none, Admit makes an account where people sign
	// up. It returns domain.ErrSetup if there is no account or the e-mail address is not
	// verified, domain.ErrInvitation, domain.ErrInvited, domain.ErrSignUps, and an error with
	// CodeRate over domain.SignUpRate.
	Admit(ctx context.Context, a Arrival) (NewSession, error)
	// Check returns the session with a secret, and its account. It returns
	// domain.ErrSession if there is none, or it has ended.
	Check(ctx context.Context, secret string) (SignedIn, error)
	// SignOut ends a session. It may be repeated.
	SignOut(ctx context.Context, session domain.Session) error
	// SignOutEverywhere ends the person's own sessions or, if everybody is set, all sessions
	// of the account, for which domain.ErrRole is returned to who is no owner. It returns
	// domain.ErrNoAccount.
	SignOutEverywhere(ctx context.Context, s SignedIn, everybody bool, by domain.Actor) error
	// Identify returns the account that a person who has a session token means, and their
	// role there: of their accounts the one with the e-mail address account or, if that is
	// blank, their own, or else the only one of which they are a proven owner. It returns
	// domain.ErrSession, also for an account that was made after the token was issued,
	// ErrKeyAsSession, ErrNotMember, ErrWhichAccount, or ErrSetup if they
	// work for no account or their e-mail address is not verified.
	Identify(ctx context.Context, token, account, address string) (SignedIn, error)
	// CountSignIn counts an attempt of a client. client is what distinguishes clients,
	// such as an address; only a keyed hash of it is stored. It returns an error with
	// CodeRate over domain.SignInRate, and the storage's error if the attempt cannot be
	// counted.
	CountSignIn(ctx context.Context, client string) error
	// AccountsOf lists the accounts that the session's person can go on to, its own among them.
	AccountsOf(ctx context.Context, s SignedIn) ([]Membership, error)
	// Switch makes a session for another one of them. It returns domain.ErrNotMember, and an
	// error with CodeRate over domain.ChangeRate, which counts for the person.
	Switch(ctx context.Context, s SignedIn, accountID string, by domain.Actor) (NewSession, error)
	// Leave ends the person's membership in the session's account. It returns
	// domain.ErrOwnAddress to who has the account's own address, and domain.ErrNoMember.
	Leave(ctx context.Context, s SignedIn, by domain.Actor) error
	// ShowInvitation returns domain.ErrInvitation if no open invitation has the token.
	ShowInvitation(ctx context.Context, token string) (Invited, error)
	// AcceptInvitation makes a member of who is invited, and a session for them. by is the session of
	// the browser, or nil. Where an identity provider signs people in, by must be a session of
	// the very address that is invited: otherwise it returns domain.ErrSignedOut, and
	// Admit accepts the invitation. It returns domain.ErrInvitation.
	AcceptInvitation(ctx context.Context, token string, by *SignedIn, address string) (NewSession, error)
	// Link makes the token of a sign-in link for a person, and for the account with the e-mail
	// address account or, if that is blank, the one that they used last, or else their own. It
	// returns domain.ErrNoAccount, ErrNotMember, an error with CodeField, or an error with
	// CodeSession if an identity provider signs people in.
	Link(ctx context.Context, email, account string) (token string, err error)
	// Session makes a session token of the built-in issuer for a person. The security log of each
	// of their accounts has it. It returns ErrNoAccount, or an error with CodeField.
	Session(ctx context.Context, email string, ttl time.Duration) (string, error)
	// IssueKey makes a key of a kind for the account that Identify finds and deactivates the
	// former key of that kind in the same transaction. It returns the errors of Identify,
	// ErrRole, ErrPhone; of a live key, ErrSubscription and ErrPlan; of a sandbox key,
	// ErrNoSandbox; or an error with CodeRate that says how long to wait. Each call that
	// passes the other checks counts towards that rate. Each call makes another key. With an
	// error there is no key, but AccountID is set if the account is known.
	IssueKey(ctx context.Context, sessionToken, account, address string, kind domain.KeyKind) (IssuedKey, error)
}

// SignedIn is a session whose secret was presented, and its account and its person's role as
// they are stored now.
type SignedIn struct {
	Session domain.Session // the zero Session, if a session token was presented
	Account domain.Account
	Email   string // the person's
	Role    domain.MemberRole
}

// NewSession is a session that was just made. Secret exists only here.
type NewSession struct {
	SignedIn
	Secret string
}

// Arrival is what is known of a person whom the identity provider has sent back.
type Arrival struct {
	Identity   Identity
	Client     string // what tells clients apart, such as an address
	Address    string // of the client, whole
	Invitation string // the token of the invitation that they accept; blank: none
}

// SignInWays says how people sign in, besides at an identity provider.
type SignInWays struct {
	Links  bool // by links that the service makes
	SignUp bool // a person whom the identity provider has identified makes an account
}

// SessionStore stores the sessions of browsers.
type SessionStore interface {
	// Begin stores a session and event, and remembers linkID, of a sign-in link that is
	// valid until a time, in one transaction. It returns domain.ErrSession if linkID is
	// remembered already: of any number of calls with one id, one succeeds. A blank linkID
	// is not remembered. Unless the session is confined, Begin also stores that its person
	// has used the account last, and is proven. It returns domain.ErrNoAccount, and
	// domain.ErrNotMember if the account has no member with the session's MemberID.
	Begin(ctx context.Context, s domain.Session, linkID string, until time.Time, event domain.SecurityEvent) error
	// Find returns the session with a hash, its account and the person's role as they are
	// stored now, or domain.ErrSession. The caller checks whether the session has ended by
	// time.
	Find(ctx context.Context, hash domain.SessionHash) (SignedIn, error)
	// Touch stores when a session was used, unless a later time is stored.
	Touch(ctx context.Context, id string, at time.Time) error
	// End deletes one session. It may be repeated.
	End(ctx context.Context, accountID, id string) error
	// EndAll deletes the sessions of a scope and returns how many. If it deleted any, it
	// stores event for the account in the same transaction, with their number as its detail.
	// It returns domain.ErrNoAccount.
	EndAll(ctx context.Context, accountID string, of SessionScope, event domain.SecurityEvent) (ended int, err error)
}

// SessionScope says which sessions are meant. The zero SessionScope stands for all sessions
// of the account.
type SessionScope struct {
	Email    string // only those of the person with this e-mail address
	Anywhere bool   // theirs for other accounts too
}

// LinkIssuer makes and checks the tokens of sign-in links.
type LinkIssuer interface {
	// IssueLink makes a token for a person and an account, which is valid for
	// domain.SignInLinkLimit and bears an id of its own.
	IssueLink(email, accountID string) (string, error)
	// VerifyLink returns what a token says. It returns domain.ErrLink for a token that is not
	// valid now.
	VerifyLink(token string) (SignInLink, error)
	// Issue makes a token for an e-mail address that counts as verified. It is valid for ttl,
	// and says that ownAccount is the id of the account with this address (blank: there is none).
	// Issue returns an error with CodeSession if another issuer signs session tokens.
	Issue(email, ownAccount string, ttl time.Duration) (string, error)
}

// SignInLink is what the token of a sign-in link says.
type SignInLink struct {
	Email     string // the person's
	AccountID string // blank: of a link that an earlier version has made
	ID        string
	Until     time.Time // until when a token with this id can be valid
}

// Identity is the person that a session token names.
type Identity struct {
	Email         string
	EmailVerified bool
	// PhoneVerified is whether the identity provider has verified the phone number. If it has
	// not, or does not say, the number may still have been verified in another way.
	PhoneVerified bool
	// IDToken is the provider's own token about the person, by which it knows them again when they
	// sign out; blank for a session token. It is personal data.
	IDToken string
	// IssuedAt is when the token was issued, exact to the second; the zero time: it does not say.
	IssuedAt time.Time
	// OwnAccount is the id of the account that the person's own address had when the token was
	// issued; blank: none, nil: the token does not say.
	OwnAccount *string
	// Provider is the host of the identity provider at which the person signed in; blank
	// for a session token.
	Provider string
}

// VerifySession checks a session token. It returns domain.ErrSession for one that is not valid
// now.
type VerifySession func(ctx context.Context, token string) (Identity, error)

// IdentityProvider signs people in by OpenID Connect, if a provider is set.
type IdentityProvider interface {
	// Enabled says whether a provider is set with which people can sign in.
	Enabled() bool
	// Begin returns the address at the provider to which the browser is sent, and what
	// Finish needs. redirect is the absolute address to which the provider sends back. It
	// returns an error of KindUnavailable if the provider does not answer.
	Begin(ctx context.Context, redirect, to string) (address string, pending PendingSignIn, err error)
	// Finish exchanges the code for an identity. It returns domain.ErrPerson if the
	// provider refuses, or what came back does not belong to pending, and an error of
	// KindUnavailable if the provider does not answer.
	Finish(ctx context.Context, redirect, code, state string, pending PendingSignIn) (Identity, error)
	// SignOut returns the address at the provider to which the browser is sent to end the
	// person's session there; blank if the provider has none. idToken is that of their Identity;
	// blank: not known, and the provider asks them. It sends the browser to redirect, without a
	// code. SignOut returns an error of KindUnavailable if the provider does not answer.
	SignOut(ctx context.Context, redirect, idToken string) (address string, err error)
}

// PendingSignIn is what must be kept of a sign-in at the identity provider until the
// person comes back. It is sealed in the person's browser.
type PendingSignIn struct {
	State, Nonce, Verifier string
	To                     string // path of the page that was asked for
	Invitation             string // token of the invitation that is accepted; blank: none
	Until                  time.Time
}
