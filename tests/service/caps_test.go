package service

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

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
			var passed, capped [accounts]atomic.Int64
			var ids sync.Map
			var clients errgroup.Group
			clients.SetLimit(64)
			for n := range accounts * requests {
				account, brand := n/requests, n%requests
				clients.Go(func() error {
					a := customers[account].Reconcile(t, Named(brand))
					switch {
					case a.Status == http.StatusOK:
						passed[account].Add(1)
						ids.Store(a.Header.Get("X-Run-Id"), true)
					case a.Message() != "" && a.Status == http.StatusTooManyRequests:
						a.Refused(t, 429, "Run limit of 5/month reached")
						capped[account].Add(1)
					default:
						t.Errorf("%d %s", a.Status, a.Body)
					}
					return nil
				})
			}
			require.NoError(t, clients.Wait())
			for i := range accounts {
				require.EqualValues(t, limit, passed[i].Load())
				require.EqualValues(t, requests-limit, capped[i].Load())
			}
			stored := s.Query(t, "SELECT id FROM runs")
			require.Len(t, stored, accounts*limit)
			for _, row := range stored {
				_, answered := ids.Load(row[0])
				require.True(t, answered, "a run is stored that nobody was answered")
			}
		})
		t.Run("decisions 5 a rate is exact when many ask at once", func(t *testing.T) {
			c := s.Customer(t, OnPlan(domain.Enterprise))
			var passed atomic.Int64
			var clients errgroup.Group
			for range 64 {
				clients.Go(func() error {
					if s.Post(t, "/reconcile", c.Key, noJSON).Status == http.StatusBadRequest {
						passed.Add(1)
					}
					return nil
				})
			}
			require.NoError(t, clients.Wait())
			require.EqualValues(t, 10, passed.Load())
		})
		t.Run("decisions 5 of identical runs at once one is stored", func(t *testing.T) {
			c := s.Customer(t)
			before := s.Runs(t)
			var answered, duplicates atomic.Int64
			var clients errgroup.Group
			for range 10 {
				clients.Go(func() error {
					a := c.Reconcile(t, Small())
					if a.Status == http.StatusOK {
						answered.Add(1)
					}
					if strings.Contains(string(a.Body), `"duplicate":true`) {
						duplicates.Add(1)
					}
					return nil
				})
			}
			require.NoError(t, clients.Wait())
			require.EqualValues(t, 10, answered.Load())
			require.EqualValues(t, 9, duplicates.Load())
			require.Equal(t, before+1, s.Runs(t))
		})
	})
}
