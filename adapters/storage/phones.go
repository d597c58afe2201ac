package storage

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"

	"milaan/domain"
)

// Phones stores the phone numbers of accounts, and the codes that verify them.
type Phones struct{ view }

func (p *Phones) Put(ctx context.Context, code domain.SentCode, event domain.SecurityEvent) error {
	row := p.rowOf(code)
	return p.changeOf(ctx, "store a phone code", code.AccountID, event, func(tx *gorm.DB) error {
		if err := tx.Delete(&phoneCodeRow{}, "account_id = ?", code.AccountID).Error; err != nil {
			return err
		}
		return tx.Create(&row).Error
	})
}

func (p *Phones) Of(ctx context.Context, accountID string, at time.Time) (domain.Phone, domain.SentCode, error) {
	var phone phoneRow
	var code phoneCodeRow
	err := p.store.read(ctx, "find a phone", func(db *gorm.DB) error {
		if err := db.Limit(1).Find(&phone, "account_id = ?", accountID).Error; err != nil {
			return err
		}
		return db.Where(isOpen, openArguments(accountID, at)...).Limit(1).Find(&code).Error
	})
	if err != nil {
		return domain.Phone{}, domain.SentCode{}, err
	}
	verified, err := p.phone(ctx, phone)
	if err != nil || code.ID == "" {
		return verified, domain.SentCode{}, err
	}
	sent, err := p.code(ctx, code)
	if errors.Is(err, domain.ErrPhoneCode) {
		return verified, domain.SentCode{}, nil
	}
	return verified, sent, err
}

// isSent is the condition on the code of an account that is valid at a time. A clock that
// was ahead when the code was sent does not make it valid for longer. isOpen demands that
// its checks are not used up, too.
const (
	isSent = "account_id = ? AND sent_at_us > ? AND sent_at_us <= ?"
	isOpen = isSent + " AND checks < ?"
)

func sentArguments(accountID string, at time.Time) []any {
	return []any{accountID, at.Add(-domain.PhoneCodeSpan).UnixMicro(), at.Add(domain.ClockSkew).UnixMicro()}
}

func openArguments(accountID string, at time.Time) []any {
	return append(sentArguments(accountID, at), domain.PhoneCodeChecks)
}

// countCheck is one statement, so that callers at the same time count one after the other.
const countCheck = "UPDATE phone_codes SET checks = checks + 1 WHERE " + isOpen + `
RETURNING id, account_id, number, hash, checks, sent_at_us`

func (p *Phones) Check(ctx context.Context, accountID string, at time.Time) (domain.SentCode, error) {
	var row phoneCodeRow
	err := p.store.transact(ctx, "count a check of a phone code", func(tx *gorm.DB) error {
		found, err := scanFirst(tx.Raw(countCheck, openArguments(accountID, at)...),
			&row.ID, &row.AccountID, &row.Number, &row.Hash, &row.Checks, &row.SentAtUs)
		if err == nil && !found {
			return domain.ErrPhoneCode
		}
		return err
	})
	if err != nil {
		return domain.SentCode{}, err
	}
	return p.code(ctx, row)
}

// MarkVerified uses a code up and makes its number the account's. The last check may have been
// counted for this very code, so its checks do not matter here.
func (p *Phones) MarkVerified(ctx context.Context, accountID, codeID string, at time.Time, event domain.SecurityEvent) error {
	return p.changeOf(ctx, "confirm a phone number", accountID, event, func(tx *gorm.DB) error {
		var row phoneCodeRow
		if err := tx.Where(isSent, sentArguments(accountID, at)...).Where("id = ?", codeID).Limit(1).Find(&row).Error; err != nil {
			return err
		}
		if row.ID == "" {
			return domain.ErrPhoneCode
		}
		code, err := p.code(ctx, row)
		if err != nil {
			return err
		}
		phone := phoneRow{AccountID: accountID, VerifiedAtUs: at.UnixMicro(),
			Number: seal(p.sealer, []byte(code.Number.Reveal()), phonePlace("phones", accountID)...)}
		if err := put(tx, &phone); err != nil {
			return err
		}
		if err := tx.Delete(&row).Error; err != nil {
			return err
		}
		return tx.Model(&accountRow{ID: accountID}).Update("phone_verified", true).Error
	})
}

func (p *Phones) Drop(ctx context.Context, accountID, codeID string) error {
	return p.store.transact(ctx, "drop a phone code", func(tx *gorm.DB) error {
		return tx.Delete(&phoneCodeRow{}, "account_id = ? AND id = ?", accountID, codeID).Error
	})
}

// phonePlace is where a table keeps the number of an account.
func phonePlace(table, accountID string) []string { return []string{table, "number", accountID} }

type phoneRow struct {
	AccountID    string `gorm:"primaryKey"`
	Number       []byte
	VerifiedAtUs int64
}

// phone returns a verified number. One that cannot be opened any more is not known.
func (p *Phones) phone(ctx context.Context, row phoneRow) (domain.Phone, error) {
	if row.AccountID == "" {
		return domain.Phone{}, nil
	}
	phone := domain.Phone{VerifiedAt: moment(row.VerifiedAtUs)}
	number, err := p.open(ctx, row.Number, phonePlace("phones", row.AccountID)...)
	phone.Number = domain.PhoneNumber(number)
	return phone, err
}

type phoneCodeRow struct {
	ID        string `gorm:"primaryKey"`
	AccountID string
	Number    []byte
	Hash      []byte
	Checks    int
	SentAtUs  int64
}

func (p *Phones) rowOf(c domain.SentCode) phoneCodeRow {
	return phoneCodeRow{ID: c.ID, AccountID: c.AccountID, Hash: c.Hash[:], Checks: c.Checks, SentAtUs: c.SentAt.UnixMicro(),
		Number: seal(p.sealer, []byte(c.Number.Reveal()), phonePlace("phone_codes", c.AccountID)...)}
}

// code returns a stored code. It returns domain.ErrPhoneCode for one whose number cannot be
// opened any more: nothing could be verified by it.
func (p *Phones) code(ctx context.Context, row phoneCodeRow) (domain.SentCode, error) {
	number, err := p.openOr(ctx, domain.ErrPhoneCode, row.Number, phonePlace("phone_codes", row.AccountID)...)
	if err != nil {
		return domain.SentCode{}, err
	}
	code := domain.SentCode{ID: row.ID, AccountID: row.AccountID, Number: domain.PhoneNumber(number), Checks: row.Checks,
		SentAt: moment(row.SentAtUs)}
	return code, copyHash(code.Hash[:], row.Hash, "phone code", row.ID)
}
