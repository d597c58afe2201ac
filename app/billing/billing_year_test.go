package billing_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	fake "milaan/tests/fakes/razorpay"
)

// customer is the model: what an account may do, told from what its customer and Razorpay did,
// with none of the code that is tested.
type customer struct {
	id         string // of the subscription; blank: none yet
	plan       string // of Razorpay's
	status     string
	created    time.Time
	start, end time.Time // of the billed period
	atEnd      bool
	legacy     bool
}

// clamped is a day of the month, or the month's last one.
func clamped(year int, month time.Month, day int) time.Time {
	first := time.Date(year, month, 1, 0, 0, 0, 0, domain.Kolkata)
	return first.AddDate(0, 0, min(day, first.AddDate(0, 1, -1).Day())-1)
}

// cycleStart walks through the months of a yearly period; a monthly one is a cycle.
func (c *customer) cycleStart(today time.Time) string {
	begin := c.start
	if c.plan == "pro_y" || c.plan == "solo_y" {
		for n := 1; n < 12; n++ {
			if next := clamped(c.start.Year(), c.start.Month()+time.Month(n), c.start.Day()); !next.After(today) {
				begin = next
			}
		}
	}
	return begin.Format(time.DateOnly)
}

// says is what the account may do, as a text.
func (c *customer) says(today time.Time) string {
	runs := map[bool]map[bool]int{true: {true: 16, false: 10}, false: {true: 4, false: 2}}[c.plan[:3] == "pro"][c.legacy]
	state := cmp.Or(map[string]string{"active": "active", "pending": "active", "created": "incomplete", "authenticated": "incomplete"}[c.status], "ended")
	if state != "active" {
		return fmt.Sprintf("%s %s %d", state, c.plan[:3], runs)
	}
	return fmt.Sprintf("%s %s %d since %s", state, c.plan[:3], runs, c.cycleStart(today))
}

func saysAccount(a domain.Account, now time.Time) string {
	runs, _ := a.MonthlyCap()
	text := fmt.Sprintf("%s %s %d", a.SubscriptionAt(now), a.Plan[:3], runs)
	if a.SubscriptionAt(now) == domain.SubscriptionActive {
		text += " since " + a.Cycle(now).Start.String()
	}
	return text
}

// A year of billing in fast motion: on every day the cap and its cycle are those of the model,
// though notices are lost, doubled and shuffled: a round heals what was lost on the same day.
func TestAYearOfBilling(t *testing.T) {
	t.Parallel()
	years := 4
	if os.Getenv("MILAAN_SOAK") != "" {
		years = 60
	}
	for seed := range years {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { billAYear(t, rand.New(rand.NewPCG(uint64(seed), 7)), seed) })
	}
}

