package storage

import (
	"context"
	"strconv"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/domain"
	"milaan/ports"
)

// Sessions stores sessions and redeemed sign-in links.
type Sessions struct{ view }

func (s *Sessions) Begin(ctx context.Context, session domain.Session, linkID string, until time.Time, event domain.SecurityEvent) error {
	row := rowOfSession(session)
	return s.store.transact(ctx, "begin a session", func(tx *gorm.DB) error {
		account, err := lockAccount(tx, session.AccountID)
		if err != nil {
			return err
		}
		email := account.Email
		if session.MemberID != "" {
			member, err := memberOf(tx, session.AccountID, session.MemberID)
			if err != nil {
				return orMissing(err, domain.ErrNotMember)
			}
			email = member.Email
		}
		if linkID != "" {
			link := redeemedLinkRow{ID: linkID, UntilUs: until.UnixMicro()}
			if err := changedOne(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&link), domain.ErrSession); err != nil {
				return err
			}
		}
		if err := storeSession(tx, row, email); err != nil {
			return err
		}
		return s.add(tx, session.AccountID, event)
	})
}

// storeSession stores a session of a person, that they have used its account last, and that
// they are proven. A confined session is no proof of who they are, so their next sign-in does
// not follow it.
func storeSession(tx *gorm.DB, row sessionRow, email string) error {
	if err := tx.Create(&row).Error; err != nil || row.Confined {
		return err
	}
	if row.MemberID != nil {
		if err := tx.Exec("UPDATE members SET proven = TRUE WHERE id = ? AND NOT proven", *row.MemberID).Error; err != nil {
			return err
		}
	}
	last := lastAccountRow{Email: email, AccountID: row.AccountID}
	return put(tx, &last)
}

// sessionOf finds a session with its account, in one round trip.
var sessionOf = `
SELECT s.id, s.account_id, s.hash, s.created_at_us, s.used_at_us, s.member_id, s.confined,
       m.email, m.role,
       ` + accountColumns + `
FROM sessions s
JOIN accounts a ON a.id = s.account_id
LEFT JOIN members m ON m.id = s.member_id
WHERE s.hash = ?`

func (s *Sessions) Find(ctx context.Context, hash domain.SessionHash) (ports.SignedIn, error) {
	var (
		row         sessionRow
		account     accountRow
		email, role *string // the member's
	)
	err := s.store.read(ctx, "find a session", func(db *gorm.DB) error {
		into := account.appendFields([]any{&row.ID, &row.AccountID, &row.Hash, &row.CreatedAtUs, &row.UsedAtUs, &row.MemberID, &row.Confined,
			&email, &role})
		found, err := scanFirst(db.Raw(sessionOf, hash[:]), into...)
		if err == nil && !found {
			return domain.ErrSession
		}
		return err
	})
	if err != nil {
		return ports.SignedIn{}, err
	}
	session, err := row.session()
	if err != nil {
		return ports.SignedIn{}, err
	}
	if !domain.SameHash(session.Hash, hash) {
		return ports.SignedIn{}, domain.ErrSession
	}
	found := ports.SignedIn{Session: session, Account: account.account(), Email: account.Email, Role: domain.Owner}
	if session.MemberID != "" {
		if email == nil || role == nil { // the reference rules this out
			return ports.SignedIn{}, domain.ErrSession
		}
		found.Email, found.Role = *email, domain.MemberRole(*role)
	}
	return found, nil
}

func (s *Sessions) Touch(ctx context.Context, id string, at time.Time) error {
	return s.store.write(ctx, "store when a session was used", func(db *gorm.DB) error {
		return db.Exec("UPDATE sessions SET used_at_us = ? WHERE id = ? AND used_at_us < ?", at.UnixMicro(), id, at.UnixMicro()).Error
	})
}

// End deletes a session. It stays deleted after a power cut.
func (s *Sessions) End(ctx context.Context, accountID, id string) error {
	return s.store.transact(ctx, "end a session", func(tx *gorm.DB) error {
		return tx.Exec("DELETE FROM sessions WHERE id = ? AND account_id = ?", id, accountID).Error
	})
}

// endSessions are the statements that end sessions, by what of their scope is set.
const (
	endAccount = "DELETE FROM sessions WHERE account_id = @account"
	endHere    = endAccount + " AND (member_id IN (SELECT id FROM members WHERE account_id = @account AND email = @email)" +
		" OR member_id IS NULL AND EXISTS (SELECT 1 FROM accounts WHERE id = @account AND email = @email))"
	endAnywhere = "DELETE FROM sessions WHERE member_id IN (SELECT id FROM members WHERE email = @email)" +
		" OR member_id IS NULL AND account_id IN (SELECT id FROM accounts WHERE email = @email)"
)

// EndAll deletes the sessions of a scope. Of the account, a session that begins at the same
// time is deleted, or begins afterwards.
func (s *Sessions) EndAll(ctx context.Context, accountID string, of ports.SessionScope, event domain.SecurityEvent) (ended int, err error) {
	query := endAccount
	switch {
	case of.Email != "" && of.Anywhere:
		query = endAnywhere
	case of.Email != "":
		query = endHere
	}
	err = s.changeOf(ctx, "end all sessions", accountID, noEvent, func(tx *gorm.DB) error {
		done := tx.Exec(query, map[string]any{"account": accountID, "email": of.Email})
		if ended = int(done.RowsAffected); done.Error != nil || ended == 0 {
			return done.Error
		}
		event.Detail = strconv.Itoa(ended)
		return s.add(tx, accountID, event)
	})
	if err != nil {
		return 0, err
	}
	return ended, nil
}

type sessionRow struct {
	ID          string `gorm:"primaryKey"`
	AccountID   string
	Hash        []byte
	CreatedAtUs int64
	UsedAtUs    int64
	MemberID    *string
	Confined    bool
}

func rowOfSession(s domain.Session) sessionRow {
	return sessionRow{ID: s.ID, AccountID: s.AccountID, Hash: s.Hash[:], CreatedAtUs: s.CreatedAt.UnixMicro(),
		UsedAtUs: s.UsedAt.UnixMicro(), MemberID: orNull(s.MemberID), Confined: s.Confined}
}

func (r sessionRow) session() (domain.Session, error) {
	s := domain.Session{ID: r.ID, AccountID: r.AccountID, CreatedAt: moment(r.CreatedAtUs), UsedAt: moment(r.UsedAtUs),
		MemberID: orZero(r.MemberID), Confined: r.Confined}
	return s, copyHash(s.Hash[:], r.Hash, "session", r.ID)
}

type redeemedLinkRow struct {
	ID      string `gorm:"primaryKey"`
	UntilUs int64
}
