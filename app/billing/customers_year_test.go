package billing_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	fake "milaan/tests/fakes/razorpay"
	"milaan/tests/garbage"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// fault is what happens to one of the requests to Razorpay: it is done and its answer lost, or
// the process is killed before or after it.
type fault string

const (
	lostAnswer  fault = "lost answer"
	killBefore  fault = "killed before"
	killAfter   fault = "killed after"
	unreachable fault = "unreachable"
)

// strike lets a fault happen to the request after some others; 0: to the next one.
func (b *billed) strike(what fault, after int) (struck func() bool) {
	var mu sync.Mutex
	n, done := after, false
	is := func(of fault) bool {
		hit := n == 0 && what == of && !done
		done = done || hit
		return hit
	}
	b.razorpay.Answer(func(w http.ResponseWriter, _ *http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		if b.book.dead.Load() || is(killBefore) || is(unreachable) {
			b.book.dead.Store(b.book.dead.Load() || what == killBefore)
			w.WriteHeader(http.StatusServiceUnavailable)
			return true
		}
		return false
	})
	b.razorpay.Lose(func(*http.Request) bool {
		mu.Lock()
		defer mu.Unlock()
		hit := is(lostAnswer) || is(killAfter)
		if hit && what == killAfter {
			b.book.dead.Store(true)
		}
		n--
		return hit
	})
	return func() bool {
		mu.Lock()
		defer mu.Unlock()
		return done
	}
}

// restart starts the process again that was killed.
func (b *billed) restart() {
	b.book.dead.Store(false)
	b.razorpay.Answer(nil)
	b.razorpay.Lose(nil)
}

// sound holds what must be so at every moment: no time is paid for twice, and of one
// subscription at most can the customer be charged.
func (b *billed) sound(t *testing.T, what ...any) {
	t.Helper()
	b.paidOnce(t)
	var charged []string
	for _, s := range b.razorpay.All() {
		if !s.AtEnd && slices.Contains([]string{"active", "pending", "authenticated", "halted"}, s.Status) {
			charged = append(charged, s.ID+" "+s.Status)
		}
	}
	if len(charged) > 1 {
		t.Fatalf("%v: %v can be charged", what, charged)
	}
}

// follows holds that the account has the plan that is paid for now, or none.
func (b *billed) follows(t *testing.T, what ...any) {
	t.Helper()
	now, want := b.now.Unix(), ""
	for _, s := range b.razorpay.All() {
		if s.Status == "pending" || s.Status == "active" && !s.AtEnd || s.Status == "authenticated" && s.StartAt <= now {
			want = s.PlanID // Razorpay tries again, or is about to charge it
		}
	}
	for _, c := range b.razorpay.Charged() {
		if c.From <= now && now < c.Until {
			for _, s := range b.razorpay.All() {
				if s.ID == c.ID {
					want = s.PlanID
				}
			}
		}
	}
	got, a := "", b.account()
	if a.MayReconcile(b.now) == nil {
		got = string(a.Plan)
	}
	if planOf(want) != got {
		t.Fatalf("%v, %s: the plan %q is paid for, and the account has %q; %v", what, b.now, want, got, b.razorpay.All())
	}
}

func planOf(id string) string { name, _, _ := strings.Cut(id, "_"); return name }

// step is what a customer does once in a year, again and again until they see that it is done.
type step struct {
	name string
	on   time.Time
	do   func(b *billed) error
	done func(b *billed) bool
	pays string // how they pay what they come to; blank: they need not
}

// live is the subscription for which the customer is charged next.
func (b *billed) live() (one fake.Subscription) {
	for _, s := range b.razorpay.All() {
		if !s.AtEnd && slices.Contains([]string{"active", "pending", "authenticated"}, s.Status) {
			one = s
		}
	}
	return one
}

