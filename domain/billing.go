package domain

import (
	"cmp"
	"slices"
	"time"
)

// BilledStatus is the state of a subscription in the words of the billing provider.
type BilledStatus string

// The states. Any other counts as ended.
const (
	BilledCreated       BilledStatus = "created"       // nobody has agreed to pay yet
	BilledAuthenticated BilledStatus = "authenticated" // agreed, and not yet begun
	BilledActive        BilledStatus = "active"
	BilledPending       BilledStatus = "pending" // a charge has failed and is tried again
	BilledHalted        BilledStatus = "halted"  // all charges have failed
	BilledPaused        BilledStatus = "paused"
	BilledCancelled     BilledStatus = "cancelled" // EndedAt says from when on
	BilledCompleted     BilledStatus = "completed"
	BilledExpired       BilledStatus = "expired" // nobody agreed in time
)

// BilledByCard is a method of paying: the plans of some cards can be changed.
const BilledByCard = "card"

// Final says whether the billing provider will never change the state again.
func (s BilledStatus) Final() bool {
	return s == BilledCancelled || s == BilledCompleted || s == BilledExpired
}

// BilledSubscription is a subscription as the billing provider has it.
type BilledSubscription struct {
	ID        string // the billing provider's
	AccountID string // the account that its notes name; blank: none
	PlanID    string // the billing provider's
	Plan      Plan   // what the settings say PlanID is; blank: they do not know it
	Status    BilledStatus
	CreatedAt time.Time
	// PeriodStart and PeriodEnd are the billed period, which ends before PeriodEnd; NoDay:
	// nothing was charged yet.
	PeriodStart, PeriodEnd Day
	PaidUntil              time.Time // the moment at which the billed period ends; zero: not known
	BeginsAt               time.Time // its first period begins then; zero: as soon as it is paid
	Charges                int       // how often its customer was charged; below 0: not known
	EndedAt                time.Time // zero: not known, or it has not ended
	URL                    string    // the provider's page where its customer pays; blank: none
	// Ending says that it was cancelled to the end of the billed period, which the billing
	// provider does not tell. One that has been cancelled is still paid for until then.
	Ending bool
	Method string // how its customer pays, in the billing provider's words; blank: not told
	// Fixed says that the billing provider does not change its plan, because of how it is paid.
	Fixed bool
	// ChangedOn is the day on which a change of its plan was first noticed; NoDay: none was.
	ChangedOn Day
}

// EndsAt returns when the subscription has ended or will end; the zero time: it has no end.
func (s BilledSubscription) EndsAt() time.Time {
	switch {
	case !s.Ending || !s.begun():
		return s.EndedAt
	case s.PaidUntil.IsZero():
		return s.PeriodEnd.Start()
	}
	return s.PaidUntil
}

// Open says whether the customer can still be charged for it, now or later.
func (s BilledSubscription) Open() bool { return !s.Status.Final() }

// Renews says whether its customer has agreed to be charged, and is charged again if nobody
// cancels it.
func (s BilledSubscription) Renews() bool {
	return !s.Ending && (s.Status == BilledActive || s.Status == BilledPending || s.Status == BilledAuthenticated)
}

// endMargin is how long before its end a billed period counts as over. A cancellation takes some
// time, and the billing provider's clock may be ahead; and whoever is to agree to what follows needs
// some time too.
const endMargin = 5 * time.Minute

// EndsNow says whether a subscription that is cancelled ends at once: nothing of it is paid for, or
// hardly anything. Between the end of a period and the charge of the next one, which may take hours,
// the billing provider would still charge one that is cancelled to the end.
func (s BilledSubscription) EndsNow(now time.Time) bool {
	return s.Status != BilledActive || !s.PaidUntil.After(now.Add(endMargin))
}

// EndsAtOnce says whether an account stops being active if its subscriptions are cancelled: one that
// it is active by ends at once.
func EndsAtOnce(all []BilledSubscription, now time.Time) bool {
	return slices.ContainsFunc(all, func(s BilledSubscription) bool {
		standing, _ := s.standing(now)
		return standing == SubscriptionActive && s.Renews() && s.EndsNow(now)
	})
}

// Awaits says whether a subscription waits for its first charge.
func (s BilledSubscription) Awaits() bool {
	return s.Status == BilledCreated || s.Status == BilledAuthenticated
}

// PaidUntil returns until when an account's subscriptions are paid for and end then; the zero
// time: none of them is paid for now, or hardly (endMargin). Another one begins then, so that no day
// is paid for twice.
func PaidUntil(all []BilledSubscription, now time.Time) (until time.Time) {
	for _, s := range all {
		end := s.EndsAt()
		if s.Status == BilledPaused {
			end = s.PaidUntil
		}
		paid := s.begun() && (s.Status == BilledPaused || s.Ending && (s.Status == BilledActive || s.Status == BilledCancelled))
		if paid && end.After(now.Add(endMargin)) && end.After(until) {
			until = end
		}
	}
	return until
}

