package storage

import (
	"context"

	"gorm.io/gorm"

	"milaan/domain"
)

// SecurityEvents stores the events of security logs.
type SecurityEvents struct{ store *Store }

// NewSecurityEvents returns the store's view of the security logs.
func NewSecurityEvents(s *Store) *SecurityEvents { return &SecurityEvents{s} }

func (s *SecurityEvents) Add(ctx context.Context, e domain.SecurityEvent) error {
	return s.store.changeOf(ctx, "add a security event", e.AccountID, e, func(*gorm.DB) error { return nil })
}

func (s *SecurityEvents) Latest(ctx context.Context, accountID string, limit int) ([]domain.SecurityEvent, error) {
	var rows []eventRow
	err := s.store.read(ctx, "list security events", func(db *gorm.DB) error {
		return db.Order("at_us DESC, id DESC").Limit(limit).Find(&rows, "account_id = ?", accountID).Error
	})
	return each(rows, eventRow.event), err
}

// addEvent stores an event of an account within the transaction of what it is about,
// unless it is the zero event.
func addEvent(tx *gorm.DB, accountID string, e domain.SecurityEvent) error {
	if e.Kind == "" {
		return nil
	}
	row := rowOfEvent(e)
	row.AccountID = accountID
	return tx.Create(&row).Error
}

type eventRow struct {
	ID        string `gorm:"primaryKey"`
	AccountID string
	AtUs      int64
	Kind      string
	Detail    string
	Way       string
}

func (eventRow) TableName() string { return "security_events" }

func rowOfEvent(e domain.SecurityEvent) eventRow {
	return eventRow{ID: e.ID, AccountID: e.AccountID, AtUs: e.At.UnixMicro(), Kind: string(e.Kind), Detail: e.Detail, Way: string(e.By)}
}

func (r eventRow) event() domain.SecurityEvent {
	return domain.SecurityEvent{ID: r.ID, AccountID: r.AccountID, At: moment(r.AtUs), Kind: domain.SecurityKind(r.Kind), Detail: r.Detail,
		By: domain.Way(r.Way)}
}
