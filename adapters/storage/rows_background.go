package storage

import (
	"time"

	"milaan/domain"
)

// The rows of what outlives a request, as the migrations define them. The caller that
// reads a row unseals its sealed columns.

type webhookRow struct {
	AccountID   string `gorm:"primaryKey"`
	Endpoint    []byte
	Secret      []byte
	Former      []byte
	RotatedAtUs *int64
	Shown       bool
	SetAtUs     *int64
}

type deliveryRow struct {
	ID          string `gorm:"primaryKey"`
	EventID     string
	AccountID   string
	Kind        string
	RunID       *string
	BatchID     *string
	State       string
	CreatedAtUs int64
	SettledAtUs *int64
	Sandbox     bool
	Attempts    []deliveryAttemptRow `gorm:"foreignKey:DeliveryID"`
}

// rowOfNewDelivery returns the row of a pending delivery, even if d has another state.
func rowOfNewDelivery(d domain.Delivery) deliveryRow {
	return deliveryRow{ID: d.ID, EventID: d.EventID, AccountID: d.AccountID, Kind: string(d.Kind), RunID: orNull(d.RunID),
		BatchID: orNull(d.BatchID), State: string(domain.DeliveryPending), CreatedAtUs: d.CreatedAt.UnixMicro(), Sandbox: d.Sandbox}
}

func (r deliveryRow) delivery(attempts []domain.Attempt) domain.Delivery {
	return domain.Delivery{ID: r.ID, EventID: r.EventID, AccountID: r.AccountID, Kind: domain.DeliveryKind(r.Kind), RunID: orZero(r.RunID),
		BatchID: orZero(r.BatchID), State: domain.DeliveryState(r.State), CreatedAt: moment(r.CreatedAtUs), Sandbox: r.Sandbox,
		Attempts: attempts}
}

type deliveryAttemptRow struct {
	DeliveryID string `gorm:"primaryKey"`
	Number     int    `gorm:"primaryKey;autoIncrement:false"`
	AtUs       int64
	TookUs     int64
	Outcome    string
	Status     int
	Failure    []byte // sealed: a receiver may repeat anything that it was sent
}

func (r deliveryAttemptRow) attempt(failure []byte) domain.Attempt {
	return domain.Attempt{Number: r.Number, At: moment(r.AtUs), Took: time.Duration(r.TookUs) * time.Microsecond,
		Outcome: domain.Outcome(r.Outcome), Status: r.Status, Failure: string(failure)}
}

type batchRow struct {
	ID            string `gorm:"primaryKey"`
	AccountID     string
	WebhookURL    []byte
	Jobs          int
	Completed     int
	SubmittedAtUs int64
	StartedAtUs   *int64
	CompletedAtUs *int64
	KeptBytes     int64
	Dropped       bool
	Sandbox       bool
}

// batch returns the batch of a row without its sealed column.
func (r batchRow) batch() domain.Batch {
	return domain.Batch{ID: r.ID, AccountID: r.AccountID, Jobs: r.Jobs, Completed: r.Completed,
		SubmittedAt: moment(r.SubmittedAtUs), StartedAt: momentOrNone(r.StartedAtUs), CompletedAt: momentOrNone(r.CompletedAtUs),
		Dropped: r.Dropped, Sandbox: r.Sandbox}
}

type batchJobRow struct {
	BatchID   string `gorm:"primaryKey"`
	Position  int    `gorm:"primaryKey;autoIncrement:false"`
	Bytes     int64
	EndedAtUs *int64
	TookUs    int64
	Labels    []byte
	Input     []byte
	Result    []byte
}

// momentOrNone returns a stored time; the zero time for null.
func momentOrNone(us *int64) time.Time {
	if us == nil {
		return time.Time{}
	}
	return moment(*us)
}

// storedOrNone returns the form in which a time is stored; null for the zero time.
func storedOrNone(t time.Time) *int64 {
	if t.IsZero() {
		return nil
	}
	return new(t.UnixMicro())
}

// orNull returns the form in which a value is stored, null for the zero value. orZero does
// the reverse.
func orNull[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}

func orZero[T any](stored *T) (v T) {
	if stored != nil {
		v = *stored
	}
	return v
}
