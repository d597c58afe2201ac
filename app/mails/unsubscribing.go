package mails

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"strings"
	"unicode/utf8"

	"go.uber.org/fx"

	"milaan/app/hashing"
	"milaan/domain"
	"milaan/ports"
)

// Unsubscribing ends mails from a link in a mail. A link is valid as long as one of the service's
// secrets is the one of its day.
type Unsubscribing struct {
	fx.In

	Mails    ports.Mails
	Accounts ports.Accounts
	Subkeys  ports.Subkeys
}

func (u *Unsubscribing) keys() [][32]byte { return u.Subkeys.Subkeys("unsubscribing") }

// Link makes a link with a token: the account, what it ends, and a keyed hash of both.
func (u *Unsubscribing) Link(accountID string, kind domain.MailKind) string {
	what := unsubscribed(kind)
	return what + "." + accountID + "." + u.sign(u.keys()[0], what, accountID)
}

// unsubscribed is what a link in a mail of a kind ends: the digests, or all alerts.
func unsubscribed(kind domain.MailKind) string {
	if kind == domain.MailDigest {
		return "digest"
	}
	return "alerts"
}

func (u *Unsubscribing) sign(key [32]byte, what, accountID string) string {
	sum := hashing.Keyed(key, what, accountID, nil)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (u *Unsubscribing) read(token string) (accountID, what string, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || parts[0] != "digest" && parts[0] != "alerts" {
		return "", "", domain.ErrMailLink
	}
	for _, key := range u.keys() {
		if hmac.Equal([]byte(u.sign(key, parts[0], parts[1])), []byte(parts[2])) {
			return parts[1], parts[0], nil
		}
	}
	return "", "", domain.ErrMailLink
}

func (u *Unsubscribing) CheckLink(ctx context.Context, token string) (email string, digest bool, err error) {
	id, what, err := u.read(token)
	if err != nil {
		return "", false, err
	}
	account, err := u.Accounts.ByID(ctx, id)
	if err != nil {
		return "", false, domain.ErrMailLink.Caused(err)
	}
	return shortenedAddress(account.Email), what == "digest", nil
}

// shortenedAddress returns an e-mail address of which only the first character before the @
// is shown.
func shortenedAddress(email string) string {
	local, host, _ := strings.Cut(email, "@")
	first, _ := utf8.DecodeRuneInString(local)
	return string(first) + "…@" + host
}

func (u *Unsubscribing) Unsubscribe(ctx context.Context, token string) error {
	id, what, err := u.read(token)
	if err != nil {
		return err
	}
	err = u.Mails.Choose(ctx, id, func(c *domain.MailChoice) {
		c.NoDigest = c.NoDigest || what == "digest"
		c.NoAlerts = c.NoAlerts || what == "alerts"
	})
	if errors.Is(err, domain.ErrNoAccount) {
		return domain.ErrMailLink.Caused(err)
	}
	return err
}
