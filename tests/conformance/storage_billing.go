package conformance

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func aBilled(account domain.Account, id string) domain.BilledSubscription {
	return domain.BilledSubscription{ID: "sub_" + id, AccountID: account.ID, PlanID: "plan_pro", Plan: domain.Pro, Status: domain.BilledActive, CreatedAt: noon.Add(-time.Hour),
		PeriodStart: domain.DayOf(noon), PeriodEnd: domain.DayOf(noon) + 30, PaidUntil: noon.AddDate(0, 0, 30), BeginsAt: noon, Charges: 2, Method: "upi", Fixed: true,
		URL: "https://rzp.example/" + PlainText}
}

// looked stores a subscription as it was fetched.
func looked(t *testing.T, s Storage, sub domain.BilledSubscription, now time.Time, shown ...domain.Plan) ports.BillingApplied {
	t.Helper()
	version := only.Value(s.Billing.Version(t.Context(), sub.ID))(t)
	applied, err := s.Billing.Apply(t.Context(), ports.FetchedSubscription{Subscription: sub, Version: version, Shown: shown}, now,
		domain.SecurityEvent{ID: fmt.Sprint(sub.ID, "-", version), At: now, Kind: domain.SecurityAccount, By: domain.ByBilling})
	require.NoError(t, err)
	return applied
}

func billedOf(t *testing.T, s Storage, account domain.Account) []domain.BilledSubscription {
	t.Helper()
	return only.Value(s.Billing.Of(t.Context(), account.ID))(t)
}

func billingJobs(t *testing.T, s Storage) (jobs []ports.Job) {
	t.Helper()
	for _, job := range s.Jobs(t) {
		if job.Kind == ports.BillingJob {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

var _ = promises.add("a notice is taken once, with its job", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	notice := domain.BillingNotice{ID: "event-1", Subscription: "sub_1", PlanID: "plan_1"}
	taken := make([]bool, many)
	requireInParallel(t, one, other, func(s Storage, i int) (err error) {
		taken[i], err = s.Billing.Take(ctx, notice, noon)
		return err
	})
	require.Len(t, slices.DeleteFunc(taken, func(ok bool) bool { return !ok }), 1)
	require.Equal(t, []ports.Job{{Kind: ports.BillingJob, Billed: "sub_1", BilledPlan: "plan_1"}}, billingJobs(t, one))

	for _, n := range []struct {
		id, hash string
		want     bool
	}{{"event-7", "d", true}, {"event-8", "d", false}, {"", "d", false}, {"event-7", "e", false}, {"event-8", "e", true}, {"", "f", true}, {"event-9", "f", false}} {
		ok := only.Value(other.Billing.Take(ctx, domain.BillingNotice{ID: n.id, BodyHash: n.hash}, noon.Add(time.Minute)))(t)
		require.Equal(t, n.want, ok, n)
	}
	alike := make([]bool, many)
	requireInParallel(t, one, other, func(s Storage, i int) (err error) {
		alike[i], err = s.Billing.Take(ctx, domain.BillingNotice{ID: fmt.Sprint("alike-", i), BodyHash: "alike"}, noon.Add(time.Minute))
		return err
	})
	require.Len(t, slices.DeleteFunc(alike, func(ok bool) bool { return !ok }), 1, "one body under many ids")
	for id, want := range map[string]bool{"event-1": false, "event-2": true} { // about no subscription
		ok := only.Value(other.Billing.Take(ctx, domain.BillingNotice{ID: id}, noon.Add(time.Second)))(t)
		require.Equal(t, want, ok, id)
	}
	require.Len(t, billingJobs(t, one), 1)

	require.NoError(t, one.Sweep(ctx, ports.Expiry{Notices: noon.Add(time.Second)}))
	for id, want := range map[string]bool{"event-1": true, "event-2": false} {
		ok := only.Value(one.Billing.Take(ctx, domain.BillingNotice{ID: id}, noon))(t)
		require.Equal(t, want, ok, "%s is forgotten with its time", id)
	}
})

var _ = promises.add("a billed subscription comes back as it was stored", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "billed"), created(t, one, "neighbour")
	sub := aBilled(account, "1")
	applied := looked(t, one, sub, noon)
	require.True(t, applied.Changed)
	require.Equal(t, applied.Account, AccountOf(t, other, account.Email))
	require.Equal(t, sub.PeriodStart, applied.Account.PeriodStart)
	require.Equal(t, []domain.BilledSubscription{sub}, billedOf(t, other, account))
	require.Empty(t, billedOf(t, other, neighbour))
	require.Equal(t, neighbour, AccountOf(t, one, neighbour.Email))
	require.False(t, looked(t, other, sub, noon.Add(time.Second)).Changed, "the same again")

	ending := sub
	ending.Status, ending.EndedAt = domain.BilledCancelled, noon.Add(time.Hour)
	ending.URL = ""
	require.Equal(t, ending.EndedAt, looked(t, other, ending, noon).Account.EndsAt)
	require.Equal(t, ending.EndedAt, AccountOf(t, one, account.Email).EndsAt)
	require.Equal(t, []domain.BilledSubscription{ending}, billedOf(t, one, account))
	later := aBilled(account, "2")
	later.CreatedAt = noon
	looked(t, one, later, noon)
	require.Equal(t, []domain.BilledSubscription{later, ending}, billedOf(t, one, account), "latest first")
	require.True(t, AccountOf(t, one, account.Email).EndsAt.IsZero())

	moved := later
	moved.AccountID, moved.Plan, moved.PlanID = neighbour.ID, domain.Enterprise, "plan_other"
	looked(t, one, moved, noon)
	require.Equal(t, neighbour, AccountOf(t, one, neighbour.Email), "a subscription stays with its account")
	require.Equal(t, domain.Enterprise, AccountOf(t, one, account.Email).Plan)
	require.Equal(t, domain.DayOf(noon), billedOf(t, one, account)[0].ChangedOn)

	events := only.Value(one.Events.Latest(t.Context(), account.ID, 10))(t)
	require.Len(t, events, 4)
	require.Equal(t, domain.ByBilling, events[0].By)

	cancelled := billedOf(t, one, account)[0]
	cancelled.Ending = true
	version := only.Value(one.Billing.Version(t.Context(), cancelled.ID))(t)
	by := domain.Actor{Way: domain.WayDashboard, Name: "owner@shop.example"}
	_, err := one.Billing.Apply(t.Context(), ports.FetchedSubscription{Subscription: cancelled, Version: version}, noon,
		domain.SecurityEvent{ID: "cancels", At: noon, Kind: domain.SecurityAccount, By: by})
	require.NoError(t, err)
	events = only.Value(one.Events.Latest(t.Context(), account.ID, 10))(t)
	require.Len(t, events, 5)
	require.Equal(t, by, events[0].By, "who asked for it is known, though the account changes later")
	require.Equal(t, "subscription", events[0].Detail)

	stranger := anAccount("stranger")
	_, err = one.Billing.Apply(t.Context(), ports.FetchedSubscription{Subscription: aBilled(stranger, "3")}, noon, domain.SecurityEvent{})
	require.ErrorIs(t, err, domain.ErrNoAccount)
	version = only.Value(one.Billing.Version(t.Context(), "sub_3"))(t)
	require.Zero(t, version, "nothing is stored")
})

