package billing_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	fake "milaan/tests/fakes/razorpay"
)

// open counts the subscriptions for which somebody could still be charged beyond what is paid.
func (b *billed) open() (n int) {
	for _, s := range b.razorpay.All() {
		if s.Status != "cancelled" && s.Status != "expired" && s.Status != "completed" && !s.AtEnd {
			n++
		}
	}
	return n
}

// paidOnce holds that no moment was paid for twice.
func (b *billed) paidOnce(t *testing.T) {
	t.Helper()
	all := b.razorpay.Charged()
	for i, one := range all {
		for _, other := range all[:i] {
			if one.From < other.Until && other.From < one.Until {
				t.Fatalf("%v and %v are for the same time", other, one)
			}
		}
	}
}

// halted has a subscription whose charges have failed for three days.
func halted(t *testing.T) (b *billed, old string) {
	t.Helper()
	b = newBilled(t, noonOf(2026, 10, 14))
	old = b.subscribed(t, "pro_m", "card")
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Failing = true })
	b.now = noonOf(2026, 11, 14)
	for range 2 {
		b.razorpay.Pass()
		b.now = b.now.AddDate(0, 0, 3)
	}
	return b, old
}

// refuse has Razorpay answer some requests with a status, and do nothing.
func (b *billed) refuse(status int, is func(r *http.Request) bool) {
	b.razorpay.Answer(func(w http.ResponseWriter, r *http.Request) bool {
		refused := is(r)
		if refused {
			w.WriteHeader(status)
		}
		return refused
	})
}

func isChange(r *http.Request) bool { return r.Method == http.MethodPatch }

// makesOne says whether a request makes a subscription.
func makesOne(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/subscriptions")
}

// subscribed begins a subscription and has its customer agree.
func (b *billed) subscribed(t *testing.T, plan, method string) string {
	t.Helper()
	made, err := b.managing.Start(t.Context(), "1", plan, domain.ByAPI)
	require.NoError(t, err)
	require.True(t, b.razorpay.Authorize(made.ID, method))
	require.NoError(t, b.billing.Do(t.Context(), jobOf(made.ID)))
	return made.ID
}

func TestANewSubscriptionEndsTheHaltedOne(t *testing.T) {
	t.Parallel()
	b, old := halted(t)
	made := b.subscribed(t, "pro_m", "card")
	require.NotEqual(t, old, made)
	require.False(t, b.razorpay.Revive(old), "a late charge of the old one is not possible any more")
	require.Equal(t, 1, b.open())
	b.paidOnce(t)
}

func TestSubscribingAgainBeginsWhenThePaidPeriodEnds(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	old := b.subscribed(t, "pro_m", "card")
	b.now = b.now.AddDate(0, 0, 10)
	_, err := b.managing.Cancel(t.Context(), "1", nil, domain.ByAPI)
	require.NoError(t, err)
	made := b.subscribed(t, "solo_m", "upi")
	require.Equal(t, b.razorpay.All()[0].End, b.razorpay.All()[1].StartAt)
	require.Equal(t, domain.Pro, b.account().Plan, "what is paid stays")
	b.now = time.Unix(b.razorpay.All()[0].End, 0)
	b.razorpay.Pass()
	b.paidOnce(t)
	require.NoError(t, b.billing.Do(t.Context(), jobOf(old)))
	require.NoError(t, b.billing.Do(t.Context(), jobOf(made)))
	require.Equal(t, domain.Solo, b.account().Plan)
	require.NoError(t, b.account().MayReconcile(b.now))
}

