package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

// addSubscription adds the routes of an account's subscription at the billing provider.
func (d *Dashboard) addSubscription(r Routes) {
	const path = "/account/subscription"
	r.Own(http.MethodGet, path, domain.Owner, d.showSubscription)
	r.Own(http.MethodPost, path, domain.Owner, d.CountChange(Sending(d, d.startSubscription)))
	r.Own(http.MethodPatch, path, domain.Owner, d.CountChange(Sending(d, d.changeSubscription)))
	r.Own(http.MethodGet, path+"/preview", domain.Owner, d.previewSubscription)
	r.Own(http.MethodDelete, path, domain.Owner, d.CountChange(maySend(d, d.cancelSubscription)))
}

func (d *Dashboard) answerSubscription(c *gin.Context, b ports.AccountBilling, err error) error {
	return answer(c, http.StatusOK, view.NewSubscription(&b, d.Clock()), err)
}

// showSubscription is GET /account/subscription.
func (d *Dashboard) showSubscription(c *gin.Context, by By) error {
	shown, err := d.Billing.Look(c.Request.Context(), by.Account.ID)
	return d.answerSubscription(c, shown, err)
}

// previewSubscription is GET /account/subscription/preview.
func (d *Dashboard) previewSubscription(c *gin.Context, by By) error {
	p, err := d.Billing.Preview(c.Request.Context(), by.Account.ID, c.Query("plan"))
	return answer(c, http.StatusOK, view.NewBillingPreview(&p, d.Clock()), err)
}

// sentPlan is what a request says: of POST the plan alone, of DELETE EndsNow alone.
type sentPlan struct {
	Plan    string `json:"plan"`
	Anew    bool   `json:"anew"`
	EndsNow *bool  `json:"ends_now"`
}

// startSubscription is POST /account/subscription.
func (d *Dashboard) startSubscription(c *gin.Context, by By, sent *sentPlan) error {
	made, err := d.Billing.Start(c.Request.Context(), by.Account.ID, sent.Plan, by.Actor())
	return answer(c, http.StatusOK, struct {
		URL *string `json:"url"`
	}{view.OrNone(made.URL)}, err)
}

// changeSubscription is PATCH /account/subscription.
func (d *Dashboard) changeSubscription(c *gin.Context, by By, sent *sentPlan) error {
	shown, err := d.Billing.Change(c.Request.Context(), by.Account.ID, ports.PlanChange(*sent), by.Actor())
	return d.answerSubscription(c, shown, err)
}

// cancelSubscription is DELETE /account/subscription.
func (d *Dashboard) cancelSubscription(c *gin.Context, by By, sent *sentPlan) error {
	shown, err := d.Billing.Cancel(c.Request.Context(), by.Account.ID, sent.EndsNow, by.Actor())
	return d.answerSubscription(c, shown, err)
}
