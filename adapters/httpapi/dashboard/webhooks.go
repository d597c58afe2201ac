package dashboard

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// webhookView is an account's webhook. One without an endpoint has a secret all the same,
// which signs the results of batches.
type webhookView struct {
	Endpoint     string       `json:"endpoint"`
	SetAt        view.Instant `json:"set_at"`
	RotatedAt    view.Instant `json:"secret_rotated_at"` // null: never
	FormerUntil  view.Instant `json:"former_until"`      // until then the former secret signs too; null: none does
	SecretUnseen bool         `json:"secret_unseen"`
	Secret       *string      `json:"secret,omitempty"` // this once
}

func viewWebhook(w domain.Webhook, secret string, now time.Time) webhookView {
	v := webhookView{Endpoint: w.Endpoint, RotatedAt: view.Instant(w.RotatedAt), FormerUntil: view.Instant(w.FormerUntil(now)), SecretUnseen: !w.Shown, Secret: view.OrNone(secret)}
	if w.Endpoint != "" {
		v.SetAt = view.Instant(w.SetAt)
	}
	return v
}

// answerWebhook answers with what a use case returned, or returns its error.
func (d *Dashboard) answerWebhook(c *gin.Context, w domain.Webhook, secret string, err error) error {
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusOK, viewWebhook(w, secret, d.Clock()))
	return nil
}

// showWebhook is GET /app/api/webhook. It shows no secret: a page that is loaded once more
// must not be the one that has seen it.
func (d *Dashboard) showWebhook(c *gin.Context, by By) error {
	w, err := d.Webhooks.Find(c.Request.Context(), by.Account.Email)
	return d.answerWebhook(c, w, "", err)
}

// setWebhook is PUT /app/api/webhook.
func (d *Dashboard) setWebhook(c *gin.Context, by By) error {
	var sent struct {
		Endpoint string `json:"endpoint"`
	}
	if err := d.readJSON(c, by.Account.ID, mostFields, &sent); err != nil {
		return err
	}
	w, secret, err := d.Webhooks.Set(c.Request.Context(), by.Account.Email, sent.Endpoint, domain.ByDashboard)
	return d.answerWebhook(c, w, secret, err)
}

// showSecret is POST /app/api/webhook/secret: the secret, if nobody has seen it yet.
func (d *Dashboard) showSecret(c *gin.Context, by By) error {
	w, secret, err := d.Webhooks.Show(c.Request.Context(), by.Account.Email)
	return d.answerWebhook(c, w, secret, err)
}

// rotateSecret is POST /app/api/webhook/rotate.
func (d *Dashboard) rotateSecret(c *gin.Context, by By) error {
	w, secret, err := d.Webhooks.Rotate(c.Request.Context(), by.Account.Email, domain.ByDashboard)
	return d.answerWebhook(c, w, secret, err)
}

// removeWebhook is DELETE /app/api/webhook.
func (d *Dashboard) removeWebhook(c *gin.Context, by By) error {
	if err := d.Webhooks.Remove(c.Request.Context(), by.Account.Email, domain.ByDashboard); err != nil {
		return err
	}
	return noContent(c)
}

// deliveryView is a delivery.
type deliveryView struct {
	ID        string               `json:"id"`
	WebhookID string               `json:"webhook_id"` // of the event
	Kind      domain.DeliveryKind  `json:"kind"`
	RunID     string               `json:"run_id"`   // of a run
	BatchID   string               `json:"batch_id"` // of a batch
	CreatedAt view.Instant         `json:"created_at"`
	State     domain.DeliveryState `json:"state"`
	Attempts  []attemptView        `json:"attempts"`
}

// attemptView is one attempt at a delivery.
type attemptView struct {
	Number  int            `json:"number"`
	At      view.Instant   `json:"at"`
	TookMS  int64          `json:"took_ms"`
	Outcome domain.Outcome `json:"outcome"` // blank: not known (yet)
	Status  *int           `json:"status"`  // of HTTP; null: there was no answer
	Failure string         `json:"failure"`
}

func viewDelivery(d domain.Delivery) deliveryView {
	v := deliveryView{ID: d.ID, WebhookID: d.EventID, Kind: d.Kind, RunID: d.RunID, BatchID: d.BatchID, CreatedAt: view.Instant(d.CreatedAt), State: d.State, Attempts: []attemptView{}}
	for _, a := range d.Attempts {
		v.Attempts = append(v.Attempts, attemptView{Number: a.Number, At: view.Instant(a.At), TookMS: a.Took.Milliseconds(), Outcome: a.Outcome, Status: view.OrNone(a.Status), Failure: a.Failure})
	}
	return v
}

// testWebhook is POST /app/api/webhook/test. It answers when the endpoint has, or after
// domain.PostLimit.
func (d *Dashboard) testWebhook(c *gin.Context, by By) error {
	delivery, err := d.Deliveries.Test(c.Request.Context(), by.Account.Email)
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusOK, viewDelivery(delivery))
	return nil
}

// listedDeliveries is how many deliveries are listed.
const listedDeliveries = 100

// listDeliveries is GET /app/api/webhook/deliveries.
func (d *Dashboard) listDeliveries(c *gin.Context, by By) error {
	latest, err := d.Deliveries.Latest(c.Request.Context(), by.Account.Email, listedDeliveries)
	if err != nil {
		return err
	}
	views := make([]deliveryView, len(latest))
	for i, delivery := range latest {
		views[i] = viewDelivery(delivery)
	}
	writeJSON(c, http.StatusOK, struct {
		Deliveries []deliveryView `json:"deliveries"`
	}{views})
	return nil
}

// redeliver is POST /app/api/webhook/deliveries/:id/redeliver.
func (d *Dashboard) redeliver(c *gin.Context, by By) error {
	delivery, err := d.Deliveries.Redeliver(c.Request.Context(), by.Account.Email, c.Param("id"))
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusOK, viewDelivery(delivery))
	return nil
}