func TestALostAnswerMakesNoSecondSubscription(t *testing.T) {
	t.Parallel()
	t.Run("it is found by its notes", func(t *testing.T) {
		b := newBilled(t, noonOf(2026, 10, 14))
		b.razorpay.Lose(makesOne)
		sub, err := b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
		require.NoError(t, err)
		require.Equal(t, b.razorpay.All()[0].ID, sub.ID)
		require.Len(t, b.razorpay.All(), 1)
	})
	t.Run("it may still be on its way", func(t *testing.T) {
		b := newBilled(t, noonOf(2026, 10, 14))
		b.razorpay.Lose(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/subscriptions") })
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { _, _ = b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI) })
		}
		all.Wait()
		b.razorpay.Lose(nil)
		for _, later := range []time.Duration{0, time.Minute, 3 * time.Minute} {
			b.now = noonOf(2026, 10, 14).Add(later)
			_, _ = b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
		}
		sub, err := b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
		require.NoError(t, err)
		require.NotEmpty(t, sub.URL)
		require.Len(t, b.razorpay.All(), 1)
	})
}

// A request whose answer was lost may reach Razorpay later than a list that looks for it.
func TestASubscriptionThatIsMadeLate(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	b.refuse(http.StatusGatewayTimeout, makesOne)
	_, err := b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
	require.ErrorIs(t, err, domain.ErrBillingLost)
	b.razorpay.Answer(nil)
	b.now = b.now.Add(time.Minute)
	_, err = b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
	require.ErrorIs(t, err, domain.ErrBillingStarting)
	late := b.razorpay.Create("pro_m", "1")
	b.now = b.now.Add(time.Minute)
	sub, err := b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
	require.NoError(t, err)
	require.Equal(t, late, sub.ID)
	require.Len(t, b.razorpay.All(), 1)
}

// A late charge in the very moment of the cancellation is not lost, and nothing is paid twice.
func TestALateChargeWhileTheOldOneIsEnded(t *testing.T) {
	t.Parallel()
	for name, stored := range map[string]bool{"the charge is not known": false, "a notice of it has been stored": true} {
		t.Run(name, func(t *testing.T) { endWhileCharged(t, stored) })
	}
}

func endWhileCharged(t *testing.T, stored bool) {
	b, old := halted(t)
	revive := make(chan struct{})
	b.razorpay.Answer(func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, old+"/cancel") { // it is asked for, and the charge comes first
			select {
			case <-revive:
			default:
				close(revive)
				b.razorpay.ReviveNow(old)
				if stored {
					b.storeActive(t, old)
				}
			}
		}
		return false
	})
	made := b.subscribed(t, "solo_m", "card")
	paid := b.razorpay.Charged()[1]
	require.Equal(t, paid.Until, b.razorpay.All()[1].StartAt, "the new one begins when that charge is used up")
	require.Equal(t, domain.Pro, b.account().Plan)
	b.now = b.now.AddDate(0, 0, 1)
	require.NoError(t, b.billing.Do(t.Context(), jobOf(old)))
	require.NoError(t, b.account().MayUseAPI(b.now), "it is paid for")
	b.now = time.Unix(paid.Until, 0)
	b.razorpay.Pass()
	require.NoError(t, b.billing.Do(t.Context(), jobOf(made)))
	require.Equal(t, domain.Solo, b.account().Plan)
	b.paidOnce(t)
}

// storeActive stores a subscription as a notice of its charge would.
func (b *billed) storeActive(t *testing.T, id string) {
	version, err := b.book.Version(t.Context(), id)
	require.NoError(t, err)
	all, err := b.book.Of(t.Context(), "1")
	require.NoError(t, err)
	sub := all[slices.IndexFunc(all, func(s domain.BilledSubscription) bool { return s.ID == id })]
	sub.Status = domain.BilledActive
	sub.Charges++
	_, err = b.book.Apply(t.Context(), ports.FetchedSubscription{Subscription: sub, Version: version}, b.now, domain.SecurityEvent{})
	require.NoError(t, err)
}

