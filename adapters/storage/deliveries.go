package storage

import (
	"context"
	"errors"
	"strconv"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// Deliveries stores deliveries and their attempts.
type Deliveries struct{ viewWithJobs }

func (d *Deliveries) Add(ctx context.Context, delivery domain.Delivery) error {
	row := rowOfNewDelivery(delivery)
	stored := func(tx *gorm.DB, _ accountRow, add dialect.AddJobs) error {
		if err := keepRun(tx, delivery); err != nil {
			return err
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		if delivery.ByHand() {
			return nil
		}
		return add(deliverJob(row))
	}
	return d.storeWithJobs(ctx, "add a delivery", delivery.AccountID, &deliveryRow{}, delivery.ID, stored)
}

// keepRun keeps the run of a delivery from being swept until the transaction ends, or
// returns domain.ErrNoRun if it has been.
func keepRun(tx *gorm.DB, d domain.Delivery) error {
	if d.Kind != domain.RunDelivery {
		return nil
	}
	var run runRow
	err := tx.Clauses(clause.Locking{Strength: clause.LockingStrengthShare}).Select("id").
		Take(&run, "id = ? AND account_id = ?", d.RunID, d.AccountID).Error
	return orMissing(err, domain.ErrNoRun)
}

func deliverJob(row deliveryRow) ports.Job {
	return ports.Job{Kind: ports.DeliverJob, AccountID: row.AccountID, Delivery: row.ID}
}

// Attempt records the next attempt at a delivery while no other caller can, and returns
// what it needs. If the connection breaks during the commit, the caller must not make the
// attempt, although it may be recorded.
func (d *Deliveries) Attempt(ctx context.Context, id string, at time.Time) (ports.Outgoing, error) {
	var out ports.Outgoing
	err := d.store.transact(ctx, "record an attempt", func(tx *gorm.DB) error {
		out = ports.Outgoing{}
		row, err := lock[deliveryRow](tx, domain.ErrNothingToDo, "id = ?", id)
		if err != nil {
			return err
		}
		if row.State != string(domain.DeliveryPending) {
			return domain.ErrNothingToDo
		}
		prepared, end, err := d.prepare(tx, row)
		if err != nil {
			return err
		}
		if end != domain.DeliveryPending {
			return endDelivery(tx, id, end, at)
		}
		attempt := deliveryAttemptRow{DeliveryID: id, Number: prepared.Number, AtUs: at.UnixMicro()}
		if err := tx.Create(&attempt).Error; err != nil {
			return err
		}
		prepared.Delivery.Attempts = append(prepared.Delivery.Attempts, attempt.attempt(nil))
		out = prepared
		return nil
	})
	if err == nil && out.Number == 0 { // the delivery has ended
		err = domain.ErrNothingToDo
	}
	return out, err
}

// prepare returns what the next attempt at a pending delivery needs, or the state in which
// the delivery ends because there cannot be another attempt.
func (d *Deliveries) prepare(tx *gorm.DB, row deliveryRow) (ports.Outgoing, domain.DeliveryState, error) {
	if err := tx.Order("number").Find(&row.Attempts, "delivery_id = ?", row.ID).Error; err != nil {
		return ports.Outgoing{}, "", err
	}
	made := len(row.Attempts)
	if made >= domain.MaxAttempts {
		return ports.Outgoing{}, domain.DeliveryFailed, nil
	}
	out := ports.Outgoing{Delivery: d.delivery(tx.Statement.Context, row), Number: made + 1}
	var err error
	out.Webhook, err = d.webhookOf(tx, row.AccountID)
	switch {
	case err != nil || out.Webhook.Secret == "": // nothing can be signed
	case out.Delivery.Kind == domain.BatchDelivery:
		err = d.fillOfBatch(tx, &out)
	default:
		err = fillOfAccount(tx, &out)
	}
	switch {
	case err != nil:
		return ports.Outgoing{}, "", err
	case out.Endpoint == "":
		return ports.Outgoing{}, domain.DeliveryDropped, nil
	}
	return out, domain.DeliveryPending, nil
}

// fillOfBatch fills in the batch's own webhook_url, unless its results are gone.
func (d *Deliveries) fillOfBatch(tx *gorm.DB, out *ports.Outgoing) error {
	var row batchRow
	found := tx.Limit(1).Find(&row, "id = ? AND account_id = ?", out.Delivery.BatchID, out.Delivery.AccountID)
	if found.Error != nil || found.RowsAffected == 0 || row.Dropped {
		return found.Error
	}
	batch, err := d.unsealBatch(tx.Statement.Context, row)
	out.Endpoint = batch.WebhookURL
	return err
}

// fillOfAccount fills in the account's endpoint and the run, unless the account has no
// endpoint any more, or no right to one, or the run has been swept.
func fillOfAccount(tx *gorm.DB, out *ports.Outgoing) error {
	var account accountRow
	if err := tx.Take(&account, "id = ?", out.Delivery.AccountID).Error; err != nil {
		return err
	}
	if account.account().HasWebhooks() {
		out.Endpoint = out.Webhook.Endpoint
	}
	if out.Endpoint == "" || out.Delivery.Kind != domain.RunDelivery {
		return nil
	}
	var run runRow
	found := tx.Limit(1).Find(&run, "id = ? AND account_id = ?", out.Delivery.RunID, out.Delivery.AccountID)
	if found.RowsAffected == 0 {
		out.Endpoint = ""
	}
	out.Run = run.run()
	return found.Error
}

func endDelivery(tx *gorm.DB, id string, state domain.DeliveryState, at time.Time) error {
	return tx.Model(&deliveryRow{}).Where("id = ?", id).
		Updates(map[string]any{"state": string(state), "settled_at_us": at.UnixMicro()}).Error
}

// Complete does nothing if the delivery was swept meanwhile.
func (d *Deliveries) Complete(ctx context.Context, id string, a domain.Attempt, state domain.DeliveryState) error {
	err := d.store.transactAs(ctx, dialect.Relaxed, "complete an attempt", func(tx *gorm.DB) error {
		row, err := lock[deliveryRow](tx, domain.ErrNothingToDo, "id = ?", id)
		if err != nil {
			return err
		}
		failure := seal(d.sealer, []byte(a.Failure), failurePlace(row.AccountID, id, a.Number)...)
		err = tx.Model(&deliveryAttemptRow{}).Where("delivery_id = ? AND number = ?", id, a.Number).Updates(map[string]any{
			"took_us": a.Took.Microseconds(), "outcome": string(a.Outcome), "status": a.Status, "failure": failure}).Error
		if err != nil {
			return err
		}
		was, next := domain.DeliveryState(row.State), state
		switch {
		case a.Outcome == domain.OutcomeDelivered:
			next = domain.DeliveryDelivered
		case was != domain.DeliveryPending:
			next = was
		}
		if next == was {
			return nil
		}
		return endDelivery(tx, id, next, a.At.Add(a.Took))
	})
	if errors.Is(err, domain.ErrNothingToDo) {
		return nil
	}
	return err
}

func failurePlace(accountID, deliveryID string, number int) []string {
	return []string{"delivery_attempts", "failure", accountID, deliveryID, strconv.Itoa(number)}
}

func (v view) delivery(ctx context.Context, row deliveryRow) domain.Delivery {
	var attempts []domain.Attempt
	for _, a := range row.Attempts {
		failure, err := unseal(v.sealer, a.Failure, failurePlace(row.AccountID, row.ID, a.Number)...)
		if err != nil {
			v.store.logUnreadable(ctx, err)
		}
		attempts = append(attempts, a.attempt(failure))
	}
	return row.delivery(attempts)
}

func (d *Deliveries) Latest(ctx context.Context, accountID string, limit int) ([]domain.Delivery, error) {
	return d.list(ctx, "list deliveries", func(db *gorm.DB) *gorm.DB {
		return db.Where("account_id = ?", accountID).Order("created_at_us DESC, id DESC").Limit(limit)
	})
}

func (d *Deliveries) Find(ctx context.Context, accountID, id string) (domain.Delivery, error) {
	found, err := d.list(ctx, "find a delivery", func(db *gorm.DB) *gorm.DB {
		return db.Where("id = ? AND account_id = ?", id, accountID)
	})
	switch {
	case err != nil:
		return domain.Delivery{}, err
	case len(found) == 0:
		return domain.Delivery{}, domain.ErrNoDelivery
	}
	return found[0], nil
}

// list reads deliveries with their attempts.
func (d *Deliveries) list(ctx context.Context, doing string, which func(*gorm.DB) *gorm.DB) ([]domain.Delivery, error) {
	rows, err := list[deliveryRow](ctx, d.store, doing, func(db *gorm.DB) *gorm.DB {
		return which(withAttempts(db))
	})
	return each(rows, func(row deliveryRow) domain.Delivery { return d.delivery(ctx, row) }), err
}

func withAttempts(db *gorm.DB) *gorm.DB {
	return db.Preload("Attempts", func(db *gorm.DB) *gorm.DB { return db.Order("number") })
}
