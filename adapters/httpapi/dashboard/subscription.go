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
	r.Own(http.MethodPost, path, domain.Owner, d.countChange(d.startSubscription))
	r.Own(http.MethodPatch, path, domain.Owner, d.countChange(d.changeSubscription))
	r.Own(http.MethodDelete, path, domain.Owner, d.countChange(d.cancelSubscription))
}

// subscriptionView is an account's subscription as its people see it. What is not known, or
// is not there, is null.
type subscriptionView struct {
	Configured   bool                `json:"configured"`
	Plans        []billingPlanView   `json:"plans"`
	Subscription domain.Subscription `json:"subscription"` // the account's
	Status       *string             `json:"status"`       // in Razorpay's words
	Plan         *domain.Plan        `json:"plan"`
	PeriodStart  *string             `json:"period_start"`
	PeriodEnd    *string             `json:"period_end"` // the first day after the period
	EndsAt       view.Instant        `json:"ends_at"`
	Manage       *string             `json:"manage"` // Razorpay's page of the subscription
}

// billingPlanView is a plan that can be bought.
type billingPlanView struct {
	ID       string       `json:"id"`
	Plan     domain.Plan  `json:"plan"`
	Name     *string      `json:"name"`
	Period   *string      `json:"period"`
	Interval *int         `json:"interval"`
	Amount   *view.Rupees `json:"amount"`
}

func viewSubscription(b ports.AccountBilling, state domain.Subscription) subscriptionView {
	s := b.Subscription
	v := subscriptionView{Configured: b.Configured, Plans: []billingPlanView{}, Subscription: state,
		Status: view.OrNone(string(s.Status)), Plan: view.OrNone(s.Plan), PeriodStart: view.OrNone(s.PeriodStart.String()), PeriodEnd: view.OrNone(s.PeriodEnd.String()),
		EndsAt: view.Instant(s.EndsAt()), Manage: view.OrNone(s.URL)}
	for _, p := range b.Plans {
		bought := billingPlanView{ID: p.ID, Plan: p.Plan, Name: view.OrNone(p.Name), Period: view.OrNone(p.Period)}
		if p.Period != "" {
			amount := view.Rupees(p.Amount)
			bought.Interval, bought.Amount = &p.Interval, &amount
		}
		v.Plans = append(v.Plans, bought)
	}
	return v
}

func (d *Dashboard) writeSubscription(c *gin.Context, b ports.AccountBilling) {
	writeJSON(c, http.StatusOK, viewSubscription(b, b.Account.SubscriptionAt(d.Clock())))
}

// showSubscription is GET /account/subscription.
func (d *Dashboard) showSubscription(c *gin.Context, by By) error {
	shown, err := d.Billing.Show(c.Request.Context(), by.Account.ID)
	if err != nil {
		return err
	}
	d.writeSubscription(c, shown)
	return nil
}

// planOf reads the plan that a request names.
func (d *Dashboard) planOf(c *gin.Context, by By) (string, error) {
	var sent struct {
		Plan string `json:"plan"`
	}
	err := d.readJSON(c, by.Account.ID, mostFields, &sent)
	return sent.Plan, err
}

// startSubscription is POST /account/subscription.
func (d *Dashboard) startSubscription(c *gin.Context, by By) error {
	plan, err := d.planOf(c, by)
	if err != nil {
		return err
	}
	made, err := d.Billing.Start(c.Request.Context(), by.Account.ID, plan, by.Way())
	if err != nil {
		return err
	}
	writeJSON(c, http.StatusOK, struct {
		URL *string `json:"url"`
	}{view.OrNone(made.URL)})
	return nil
}

// changeSubscription is PATCH /account/subscription.
func (d *Dashboard) changeSubscription(c *gin.Context, by By) error {
	plan, err := d.planOf(c, by)
	if err != nil {
		return err
	}
	shown, err := d.Billing.Change(c.Request.Context(), by.Account.ID, plan, by.Way())
	if err != nil {
		return err
	}
	d.writeSubscription(c, shown)
	return nil
}

// cancelSubscription is DELETE /account/subscription.
func (d *Dashboard) cancelSubscription(c *gin.Context, by By) error {
	shown, err := d.Billing.Cancel(c.Request.Context(), by.Account.ID, by.Way())
	if err != nil {
		return err
	}
	d.writeSubscription(c, shown)
	return nil
}