// Halted subscriptions that were left alive beside a later one are ended by a notice or a round.
func TestAHaltedSubscriptionIsNotLeftBeside(t *testing.T) {
	t.Parallel()
	b, old := halted(t)
	require.NoError(t, b.billing.Do(t.Context(), jobOf(old)))
	other := b.razorpay.Create("pro_m", "1") // by an earlier version of the program
	require.True(t, b.razorpay.Authorize(other, "upi"))
	require.NoError(t, b.billing.Do(t.Context(), jobOf(other)))
	require.False(t, b.razorpay.Revive(old))
	require.Equal(t, 1, b.open())
	require.NoError(t, b.account().MayUseAPI(b.now))
	require.Empty(t, b.book.mailed.all)
}

// Of two that go on side by side, the service cannot know which one is wanted: it says so.
func TestTwoSubscriptionsAreTold(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	first := b.subscribed(t, "pro_m", "card")
	second := b.razorpay.Create("solo_m", "1") // by the operator, at Razorpay
	require.True(t, b.razorpay.Authorize(second, "upi"))
	for range 2 {
		require.NoError(t, b.billing.Do(t.Context(), jobOf(second)))
	}
	require.Len(t, b.book.mailed.all, 1)
	mail := b.book.mailed.all[0]
	require.Equal(t, []string{"1", string(domain.MailTwice), first + "+" + second}, []string{mail.AccountID, string(mail.Kind), mail.Period})
	require.Contains(t, b.log.String(), "an account is charged for several subscriptions")
	shown, err := b.managing.Show(t.Context(), "1")
	require.NoError(t, err)
	require.True(t, shown.Twice)
	b.razorpay.Edit(second, func(s *fake.Subscription) { s.Status, s.Ended = "cancelled", b.now.Unix() })
	require.NoError(t, b.billing.Do(t.Context(), jobOf(second)))
	shown, err = b.managing.Show(t.Context(), "1")
	require.NoError(t, err)
	require.False(t, shown.Twice)
}

func TestAPlanThatRazorpayDoesNotChange(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	for _, method := range []string{"upi", "emandate", ""} { // the last is not told, and refused all the same
		b := newBilled(t, noonOf(2026, 10, 14))
		old := b.subscribed(t, "pro_m", method)
		if method == "" {
			b.refuse(http.StatusBadRequest, isChange)
		}
		b.now = b.now.AddDate(0, 0, 9)
		end := b.razorpay.All()[0].End
		_, err := b.managing.Change(ctx, "1", ports.PlanChange{Plan: "solo_m"}, domain.ByAPI)
		require.ErrorIs(t, err, domain.ErrFixedPlan)
		p, err := b.managing.Preview(ctx, "1", "solo_m")
		require.NoError(t, err)
		require.Equal(t, []any{true, end, false, domain.Pro, domain.Solo}, []any{p.Anew, p.BeginsAt.Unix(), p.EndsNow, p.Before.Plan, p.After.Plan})
		require.Equal(t, 1, b.open(), "a preview changes nothing")

		for range 2 { // an answer may have been lost
			shown, err := b.managing.Change(ctx, "1", ports.PlanChange{Plan: "solo_m", Anew: true}, domain.ByAPI)
			require.NoError(t, err)
			require.Equal(t, old, shown.Subscription.ID)
			require.Equal(t, end, shown.Subscription.EndsAt().Unix())
			require.Equal(t, []any{domain.Solo, domain.BilledCreated, end}, []any{shown.Next.Plan, shown.Next.Status, shown.Next.BeginsAt.Unix()})
		}
		require.Len(t, b.razorpay.All(), 2)
		next := b.razorpay.All()[1].ID
		require.True(t, b.razorpay.Authorize(next, "upi"))
		b.now = time.Unix(end, 0)
		b.razorpay.Pass()
		for _, id := range []string{old, next} {
			require.NoError(t, b.billing.Do(ctx, jobOf(id)))
		}
		require.Equal(t, domain.Solo, b.account().Plan)
		require.NoError(t, b.account().MayReconcile(b.now))
		b.paidOnce(t)
	}
}

