package storage

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// Mails stores mails that are to be sent, and which ones an account wants.
type Mails struct{ viewWithJobs }

func (m *Mails) Add(ctx context.Context, mail domain.Mail) (added bool, err error) {
	row := rowOfMail(mail)
	stored := func(tx *gorm.DB, _ accountRow, add dialect.AddJobs) error {
		added = false
		choice, err := choiceOf(tx, mail.AccountID)
		if err != nil || !choice.Wants(mail.Kind) {
			return err
		}
		created := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row)
		if created.Error != nil || created.RowsAffected == 0 {
			return created.Error
		}
		added = true
		return add(ports.Job{Kind: ports.MailJob, AccountID: mail.AccountID, Mail: mail.ID})
	}
	err = m.storeWithJobs(ctx, "add a mail", mail.AccountID, &mailRow{}, mail.ID, stored)
	return added && err == nil, err
}

func (m *Mails) Find(ctx context.Context, id string) (domain.Mail, domain.Account, error) {
	var row mailRow
	var account accountRow
	err := m.store.read(ctx, "find a mail", func(db *gorm.DB) error {
		err := db.Take(&row, "id = ? AND sent_at_us IS NULL", id).Error
		if err == nil {
			err = db.Take(&account, "id = ?", row.AccountID).Error
		}
		if err != nil {
			return orMissing(err, domain.ErrNothingToDo)
		}
		choice, err := choiceOf(db, row.AccountID)
		if err == nil && !choice.Wants(domain.MailKind(row.Kind)) {
			err = domain.ErrNothingToDo
		}
		return err
	})
	if err != nil {
		return domain.Mail{}, domain.Account{}, err
	}
	return row.mail(), account.account(), nil
}

func (m *Mails) Sent(ctx context.Context, id string, at time.Time) error {
	return m.store.transact(ctx, "store that a mail was sent", func(tx *gorm.DB) error {
		return tx.Exec("UPDATE mails SET sent_at_us = ? WHERE id = ? AND sent_at_us IS NULL", at.UnixMicro(), id).Error
	})
}

func (m *Mails) Choice(ctx context.Context, accountID string) (choice domain.MailChoice, err error) {
	err = m.store.read(ctx, "find the choice of mails", func(db *gorm.DB) error {
		choice, err = choiceOf(db, accountID)
		return err
	})
	return choice, err
}

func (m *Mails) Choose(ctx context.Context, accountID string, change func(*domain.MailChoice)) error {
	return m.store.transactOf(ctx, "store the choice of mails", accountID, func(tx *gorm.DB) error {
		choice, err := choiceOf(tx, accountID)
		if err != nil {
			return err
		}
		change(&choice)
		return put(tx, &mailChoiceRow{accountID, choice})
	})
}

// choiceOf finds which mails an account wants: all, unless it has chosen.
func choiceOf(db *gorm.DB, accountID string) (domain.MailChoice, error) {
	var row mailChoiceRow
	err := db.Limit(1).Find(&row, "account_id = ?", accountID).Error
	return row.Choice, err
}