// aYear is a year of a customer: by UPI, with a change that Razorpay refuses; by card, with an
// upgrade and a downgrade; halted and begun anew; cancelled and come back.
func aYear() []step {
	ctx := context.Background
	start := func(plan string) func(*billed) error {
		return func(b *billed) error { _, err := b.managing.Start(ctx(), "1", plan, domain.ByAPI); return err }
	}
	change := func(plan string) func(*billed) error {
		return func(b *billed) error {
			p, err := b.managing.Preview(ctx(), "1", plan)
			if err == nil {
				_, err = b.managing.Change(ctx(), "1", ports.PlanChange{Plan: plan, Anew: p.Anew, EndsNow: &p.EndsNow}, domain.ByAPI)
			}
			if errors.Is(err, domain.ErrNoSubscription) { // it was ended, and nothing follows yet
				_, err = b.managing.Start(ctx(), "1", plan, domain.ByAPI)
			}
			return err
		}
	}
	has := func(plan string) func(*billed) bool { return func(b *billed) bool { return b.live().PlanID == plan } }
	fails := func(b *billed) error {
		b.razorpay.Edit(b.live().ID, func(s *fake.Subscription) { s.Failing = true })
		return nil
	}
	return []step{
		{"subscribes by UPI", noonOf(2026, 10, 14), start("pro_m"), has("pro_m"), "upi"},
		{"goes to Solo, which UPI does not allow", noonOf(2026, 11, 3), change("solo_m"), has("solo_m"), "upi"},
		{"goes back before it begins", noonOf(2026, 11, 5), change("pro_m"), has("pro_m"), "card"},
		{"goes to Solo at once", noonOf(2026, 12, 20), change("solo_m"), has("solo_m"), ""},
		{"goes to Pro at once", noonOf(2027, 1, 3), change("pro_m"), has("pro_m"), ""},
		{"a card fails", noonOf(2027, 2, 1), fails, func(b *billed) bool { return b.live().Failing }, ""},
		{"begins anew after it was halted", noonOf(2027, 2, 20), start("pro_m"), has("pro_m"), "upi"},
		{"cancels", noonOf(2027, 4, 1), func(b *billed) error { _, err := b.managing.Cancel(ctx(), "1", nil, domain.ByAPI); return err },
			func(b *billed) bool { return b.live().ID == "" }, ""},
		{"comes back before it has ended", noonOf(2027, 4, 5), start("solo_m"), has("solo_m"), "card"},
		{"the card fails again", noonOf(2027, 6, 1), fails, func(b *billed) bool { return b.live().Failing }, ""},
		{"changes while it is pending", noonOf(2027, 6, 22), change("pro_m"), has("pro_m"), "upi"},
		{"goes to Solo between a period's end and its charge", noonOf(2027, 8, 22).Add(3 * time.Hour), change("solo_m"), has("solo_m"), "card"},
		{"comes back at once", noonOf(2027, 8, 25), change("pro_m"), has("pro_m"), ""},
		{"stays", noonOf(2027, 9, 1), func(*billed) error { return nil }, has("pro_m"), ""},
	}
}

// passTo lets time pass until a moment, day by day: notices come, or are lost.
func (b *billed) passTo(t *testing.T, until time.Time, lost bool) {
	t.Helper()
	for b.now.Before(until) {
		b.now = b.now.AddDate(0, 0, 1)
		if b.now.After(until) {
			b.now = until
		}
		b.settle(t, lost)
	}
}

// settle does what is due at Razorpay and here.
func (b *billed) settle(t *testing.T, lost bool) {
	t.Helper()
	b.razorpay.Pass()
	for _, sub := range b.razorpay.All() {
		if now := fmt.Sprint(sub); now != b.seen[sub.ID] {
			b.seen[sub.ID] = now
			if !lost {
				b.post(t, b.razorpay.Notify("subscription.updated", sub.ID))
			}
		}
	}
	b.work(t)
	if lost { // the round of every minute heals it within an hour
		for id := range b.book.looked {
			b.book.looked[id] = b.now.AddDate(0, 0, -2)
		}
	}
	require.NoError(t, b.billing.Round(t.Context()))
	b.sound(t)
	b.follows(t)
}

// take has the customer take a step until they see that it is done.
func (b *billed) take(t *testing.T, s step, lost bool) {
	t.Helper()
	if b.now.Before(s.on) {
		b.passTo(t, s.on, lost)
	}
	for tries := 0; !s.done(b); tries++ {
		require.Less(t, tries, 12, "%s: %v", s.name, b.razorpay.All())
		_ = s.do(b) // what they are told is not known in all cases: they look again
		b.sound(t, s.name)
		if b.book.dead.Load() {
			b.restart()
			require.NoError(t, b.billing.Round(t.Context()))
		}
		if s.pays != "" {
			b.pay(t, s.pays)
		}
		b.sound(t, s.name)
		b.now = b.now.Add(time.Minute)
	}
	b.restart()
	b.settle(t, lost)
}

// pay has the customer agree to what the page shows.
func (b *billed) pay(t *testing.T, method string) {
	t.Helper()
	shown, err := b.managing.Show(t.Context(), "1")
	require.NoError(t, err)
	for _, s := range []domain.BilledSubscription{shown.Next, shown.Subscription} {
		if s.Status == domain.BilledCreated && s.URL != "" {
			b.razorpay.Authorize(s.ID, method)
			return
		}
	}
}