func TestAPlanIsChangedWhileAPaymentHasFailed(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b := newBilled(t, noonOf(2026, 10, 14))
	old := b.subscribed(t, "pro_m", "card")
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Failing = true })
	b.now = noonOf(2026, 11, 14)
	b.razorpay.Pass()
	p, err := b.managing.Preview(ctx, "1", "solo_m")
	require.NoError(t, err)
	require.Equal(t, []any{true, time.Time{}, true}, []any{p.Anew, p.BeginsAt, p.EndsNow})
	_, err = b.managing.Change(ctx, "1", ports.PlanChange{Plan: "solo_m"}, domain.ByAPI)
	require.ErrorIs(t, err, domain.ErrFixedPlan)
	shown, err := b.managing.Change(ctx, "1", ports.PlanChange{Plan: "solo_m", Anew: true}, domain.ByAPI)
	require.NoError(t, err)
	require.Equal(t, domain.BilledCreated, shown.Subscription.Status)
	require.False(t, b.razorpay.Revive(old), "a late charge comes too late")
	require.True(t, b.razorpay.Authorize(shown.Subscription.ID, "upi"))
	require.NoError(t, b.billing.Do(ctx, jobOf(shown.Subscription.ID)))
	require.Equal(t, domain.Solo, b.account().Plan)
	b.paidOnce(t)
}

// Who looks at the page after paying sees it, though the notice was lost; Razorpay is asked
// once in 30 seconds at most, and is not waited for while it is away.
func TestLookingFindsAPaymentOfWhichNoNoticeCame(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	made, err := b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
	require.NoError(t, err)
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
		shown, err := b.managing.Look(t.Context(), "1")
		require.NoError(t, err)
		return shown.Subscription.Status
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
	b := newBilled(t, noonOf(2026, 10, 14))
	old := b.subscribed(t, "pro_m", "card")
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Status = "halted" })
	b.refuse(http.StatusBadRequest, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/cancel") })
	_, err := b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
	require.ErrorIs(t, err, domain.ErrNotEnded)
	require.Len(t, b.razorpay.All(), 1)
}

func TestWhatCannotBeCancelledKeepsNoOther(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	first := b.subscribed(t, "pro_m", "card")
	b.now = b.now.Add(time.Second)
	latest := b.razorpay.Create("solo_m", "1") // which is ended first
	require.True(t, b.razorpay.Authorize(latest, "upi"))
	require.NoError(t, b.billing.Do(t.Context(), jobOf(latest)))
	b.refuse(http.StatusBadRequest, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, latest+"/cancel") })
	_, err := b.managing.Cancel(t.Context(), "1", nil, domain.ByAPI)
	require.ErrorIs(t, err, domain.ErrBillingRefused)
	all, err := b.book.Of(t.Context(), "1")
	require.NoError(t, err)
	for _, s := range all {
		require.Equal(t, s.ID == first, s.Ending, s.ID)
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
	_, err := b.managing.Start(t.Context(), "1", "solo_m", domain.ByAPI)
	require.NoError(t, err)
	require.Equal(t, a, b.account())
	_, err = b.managing.Cancel(t.Context(), "1", nil, domain.ByAPI)
	require.NoError(t, err)
	require.Equal(t, a, b.account())
	made, err := b.managing.Start(t.Context(), "1", "solo_m", domain.ByAPI)
	require.NoError(t, err)
	require.Equal(t, a, b.account())
	require.True(t, b.razorpay.Authorize(made.ID, "upi"))
	require.NoError(t, b.billing.Do(t.Context(), jobOf(made.ID)))
	require.Equal(t, domain.Solo, b.account().Plan)
	require.Equal(t, domain.DayOf(b.now), b.account().SubscribedOn)
	require.NoError(t, b.account().MayReconcile(b.now))
}

