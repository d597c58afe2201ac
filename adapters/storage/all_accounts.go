package storage

import (
	"context"
	"errors"
	"iter"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// AllAccounts lists accounts, and deletes them with all that is theirs.
type AllAccounts struct{ viewWithJobs }

func (a *AllAccounts) List(ctx context.Context, f ports.AccountFilter) iter.Seq2[domain.Account, error] {
	return paged(ctx, a.store, "list accounts", func(db *gorm.DB, last accountRow) *gorm.DB {
		found := db.Where("email > ?", last.Email)
		if f.Plan != "" {
			found = found.Where("plan = ?", string(f.Plan))
		}
		if f.Subscription != "" {
			found = found.Where("subscription = ?", string(f.Subscription))
		}
		return found.Order("email")
	}, func(row accountRow) (domain.Account, error) { return row.account(), nil })
}

// AccountTables are the tables with rows of accounts, in the order in which they can be
// emptied: what refers to a table stands before it. Rows that refer to these and are deleted
// with them (ON DELETE CASCADE) are in no list. A test holds the list to the schema.
var AccountTables = []string{
	"claims", "deliveries", "batches", "mails", "mail_choices", "connections", "runs",
	"column_mappings", "brandings", "books", "webhooks", "api_keys", "sandbox_runs", "sessions", "security_events", "phone_codes", "phones",
	"billing_starts", "billed_accounts", "billed_subscriptions",
	"members", "invitations", "last_accounts",
}

const (
	// eraseTimeout is how long the deletion of an account may take. On the embedded database
	// others wait for it.
	eraseTimeout = 2 * time.Minute
	// eraseWindows deletes the rate windows of an account: their subjects are its id, or end
	// in a colon and the id.
	eraseWindows = "DELETE FROM rate_windows WHERE subject = ? OR subject LIKE ?"
)

// Erase deletes an account. Those who store something for an account lock its row first, or
// one that refers to it, so that they store it before and it is deleted, or find no account.
func (a *AllAccounts) Erase(ctx context.Context, id string) error {
	err := a.store.runWithin(ctx, eraseTimeout, "delete an account", func(ctx context.Context) error {
		return a.store.database.WriteLending(ctx, func(db *gorm.DB, lend dialect.Lend) error {
			return inTransaction(ctx, db, func(tx *gorm.DB) error {
				if err := eraseRows(tx, id); err != nil {
					return err
				}
				return lend.DropJobs(a.outbox, id)
			})
		})
	})
	err = a.store.resolve(ctx, err, func(tx *gorm.DB) (erased bool, err error) {
		if _, err = lockAccount(tx, id); errors.Is(err, domain.ErrNoAccount) {
			return true, nil
		}
		return false, err
	})
	if err != nil {
		return err
	}
	// The account is gone whether this succeeds or not, and the next upkeep does the same.
	if err := a.store.database.ForgetDeleted(ctx, a.store.write); err != nil {
		a.store.log.WarnContext(ctx, "cannot shorten the write-ahead log after an account was deleted", "error", err)
	}
	return nil
}

// eraseRows deletes the rows of an account, its own last.
func eraseRows(tx *gorm.DB, id string) error {
	if _, err := lockAccount(tx, id); err != nil {
		return err
	}
	for _, table := range AccountTables {
		if err := tx.Exec("DELETE FROM "+table+" WHERE account_id = ?", id).Error; err != nil {
			return err
		}
	}
	if err := tx.Exec(eraseWindows, id, "%:"+id).Error; err != nil {
		return err
	}
	return tx.Exec("DELETE FROM accounts WHERE id = ?", id).Error
}
