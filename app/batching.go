package app

import (
	"context"
	"errors"
	"io"
	"slices"
	"sync"
	"time"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// Batching takes batches and reports on them. It fills ports.Batching.
type Batching struct {
	batches     ports.Batches
	webhooks    ports.Webhooks
	poster      ports.Poster
	reconciling ports.Reconciling
	demo        ports.Demo
	answers     ports.BatchAnswers
	clock       ports.Clock
	background  ports.Background

	mu     sync.Mutex
	sample domain.BatchLoad // what the sample took here; empty until it was asked for
}

// BatchingParams are what NewBatching needs.
type BatchingParams struct {
	fx.In

	Batches     ports.Batches
	Webhooks    ports.Webhooks
	Poster      ports.Poster
	Reconciling ports.Reconciling
	Demo        ports.Demo
	Answers     ports.BatchAnswers
	Clock       ports.Clock
	Background  ports.Background
}

// NewBatching makes the use case.
func NewBatching(p BatchingParams) *Batching {
	return &Batching{
		batches: p.Batches, webhooks: p.Webhooks, poster: p.Poster, reconciling: p.Reconciling, demo: p.Demo, answers: p.Answers,
		clock: p.Clock, background: p.Background,
	}
}

// Submit fills ports.Batching, for batches without a request key.
func (b *Batching) Submit(ctx context.Context, caller ports.Caller, batch ports.BatchRequest) (ports.SubmittedBatch, error) {
	if err := b.check(ctx, batch, true).Err(); err != nil {
		return ports.SubmittedBatch{}, err
	}
	return b.submit(ctx, caller, batch, domain.Claim{})
}

// submit takes a batch that has been checked, as the outcome of a claim. The
// estimate is made before the batch is stored: after that, no error may say that
// nothing was taken.
func (b *Batching) submit(ctx context.Context, caller ports.Caller, asked ports.BatchRequest, claim domain.Claim) (ports.SubmittedBatch, error) {
	estimate, err := b.estimate(ctx, caller.Account.ID, asked.Jobs)
	if err != nil {
		return ports.SubmittedBatch{}, err
	}
	if asked.WebhookURL != "" {
		if err := b.secretFor(ctx, caller.Account.ID); err != nil {
			return ports.SubmittedBatch{}, err
		}
	}
	batch := domain.Batch{ID: newID(), AccountID: caller.Account.ID, WebhookURL: asked.WebhookURL, Jobs: len(asked.Jobs), SubmittedAt: b.clock()}
	if err := b.batches.Submit(ctx, batch, asked.Jobs, claim); err != nil {
		return ports.SubmittedBatch{}, err
	}
	return ports.SubmittedBatch{Batch: batch, Estimate: estimate}, nil
}

// check finds all that is wrong with a batch, each job's faults under its number.
// The addresses of the host of its webhook_url are looked up if lookUp says so, or
// if the batch is refused anyway.
func (b *Batching) check(ctx context.Context, batch ports.BatchRequest, lookUp bool) domain.Faults {
	faults := slices.Clone(batch.Misread)
	jobs := domain.Fault{Field: domain.FieldJobs, Rule: domain.RuleTooFew, Min: 1, Max: domain.MaxBatch}
	faults.Add(len(batch.Jobs) == 0, jobs)
	jobs.Rule = domain.RuleTooMany
	faults.Add(len(batch.Jobs) > domain.MaxBatch, jobs)
	for i, req := range batch.Jobs[:min(len(batch.Jobs), domain.MaxBatch)] {
		req.Source = domain.SourceBatch
		for _, f := range b.reconciling.Check(req) {
			f.Job = i + 1
			faults = append(faults, f)
		}
	}
	if url := batch.WebhookURL; url != "" && (lookUp || len(faults) > 0) {
		faults = append(faults, b.poster.Check(ctx, domain.FieldWebhookURL, url)...)
	} else if url != "" {
		faults = b.poster.CheckText(domain.FieldWebhookURL, url)
	}
	return faults.Sorted()
}

// secretFor sees to it that the account has a signing secret. One that is drawn
// here is shown by milaan webhook show.
func (b *Batching) secretFor(ctx context.Context, accountID string) error {
	w, err := b.webhooks.Of(ctx, accountID)
	if err == nil && w.Secret != "" {
		return nil
	}
	if err != nil && !errors.Is(err, domain.ErrNoWebhook) {
		return err
	}
	_, err = b.webhooks.Update(ctx, accountID, func(w *domain.Webhook) error {
		if w.Secret == "" {
			w.Secret = domain.MintSigningSecret(random())
		}
		return nil
	})
	return err
}

// estimate says how long a batch will take, at the rate at which jobs ended of
// late, with the turns that other accounts have meanwhile. It cannot be sooner
// than the batch's largest job, which has one worker.
func (b *Batching) estimate(ctx context.Context, accountID string, requests []ports.Request) (time.Duration, error) {
	load, err := b.batches.Load(ctx, accountID, len(requests))
	if err != nil {
		return 0, err
	}
	if load.DoneBytes <= 0 || load.DoneTook <= 0 {
		sample, err := b.sampled(ctx)
		if err != nil {
			return 0, err
		}
		load.DoneBytes, load.DoneTook = sample.DoneBytes, sample.DoneTook
	}
	ahead, largest := load.AheadBytes, int64(0)
	for _, req := range requests {
		size := req.Bytes()
		ahead, largest = ahead+size, max(largest, size)
	}
	share := max(float64(ahead)/float64(max(1, b.background.Runners)), float64(largest))
	return b.background.PickUp + time.Duration(share*float64(load.DoneTook)/float64(load.DoneBytes)), nil
}

// sampled times the built-in sample on this machine, once.
func (b *Batching) sampled(ctx context.Context) (domain.BatchLoad, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.sample.DoneBytes > 0 {
		return b.sample, nil
	}
	began := b.clock()
	outcome, err := b.demo.Sample(ctx)
	if err != nil {
		return domain.BatchLoad{}, err
	}
	outcome.Release()
	b.sample = domain.BatchLoad{DoneBytes: int64(len(sampleOrders) + len(sampleRemittance)), DoneTook: b.clock().Sub(began)}
	return b.sample, nil
}

// Status fills ports.Batching. Results are gone when their time is over, swept
// or not.
func (b *Batching) Status(ctx context.Context, caller ports.Caller, id string) (ports.BatchStatus, error) {
	batch, err := b.batches.Find(ctx, caller.Account.ID, id)
	if err != nil {
		return ports.BatchStatus{}, err
	}
	complete := batch.State() == domain.BatchComplete
	if complete && (batch.Dropped || !b.clock().Before(batch.CompletedAt.Add(b.background.Retention))) {
		return ports.BatchStatus{}, domain.ErrBatchGone
	}
	return ports.BatchStatus{Batch: batch, Write: func(w io.Writer) error {
		if !complete {
			return b.answers.Status(w, batch, nil)
		}
		return b.answers.Status(w, batch, b.batches.Results(ctx, batch))
	}}, nil
}