// What was fetched before something else was stored may be old, and is not stored.
var _ = promises.add("what may be old is not stored", func(t *testing.T, one, other Storage) {
	account := created(t, one, "stale")
	sub := aBilled(account, "1")
	errs := InParallel(one, other, func(s Storage, i int) error {
		fetched := sub
		fetched.PeriodEnd += domain.Day(i)
		_, err := s.Billing.Apply(t.Context(), ports.FetchedSubscription{Subscription: fetched}, noon, domain.SecurityEvent{})
		return err
	})
	won := Succeeded(t, errs, domain.ErrStaleFetch)
	require.Len(t, won, 1)
	require.Equal(t, sub.PeriodEnd+domain.Day(won[0]), billedOf(t, one, account)[0].PeriodEnd)
	require.Equal(t, sub.PeriodEnd+domain.Day(won[0]), AccountOf(t, one, account.Email).PeriodEnd)
	require.EqualValues(t, 1, only.Value(other.Billing.Version(t.Context(), sub.ID))(t))
})

// Whatever the order in which an account's subscriptions are stored, and however many at
// once, the account is what all of them mean.
var _ = promises.add("all subscriptions of an account count", func(t *testing.T, one, other Storage) {
	account := created(t, one, "together")
	var all []domain.BilledSubscription
	for i := range many {
		sub := aBilled(account, fmt.Sprint(i))
		sub.CreatedAt = noon.Add(time.Duration(i-many) * time.Minute)
		sub.PeriodEnd += domain.Day(i)
		all = append(all, sub)
	}
	all[many-1].Status = domain.BilledHalted
	requireInParallel(t, one, other, func(s Storage, i int) error {
		_, err := s.Billing.Apply(t.Context(), ports.FetchedSubscription{Subscription: all[i]}, noon, domain.SecurityEvent{})
		return err
	})
	require.Equal(t, all[many-2].PeriodEnd, AccountOf(t, one, account.Email).PeriodEnd)
})

