package billing_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	fake "milaan/tests/fakes/razorpay"
	"milaan/tests/only"
)

func TestANewSubscriptionEndsTheHaltedOne(t *testing.T) {
	t.Parallel()
	b, old := halted(t)
	require.NotEqual(t, old, b.subscribed(t, "pro_m", "card"))
	require.False(t, b.razorpay.Revive(old), "a late charge of the old one is not possible any more")
	require.Equal(t, 1, b.open())
	b.paidOnce(t)
}

func TestSubscribingAgainBeginsWhenThePaidPeriodEnds(t *testing.T) {
	t.Parallel()
	b, old := newSubscribed(t, "card")
	b.now = b.now.AddDate(0, 0, 10)
	require.NoError(t, b.cancel(t, nil))
	made := b.subscribed(t, "solo_m", "upi")
	require.Equal(t, b.razorpay.All()[0].End, b.razorpay.All()[1].StartAt)
	require.Equal(t, domain.Pro, b.account().Plan, "what is paid stays")
	b.now = time.Unix(b.razorpay.All()[0].End, 0)
	b.razorpay.Pass()
	b.paidOnce(t)
	b.tells(t, old, made)
	require.Equal(t, domain.Solo, b.account().Plan)
	require.NoError(t, b.account().MayReconcile(b.now))
}

// If the old one is ended and the new one is not made, people are told so.
func TestWhatIsEndedAndNotFollowed(t *testing.T) {
	t.Parallel()
	for _, status := range []int{http.StatusBadRequest, http.StatusTooManyRequests, http.StatusGatewayTimeout} {
		b, _ := newSubscribed(t, "upi")
		b.refuse(status, makesOne)
		var told *domain.Error
		require.ErrorAs(t, b.replaces(t, "solo_m", nil), &told)
		require.Equal(t, map[bool]domain.Code{true: domain.ErrNotBegun.Code, false: domain.ErrBillingLost.Code}[status < 500], told.Code)
		require.True(t, b.razorpay.All()[0].AtEnd)
		require.Empty(t, b.razorpay.All()[1:])
		b.razorpay.Answer(nil)
		b.now = b.now.Add(2 * time.Minute)
		require.NoError(t, b.replaces(t, "solo_m", nil))
		require.Equal(t, b.razorpay.All()[0].End, b.razorpay.All()[1].StartAt)
	}
}

// A late charge in the very moment of the cancellation is not lost, and nothing is paid twice.
func TestALateChargeWhileTheOldOneIsEnded(t *testing.T) {
	t.Parallel()
	for name, stored := range map[string]bool{"the charge is not known": false, "a notice of it has been stored": true} {
		t.Run(name, func(t *testing.T) { endWhileCharged(t, stored) })
	}
	t.Run("it is counted after the answer", func(t *testing.T) {
		b, old := halted(t)
		require.NoError(t, b.cancel(t, nil))
		require.ErrorIs(t, b.account().MayUseAPI(b.now), domain.ErrSubscription)
		paid := time.Unix(b.razorpay.All()[0].End, 0).AddDate(0, 1, 0)
		b.razorpay.Edit(old, func(s *fake.Subscription) { s.Paid, s.Start, s.End = s.Paid+1, s.End, paid.Unix() })
		for range 2 {
			b.tells(t, old)
			require.NoError(t, b.account().MayUseAPI(paid.Add(-time.Second)), "it is paid for")
			require.ErrorIs(t, b.account().MayUseAPI(paid), domain.ErrSubscription)
		}
		b.subscribed(t, "solo_m", "card")
		require.Equal(t, paid.Unix(), b.razorpay.All()[1].StartAt)
	})
}

func endWhileCharged(t *testing.T, stored bool) {
	b, old := halted(t)
	b.atCancel(old, func() { // it is asked for, and the charge comes first
		b.razorpay.ReviveNow(old)
		if stored {
			b.storeActive(t, old)
		}
	})
	made := b.subscribed(t, "solo_m", "card")
	paid := b.razorpay.Charged()[1]
	require.Equal(t, paid.Until, b.razorpay.All()[1].StartAt, "the new one begins when that charge is used up")
	require.Equal(t, domain.Pro, b.account().Plan)
	b.now = b.now.AddDate(0, 0, 1)
	b.tells(t, old)
	require.NoError(t, b.account().MayUseAPI(b.now), "it is paid for")
	b.now = time.Unix(paid.Until, 0)
	b.razorpay.Pass()
	b.tells(t, made)
	require.Equal(t, domain.Solo, b.account().Plan)
	b.paidOnce(t)
}

