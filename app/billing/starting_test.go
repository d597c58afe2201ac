package billing_test

import (
	"fmt"
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
	"milaan/tests/only"
)

func TestALostAnswerMakesNoSecondSubscription(t *testing.T) {
	t.Parallel()
	t.Run("it is found by its notes", func(t *testing.T) {
		b := newBilled(t, noonOf(2026, 10, 14))
		b.razorpay.Lose(makesOne)
		sub := b.begun(t, "pro_m")
		require.Equal(t, b.razorpay.All()[0].ID, sub.ID)
		require.Len(t, b.razorpay.All(), 1)
	})
	t.Run("it may still be on its way", func(t *testing.T) {
		b := newBilled(t, noonOf(2026, 10, 14))
		b.razorpay.Lose(func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/subscriptions") })
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() { _, _ = b.start(t, "pro_m") })
		}
		all.Wait()
		b.razorpay.Lose(nil)
		for _, later := range []time.Duration{0, time.Minute, 3 * time.Minute} {
			b.now = noonOf(2026, 10, 14).Add(later)
			_, _ = b.start(t, "pro_m")
		}
		require.NotEmpty(t, b.begun(t, "pro_m").URL)
		require.Len(t, b.razorpay.All(), 1)
	})
}

// A request whose answer was lost may reach Razorpay later than a list that looks for it. Whoever
// cannot look for it makes nothing, keeps nobody else from looking, and does not forget it.
func TestWhatIsLostIsLookedForUntilItIsKnown(t *testing.T) {
	t.Parallel()
	start := func(b *billed) error { return b.buys(t, "pro_m") }
	for name, look := range map[string]func(b *billed) error{
		"":      nil,
		"start": start,
		"close": func(b *billed) error { return b.managing.EndAll(t.Context(), "1", func() error { return nil }) },
	} {
		for _, made := range []bool{true, false} {
			t.Run(fmt.Sprint(name, made), func(t *testing.T) {
				t.Parallel()
				b := newBilled(t, noonOf(2026, 10, 14))
				b.refuse(http.StatusGatewayTimeout, makesOne)
				require.ErrorIs(t, start(b), domain.ErrBillingLost)
				b.now = b.now.Add(time.Minute)
				require.ErrorIs(t, start(b), domain.ErrBillingStarting)
				if made {
					late := b.razorpay.Create("pro_m", "1")
					b.razorpay.Edit(late, func(s *fake.Subscription) { s.Created -= 600 }) // by another clock
				}
				b.now = b.now.Add(time.Minute)
				b.refuse(http.StatusServiceUnavailable, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, "/subscriptions") })
				for i := 0; i < 2 && look != nil; i++ {
					err := look(b)
					require.ErrorIs(t, err, domain.ErrBilling)
					require.NotErrorIs(t, err, domain.ErrBillingLost)
				}
				b.razorpay.Answer(nil)
				sub := b.begun(t, "pro_m")
				require.Len(t, b.razorpay.All(), 1)
				require.Equal(t, b.razorpay.All()[0].ID, sub.ID)
			})
		}
	}
}

// Whoever has an account's turn gives up before the next request may have it.
func TestATurnIsGivenUpInTime(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	require.ErrorIs(t, b.cancel(t, nil), domain.ErrNoSubscription)
	require.WithinDuration(t, time.Now(), b.book.givesUp, 90*time.Second)
	require.NoError(t, b.managing.EndAll(t.Context(), "1", func() error { return nil }))
	require.WithinDuration(t, time.Now(), b.book.givesUp, 5*time.Minute+30*time.Second)
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
	shown := only.Value(b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: "pro_m"}, domain.ByAPI))(t)
	require.Greater(t, asked, 1)
	require.False(t, shown.Subscription.Fixed)
	require.Equal(t, domain.Pro, b.account().Plan)
}

