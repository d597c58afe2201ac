package storage

import (
	"cmp"
	"context"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/domain"
	"milaan/ports/glue"
)

// Webhooks fills ports.Webhooks.
type Webhooks struct {
	store  *Store
	sealer glue.Sealer
}

// NewWebhooks is the store's view of webhooks.
func NewWebhooks(s *Store, sealer glue.Sealer) *Webhooks { return &Webhooks{s, sealer} }

// Of finds an account's webhook, or returns domain.ErrNoWebhook.
func (w *Webhooks) Of(ctx context.Context, accountID string) (domain.Webhook, error) {
	var webhook domain.Webhook
	err := w.store.read(ctx, "find a webhook", func(db *gorm.DB) (err error) {
		if webhook, err = w.store.webhookOf(db, w.sealer, accountID); err == nil && webhook.Secret == "" {
			err = domain.ErrNoWebhook
		}
		return err
	})
	return webhook, err
}

// Update alters an account's webhook while nobody else can.
func (w *Webhooks) Update(ctx context.Context, accountID string, change func(*domain.Webhook) error) (domain.Webhook, error) {
	var altered domain.Webhook
	err := w.store.transact(ctx, "change a webhook", func(tx *gorm.DB) (err error) {
		if _, err := lockedAccount(tx, "id = ?", accountID); err != nil {
			return err
		}
		if altered, err = w.store.webhookOf(tx, w.sealer, accountID); err != nil {
			return err
		}
		if err := change(&altered); err != nil {
			return passOn(err)
		}
		altered.AccountID = accountID
		if altered.Secret == "" {
			return tx.Delete(&webhookRow{AccountID: accountID}).Error
		}
		row := sealedWebhook(w.sealer, altered)
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	})
	return altered, err
}

// webhookOf finds and opens an account's webhook; without one, and for one that
// cannot be opened, it gives one of the account's without a secret.
func (s *Store) webhookOf(db *gorm.DB, sealer glue.Sealer, accountID string) (domain.Webhook, error) {
	var row webhookRow
	if err := db.Limit(1).Find(&row, "account_id = ?", accountID).Error; err != nil {
		return domain.Webhook{}, err
	}
	row.AccountID = accountID
	w, err := openedWebhook(sealer, row)
	if err != nil {
		return domain.Webhook{AccountID: accountID}, s.doWithout(db.Statement.Context, err)
	}
	return w, nil
}

func webhookPlace(column, accountID string) []string { return []string{"webhooks", column, accountID} }

func sealedWebhook(sealer glue.Sealer, w domain.Webhook) webhookRow {
	seal := func(column, text string) []byte {
		return sealed(sealer, []byte(text), webhookPlace(column, w.AccountID)...)
	}
	return webhookRow{AccountID: w.AccountID, Endpoint: seal("endpoint", w.Endpoint), Secret: seal("secret", w.Secret.Reveal()),
		Former: seal("former", w.Former.Reveal()), RotatedAtUs: storedOrNone(w.RotatedAt), Shown: w.Shown, SetAtUs: storedOrNone(w.SetAt)}
}

func openedWebhook(sealer glue.Sealer, row webhookRow) (domain.Webhook, error) {
	var failed error
	open := func(column string, kept []byte) string {
		text, err := opened(sealer, kept, webhookPlace(column, row.AccountID)...)
		failed = cmp.Or(failed, err)
		return string(text)
	}
	w := domain.Webhook{AccountID: row.AccountID, Endpoint: open("endpoint", row.Endpoint), Secret: domain.SigningSecret(open("secret", row.Secret)),
		Former: domain.SigningSecret(open("former", row.Former)), RotatedAt: momentOrNone(row.RotatedAtUs), Shown: row.Shown, SetAt: momentOrNone(row.SetAtUs)}
	return w, failed
}
