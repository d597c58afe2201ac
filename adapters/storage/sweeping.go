package storage

import (
	"context"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
)

// Upkeep is done in portions, each a transaction of its own: the embedded
// database has one writer, and requests wait for it.
const (
	// portion is how many small rows are swept at once.
	portion = 1000
	// batchesSwept and bytesSwept are for how many batches, and for how many
	// bytes of theirs, results are deleted at once; a larger batch is swept by
	// itself.
	batchesSwept = 20
	bytesSwept   = 64 << 20
)

// inPortions repeats a statement, whose last argument is how many rows it may
// change, until it has changed them all.
func (s *Store) inPortions(ctx context.Context, doing, statement string, args ...any) error {
	args = append(args, portion)
	for {
		var changed int64
		err := s.write(ctx, doing, func(db *gorm.DB) error {
			done := db.Exec(statement, args...)
			changed = done.RowsAffected
			return done.Error
		})
		if err != nil || changed < portion {
			return err
		}
	}
}

// giveUpDeliveries leaves those alone that are settled meanwhile.
const giveUpDeliveries = `
UPDATE deliveries SET state = ?, settled_at_us = ?
WHERE settled_at_us IS NULL
  AND id IN (SELECT id FROM deliveries WHERE settled_at_us IS NULL AND created_at_us < ? ORDER BY created_at_us LIMIT ?)`

// GiveUp settles as failed what has been pending since before a time.
func (d *Deliveries) GiveUp(ctx context.Context, createdBefore time.Time) error {
	before := createdBefore.UnixMicro()
	return d.store.inPortions(ctx, "give deliveries up", giveUpDeliveries, string(domain.DeliveryFailed), before, before)
}

const dropDeliveries = `
DELETE FROM deliveries WHERE id IN (SELECT id FROM deliveries WHERE settled_at_us < ? ORDER BY settled_at_us LIMIT ?)`

// Sweep drops the deliveries that were settled before a time, with their
// attempts.
func (d *Deliveries) Sweep(ctx context.Context, settledBefore time.Time) error {
	return d.store.inPortions(ctx, "sweep the deliveries", dropDeliveries, settledBefore.UnixMicro())
}

const dropKeys = `
DELETE FROM api_keys WHERE id IN (SELECT id FROM api_keys WHERE revoked_at_us < ? ORDER BY revoked_at_us LIMIT ?)`

// Sweep drops the keys that were revoked before a time.
func (k *Keys) Sweep(ctx context.Context, revokedBefore time.Time) error {
	return k.store.inPortions(ctx, "sweep the API keys", dropKeys, revokedBefore.UnixMicro())
}

const dropBatches = `
DELETE FROM batches WHERE id IN (SELECT id FROM batches WHERE completed_at_us < ? ORDER BY completed_at_us LIMIT ?)`

// Sweep deletes results, and later what remains of their batches. Nothing else
// is large: what is free then, with the files of jobs that have ended, is given
// back.
func (b *Batches) Sweep(ctx context.Context, resultsBefore, tombstonesBefore time.Time) error {
	for more := true; more; {
		err := b.store.transactLasting(ctx, dialect.Passing, "sweep the results of batches", func(tx *gorm.DB) (err error) {
			more, err = sweepResults(tx, resultsBefore)
			return err
		})
		if err != nil {
			return err
		}
	}
	if err := b.store.inPortions(ctx, "sweep the batches", dropBatches, tombstonesBefore.UnixMicro()); err != nil {
		return err
	}
	return b.store.database.GiveBack(ctx, b.store.read, b.store.write)
}

// sweepResults deletes the results of the batches that were completed first, as
// many as one transaction may. There may be more as long as it finds some.
func sweepResults(tx *gorm.DB, before time.Time) (found bool, err error) {
	var rows []batchRow
	err = tx.Select("id", "kept_bytes").Where("completed_at_us < ? AND NOT dropped", before.UnixMicro()).
		Order("completed_at_us").Limit(batchesSwept).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return false, err
	}
	var ids []string
	var size int64
	for _, row := range rows {
		if size += row.KeptBytes; size > bytesSwept && len(ids) > 0 {
			break
		}
		ids = append(ids, row.ID)
	}
	if err := tx.Exec("UPDATE batch_jobs SET result = NULL WHERE batch_id IN ? AND result IS NOT NULL", ids).Error; err != nil {
		return false, err
	}
	return true, tx.Exec("UPDATE batches SET dropped = TRUE WHERE id IN ?", ids).Error
}
