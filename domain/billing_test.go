package domain_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

func day(year int, month time.Month, d int) domain.Day { return domain.DayFromDate(year, month, d) }

// Each case is a billed period, a day, and the cycle that contains it.
func TestBilledCycles(t *testing.T) {
	for _, c := range []struct{ start, end, today, from, to string }{
		// A month is one cycle, whatever its days are.
		{"2026-09-14", "2026-10-14", "2026-09-14", "2026-09-14", "2026-10-14"},
		{"2026-09-14", "2026-10-14", "2026-10-13", "2026-09-14", "2026-10-14"},
		{"2027-01-31", "2027-02-28", "2027-02-27", "2027-01-31", "2027-02-28"},
		{"2027-02-28", "2027-03-31", "2027-03-30", "2027-02-28", "2027-03-31"},
		{"2027-01-31", "2027-03-03", "2027-03-02", "2027-01-31", "2027-03-03"},
		{"2027-01-29", "2027-03-01", "2027-02-28", "2027-01-29", "2027-03-01"},
		// A year is split into months from its start.
		{"2026-10-31", "2027-10-31", "2026-10-31", "2026-10-31", "2026-11-30"},
		{"2026-10-31", "2027-10-31", "2026-11-30", "2026-11-30", "2026-12-31"},
		{"2026-10-31", "2027-10-31", "2027-02-27", "2027-01-31", "2027-02-28"},
		{"2026-10-31", "2027-10-31", "2027-02-28", "2027-02-28", "2027-03-31"},
		{"2026-10-31", "2027-10-31", "2027-03-31", "2027-03-31", "2027-04-30"},
		{"2026-10-31", "2027-10-31", "2027-10-30", "2027-09-30", "2027-10-31"},
		{"2028-02-29", "2029-02-28", "2028-03-29", "2028-03-29", "2028-04-29"},
		{"2028-02-29", "2029-02-28", "2029-02-27", "2029-01-29", "2029-02-28"},
		{"2027-02-28", "2028-02-29", "2028-02-28", "2028-01-28", "2028-02-29"},
		{"2026-11-30", "2027-11-30", "2027-03-01", "2027-02-28", "2027-03-30"},
		{"2026-11-30", "2027-02-28", "2027-02-27", "2027-01-30", "2027-02-28"}, // a quarter
		{"2026-09-01", "2026-09-08", "2026-09-07", "2026-09-01", "2026-09-08"}, // a week
		// After the period, and before it, cycles go on by months.
		{"2027-01-31", "2027-02-28", "2027-02-28", "2027-02-28", "2027-03-31"},
		{"2027-01-31", "2027-02-28", "2027-03-31", "2027-03-31", "2027-04-30"},
		{"2027-02-28", "2027-03-31", "2027-04-29", "2027-03-31", "2027-04-30"},
		{"2027-01-31", "2027-03-03", "2027-04-02", "2027-03-03", "2027-04-03"},
		{"2026-10-31", "2027-10-31", "2028-02-28", "2028-01-31", "2028-02-29"},
		{"2026-10-31", "2027-10-31", "2026-10-30", "2026-09-30", "2026-10-31"},
		{"2027-03-31", "2027-04-30", "2027-02-28", "2027-02-28", "2027-03-31"},
		{"2027-03-31", "2027-03-31", "2027-03-31", "2027-03-31", "2027-04-01"}, // of no days
	} {
		parse := func(s string) domain.Day {
			at, err := time.Parse(time.DateOnly, s)
			require.NoError(t, err)
			return day(at.Date())
		}
		today := parse(c.today)
		for _, now := range []time.Time{today.Start(), (today + 1).Start().Add(-time.Nanosecond)} {
			got := domain.BilledCycle(parse(c.start), parse(c.end), now)
			require.Equal(t, c.from+" "+c.to, got.Start.String()+" "+got.End.String(), "%s to %s on %s", c.start, c.end, c.today)
		}
	}
}

// The cycles of any period follow each other without a gap, and are months, but for the last
// of a period, which may be longer.
func TestBilledCyclesFollowEachOther(t *testing.T) {
	for first := day(2026, 9, 1); first < day(2028, 4, 1); first += 2 {
		for _, length := range []domain.Day{28, 30, 31, 90, 92, 365, 366} {
			end := first + length
			last := domain.Cycle{}
			for today := first - 40; today < end+70; today++ {
				c := domain.BilledCycle(first, end, today.Start())
				length := c.End - c.Start
				if c.Start > today || today >= c.End || length < 28 || length > 31+27 ||
					last.End != domain.NoDay && c != last && last.End != c.Start || today == first && c.Start != first {
					require.Fail(t, "a wrong cycle", "%s +%d on %s: %s to %s after %s", first, end-first, today, c.Start, c.End, last.End)
				}
				last = c
			}
		}
	}
}

