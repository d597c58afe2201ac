package storage

import (
	"sync"
	"time"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

var insertDelivery = sync.OnceValue(func() insertion { return insertionOf(&deliveryRow{}) })

// announce stores the delivery of a run, or a test, if the account has an endpoint.
func (b *runBook) announce(d domain.Delivery) error {
	if b.hooked.Rows == 0 {
		return nil
	}
	d.AccountID = b.id
	row := rowOfNewDelivery(d)
	if err := b.send(insertDelivery().of(&row)); err != nil {
		return err
	}
	return b.lend.AddJobs(b.runs.outbox, []ports.Job{deliverJob(row)})
}

// countSandboxRun counts a run on a day, unless the account has had its limit of them on that day.
const countSandboxRun = `
INSERT INTO sandbox_runs (account_id, day, runs) VALUES (?, ?, 1)
ON CONFLICT (account_id, day) DO UPDATE SET runs = sandbox_runs.runs + 1 WHERE sandbox_runs.runs < ?`

func (b *runBook) countInSandbox(at time.Time) error {
	counted := dialect.NewStatement(countSandboxRun, b.id, domain.DayOf(at), domain.SandboxRuns)
	return b.fault("count a sandbox run", b.sendForOne(counted, domain.ErrSandboxRuns(at)))
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
	result := b.runs.sealer.Seal(end.Result, jobPlace("result", b.id, end.BatchJob)...)
	var files int64
	found, err := scanFirst(b.db.Raw(endJobRow, end.At.UnixMicro(), end.Took.Microseconds(), result, end.BatchID, end.Position,
		b.id), &files)
	switch {
	case err != nil:
		return b.fault("end a job", err)
	case !found:
		return domain.ErrNothingToDo
	}
	var owed bool              // a delivery to the batch's webhook_url
	var tested, sandboxed bool // a test is due; the batch is of the sandbox
	if _, err := scanFirst(b.db.Raw(countEnded, end.At.UnixMicro(), int64(len(result))-files, end.BatchID), &owed, &tested,
		&sandboxed); err != nil {
		return b.fault("count the end of a job", err)
	}
	if tested && end.Test.ID != "" && b.Account().HasWebhooks() {
		if err := b.announce(end.Test); err != nil {
			return b.fault("announce a run", err)
		}
	}
	if !owed {
		return nil
	}
	d := end.Delivery
	d.AccountID, d.Kind, d.RunID, d.BatchID = b.id, domain.BatchDelivery, "", end.BatchID
	d.Sandbox = sandboxed
	row := rowOfNewDelivery(d)
	if err := b.db.Create(&row).Error; err != nil {
		return b.fault("add the delivery of a batch", err)
	}
	return b.fault("add the delivery of a batch", b.lend.AddJobs(b.runs.outbox, []ports.Job{deliverJob(row)}))
}
