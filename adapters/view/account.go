package view

import (
	"time"

	"milaan/domain"
	"milaan/ports"
)

// Account is an account as its own people see it.
type Account struct {
	Email         string              `json:"email"`
	Plan          domain.Plan         `json:"plan"`
	Subscription  domain.Subscription `json:"subscription"`
	PhoneVerified bool                `json:"phone_verified"`
	OverdueDays   int                 `json:"overdue_days"` // 0: the default
	Charges       domain.Charges      `json:"charges"`
	CreatedAt     Instant             `json:"created_at" ts:"string"`
	MayUseAPI     bool                `json:"may_use_api"`
	HasWebhooks   bool                `json:"has_webhooks"`
	HasBranding   bool                `json:"has_branding"`
	SavesMappings bool                `json:"saves_mappings"`
	HasAutopilot  bool                `json:"has_autopilot"`
}

// NewAccount returns an account as its own people see it at a time.
func NewAccount(a *domain.Account, now time.Time) *Account {
	return &Account{
		Email: a.Email, Plan: a.Plan, Subscription: a.SubscriptionAt(now), PhoneVerified: a.PhoneVerified,
		OverdueDays: a.OverdueDays, Charges: a.Charges(), CreatedAt: Instant(a.CreatedAt), MayUseAPI: a.MayUseAPI(now) == nil,
		HasWebhooks: a.HasWebhooks(), HasBranding: a.HasBranding(), SavesMappings: a.SavesMappings(), HasAutopilot: a.HasAutopilot(),
	}
}

// ListedAccount is an account as the commands print it.
type ListedAccount struct {
	Email string `json:"email"`
	ID    string `json:"id"`
	accountPlan
	PhoneVerified bool `json:"phone_verified"`
	accountTerms[Second]
}

// NewListedAccount returns an account as the commands print it at a time.
func NewListedAccount(a *domain.Account, now time.Time) ListedAccount {
	return ListedAccount{a.Email, a.ID, newAccountPlan(a, now), a.PhoneVerified, newAccountTerms[Second](a)}
}

// ExportedAccount is an account in its export.
type ExportedAccount struct {
	ID    string `json:"id"`
	Email string `json:"email"`
	accountPlan
	accountTerms[Instant]
	PhoneVerified bool    `json:"phone_verified"`
	Phone         *string `json:"phone"` // its last digits
	PhoneSince    Instant `json:"phone_verified_at"`
}

// NewExportedAccount returns an account as its export has it.
func NewExportedAccount(e *ports.AccountExport) ExportedAccount {
	a := &e.Account
	return ExportedAccount{a.ID, a.Email, newAccountPlan(a, e.At), newAccountTerms[Instant](a), a.PhoneVerified,
		OrNone(e.Phone.Number.Masked()), Instant(e.Phone.VerifiedAt)}
}

type accountPlan struct {
	Plan         domain.Plan         `json:"plan"`
	Subscription domain.Subscription `json:"subscription"`
	SubscribedOn string              `json:"subscribed_on"`
	PlanSince    string              `json:"plan_since"`
	BillingDay   int                 `json:"billing_day"`
}

func newAccountPlan(a *domain.Account, now time.Time) accountPlan {
	return accountPlan{a.Plan, a.SubscriptionAt(now), a.SubscribedOn.String(), a.PlanSince.String(), a.BillingDay}
}

// accountTerms is what is agreed with an account besides its plan.
type accountTerms[T Instant | Second] struct {
	RunCap      *int           `json:"run_cap"`      // null: the plan's
	MonthlyCap  *int           `json:"monthly_cap"`  // in force; null: no limit
	OverdueDays *int           `json:"overdue_days"` // null: the service's
	Charges     domain.Charges `json:"charges"`
	CreatedAt   T              `json:"created_at"`
}

func newAccountTerms[T Instant | Second](a *domain.Account) accountTerms[T] {
	return accountTerms[T]{a.RunCap, capOf(*a), OrNone(a.OverdueDays), a.Charges(), T(a.CreatedAt)}
}
