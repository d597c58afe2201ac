package storage

import (
	"context"
	"errors"
	"math"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// What has expired is swept in portions, each in a transaction of its own: the embedded database has
// one writer, and requests wait for it.
const (
	// portion is how many small rows are swept at once.
	portion = 1000
	// The results of at most batchesSwept batches, and of at most bytesSwept bytes, are
	// deleted at once; a larger batch is swept by itself. The same goes for kept files.
	batchesSwept = 20
	bytesSwept   = 64 << 20
)

// inPortions repeats a statement, whose last argument is how many rows it may
// change, until it has changed them all.
func (s *Store) inPortions(ctx context.Context, doing, query string, args ...any) error {
	args = append(args, portion)
	for {
		var changed int64
		err := s.write(ctx, doing, func(db *gorm.DB) error {
			done := db.Exec(query, args...)
			changed = done.RowsAffected
			return done.Error
		})
		if err != nil || changed < portion {
			return err
		}
	}
}

// drop deletes the rows whose time in a column is before another one, in portions.
func (s *Store) drop(ctx context.Context, doing, table, column string, before time.Time) error {
	return s.inPortions(ctx, doing, "DELETE FROM "+table+" WHERE id IN (SELECT id FROM "+table+" WHERE "+column+" < ? ORDER BY "+column+
		" LIMIT ?)", before.UnixMicro())
}

const (
	// dropWindows needs no portions: an hour has few windows, and there are few of a day.
	dropWindows    = "DELETE FROM rate_windows WHERE changed_at_us < ? AND subject NOT LIKE '" + ports.DaySubject + "%'"
	dropDayWindows = "DELETE FROM rate_windows WHERE changed_at_us < ? AND subject LIKE '" + ports.DaySubject + "%'"
	// giveUpDeliveries leaves out deliveries that end meanwhile.
	giveUpDeliveries = `
UPDATE deliveries SET state = ?, settled_at_us = ?
WHERE settled_at_us IS NULL
  AND id IN (SELECT id FROM deliveries WHERE settled_at_us IS NULL AND created_at_us < ? ORDER BY created_at_us LIMIT ?)`
	dropSandboxRuns = `
DELETE FROM sandbox_runs WHERE (account_id, day) IN (SELECT account_id, day FROM sandbox_runs WHERE day < ? ORDER BY day LIMIT ?)`
	dropSandboxBatches = `
DELETE FROM batches WHERE id IN (SELECT id FROM batches WHERE sandbox AND completed_at_us < ? ORDER BY completed_at_us LIMIT ?)`
	// dropClaims leaves out claims that are made anew meanwhile.
	dropClaims = `
DELETE FROM claims WHERE (made_at_us < ? OR made_at_us > ?)
  AND (account_id, request_key_hash) IN
    (SELECT account_id, request_key_hash FROM claims WHERE made_at_us < ? OR made_at_us > ? ORDER BY made_at_us LIMIT ?)`
)

// Sweep drops what has expired.
func (s *Store) Sweep(ctx context.Context, e ports.Expiry) error {
	pending, claims, ahead := e.Pending.UnixMicro(), e.Claims.UnixMicro(), int64(math.MaxInt64)
	if !e.ClaimsAhead.IsZero() {
		ahead = e.ClaimsAhead.UnixMicro()
	}
	return errors.Join(
		s.write(ctx, "sweep the rate windows", func(db *gorm.DB) error { return db.Exec(dropWindows, e.Windows.UnixMicro()).Error }),
		s.write(ctx, "sweep the rate windows of days",
			func(db *gorm.DB) error { return db.Exec(dropDayWindows, e.DayWindows.UnixMicro()).Error }),
		s.drop(ctx, "sweep the phone codes", "phone_codes", "sent_at_us", e.PhoneCodes),
		s.drop(ctx, "sweep the API keys", "api_keys", "revoked_at_us", e.Keys),
		s.inPortions(ctx, "give deliveries up", giveUpDeliveries, string(domain.DeliveryFailed), pending, pending),
		s.drop(ctx, "sweep the deliveries", "deliveries", "settled_at_us", e.Deliveries),
		s.inPortions(ctx, "sweep the claims", dropClaims, claims, ahead, claims, ahead),
		s.drop(ctx, "sweep the sessions", "sessions", "created_at_us", e.Sessions),
		s.drop(ctx, "sweep the idle sessions", "sessions", "used_at_us", e.Idle),
		s.drop(ctx, "sweep the redeemed links", "redeemed_links", "until_us", e.Links),
		s.drop(ctx, "sweep the invitations", "invitations", "until_us", e.Invitations),
		s.drop(ctx, "sweep the sign-ups", "sign_ups", "at_us", e.SignUps),
		s.drop(ctx, "sweep the security events", "security_events", "at_us", e.Events),
		s.drop(ctx, "sweep the passes", "passes", "ended_at_us", e.Passes),
		s.drop(ctx, "sweep the mails", "mails", "created_at_us", e.Mails),
		s.drop(ctx, "sweep the billing notices", "billing_notices", "taken_at_us", e.Notices),
		s.sweepKeptFiles(ctx, e.KeptFiles),
		s.sweepRuns(ctx, e.Runs),
		s.inPortions(ctx, "sweep the counts of sandbox runs", dropSandboxRuns, e.SandboxRuns),
		s.inPortions(ctx, "sweep the batches of the sandbox", dropSandboxBatches, e.Sandbox.UnixMicro()),
		s.sweepBatches(ctx, e.Results, e.Batches),
	)
}

// sweep repeats a transaction as long as there is more to sweep.
func (s *Store) sweep(ctx context.Context, doing string, do func(tx *gorm.DB) (more bool, err error)) error {
	for more := true; more; {
		err := s.transactAs(ctx, dialect.Relaxed, doing, func(tx *gorm.DB) (err error) {
			more, err = do(tx)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// sweepRuns deletes runs with the claims that have them as outcome, and takes them from
// their deliveries.
func (s *Store) sweepRuns(ctx context.Context, before time.Time) error {
	return s.sweep(ctx, "sweep the runs", func(tx *gorm.DB) (more bool, err error) {
		var ids []string
		err = tx.Model(&runRow{}).Clauses(clause.Locking{Strength: clause.LockingStrengthUpdate}).
			Where("at_us < ?", before.UnixMicro()).Order("at_us").Limit(portion).Pluck("id", &ids).Error
		if err != nil || len(ids) == 0 {
			return false, err
		}
		for _, query := range []string{
			"UPDATE deliveries SET run_id = NULL WHERE run_id IN ?",
			"DELETE FROM claims WHERE run_id IN ?",
			"DELETE FROM runs WHERE id IN ?",
		} {
			if err := tx.Exec(query, ids).Error; err != nil {
				return false, err
			}
		}
		return len(ids) == portion, nil
	})
}

// sweepBatches deletes results, and later what remains of their batches. Then disk space
// that is free is given back, also that of the files of jobs that have ended and of kept
// files: nothing else in the database is large.
func (s *Store) sweepBatches(ctx context.Context, resultsBefore, batchesBefore time.Time) error {
	err := s.sweep(ctx, "sweep the results of batches", func(tx *gorm.DB) (bool, error) { return sweepResults(tx, resultsBefore) })
	if err != nil {
		return err
	}
	if err := s.drop(ctx, "sweep the batches", "batches", "completed_at_us", batchesBefore); err != nil {
		return err
	}
	return s.database.GiveBack(ctx, s.read, s.write)
}

// sweepResults deletes the results of the batches that were completed first, as many as one
// transaction may. found says that it found some, so that there may be more.
func sweepResults(tx *gorm.DB, before time.Time) (found bool, err error) {
	var rows []batchRow
	err = tx.Select("id", "kept_bytes").Where("completed_at_us < ? AND NOT dropped", before.UnixMicro()).
		Order("completed_at_us").Limit(batchesSwept).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return false, err
	}
	ids := sweptTogether(rows, func(row *batchRow) (string, int64) { return row.ID, row.KeptBytes })
	if err := tx.Exec("UPDATE batch_jobs SET result = NULL WHERE batch_id IN ? AND result IS NOT NULL", ids).Error; err != nil {
		return false, err
	}
	return true, tx.Exec("UPDATE batches SET dropped = TRUE WHERE id IN ?", ids).Error
}

// sweptTogether returns the ids of the first rows: as many as have together the bytes that one
// transaction may delete, and one at least.
func sweptTogether[R any](rows []R, of func(*R) (id string, bytes int64)) (ids []string) {
	var size int64
	for i := range rows {
		id, bytes := of(&rows[i])
		if size += bytes; size > bytesSwept && i > 0 {
			break
		}
		ids = append(ids, id)
	}
	return ids
}
