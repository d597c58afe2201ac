package domain

import (
	"net/mail"
	"slices"
	"strings"
	"time"
	"unicode"
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

// newPricing is the day of the pricing update (guide: limits 1). An account that
// subscribed before that day keeps the older caps until its plan changes.
var newPricing = DayFromDate(2026, time.September, 1)

// Account is one agency or shop that uses the API. Its name is its e-mail address in
// lower case.
type Account struct {
	ID            string
	Email         string
	Plan          Plan
	Subscription  Subscription
	SubscribedOn  Day
	PlanSince     Day       // the day of the last change of plan; SubscribedOn if there was none
	BillingDay    int       // 1 to 31; in a shorter month, its last day
	EndsAt        time.Time // from then on an active subscription has ended; zero: it has no end
	PeriodStart   Day       // the billed period, which goes before BillingDay; NoDay: none
	PeriodEnd     Day       // the first day after it
	PhoneVerified bool
	RunCap        *int // the account's own monthly cap; nil: the plan's
	OverdueDays   int  // the account's own overdue_threshold_days; 0: Milaan's
	AcceptCharges bool // in runs that do not say what charges are
	CreatedAt     time.Time
}

// SubscriptionAt returns the state of the subscription at a time.
func (a Account) SubscriptionAt(now time.Time) Subscription {
	if a.Subscription == SubscriptionActive && !a.EndsAt.IsZero() && !now.Before(a.EndsAt) {
		return SubscriptionEnded
	}
	return a.Subscription
}

// Charges returns what charges are in the account's runs.
func (a Account) Charges() Charges {
	if a.AcceptCharges {
		return AcceptCharges
	}
	return FlagCharges
}

// ChooseCharges says what charges are in the account's runs. It returns an *Error with CodeField
// if they cannot be that.
func (a *Account) ChooseCharges(c Charges) error {
	if c == "" {
		return Faults{WrongCharges()}.Err()
	}
	a.AcceptCharges = c == AcceptCharges
	return CheckTerms(nil, nil, c).Err()
}

// SetSubscription sets the state of the subscription without an end.
func (a *Account) SetSubscription(s Subscription) { a.Subscription, a.EndsAt = s, time.Time{} }

// NewAccount returns the account that a person makes for themselves: on the plan that costs
// least, and incomplete until it is paid for.
func NewAccount(id, email string, now time.Time) Account {
	today := DayOf(now)
	_, _, day := today.Date()
	return Account{ID: id, Email: email, Plan: Solo, Subscription: SubscriptionIncomplete, SubscribedOn: today, PlanSince: today,
		BillingDay: day, CreatedAt: now}
}

// MayUseAPI returns nil if the account may call the API now. Otherwise it returns
// ErrPhone, ErrSetup, ErrSubscription or ErrPlan; if several apply, the first of them
// in this order (guide: limits 2).
func (a Account) MayUseAPI(now time.Time) error {
	if err := a.MayReconcile(now); err != nil {
		return err
	}
	if a.Plan != Pro && a.Plan != Enterprise {
		return ErrPlan
	}
	return nil
}

// MayReconcile returns nil if the account may make runs now in some way: every plan may in
// the dashboard. Otherwise it returns ErrPhone, ErrSetup or ErrSubscription.
func (a Account) MayReconcile(now time.Time) error {
	switch s := a.SubscriptionAt(now); {
	case !a.PhoneVerified:
		return ErrPhone
	case s == SubscriptionIncomplete:
		return ErrSetup
	case s != SubscriptionActive:
		return ErrSubscription
	}
	return nil
}

// HasWebhooks says whether the account is told of its runs by webhook. Only the plan
// Enterprise includes this (guide: webhooks).
func (a Account) HasWebhooks() bool { return a.Plan == Enterprise }

// HasBranding says whether documents may be marked as the account's own. The plan Solo has
// Milaan's.
func (a Account) HasBranding() bool { return a.Plan == Pro || a.Plan == Enterprise }

// AutopilotPlans are the plans that have the autopilot.
var AutopilotPlans = []Plan{Pro, Enterprise}

// HasAutopilot says whether the account's plan has the autopilot.
func (a Account) HasAutopilot() bool { return slices.Contains(AutopilotPlans, a.Plan) }

// SavesMappings says whether the mappings of runs are saved for the account's next runs
// (guide: verdict 1).
func (a Account) SavesMappings() bool { return a.Plan == Enterprise }

// MonthlyCap returns how many runs the account may have in a billing cycle. limited is
// false for an account without a cap.
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

// Cycle returns the billing cycle that contains now: of the billed period, if there is one.
func (a Account) Cycle(now time.Time) Cycle {
	if a.PeriodStart != NoDay {
		return BilledCycle(a.PeriodStart, a.PeriodEnd, now)
	}
	return BillingCycle(now, a.BillingDay)
}

// ChangePlan moves the account to another plan from today on. If the account already
// has that plan, nothing changes, so that a retry does not lose older caps.
func (a *Account) ChangePlan(p Plan, today Day) {
	if a.Plan != p {
		a.Plan, a.PlanSince = p, today
	}
}

// SubscribeOn corrects the day of the subscription, and with it PlanSince if the plan
// has never changed.
func (a *Account) SubscribeOn(d Day) {
	if a.PlanSince == a.SubscribedOn {
		a.PlanSince = d
	}
	a.SubscribedOn = d
}

// ChangesSince returns the names of what differs from the account as it was before. They
// are for the security log, which repeats no values.
func (a Account) ChangesSince(before Account) (names []string) {
	for _, field := range []struct {
		name    string
		changed bool
	}{
		{FieldPlan.String(), a.Plan != before.Plan},
		{FieldSubscription.String(), a.Subscription != before.Subscription || !a.EndsAt.Equal(before.EndsAt)},
		{FieldSubscribedOn.String(), a.SubscribedOn != before.SubscribedOn},
		{FieldBillingDay.String(), a.BillingDay != before.BillingDay},
		{"billed_period", a.PeriodStart != before.PeriodStart || a.PeriodEnd != before.PeriodEnd},
		{"phone_verified", a.PhoneVerified != before.PhoneVerified},
		{FieldRunCap.String(), (a.RunCap == nil) != (before.RunCap == nil) || a.RunCap != nil && *a.RunCap != *before.RunCap},
		{"overdue_days", a.OverdueDays != before.OverdueDays},
		{FieldCharges.String(), a.AcceptCharges != before.AcceptCharges},
	} {
		if field.changed {
			names = append(names, field.name)
		}
	}
	return names
}

// lastOfMonth is the last day that a billing cycle may begin on.
const lastOfMonth = 31

// Validate checks an account before it is stored. It returns an *Error with CodeField
// and all faults, or nil. A subscription may begin on today at the latest, because
// billing cycles before its first day would be counted backwards.
func (a Account) Validate(today Day) error {
	var faults Faults
	_, err := ParseEmail(a.Email)
	faults.Add(err != nil, emailFault)
	checkPlan(&faults, a.Plan)
	checkSubscription(&faults, a.Subscription)
	faults.Add(a.SubscribedOn == NoDay, Fault{Field: FieldSubscribedOn, Rule: RuleDay})
	faults.Add(a.SubscribedOn > today, Fault{Field: FieldSubscribedOn, Rule: RuleNotPast, Day: today})
	faults.Add(a.BillingDay < 1 || a.BillingDay > lastOfMonth, OutOfBounds(FieldBillingDay))
	faults.Add(a.RunCap != nil && *a.RunCap < 0, Fault{Field: FieldRunCap, Rule: RuleLeast})
	faults.Add(a.OverdueDays != 0 && !goodOverdueDays(a.OverdueDays), OutOfBounds(FieldOwnOverdueDays))
	return faults.Err()
}

// CheckAccounts returns an *Error with CodeField unless the plan and the subscription by which
// accounts are listed exist; blank ones are not asked for.
func CheckAccounts(plan Plan, subscription Subscription) error {
	var faults Faults
	if plan != "" {
		checkPlan(&faults, plan)
	}
	if subscription != "" {
		checkSubscription(&faults, subscription)
	}
	return faults.Err()
}

func checkPlan(faults *Faults, p Plan) {
	faults.Add(p != Solo && p != Pro && p != Enterprise,
		Fault{Field: FieldPlan, Rule: RuleOneOf, Options: []string{string(Solo), string(Pro), string(Enterprise)}})
}

func checkSubscription(faults *Faults, s Subscription) {
	faults.Add(s != SubscriptionActive && s != SubscriptionEnded && s != SubscriptionIncomplete,
		Fault{Field: FieldSubscription, Rule: RuleOneOf,
			Options: []string{string(SubscriptionActive), string(SubscriptionEnded), string(SubscriptionIncomplete)}})
}

var emailFault = Fault{Field: FieldEmail, Rule: RuleEmail}

// ParseEmail returns an e-mail address in the form in which accounts are stored and
// found: without blanks around it, and in lower case. It returns an *Error with
// CodeField for a text that is no address.
func ParseEmail(s string) (string, error) {
	s = strings.TrimSpace(s)
	// Only ASCII letters are changed: otherwise two addresses could become the same one.
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

// ParseNewEmail is ParseEmail for an address that is stored for the first time: it has no signs that nobody sees, which come along
// with copied text. Whoever an earlier version has stored with such an address is still found by it.
func ParseNewEmail(s string) (string, error) {
	last := ' '
	for _, r := range strings.TrimSpace(s) {
		joins := (r == '\u200c' || r == '\u200d') && unicode.Is(unicode.Mn, last) // letters of an Indian script
		if !joins && !unicode.IsPrint(r) {
			return "", Faults{emailFault}.Err()
		}
		last = r
	}
	return ParseEmail(s)
}