// Whoever makes subscriptions again and again and pays for none is stopped, before anything is ended.
func TestSubscriptionsAreMadeTenTimesAnHour(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	for i := range 10 {
		require.NoError(t, b.buys(t, []string{"pro_m", "solo_m"}[i%2]))
	}
	var refused *domain.Error
	require.ErrorAs(t, b.buys(t, "pro_m"), &refused)
	require.Equal(t, []any{domain.CodeRate, time.Hour}, []any{refused.Code, refused.RetryAfter})
	require.Equal(t, 1, b.open(), "nothing was ended for it")
	require.NoError(t, b.buys(t, "solo_m"), "it waits to be paid, and is not made again")
	require.True(t, b.razorpay.Authorize(b.razorpay.All()[9].ID, "upi"))
	require.ErrorAs(t, b.replaces(t, "pro_m", nil), &refused)
	require.Equal(t, 1, b.open())
	b.now = b.now.Add(time.Hour)
	require.NoError(t, b.replaces(t, "pro_m", nil))
	require.Len(t, b.razorpay.All(), 11)
	b.paidOnce(t)
}

// What was not made counts towards no hour, and nobody makes Razorpay refuse again and again.
func TestOnlyWhatIsMadeCountsForAnHour(t *testing.T) {
	t.Parallel()
	for status, wait := range map[int]time.Duration{http.StatusBadRequest: 0, http.StatusTooManyRequests: 0, http.StatusGatewayTimeout: 2 * time.Minute} {
		t.Run(http.StatusText(status), func(t *testing.T) {
			t.Parallel()
			b := newBilled(t, noonOf(2026, 10, 14))
			tried := 0
			b.refuse(status, func(r *http.Request) bool {
				if makesOne(r) {
					tried++
				}
				return makesOne(r)
			})
			for range 10 {
				require.Error(t, b.buys(t, "pro_m"))
				b.now = b.now.Add(wait)
			}
			require.Equal(t, 10, tried)
			if wait == 0 {
				var refused *domain.Error
				require.ErrorAs(t, b.buys(t, "pro_m"), &refused)
				require.Equal(t, []any{domain.CodeRate, 10 * time.Minute}, []any{refused.Code, refused.RetryAfter})
				require.Equal(t, 10, tried)
				b.now = b.now.Add(10 * time.Minute)
			}
			b.razorpay.Answer(nil)
			require.NoError(t, b.buys(t, "pro_m"))
		})
	}
	t.Run("two processes", func(t *testing.T) {
		t.Parallel()
		b := newBilled(t, noonOf(2026, 10, 14))
		b.refuse(http.StatusBadRequest, makesOne)
		for range 9 {
			require.ErrorIs(t, b.buys(t, "pro_m"), domain.ErrBillingRefused)
		}
		b.razorpay.Answer(nil)
		for range 4 { // each time as many as may be tried
			b.now = b.now.Add(10 * time.Minute)
			var all sync.WaitGroup
			for process := range 2 {
				all.Go(func() {
					for i := range 20 {
						_, _ = b.start(t, []string{"pro_m", "solo_m", "pro_y"}[(i+process)%3])
					}
				})
			}
			all.Wait()
		}
		require.Len(t, b.razorpay.All(), 10)
	})
}

// A start asks Razorpay for new subscriptions only if one may have been made whose answer was lost,
// and for no older ones; a round finds all.
func TestAStartLooksForWhatMayBeLost(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 10, 14))
	old := b.razorpay.Create("pro_y", "1") // no notice has come
	b.now = b.now.AddDate(0, 0, 1)
	require.NoError(t, b.buys(t, "pro_m"))
	require.NotContains(t, b.razorpay.Asked(), "GET /v1/subscriptions")
	for _, lost := range []bool{true, false} { // a process that has died leaves as much behind as one that got no answer
		b.now = b.now.AddDate(0, 0, 1)
		b.refuse(http.StatusGatewayTimeout, func(r *http.Request) bool {
			b.book.dead.Store(!lost && makesOne(r))
			return makesOne(r)
		})
		plan := map[bool]string{true: "solo_m", false: "solo_y"}[lost]
		require.Error(t, b.buys(t, plan))
		b.restart()
		made := b.razorpay.Create(plan, "1")
		b.now = b.now.AddDate(0, 0, 1)
		require.Equal(t, made, b.begun(t, plan).ID)
	}
	known := func() bool {
		all := only.Value(b.book.Of(t.Context(), "1"))(t)
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
			require.ErrorIs(t, b.buys(t, "pro_m"), domain.ErrBilling)
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
			require.Error(t, b.buys(t, "pro_m"))
			b.razorpay.Answer(nil)
			_, err := b.start(t, "pro_m")
			if waits {
				require.ErrorIs(t, err, domain.ErrBillingStarting)
			} else {
				require.NoError(t, err)
			}
		})
	}
}
