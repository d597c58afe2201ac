package cli

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// sold is ports.ManagingBilling for one account.
type sold struct {
	ports.ManagingBilling

	shown ports.AccountBilling
	did   []string
	fault error
}

func (s *sold) note(what, accountID string) (ports.AccountBilling, error) {
	s.did = append(s.did, what+" "+accountID)
	return s.shown, s.fault
}

func (s *sold) Show(_ context.Context, id string) (ports.AccountBilling, error) {
	return s.note("show", id)
}

func (s *sold) Start(_ context.Context, id, plan string, by domain.Actor) (domain.BilledSubscription, error) {
	_, err := s.note("start "+plan+" by "+string(by.Way), id)
	return s.shown.Subscription, err
}

func (s *sold) Change(_ context.Context, id string, to ports.PlanChange, by domain.Actor) (ports.AccountBilling, error) {
	if to.Anew {
		to.Plan += " anew"
	}
	return s.note("change "+to.Plan+asShown(to.EndsNow)+" by "+string(by.Way), id)
}

func asShown(endsNow *bool) string {
	if endsNow == nil {
		return ""
	}
	return fmt.Sprint(" ends now: ", *endsNow)
}

func (s *sold) Preview(_ context.Context, id, plan string) (ports.BillingPreview, error) {
	shown, err := s.note("preview "+plan, id)
	before := shown.Account
	before.Plan, before.Subscription, before.EndsAt = domain.Pro, domain.SubscriptionActive, time.Time{}
	after := before
	after.Plan = domain.Solo
	return ports.BillingPreview{Plan: ports.BillingPlan{ID: "plan_s", Plan: domain.Solo, Period: "monthly", Interval: 1, Amount: 49900}, Anew: true,
		BeginsAt: today.Start(), Before: before, After: after}, err
}

func (s *sold) Cancel(_ context.Context, id string, endsNow *bool, by domain.Actor) (ports.AccountBilling, error) {
	return s.note("cancel"+asShown(endsNow)+" by "+string(by.Way), id)
}

func (s *sold) Refresh(_ context.Context, id string) (ports.AccountBilling, error) {
	return s.note("refresh", id)
}

func TestSubscriptionCommands(t *testing.T) {
	accounts := newManaged()
	_, err := accounts.Create(t.Context(), domain.Account{Email: "a@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive})
	require.NoError(t, err)
	s := &sold{shown: ports.AccountBilling{Configured: true, Plans: []ports.BillingPlan{{ID: "plan_x", Plan: domain.Pro}},
		Twice: true, EndsNow: true, Next: domain.BilledSubscription{ID: "sub_2", Plan: domain.Solo, Status: domain.BilledCreated, BeginsAt: today.Start()},
		Account: domain.Account{Subscription: domain.SubscriptionActive, EndsAt: today.Start().Add(-time.Second)},
		Subscription: domain.BilledSubscription{ID: "sub_1", Plan: domain.Pro, Status: domain.BilledCancelled, URL: "https://rzp.example/1",
			PeriodStart: today - 30, PeriodEnd: today, EndedAt: today.Start().Add(-time.Second)}}}
	deps := accounts.deps(as[ports.ManagingBilling](s))
	const json = `{
  "id": "sub_1",
  "subscription": "ended",
  "status": "cancelled",
  "plan": "pro",
  "period_start": "2026-10-22",
  "period_end": "2026-11-21",
  "ends_at": "2026-11-20T18:29:59Z",
  "ends_now": true,
  "manage": "https://rzp.example/1",
  "next": {
    "id": "sub_2",
    "plan": "solo",
    "status": "created",
    "begins_at": "2026-11-20T18:30:00Z",
    "manage": null
  },
  "twice": true,
  "configured": true,
  "plans": [
    {
      "id": "plan_x",
      "plan": "pro"
    }
  ]
}
`
	const preview = `{
  "plan": {
    "id": "plan_s",
    "plan": "solo",
    "name": null,
    "period": "monthly",
    "interval": 1,
    "amount": 499
  },
  "anew": true,
  "begins_at": "2026-11-20T18:30:00.000Z",
  "ends_now": false,
  "from": "pro",
  "downgrade": true,
  "loses": [
    "api",
    "autopilot",
    "branding"
  ],
  "gains": [],
  "cap_before": 16,
  "cap_after": 4
}
`
	for _, c := range []struct {
		args []string
		out  string
		did  string
	}{
		{[]string{"show"}, json, "show 0193-id"},
		{[]string{"start", "--plan", "pro"}, "https://rzp.example/1\n", "start pro by command_line 0193-id"},
		{[]string{"change", "--plan", "plan_x"}, json, "change plan_x by command_line 0193-id"},
		{[]string{"change", "--anew", "--plan", "solo"}, json, "change solo anew by command_line 0193-id"},
		{[]string{"preview", "--plan", "solo"}, preview, "preview solo 0193-id"},
		{[]string{"change", "--anew", "--ends-now=false", "--plan", "solo"}, json, "change solo anew ends now: false by command_line 0193-id"},
		{[]string{"cancel"}, json, "cancel by command_line 0193-id"},
		{[]string{"cancel", "--ends-now"}, json, "cancel ends now: true by command_line 0193-id"},
		{[]string{"refresh"}, json, "refresh 0193-id"},
	} {
		args := append([]string{"account", "subscription"}, c.args...)
		require.Equal(t, ran{stdout: c.out}, run(deps, append(args, "--email", "a@shop.example")...), args)
		require.Equal(t, c.did, s.did[len(s.did)-1])
		require.Equal(t, ExitFailed, run(deps, append(args, "--email", "b@shop.example")...).code, args)
	}
	for _, name := range []string{"start", "change", "preview"} {
		got := run(deps, "account", "subscription", name, "--email", "a@shop.example")
		got.refused(t, ExitUsage, "--plan is required: solo, pro or enterprise, or Razorpay's id of a plan")
	}
	s.fault = domain.ErrNoBilling
	require.Equal(t, ran{code: ExitFailed, stderr: "milaan: subscriptions are not sold here: set MILAAN_RAZORPAY_KEY_ID and what belongs to it, or the plan with milaan account set\n"},
		run(deps, "account", "subscription", "refresh", "--email", "a@shop.example"))
}

func TestTheOperatorsSubscriptionHasNoEnd(t *testing.T) {
	accounts := newManaged()
	a, err := accounts.Create(t.Context(), domain.Account{Email: "a@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive})
	require.NoError(t, err)
	a.EndsAt = today.Start().Add(-time.Hour)
	accounts.accounts[a.Email] = a
	require.Contains(t, run(accounts.deps(), "account", "show", "--email", a.Email).stdout, `"subscription": "ended"`)
	require.Contains(t, run(accounts.deps(), "account", "set", "--subscription", "active", "--email", a.Email).stdout, `"subscription": "active"`)
}
