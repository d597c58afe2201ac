package storage

import (
	"context"
	"iter"
	"strconv"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// Batches stores batches and their jobs.
type Batches struct{ viewWithJobs }

// jobPlace is the place that a column of a job is sealed for.
func jobPlace(column, accountID string, job domain.BatchJob) []string {
	return []string{"batch_jobs", column, accountID, job.BatchID, strconv.Itoa(job.Position)}
}

func batchURLPlace(accountID, batchID string) []string {
	return []string{"batches", "webhook_url", accountID, batchID}
}

// undropped counts an account's open batches, and the bytes that all its batches keep, in the
// sandbox or outside it.
const undropped = `
SELECT COUNT(CASE WHEN completed_at_us IS NULL THEN 1 END), COALESCE(SUM(kept_bytes), 0)
FROM batches WHERE account_id = ? AND NOT dropped AND sandbox = ?`

const (
	// allKept is how many bytes the batches of all accounts keep. It reads only an index.
	allKept = "SELECT COALESCE(SUM(kept_bytes), 0) FROM batches WHERE NOT dropped"
	// quotaLock is the lock under which transactions count these bytes, one at a time.
	quotaLock = 7350126845092
)

// checkQuota returns domain.ErrBatchQuota if the batches of all accounts would keep more
// than the quota if more bytes were added.
func (b *Batches) checkQuota(tx *gorm.DB, more int64) error {
	if b.store.quota <= 0 {
		return nil
	}
	var kept int64
	if _, err := scanFirst(tx.Raw(allKept), &kept); err != nil {
		return err
	}
	if kept+more > b.store.quota {
		return domain.ErrBatchQuota
	}
	return nil
}

// holdQuota is checkQuota for a batch that was stored in this transaction. Other
// transactions that store batches wait at the lock until this one ends, so that none is
// left out of the sum. The sum is a statement after that of the lock, so that it sees
// what the transaction before has committed.
func (b *Batches) holdQuota(tx *gorm.DB) error {
	if b.store.quota <= 0 {
		return nil
	}
	if err := b.store.database.Serialize(tx, quotaLock); err != nil {
		return err
	}
	return b.checkQuota(tx, 0)
}

// Submit stores a batch and adds its jobs. The quota is checked twice: before the files
// are written, so that a refusal costs a full service little, and at the end under a
// lock, for which others wait.
func (b *Batches) Submit(ctx context.Context, batch domain.Batch, requests []ports.Request, claim domain.RequestClaim) error {
	rows := b.sealJobs(batch, requests)
	jobs := make([]ports.Job, len(rows))
	var size int64
	for i, row := range rows {
		jobs[i] = ports.Job{Kind: ports.RunJob, AccountID: batch.AccountID, Run: domain.BatchJob{BatchID: row.BatchID, Position: row.Position}}
		size += row.Bytes
	}
	row := batchRow{ID: batch.ID, AccountID: batch.AccountID, Jobs: len(rows), SubmittedAtUs: batch.SubmittedAt.UnixMicro(), KeptBytes: size,
		Sandbox: batch.Sandbox, WebhookURL: seal(b.sealer, []byte(batch.WebhookURL), batchURLPlace(batch.AccountID, batch.ID)...)}
	stored := func(tx *gorm.DB, _ accountRow, add dialect.AddJobs) error {
		var open, kept int64
		if _, err := scanFirst(tx.Raw(undropped, batch.AccountID, batch.Sandbox), &open, &kept); err != nil {
			return err
		}
		switch {
		case open >= domain.MaxOpenBatches:
			return domain.ErrOpenBatches
		case kept+size > domain.MaxKept:
			return domain.ErrKeptResults
		}
		if err := b.checkQuota(tx, size); err != nil {
			return err
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		for i := range rows { // one by one: they are large
			if err := tx.Create(&rows[i]).Error; err != nil {
				return err
			}
		}
		if claim != (domain.RequestClaim{}) {
			s := fulfilment(claim, "batch_id", batch.ID)
			if err := changedOne(tx.Exec(s.Text, s.Args...), domain.ErrKeyRunning); err != nil {
				return err
			}
		}
		if err := add(jobs...); err != nil {
			return err
		}
		return b.holdQuota(tx)
	}
	return b.storeWithJobs(ctx, "store a batch", batch.AccountID, &batchRow{}, batch.ID, stored)
}

func (b *Batches) sealJobs(batch domain.Batch, requests []ports.Request) []batchJobRow {
	rows := make([]batchJobRow, len(requests))
	for i, req := range requests {
		job := domain.BatchJob{BatchID: batch.ID, Position: i}
		rows[i] = batchJobRow{BatchID: batch.ID, Position: i, Bytes: req.Bytes(),
			Labels: b.sealer.Seal(encode(labels{Brand: req.Brand, CourierName: req.CourierNames()}, 0), jobPlace("labels", batch.AccountID, job)...),
			Input:  b.sealer.Seal(encodeInput(req), jobPlace("input", batch.AccountID, job)...)}
	}
	return rows
}

func (b *Batches) Begin(ctx context.Context, job domain.BatchJob, at time.Time) (domain.Account, ports.Request, error) {
	account, kept, sandbox, err := b.findJob(ctx, job)
	if err != nil {
		return domain.Account{}, ports.Request{}, err
	}
	err = b.store.write(ctx, "note the beginning of a batch", func(db *gorm.DB) error {
		return db.Exec("UPDATE batches SET started_at_us = ? WHERE id = ? AND started_at_us IS NULL AND completed_at_us IS NULL",
			at.UnixMicro(), job.BatchID).Error
	})
	if err != nil {
		return domain.Account{}, ports.Request{}, err
	}
	text, err := b.openOr(ctx, domain.ErrUnreadable, kept, jobPlace("input", account.ID, job)...)
	if err != nil {
		return domain.Account{}, ports.Request{}, err
	}
	in, err := decodeInput(text)
	req := in.request()
	req.Sandbox = sandbox
	return account, req, err
}

// findJob finds the account of a job that has not ended, and its request, still sealed. sandbox
// says whether the batch is one of the sandbox.
func (b *Batches) findJob(ctx context.Context, job domain.BatchJob) (_ domain.Account, request []byte, sandbox bool, err error) {
	var account accountRow
	var batch batchRow
	var row batchJobRow
	err = b.store.read(ctx, "find a job", func(db *gorm.DB) error {
		err := db.Take(&row, "batch_id = ? AND position = ? AND ended_at_us IS NULL", job.BatchID, job.Position).Error
		if err == nil {
			err = db.Select("account_id", "sandbox").Take(&batch, "id = ?", job.BatchID).Error
		}
		if err == nil {
			err = db.Take(&account, "id = ?", batch.AccountID).Error
		}
		return orMissing(err, domain.ErrNothingToDo)
	})
	return account.account(), row.Input, batch.Sandbox, err
}

func (b *Batches) Labels(ctx context.Context, job domain.BatchJob) (brand, courierName string, err error) {
	var sealed []byte
	var accountID string
	err = b.store.read(ctx, "find the labels of a job", func(db *gorm.DB) error {
		found, err := scanFirst(db.Raw(labelsOfJob, job.BatchID, job.Position), &sealed, &accountID)
		if err == nil && !found {
			return domain.ErrNothingToDo
		}
		return err
	})
	if err != nil || sealed == nil {
		return "", "", err
	}
	text, err := unseal(b.sealer, sealed, jobPlace("labels", accountID, job)...)
	if err != nil {
		b.store.logUnreadable(ctx, err)
		return "", "", domain.ErrUnreadable.Caused(err)
	}
	l, err := decode[labels](text)
	return l.Brand, l.CourierName, err
}

const labelsOfJob = `
SELECT j.labels, b.account_id FROM batch_jobs j JOIN batches b ON b.id = j.batch_id
WHERE j.batch_id = ? AND j.position = ? AND j.ended_at_us IS NULL`

func (b *Batches) Find(ctx context.Context, accountID, id string) (domain.Batch, error) {
	row, err := find[batchRow](ctx, b.store, "find a batch", domain.ErrNoBatch, "id = ? AND account_id = ?", id, accountID)
	if err != nil {
		return domain.Batch{}, err
	}
	return b.unsealBatch(ctx, row)
}

// unsealBatch returns the batch of a row, without its webhook_url if that cannot be
// opened any more.
func (v view) unsealBatch(ctx context.Context, row batchRow) (domain.Batch, error) {
	url, err := v.open(ctx, row.WebhookURL, batchURLPlace(row.AccountID, row.ID)...)
	batch := row.batch()
	batch.WebhookURL = string(url)
	return batch, err
}

// Results returns the results of a complete batch. Each is read by itself, so that no
// connection is held while the caller writes one to a client, which may be slow.
func (b *Batches) Results(ctx context.Context, batch domain.Batch) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		for position := range batch.Jobs {
			result, err := b.result(ctx, batch.AccountID, domain.BatchJob{BatchID: batch.ID, Position: position})
			if !yield(result, err) || err != nil {
				return
			}
		}
	}
}

