package storage

import (
	"time"

	"milaan/domain"
	"milaan/ports"
)

// announceRun stores the delivery of a run, or a test, if the account has an endpoint.
const announceRun = `
INSERT INTO deliveries (id, event_id, account_id, kind, run_id, batch_id, state, created_at_us, settled_at_us, sandbox)
SELECT ?, ?, account_id, ?, ?, NULL, ?, ?, NULL, ? FROM webhooks WHERE account_id = ? AND endpoint IS NOT NULL`

func (b *runBook) announce(d domain.Delivery) error {
	d.AccountID = b.account.ID
	row := rowOfNewDelivery(d)
	done := b.tx.Exec(announceRun, row.ID, row.EventID, row.Kind, row.RunID, row.State, row.CreatedAtUs, row.Sandbox, row.AccountID)
	if done.Error != nil {
		return b.fault("announce a run", done.Error)
	}
	if done.RowsAffected == 0 {
		return nil
	}
	return b.fault("announce a run", b.add(deliverJob(row)))
}

// countSandboxRun counts a run on a day, unless the account has had its limit of them on that day.
const countSandboxRun = `
INSERT INTO sandbox_runs (account_id, day, runs) VALUES (?, ?, 1)
ON CONFLICT (account_id, day) DO UPDATE SET runs = sandbox_runs.runs + 1 WHERE sandbox_runs.runs < ?`

func (b *runBook) countInSandbox(at time.Time) error {
	done := b.tx.Exec(countSandboxRun, b.account.ID, domain.DayOf(at), domain.SandboxRuns)
	if done.Error == nil && done.RowsAffected == 0 {
		return domain.ErrSandboxRuns(at)
	}
	return b.fault("count a sandbox run", done.Error)
}

// endJobRow ends a job of an account's batch that has not ended.
const endJobRow = `
UPDATE batch_jobs SET ended_at_us = ?, took_us = ?, result = ?, labels = NULL, input = NULL
WHERE batch_id = ? AND position = ? AND ended_at_us IS NULL
  AND EXISTS (SELECT 1 FROM batches WHERE id = batch_jobs.batch_id AND account_id = ?)
RETURNING bytes`

// countEnded counts the end of a job, and keeps its result instead of its files. The
// count is exact, because all jobs of a batch belong to one account, whose row is locked.
const countEnded = `
UPDATE batches SET completed = completed + 1, completed_at_us = CASE WHEN completed + 1 = jobs THEN ? ELSE completed_at_us END,
  kept_bytes = kept_bytes + ?
WHERE id = ? RETURNING completed = jobs AND webhook_url IS NOT NULL, completed = jobs AND sandbox, sandbox`

func (b *runBook) endJob(end ports.JobEnd) error {
	result := b.sealer.Seal(end.Result, jobPlace("result", b.account.ID, end.BatchJob)...)
	var files int64
	found, err := scanFirst(b.tx.Raw(endJobRow, end.At.UnixMicro(), end.Took.Microseconds(), result, end.BatchID, end.Position,
		b.account.ID), &files)
	switch {
	case err != nil:
		return b.fault("end a job", err)
	case !found:
		return domain.ErrNothingToDo
	}
	var owed bool              // a delivery to the batch's webhook_url
	var tested, sandboxed bool // a test is due; the batch is of the sandbox
	if _, err := scanFirst(b.tx.Raw(countEnded, end.At.UnixMicro(), int64(len(result))-files, end.BatchID), &owed, &tested,
		&sandboxed); err != nil {
		return b.fault("count the end of a job", err)
	}
	if tested && end.Test.ID != "" && b.account.HasWebhooks() {
		if err := b.announce(end.Test); err != nil {
			return err
		}
	}
	if !owed {
		return nil
	}
	d := end.Delivery
	d.AccountID, d.Kind, d.RunID, d.BatchID = b.account.ID, domain.BatchDelivery, "", end.BatchID
	d.Sandbox = sandboxed
	row := rowOfNewDelivery(d)
	if err := b.tx.Create(&row).Error; err != nil {
		return b.fault("add the delivery of a batch", err)
	}
	return b.fault("add the delivery of a batch", b.add(deliverJob(row)))
}
