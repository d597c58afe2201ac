package storage

import (
	"context"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports/peers"
)

// SecurityEvents stores the events of security logs.
type SecurityEvents struct{ view }

func (s *SecurityEvents) Add(ctx context.Context, e domain.SecurityEvent) error {
	return s.changeOf(ctx, "add a security event", e.AccountID, e, func(*gorm.DB) error { return nil })
}

func (s *SecurityEvents) Latest(ctx context.Context, accountID string, limit int) ([]domain.SecurityEvent, error) {
	rows, err := list[securityEventRow](ctx, s.store, "list security events", func(db *gorm.DB) *gorm.DB {
		return db.Order("at_us DESC, id DESC").Limit(limit).Where("account_id = ?", accountID)
	})
	return eachOr(rows, err, func(row securityEventRow) (domain.SecurityEvent, error) { return s.event(ctx, row) })
}

func (s *SecurityEvents) RevokedKey(ctx context.Context, hash domain.KeyHash) (accountID, prefix string, err error) {
	row, err := find[apiKeyRow](ctx, s.store, "find a revoked API key", domain.ErrKey, "hash = ? AND revoked_at_us IS NOT NULL", hash[:])
	return row.AccountID, row.Prefix, err
}

// view is the store as one port sees it.
type view struct {
	store  *Store
	sealer peers.Sealer
}

// New returns the store's view of something.
func New[T ~struct{ view }](s *Store, sealer peers.Sealer) *T {
	return new(T(struct{ view }{view{s, sealer}}))
}

// viewWithJobs is the view of something whose changes add jobs.
type viewWithJobs struct {
	view
	outbox Outbox
}

// NewWithJobs returns the store's view of something whose changes add jobs.
func NewWithJobs[T ~struct{ viewWithJobs }](s *Store, outbox Outbox, sealer peers.Sealer) *T {
	return new(T(struct{ viewWithJobs }{viewWithJobs{view{s, sealer}, outbox}}))
}

// noEvent is for changes that are in no security log, or that add their event themselves.
var noEvent domain.SecurityEvent

// changeOf is transactOf, and stores an event with the change in the security log, unless that is the zero event.
func (v view) changeOf(
	ctx context.Context, doing, accountID string, event domain.SecurityEvent, do func(tx *gorm.DB) error,
) error {
	return v.store.transactOf(ctx, doing, accountID, func(tx *gorm.DB) error {
		if err := do(tx); err != nil {
			return err
		}
		return v.add(tx, accountID, event)
	})
}

// add stores an event of an account within the transaction of what it is about, which has locked
// the account or made it, unless it is the zero event. The log is in the order of these
// transactions: who read the clock first may have had to wait for another one, whose time, or
// whose instance's clock, is a little later.
func (v view) add(tx *gorm.DB, accountID string, e domain.SecurityEvent) error {
	if e.Kind == "" {
		return nil
	}
	row := securityEventRow{ID: e.ID, AccountID: accountID, AtUs: e.At.UnixMicro(), Kind: string(e.Kind), Detail: e.Detail,
		Way: string(e.By.Way)}
	if named := (peopleOfEvent{e.By.Name, e.By.Address, e.Whom}); named != (peopleOfEvent{}) {
		row.People = v.sealer.Seal(encodeText(named), peoplePlace(row)...)
	}
	var last int64
	if _, err := scanFirst(tx.Raw("SELECT at_us FROM security_events WHERE account_id = ? ORDER BY at_us DESC, id DESC LIMIT 1", accountID),
		&last); err != nil {
		return err
	}
	if ahead := last - row.AtUs; ahead >= 0 && ahead < int64((dialect.Timeout+domain.ClockSkew)/time.Microsecond) {
		row.AtUs = last + 1
	}
	return tx.Create(&row).Error
}

// event returns the event of a row. If the people cannot be unsealed any more, they are not
// known.
func (v view) event(ctx context.Context, r securityEventRow) (domain.SecurityEvent, error) {
	e := domain.SecurityEvent{ID: r.ID, AccountID: r.AccountID, At: moment(r.AtUs), Kind: domain.SecurityKind(r.Kind), Detail: r.Detail,
		By: domain.Actor{Way: domain.Way(r.Way)}}
	named, err := openText[peopleOfEvent](ctx, v, r.People, peoplePlace(r)...)
	e.By.Name, e.By.Address, e.Whom = named.Name, named.Address, named.Whom
	return e, err
}

// addIf is add, if a statement before it has changed something.
func (v view) addIf(changed *gorm.DB, tx *gorm.DB, accountID string, e domain.SecurityEvent) error {
	if changed.Error != nil || changed.RowsAffected == 0 {
		return changed.Error
	}
	return v.add(tx, accountID, e)
}

type securityEventRow struct {
	ID        string `gorm:"primaryKey"`
	AccountID string
	AtUs      int64
	Kind      string
	Detail    string
	Way       string
	People    []byte
}

func peoplePlace(r securityEventRow) []string {
	return []string{"security_events", "people", r.AccountID, r.ID}
}

type peopleOfEvent struct {
	Name, Address, Whom string
}
