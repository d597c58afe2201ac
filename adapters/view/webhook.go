package view

import (
	"time"

	"milaan/domain"
)

// Webhook is an account's webhook as the pages show it. One without an endpoint has a secret
// all the same, which signs the results of batches.
type Webhook struct {
	Endpoint     string  `json:"endpoint"`
	SetAt        Instant `json:"set_at"`
	RotatedAt    Instant `json:"secret_rotated_at"` // null: never
	FormerUntil  Instant `json:"former_until"`      // until then the former secret signs too; null: none does
	SecretUnseen bool    `json:"secret_unseen"`
	Secret       *string `json:"secret,omitempty"` // this once
}

// NewWebhook returns a webhook as the pages show it at a time, with its secret unless that is
// blank.
func NewWebhook(w *domain.Webhook, secret string, now time.Time) Webhook {
	return Webhook{w.Endpoint, setAt[Instant](w), Instant(w.RotatedAt), Instant(w.FormerUntil(now)), !w.Shown, OrNone(secret)}
}

// ListedWebhook is a webhook as the commands print it.
type ListedWebhook struct {
	Email             string  `json:"email"`
	URL               *string `json:"url"` // null: runs are not announced
	SetAt             Second  `json:"set_at"`
	Secret            *string `json:"secret"` // null: it was shown before
	RotatedAt         Second  `json:"rotated_at"`
	FormerSecretUntil Second  `json:"former_secret_until"` // null: none signs
}

// NewListedWebhook returns the webhook of an account as the commands print it at a time, with
// its secret unless that is blank.
func NewListedWebhook(email string, w *domain.Webhook, secret string, now time.Time) ListedWebhook {
	return ListedWebhook{email, OrNone(w.Endpoint), setAt[Second](w), OrNone(secret), Second(w.RotatedAt), Second(w.FormerUntil(now))}
}

// ExportedWebhook is a webhook in the export of its account.
type ExportedWebhook struct {
	Endpoint  *string `json:"endpoint"`
	SetAt     Instant `json:"set_at"`
	RotatedAt Instant `json:"rotated_at"`
}

// NewExportedWebhook returns a webhook as the export of its account has it.
func NewExportedWebhook(w *domain.Webhook) ExportedWebhook {
	return ExportedWebhook{OrNone(w.Endpoint), Instant(w.SetAt), Instant(w.RotatedAt)}
}

// setAt returns when the endpoint was set; none if there is no endpoint.
func setAt[T Instant | Second](w *domain.Webhook) (at T) {
	if w.Endpoint != "" {
		at = T(w.SetAt)
	}
	return at
}

// Delivery is a delivery as the pages show it.
type Delivery struct {
	ID        string               `json:"id"`
	WebhookID string               `json:"webhook_id"` // of the event
	Kind      domain.DeliveryKind  `json:"kind"`
	RunID     string               `json:"run_id"`   // of a run
	BatchID   string               `json:"batch_id"` // of a batch
	CreatedAt Instant              `json:"created_at" ts:"string"`
	State     domain.DeliveryState `json:"state"`
	Attempts  []Attempt[*int]      `json:"attempts"`
}

// NewDelivery returns a delivery as the pages show it.
func NewDelivery(d *domain.Delivery) Delivery {
	attempts := Each(d.Attempts, func(a *domain.Attempt) Attempt[*int] { return newAttempt(a, OrNone(a.Status)) })
	return Delivery{d.ID, d.EventID, d.Kind, d.RunID, d.BatchID, Instant(d.CreatedAt), d.State, attempts}
}

// ExportedDelivery is a delivery in the export of an account.
type ExportedDelivery struct {
	ID        string               `json:"id"`
	EventID   string               `json:"event_id"`
	Kind      domain.DeliveryKind  `json:"kind"`
	RunID     *string              `json:"run_id"`
	BatchID   *string              `json:"batch_id"`
	State     domain.DeliveryState `json:"state"`
	CreatedAt Instant              `json:"created_at"`
	Attempts  []Attempt[int]       `json:"attempts"` // status 0: no answer came
}

// NewExportedDelivery returns a delivery as the export of its account has it.
func NewExportedDelivery(d *domain.Delivery) ExportedDelivery {
	return ExportedDelivery{d.ID, d.EventID, d.Kind, OrNone(d.RunID), OrNone(d.BatchID), d.State, Instant(d.CreatedAt),
		Each(d.Attempts, func(a *domain.Attempt) Attempt[int] { return newAttempt(a, a.Status) })}
}

// ListedDelivery is a delivery as the commands print it.
type ListedDelivery struct {
	ID        string               `json:"id"`
	WebhookID string               `json:"webhook_id"`
	Kind      domain.DeliveryKind  `json:"kind"`
	RunID     string               `json:"run_id,omitempty"`
	BatchID   string               `json:"batch_id,omitempty"`
	State     domain.DeliveryState `json:"state"`
	CreatedAt Second               `json:"created_at"`
	Attempts  []listedAttempt      `json:"attempts"`
}

type listedAttempt struct {
	attemptStart[Second]
	Outcome    *domain.Outcome `json:"outcome"` // null: not known, the service stopped meanwhile or is at it
	HTTPStatus *int            `json:"http_status"`
	Failure    string          `json:"failure,omitempty"`
}

// NewListedDelivery returns a delivery as the commands print it.
func NewListedDelivery(d *domain.Delivery) ListedDelivery {
	attempts := Each(d.Attempts, func(a *domain.Attempt) listedAttempt {
		return listedAttempt{newAttemptStart[Second](a), OrNone(a.Outcome), OrNone(a.Status), a.Failure}
	})
	return ListedDelivery{d.ID, d.EventID, d.Kind, d.RunID, d.BatchID, d.State, Second(d.CreatedAt), attempts}
}

// Attempt is one attempt at a delivery. S is the status of HTTP.
type Attempt[S any] struct {
	attemptStart[Instant]
	Outcome domain.Outcome `json:"outcome"` // blank: not known (yet)
	Status  S              `json:"status"`
	Failure string         `json:"failure"`
}

func newAttempt[S any](a *domain.Attempt, status S) Attempt[S] {
	return Attempt[S]{newAttemptStart[Instant](a), a.Outcome, status, a.Failure}
}

type attemptStart[T Instant | Second] struct {
	Number int   `json:"number"`
	At     T     `json:"at" ts:"string"`
	TookMS int64 `json:"took_ms"`
}

func newAttemptStart[T Instant | Second](a *domain.Attempt) attemptStart[T] {
	return attemptStart[T]{a.Number, T(a.At), a.Took.Milliseconds()}
}
