package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
)

const listedDeliveries = 100

func (d *Dashboard) addWebhook(r Routes) {
	// No secret is shown: a page that is loaded once more must not be the one that has seen it.
	r.Read("/webhook", domain.Owner, func(c *gin.Context, by By) error {
		w, err := d.Webhooks.Find(c.Request.Context(), by.Account.ID)
		return d.answerWebhook(c, w, "", err)
	})
	r.Change(http.MethodPut, "/webhook", domain.Owner, Sending(d, func(c *gin.Context, by By, sent *struct {
		Endpoint string `json:"endpoint"`
	}) error {
		w, secret, err := d.Webhooks.Set(c.Request.Context(), *by.Account, sent.Endpoint, by.Actor())
		return d.answerWebhook(c, w, secret, err)
	}))
	r.Change(http.MethodDelete, "/webhook", domain.Owner, func(c *gin.Context, by By) error {
		return noContent(c, d.Webhooks.Remove(c.Request.Context(), by.Account.ID, by.Actor()))
	})
	// This shows the secret, if nobody has seen it yet.
	r.Change(http.MethodPost, "/webhook/secret", domain.Owner, func(c *gin.Context, by By) error {
		w, secret, err := d.Webhooks.Show(c.Request.Context(), by.Account.ID)
		return d.answerWebhook(c, w, secret, err)
	})
	r.Change(http.MethodPost, "/webhook/rotate", domain.Owner, func(c *gin.Context, by By) error {
		w, secret, err := d.Webhooks.Rotate(c.Request.Context(), by.Account.ID, by.Actor())
		return d.answerWebhook(c, w, secret, err)
	})
	// It answers when the endpoint has, or after domain.PostLimit.
	r.Change(http.MethodPost, "/webhook/test", domain.Owner, func(c *gin.Context, by By) error {
		delivery, err := d.Webhooks.Test(c.Request.Context(), *by.Account)
		return answer(c, http.StatusOK, view.NewDelivery(&delivery), err)
	})
	r.Read("/webhook/deliveries", domain.Owner, func(c *gin.Context, by By) error {
		latest, err := d.Webhooks.Deliveries(c.Request.Context(), by.Account.ID, listedDeliveries)
		return list(c, "deliveries", latest, view.NewDelivery, err)
	})
	r.Change(http.MethodPost, "/webhook/deliveries/:id/redeliver", domain.Owner, func(c *gin.Context, by By) error {
		delivery, err := d.Webhooks.Redeliver(c.Request.Context(), *by.Account, c.Param("id"))
		return answer(c, http.StatusOK, view.NewDelivery(&delivery), err)
	})
}

func (d *Dashboard) answerWebhook(c *gin.Context, w domain.Webhook, secret string, err error) error {
	return answer(c, http.StatusOK, view.NewWebhook(&w, secret, d.Clock()), err)
}
