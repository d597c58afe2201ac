package domain

import (
	"net/mail"
	"strings"
	"time"
)

// Plan is what an account has bought.
type Plan string

// The plans of the contract.
const (
	Solo       Plan = "solo"
	Pro        Plan = "pro"
	Enterprise Plan = "enterprise"
)

// Subscription is the state of what an account has bought.
type Subscription string

// The states of a subscription.
const (
	SubscriptionActive     Subscription = "active"
	SubscriptionEnded      Subscription = "ended"
	SubscriptionIncomplete Subscription = "incomplete" // account setup was never finished
)

// newPricing is the day of the pricing update (contract, section 8): who
// subscribed before it keeps the older caps until the plan changes.
var newPricing = DayFromDate(2026, time.September, 1)

// Account is one agency or shop that uses the API. The e-mail address, in
// lower case, names it.
type Account struct {
	ID            string
	Email         string
	Plan          Plan
	Subscription  Subscription
	SubscribedOn  Day
	PlanSince     Day // the day of the last change of plan, SubscribedOn if there was none
	BillingDay    int // 1 to 31; the last day of a shorter month stands in
	PhoneVerified bool
	RunCap        *int // the account's own monthly cap; nil: the plan's
	OverdueDays   int  // the account's own overdue_threshold_days; 0: Milaan's
	CreatedAt     time.Time
}

// MayUseAPI is nil if the account may call the API now; else ErrPhone,
// ErrSetup, ErrSubscription or ErrPlan, the first that holds (decisions,
// section 5: the phone comes first).
func (a Account) MayUseAPI() error {
	switch {
	case !a.PhoneVerified:
		return ErrPhone
	case a.Subscription == SubscriptionIncomplete:
		return ErrSetup
	case a.Subscription != SubscriptionActive:
		return ErrSubscription
	case a.Plan != Pro && a.Plan != Enterprise:
		return ErrPlan
	}
	return nil
}

// HasWebhooks says that the account's runs are announced (contract, section 6:
// Enterprise only).
func (a Account) HasWebhooks() bool { return a.Plan == Enterprise }

// MonthlyCap is how many runs a billing cycle allows; limited is false for an
// account without a cap.
func (a Account) MonthlyCap() (runs int, limited bool) {
	legacy := a.SubscribedOn < newPricing && a.PlanSince < newPricing
	switch {
	case a.RunCap != nil:
		return *a.RunCap, true
	case a.Plan == Enterprise:
		return 0, false
	case a.Plan == Pro && legacy:
		return 16, true
	case a.Plan == Pro:
		return 10, true
	case legacy:
		return 4, true
	}
	return 2, true
}

// Cycle is the billing cycle that now falls into.
func (a Account) Cycle(now time.Time) Cycle { return BillingCycle(now, a.BillingDay) }

// ChangePlan moves the account to another plan from today on; the same plan
// again changes nothing, so that older caps are not lost by a retry.
func (a *Account) ChangePlan(p Plan, today Day) {
	if a.Plan != p {
		a.Plan, a.PlanSince = p, today
	}
}

// SubscribeOn corrects the day of the subscription. An account whose plan never
// changed has had it since that day.
func (a *Account) SubscribeOn(d Day) {
	if a.PlanSince == a.SubscribedOn {
		a.PlanSince = d
	}
	a.SubscribedOn = d
}

// lastOfMonth is the last day that a billing cycle may begin on.
const lastOfMonth = 31

// Validate checks an account before it is stored. It returns an Error with
// CodeField that tells of all faults. today is the last day on which a
// subscription may begin: billing cycles would be counted backwards until then.
func (a Account) Validate(today Day) error {
	var faults Faults
	_, err := ParseEmail(a.Email)
	faults.Add(err != nil, emailFault)
	faults.Add(a.Plan != Solo && a.Plan != Pro && a.Plan != Enterprise,
		Fault{Field: FieldPlan, Rule: RuleOneOf, Options: []string{string(Solo), string(Pro), string(Enterprise)}})
	faults.Add(a.Subscription != SubscriptionActive && a.Subscription != SubscriptionEnded && a.Subscription != SubscriptionIncomplete,
		Fault{Field: FieldSubscription, Rule: RuleOneOf, Options: []string{string(SubscriptionActive), string(SubscriptionEnded), string(SubscriptionIncomplete)}})
	faults.Add(a.SubscribedOn == NoDay, Fault{Field: FieldSubscribedOn, Rule: RuleDay})
	faults.Add(a.SubscribedOn > today, Fault{Field: FieldSubscribedOn, Rule: RuleNotPast, Day: today})
	faults.Add(a.BillingDay < 1 || a.BillingDay > lastOfMonth, OutOfBounds(FieldBillingDay))
	faults.Add(a.RunCap != nil && *a.RunCap < 0, Fault{Field: FieldRunCap, Rule: RuleLeast})
	faults.Add(a.OverdueDays != 0 && !GoodOverdueDays(a.OverdueDays), OutOfBounds(FieldOwnOverdueDays))
	return faults.Err()
}

var emailFault = Fault{Field: FieldEmail, Rule: RuleEmail}

// ParseEmail gives an e-mail address the one form in which accounts are
// stored and looked up. It returns an Error with CodeField for anything else.
func ParseEmail(s string) (string, error) {
	s = strings.TrimSpace(s)
	// Beyond ASCII, two addresses could become one in lower case.
	s = strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
	if a, err := mail.ParseAddress(s); err != nil || a.Address != s || len(s) > 254 {
		return "", Faults{emailFault}.Err()
	}
	return s, nil
}
