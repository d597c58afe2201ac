package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
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
func (b *Batching) Submit(ctx context.Context, caller ports.Caller, requests []ports.Request, webhookURL string) (ports.SubmittedBatch, error) {
	err := b.check(requests, webhookURL, func(url string) error { return b.CheckURL(ctx, url) })
	if err != nil {
		return ports.SubmittedBatch{}, err
	}
	return b.submit(ctx, caller, requests, webhookURL, domain.Claim{})
}

// submit takes a batch that has been checked, as the outcome of a claim. The
// estimate is made before the batch is stored: after that, no error may say that
// nothing was taken.
func (b *Batching) submit(ctx context.Context, caller ports.Caller, requests []ports.Request, webhookURL string, claim domain.Claim) (ports.SubmittedBatch, error) {
	estimate, err := b.estimate(ctx, caller.Account.ID, requests)
	if err != nil {
		return ports.SubmittedBatch{}, err
	}
	if webhookURL != "" {
		if err := b.secretFor(ctx, caller.Account.ID); err != nil {
			return ports.SubmittedBatch{}, err
		}
	}
	batch := domain.Batch{ID: newID(), AccountID: caller.Account.ID, WebhookURL: webhookURL, Jobs: len(requests), SubmittedAt: b.clock()}
	if err := b.batches.Submit(ctx, batch, requests, claim); err != nil {
		return ports.SubmittedBatch{}, err
	}
	return ports.SubmittedBatch{Batch: batch, Estimate: estimate}, nil
}

// check gathers what is wrong with a batch into one error, each job's faults
// under its index. checkURL judges its webhook_url.
func (b *Batching) check(requests []ports.Request, webhookURL string, checkURL func(string) error) error {
	if len(requests) < 1 || len(requests) > domain.MaxBatch {
		return domain.ErrField("jobs", fmt.Sprintf("must have 1 to %d entries", domain.MaxBatch))
	}
	var faults []string
	gather := func(prefix string, err error) error {
		fault, ok := errors.AsType[*domain.Error](err)
		if err != nil && (!ok || fault.Code != domain.CodeField) {
			return err
		}
		if ok {
			faults = append(faults, prefix+fault.Text)
		}
		return nil
	}
	for i, req := range requests {
		prefix := fmt.Sprintf("jobs[%d].", i)
		if strings.TrimSpace(req.Brand) == "" {
			faults = append(faults, prefix+"brand must not be blank")
		}
		if err := gather(prefix, b.reconciling.Check(req)); err != nil {
			return err
		}
	}
	if webhookURL != "" {
		if err := gather("", checkURL(webhookURL)); err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return &domain.Error{Kind: domain.KindInvalid, Code: domain.CodeField, Text: strings.Join(faults, "; ")}
	}
	return nil
}

// checkURLText judges a webhook_url without a look at the addresses of its host.
func (b *Batching) checkURLText(webhookURL string) error {
	return b.poster.CheckText("webhook_url", webhookURL)
}

// CheckURL fills ports.Batching.
func (b *Batching) CheckURL(ctx context.Context, webhookURL string) error {
	return b.poster.Check(ctx, "webhook_url", webhookURL)
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
