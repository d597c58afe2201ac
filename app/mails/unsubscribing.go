package mails

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"errors"
	"strings"
	"unicode/utf8"

	"milaan/app/hashing"
	"milaan/domain"
)

func (m *Mailing) keys() [][32]byte { return m.Subkeys.Subkeys("unsubscribing") }

// Link makes a link with a token: the account, what it ends, and a keyed hash of both. It is valid as long as one of the
// service's secrets is the one of its day.
func (m *Mailing) Link(accountID string, kind domain.MailKind) string {
	what := unsubscribed(kind)
	return what + "." + accountID + "." + m.sign(m.keys()[0], what, accountID)
}

// unsubscribed is what a link in a mail of a kind ends: the digests, or all alerts.
func unsubscribed(kind domain.MailKind) string {
	if kind == domain.MailDigest {
		return "digest"
	}
	return "alerts"
}

func (m *Mailing) sign(key [32]byte, what, accountID string) string {
	sum := hashing.Keyed(key, what, accountID, nil)
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

func (m *Mailing) read(token string) (accountID, what string, err error) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 || parts[0] != "digest" && parts[0] != "alerts" {
		return "", "", domain.ErrMailLink
	}
	for _, key := range m.keys() {
		if hmac.Equal([]byte(m.sign(key, parts[0], parts[1])), []byte(parts[2])) {
			return parts[1], parts[0], nil
		}
	}
	return "", "", domain.ErrMailLink
}

func (m *Mailing) CheckLink(ctx context.Context, token string) (email string, digest bool, err error) {
	id, what, err := m.read(token)
	if err != nil {
		return "", false, err
	}
	account, err := m.Accounts.ByID(ctx, id)
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

func (m *Mailing) Unsubscribe(ctx context.Context, token string) error {
	id, what, err := m.read(token)
	if err != nil {
		return err
	}
	err = m.Mails.Choose(ctx, id, func(c *domain.MailChoice) {
		c.NoDigest = c.NoDigest || what == "digest"
		c.NoAlerts = c.NoAlerts || what == "alerts"
	})
	if errors.Is(err, domain.ErrNoAccount) {
		return domain.ErrMailLink.Caused(err)
	}
	return err
}
