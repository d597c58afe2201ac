package ports

import (
	"context"
	"io"
	"time"

	"milaan/domain"
)

// Work is what the job engine asks of the application.
type Work interface {
	// Do does a job. A job may be done twice, and at the same time by two
	// copies: what it does happens once. again above zero asks to be called
	// again after that time, and is no failure. After an error the engine calls
	// again by itself, later each time, unless a says that it is the last time.
	Do(ctx context.Context, job Job, a JobAttempt) (again time.Duration, err error)
}

// JobAttempt is what the engine knows of an attempt at a job.
type JobAttempt struct {
	// Last says that after an error there is no other attempt.
	Last bool
	// Deaths is how many processes have died at the job before. From
	// domain.MaxDeaths on, a RunJob must be ended without being done, and no
	// attempt at that is the last.
	Deaths int
}

// Background is what the operator has settled for the work in the background,
// and the job engine for itself.
type Background struct {
	Retention  time.Duration // how long a complete batch keeps its results
	Deliveries int           // deliveries that one copy of the service makes at once, at most
	Runners    int           // jobs of batches that it runs at once, at most
	PickUp     time.Duration // from adding a job that is due to beginning it, if a worker is free
}

// SubmittedBatch is the receipt for a batch.
type SubmittedBatch struct {
	domain.Batch
	Estimate time.Duration // until it is complete, by what was measured of late
}

// BatchRequest asks for a batch.
type BatchRequest struct {
	Jobs       []Request // what is beyond domain.MaxBatch is not looked at
	WebhookURL string    // called once all are complete; blank: none
	Misread    domain.Faults
}

// Batching makes runs in the background (contract, section 2.8).
type Batching interface {
	// Submit takes a batch of 1 to domain.MaxBatch requests. They belong to the
	// callee until it returns. All that is wrong with the batch before files are
	// read is one error with CodeField. It returns
	// domain.ErrOpenBatches, domain.ErrKeptResults, domain.ErrBatchQuota, and errors with CodeField and
	// CodeDatabase; then nothing was taken. After domain.ErrUnsettled nobody knows.
	//
	// With a request key of the caller's, a batch is taken once: a repeat gets the
	// first one as it stands now. It returns domain.ErrKeyReused and ErrKeyRunning
	// as Reconcile does.
	Submit(ctx context.Context, caller Caller, batch BatchRequest) (SubmittedBatch, error)
	// Status finds a batch of the caller's, with its results if it is complete.
	// It returns domain.ErrNoBatch, or domain.ErrBatchGone.
	Status(ctx context.Context, caller Caller, id string) (BatchStatus, error)
}

// BatchStatus is a batch as it is reported.
type BatchStatus struct {
	domain.Batch
	// Write writes the report: the body of GET /status, and of the POST to
	// webhook_url. It may be called once.
	Write func(w io.Writer) error
}

// ManagingWebhooks is what the command line does with an account's webhook,
// until there is a dashboard. Each returns domain.ErrNoAccount if there is none.
type ManagingWebhooks interface {
	// Set sets the endpoint. secret is blank if the account's secret was shown
	// before and stays. It returns domain.ErrWebhookPlan, or an error with
	// CodeField.
	Set(ctx context.Context, email, endpoint string) (w domain.Webhook, secret string, err error)
	// Rotate draws a new secret; the former one signs beside it for
	// domain.RotationSpan. It returns domain.ErrNoWebhook.
	Rotate(ctx context.Context, email string) (w domain.Webhook, secret string, err error)
	// Show shows the webhook, and its secret if it was never shown: that of an
	// account whose batches alone are signed. It returns domain.ErrNoWebhook.
	Show(ctx context.Context, email string) (w domain.Webhook, secret string, err error)
	// Remove forgets endpoint and secrets; deliveries that are under way are
	// dropped. It returns domain.ErrNoWebhook.
	Remove(ctx context.Context, email string) error
}

// ManagingDeliveries is what it does with what was sent there. Each returns
// domain.ErrNoAccount if there is none.
type ManagingDeliveries interface {
	// Test sends a made-up event, which says so, now and once, whether the
	// service runs or not, and returns the delivery with its attempt. It
	// returns domain.ErrNoWebhook or domain.ErrWebhookPlan.
	Test(ctx context.Context, email string) (domain.Delivery, error)
	// Latest lists the latest deliveries, latest first, at most limit.
	Latest(ctx context.Context, email string, limit int) ([]domain.Delivery, error)
	// Redeliver has the service send an event again, under the same webhook-id.
	// It returns the new delivery, or domain.ErrNoDelivery, domain.ErrNoWebhook
	// or domain.ErrWebhookPlan.
	Redeliver(ctx context.Context, email, deliveryID string) (domain.Delivery, error)
}
