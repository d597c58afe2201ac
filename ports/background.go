package ports

import (
	"context"
	"io"
	"time"

	"milaan/domain"
)

// Work is what the job engine asks of the application.
type Work interface {
	// Do does a job. The engine may call it twice for a job, and in two instances at
	// the same time; the effects of the job happen once. If again is above zero, the
	// engine calls Do again after that time, and the attempt did not fail. After an
	// error the engine retries with backoff, unless a says that this is the last
	// attempt. A stop of the instance cancels ctx, and an attempt that it interrupts does
	// not count.
	Do(ctx context.Context, job Job, a JobAttempt) (again time.Duration, err error)
}

// JobAttempt is what the engine knows of an attempt at a job.
type JobAttempt struct {
	// Last says that there is no retry after an error.
	Last bool
	// Deaths is how many processes have died at the job before. From domain.MaxDeaths
	// on, a RunJob or a PassJob must be ended without being done, and Last is false.
	Deaths int
}

// Background is what the operator and the job engine have set for the work in the
// background.
type Background struct {
	Retention    time.Duration // how long a complete batch keeps its results
	RunRetention time.Duration // how long runs are kept
	Deliveries   int           // deliveries that one instance of the service makes at once, at most
	Passes       int           // passes of the autopilot that it makes at once, at most
	PassPeriod   time.Duration // from one pass of a connection to the next; 0: domain.PassPeriod
	Runners      int           // jobs of batches that it runs at once, at most
	PickUp       time.Duration // from adding a job that is due to starting it, if a worker is free
}

// Memory is the memory of this instance for all that may be large.
type Memory interface {
	// Take waits for so many bytes. Whoever comes first is served first. Its errors are those of
	// ctx.
	Take(ctx context.Context, bytes int64) (giveBack func(), err error)
	// TryTake takes so many bytes if they are free and nobody waits.
	TryTake(bytes int64) (giveBack func(), taken bool)
}

// SubmittedBatch is the receipt for a batch.
type SubmittedBatch struct {
	domain.Batch
	Estimate time.Duration // until it is complete, by how long the latest jobs took
}

// BatchRequest asks for a batch.
type BatchRequest struct {
	Jobs       []Request // those beyond domain.MaxBatch are not checked
	WebhookURL string    // called once all are complete; blank: none
	Misread    domain.Faults
}

// Batching makes runs in the background (guide: batches).
type Batching interface {
	// Submit stores a batch of 1 to domain.MaxBatch requests. The requests belong to
	// Submit until it returns. All faults that can be found without reading the files
	// are in one error with CodeField. Submit also returns domain.ErrOpenBatches,
	// ErrKeptResults, ErrBatchQuota and errors with CodeDatabase; then nothing was
	// stored. After domain.ErrUnsettled it is not known whether the batch was stored.
	//
	// If the caller has a request key, the batch is stored once: a repeat of the
	// request gets that batch as it stands now. Submit returns domain.ErrKeyReused and
	// ErrKeyRunning as Reconcile does.
	Submit(ctx context.Context, caller Caller, batch BatchRequest) (SubmittedBatch, error)
	// Status finds a batch of the caller, with its results if it is complete.
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

// ManagingWebhooks is what the command line and the dashboard do with an account's webhook.
// by is for the security log. Each method returns domain.ErrNoAccount if there is no such
// account.
type ManagingWebhooks interface {
	// Set sets the endpoint, and draws a signing secret if the account has none. secret
	// is blank if it was shown before. Set returns domain.ErrWebhookPlan, or an error
	// with CodeField.
	Set(ctx context.Context, email, endpoint string, by domain.Way) (w domain.Webhook, secret string, err error)
	// Rotate draws a new secret. For domain.RotationSpan the former one signs as well.
	// Rotate returns domain.ErrNoWebhook.
	Rotate(ctx context.Context, email string, by domain.Way) (w domain.Webhook, secret string, err error)
	// Show returns the webhook, and its secret if the secret was never shown because
	// it was drawn for a batch. It returns domain.ErrNoWebhook.
	Show(ctx context.Context, email string) (w domain.Webhook, secret string, err error)
	// Find returns the webhook and shows no secret. It returns domain.ErrNoWebhook.
	Find(ctx context.Context, email string) (domain.Webhook, error)
	// Remove deletes endpoint and secrets; pending deliveries are dropped. It returns
	// domain.ErrNoWebhook.
	Remove(ctx context.Context, email string, by domain.Way) error
}

// ManagingDeliveries is what the command line and the dashboard do with an account's
// deliveries. Each method returns domain.ErrNoAccount if there is no such account.
type ManagingDeliveries interface {
	// Test posts a made-up event, which says that it is a test, at once and one time,
	// whether the service runs or not. It returns the delivery with its attempt, or
	// domain.ErrNoWebhook or domain.ErrWebhookPlan.
	Test(ctx context.Context, email string) (domain.Delivery, error)
	// Latest lists the latest deliveries, latest first, at most limit.
	Latest(ctx context.Context, email string, limit int) ([]domain.Delivery, error)
	// Redeliver makes the service post an event again, with the same webhook-id. It
	// returns the new delivery, or domain.ErrNoDelivery, domain.ErrNoWebhook or
	// domain.ErrWebhookPlan.
	Redeliver(ctx context.Context, email, deliveryID string) (domain.Delivery, error)
}