// Halted subscriptions that were left alive beside a later one are ended by a notice or a round.
func TestAHaltedSubscriptionIsNotLeftBeside(t *testing.T) {
	t.Parallel()
	b, old := halted(t)
	b.tells(t, old)
	b.agreed(t, "pro_m", "upi") // by an earlier version of the program
	require.False(t, b.razorpay.Revive(old))
	require.Equal(t, 1, b.open())
	require.NoError(t, b.account().MayUseAPI(b.now))
	require.Empty(t, b.book.mailed.all)
}

// Of two that go on side by side, the service cannot know which one is wanted: it says so.
func TestTwoSubscriptionsAreTold(t *testing.T) {
	t.Parallel()
	b, first := newSubscribed(t, "card")
	second := b.razorpay.Create("solo_m", "1") // by the operator, at Razorpay
	require.True(t, b.razorpay.Authorize(second, "upi"))
	for range 2 {
		b.tells(t, second)
	}
	require.Len(t, b.book.mailed.all, 1)
	mail := b.book.mailed.all[0]
	require.Equal(t, []string{"1", string(domain.MailTwice), first + "+" + second}, []string{mail.AccountID, string(mail.Kind), mail.Period})
	require.Contains(t, b.log.String(), "an account is charged for several subscriptions")
	shown := b.shown(t)
	require.True(t, shown.Twice)
	b.razorpay.Edit(second, func(s *fake.Subscription) { s.Status, s.Ended = "cancelled", b.now.Unix() })
	b.tells(t, second)
	shown = b.shown(t)
	require.False(t, shown.Twice)
}

func TestAPlanThatRazorpayDoesNotChange(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, method := range []string{"upi", "emandate", ""} { // the last is not told, and refused all the same
		b, old := newSubscribed(t, method)
		if method == "" {
			b.refuse(http.StatusBadRequest, isChange)
		}
		b.now = b.now.AddDate(0, 0, 9)
		end := b.razorpay.All()[0].End
		require.ErrorIs(t, only.Err(b.managing.Change(ctx, "1", ports.PlanChange{Plan: "solo_m"}, domain.ByAPI)), domain.ErrFixedPlan)
		p := b.previewed(t, "solo_m")
		require.Equal(t, []any{true, end, false, domain.Pro, domain.Solo}, []any{p.Anew, p.BeginsAt.Unix(), p.EndsNow, p.Before.Plan, p.After.Plan})
		require.Equal(t, 1, b.open(), "a preview changes nothing")

		for range 2 { // an answer may have been lost
			shown := only.Value(b.anew(t, "solo_m", nil))(t)
			require.Equal(t, old, shown.Subscription.ID)
			require.Equal(t, end, shown.Subscription.EndsAt().Unix())
			require.Equal(t, []any{domain.Solo, domain.BilledCreated, end}, []any{shown.Next.Plan, shown.Next.Status, shown.Next.BeginsAt.Unix()})
		}
		require.Len(t, b.razorpay.All(), 2)
		next := b.razorpay.All()[1].ID
		require.True(t, b.razorpay.Authorize(next, "upi"))
		b.now = time.Unix(end, 0)
		b.razorpay.Pass()
		b.tells(t, old, next)
		require.Equal(t, domain.Solo, b.account().Plan)
		require.NoError(t, b.account().MayReconcile(b.now))
		b.paidOnce(t)
	}
}

func TestAPlanIsChangedWhileAPaymentHasFailed(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b, old := newSubscribed(t, "card")
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Failing = true })
	b.now = noonOf(2026, 11, 14)
	b.razorpay.Pass()
	p := b.previewed(t, "solo_m")
	require.Equal(t, []any{true, time.Time{}, true}, []any{p.Anew, p.BeginsAt, p.EndsNow})
	require.ErrorIs(t, only.Err(b.managing.Change(ctx, "1", ports.PlanChange{Plan: "solo_m"}, domain.ByAPI)), domain.ErrFixedPlan)
	shown := only.Value(b.anew(t, "solo_m", nil))(t)
	require.Equal(t, domain.BilledCreated, shown.Subscription.Status)
	require.False(t, b.razorpay.Revive(old), "a late charge comes too late")
	require.True(t, b.razorpay.Authorize(shown.Subscription.ID, "upi"))
	b.tells(t, shown.Subscription.ID)
	require.Equal(t, domain.Solo, b.account().Plan)
	b.paidOnce(t)
}

