package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

// answerWebhook answers with what a use case returned, or returns its error.
func (d *Dashboard) answerWebhook(c *gin.Context, w domain.Webhook, secret string, err error) error {
	return answer(c, http.StatusOK, view.NewWebhook(&w, secret, d.Clock()), err)
}

// showWebhook is GET /account/webhook. It shows no secret: a page that is loaded once more
// must not be the one that has seen it.
func (d *Dashboard) showWebhook(c *gin.Context, by By) error {
	w, err := d.Webhooks.Find(c.Request.Context(), by.Account.Email)
	return d.answerWebhook(c, w, "", err)
}

// setWebhook is PUT /account/webhook.
func (d *Dashboard) setWebhook(c *gin.Context, by By, sent *struct {
	Endpoint string `json:"endpoint"`
}) error {
	w, secret, err := d.Webhooks.Set(c.Request.Context(), by.Account.Email, sent.Endpoint, by.Actor())
	return d.answerWebhook(c, w, secret, err)
}

// showSecret is POST /account/webhook/secret: the secret, if nobody has seen it yet.
func (d *Dashboard) showSecret(c *gin.Context, by By) error {
	w, secret, err := d.Webhooks.Show(c.Request.Context(), by.Account.Email)
	return d.answerWebhook(c, w, secret, err)
}

// rotateSecret is POST /account/webhook/rotate.
func (d *Dashboard) rotateSecret(c *gin.Context, by By) error {
	w, secret, err := d.Webhooks.Rotate(c.Request.Context(), by.Account.Email, by.Actor())
	return d.answerWebhook(c, w, secret, err)
}

// removeWebhook is DELETE /account/webhook.
func (d *Dashboard) removeWebhook(c *gin.Context, by By) error {
	return noContent(c, d.Webhooks.Remove(c.Request.Context(), by.Account.Email, by.Actor()))
}

// testWebhook is POST /account/webhook/test. It answers when the endpoint has, or after
// domain.PostLimit.
func (d *Dashboard) testWebhook(c *gin.Context, by By) error {
	delivery, err := d.Webhooks.Test(c.Request.Context(), by.Account.Email)
	return answer(c, http.StatusOK, view.NewDelivery(&delivery), err)
}

const listedDeliveries = 100

// listDeliveries is GET /account/webhook/deliveries.
func (d *Dashboard) listDeliveries(c *gin.Context, by By) error {
	latest, err := d.Webhooks.Deliveries(c.Request.Context(), by.Account.Email, listedDeliveries)
	return list(c, "deliveries", latest, view.NewDelivery, err)
}

// redeliver is POST /account/webhook/deliveries/:id/redeliver.
func (d *Dashboard) redeliver(c *gin.Context, by By) error {
	delivery, err := d.Webhooks.Redeliver(c.Request.Context(), by.Account.Email, c.Param("id"))
	return answer(c, http.StatusOK, view.NewDelivery(&delivery), err)
}