// yearOf is a year in which Razorpay charges some hours after a period has begun.
func yearOf(t *testing.T) *billed {
	b := newBilled(t, noonOf(2026, 10, 1))
	b.razorpay.ChargeLate(5 * time.Hour)
	return b
}

// TestACustomersYear goes through the year with each fault at each request to Razorpay, and with
// all notices lost. An ordinary run goes through a few of the requests.
func TestACustomersYear(t *testing.T) {
	t.Parallel()
	for _, lost := range []bool{false, true} {
		b := yearOf(t)
		asked := map[string]int{}
		for _, s := range aYear() {
			before := len(b.razorpay.Asked())
			b.take(t, s, lost)
			asked[s.name] = len(b.razorpay.Asked()) - before
		}
		require.Equal(t, []any{domain.Pro, 0}, []any{b.account().Plan, len(b.book.mailed.all)})
		if lost {
			continue
		}
		for at, struck := range aYear() {
			t.Run(struck.name, func(t *testing.T) {
				t.Parallel()
				for _, what := range []fault{lostAnswer, killBefore, killAfter, unreachable} {
					every := atLength(40, 3, 1)
					for after := time.Now().YearDay() % every; after < asked[struck.name]; after += every { // each day at others
						if !b.strikes(t, at, what, after) {
							break
						}
					}
				}
			})
		}
	}
}

// atLength is a number for an ordinary run, for one of a minute, and for one without a limit.
func atLength(ordinary, short, long int) int {
	switch os.Getenv("MILAAN_SOAK") {
	case "":
		return ordinary
	case "short":
		return short
	}
	return long
}

// strikes goes through the year with a fault in one step, and says whether it has happened.
func (*billed) strikes(t *testing.T, at int, what fault, after int) bool {
	t.Helper()
	b := yearOf(t)
	for i, s := range aYear() {
		struck := func() bool { return true }
		if i == at {
			b.passTo(t, s.on, false)
			struck = b.strike(what, after)
		}
		if b.take(t, s, false); !struck() {
			return false
		}
	}
	require.Equal(t, []any{domain.Pro, 0}, []any{b.account().Plan, len(b.book.mailed.all)}, "%s at %d", what, after)
	return true
}

// TestYearsOfCustomers is about customers who do anything on any day, in two windows at once,
// while answers and notices are lost and processes die.
func TestYearsOfCustomers(t *testing.T) {
	t.Parallel()
	for seed := range atLength(2, 30, 200) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(uint64(seed), 31))
			b := yearOf(t)
			plans := []string{"pro_m", "solo_m", "pro_m", "solo_y", "pro_y"}
			lostBefore := false
			for range 365 {
				b.now = b.now.Add(12 * time.Hour)
				for range 1 + random.IntN(2) {
					b.act(t, random, plans)
				}
				b.restart()
				lost := !lostBefore && random.IntN(4) == 0
				b.now = b.now.Add(12 * time.Hour)
				b.settle(t, lost)
				lostBefore = lost
			}
			require.Empty(t, b.book.mailed.all)
		})
	}
}

func (b *billed) act(t *testing.T, random *rand.Rand, plans []string) {
	t.Helper()
	if random.IntN(3) == 0 {
		b.strike([]fault{lostAnswer, killBefore, killAfter, unreachable}[random.IntN(4)], random.IntN(10))
	}
	plan, anew, live := plans[random.IntN(len(plans))], random.IntN(2) == 0, b.live()
	what := random.IntN(14)
	var windows sync.WaitGroup
	for range 1 + random.IntN(2) {
		windows.Go(func() {
			switch what {
			case 0, 1, 2:
				_, _ = b.managing.Start(t.Context(), "1", plan, domain.ByAPI)
			case 3, 4:
				_, _ = b.managing.Change(t.Context(), "1", ports.PlanChange{Plan: plan, Anew: anew}, domain.ByAPI)
			case 5:
				_, _ = b.managing.Cancel(t.Context(), "1", nil, domain.ByAPI)
			case 6:
				_, _ = b.managing.Look(t.Context(), "1")
			}
		})
	}
	windows.Wait()
	b.sound(t, what)
	b.book.dead.Store(false)
	switch what {
	case 7, 8, 0, 1, 3:
		b.pay(t, []string{"upi", "card", "emandate"}[random.IntN(3)])
	case 9:
		if live.ID != "" {
			b.razorpay.Edit(live.ID, func(s *fake.Subscription) { s.Failing = !s.Failing })
		}
	case 10:
		for _, s := range b.razorpay.All() {
			if random.IntN(2) == 0 {
				b.razorpay.Revive(s.ID) // a late charge
			}
		}
	}
	b.sound(t, what)
	b.now = b.now.Add(3 * time.Minute)
}
