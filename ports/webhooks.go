package ports

import (
	"context"
	"milaan/domain"
	"time"
)

// ManagingWebhooks is what the command line and the dashboard do with an account's webhook and
// its deliveries. by is for the security log. What changes something returns domain.ErrNoAccount if there is no such account any
// more.
type ManagingWebhooks interface {
	// Set sets the endpoint, and draws a signing secret if the account has none. secret
	// is blank if it was shown before. Set returns domain.ErrWebhookPlan, or an error
	// with CodeField.
	Set(ctx context.Context, account domain.Account, endpoint string, by domain.Actor) (w domain.Webhook, secret string, err error)
	// Rotate draws a new secret. For domain.RotationSpan the former one signs as well.
	// Rotate returns domain.ErrNoWebhook.
	Rotate(ctx context.Context, accountID string, by domain.Actor) (w domain.Webhook, secret string, err error)
	// Show returns the webhook, and its secret if the secret was never shown because
	// it was drawn for a batch. It returns domain.ErrNoWebhook.
	Show(ctx context.Context, accountID string) (w domain.Webhook, secret string, err error)
	// Find returns the webhook and shows no secret. It returns domain.ErrNoWebhook.
	Find(ctx context.Context, accountID string) (domain.Webhook, error)
	// Remove deletes endpoint and secrets; pending deliveries are dropped. It returns
	// domain.ErrNoWebhook.
	Remove(ctx context.Context, accountID string, by domain.Actor) error
	// Test posts a made-up event, which says that it is a test, at once and one time,
	// whether the service runs or not. It returns the delivery with its attempt, or
	// domain.ErrNoWebhook or domain.ErrWebhookPlan.
	Test(ctx context.Context, account domain.Account) (domain.Delivery, error)
	// Deliveries lists the latest deliveries, latest first, at most limit.
	Deliveries(ctx context.Context, accountID string, limit int) ([]domain.Delivery, error)
	// Redeliver makes the service post an event again, with the same webhook-id. It
	// returns the new delivery, or domain.ErrNoDelivery, domain.ErrNoWebhook or
	// domain.ErrWebhookPlan.
	Redeliver(ctx context.Context, account domain.Account, deliveryID string) (domain.Delivery, error)
}

// Webhooks stores the webhooks of accounts. Endpoints and secrets are sealed, each for its
// own account. One that cannot be opened any more, for example because the service's
// secret was lost, counts as absent.
type Webhooks interface {
	// Of returns domain.ErrNoWebhook if the account has neither an endpoint nor
	// a secret.
	Of(ctx context.Context, accountID string) (domain.Webhook, error)
	// Update alters an account's webhook in one transaction: change gets the stored
	// webhook, empty if there is none, and nobody else changes it until change has been
	// stored. A webhook that has no secret after change is deleted; if there was none,
	// event is not stored. If change returns
	// an error, Update returns it unchanged and stores nothing. change may be called
	// again. event is stored for the account in the same transaction, with the host of the
	// endpoint as its detail, unless it is the zero event. Update returns domain.ErrNoAccount if there is no such account.
	Update(ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Webhook) error) (domain.Webhook, error)
}

// Deliveries stores deliveries and their attempts.
type Deliveries interface {
	// Add stores a delivery and, unless it is made by hand, the job that makes it. It
	// returns domain.ErrNoAccount if there is no such account, and domain.ErrNoRun for a
	// RunDelivery whose run is not stored any more.
	Add(ctx context.Context, d domain.Delivery) error
	// Attempt records the next attempt at a delivery, before it is made. A delivery
	// never has more than domain.MaxAttempts, and two callers never get the same
	// attempt, whichever processes die. A delivery that cannot be made any more ends
	// here: it fails if its attempts are used up, and is dropped if there is no
	// endpoint for it, no secret to sign with (or none that can be opened), or the
	// account's plan no longer has webhooks, or the run has been deleted (a
	// BatchDelivery: if its results have been deleted). Then, and for a delivery that has ended or is unknown, Attempt returns
	// domain.ErrNothingToDo.
	Attempt(ctx context.Context, id string, at time.Time) (Outgoing, error)
	// Complete stores how an attempt ended and the state of the delivery after it. It
	// may be repeated. The state of a delivery that has ended does not change, except
	// that a successful attempt makes it delivered.
	Complete(ctx context.Context, id string, a domain.Attempt, state domain.DeliveryState) error
	// Latest lists an account's deliveries, latest first, at most limit.
	Latest(ctx context.Context, accountID string, limit int) ([]domain.Delivery, error)
	// Find returns domain.ErrNoDelivery if the account has none with this id.
	Find(ctx context.Context, accountID, id string) (domain.Delivery, error)
}

// Outgoing is what an attempt at a delivery needs.
type Outgoing struct {
	Delivery domain.Delivery
	Number   int            // of the attempt, which has been recorded
	Endpoint string         // the batch's webhook_url for a BatchDelivery, or else the account's
	Webhook  domain.Webhook // has the secrets that sign
	Run      domain.Run     // of a RunDelivery
}

// Poster calls customers' endpoints. It connects only to public addresses, over HTTPS,
// whatever addresses a host name has. With the setting for development it also connects
// to this machine, and over plain HTTP.
type Poster interface {
	// Check returns the faults of an endpoint that was given in a field. An endpoint may
	// be stored if it is an absolute https URL without a user, whose host has only
	// public addresses.
	Check(ctx context.Context, field domain.Field, endpoint string) domain.Faults
	// CheckText is the part of Check that does not look up the host's addresses.
	CheckText(field domain.Field, endpoint string) domain.Faults
	// Post makes one POST, which takes domain.PostLimit at most, and follows no
	// redirect. It fills all fields of an attempt but its number and time.
	Post(ctx context.Context, endpoint string, headers []domain.Header, body []byte) domain.Attempt
}
