package storage

import (
	"cmp"
	"context"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// Keys stores API keys.
type Keys struct{ view }

// presentedKey finds a key with its account and rate window, in one round trip, and whether there
// are mappings: most accounts have none, and need not be asked for them.
var presentedKey = `
SELECT k.id, k.account_id, k.hash, k.prefix, k.issued_at_us, k.used_at_us,
       ` + accountColumns + `,
       w.admitted, w.blocked_until_us, w.version,
       EXISTS (SELECT 1 FROM named_mappings WHERE account_id = a.id) OR EXISTS (SELECT 1 FROM column_mappings WHERE account_id = a.id)
FROM api_keys k
JOIN accounts a ON a.id = k.account_id
LEFT JOIN rate_windows w ON w.subject = CASE k.kind WHEN 'live' THEN a.id ELSE k.kind || ':' || a.id END
WHERE k.hash = ? AND k.revoked_at_us IS NULL`

func (k *Keys) Present(
	ctx context.Context, hash domain.KeyHash, at time.Time, decide func(ports.KeyUse) (domain.RateWindow, bool, error),
) error {
	// SQLite's writing connection has the pages at hand; a reading one reads them again after every change.
	return k.store.write(ctx, "check an API key", func(db *gorm.DB) error {
		found, err := k.findPresented(db, hash)
		if err != nil {
			return err
		}
		next, changed, ruling := decide(found.use)
		var used []*dialect.Statement
		if ruling == nil && at.Sub(found.usedAt) >= domain.KeyUseSpan {
			used = append(used, dialect.NewStatement(storeUse+k.store.database.About().ForFree+")",
				at.UnixMicro(), found.use.Key.ID, at.Add(-domain.KeyUseSpan).UnixMicro()))
		}
		if changed {
			err = k.store.remember(db, windowOfKey(found.use.Key), next, found.version, used...)
		} else if len(used) > 0 {
			if err := k.store.send(db, used...); err != nil { // the next request stores it
				k.store.log.WarnContext(ctx, "cannot store when an API key was used", "error", err)
			}
		}
		return cmp.Or(err, passOn(ruling))
	})
}

// windowOfKey is the subject of the rate window of a key, as presentedKey finds it.
func windowOfKey(key domain.APIKey) string {
	if key.Kind == domain.LiveKey {
		return key.AccountID
	}
	return string(key.Kind) + ":" + key.AccountID
}

// storeUse stores when a key was used, unless a later use has been stored. It is sent with the
// count of the request, so it must not wait for whoever has locked the key.
const storeUse = "UPDATE api_keys SET used_at_us = ? WHERE id = (SELECT id FROM api_keys WHERE id = ? AND COALESCE(used_at_us, 0) <= ?"

type presented struct {
	use     ports.KeyUse
	usedAt  time.Time // zero: never
	version *int64    // of the window; nil: there is none
}

func (k *Keys) findPresented(db *gorm.DB, hash domain.KeyHash) (p presented, err error) {
	var (
		key     apiKeyRow
		account accountRow
		window  windowRow
	)
	into := append(make([]any, 0, 28), &key.ID, &key.AccountID, &key.Hash, &key.Prefix, &key.IssuedAtUs, &key.UsedAtUs)
	into = append(account.appendFields(into), &window.Admitted, &window.BlockedUntilUs, &window.Version, &p.use.Mappings)
	found := dialect.NewStatement(presentedKey, hash[:]).Scan(into...)
	if err := k.store.database.Send(db, found); err != nil {
		return presented{}, err
	}
	if found.Rows == 0 {
		return presented{}, domain.ErrKey
	}
	key.Kind = string(domain.KindOfKey(key.Prefix)) // another column would cost every request
	if p.use.Key, err = key.key(); err != nil {
		return presented{}, err
	}
	if !domain.SameHash(p.use.Key.Hash, hash) {
		return presented{}, domain.ErrKey
	}
	p.use.Account, p.usedAt, p.version = account.account(), momentOrNone(key.UsedAtUs), window.Version
	p.use.Window, err = window.window()
	return p, err
}

func (k *Keys) Rotate(ctx context.Context, key domain.APIKey, event domain.SecurityEvent) error {
	return k.activate(ctx, "rotate an API key", key, event, nil)
}

func (k *Keys) Replace(ctx context.Context, key domain.APIKey, replaces string, event domain.SecurityEvent) error {
	return k.activate(ctx, "replace an API key", key, event, &replaces)
}

// activate stores a key and deactivates the active one. replaces is the prefix that this must have, blank if there must be none;
// nil: any.
func (k *Keys) activate(ctx context.Context, doing string, key domain.APIKey, event domain.SecurityEvent, replaces *string) error {
	row := rowOfKey(key)
	return k.changeOf(ctx, doing, key.AccountID, noEvent, func(tx *gorm.DB) error {
		active, err := activeKey(tx, key.AccountID, key.Kind)
		if err != nil {
			return err
		}
		if replaces != nil && active.Prefix != *replaces {
			return domain.ErrKeyChanged
		}
		if err := deactivate(tx, active.ID, row.IssuedAtUs); err != nil {
			return err
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		stored := event
		if event.Kind != "" && active.ID != "" {
			stored.Kind, stored.Detail = domain.SecurityKeyReplaced, active.Prefix+" → "+key.Prefix
		}
		return k.add(tx, key.AccountID, stored)
	})
}

func (k *Keys) Active(ctx context.Context, accountID string, kind domain.KeyKind) (ports.ActiveKey, error) {
	var row apiKeyRow
	err := k.store.read(ctx, "find the active API key", func(db *gorm.DB) (err error) {
		if row, err = activeKey(db, accountID, kind); err == nil && row.ID == "" {
			err = domain.ErrNoKey
		}
		return err
	})
	if err != nil {
		return ports.ActiveKey{}, err
	}
	return ports.ActiveKey{Prefix: row.Prefix, IssuedAt: moment(row.IssuedAtUs), UsedAt: momentOrNone(row.UsedAtUs)}, nil
}

func (k *Keys) Revoke(
	ctx context.Context, accountID string, kind domain.KeyKind, prefix string, at time.Time, event domain.SecurityEvent,
) error {
	return k.changeOf(ctx, "revoke an API key", accountID, event, func(tx *gorm.DB) error {
		active, err := activeKey(tx, accountID, kind)
		switch {
		case err != nil:
			return err
		case active.ID == "":
			return domain.ErrNoKey
		case active.Prefix != prefix:
			return domain.ErrKeyChanged
		}
		return deactivate(tx, active.ID, at.UnixMicro())
	})
}

// activeKey finds the active key of an account. If there is none, the row is empty.
func activeKey(db *gorm.DB, accountID string, kind domain.KeyKind) (row apiKeyRow, err error) {
	return row, db.Limit(1).Find(&row, "account_id = ? AND kind = ? AND revoked_at_us IS NULL", accountID, string(kind)).Error
}

func deactivate(tx *gorm.DB, id string, atUs int64) error {
	return tx.Exec("UPDATE api_keys SET revoked_at_us = ? WHERE id = ?", atUs, id).Error
}