// What is paid of a paused subscription is not paid for again: it is used up first.
func TestAPausedSubscriptionIsUsedUpFirst(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	old := b.subscribed(t, "pro_m", "card")
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Status = "paused" }) // by the operator, at Razorpay
	b.now = b.now.AddDate(0, 0, 5)
	require.NoError(t, b.billing.Do(t.Context(), jobOf(old)))
	require.ErrorIs(t, b.account().MayUseAPI(b.now), domain.ErrSubscription)
	p, err := b.managing.Preview(t.Context(), "1", "solo_m")
	require.NoError(t, err)
	require.Equal(t, b.razorpay.All()[0].End, p.BeginsAt.Unix())
	made := b.subscribed(t, "solo_m", "card")
	require.NoError(t, b.account().MayUseAPI(b.now), "it is paid for")
	shown, err := b.managing.Show(t.Context(), "1")
	require.NoError(t, err)
	require.Equal(t, []string{old, made}, []string{shown.Subscription.ID, shown.Next.ID}, "what is paid for, and what follows")
	b.now = p.BeginsAt
	b.razorpay.Pass()
	require.NoError(t, b.billing.Do(t.Context(), jobOf(made)))
	require.Equal(t, domain.Solo, b.account().Plan)
	b.paidOnce(t)
}

// Razorpay charges some hours after the moment at which a subscription begins.
func TestNobodyWaitsForTheFirstChargeOfWhatFollows(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	old := b.subscribed(t, "solo_m", "upi")
	shown, err := b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "pro_m", Anew: true}, domain.ByAPI)
	require.NoError(t, err)
	next := shown.Next.ID
	require.True(t, b.razorpay.Authorize(next, "upi"))
	require.NoError(t, b.billing.Do(t.Context(), jobOf(next)))
	require.ErrorIs(t, b.account().MayUseAPI(b.now), domain.ErrPlan, "it has not begun")
	b.now = time.Unix(b.razorpay.All()[0].End, 0)
	b.razorpay.Edit(old, func(s *fake.Subscription) { s.Status, s.Ended = "cancelled", s.End })
	require.NoError(t, b.billing.Do(t.Context(), jobOf(old)))
	a := b.account()
	require.NoError(t, a.MayUseAPI(b.now))
	require.Equal(t, "2026-11-14 2026-12-14", a.Cycle(b.now).Start.String()+" "+a.Cycle(b.now).End.String())
	require.ErrorIs(t, a.MayUseAPI(b.now.AddDate(0, 0, 1)), domain.ErrSubscription, "it was not charged")
	b.now = b.now.Add(5 * time.Hour)
	b.razorpay.Pass()
	require.NoError(t, b.billing.Do(t.Context(), jobOf(next)))
	require.NoError(t, b.account().MayUseAPI(b.now.AddDate(0, 0, 1)))
	require.Equal(t, "2026-11-14", b.account().Cycle(b.now).Start.String())
	b.paidOnce(t)
}

// The provider may refuse a change when it is asked again because its answer was lost.
func TestALostAnswerToAChangeFixesNoPlan(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	b.subscribed(t, "solo_m", "card")
	asked := 0
	b.razorpay.Lose(func(r *http.Request) bool {
		if isChange(r) {
			asked++
		}
		return asked == 1
	})
	b.refuse(http.StatusBadRequest, func(r *http.Request) bool { return isChange(r) && asked > 1 })
	shown, err := b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "pro_m"}, domain.ByAPI)
	require.NoError(t, err)
	require.Greater(t, asked, 1)
	require.False(t, shown.Subscription.Fixed)
	require.Equal(t, domain.Pro, b.account().Plan)
}

