package razorpay

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"time"

	"milaan/domain"
	"milaan/ports"
)

const (
	keepPlans    = time.Hour       // how long what Razorpay says of its plans is kept
	retryPlans   = time.Minute     // the same, if it did not answer for one of them
	plansTimeout = 5 * time.Second // for all plans: a page waits for them
)

func (c *Client) Plans(ctx context.Context) []ports.BillingPlan {
	if !c.Enabled() {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock()
	if !c.plansAt.IsZero() && now.Sub(c.plansAt) < keepPlans {
		return slices.Clone(c.plans)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), plansTimeout)
	defer cancel()
	plans, whole := slices.Clone(c.settings.Plans), true
	for i := range plans {
		if said, err := c.fetchPlan(ctx, plans[i].ID); err == nil {
			plans[i] = said
		} else {
			whole = false
		}
	}
	c.plans, c.plansAt = plans, now
	if !whole {
		c.plansAt = now.Add(retryPlans - keepPlans)
	}
	return slices.Clone(plans)
}

func (c *Client) fetchPlan(ctx context.Context, id string) (ports.BillingPlan, error) {
	var said struct {
		ID       string `json:"id"`
		Period   string `json:"period"`
		Interval int    `json:"interval"`
		Item     struct {
			Name   string      `json:"name"`
			Amount json.Number `json:"amount"` // paise
		} `json:"item"`
	}
	if !isID(id) {
		return ports.BillingPlan{}, domain.ErrNoSubscription
	}
	if err := c.ask(ctx, http.MethodGet, "plans/"+id, nil, &said); err != nil {
		return ports.BillingPlan{}, err
	}
	amount, err := said.Item.Amount.Int64()
	if said.ID != id || chargesOf[said.Period] == 0 || said.Interval < 1 || err != nil {
		return ports.BillingPlan{}, domain.ErrBilling.Caused(errAnswer)
	}
	return ports.BillingPlan{ID: id, Plan: c.PlanOf(id), Name: domain.Shortened(said.Item.Name), Period: said.Period,
		Interval: said.Interval, Amount: domain.Paise(amount)}, nil
}

// chargesOf is how many periods ten years have: a subscription at Razorpay must have an end.
var chargesOf = map[string]int{"daily": 3650, "weekly": 520, "monthly": 120, "yearly": 10}

// charges returns how often a new subscription to a plan is charged.
func charges(p ports.BillingPlan) int { return max(1, chargesOf[p.Period]/p.Interval) }