// Who looks at the page after paying sees it, though the notice was lost; Razorpay is asked
// once in 30 seconds at most, and is not waited for while it is away.
func TestLookingFindsAPaymentOfWhichNoNoticeCame(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	made := b.begun(t, "pro_m")
	asked := func() (n int) {
		for _, a := range b.razorpay.Asked() {
			if a == "GET /v1/subscriptions/"+made.ID {
				n++
			}
		}
		return n
	}
	look := func() domain.BilledStatus {
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { _, _ = b.managing.Look(t.Context(), "1") })
		}
		all.Wait()
		return only.Value(b.managing.Look(t.Context(), "1"))(t).Subscription.Status
	}
	require.Equal(t, domain.BilledCreated, look())
	require.Equal(t, 1, asked())
	require.True(t, b.razorpay.Authorize(made.ID, "upi"))
	b.now = b.now.Add(29 * time.Second)
	require.Equal(t, domain.BilledCreated, look())
	require.Equal(t, 1, asked())
	b.now = b.now.Add(2 * time.Second)
	require.Equal(t, domain.BilledActive, look())
	require.NoError(t, b.account().MayUseAPI(b.now))
	require.Equal(t, 2, asked())
	b.refuse(http.StatusBadGateway, func(*http.Request) bool { return true })
	b.now = b.now.Add(time.Minute)
	require.Equal(t, domain.BilledActive, look(), "Razorpay is away")
}

func TestWhatCannotBeEndedLetsNothingBegin(t *testing.T) {
	t.Parallel()
	b, old := newSubscribed(t, "card")
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Status = "halted" })
	b.refuse(http.StatusBadRequest, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/cancel") })
	require.ErrorIs(t, b.buys(t, "pro_m"), domain.ErrNotEnded)
	require.Len(t, b.razorpay.All(), 1)
}

func TestWhatCannotBeCancelledKeepsNoOther(t *testing.T) {
	t.Parallel()
	b, first := newSubscribed(t, "card")
	b.now = b.now.Add(time.Second)
	latest := b.agreed(t, "solo_m", "upi") // which is ended first
	b.refuse(http.StatusBadRequest, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, latest+"/cancel") })
	require.ErrorIs(t, b.cancel(t, nil), domain.ErrBillingRefused)
	for _, s := range only.Value(b.book.Of(t.Context(), "1"))(t) {
		require.Equal(t, s.ID == first, s.Ending, s.ID)
	}
}

func TestWhatCannotBeEndedKeepsNoOther(t *testing.T) {
	t.Parallel()
	b, first := newSubscribed(t, "card")
	b.now = b.now.Add(time.Second)
	latest := b.agreed(t, "solo_m", "upi") // which is ended first
	b.refuse(http.StatusBadRequest, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, latest+"/cancel") })
	require.ErrorIs(t, b.managing.EndAll(t.Context(), "1", func() error {
		t.Error("an account that is still charged is not closed")
		return nil
	}), domain.ErrBillingRefused)
	for _, s := range b.razorpay.All() {
		require.Equal(t, s.ID == first, s.Status == "cancelled", s.ID)
	}
}

// An account that the operator keeps active goes on until a subscription is paid, which then
// decides.
func TestBuyingTakesNothingAwayBeforeItIsPaid(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	a := b.account()
	a.Plan, a.Subscription, a.SubscribedOn, a.PlanSince = domain.Pro, domain.SubscriptionActive, a.SubscribedOn-90, a.SubscribedOn-90
	b.book.accounts["1"] = a
	require.NoError(t, b.buys(t, "solo_m"))
	require.Equal(t, a, b.account())
	require.NoError(t, b.cancel(t, nil))
	require.Equal(t, a, b.account())
	made := b.begun(t, "solo_m")
	require.Equal(t, a, b.account())
	require.True(t, b.razorpay.Authorize(made.ID, "upi"))
	b.tells(t, made.ID)
	require.Equal(t, domain.Solo, b.account().Plan)
	require.Equal(t, domain.DayOf(b.now), b.account().SubscribedOn)
	require.NoError(t, b.account().MayReconcile(b.now))
}

// What is paid of a paused subscription is not paid for again: it is used up first.
func TestAPausedSubscriptionIsUsedUpFirst(t *testing.T) {
	t.Parallel()
	b, old := newSubscribed(t, "card")
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Status = "paused" }) // by the operator, at Razorpay
	b.now = b.now.AddDate(0, 0, 5)
	b.tells(t, old)
	require.ErrorIs(t, b.account().MayUseAPI(b.now), domain.ErrSubscription)
	p := b.previewed(t, "solo_m")
	require.Equal(t, b.razorpay.All()[0].End, p.BeginsAt.Unix())
	made := b.subscribed(t, "solo_m", "card")
	require.NoError(t, b.account().MayUseAPI(b.now), "it is paid for")
	shown := b.shown(t)
	require.Equal(t, []string{old, made}, []string{shown.Subscription.ID, shown.Next.ID}, "what is paid for, and what follows")
	b.now = p.BeginsAt
	b.razorpay.Pass()
	b.tells(t, made)
	require.Equal(t, domain.Solo, b.account().Plan)
	b.paidOnce(t)
}