// ChargedTwice returns the subscriptions of an account that go on side by side, so that its
// customer is charged for each; none if that is so for one at most.
func ChargedTwice(all []BilledSubscription) (twice []BilledSubscription) {
	twice = slices.DeleteFunc(slices.Clone(all), func(s BilledSubscription) bool { return !s.Renews() })
	if len(twice) < 2 {
		return nil
	}
	return twice
}

// Replaced returns the halted subscriptions that an account has besides a later one that is
// active: a late charge would make two of them.
func Replaced(all []BilledSubscription) (replaced []BilledSubscription) {
	for _, s := range all {
		if s.Status == BilledHalted && slices.ContainsFunc(all, func(other BilledSubscription) bool {
			return other.Status == BilledActive && other.CreatedAt.After(s.CreatedAt)
		}) {
			replaced = append(replaced, s)
		}
	}
	return replaced
}

// firstCharge is how long the billing provider may take for the first charge of a subscription
// that begins on a day that was asked for. It is active meanwhile, as one is whose charge is
// tried again.
const firstCharge = 24 * time.Hour

// due says whether the first charge of an agreed subscription is due.
func (s BilledSubscription) due(now time.Time) bool {
	return s.Status == BilledAuthenticated && !s.BeginsAt.IsZero() && !now.Before(s.BeginsAt)
}

// standing returns what the state means for the account, and from when on it has ended; the
// zero time: not by the clock. A cancelled subscription was paid for until it ends.
func (s BilledSubscription) standing(now time.Time) (Subscription, time.Time) {
	if s.due(now) {
		return SubscriptionActive, s.BeginsAt.Add(firstCharge)
	}
	switch s.Status {
	case BilledActive, BilledPending:
		return SubscriptionActive, time.Time{}
	case BilledCreated, BilledAuthenticated:
		return SubscriptionIncomplete, time.Time{}
	case BilledCancelled:
		if end := s.EndsAt(); s.begun() && !end.IsZero() {
			return SubscriptionActive, end
		}
	}
	return SubscriptionEnded, time.Time{}
}

// begun says whether the subscription was ever paid for.
func (s BilledSubscription) begun() bool { return s.PeriodStart != NoDay }

// rank orders the subscriptions of an account by which of them decides.
func (s BilledSubscription) rank(now time.Time) int {
	standing, ends := s.standing(now)
	switch {
	case standing == SubscriptionActive && ends.IsZero():
		return 3
	case standing == SubscriptionActive && now.Before(ends):
		return 2
	case s.begun():
		return 1
	}
	return 0
}

// Noticed returns the subscription with what was known of it before: was, which is nil if it
// was not known, and the plans that notices have shown. So a change of plan is noticed by
// whatever shows it, in whatever order the notices come. A plan that the settings do not know
// changes nothing, and a subscription stays with its account.
func (s BilledSubscription) Noticed(was *BilledSubscription, shown []Plan, today Day) BilledSubscription {
	plans := shown
	if was != nil {
		s.AccountID, s.ChangedOn = was.AccountID, was.ChangedOn
		s.Fixed = s.Fixed || was.Fixed && (s.Method != BilledByCard || was.Method == BilledByCard)
		s.Method = cmp.Or(s.Method, was.Method)
		s.Ending = s.Ending || was.Ending && s.PeriodEnd == was.PeriodEnd && (s.Open() || was.Status == BilledCancelled) ||
			was.KeepsPaid(s)
		plans = append(slices.Clip(plans), was.Plan)
		s.Plan = cmp.Or(s.Plan, was.Plan)
	}
	for _, p := range plans {
		if p != "" && s.Plan != "" && p != s.Plan && s.ChangedOn == NoDay {
			s.ChangedOn = today
		}
	}
	return s
}

// KeepsPaid says whether what was paid for a subscription is used up, now that it is cancelled at
// once: it was paused, or it was charged at the very moment at which it was cancelled, which may be
// counted later.
func (s BilledSubscription) KeepsPaid(now BilledSubscription) bool {
	charged := s.Charges >= 0 && now.Charges > s.Charges
	return (charged || s.Status == BilledPaused) && now.Status == BilledCancelled && now.EndedAt.Before(now.PaidUntil)
}

// Billed is what an account's subscriptions at the billing provider mean for the account. The
// zero Billed is that of an account without one.
type Billed struct {
	ID           string // of the subscription that decides
	Plan         Plan
	Subscription Subscription
	EndsAt       time.Time // from then on the subscription has ended; zero: it has no end
	PeriodStart  Day       // NoDay: nothing was charged yet
	PeriodEnd    Day
	CreatedOn    Day
	ChangedOn    Day // the last known day on which the account's plan changed; NoDay: it never did
}

