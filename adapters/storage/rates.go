package storage

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
)

// RateWindows stores rate windows.
type RateWindows struct{ view }

func (w *RateWindows) Update(ctx context.Context, subject string, decide func(domain.RateWindow) (domain.RateWindow, bool)) error {
	return w.store.run(ctx, "check a rate", func(ctx context.Context) error {
		var row windowRow
		query := w.store.database.Reader(ctx).Raw("SELECT admitted, blocked_until_us, version FROM rate_windows WHERE subject = ?", subject)
		if err := query.Scan(&row).Error; err != nil {
			return err
		}
		window, err := row.window()
		if err != nil {
			return err
		}
		next, changed := decide(window)
		if !changed {
			return nil
		}
		return w.store.database.Write(ctx, dialect.Relaxed, func(db *gorm.DB) error {
			return w.store.remember(db, subject, next, row.Version)
		})
	})
}

// errRaced says that another request changed a window between our reading and our writing. The
// store then tries again.
var errRaced = errors.New("the rate window was changed by another request")

// remember writes a window if its version is still the one that was read; nil is the
// version of no window. Otherwise it returns errRaced. The first version of a window is its
// time, so that a window which was swept and stored again is not taken for the old one. If
// the connection breaks and the write is repeated although it took place, it returns
// errRaced: the request is then counted twice, but never left out. The statements with it do
// no harm if the window was not written. The first window of a subject of an account needs the
// account, or else remember returns domain.ErrNoAccount.
func (s *Store) remember(db *gorm.DB, subject string, w domain.RateWindow, version *int64, with ...*dialect.Statement) error {
	row, changed := rowOfWindow(w), changedAt(w)
	account := accountOfWindow(subject)
	var window *dialect.Statement
	// Locks are taken in the order in which Erase takes them: the account, what belongs to it, its windows.
	var statements []*dialect.Statement
	switch {
	case version != nil:
		window = dialect.NewStatement(updateWindow, row.Admitted, row.BlockedUntilUs, changed, subject, *version)
		statements = append(with, window)
	case account != "":
		// The account is kept from being deleted meanwhile, because nothing would delete the window with it.
		window = dialect.NewStatement(insertWindow+"SELECT ?, ?, ?, ?, ? FROM accounts WHERE id = ?"+s.database.About().ForKey+unlessStored,
			subject, row.Admitted, row.BlockedUntilUs, changed, changed, account)
		statements = append([]*dialect.Statement{window}, with...)
	default:
		window = dialect.NewStatement(insertWindow+"VALUES (?, ?, ?, ?, ?)"+unlessStored,
			subject, row.Admitted, row.BlockedUntilUs, changed, changed)
		statements = append(with, window)
	}
	if err := s.send(db, statements...); err != nil || window.Rows > 0 {
		return err
	}
	if version == nil && account != "" {
		if err := db.Select("id").Take(&accountRow{}, "id = ?", account).Error; err != nil {
			return orMissing(err, domain.ErrNoAccount)
		}
	}
	return errRaced
}

const (
	updateWindow = "UPDATE rate_windows SET admitted = ?, blocked_until_us = ?, changed_at_us = ?, version = version + 1 " +
		"WHERE subject = ? AND version = ?"
	insertWindow = "INSERT INTO rate_windows (subject, admitted, blocked_until_us, changed_at_us, version) "
	unlessStored = " ON CONFLICT (subject) DO NOTHING"
)

// accountOfWindow returns the account of a window's subject, which is its id or ends in a
// colon and its id; blank if the subject is no account's, such as a client's pseudonym.
func accountOfWindow(subject string) string {
	id := subject[strings.LastIndexByte(subject, ':')+1:]
	if len(id) != len(uuid.Nil.String()) || uuid.Validate(id) != nil {
		return ""
	}
	return id
}

// changedAt returns when a window last admitted a request or, if it blocks, when the block
// ends: a window that still blocks is not swept.
func changedAt(w domain.RateWindow) int64 {
	var at time.Time
	if n := len(w.Admitted); n > 0 {
		at = w.Admitted[n-1]
	}
	if w.BlockedUntil.After(at) {
		at = w.BlockedUntil
	}
	return at.UnixMicro()
}