var _ = promises.add("subscriptions are due", func(t *testing.T, one, other Storage) {
	account := created(t, one, "due")
	day := domain.DayOf(noon)
	for id, c := range map[string]func(*domain.BilledSubscription){
		"active": func(*domain.BilledSubscription) {},
		"over":   func(s *domain.BilledSubscription) { s.PeriodEnd = day },
		"new":    func(s *domain.BilledSubscription) { s.Status = domain.BilledCreated },
		"unpaid": func(s *domain.BilledSubscription) {
			s.Status, s.CreatedAt, s.BeginsAt = domain.BilledCreated, noon.AddDate(0, 0, -3), time.Time{}
		},
		"begins": func(s *domain.BilledSubscription) {
			s.Status, s.CreatedAt, s.BeginsAt = domain.BilledAuthenticated, noon.AddDate(0, 0, -3), noon.Add(90*time.Minute)
		},
		"halted": func(s *domain.BilledSubscription) { s.Status, s.PeriodEnd = domain.BilledHalted, day-3 },
		"ending": func(s *domain.BilledSubscription) {
			s.Status, s.EndedAt = domain.BilledCancelled, noon.Add(2*time.Hour)
		},
		"ended":  func(s *domain.BilledSubscription) { s.Status, s.EndedAt = domain.BilledCancelled, noon },
		"done":   func(s *domain.BilledSubscription) { s.Status = domain.BilledCompleted },
		"lapsed": func(s *domain.BilledSubscription) { s.Status = domain.BilledExpired },
	} {
		sub := aBilled(account, id)
		c(&sub)
		looked(t, one, sub, noon)
	}
	due := func(after time.Duration, limit int) []string {
		ids := only.Value(other.Billing.Due(t.Context(), noon.Add(after), limit))(t)
		slices.Sort(ids)
		return ids
	}
	require.Empty(t, due(15*time.Minute, 10))
	require.Equal(t, []string{"sub_new"}, due(16*time.Minute, 10))
	require.Equal(t, []string{"sub_ended", "sub_new", "sub_over"}, due(61*time.Minute, 10))
	require.Equal(t, []string{"sub_begins", "sub_ended", "sub_new", "sub_over"}, due(2*time.Hour, 10))
	require.Equal(t, []string{"sub_active", "sub_begins", "sub_ended", "sub_ending", "sub_halted", "sub_new", "sub_over", "sub_unpaid"},
		due(24*time.Hour+time.Second, 10))
	require.Len(t, due(24*time.Hour+time.Second, 2), 2)

	begins := aBilled(account, "begins")
	begins.Status, begins.CreatedAt, begins.BeginsAt = domain.BilledAuthenticated, noon.AddDate(0, 0, -3), noon.Add(90*time.Minute)
	looked(t, one, begins, noon.Add(89*time.Minute))
	require.Contains(t, due(90*time.Minute, 20), "sub_begins", "it is looked at as it begins")

	ending := billedOf(t, one, account)
	at := slices.IndexFunc(ending, func(s domain.BilledSubscription) bool { return s.ID == "sub_ending" })
	looked(t, one, ending[at], noon.Add(3*time.Hour-time.Microsecond))
	require.Contains(t, due(3*time.Hour, 20), "sub_ending", "a charge may be counted after its end")
	looked(t, one, ending[at], noon.Add(3*time.Hour))
	require.NotContains(t, due(72*time.Hour, 20), "sub_ending", "it is looked at once, an hour after its end")

	ahead := aBilled(account, "ahead")
	looked(t, one, ahead, noon.Add(73*time.Hour+time.Microsecond))
	require.Contains(t, due(72*time.Hour, 20), "sub_ahead", "the clock was set back")
	looked(t, one, ahead, noon.Add(73*time.Hour))
	require.NotContains(t, due(72*time.Hour, 20), "sub_ahead", "of another instance, it may be a little ahead")

	was := billedOf(t, one, account)
	missing := ports.FetchedSubscription{Subscription: domain.BilledSubscription{ID: "sub_active"}, Missing: true}
	require.NoError(t, only.Err(one.Billing.Apply(t.Context(), missing, noon.Add(72*time.Hour), domain.SecurityEvent{})))
	require.NotContains(t, due(72*time.Hour, 20), "sub_active", "it was looked at")
	require.Contains(t, due(96*time.Hour+time.Second, 20), "sub_active", "it may be there again")
	require.Equal(t, was, billedOf(t, one, account), "nothing else is known of it")
	missing.Subscription.ID = "sub_never_stored"
	require.NoError(t, only.Err(other.Billing.Apply(t.Context(), missing, noon, domain.SecurityEvent{})))
	require.Equal(t, was, billedOf(t, one, account))
})

