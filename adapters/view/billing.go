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
	Next  *NextSubscription[Instant] `json:"next"`
	Twice bool                       `json:"twice"` // several subscriptions are charged side by side
}

// BillingPreview says what choosing a plan would do.
type BillingPreview struct {
	Plan BillingPlan `json:"plan"`
	// Anew says that its customer agrees to another subscription at the billing provider; else
	// the active one is changed at once.
	Anew      bool         `json:"anew"`
	BeginsAt  Instant      `json:"begins_at"` // null: at once, or with anew as soon as it is paid
	EndsNow   bool         `json:"ends_now"`  // the active subscription ends before the other one is paid
	From      *domain.Plan `json:"from"`      // the plan that is active now
	Downgrade bool         `json:"downgrade"` // something is lost, or there are fewer runs in a month
	Loses     []string     `json:"loses"`
	Gains     []string     `json:"gains"`
	CapBefore *int         `json:"cap_before"` // runs in a cycle; null: any number
	CapAfter  *int         `json:"cap_after"`
}

// features are what plans differ in, besides the number of runs.
var features = []struct {
	name string
	in   func(domain.Account) bool
}{
	{"api", func(a domain.Account) bool { return a.Plan == domain.Pro || a.Plan == domain.Enterprise }},
	{"autopilot", domain.Account.HasAutopilot},
	{"branding", domain.Account.HasBranding},
	{"webhooks", domain.Account.HasWebhooks},
	{"mappings", domain.Account.SavesMappings},
}

// NewBillingPreview returns a preview at a time.
func NewBillingPreview(p *ports.BillingPreview, now time.Time) BillingPreview {
	v := BillingPreview{Plan: newBillingPlan(&p.Plan), Anew: p.Anew, BeginsAt: Instant(p.BeginsAt), EndsNow: p.EndsNow,
		Loses: []string{}, Gains: []string{}, CapBefore: capOf(p.Before), CapAfter: capOf(p.After)}
	if p.Before.SubscriptionAt(now) != domain.SubscriptionActive {
		return v
	}
	v.From = &p.Before.Plan
	for _, f := range features {
		switch before, after := f.in(p.Before), f.in(p.After); {
		case before && !after:
			v.Loses = append(v.Loses, f.name)
		case after && !before:
			v.Gains = append(v.Gains, f.name)
		}
	}
	v.Downgrade = len(v.Loses) > 0 || v.CapAfter != nil && (v.CapBefore == nil || *v.CapAfter < *v.CapBefore)
	return v
}

// capOf returns how many runs an account may make in a cycle; nil: any number.
func capOf(a domain.Account) *int {
	if runs, limited := a.MonthlyCap(); limited {
		return &runs
	}
	return nil
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
	return Subscription{b.Configured, Each(b.Plans, newBillingPlan), newSubscription[Instant](b, now), newNext[Instant](&b.Next), b.Twice}
}

func newBillingPlan(p *ports.BillingPlan) BillingPlan {
	v := BillingPlan{ID: p.ID, Plan: p.Plan, Name: OrNone(p.Name), Period: OrNone(p.Period)}
	if p.Period != "" {
		v.Interval, v.Amount = &p.Interval, new(Rupees(p.Amount))
	}
	return v
}

// ListedSubscription is a subscription as the commands print it.
type ListedSubscription struct {
	ID *string `json:"id"` // Razorpay's
	subscription[Second]
	Next       *listedNext  `json:"next"`
	Twice      bool         `json:"twice"`
	Configured bool         `json:"configured"`
	Plans      []listedPlan `json:"plans"`
}

type listedNext struct {
	ID string `json:"id"`
	NextSubscription[Second]
}

type listedPlan struct {
	ID   string      `json:"id"`
	Plan domain.Plan `json:"plan"`
}

// NewListedSubscription returns a subscription as the commands print it at a time.
func NewListedSubscription(b *ports.AccountBilling, now time.Time) ListedSubscription {
	plans := Each(b.Plans, func(p *ports.BillingPlan) listedPlan { return listedPlan{p.ID, p.Plan} })
	listed := ListedSubscription{OrNone(b.Subscription.ID), newSubscription[Second](b, now), nil, b.Twice, b.Configured, plans}
	if next := newNext[Second](&b.Next); next != nil {
		listed.Next = &listedNext{b.Next.ID, *next}
	}
	return listed
}

type subscription[T Instant | Second] struct {
	Subscription domain.Subscription  `json:"subscription"` // the account's, now
	Status       *domain.BilledStatus `json:"status"`       // in Razorpay's words
	Plan         *domain.Plan         `json:"plan"`
	PeriodStart  *string              `json:"period_start"`
	PeriodEnd    *string              `json:"period_end"` // the first day after the period
	EndsAt       T                    `json:"ends_at"`    // it was cancelled, and is active until then
	EndsNow      bool                 `json:"ends_now"`   // cancelled now, it ends at once
	Manage       *string              `json:"manage"`     // Razorpay's page of the subscription
}

func newSubscription[T Instant | Second](b *ports.AccountBilling, now time.Time) subscription[T] {
	s := &b.Subscription
	return subscription[T]{b.Account.SubscriptionAt(now), OrNone(s.Status), OrNone(s.Plan), OrNone(s.PeriodStart.String()),
		OrNone(s.PeriodEnd.String()), T(s.EndsAt()), b.EndsNow, OrNone(s.URL)}
}

// NextSubscription is another subscription, which takes the place of the one that is shown and
// waits for its first charge.
type NextSubscription[T Instant | Second] struct {
	Plan     domain.Plan         `json:"plan"`
	Status   domain.BilledStatus `json:"status"`    // created: its customer has not agreed yet
	BeginsAt T                   `json:"begins_at"` // null: as soon as it is paid
	Manage   *string             `json:"manage"`    // Razorpay's page of it, where its customer agrees
}

func newNext[T Instant | Second](n *domain.BilledSubscription) *NextSubscription[T] {
	if n.ID == "" {
		return nil
	}
	return &NextSubscription[T]{n.Plan, n.Status, T(n.BeginsAt), OrNone(n.URL)}
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