var noon = day(2026, 11, 20).Start().Add(12 * time.Hour)

func billed(id string, plan domain.Plan, status domain.BilledStatus, created domain.Day) domain.BilledSubscription {
	return domain.BilledSubscription{ID: id, AccountID: "1", PlanID: "plan_" + string(plan), Plan: plan, Status: status, CreatedAt: created.Start(),
		PeriodStart: day(2026, 11, 1), PeriodEnd: day(2026, 12, 1)}
}

func TestStandingOfBilledSubscriptions(t *testing.T) {
	for status, want := range map[domain.BilledStatus]domain.Subscription{
		domain.BilledCreated: domain.SubscriptionIncomplete, domain.BilledAuthenticated: domain.SubscriptionIncomplete,
		domain.BilledActive: domain.SubscriptionActive, domain.BilledPending: domain.SubscriptionActive,
		domain.BilledHalted: domain.SubscriptionEnded, domain.BilledPaused: domain.SubscriptionEnded,
		domain.BilledCompleted: domain.SubscriptionEnded, domain.BilledExpired: domain.SubscriptionEnded,
		domain.BilledCancelled: domain.SubscriptionEnded, "resting": domain.SubscriptionEnded,
	} {
		a := account(func(*domain.Account) {})
		a.FollowBilling(domain.Billed{}, domain.BilledBy([]domain.BilledSubscription{billed("s", domain.Pro, status, 20_000)}, noon), noon)
		require.Equal(t, want, a.SubscriptionAt(noon), status)
	}
}

// A cancelled subscription ends at ended_at, to the instant, without further news.
func TestCancelledSubscriptionsEndByTheClock(t *testing.T) {
	end := noon.Add(90 * time.Minute)
	s := billed("s", domain.Pro, domain.BilledCancelled, 20_000)
	s.EndedAt = end
	a := account(func(a *domain.Account) { a.PhoneVerified = true })
	a.FollowBilling(domain.Billed{}, domain.BilledBy([]domain.BilledSubscription{s}, noon), noon)
	require.NoError(t, a.MayUseAPI(end.Add(-time.Nanosecond)))
	require.ErrorIs(t, a.MayUseAPI(end), domain.ErrSubscription)
	require.Equal(t, domain.SubscriptionEnded, a.SubscriptionAt(end))

	s.PeriodStart = domain.NoDay // it was never paid for
	a.FollowBilling(domain.Billed{}, domain.BilledBy([]domain.BilledSubscription{s}, noon), noon)
	require.Equal(t, domain.SubscriptionEnded, a.SubscriptionAt(noon))

	a.SetSubscription(domain.SubscriptionActive)
	require.NoError(t, a.MayUseAPI(end.AddDate(1, 0, 0)), "the operator's word holds")
}

func TestWhichSubscriptionDecides(t *testing.T) {
	until := func(s domain.BilledSubscription, end time.Time) domain.BilledSubscription {
		s.EndedAt = end
		return s
	}
	unpaid := func(s domain.BilledSubscription) domain.BilledSubscription {
		s.PeriodStart, s.PeriodEnd = domain.NoDay, domain.NoDay
		return s
	}
	// Each decides before all that follow.
	order := []domain.BilledSubscription{
		billed("active", domain.Pro, domain.BilledActive, 20_000),
		billed("pending", domain.Pro, domain.BilledPending, 19_999),
		until(billed("until-later", domain.Pro, domain.BilledCancelled, 19_000), noon.Add(2*time.Hour)),
		until(billed("until-soon", domain.Solo, domain.BilledCancelled, 20_002), noon.Add(time.Hour)),
		billed("halted", domain.Solo, domain.BilledHalted, 20_003),
		until(billed("over", domain.Pro, domain.BilledCancelled, 20_001), noon.Add(-time.Hour)),
		unpaid(billed("created-2", domain.Pro, domain.BilledCreated, 20_010)),
		unpaid(billed("created-1", domain.Pro, domain.BilledCreated, 20_010)),
		unpaid(billed("expired", domain.Pro, domain.BilledExpired, 20_009)),
	}
	unknown := billed("unknown", "", domain.BilledActive, 20_020)
	for i := range order {
		for j := i; j < len(order); j++ {
			require.Equal(t, order[i].ID, domain.BilledBy([]domain.BilledSubscription{order[j], unknown, order[i]}, noon).ID)
			require.Equal(t, order[i].ID, domain.BilledBy([]domain.BilledSubscription{order[i], order[j], unknown}, noon).ID)
		}
	}
	require.Zero(t, domain.BilledBy([]domain.BilledSubscription{unknown}, noon))
}