var _ = promises.add("subscriptions of an account are made one by one", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "starting"), created(t, one, "neighbour")
	errs := InParallel(one, other, func(s Storage, i int) error {
		return starts(ctx, s, startOf(account, strconv.Itoa(i), time.Minute), noon)
	})
	require.Len(t, Succeeded(t, errs, domain.ErrBillingStarting), 1)
	require.NoError(t, starts(ctx, other, startOf(neighbour, "one", time.Minute), noon))
	errs = InParallel(one, other, func(s Storage, _ int) error { // the time of the first is over
		return starts(ctx, s, startOf(account, "late", 2*time.Minute), noon.Add(time.Minute))
	})
	require.Len(t, Succeeded(t, errs, domain.ErrBillingStarting), 1)
	require.NoError(t, one.Billing.End(ctx, startOf(account, "another", time.Minute), false))
	require.ErrorIs(t, starts(ctx, one, startOf(account, "next", time.Minute), noon), domain.ErrBillingStarting, "it is not the one that ended")
	for range 2 {
		require.NoError(t, one.Billing.End(ctx, startOf(account, "late", time.Minute), false))
	}
	require.NoError(t, starts(ctx, other, startOf(account, "next", time.Minute), noon))
	require.ErrorIs(t, starts(ctx, one, ports.BillingStart{ID: "one", AccountID: "unknown", Until: noon}, noon), domain.ErrNoAccount)
})

// What did not end may have made something: the next request is told since when.
var _ = promises.add("starts that did not end are told to the next one", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "lost")
	lostSince := func(s Storage, id string, at time.Duration) time.Time {
		return only.Value(s.Billing.Begin(ctx, startOf(account, id, at+time.Minute), noon.Add(at)))(t)
	}
	require.Zero(t, lostSince(one, "first", 0))
	require.Equal(t, noon, lostSince(other, "second", time.Hour))
	require.Equal(t, noon, lostSince(one, "third", 2*time.Hour), "the second may have died before it found anything")
	require.NoError(t, one.Billing.End(ctx, startOf(account, "second", 0), true))
	require.ErrorIs(t, starts(ctx, one, startOf(account, "early", 0), noon.Add(2*time.Hour)), domain.ErrBillingStarting)
	for range 2 {
		require.NoError(t, one.Billing.End(ctx, startOf(account, "third", 0), true))
	}
	require.Equal(t, noon, lostSince(one, "fourth", 2*time.Hour), "the third has found nothing out")
	require.NoError(t, other.Billing.End(ctx, startOf(account, "fourth", 0), false))
	require.Zero(t, lostSince(one, "fifth", 3*time.Hour))
})

// starts begins, whatever was lost before.
func starts(ctx context.Context, s Storage, start ports.BillingStart, now time.Time) error {
	_, err := s.Billing.Begin(ctx, start, now)
	return err
}

// A process may die while it closes an account: it can be closed at once by another, and still
// nothing is bought for it.
var _ = promises.add("a closing account can be closed by another", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "closing")
	closing := func(id string) ports.BillingStart {
		s := startOf(account, id, time.Minute)
		s.Closing = true
		return s
	}
	buying := startOf(account, "buying", time.Minute)
	require.NoError(t, starts(ctx, one, buying, noon))
	require.ErrorIs(t, starts(ctx, other, closing("first"), noon), domain.ErrBillingStarting, "something is being bought")
	require.NoError(t, one.Billing.End(ctx, buying, false))

	require.NoError(t, starts(ctx, one, closing("first"), noon))
	require.ErrorIs(t, starts(ctx, other, buying, noon), domain.ErrBillingStarting)
	require.NoError(t, starts(ctx, other, closing("second"), noon))
	require.NoError(t, one.Billing.End(ctx, closing("first"), false))
	require.ErrorIs(t, starts(ctx, one, buying, noon), domain.ErrBillingStarting, "the second still closes it")
	require.NoError(t, other.Billing.End(ctx, closing("second"), false))
	require.NoError(t, starts(ctx, one, buying, noon), "it was not closed")
})

func startOf(a domain.Account, id string, lasts time.Duration) ports.BillingStart {
	return ports.BillingStart{ID: id, AccountID: a.ID, Until: noon.Add(lasts)}
}

// A subscription whose URL cannot be opened any more is shown without it.
var _ = promises.add("a billed subscription of a lost secret has no address", func(t *testing.T, one, _ Storage) {
	account := created(t, one, "lost")
	looked(t, one, aBilled(account, "1"), noon)
	lost := billedOf(t, one.LostSecret(t), account)
	require.Len(t, lost, 1)
	require.Empty(t, lost[0].URL)
	require.ErrorIs(t, only.Err(one.MissingSecret(t).Billing.Of(t.Context(), account.ID)), domain.ErrMissingSecret)
})