// Razorpay charges some hours after the moment at which a subscription begins.
func TestNobodyWaitsForTheFirstChargeOfWhatFollows(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	old := b.subscribed(t, "solo_m", "upi")
	shown := only.Value(b.anew(t, "pro_m", nil))(t)
	next := shown.Next.ID
	require.True(t, b.razorpay.Authorize(next, "upi"))
	b.tells(t, next)
	require.ErrorIs(t, b.account().MayUseAPI(b.now), domain.ErrPlan, "it has not begun")
	b.now = time.Unix(b.razorpay.All()[0].End, 0)
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Status, s.Ended = "cancelled", s.End })
	b.tells(t, old)
	a := b.account()
	require.NoError(t, a.MayUseAPI(b.now))
	require.Equal(t, "2026-11-14 2026-12-14", a.Cycle(b.now).Start.String()+" "+a.Cycle(b.now).End.String())
	require.ErrorIs(t, a.MayUseAPI(b.now.AddDate(0, 0, 1)), domain.ErrSubscription, "it was not charged")
	b.now = b.now.Add(5 * time.Hour)
	b.razorpay.Pass()
	b.tells(t, next)
	require.NoError(t, b.account().MayUseAPI(b.now.AddDate(0, 0, 1)))
	require.Equal(t, "2026-11-14", b.account().Cycle(b.now).Start.String())
	b.paidOnce(t)
}

func TestBetweenAPeriodsEndAndItsLateChargeTheOldOneEndsAtOnce(t *testing.T) {
	t.Parallel()
	late := func(t *testing.T) (b *billed, old string) {
		b, old = newSubscribed(t, "upi")
		b.now = time.Unix(b.razorpay.All()[0].End, 0).Add(3 * time.Hour)
		return b, old
	}
	t.Run("change", func(t *testing.T) {
		t.Parallel()
		b, old := late(t)
		preview := b.previewed(t, "solo_m")
		require.Equal(t, []any{true, true, true}, []any{preview.Anew, preview.EndsNow, preview.BeginsAt.IsZero()})
		require.NoError(t, b.replaces(t, "solo_m", nil))
		require.True(t, b.razorpay.Authorize(b.razorpay.All()[1].ID, "upi"))
		b.razorpay.Pass()
		b.paidOnce(t)
		require.Equal(t, "cancelled", b.razorpay.All()[0].Status, old)
	})
	t.Run("cancel", func(t *testing.T) {
		t.Parallel()
		b, _ := late(t)
		require.NoError(t, b.cancel(t, nil))
		b.razorpay.Pass()
		require.Len(t, b.razorpay.Charged(), 1)
	})
	t.Run("Razorpay's clock is ahead", func(t *testing.T) {
		t.Parallel()
		for name, do := range ends {
			b, old := late(t)
			end := time.Unix(b.razorpay.All()[0].End, 0)
			b.now = end.Add(-30 * time.Second)
			preview := b.previewed(t, "solo_m")
			require.Equal(t, []any{true, true}, []any{preview.EndsNow, preview.BeginsAt.IsZero()}, name)
			require.True(t, b.shown(t).EndsNow, name)
			require.ErrorIs(t, do(b, t, new(false)), domain.ErrShownOtherwise, name)
			b.atCancel(old, func() { b.now = end.Add(30 * time.Second) })
			require.NoError(t, do(b, t, new(true)), name)
			b.now = end.Add(3 * time.Hour)
			b.razorpay.Pass()
			require.Len(t, b.razorpay.Charged(), 1, name)
		}
	})
	t.Run("the charge comes at that very moment", func(t *testing.T) {
		t.Parallel()
		b, old := late(t)
		b.atCancel(old, func() { b.razorpay.ActivateNow(old) })
		require.NoError(t, b.replaces(t, "solo_m", nil))
		all := b.razorpay.All()
		require.Equal(t, all[0].End, all[1].StartAt, "what was paid is used up")
		require.Equal(t, domain.Pro, b.account().Plan)
		require.NoError(t, b.account().MayReconcile(b.now))
	})
}

