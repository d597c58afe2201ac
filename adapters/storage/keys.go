package storage

import (
	"context"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
)

// Keys fills ports.Keys.
type Keys struct{ store *Store }

// NewKeys is the store's view of API keys.
func NewKeys(s *Store) *Keys { return &Keys{s} }

// presentedKey finds everything that the gate asks about, in one round trip.
const presentedKey = `
SELECT k.id AS key_id, k.account_id AS key_account_id, k.hash AS key_hash, k.prefix AS key_prefix, k.issued_at_us AS key_issued_at_us,
       a.id AS account_id, a.email AS account_email, a.plan AS account_plan, a.subscription AS account_subscription,
       a.subscribed_on_day AS account_subscribed_on_day, a.plan_since_day AS account_plan_since_day, a.billing_day AS account_billing_day,
       a.phone_verified AS account_phone_verified, a.run_cap AS account_run_cap, a.overdue_days AS account_overdue_days,
       a.created_at_us AS account_created_at_us,
       w.admitted AS window_admitted, w.blocked_until_us AS window_blocked_until_us, w.version AS window_version
FROM api_keys k
JOIN accounts a ON a.id = k.account_id
LEFT JOIN rate_windows w ON w.subject = k.id
WHERE k.hash = ? AND k.revoked_at_us IS NULL`

type presentedRow struct {
	Key     keyRow     `gorm:"embedded;embeddedPrefix:key_"`
	Account accountRow `gorm:"embedded;embeddedPrefix:account_"`
	Window  windowRow  `gorm:"embedded;embeddedPrefix:window_"`
}

// Present lets decide rule on the key with this hash, or returns domain.ErrKey.
func (k *Keys) Present(ctx context.Context, hash domain.KeyHash, decide func(ports.KeyUse) (domain.Window, bool, error)) error {
	return k.store.contend(ctx, "check an API key", func(ctx context.Context) error {
		use, version, err := k.presented(ctx, hash)
		if err != nil {
			return err
		}
		next, changed, ruling := decide(use)
		if changed {
			if err := k.store.remember(ctx, use.Key.ID, next, version); err != nil {
				return err
			}
		}
		return passOn(ruling)
	})
}

func (k *Keys) presented(ctx context.Context, hash domain.KeyHash) (use ports.KeyUse, version *int64, err error) {
	var row presentedRow
	err = k.store.read(ctx, "find an API key", func(db *gorm.DB) error {
		found := db.Raw(presentedKey, hash[:]).Scan(&row)
		if found.Error == nil && found.RowsAffected == 0 {
			return domain.ErrKey
		}
		return found.Error
	})
	if err != nil {
		return ports.KeyUse{}, nil, err
	}
	if use.Key, err = row.Key.key(); err != nil {
		return ports.KeyUse{}, nil, err
	}
	if !use.Key.Hash.Equal(hash) {
		return ports.KeyUse{}, nil, domain.ErrKey
	}
	use.Account = row.Account.account()
	use.Window, err = row.Window.window()
	return use, row.Window.Version, err
}

// Rotate stores a key as its account's only active one, or returns
// domain.ErrNoAccount.
func (k *Keys) Rotate(ctx context.Context, key domain.APIKey) error {
	row := rowOfKey(key)
	return k.store.transact(ctx, "rotate an API key", func(tx *gorm.DB) error {
		if _, err := lockedAccount(tx, "id = ?", key.AccountID); err != nil {
			return err
		}
		err := tx.Model(&keyRow{}).Where("account_id = ? AND revoked_at_us IS NULL", key.AccountID).Update("revoked_at_us", row.IssuedAtUs).Error
		if err != nil {
			return err
		}
		return tx.Create(&row).Error
	})
}
