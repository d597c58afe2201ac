package ports

import (
	"context"
	"milaan/domain"
	"time"
)

// ChoosingMails is what people choose of mails: in the dashboard, on the command line, and from a
// link in a mail, without a session.
type ChoosingMails interface {
	// Choice says which mails the account wants, and whether the service sends any.
	Choice(ctx context.Context, accountID string) (choice domain.MailChoice, enabled bool, err error)
	// Choose replaces the choice. It returns domain.ErrNoAccount.
	Choose(ctx context.Context, accountID string, choice domain.MailChoice) error
	// CheckLink returns the e-mail address, shortened so that only its owner recognises it, and
	// whether the token ends digests or else alerts. It returns domain.ErrMailLink for a token
	// that is not ours.
	CheckLink(ctx context.Context, token string) (email string, digests bool, err error)
	// Unsubscribe ends the mails. It may be repeated. It returns domain.ErrMailLink.
	Unsubscribe(ctx context.Context, token string) error
}

// Mails stores which mails are to be sent, and which the accounts want.
type Mails interface {
	// Add stores a mail and adds its job, unless the account has one of the same kind,
	// connection and period, or does not want it. added says whether it was stored.
	Add(ctx context.Context, m domain.Mail) (added bool, err error)
	// Find returns a mail and its account. It returns domain.ErrNothingToDo if it is
	// unknown, has been sent, or the account does not want it any more.
	Find(ctx context.Context, id string) (domain.Mail, domain.Account, error)
	// Sent stores when a mail was sent. It may be repeated.
	Sent(ctx context.Context, id string, at time.Time) error
	// Choice returns which mails an account wants.
	Choice(ctx context.Context, accountID string) (domain.MailChoice, error)
	// Choose alters it in one transaction: change gets the stored choice, and nobody else
	// changes it until change has been stored. change may be called again. It returns
	// domain.ErrNoAccount.
	Choose(ctx context.Context, accountID string, change func(*domain.MailChoice)) error
}

// Alarms finds what accounts must be told of.
type Alarms interface {
	// Connections lists connections that are not paused, of accounts whose subscription is
	// active and whose plan has the autopilot, sorted by id.
	Connections(ctx context.Context, q AlarmQuery) ([]WatchedConnection, error)
	// Watched returns one of them, or domain.ErrNoConnection.
	Watched(ctx context.Context, accountID, id string) (WatchedConnection, error)
	// OfAccount lists those of an account.
	OfAccount(ctx context.Context, accountID string) ([]WatchedConnection, error)
	// RunsBetween lists the runs of an account, of any source, in a span of time, latest
	// first, at most limit.
	RunsBetween(ctx context.Context, accountID string, from, to time.Time, limit int) ([]domain.Run, error)
}

// AlarmQuery says which connections are asked for. Zero times ask for all.
type AlarmQuery struct {
	EndedSince    time.Time // the last pass ended at or after
	FailingBefore time.Time // or it has been failing since before
	After         string    // the id of the last connection of the page before
	Limit         int       // at most
}

// WatchedConnection is a connection as alarms need it, without its settings.
type WatchedConnection struct {
	Connection domain.Connection // its Shop and Sources have no Settings
	Last       domain.PassResult // of the last pass that did not fail; zero: none
}

// MailText returns the subject of a mail, one line, and its text.
type MailText func(c MailContent) (subject, text string)

// MailContent is what a mail says, as values.
type MailContent struct {
	Kind       domain.MailKind
	At         time.Time
	Base       string            // address of the service, without a path; blank: not known
	Connection domain.Connection // of an alert
	Result     domain.PassResult // of an alert: of the last pass that did not fail
	Week       []domain.BrandWeek
	Invitation *MailedInvitation // of an invitation
}

// MailedInvitation is what the mail to somebody who is invited says.
type MailedInvitation struct {
	Account string // e-mail address of the account
	Role    domain.MemberRole
	Link    string
	Until   time.Time
}

// Mailer sends mails.
type Mailer interface {
	// Enabled says whether the operator has set a server.
	Enabled() bool
	// Send hands a message to the server. Its errors have nothing of the message.
	Send(ctx context.Context, m Message) error
}

// Message is a mail that is to be sent.
type Message struct {
	ID          string // UUID of the domain.Mail: the Message-ID is made from it alone
	To          string
	Subject     string
	Text        string // lines end in \n; none is longer than 900 bytes
	Unsubscribe string // https:// address that ends these mails with one POST (RFC 8058)
	At          time.Time
}

// BaseURL is the address by which people reach the service, without a path; blank: not
// known.
type BaseURL string