func billAYear(t *testing.T, random *rand.Rand, seed int) {
	// The first day is the 29th, 30th or 31st, before the new pricing or after it.
	begin := []time.Time{noonOf(2026, 8, 31), noonOf(2026, 10, 31), noonOf(2026, 8, 29), noonOf(2026, 11, 30), noonOf(2027, 1, 29), noonOf(2027, 1, 31), noonOf(2028, 2, 29), noonOf(2026, 12, 31)}[seed%8]
	b := newBilled(t, begin)
	plans := []string{"pro_m", "solo_m", "pro_y", "solo_y"}
	c := &customer{}
	midnight := func() time.Time { y, m, d := b.now.Date(); return time.Date(y, m, d, 0, 0, 0, 0, domain.Kolkata) }
	lostBefore, healed, seen := false, 0, map[string]int{}
	for day := range 366 {
		b.now = begin.AddDate(0, 0, day)
		var notices []fake.Notice
		notify := func(event string) {
			notices = append(notices, b.razorpay.Notify("subscription."+event, c.id))
			seen[event]++
		}
		if c.id != "" && (c.status == "active" || c.status == "pending") && !b.now.Before(c.end) { // the period is over
			switch {
			case c.atEnd:
				b.razorpay.Edit(c.id, func(s *fake.Subscription) { s.Status, s.Ended = "cancelled", s.End })
				c.status = "cancelled"
				notify("cancelled")
			case random.IntN(8) == 0:
				b.razorpay.Edit(c.id, func(s *fake.Subscription) { s.Status = "halted" })
				c.status = "halted"
				notify("halted")
			default:
				b.razorpay.Activate(c.id)
				c.start, c.status = c.end, "active"
				c.end = c.next()
				notify("charged")
			}
		} else {
			c.act(b, random, plans, notify)
		}
		if random.IntN(40) == 0 && c.id != "" {
			notices = append(notices, b.razorpay.Notify("refund.processed", c.id))
		}
		lost := !lostBefore && len(notices) > 0 && random.IntN(5) == 0
		if !lost {
			random.Shuffle(len(notices), func(i, j int) { notices[i], notices[j] = notices[j], notices[i] })
			for _, n := range notices {
				for range 1 + random.IntN(3) {
					b.post(t, n)
				}
			}
		}
		random.Shuffle(len(b.book.jobs), func(i, j int) { b.book.jobs[i], b.book.jobs[j] = b.book.jobs[j], b.book.jobs[i] })
		b.work(t)
		b.now = midnight().Add(23*time.Hour + 59*time.Minute)
		require.NoError(t, b.billing.Round(t.Context()))
		if c.id == "" {
			continue
		}
		require.Equal(t, c.says(midnight()), saysAccount(b.account(), b.now), "day %d, %s", day, b.now.Format(time.DateOnly))
		if lost {
			healed++
		}
		lostBefore = lost
	}
	t.Log(seen, "days whose notices were lost", healed)
}

// next is the end of a period that begins on c.start: on the day of the creation.
func (c *customer) next() time.Time {
	months := 1
	if c.plan == "pro_y" || c.plan == "solo_y" {
		months = 12
	}
	return clamped(c.start.Year(), c.start.Month()+time.Month(months), c.created.Day()).Add(12 * time.Hour)
}

// act does something on some days.
func (c *customer) act(b *billed, random *rand.Rand, plans []string, notify func(string)) {
	set := func(status string) {
		b.razorpay.Edit(c.id, func(s *fake.Subscription) { s.Status = status })
		c.status = status
	}
	final := c.status == "cancelled" || c.status == "expired"
	switch n := random.IntN(60); {
	case c.id == "" || final && n < 20: // subscribes, anew perhaps
		c.plan = plans[random.IntN(len(plans))]
		c.id, c.created, c.atEnd = b.razorpay.Create(c.plan, "1"), b.now, false
		c.legacy = domain.DayOf(b.now) < domain.DayFromDate(2026, 9, 1)
		c.start = b.now
		c.end = c.next()
		notify("authenticated")
		b.razorpay.Activate(c.id)
		c.status = "active"
		notify("activated")
		notify("charged")
	case c.status == "active" && n < 2: // another plan of the same length, at once
		to := map[string]string{"pro_m": "solo_m", "solo_m": "pro_m", "pro_y": "solo_y", "solo_y": "pro_y"}[c.plan]
		b.razorpay.Edit(c.id, func(s *fake.Subscription) { s.PlanID = to })
		c.plan = to
		c.legacy = c.legacy && domain.DayOf(b.now) < domain.DayFromDate(2026, 9, 1)
		notify("updated")
	case c.status == "active" && n == 2:
		set("pending")
		notify("pending")
	case c.status == "pending" && n < 20:
		set("halted")
		notify("halted")
	case c.status == "pending" && n < 40:
		set("active")
		notify("charged")
	case c.status == "active" && n == 3:
		set("paused")
		notify("paused")
	case (c.status == "halted" || c.status == "paused") && n < 20:
		set("active")
		notify("resumed")
		if !b.now.Before(c.end) {
			for !b.now.Before(c.end) {
				b.razorpay.Activate(c.id)
				c.start = c.end
				c.end = c.next()
			}
			notify("charged")
		}
	case c.status == "active" && n == 4:
		c.atEnd = true
	case c.status == "active" && n == 5:
		b.razorpay.Edit(c.id, func(s *fake.Subscription) { s.Status, s.Ended = "cancelled", b.now.Unix() })
		c.status = "cancelled"
		notify("cancelled")
	}
}
