package domain

import "time"

// MailRetention is how long mails are remembered, so that none is sent twice.
const MailRetention = 400 * 24 * time.Hour

// MailKind says what a mail is about.
type MailKind string

// The kinds of mails.
const (
	MailDigest  MailKind = "digest"  // the runs of the week
	MailFailing MailKind = "failing" // passes have failed for FailingLimit
	MailStale   MailKind = "stale"   // a source has no newer date for StaleAfter
	MailAtRisk  MailKind = "at_risk" // a run has more at risk than the account allows
	// MailInvitation goes to who is invited; its Period is the invitation's id.
	MailInvitation MailKind = "invitation"
	// MailTwice says that several subscriptions go on side by side, whose ids are its Period.
	MailTwice MailKind = "charged_twice"
)

// Mail is one mail that an account is sent. What it says is read when it is sent, from what
// is stored of passes and runs then; nothing of it is stored.
type Mail struct {
	ID           string // UUID; the Message-ID is made from it, so a mail that is sent twice is recognised
	AccountID    string
	Kind         MailKind
	ConnectionID string // blank: of a digest, or of subscriptions
	// Period distinguishes the mails of one kind: the week, or the time since which it is so.
	// There is one mail for each account, kind, connection and period.
	Period    string
	CreatedAt time.Time
	SentAt    time.Time // zero: not yet
}

// MailChoice says which mails an account wants.
type MailChoice struct {
	NoDigest bool
	NoAlerts bool // the other kinds
}

func (c MailChoice) Wants(kind MailKind) bool {
	switch kind {
	case MailDigest:
		return !c.NoDigest
	case MailInvitation, MailTwice:
		return true // the account asks for it each time, or it is charged twice
	}
	return !c.NoAlerts
}