// BilledBy decides what an account's subscriptions mean. Of several, the one decides that is
// active without an end; then the one that is active longest; then one that was ever paid
// for; of equal ones the latest. Subscriptions whose plan the settings do not know are left
// out. The order of all does not matter.
func BilledBy(all []BilledSubscription, now time.Time) Billed {
	known := slices.DeleteFunc(slices.Clone(all), func(s BilledSubscription) bool { return s.Plan == "" })
	if len(known) == 0 {
		return Billed{}
	}
	one := slices.MaxFunc(known, func(a, b BilledSubscription) int {
		byEnd := 0
		if a.rank(now) == 2 {
			_, endsA := a.standing(now)
			_, endsB := b.standing(now)
			byEnd = endsA.Compare(endsB)
		}
		return cmp.Or(cmp.Compare(a.rank(now), b.rank(now)), byEnd, a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	b := Billed{ID: one.ID, Plan: one.Plan, PeriodStart: one.PeriodStart, PeriodEnd: one.PeriodEnd,
		CreatedOn: min(DayOf(one.CreatedAt), DayOf(now))}
	if one.due(now) {
		b.PeriodStart, b.PeriodEnd = DayOf(one.BeginsAt), DayOf(one.BeginsAt.AddDate(0, 1, 0))
	}
	b.Subscription, b.EndsAt = one.standing(now)
	for _, s := range known {
		b.ChangedOn = max(b.ChangedOn, s.ChangedOn)
		if s.Plan == one.Plan || !s.begun() {
			continue
		}
		b.ChangedOn = max(b.ChangedOn, min(DayOf(s.CreatedAt), DayOf(now)))
		if !s.EndedAt.IsZero() {
			b.ChangedOn = max(b.ChangedOn, min(DayOf(s.EndedAt), DayOf(now)))
		}
	}
	return b
}

// FollowBilling changes the account from what was billed last to what is billed now. What the
// operator has set meanwhile stays until the billing provider says something else about it; a
// subscription that nobody has paid for yet takes nothing away.
func (a *Account) FollowBilling(last, next Billed, now time.Time) {
	never := a.PeriodStart == NoDay && a.SubscriptionAt(now) == SubscriptionActive // it was never billed
	if next.ID == "" || never && next.PeriodStart == NoDay && next.Subscription != SubscriptionActive {
		return
	}
	paid := never && next.Subscription == SubscriptionActive
	if next.ID != last.ID || paid {
		a.SubscribeOn(next.CreatedOn)
	}
	if next.Plan != last.Plan || paid {
		a.Plan = next.Plan
	}
	a.PlanSince = max(a.PlanSince, next.ChangedOn)
	if next.ID != last.ID || next.Subscription != last.Subscription || !next.EndsAt.Equal(last.EndsAt) {
		a.Subscription, a.EndsAt = next.Subscription, next.EndsAt
	}
	a.Subscription = a.SubscriptionAt(now)
	a.PeriodStart, a.PeriodEnd = next.PeriodStart, next.PeriodEnd
}

// shortestMonth is the length of the shortest month, days.
const shortestMonth = 28

// BilledCycle is the cycle that contains now, of an account whose billed period begins on
// start and ends before end. A period of several months is split into months from its start;
// in a month that does not have that day, a cycle begins on the month's last day, and in the
// next month on that day again. A rest of less than a month belongs to the last cycle. Before
// and after the period, cycles go on by months until the billing provider says otherwise.
func BilledCycle(start, end Day, now time.Time) Cycle {
	end = max(end, start+1)
	_, _, day := start.Date()
	today := DayOf(now)
	c := cycleWith(today, day)
	switch {
	case today < start:
		return c
	case today >= end:
		return cycleWith(today, dayOfCycles(start, end))
	}
	if end-c.Start < shortestMonth && c.Start > start { // the rest of the period
		c = cycleWith(c.Start-1, day)
	}
	if end-c.End < shortestMonth {
		c.End = end
	}
	return c
}

// dayOfCycles is the day of the month on which cycles begin after a period: its first day,
// unless the period does not end on that day.
func dayOfCycles(start, end Day) int {
	_, _, first := start.Date()
	year, month, last := end.Date()
	if billingDate(year, month, first) == end {
		return first
	}
	return last
}

// NoticeRetention is how long notices are remembered, so that each is taken once: far longer
// than the billing provider goes on posting one.
const NoticeRetention = 30 * 24 * time.Hour

// BillingNotice is what the billing provider posts when something happens to a subscription.
// It only says that there is news: what counts is the subscription's state when it is fetched.
type BillingNotice struct {
	ID           string // the billing provider's; a notice that is posted again has the same; blank: not said
	BodyHash     string // SHA-256, hex: the body is signed, and ID is not
	Subscription string // id; blank: the notice is about something else
	PlanID       string // of the subscription, when the notice was made; blank: not said
}
