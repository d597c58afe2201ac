package storage

import (
	"cmp"
	"context"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports/peers"
)

// Webhooks stores webhooks.
type Webhooks struct{ view }

func (w *Webhooks) Of(ctx context.Context, accountID string) (domain.Webhook, error) {
	var webhook domain.Webhook
	err := w.store.read(ctx, "find a webhook", func(db *gorm.DB) (err error) {
		if webhook, err = w.webhookOf(db, accountID); err == nil && webhook.Secret == "" {
			err = domain.ErrNoWebhook
		}
		return err
	})
	return webhook, err
}

func (w *Webhooks) Update(
	ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Webhook) error,
) (domain.Webhook, error) {
	var changed domain.Webhook
	err := w.changeOf(ctx, "change a webhook", accountID, noEvent, func(tx *gorm.DB) (err error) {
		if changed, err = w.webhookOf(tx, accountID); err != nil {
			return err
		}
		before := changed
		if err := change(&changed); err != nil {
			return passOn(err)
		}
		changed.AccountID = accountID
		event.Detail = cmp.Or(changed.Host(), before.Host())
		if changed.Secret == "" {
			return w.addIf(tx.Delete(&webhookRow{AccountID: accountID}), tx, accountID, event)
		}
		row := sealWebhook(w.sealer, changed)
		if err := put(tx, &row); err != nil {
			return err
		}
		return w.add(tx, accountID, event)
	})
	return changed, err
}

// webhookOf finds and unseals an account's webhook. If there is none, or it cannot be
// unsealed any more, it returns a webhook without a secret.
func (v view) webhookOf(db *gorm.DB, accountID string) (domain.Webhook, error) {
	var row webhookRow
	if err := db.Limit(1).Find(&row, "account_id = ?", accountID).Error; err != nil {
		return domain.Webhook{}, err
	}
	var failed error
	open := func(column string, kept []byte) string {
		text, err := unseal(v.sealer, kept, webhookPlace(column, accountID)...)
		failed = cmp.Or(failed, err)
		return string(text)
	}
	w := domain.Webhook{AccountID: accountID, Endpoint: open("endpoint", row.Endpoint),
		Secret: domain.SigningSecret(open("secret", row.Secret)), Former: domain.SigningSecret(open("former", row.Former)),
		RotatedAt: momentOrNone(row.RotatedAtUs), Shown: row.Shown, SetAt: momentOrNone(row.SetAtUs)}
	if failed != nil {
		return domain.Webhook{AccountID: accountID}, v.store.passUnavailable(db.Statement.Context, failed)
	}
	return w, nil
}

func webhookPlace(column, accountID string) []string { return []string{"webhooks", column, accountID} }

func sealWebhook(sealer peers.Sealer, w domain.Webhook) webhookRow {
	sealed := func(column, text string) []byte {
		return seal(sealer, []byte(text), webhookPlace(column, w.AccountID)...)
	}
	return webhookRow{AccountID: w.AccountID, Endpoint: sealed("endpoint", w.Endpoint), Secret: sealed("secret", w.Secret.Reveal()),
		Former: sealed("former", w.Former.Reveal()), RotatedAtUs: storedOrNone(w.RotatedAt), Shown: w.Shown, SetAtUs: storedOrNone(w.SetAt)}
}