func (b *Batches) result(ctx context.Context, accountID string, job domain.BatchJob) ([]byte, error) {
	rows, err := list[batchJobRow](ctx, b.store, "read a result", func(db *gorm.DB) *gorm.DB {
		return db.Select("result").Where("batch_id = ? AND position = ?", job.BatchID, job.Position)
	})
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 || rows[0].Result == nil {
		return nil, domain.ErrBatchGone
	}
	return b.openOr(ctx, domain.ErrBatchGone, rows[0].Result, jobPlace("result", accountID, job)...)
}

// lastJobs is how many of the jobs that ended last are used to tell how quickly work is
// done.
const lastJobs = 50

// waitingLoad counts the jobs that have not ended, by account, and doneLoad sums up those
// that ended last. A job that ended without an attempt is left out.
const (
	waitingLoad = `
SELECT b.account_id, COUNT(*) AS jobs, SUM(j.bytes) AS bytes FROM batches b JOIN batch_jobs j ON j.batch_id = b.id
WHERE b.completed_at_us IS NULL AND j.ended_at_us IS NULL GROUP BY b.account_id`
	doneLoad = `
SELECT COALESCE(SUM(bytes), 0), COALESCE(SUM(took_us), 0)
FROM (SELECT bytes, took_us FROM batch_jobs WHERE took_us > 0 ORDER BY ended_at_us DESC LIMIT ?) AS last`
)