func TestBetweenAPeriodsEndAndItsLateChargeTheOldOneEndsAtOnce(t *testing.T) {
	t.Parallel()
	late := func(t *testing.T) (b *billed, old string) {
		b = newBilled(t, noonOf(2026, 10, 14))
		old = b.subscribed(t, "pro_m", "upi")
		b.now = time.Unix(b.razorpay.All()[0].End, 0).Add(3 * time.Hour)
		return b, old
	}
	t.Run("change", func(t *testing.T) {
		t.Parallel()
		b, old := late(t)
		preview, err := b.managing.Preview(t.Context(), "1", "solo_m")
		require.NoError(t, err)
		require.Equal(t, []any{true, true, true}, []any{preview.Anew, preview.EndsNow, preview.BeginsAt.IsZero()})
		_, err = b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m", Anew: true}, domain.ByAPI)
		require.NoError(t, err)
		require.True(t, b.razorpay.Authorize(b.razorpay.All()[1].ID, "upi"))
		b.razorpay.Pass()
		b.paidOnce(t)
		require.Equal(t, "cancelled", b.razorpay.All()[0].Status, old)
	})
	t.Run("cancel", func(t *testing.T) {
		t.Parallel()
		b, _ := late(t)
		_, err := b.managing.Cancel(t.Context(), "1", nil, domain.ByAPI)
		require.NoError(t, err)
		b.razorpay.Pass()
		require.Len(t, b.razorpay.Charged(), 1)
	})
	t.Run("the charge comes at that very moment", func(t *testing.T) {
		t.Parallel()
		b, old := late(t)
		charged := false
		b.razorpay.Answer(func(_ http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, "/cancel") && !charged {
				charged = true
				b.razorpay.ActivateNow(old)
			}
			return false
		})
		_, err := b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m", Anew: true}, domain.ByAPI)
		require.NoError(t, err)
		all := b.razorpay.All()
		require.Equal(t, all[0].End, all[1].StartAt, "what was paid is used up")
		require.Equal(t, domain.Pro, b.account().Plan)
		require.NoError(t, b.account().MayReconcile(b.now))
	})
}

// Whoever makes subscriptions again and again and pays for none is stopped, before anything is ended.
func TestSubscriptionsAreMadeTenTimesAnHour(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	start := func(plan string) error {
		_, err := b.managing.Start(t.Context(), "1", plan, domain.ByAPI)
		return err
	}
	for i := range 10 {
		require.NoError(t, start([]string{"pro_m", "solo_m"}[i%2]))
	}
	var refused *domain.Error
	require.ErrorAs(t, start("pro_m"), &refused)
	require.Equal(t, []any{domain.CodeRate, time.Hour}, []any{refused.Code, refused.RetryAfter})
	require.Equal(t, 1, b.open(), "nothing was ended for it")
	require.NoError(t, start("solo_m"), "it waits to be paid, and is not made again")
	require.True(t, b.razorpay.Authorize(b.razorpay.All()[9].ID, "upi"))
	_, err := b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "pro_m", Anew: true}, domain.ByAPI)
	require.ErrorAs(t, err, &refused)
	require.Equal(t, 1, b.open())
	b.now = b.now.Add(time.Hour)
	_, err = b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "pro_m", Anew: true}, domain.ByAPI)
	require.NoError(t, err)
	require.Len(t, b.razorpay.All(), 11)
	b.paidOnce(t)
}

// A start asks Razorpay for new subscriptions only if one may have been made whose answer was lost,
// and for no older ones; a round finds all.
func TestAStartLooksForWhatMayBeLost(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	old := b.razorpay.Create("pro_y", "1") // no notice has come
	b.now = b.now.AddDate(0, 0, 1)
	_, err := b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
	require.NoError(t, err)
	require.NotContains(t, b.razorpay.Asked(), "GET /v1/subscriptions")
	for _, lost := range []bool{true, false} { // a process that has died leaves as much behind as one that got no answer
		b.now = b.now.AddDate(0, 0, 1)
		b.refuse(http.StatusGatewayTimeout, func(r *http.Request) bool {
			b.book.dead.Store(!lost && makesOne(r))
			return makesOne(r)
		})
		plan := map[bool]string{true: "solo_m", false: "solo_y"}[lost]
		_, err = b.managing.Start(t.Context(), "1", plan, domain.ByAPI)
		require.Error(t, err)
		b.restart()
		made := b.razorpay.Create(plan, "1")
		b.now = b.now.AddDate(0, 0, 1)
		sub, err := b.managing.Start(t.Context(), "1", plan, domain.ByAPI)
		require.NoError(t, err)
		require.Equal(t, made, sub.ID)
	}
	known := func() bool {
		all, err := b.book.Of(t.Context(), "1")
		require.NoError(t, err)
		return slices.ContainsFunc(all, func(s domain.BilledSubscription) bool { return s.ID == old })
	}
	require.False(t, known())
	require.NoError(t, b.billing.Round(t.Context()))
	require.True(t, known())
}

