package domain_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/tests/only"
)

var (
	beforePricing = domain.DayFromDate(2026, time.August, 31)
	newPricing    = domain.DayFromDate(2026, time.September, 1)
)

func account(change func(*domain.Account)) domain.Account {
	a := domain.Account{
		ID: "1", Email: "asha@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive,
		SubscribedOn: newPricing, PlanSince: newPricing, BillingDay: 1, PhoneVerified: true,
	}
	if change != nil {
		change(&a)
	}
	return a
}

func TestWhoMayUseTheAPI(t *testing.T) {
	plans := []domain.Plan{domain.Solo, domain.Pro, domain.Enterprise, ""}
	subscriptions := []domain.Subscription{domain.SubscriptionActive, domain.SubscriptionEnded, domain.SubscriptionIncomplete, ""}
	for _, phone := range []bool{true, false} {
		for _, s := range subscriptions {
			for _, p := range plans {
				var want error
				switch {
				case !phone:
					want = domain.ErrPhone
				case s == domain.SubscriptionIncomplete:
					want = domain.ErrSetup
				case s != domain.SubscriptionActive:
					want = domain.ErrSubscription
				case p == domain.Solo || p == "":
					want = domain.ErrPlan
				}
				got := domain.Account{Plan: p, Subscription: s, PhoneVerified: phone}.MayUseAPI(time.Time{})
				require.Equal(t, want, got, "%v %s %s", phone, s, p)
			}
		}
	}
}

func TestMonthlyCaps(t *testing.T) {
	none, five := 0, 5
	for name, c := range map[string]struct {
		plan              domain.Plan
		subscribed, since domain.Day
		own               *int
		want              int
		limited           bool
	}{
		"pro":                          {domain.Pro, newPricing, newPricing, nil, 10, true},
		"solo":                         {domain.Solo, newPricing, newPricing, nil, 2, true},
		"enterprise":                   {domain.Enterprise, newPricing, newPricing, nil, 0, false},
		"pro of old":                   {domain.Pro, beforePricing, beforePricing, nil, 16, true},
		"solo of old":                  {domain.Solo, beforePricing, beforePricing, nil, 4, true},
		"enterprise of old":            {domain.Enterprise, beforePricing, beforePricing, nil, 0, false},
		"pro of old, plan changed":     {domain.Pro, beforePricing, newPricing, nil, 10, true},
		"solo of old, plan changed":    {domain.Solo, beforePricing, newPricing, nil, 2, true},
		"changed before the new price": {domain.Pro, beforePricing - 100, beforePricing, nil, 16, true},
		"own cap on pro":               {domain.Pro, newPricing, newPricing, &five, 5, true},
		"own cap on enterprise":        {domain.Enterprise, beforePricing, beforePricing, &five, 5, true},
		"own cap of nothing":           {domain.Solo, beforePricing, beforePricing, &none, 0, true},
	} {
		a := domain.Account{Plan: c.plan, SubscribedOn: c.subscribed, PlanSince: c.since, RunCap: c.own}
		got, limited := a.MonthlyCap()
		require.Equal(t, c.want, got, name)
		require.Equal(t, c.limited, limited, name)
	}
}

func TestAChangeOfPlanEndsTheOlderCap(t *testing.T) {
	a := account(func(a *domain.Account) { a.SubscribedOn, a.PlanSince = beforePricing, beforePricing })
	a.ChangePlan(domain.Pro, newPricing+30)
	runs, _ := a.MonthlyCap()
	require.Equal(t, 16, runs, "the same plan again is no change")

	a.ChangePlan(domain.Solo, newPricing+30)
	require.Equal(t, newPricing+30, a.PlanSince)
	a.ChangePlan(domain.Pro, newPricing+31)
	runs, _ = a.MonthlyCap()
	require.Equal(t, 10, runs, "there is no way back")
}

func TestACorrectedDayOfSubscription(t *testing.T) {
	a := account(nil)
	a.SubscribeOn(beforePricing)
	require.Equal(t, beforePricing, a.SubscribedOn)
	require.Equal(t, beforePricing, a.PlanSince, "the plan never changed")

	a.ChangePlan(domain.Solo, newPricing+30)
	a.SubscribeOn(beforePricing - 30)
	require.Equal(t, newPricing+30, a.PlanSince, "the change of plan stays")
}