// A plan that could not be changed can be, once its customer pays by card; one that Razorpay has
// refused to change for a card stays as it is.
func TestAPlanIsFixedAsLongAsItIsPaidSo(t *testing.T) {
	t.Parallel()
	b, id := newSubscribed(t, "upi")
	anew := func(plan string) bool {
		b.now = b.now.Add(time.Minute)
		p := b.previewed(t, plan)
		return p.Anew
	}
	require.True(t, anew("solo_m"))
	b.razorpay.Edit(id, func(s *fake.Subscription) { s.Method = "" })
	require.True(t, anew("solo_m"), "it is not told any more")
	b.razorpay.Edit(id, func(s *fake.Subscription) { s.Method = "card" })
	require.False(t, anew("solo_m"))
	shown := only.Value(b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m"}, domain.ByAPI))(t)
	require.Equal(t, domain.Solo, shown.Subscription.Plan)

	b.refuse(http.StatusBadRequest, isChange)
	require.ErrorIs(t, only.Err(b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "pro_m"}, domain.ByAPI)), domain.ErrFixedPlan)
	require.True(t, anew("pro_m"), "Razorpay changes the plan of some cards alone")
}

// What was shown is what is done, or nothing is.
func TestWhatWasShownIsWhatIsDone(t *testing.T) {
	t.Parallel()
	for name, do := range ends {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			b, _ := newSubscribed(t, "upi")
			shown := func() (cancel, change bool) {
				b.now = b.now.Add(time.Minute)
				a := only.Value(b.managing.Look(ctx, "1"))(t)
				p := b.previewed(t, "solo_m")
				return a.EndsNow, p.EndsNow
			}
			before, beforeToo := shown()
			require.Equal(t, []bool{false, false}, []bool{before, beforeToo})
			require.ErrorIs(t, do(b, t, new(true)), domain.ErrShownOtherwise)
			b.now = time.Unix(b.razorpay.All()[0].End, 0).Add(time.Hour) // and the page is still open
			require.ErrorIs(t, do(b, t, &before), domain.ErrShownOtherwise)
			require.Equal(t, 1, b.open(), "nothing was done")
			require.Len(t, b.razorpay.All(), 1)
			now, nowToo := shown()
			require.Equal(t, []bool{true, true}, []bool{now, nowToo})
			require.NoError(t, do(b, t, &now))
			require.Equal(t, "cancelled", b.razorpay.All()[0].Status)
			after, _ := shown()
			require.False(t, after, "nothing is active any more")
		})
	}
	t.Run("what was done already is not refused", func(t *testing.T) {
		t.Parallel()
		b, _ := newSubscribed(t, "upi")
		for range 2 {
			require.NoError(t, b.replaces(t, "solo_m", new(false)))
		}
		for range 2 {
			require.NoError(t, b.cancel(t, new(false)))
		}
	})
	t.Run("the period ends meanwhile", func(t *testing.T) {
		t.Parallel()
		b, _ := newSubscribed(t, "upi")
		b.now = b.now.Add(time.Second)
		other := b.razorpay.Create("pro_m", "1") // the latest is ended first
		b.tells(t, other)
		b.atCancel(other, func() { b.now = b.now.AddDate(0, 1, 0).Add(time.Hour) })
		require.ErrorIs(t, b.cancel(t, new(false)), domain.ErrShownOtherwise)
		require.Equal(t, 1, b.open())
	})
	t.Run("a plan is changed at once", func(t *testing.T) {
		t.Parallel()
		b, _ := newSubscribed(t, "card")
		require.ErrorIs(t, only.Err(b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m", EndsNow: new(true)}, domain.ByAPI)), domain.ErrShownOtherwise)
		require.NoError(t, only.Err(b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m", EndsNow: new(false)}, domain.ByAPI)))
	})
	t.Run("a first charge that is awaited", func(t *testing.T) {
		t.Parallel()
		b := newBilled(t, noonOf(2026, 10, 14))
		b.subscribed(t, "solo_m", "upi")
		shown := only.Value(b.anew(t, "pro_m", nil))(t)
		require.True(t, b.razorpay.Authorize(shown.Next.ID, "upi"))
		b.tells(t, shown.Next.ID)
		require.ErrorIs(t, b.cancel(t, new(true)), domain.ErrShownOtherwise, "it has not begun: what is paid for stays")
		b.now = time.Unix(b.razorpay.All()[0].End, 0).Add(time.Hour)
		b.razorpay.Edit(b.razorpay.All()[0].ID, func(s *fake.Subscription) { s.Status, s.Ended = "cancelled", s.End })
		require.ErrorIs(t, b.cancel(t, new(false)), domain.ErrShownOtherwise, "the account is active by it")
	})
}