func (b *Batches) Load(ctx context.Context, accountID string, jobs int) (domain.BatchLoad, error) {
	var l domain.BatchLoad
	err := b.store.read(ctx, "look at the load", func(db *gorm.DB) error {
		var rows []struct {
			AccountID string
			domain.Waiting
		}
		if err := db.Raw(waitingLoad).Scan(&rows).Error; err != nil {
			return err
		}
		waiting := map[string]domain.Waiting{}
		for _, row := range rows {
			waiting[row.AccountID] = row.Waiting
		}
		var tookUs int64
		l = domain.BatchLoad{AheadBytes: domain.Ahead(waiting, accountID, jobs)}
		_, err := scanFirst(db.Raw(doneLoad, lastJobs), &l.DoneBytes, &tookUs)
		l.DoneTook = time.Duration(tookUs) * time.Microsecond
		return err
	})
	return l, err
}

// staleJobs finds the jobs of open batches that have not ended, earliest first.
const staleJobs = `
SELECT j.batch_id, j.position, b.account_id
FROM batches b JOIN batch_jobs j ON j.batch_id = b.id
WHERE b.completed_at_us IS NULL AND b.submitted_at_us < ? AND j.ended_at_us IS NULL
ORDER BY b.submitted_at_us, b.id, j.position LIMIT ?`

func (b *Batches) Stale(ctx context.Context, submittedBefore time.Time, limit int) ([]ports.StaleJob, error) {
	var stale []ports.StaleJob
	err := b.store.read(ctx, "look for stale jobs", func(db *gorm.DB) error {
		return db.Raw(staleJobs, submittedBefore.UnixMicro(), limit).Scan(&stale).Error
	})
	return stale, err
}