// What can be known before is known before anything is ended, and a refusal is no lost answer.
func TestWhatIsNotMadeIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	t.Run("the plan cannot be read", func(t *testing.T) {
		t.Parallel()
		for _, status := range []int{http.StatusServiceUnavailable, http.StatusBadRequest} {
			b, old := halted(t)
			b.now = b.now.Add(time.Hour) // or else what it said before is known
			b.refuse(status, func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/plans/") })
			_, err := b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
			require.ErrorIs(t, err, domain.ErrBilling)
			require.Equal(t, "halted", b.razorpay.All()[0].Status, old)
			b.razorpay.Answer(nil)
			b.now = b.now.Add(time.Minute)
			b.subscribed(t, "pro_m", "card")
			require.Equal(t, 1, b.open())
		}
	})
	for status, waits := range map[int]bool{401: false, 403: false, 429: false, 302: false, 400: false, 500: true, 503: true, 504: true} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			b := newBilled(t, noonOf(2026, 10, 14))
			b.refuse(status, makesOne)
			_, err := b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
			require.Error(t, err)
			b.razorpay.Answer(nil)
			_, err = b.managing.Start(t.Context(), "1", "pro_m", domain.ByAPI)
			if waits {
				require.ErrorIs(t, err, domain.ErrBillingStarting)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

// A plan that could not be changed can be, once its customer pays by card; one that Razorpay has
// refused to change for a card stays as it is.
func TestAPlanIsFixedAsLongAsItIsPaidSo(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	id := b.subscribed(t, "pro_m", "upi")
	anew := func(plan string) bool {
		b.now = b.now.Add(time.Minute)
		p, err := b.managing.Preview(t.Context(), "1", plan)
		require.NoError(t, err)
		return p.Anew
	}
	require.True(t, anew("solo_m"))
	b.razorpay.Edit(id, func(s *fake.Subscription) { s.Method = "" })
	require.True(t, anew("solo_m"), "it is not told any more")
	b.razorpay.Edit(id, func(s *fake.Subscription) { s.Method = "card" })
	require.False(t, anew("solo_m"))
	shown, err := b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m"}, domain.ByAPI)
	require.NoError(t, err)
	require.Equal(t, domain.Solo, shown.Subscription.Plan)

	b.refuse(http.StatusBadRequest, isChange)
	_, err = b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "pro_m"}, domain.ByAPI)
	require.ErrorIs(t, err, domain.ErrFixedPlan)
	require.True(t, anew("pro_m"), "Razorpay changes the plan of some cards alone")
}

