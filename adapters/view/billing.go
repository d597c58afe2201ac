package view

import (
	"time"

	"milaan/domain"
	"milaan/ports"
)

// Subscription is an account's subscription as its people see it. What is not known, or is not
// there, is null.
type Subscription struct {
	Configured bool          `json:"configured"`
	Plans      []BillingPlan `json:"plans"`
	subscription[Instant]
}

// BillingPlan is a plan that can be bought. What is null, the billing provider has not told.
type BillingPlan struct {
	ID       string      `json:"id"`
	Plan     domain.Plan `json:"plan"`
	Name     *string     `json:"name"`
	Period   *string     `json:"period"`   // daily, weekly, monthly or yearly
	Interval *int        `json:"interval"` // how many periods one payment is for
	Amount   *Rupees     `json:"amount"`   // of one payment
}

// NewSubscription returns a subscription as the account's people see it at a time.
func NewSubscription(b *ports.AccountBilling, now time.Time) Subscription {
	return Subscription{b.Configured, Each(b.Plans, func(p *ports.BillingPlan) BillingPlan {
		v := BillingPlan{ID: p.ID, Plan: p.Plan, Name: OrNone(p.Name), Period: OrNone(p.Period)}
		if p.Period != "" {
			v.Interval, v.Amount = &p.Interval, new(Rupees(p.Amount))
		}
		return v
	}), newSubscription[Instant](b, now)}
}

// ListedSubscription is a subscription as the commands print it.
type ListedSubscription struct {
	ID *string `json:"id"` // Razorpay's
	subscription[Second]
	Configured bool         `json:"configured"`
	Plans      []listedPlan `json:"plans"`
}

type listedPlan struct {
	ID   string      `json:"id"`
	Plan domain.Plan `json:"plan"`
}

// NewListedSubscription returns a subscription as the commands print it at a time.
func NewListedSubscription(b *ports.AccountBilling, now time.Time) ListedSubscription {
	plans := Each(b.Plans, func(p *ports.BillingPlan) listedPlan { return listedPlan{p.ID, p.Plan} })
	return ListedSubscription{OrNone(b.Subscription.ID), newSubscription[Second](b, now), b.Configured, plans}
}

type subscription[T Instant | Second] struct {
	Subscription domain.Subscription  `json:"subscription"` // the account's, now
	Status       *domain.BilledStatus `json:"status"`       // in Razorpay's words
	Plan         *domain.Plan         `json:"plan"`
	PeriodStart  *string              `json:"period_start"`
	PeriodEnd    *string              `json:"period_end"` // the first day after the period
	EndsAt       T                    `json:"ends_at"`    // it was cancelled, and is active until then
	Manage       *string              `json:"manage"`     // Razorpay's page of the subscription
}

func newSubscription[T Instant | Second](b *ports.AccountBilling, now time.Time) subscription[T] {
	s := &b.Subscription
	return subscription[T]{b.Account.SubscriptionAt(now), OrNone(s.Status), OrNone(s.Plan), OrNone(s.PeriodStart.String()),
		OrNone(s.PeriodEnd.String()), T(s.EndsAt()), OrNone(s.URL)}
}

// ExportedSubscription is a subscription in the export of an account.
type ExportedSubscription struct {
	ID          string              `json:"id"` // the billing provider's
	PlanID      string              `json:"plan_id"`
	Plan        *domain.Plan        `json:"plan"`   // null: the service does not know plan_id
	Status      domain.BilledStatus `json:"status"` // in the billing provider's words
	CreatedAt   Instant             `json:"created_at"`
	PeriodStart *string             `json:"period_start"`
	PeriodEnd   *string             `json:"period_end"` // the first day after the billed period
	EndsAt      Instant             `json:"ends_at"`
}

// NewExportedSubscription returns a subscription as the export of its account has it.
func NewExportedSubscription(s *domain.BilledSubscription) ExportedSubscription {
	return ExportedSubscription{s.ID, s.PlanID, OrNone(s.Plan), s.Status, Instant(s.CreatedAt), OrNone(s.PeriodStart.String()),
		OrNone(s.PeriodEnd.String()), Instant(s.EndsAt())}
}