func TestAccountsThatCannotBe(t *testing.T) {
	negative, zero := -1, 0
	require.NoError(t, account(nil).Validate(newPricing))
	require.NoError(t, account(func(a *domain.Account) { a.BillingDay, a.RunCap, a.OverdueDays = 31, &zero, 30 }).Validate(newPricing))
	for _, c := range []struct {
		change func(*domain.Account)
		want   domain.Fault
	}{
		{func(a *domain.Account) { a.Email = "asha" }, domain.Fault{Field: domain.FieldEmail, Rule: domain.RuleEmail}},
		{func(a *domain.Account) { a.Plan = "gold" }, domain.Fault{Field: domain.FieldPlan, Rule: domain.RuleOneOf, Options: []string{"solo", "pro", "enterprise"}}},
		{func(a *domain.Account) { a.Subscription = "" }, domain.Fault{Field: domain.FieldSubscription, Rule: domain.RuleOneOf, Options: []string{"active", "ended", "incomplete"}}},
		{func(a *domain.Account) { a.SubscribedOn = domain.NoDay }, domain.Fault{Field: domain.FieldSubscribedOn, Rule: domain.RuleDay}},
		{func(a *domain.Account) { a.SubscribedOn = newPricing + 1 }, domain.Fault{Field: domain.FieldSubscribedOn, Rule: domain.RuleNotPast, Day: newPricing}},
		{func(a *domain.Account) { a.BillingDay = 0 }, domain.Fault{Field: domain.FieldBillingDay, Rule: domain.RuleWhole, Min: 1, Max: 31}},
		{func(a *domain.Account) { a.BillingDay = 32 }, domain.Fault{Field: domain.FieldBillingDay, Rule: domain.RuleWhole, Min: 1, Max: 31}},
		{func(a *domain.Account) { a.RunCap = &negative }, domain.Fault{Field: domain.FieldRunCap, Rule: domain.RuleLeast}},
		{func(a *domain.Account) { a.OverdueDays = 31 }, domain.Fault{Field: domain.FieldOwnOverdueDays, Rule: domain.RuleWhole, Min: 1, Max: 30}},
		{func(a *domain.Account) { a.OverdueDays = -1 }, domain.Fault{Field: domain.FieldOwnOverdueDays, Rule: domain.RuleWhole, Min: 1, Max: 30}},
	} {
		require.Equal(t, domain.Faults{c.want}.Err(), account(c.change).Validate(newPricing))
	}
	all := domain.Account{SubscribedOn: newPricing + 1, RunCap: &negative, OverdueDays: 31}.Validate(newPricing)
	require.EqualError(t, all, "field_invalid email/email plan/one_of subscription/one_of subscribed_on/not_past billing_day/whole run_cap/least own_overdue_days/whole")
}

func TestOneFormOfAnEmailAddress(t *testing.T) {
	for text, want := range map[string]string{
		"asha@shop.example":          "asha@shop.example",
		" Asha.Rao@Shop.Example\r\n": "asha.rao@shop.example",
		"a+b@sub.shop.example":       "a+b@sub.shop.example",
		"आशा@shop.example":           "आशा@shop.example",
		"\u212Aim@Shop.example":      "\u212Aim@shop.example", // a Kelvin sign, whose lower case is k: it is another person's
	} {
		got, err := domain.ParseEmail(text)
		require.NoError(t, err, text)
		require.Equal(t, want, got)
		again, err := domain.ParseEmail(got)
		require.NoError(t, err)
		require.Equal(t, got, again)
	}
	for _, text := range []string{"", "asha", "@shop.example", "asha@", "Asha <asha@shop.example>", "a@b@c", "a b@shop.example", strings.Repeat("a", 250) + "@x.in"} {
		_, err := domain.ParseEmail(text)
		require.Error(t, err, text)
	}
}

func TestANewEmailAddressHasNoSignsThatNobodySees(t *testing.T) {
	for _, text := range []string{" आशा@Shop.Example\n", "asha@उदाहरण.भारत", "श्रीमान्\u200cजी@shop.example", "क्\u200dष@shop.example"} {
		require.Equal(t, only.Value(domain.ParseEmail(text))(t), only.Value(domain.ParseNewEmail(text))(t))
	}
	for _, text := range []string{"", "asha@shop.example\u200b", "a\u202esha@shop.example", "asha\u00a0rao@shop.example", "as\u00adha@shop.example",
		"as\u200dha@shop.example", "आशा\u200c@shop.example"} {
		require.Error(t, only.Err(domain.ParseNewEmail(text)), text)
	}
}

func TestChangesOfAnAccount(t *testing.T) {
	two, three := 2, 3
	before := account(nil)
	require.Empty(t, before.ChangesSince(before))
	for want, change := range map[string]func(*domain.Account){
		"plan":           func(a *domain.Account) { a.ChangePlan(domain.Solo, newPricing+1) },
		"subscription":   func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded },
		"subscribed_on":  func(a *domain.Account) { a.SubscribeOn(beforePricing) },
		"billing_day":    func(a *domain.Account) { a.BillingDay = 2 },
		"phone_verified": func(a *domain.Account) { a.PhoneVerified = false },
		"run_cap":        func(a *domain.Account) { a.RunCap = &two },
		"overdue_days":   func(a *domain.Account) { a.OverdueDays = 9 },
		"charges":        func(a *domain.Account) { require.NoError(t, a.ChooseCharges("accept")) },
	} {
		require.Equal(t, []string{want}, account(change).ChangesSince(before))
	}
	for _, wrong := range []domain.Charges{"", "Accept"} {
		require.Equal(t, domain.Faults{domain.WrongCharges()}, domain.FaultsOf(new(domain.Account).ChooseCharges(wrong)))
	}
	capped := account(func(a *domain.Account) { a.RunCap = &two })
	require.Empty(t, account(func(a *domain.Account) { other := two; a.RunCap = &other }).ChangesSince(capped), "the same number")
	require.Equal(t, []string{"plan", "run_cap"}, account(func(a *domain.Account) { a.RunCap, a.Plan = &three, domain.Enterprise }).ChangesSince(capped))
}