// What was shown is what is done, or nothing is.
func TestWhatWasShownIsWhatIsDone(t *testing.T) {
	t.Parallel()
	for name, do := range map[string]func(b *billed, endsNow *bool) (ports.AccountBilling, error){
		"change": func(b *billed, endsNow *bool) (ports.AccountBilling, error) {
			return b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m", Anew: true, EndsNow: endsNow}, domain.ByAPI)
		},
		"cancel": func(b *billed, endsNow *bool) (ports.AccountBilling, error) {
			return b.managing.Cancel(t.Context(), "1", endsNow, domain.ByAPI)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx := t.Context()
			b := newBilled(t, noonOf(2026, 10, 14))
			b.subscribed(t, "pro_m", "upi")
			shown := func() (cancel, change bool) {
				b.now = b.now.Add(time.Minute)
				a, err := b.managing.Look(ctx, "1")
				require.NoError(t, err)
				p, err := b.managing.Preview(ctx, "1", "solo_m")
				require.NoError(t, err)
				return a.EndsNow, p.EndsNow
			}
			before, beforeToo := shown()
			require.Equal(t, []bool{false, false}, []bool{before, beforeToo})
			_, err := do(b, new(true))
			require.ErrorIs(t, err, domain.ErrShownOtherwise)
			b.now = time.Unix(b.razorpay.All()[0].End, 0).Add(time.Hour) // and the page is still open
			_, err = do(b, &before)
			require.ErrorIs(t, err, domain.ErrShownOtherwise)
			require.Equal(t, 1, b.open(), "nothing was done")
			require.Len(t, b.razorpay.All(), 1)
			now, nowToo := shown()
			require.Equal(t, []bool{true, true}, []bool{now, nowToo})
			_, err = do(b, &now)
			require.NoError(t, err)
			require.Equal(t, "cancelled", b.razorpay.All()[0].Status)
			after, _ := shown()
			require.False(t, after, "nothing is active any more")
		})
	}
	t.Run("what was done already is not refused", func(t *testing.T) {
		t.Parallel()
		b := newBilled(t, noonOf(2026, 10, 14))
		b.subscribed(t, "pro_m", "upi")
		for range 2 {
			_, err := b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m", Anew: true, EndsNow: new(false)}, domain.ByAPI)
			require.NoError(t, err)
		}
		for range 2 {
			_, err := b.managing.Cancel(t.Context(), "1", new(false), domain.ByAPI)
			require.NoError(t, err)
		}
	})
	t.Run("the period ends meanwhile", func(t *testing.T) {
		t.Parallel()
		b := newBilled(t, noonOf(2026, 10, 14))
		b.subscribed(t, "pro_m", "upi")
		b.now = b.now.Add(time.Second)
		other := b.razorpay.Create("pro_m", "1") // the latest is ended first
		require.NoError(t, b.billing.Do(t.Context(), jobOf(other)))
		b.razorpay.Answer(func(_ http.ResponseWriter, r *http.Request) bool {
			if strings.HasSuffix(r.URL.Path, other+"/cancel") {
				b.now = b.now.AddDate(0, 1, 0).Add(time.Hour)
			}
			return false
		})
		_, err := b.managing.Cancel(t.Context(), "1", new(false), domain.ByAPI)
		require.ErrorIs(t, err, domain.ErrShownOtherwise)
		require.Equal(t, 1, b.open())
	})
	t.Run("a plan is changed at once", func(t *testing.T) {
		t.Parallel()
		b := newBilled(t, noonOf(2026, 10, 14))
		b.subscribed(t, "pro_m", "card")
		_, err := b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m", EndsNow: new(true)}, domain.ByAPI)
		require.ErrorIs(t, err, domain.ErrShownOtherwise)
		_, err = b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "solo_m", EndsNow: new(false)}, domain.ByAPI)
		require.NoError(t, err)
	})
	t.Run("a first charge that is awaited", func(t *testing.T) {
		t.Parallel()
		b := newBilled(t, noonOf(2026, 10, 14))
		b.subscribed(t, "solo_m", "upi")
		shown, err := b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "pro_m", Anew: true}, domain.ByAPI)
		require.NoError(t, err)
		require.True(t, b.razorpay.Authorize(shown.Next.ID, "upi"))
		require.NoError(t, b.billing.Do(t.Context(), jobOf(shown.Next.ID)))
		_, err = b.managing.Cancel(t.Context(), "1", new(true), domain.ByAPI)
		require.ErrorIs(t, err, domain.ErrShownOtherwise, "it has not begun: what is paid for stays")
		b.now = time.Unix(b.razorpay.All()[0].End, 0).Add(time.Hour)
		b.razorpay.Edit(b.razorpay.All()[0].ID, func(s *fake.Subscription) { s.Status, s.Ended = "cancelled", s.End })
		_, err = b.managing.Cancel(t.Context(), "1", new(false), domain.ByAPI)
		require.ErrorIs(t, err, domain.ErrShownOtherwise, "the account is active by it")
	})
}
