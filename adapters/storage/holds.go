package storage

import (
	"cmp"
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// Holds stores whether the service is held.
type Holds struct {
	store *Store
	facts *Facts
}

// NewHolds returns the store's view of the hold.
func NewHolds(s *Store) *Holds { return &Holds{s, NewFacts(s)} }

func (h *Holds) Held(ctx context.Context) (since time.Time, err error) {
	text, err := h.facts.Find(ctx, dialect.HeldFact)
	if err != nil {
		return time.Time{}, err
	}
	return heldSince(text)
}

func heldSince(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	us, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("read since when the service is held: %w", err)
	}
	return moment(us), nil
}

// Hold keeps the time of an earlier hold.
func (h *Holds) Hold(ctx context.Context, at time.Time) (since time.Time, err error) {
	err = h.facts.Alter(ctx, dialect.HeldFact, func(stored string) (string, error) {
		stored = cmp.Or(stored, strconv.FormatInt(at.UnixMicro(), 10))
		var err error
		since, err = heldSince(stored)
		return stored, err
	})
	return since, err
}

const (
	// dropEvents drops the pending deliveries that a discarding resume drops: those of before the hold,
	// and those of batches that were not complete when it began. A run of a batch does not say
	// of which one it is: while its account has such a batch, all count.
	dropEvents = `
UPDATE deliveries SET state = 'dropped', settled_at_us = ?
WHERE settled_at_us IS NULL AND (created_at_us <= ?
  OR batch_id IN (SELECT id FROM batches WHERE submitted_at_us <= ?)
  OR run_id IN (SELECT runs.id FROM runs JOIN batches ON batches.account_id = runs.account_id
    WHERE runs.source = 'batch' AND runs.at_us > ? AND batches.submitted_at_us <= ?
      AND (batches.completed_at_us IS NULL OR batches.completed_at_us > ?)))`
	// dropBatchEvents has the batches that are still open announced to nobody.
	dropBatchEvents = `
UPDATE batches SET webhook_url = NULL WHERE submitted_at_us <= ? AND completed_at_us IS NULL AND webhook_url IS NOT NULL`
	// dropMails counts mails as sent, because they must be remembered: what is not there is added again.
	// No connection was looked at during the hold, so all alarms are about what was before.
	dropMails = `
UPDATE mails SET sent_at_us = ? WHERE sent_at_us IS NULL AND (created_at_us <= ? OR kind <> 'invitation' AND kind <> 'charged_twice')`

	countEvents = `SELECT count(*) FROM deliveries WHERE settled_at_us IS NULL`
	countMails  = `SELECT count(*) FROM mails WHERE sent_at_us IS NULL`
	lockHeld    = `UPDATE service_facts SET value = value WHERE name = ?`
)

func (h *Holds) Resume(ctx context.Context, discard bool, at time.Time) (w ports.Waited, err error) {
	err = h.store.transact(ctx, "end the hold", func(tx *gorm.DB) error {
		w = ports.Waited{}
		var text string
		if err := tx.Exec(lockHeld, dialect.HeldFact).Error; err != nil {
			return err
		}
		_, err := scanFirst(tx.Raw("SELECT value FROM service_facts WHERE name = ?", dialect.HeldFact), &text)
		if err == nil {
			w.Since, err = heldSince(text)
		}
		switch {
		case err != nil:
			return err
		case w.Since.IsZero():
			return domain.ErrNotHeld
		}
		if discard {
			if err := drop(tx, &w, at); err != nil {
				return err
			}
		}
		for query, into := range map[string]*int{countEvents: &w.Events, countMails: &w.Mails} {
			if _, err := scanFirst(tx.Raw(query), into); err != nil {
				return err
			}
		}
		return tx.Exec("UPDATE service_facts SET value = '' WHERE name = ?", dialect.HeldFact).Error
	})
	return w, err
}

// drop drops what waited when the hold began.
func drop(tx *gorm.DB, w *ports.Waited, at time.Time) error {
	since := w.Since.UnixMicro()
	for _, s := range []struct {
		into      *int
		statement string
		args      []any
	}{
		// In this order: a batch that is completed meanwhile is waited for by the first, and seen by the second.
		{&w.DroppedEvents, dropBatchEvents, []any{since}},
		{&w.DroppedEvents, dropEvents, []any{at.UnixMicro(), since, since, since, since, since}},
		{&w.DroppedMails, dropMails, []any{at.UnixMicro(), since}},
	} {
		done := tx.Exec(s.statement, s.args...)
		if done.Error != nil {
			return done.Error
		}
		*s.into += int(done.RowsAffected)
	}
	return put(tx, &serviceFactRow{Name: discardedFact, Value: strconv.FormatInt(since, 10)})
}

const (
	// discardedFact names the fact that says until when events were discarded by the last discarding
	// resume, in microseconds since 1970.
	discardedFact = "discarded_until_us"
	// countDiscarded finds a batch that was submitted before. What its last runs have to tell was told
	// by the service that was backed up, or never will be.
	countDiscarded = `SELECT count(*) FROM batches JOIN service_facts ON service_facts.name = ?
WHERE batches.id = ? AND batches.submitted_at_us <= CAST(service_facts.value AS BIGINT)`
)
