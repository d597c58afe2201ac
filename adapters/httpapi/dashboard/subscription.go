package dashboard

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"milaan/adapters/view"
	"milaan/domain"
	"milaan/ports"
)

func (d *Dashboard) addSubscription(r Routes) {
	const path = "/account/subscription"
	r.Read(path, domain.Owner, func(c *gin.Context, by By) error {
		shown, err := d.Billing.Look(c.Request.Context(), by.Account.ID)
		return d.answerSubscription(c, shown, err)
	})
	r.Change(http.MethodPost, path, domain.Owner, Sending(d, func(c *gin.Context, by By, sent *sentPlan) error {
		made, err := d.Billing.Start(c.Request.Context(), by.Account.ID, sent.Plan, by.Actor())
		return answer(c, http.StatusOK, struct {
			URL *string `json:"url"`
		}{view.OrNone(made.URL)}, err)
	}))
	r.Change(http.MethodPatch, path, domain.Owner, Sending(d, func(c *gin.Context, by By, sent *sentPlan) error {
		shown, err := d.Billing.Change(c.Request.Context(), by.Account.ID, ports.PlanChange(*sent), by.Actor())
		return d.answerSubscription(c, shown, err)
	}))
	r.Read(path+"/preview", domain.Owner, func(c *gin.Context, by By) error {
		p, err := d.Billing.Preview(c.Request.Context(), by.Account.ID, c.Query("plan"))
		return answer(c, http.StatusOK, view.NewBillingPreview(&p, d.Clock()), err)
	})
	r.Change(http.MethodDelete, path, domain.Owner, maySend(d, func(c *gin.Context, by By, sent *sentPlan) error {
		shown, err := d.Billing.Cancel(c.Request.Context(), by.Account.ID, sent.EndsNow, by.Actor())
		return d.answerSubscription(c, shown, err)
	}))
}

func (d *Dashboard) answerSubscription(c *gin.Context, b ports.AccountBilling, err error) error {
	return answer(c, http.StatusOK, view.NewSubscription(&b, d.Clock()), err)
}

// sentPlan is what a request says: of POST the plan alone, of DELETE EndsNow alone.
type sentPlan struct {
	Plan    string `json:"plan"`
	Anew    bool   `json:"anew"`
	EndsNow *bool  `json:"ends_now"`
}
