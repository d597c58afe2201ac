package storage

import (
	"context"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
)

// Keys fills ports.Keys.
type Keys struct{ store *Store }

// NewKeys returns the store's view of API keys.
func NewKeys(s *Store) *Keys { return &Keys{s} }

// presentedKey finds a key with its account and rate window, in one round trip.
const presentedKey = `
SELECT k.id, k.account_id, k.hash, k.prefix, k.issued_at_us,
       a.id, a.email, a.plan, a.subscription, a.subscribed_on_day, a.plan_since_day, a.billing_day,
       a.phone_verified, a.run_cap, a.overdue_days, a.created_at_us,
       w.admitted, w.blocked_until_us, w.version
FROM api_keys k
JOIN accounts a ON a.id = k.account_id
LEFT JOIN rate_windows w ON w.subject = a.id
WHERE k.hash = ? AND k.revoked_at_us IS NULL`

// Present has decide rule on the key with this hash, or returns domain.ErrKey.
func (k *Keys) Present(ctx context.Context, hash domain.KeyHash, decide func(ports.KeyUse) (domain.RateWindow, bool, error)) error {
	return k.store.contend(ctx, "check an API key", func(ctx context.Context) error {
		use, version, err := k.findPresented(ctx, hash)
		if err != nil {
			return err
		}
		next, changed, ruling := decide(use)
		if changed {
			if err := k.store.remember(ctx, use.Account.ID, next, version); err != nil {
				return err
			}
		}
		return passOn(ruling)
	})
}

func (k *Keys) findPresented(ctx context.Context, hash domain.KeyHash) (use ports.KeyUse, version *int64, err error) {
	var (
		key     keyRow
		account accountRow
		window  windowRow
	)
	err = k.store.read(ctx, "find an API key", func(db *gorm.DB) error {
		found, err := scanFirst(db.Raw(presentedKey, hash[:]), &key.ID, &key.AccountID, &key.Hash, &key.Prefix, &key.IssuedAtUs,
			&account.ID, &account.Email, &account.Plan, &account.Subscription, &account.SubscribedOnDay, &account.PlanSinceDay, &account.BillingDay,
			&account.PhoneVerified, &account.RunCap, &account.OverdueDays, &account.CreatedAtUs,
			&window.Admitted, &window.BlockedUntilUs, &window.Version)
		if err == nil && !found {
			return domain.ErrKey
		}
		return err
	})
	if err != nil {
		return ports.KeyUse{}, nil, err
	}
	if use.Key, err = key.key(); err != nil {
		return ports.KeyUse{}, nil, err
	}
	if !use.Key.Hash.Equal(hash) {
		return ports.KeyUse{}, nil, domain.ErrKey
	}
	use.Account = account.account()
	use.Window, err = window.window()
	return use, window.Version, err
}

// Rotate stores a key as its account's only active one, or returns
// domain.ErrNoAccount.
func (k *Keys) Rotate(ctx context.Context, key domain.APIKey) error {
	row := rowOfKey(key)
	return k.store.transact(ctx, "rotate an API key", func(tx *gorm.DB) error {
		if _, err := lockAccount(tx, "id = ?", key.AccountID); err != nil {
			return err
		}
		err := tx.Model(&keyRow{}).Where("account_id = ? AND revoked_at_us IS NULL", key.AccountID).Update("revoked_at_us", row.IssuedAtUs).Error
		if err != nil {
			return err
		}
		return tx.Create(&row).Error
	})
}
