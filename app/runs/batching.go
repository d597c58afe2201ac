package runs

import (
	"cmp"
	"context"
	"errors"
	"io"
	"slices"
	"time"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// Batching takes batches and reports on them.
type Batching struct {
	fx.In

	Batches     ports.Batches
	Webhooks    ports.Webhooks
	Poster      ports.Poster
	Reconciling *Reconciling
	Claiming    *Claiming // may be nil if no caller has a request key
	Answers     ports.BatchAnswers
	Clock       ports.Clock
	Background  ports.Background
	Windows     ports.RateWindows // may be nil if no caller has a sandbox key
}

// Submit looks up the host of webhook_url and the mappings that jobs name, with a request key for
// the first request alone: a repeat must not fail because name servers do not answer now, or a
// mapping was deleted.
func (b *Batching) Submit(ctx context.Context, caller ports.Caller, req ports.BatchRequest) (batch ports.SubmittedBatch, err error) {
	for i := range req.Jobs {
		req.Jobs[i].Sandbox = caller.Sandbox
	}
	keyed := caller.RequestKey != "" && !caller.Sandbox
	faults, err := b.check(ctx, caller.Account, req, !keyed)
	if err = cmp.Or(err, faults.Err()); err != nil {
		return ports.SubmittedBatch{}, err
	}
	if caller.Sandbox {
		if err := admission.Count(ctx, b.Windows, admission.SandboxBatches.Of(caller.Account.ID), domain.SandboxBatchRate,
			b.Clock); err != nil {
			return ports.SubmittedBatch{}, err
		}
	}
	if !keyed {
		return b.submit(ctx, caller, req, domain.RequestClaim{})
	}
	err = b.Claiming.once(ctx, caller, batchFingerprint(req.Jobs, req.WebhookURL),
		func(claim domain.RequestClaim) (err error) {
			faults, err := b.check(ctx, caller.Account, req, true)
			if err = cmp.Or(err, faults.Err()); err != nil {
				return err
			}
			batch, err = b.submit(ctx, caller, req, claim)
			return err
		},
		func(claim domain.RequestClaim) (err error) {
			batch, err = b.repeat(ctx, caller, claim.BatchID)
			return err
		})
	return batch, err
}

// repeat is the receipt for a batch that was stored before, as the batch stands now.
// The estimate counts all the jobs that wait, of which the batch's own are a part.
func (b *Batching) repeat(ctx context.Context, caller ports.Caller, id string) (ports.SubmittedBatch, error) {
	batch, err := b.Batches.Find(ctx, caller.Account.ID, id)
	if err != nil || batch.State() == domain.BatchComplete {
		return ports.SubmittedBatch{Batch: batch}, err
	}
	estimate, err := b.estimate(ctx, caller.Account.ID, nil)
	return ports.SubmittedBatch{Batch: batch, Estimate: estimate}, err
}

// submit stores a batch that has been checked, as the outcome of a claim. The estimate
// is made first: once the batch is stored, submit must not return an error.
func (b *Batching) submit(
	ctx context.Context, caller ports.Caller, req ports.BatchRequest, claim domain.RequestClaim,
) (ports.SubmittedBatch, error) {
	estimate, err := b.estimate(ctx, caller.Account.ID, req.Jobs)
	if err != nil {
		return ports.SubmittedBatch{}, err
	}
	if req.WebhookURL != "" {
		if err := b.ensureSecret(ctx, caller.Account.ID); err != nil {
			return ports.SubmittedBatch{}, err
		}
	}
	batch := domain.Batch{ID: ids.New(), AccountID: caller.Account.ID, WebhookURL: req.WebhookURL, Jobs: len(req.Jobs),
		SubmittedAt: b.Clock(), Sandbox: caller.Sandbox}
	if err := b.Batches.Submit(ctx, batch, req.Jobs, claim); err != nil {
		return ports.SubmittedBatch{}, err
	}
	return ports.SubmittedBatch{Batch: batch, Estimate: estimate}, nil
}

// check returns all faults of a batch; a job's faults have its number. The host of webhook_url and
// the mappings that jobs name are looked up if lookUp is set, or if the batch is refused anyway.
func (b *Batching) check(ctx context.Context, a domain.Account, batch ports.BatchRequest, lookUp bool) (domain.Faults, error) {
	faults := slices.Clone(batch.Misread)
	jobs := domain.Fault{Field: domain.FieldJobs, Rule: domain.RuleTooFew, Min: 1, Max: domain.MaxBatch}
	faults.Add(len(batch.Jobs) == 0, jobs)
	jobs.Rule = domain.RuleTooMany
	faults.Add(len(batch.Jobs) > domain.MaxBatch, jobs)
	for i, req := range batch.Jobs[:min(len(batch.Jobs), domain.MaxBatch)] {
		req.Source = domain.SourceBatch
		t, ofJob := b.Reconciling.check(req)
		if lookUp {
			asked, err := b.Reconciling.askedFaults(ctx, a, &t)
			if err != nil {
				return nil, err
			}
			ofJob = slices.Concat(ofJob, asked)
		}
		for _, f := range ofJob {
			f.Job = i + 1
			faults = append(faults, f)
		}
	}
	switch url := batch.WebhookURL; {
	case url != "" && lookUp:
		faults = append(faults, b.Poster.Check(ctx, domain.FieldWebhookURL, url)...)
	case url != "":
		faults = append(faults, b.Poster.CheckText(domain.FieldWebhookURL, url)...)
	}
	if !lookUp && len(faults) > 0 {
		return b.check(ctx, a, batch, true)
	}
	return faults.Sorted(), nil
}

// ensureSecret draws a signing secret if the account has none. webhooks.Managing shows it
// later.
func (b *Batching) ensureSecret(ctx context.Context, accountID string) error {
	w, err := b.Webhooks.Of(ctx, accountID)
	if err == nil && w.Secret != "" {
		return nil
	}
	if err != nil && !errors.Is(err, domain.ErrNoWebhook) {
		return err
	}
	_, err = b.Webhooks.Update(ctx, accountID, domain.SecurityEvent{}, func(w *domain.Webhook) error {
		if w.Secret == "" {
			w.Secret = domain.MintSigningSecret(ids.Secret())
		}
		return nil
	})
	return err
}

// estimate returns how long a batch will take if its jobs run as fast as the jobs that
// ended last. It includes the jobs of other accounts that are started between. It is at least as long as the
// largest job takes, because a job has one worker.
func (b *Batching) estimate(ctx context.Context, accountID string, requests []ports.Request) (time.Duration, error) {
	load, err := b.Batches.Load(ctx, accountID, len(requests))
	if err != nil {
		return 0, err
	}
	if load.DoneBytes <= 0 || load.DoneTook <= 0 { // none has ended yet
		load.DoneBytes, load.DoneTook = bytesPerSecond, time.Second
	}
	ahead, largest := load.AheadBytes, int64(0)
	for _, req := range requests {
		size := req.Bytes()
		ahead, largest = ahead+size, max(largest, size)
	}
	share := max(float64(ahead)/float64(max(1, b.Background.Runners)), float64(largest))
	return b.Background.PickUp + time.Duration(share*float64(load.DoneTook)/float64(load.DoneBytes)), nil
}

// bytesPerSecond is how fast a worker is taken to be until some job has ended, in bytes of files per second.
const bytesPerSecond = 10 << 20

// Status leaves out results that have been kept for as long as the operator allows, even
// if they have not been deleted yet.
func (b *Batching) Status(ctx context.Context, caller ports.Caller, id string) (ports.BatchStatus, error) {
	batch, err := b.Batches.Find(ctx, caller.Account.ID, id)
	if err != nil {
		return ports.BatchStatus{}, err
	}
	if batch.Sandbox != caller.Sandbox {
		return ports.BatchStatus{}, domain.ErrNoBatch
	}
	complete := batch.State() == domain.BatchComplete
	if complete && batch.Sandbox && !b.Clock().Before(batch.CompletedAt.Add(domain.SandboxRetention)) {
		return ports.BatchStatus{}, domain.ErrNoBatch // as once it has been deleted
	}
	if complete && (batch.Dropped || !b.Clock().Before(batch.CompletedAt.Add(b.Background.Retention))) {
		return ports.BatchStatus{}, domain.ErrBatchGone
	}
	return ports.BatchStatus{Batch: batch, Write: func(w io.Writer) error {
		if !complete {
			return b.Answers.Status(w, batch, nil)
		}
		return b.Answers.Status(w, batch, b.Batches.Results(ctx, batch))
	}}, nil
}