func TestLegacyCapsFollowTheSubscription(t *testing.T) {
	runs := func(all ...domain.BilledSubscription) int {
		a := account(func(a *domain.Account) {
			a.Plan, a.SubscribedOn, a.PlanSince = domain.Solo, newPricing+50, newPricing+50
		})
		a.FollowBilling(domain.Billed{}, domain.BilledBy(all, noon), noon)
		n, limited := a.MonthlyCap()
		require.True(t, limited)
		return n
	}
	require.Equal(t, 16, runs(billed("s", domain.Pro, domain.BilledActive, beforePricing)))
	require.Equal(t, 10, runs(billed("s", domain.Pro, domain.BilledActive, newPricing)))

	old := billed("s", domain.Pro, domain.BilledActive, beforePricing)
	changed := old.Noticed(&domain.BilledSubscription{AccountID: "1", Plan: domain.Solo}, nil, newPricing+70)
	require.Equal(t, newPricing+70, changed.ChangedOn)
	require.Equal(t, 10, runs(changed))
	back := changed
	back.Plan = domain.Solo
	require.Equal(t, newPricing+70, back.Noticed(&changed, nil, newPricing+75).ChangedOn, "the first change is remembered")
	require.Equal(t, 10, runs(old.Noticed(nil, []domain.Plan{domain.Enterprise}, newPricing+70)), "a notice has shown another plan")
	require.Equal(t, 16, runs(old.Noticed(nil, []domain.Plan{domain.Pro, ""}, newPricing+70)))

	// A second subscription with another plan, which has been in force, is a change too.
	other := billed("t", domain.Enterprise, domain.BilledCancelled, beforePricing-1)
	other.EndedAt = (newPricing + 60).Start()
	require.Equal(t, 10, runs(old, other))
	other.PeriodStart = domain.NoDay
	require.Equal(t, 16, runs(old, other), "it was never paid for")
}

func TestWhatTheOperatorSetStays(t *testing.T) {
	s := billed("s", domain.Pro, domain.BilledHalted, beforePricing)
	a := account(func(*domain.Account) {})
	last := domain.BilledBy([]domain.BilledSubscription{s}, noon)
	a.FollowBilling(domain.Billed{}, last, noon)
	a.SetSubscription(domain.SubscriptionActive)
	a.ChangePlan(domain.Enterprise, day(2026, 11, 20))
	s.PeriodStart, s.PeriodEnd = s.PeriodEnd, s.PeriodEnd+31
	next := domain.BilledBy([]domain.BilledSubscription{s}, noon)
	a.FollowBilling(last, next, noon)
	require.Equal(t, domain.SubscriptionActive, a.Subscription)
	require.Equal(t, domain.Enterprise, a.Plan)
	require.Equal(t, s.PeriodStart, a.PeriodStart)

	s.Status = domain.BilledActive
	last, next = next, domain.BilledBy([]domain.BilledSubscription{s}, noon)
	a.FollowBilling(last, next, noon)
	s.Status = domain.BilledHalted
	a.FollowBilling(next, domain.BilledBy([]domain.BilledSubscription{s}, noon), noon)
	require.Equal(t, domain.SubscriptionEnded, a.Subscription)
	require.Equal(t, domain.Enterprise, a.Plan)
}

// That a subscription ends with its period is known from the cancellation alone.
func TestEndingSubscriptions(t *testing.T) {
	was := billed("s", domain.Pro, domain.BilledActive, beforePricing)
	was.Ending = true
	s := billed("s", domain.Pro, domain.BilledActive, beforePricing)
	require.True(t, s.EndsAt().IsZero())
	got := s.Noticed(&was, nil, newPricing)
	require.True(t, got.Ending)
	require.Equal(t, s.PeriodEnd.Start(), got.EndsAt())
	s.PeriodEnd += 30 // it was charged again, so it goes on
	require.False(t, s.Noticed(&was, nil, newPricing).Ending)
	s.Status, s.PeriodEnd, s.EndedAt = domain.BilledCancelled, was.PeriodEnd, noon
	require.Equal(t, noon, s.Noticed(&was, nil, newPricing).EndsAt())
}

