package service

import (
	"fmt"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// subscribed dates the subscription of an account that is being made.
func subscribed(year int, month time.Month, day int) func(*domain.Account) {
	return func(a *domain.Account) { a.SubscribedOn = domain.DayFromDate(year, month, day) }
}

// TestCaps holds the monthly runs of section 8.
func TestCaps(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db database) {
		s := Start(t, Options{DatabaseURL: db(t)})
		// runs sends as many runs as are let through, and one more.
		runs := func(t *testing.T, c *Customer) int {
			t.Helper()
			for n := range 40 {
				if n%10 == 0 {
					s.Clock.Advance(time.Minute)
				}
				a := c.Reconcile(t, Named(n))
				if a.Status == http.StatusTooManyRequests {
					a.Refused(t, 429, fmt.Sprintf("Run limit of %d/month reached", n))
					return n
				}
				require.Equal(t, http.StatusOK, a.Status)
			}
			return 40
		}
		t.Run("8 Pro has 10 runs a month", func(t *testing.T) {
			require.Equal(t, 10, runs(t, s.Customer(t)))
			require.Equal(t, 10, runs(t, s.Customer(t, subscribed(2026, time.September, 1))), "subscribed on the day of the update")
		})
		t.Run("8 Pro subscribed before September 2026 has 16 runs a month", func(t *testing.T) {
			require.Equal(t, 16, runs(t, s.Customer(t, subscribed(2026, time.August, 31))))
		})
		t.Run("8 the older cap is lost on a change of plan", func(t *testing.T) {
			c := s.Customer(t, subscribed(2026, time.August, 31))
			for _, plan := range []domain.Plan{domain.Enterprise, domain.Pro} {
				c.Change(t, func(a *domain.Account) { a.ChangePlan(plan, domain.DayOf(s.Clock.Now())) })
			}
			require.Equal(t, 10, runs(t, c))
		})
		t.Run("8 Solo has 2 runs a month, 4 if subscribed before September 2026", func(t *testing.T) {
			// The API is closed to Solo, so its caps show in the account only.
			for day, want := range map[time.Month]int{time.August: 4, time.September: 2} {
				c := s.Account(t, OnPlan(domain.Solo), subscribed(2026, day, 1))
				a, err := s.Manage.Show(t.Context(), c.Email)
				require.NoError(t, err)
				limit, limited := a.MonthlyCap()
				require.True(t, limited)
				require.Equal(t, want, limit)
			}
		})
		t.Run("decisions 5 Enterprise has no cap unless the account has one", func(t *testing.T) {
			require.Equal(t, 40, runs(t, s.Customer(t, OnPlan(domain.Enterprise))))
			require.Equal(t, 3, runs(t, s.Customer(t, OnPlan(domain.Enterprise), Capped(3))))
		})
		t.Run("7 the message has the exact limit of the account", func(t *testing.T) {
			require.Equal(t, 12, runs(t, s.Customer(t, Capped(12))))
			a := s.Customer(t, Capped(0)).Reconcile(t, Small())
			a.Refused(t, 429, "Run limit of 0/month reached")
		})
		t.Run("decisions 5 a refused or faulty run is not counted", func(t *testing.T) {
			c := s.Customer(t, Capped(1))
			c.Reconcile(t, badFile()).Refused(t, 400, "courier file (courier)")
			c.Reconcile(t, Body{}).Refused(t, 400, "shopify is missing")
			c.Run(t, Small())
		})
		t.Run("4.1 8 a cap that was raised holds at once", func(t *testing.T) {
			c := s.Customer(t, Capped(1))
			require.Equal(t, 1, runs(t, c))
			c.Change(t, Capped(2))
			c.Run(t, Named("one more"))
			c.Reconcile(t, Named("two more")).Refused(t, 429, "Run limit of 2/month reached")
		})
	})
}

// TestCycle holds that the cap is reset on the billing day, at 00:00 in India.
func TestCycle(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	t.Run("8 the cap is reset on the billing day at 00:00 in Asia/Kolkata", func(t *testing.T) {
		for _, cycle := range []struct {
			billingDay int
			reset      time.Time
		}{
			{22, time.Date(2026, time.November, 22, 0, 0, 0, 0, domain.Kolkata)},
			{1, time.Date(2026, time.December, 1, 0, 0, 0, 0, domain.Kolkata)},
			{31, time.Date(2026, time.December, 31, 0, 0, 0, 0, domain.Kolkata)},
			{31, time.Date(2027, time.February, 28, 0, 0, 0, 0, domain.Kolkata)}, // the month's last day stands in
			{30, time.Date(2028, time.February, 29, 0, 0, 0, 0, domain.Kolkata)},
		} {
			s.Clock.Set(cycle.reset.Add(-time.Minute))
			c := s.Customer(t, Capped(1), func(a *domain.Account) { a.BillingDay = cycle.billingDay })
			c.Run(t, Named("the last of the cycle"))
			s.Clock.Set(cycle.reset.Add(-time.Microsecond))
			a := c.Reconcile(t, Named("too early"))
			a.Refused(t, 429, "Run limit of 1/month reached")
			require.Contains(t, a.Message(), cycle.reset.Format(time.DateOnly))
			s.Clock.Set(cycle.reset)
			c.Run(t, Named("the first of the next"))
			c.Reconcile(t, Named("the second")).Refused(t, 429, "Run limit of 1/month reached")
		}
	})
}

// TestCapUnderLoad sends ten runs at once for each of fifty accounts that may
// have five. 64 clients are at it.
func TestCapUnderLoad(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, db database) {
		const accounts, requests, limit = 50, 10, 5
		s := Start(t, Options{DatabaseURL: db(t)})
		t.Run("decisions 5 a cap is exact when many ask at once", func(t *testing.T) {
			customers := make([]*Customer, accounts)
			for i := range customers {
				customers[i] = s.Customer(t, Capped(limit))
			}
			answers := sendAtOnce(accounts*requests, func(i int) Answer {
				return customers[i/requests].Reconcile(t, Named(i%requests))
			})
			var answered [][]string
			for ofAccount := range slices.Chunk(answers, requests) {
				require.Equal(t, map[int]int{200: limit, 429: requests - limit}, statuses(ofAccount))
				for _, a := range ofAccount {
					if a.Status == http.StatusOK {
						answered = append(answered, []string{a.Header.Get("X-Run-Id")})
						continue
					}
					a.Refused(t, 429, "Run limit of 5/month reached")
				}
			}
			require.ElementsMatch(t, answered, s.Query(t, "SELECT id FROM runs"))
		})
		t.Run("decisions 5 a rate is exact when many ask at once", func(t *testing.T) {
			c := s.Customer(t, OnPlan(domain.Enterprise))
			answers := sendAtOnce(64, func(int) Answer { return s.Post(t, "/reconcile", c.Key, noJSON) })
			require.Equal(t, map[int]int{400: 10, 429: 64 - 10}, statuses(answers))
		})
		t.Run("decisions 5 of identical runs at once one is stored", func(t *testing.T) {
			c := s.Customer(t)
			before := s.Runs(t)
			answers := sendAtOnce(10, func(int) Answer { return c.Reconcile(t, Small()) })
			require.Equal(t, map[int]int{200: 10}, statuses(answers))
			first := slices.DeleteFunc(answers, func(a Answer) bool { return a.Run(t).Duplicate != nil })
			require.Len(t, first, 1)
			require.Equal(t, before+1, s.Runs(t))
		})
	})
}
