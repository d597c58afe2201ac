package app

import (
	"context"

	"milaan/domain"
	"milaan/ports"
)

// BatchingOnce takes a batch once for all requests with one request key. It
// fills ports.Batching.
type BatchingOnce struct {
	*Batching
	claiming *Claiming
}

// NewBatchingOnce makes the use case.
func NewBatchingOnce(batching *Batching, claiming *Claiming) *BatchingOnce {
	return &BatchingOnce{batching, claiming}
}

// Submit fills ports.Batching. The addresses of the host of its webhook_url are looked
// up for the first request alone: a repeat must not fail because name servers do
// not answer now.
func (b *BatchingOnce) Submit(ctx context.Context, caller ports.Caller, asked ports.BatchRequest) (batch ports.SubmittedBatch, err error) {
	if caller.RequestKey == "" {
		return b.Batching.Submit(ctx, caller, asked)
	}
	if err := b.check(ctx, asked, false).Err(); err != nil {
		return ports.SubmittedBatch{}, err
	}
	err = b.claiming.once(ctx, caller, askedBatch(asked.Jobs, asked.WebhookURL),
		func(claim domain.Claim) (err error) {
			if asked.WebhookURL != "" {
				if err := b.poster.Check(ctx, domain.FieldWebhookURL, asked.WebhookURL).Err(); err != nil {
					return err
				}
			}
			batch, err = b.submit(ctx, caller, asked, claim)
			return err
		},
		func(claim domain.Claim) (err error) {
			batch, err = b.repeat(ctx, caller, claim.BatchID)
			return err
		})
	return batch, err
}

// repeat is the receipt for a batch again, as the batch stands now. What is left
// of it waits with all the others.
func (b *BatchingOnce) repeat(ctx context.Context, caller ports.Caller, id string) (ports.SubmittedBatch, error) {
	batch, err := b.batches.Find(ctx, caller.Account.ID, id)
	if err != nil || batch.State() == domain.BatchComplete {
		return ports.SubmittedBatch{Batch: batch}, err
	}
	estimate, err := b.estimate(ctx, caller.Account.ID, nil)
	return ports.SubmittedBatch{Batch: batch, Estimate: estimate}, err
}