func TestSubscriptionsOfUnknownPlans(t *testing.T) {
	was := billed("s", domain.Pro, domain.BilledActive, beforePricing)
	was.AccountID = "first"
	s := billed("s", "", domain.BilledHalted, beforePricing)
	got := s.Noticed(&was, []domain.Plan{""}, newPricing)
	require.Equal(t, domain.Pro, got.Plan)
	require.Equal(t, "first", got.AccountID)
	require.Equal(t, domain.NoDay, got.ChangedOn)
	require.Equal(t, domain.BilledHalted, got.Status)
}

// What an account's subscriptions mean for another one that is to be begun.
func TestSubscriptionsInTurn(t *testing.T) {
	end := noon.AddDate(0, 0, 10)
	one := func(status domain.BilledStatus, change func(*domain.BilledSubscription)) domain.BilledSubscription {
		s := billed(string(status), domain.Pro, status, 20_000)
		s.PaidUntil = end
		if change != nil {
			change(&s)
		}
		return s
	}
	ending := func(s *domain.BilledSubscription) { s.Ending = true }
	for name, c := range map[string]struct {
		of     domain.BilledSubscription
		paid   bool
		renews bool
	}{
		"active":         {one(domain.BilledActive, nil), false, true},
		"ending":         {one(domain.BilledActive, ending), true, false},
		"pending":        {one(domain.BilledPending, nil), false, true},
		"agreed":         {one(domain.BilledAuthenticated, nil), false, true},
		"not agreed":     {one(domain.BilledCreated, nil), false, false},
		"halted":         {one(domain.BilledHalted, nil), false, false},
		"paused":         {one(domain.BilledPaused, nil), true, false},
		"cancelled":      {one(domain.BilledCancelled, func(s *domain.BilledSubscription) { s.EndedAt = noon.Add(-time.Hour) }), false, false},
		"cancelled late": {one(domain.BilledCancelled, func(s *domain.BilledSubscription) { s.EndedAt, s.Ending = noon.Add(-time.Hour), true }), true, false},
		"over":           {one(domain.BilledCancelled, func(s *domain.BilledSubscription) { s.PaidUntil, s.Ending = noon, true }), false, false},
	} {
		want := time.Time{}
		if c.paid {
			want = end
		}
		require.Equal(t, want, domain.PaidUntil([]domain.BilledSubscription{c.of}, noon), name)
		require.Equal(t, c.renews, c.of.Renews(), name)
		require.Equal(t, c.renews, domain.ChargedTwice([]domain.BilledSubscription{c.of, one(domain.BilledActive, nil)}) != nil, name)
	}
	paused, ended := one(domain.BilledPaused, nil), one(domain.BilledCancelled, func(s *domain.BilledSubscription) { s.EndedAt = noon })
	require.True(t, ended.Noticed(&paused, nil, domain.DayOf(noon)).Ending, "paid days of a paused one are used up, whoever has cancelled it")

	later := one(domain.BilledActive, func(s *domain.BilledSubscription) { s.CreatedAt = s.CreatedAt.AddDate(0, 1, 0) })
	halted := one(domain.BilledHalted, nil)
	require.Equal(t, []domain.BilledSubscription{halted}, domain.Replaced([]domain.BilledSubscription{later, halted}))
	require.Empty(t, domain.Replaced([]domain.BilledSubscription{one(domain.BilledActive, func(s *domain.BilledSubscription) { s.CreatedAt = time.Time{} }), halted}))
	require.Empty(t, domain.Replaced([]domain.BilledSubscription{one(domain.BilledPaused, nil), later}))

	agreed := one(domain.BilledAuthenticated, func(s *domain.BilledSubscription) { s.PeriodStart, s.BeginsAt = domain.NoDay, noon })
	for _, c := range []struct {
		now  time.Time
		want domain.Subscription
	}{{noon.Add(-time.Second), domain.SubscriptionIncomplete}, {noon, domain.SubscriptionActive}, {noon.AddDate(0, 0, 1), domain.SubscriptionEnded}} {
		a := account(func(a *domain.Account) { a.Subscription = domain.SubscriptionIncomplete })
		a.FollowBilling(domain.Billed{}, domain.BilledBy([]domain.BilledSubscription{agreed}, c.now), c.now)
		require.Equal(t, c.want, a.SubscriptionAt(c.now), c.now)
	}
}
