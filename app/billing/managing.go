package billing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// Managing is what people do with their subscriptions, beside what the notices do.
type Managing struct {
	fx.In

	*Notices
	Starts  ports.BillingStarts
	Windows ports.RateWindows
}

func (m *Managing) Show(ctx context.Context, accountID string) (ports.AccountBilling, error) {
	account, all, err := m.stored(ctx, accountID)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	shown := ports.AccountBilling{Configured: m.in.Provider.Enabled(), Plans: m.in.Provider.Plans(ctx), Account: account,
		Subscription: chooseShown(all, m.in.Clock()), Twice: domain.ChargedTwice(all) != nil, EndsNow: domain.EndsAtOnce(all, m.in.Clock())}
	if at := slices.IndexFunc(all, func(s domain.BilledSubscription) bool { return s.Awaits() && s.Plan != "" }); at >= 0 &&
		all[at].ID != shown.Subscription.ID {
		shown.Next = all[at]
	}
	return shown, nil
}

// showAfter is Show after something that was done without an error.
func (m *Managing) showAfter(ctx context.Context, accountID string, err error) (ports.AccountBilling, error) {
	if err != nil {
		return ports.AccountBilling{}, err
	}
	return m.Show(ctx, accountID)
}

func (m *Managing) stored(ctx context.Context, accountID string) (domain.Account, []domain.BilledSubscription, error) {
	account, err := m.in.Accounts.ByID(ctx, accountID)
	if err != nil {
		return account, nil, err
	}
	all, err := m.in.Book.Of(ctx, accountID)
	return account, all, err
}

// lookLimit is how long people wait for the provider when they look at their subscription.
const lookLimit = 5 * time.Second

func (m *Managing) Look(ctx context.Context, accountID string) (ports.AccountBilling, error) {
	return m.showAfter(ctx, accountID, m.look(ctx, accountID))
}

// look fetches what can still change, unless that was done just now or the provider is away.
func (m *Managing) look(ctx context.Context, accountID string) error {
	if !m.in.Provider.Enabled() {
		return nil
	}
	err := admission.Count(ctx, m.Windows, admission.Refreshes.Of(accountID), domain.RefreshRate, m.in.Clock)
	if refused := (*domain.Error)(nil); errors.As(err, &refused) && refused.Code == domain.CodeRate {
		return nil
	}
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	if _, err = m.refreshOpen(limited, accountID); errors.Is(err, domain.ErrBilling) || ctx.Err() == nil && limited.Err() != nil {
		return nil
	}
	return err
}

func (m *Managing) Preview(ctx context.Context, accountID, plan string) (ports.BillingPreview, error) {
	chosen, err := m.choose(ctx, plan)
	if err != nil {
		return ports.BillingPreview{}, err
	}
	if err := m.look(ctx, accountID); err != nil {
		return ports.BillingPreview{}, err
	}
	account, all, err := m.stored(ctx, accountID)
	if err != nil {
		return ports.BillingPreview{}, err
	}
	now := m.in.Clock()
	p := ports.BillingPreview{Plan: chosen, BeginsAt: domain.PaidUntil(all, now), Before: account, After: account}
	at := slices.IndexFunc(all, domain.BilledSubscription.Renews)
	switch {
	case at < 0:
		p.Anew = true
	case changes(all[at]):
		p.BeginsAt = all[at].BeginsAt
		if all[at].Status == domain.BilledActive {
			p.BeginsAt = time.Time{}
		}
	default:
		p.Anew, p.EndsNow = true, domain.EndsAtOnce(all, now)
		if !all[at].EndsNow(now) && all[at].PaidUntil.After(p.BeginsAt) {
			p.BeginsAt = all[at].PaidUntil
		}
	}
	p.After.ChangePlan(chosen.Plan, domain.DayOf(now))
	if p.Anew {
		p.After.SubscribeOn(domain.DayOf(now))
	}
	return p, nil
}

// changes says whether the provider changes the plan of a subscription that goes on.
func changes(s domain.BilledSubscription) bool { return !s.Fixed && s.Status != domain.BilledPending }

// chooseShown returns the subscription that an account's people are shown: the one that
// decides; if that has ended, the latest that can still be paid for.
func chooseShown(all []domain.BilledSubscription, now time.Time) (sub domain.BilledSubscription) {
	decides := domain.BilledBy(all, now)
	for _, s := range all {
		if s.ID == decides.ID {
			sub = s
		}
	}
	if sub.Open() || sub.EndsAt().After(now) {
		return sub
	}
	for _, s := range all { // latest first
		if s.Open() && s.Plan != "" {
			return s
		}
	}
	return sub
}

// startSpan is how long making a subscription may take before another request may begin.
const startSpan = 2 * time.Minute

// endSpan is how long cancelling the subscriptions of an account and deleting it may take; eraseSpan is the
// part of it in which nothing is cancelled any more.
const (
	endSpan   = 8 * time.Minute
	eraseSpan = 150 * time.Second
)

// clocks is how far the provider's clock may be from this one.
const clocks = time.Hour

// giveUp is how long before its end a request gives up: what was asked for last is with the provider
// before another request asks, and an account is deleted before one is made for it.
const giveUp = 30 * time.Second

// attempt is a request that may make a subscription.
type attempt struct {
	id      string
	lost    bool  // one may have been made of which nothing is stored
	endsNow *bool // whether the active one ends at once, as people were shown; nil: they were not
}

// asShown returns an error if people were shown otherwise.
func (a *attempt) asShown(endsNow bool) error {
	if a.endsNow != nil && *a.endsNow != endsNow {
		return domain.ErrShownOtherwise
	}
	return nil
}

// alone does something for an account while no other request does. After an attempt that is lost
// nobody else begins before its time is over, and who does then finds what was made by a list.
func (m *Managing) alone(ctx context.Context, accountID string, do func(context.Context, *attempt) error) error {
	if err := m.in.MaySend.Check(ctx); err != nil {
		return err
	}
	now := m.in.Clock()
	start := ports.BillingStart{ID: ids.New(), AccountID: accountID, Until: now.Add(startSpan)}
	lostSince, err := m.Starts.Begin(ctx, start, now)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, startSpan-giveUp)
	defer cancel()
	a := &attempt{id: start.ID}
	if !lostSince.IsZero() {
		err = m.findNew(limited, lostSince.Add(-clocks), accountID)
	}
	lost := err != nil
	if !lost {
		err = do(limited, a)
	}
	if a.lost {
		return err
	}
	return errors.Join(err, m.Starts.End(context.WithoutCancel(ctx), start, lost))
}

func (m *Managing) Start(ctx context.Context, accountID, plan string, by domain.Actor) (sub domain.BilledSubscription, err error) {
	chosen, err := m.choose(ctx, plan)
	if err != nil {
		return sub, err
	}
	err = m.alone(ctx, accountID, func(ctx context.Context, a *attempt) error {
		all, err := m.refreshOpen(ctx, accountID)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(all, domain.BilledSubscription.Renews) {
			return domain.ErrSubscribed
		}
		sub, err = m.begin(ctx, a, all, ports.NewSubscription{Plan: chosen, AccountID: accountID, Attempt: a.id}, by)
		return err
	})
	return sub, err
}

// mostEndings is how often the subscriptions of an account are gone through until all have ended.
const mostEndings = 5

// begin makes a subscription that takes the place of all others: they end before it is made, so
// that no death of the process leaves two that are charged. What is paid for stays until its end,
// and the new one begins then. One that was made before and not paid for is returned again.
func (m *Managing) begin(
	ctx context.Context, a *attempt, all []domain.BilledSubscription, made ports.NewSubscription, by domain.Actor,
) (domain.BilledSubscription, error) {
	if made.Plan.Period == "" { // without it nothing can be made, so nothing is ended
		return domain.BilledSubscription{}, domain.ErrBilling.Caused(fmt.Errorf("the provider does not say what the plan %q is", made.Plan.ID))
	}
	for round := range mostEndings {
		var waiting domain.BilledSubscription
		var others []domain.BilledSubscription
		made.BeginsAt = domain.PaidUntil(all, m.in.Clock())
		for _, s := range all {
			switch {
			case !s.Open() || s.Ending:
			case s.Status == domain.BilledCreated && s.PlanID == made.Plan.ID && s.URL != "" && s.BeginsAt.Equal(made.BeginsAt) && waiting.ID == "":
				waiting = s
			default:
				others = append(others, s)
			}
		}
		if len(others) == 0 && waiting.ID != "" {
			return waiting, nil
		}
		if round == 0 {
			if err := m.mayMake(ctx, made.AccountID, all); err != nil {
				return domain.BilledSubscription{}, err
			}
		}
		ended := false
		for _, s := range others {
			err := m.end(ctx, a, s, by)
			switch {
			case errors.Is(err, domain.ErrNoSubscription): // the provider does not have it any more
				continue
			case errors.Is(err, domain.ErrBillingRefused):
				return domain.BilledSubscription{}, domain.ErrNotEnded.Caused(err)
			case err != nil:
				return domain.BilledSubscription{}, err
			}
			ended = true
		}
		switch {
		case !ended && waiting.ID != "":
			return waiting, nil
		case !ended:
			sub, err := m.make(ctx, a, made, by)
			if err != nil && round > 0 && !a.lost {
				err = domain.ErrNotBegun.Caused(err)
			}
			return sub, err
		}
		var err error
		if all, err = m.in.Book.Of(ctx, made.AccountID); err != nil { // the answers say until when each is paid for
			return domain.BilledSubscription{}, err
		}
	}
	return domain.BilledSubscription{}, domain.ErrNotEnded
}

// mayMake returns an error with CodeRate if an account has as many new subscriptions as
// domain.SubscribeRate lets it have, or if making one was tried too often. all are its subscriptions,
// latest first.
func (m *Managing) mayMake(ctx context.Context, accountID string, all []domain.BilledSubscription) error {
	now, made := m.in.Clock(), domain.RateWindow{}
	for _, s := range slices.Backward(all) {
		at := s.CreatedAt
		if at.After(now) { // by the provider's clock
			at = now
		}
		made.Admitted = append(made.Admitted, at)
	}
	if _, wait, _ := domain.SubscribeRate.Admit(made, now); wait > 0 {
		return domain.ErrRate(wait)
	}
	return admission.Count(ctx, m.Windows, admission.Subscribing.Of(accountID), domain.SubscribeTryRate, m.in.Clock)
}

// end cancels a subscription, unless its period has ended since people were shown that it goes on
// to its end.
func (m *Managing) end(ctx context.Context, a *attempt, s domain.BilledSubscription, by domain.Actor) error {
	now := m.in.Clock()
	if domain.EndsAtOnce([]domain.BilledSubscription{s}, now) {
		if err := a.asShown(true); err != nil {
			return err
		}
	}
	return m.cancel(ctx, s, s.EndsNow(now), by)
}

func (m *Managing) make(ctx context.Context, a *attempt, made ports.NewSubscription, by domain.Actor) (domain.BilledSubscription, error) {
	sub, err := m.in.Provider.Subscribe(ctx, made)
	if a.lost = errors.Is(err, domain.ErrBillingLost); err != nil {
		return sub, err
	}
	err = m.store(ctx, sub, 0, by)
	a.lost = err != nil
	return sub, err
}

// choose finds a plan that is sold by its name or the provider's id.
func (m *Managing) choose(ctx context.Context, plan string) (ports.BillingPlan, error) {
	if !m.in.Provider.Enabled() {
		return ports.BillingPlan{}, domain.ErrNoBilling
	}
	var names, ids []string
	for _, p := range m.in.Provider.Plans(ctx) {
		if p.ID == strings.TrimSpace(plan) || strings.EqualFold(string(p.Plan), strings.TrimSpace(plan)) {
			return p, nil
		}
		if !slices.Contains(names, string(p.Plan)) {
			names = append(names, string(p.Plan))
		}
		ids = append(ids, p.ID)
	}
	fault := domain.Fault{Field: domain.FieldPlan, Rule: domain.RuleOneOf, Options: append(names, ids...)}
	return ports.BillingPlan{}, domain.Faults{fault}.Err()
}

// refreshOpen fetches the subscriptions of an account that can still change, and lists all.
func (m *Managing) refreshOpen(ctx context.Context, accountID string) ([]domain.BilledSubscription, error) {
	all, err := m.in.Book.Of(ctx, accountID)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if !s.Open() {
			continue
		}
		if err := m.refresh(ctx, s.ID, domain.ByBilling, untold{}); err != nil && !errors.Is(err, domain.ErrNoSubscription) {
			return nil, err
		}
	}
	return m.in.Book.Of(ctx, accountID)
}

func (m *Managing) Change(ctx context.Context, accountID string, to ports.PlanChange, by domain.Actor) (ports.AccountBilling, error) {
	chosen, err := m.choose(ctx, to.Plan)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	err = m.alone(ctx, accountID, func(ctx context.Context, a *attempt) error {
		all, err := m.refreshOpen(ctx, accountID)
		if err != nil {
			return err
		}
		now := m.in.Clock()
		at := slices.IndexFunc(all, domain.BilledSubscription.Renews)
		switch {
		case at < 0 && !(to.Anew && domain.PaidUntil(all, now).After(now)): // but an answer may have been lost
			return domain.ErrNoSubscription
		case at >= 0 && all[at].PlanID == chosen.ID && (!to.Anew || changes(all[at]) && domain.ChargedTwice(all) == nil):
			return nil
		}
		a.endsNow = to.EndsNow
		if err := a.asShown(to.Anew && domain.EndsAtOnce(all, now)); err != nil && at >= 0 {
			return err
		}
		if to.Anew {
			_, err := m.begin(ctx, a, all, ports.NewSubscription{Plan: chosen, AccountID: accountID, Attempt: a.id}, by)
			return err
		}
		return m.changeNow(ctx, all[at], chosen.ID, by)
	})
	return m.showAfter(ctx, accountID, err)
}

// changeNow moves a subscription to another plan at once, or keeps in mind that the provider
// does not do that.
func (m *Managing) changeNow(ctx context.Context, s domain.BilledSubscription, planID string, by domain.Actor) error {
	if !changes(s) {
		return domain.ErrFixedPlan
	}
	version, err := m.in.Book.Version(ctx, s.ID)
	if err != nil {
		return err
	}
	changed, err := m.in.Provider.Change(ctx, s.ID, planID)
	if errors.Is(err, domain.ErrBillingRefused) {
		return m.refused(ctx, s, planID, by)
	}
	if err != nil {
		return err
	}
	return m.store(ctx, changed, version, by)
}

// refused stores a subscription whose provider has refused another plan. It may have that plan
// already, if an answer was lost; and if its state has changed meanwhile, that is why.
func (m *Managing) refused(ctx context.Context, s domain.BilledSubscription, planID string, by domain.Actor) error {
	version, err := m.in.Book.Version(ctx, s.ID)
	if err != nil {
		return err
	}
	now, err := m.in.Records.Fetch(ctx, s.ID)
	if err != nil {
		return err
	}
	now.Fixed = now.PlanID != planID && now.Status == s.Status
	if err := m.store(ctx, now, version, by); err != nil || now.PlanID == planID {
		return err
	}
	return domain.ErrFixedPlan
}

func (m *Managing) Cancel(ctx context.Context, accountID string, endsNow *bool, by domain.Actor) (ports.AccountBilling, error) {
	if !m.in.Provider.Enabled() {
		return ports.AccountBilling{}, domain.ErrNoBilling
	}
	err := m.alone(ctx, accountID, func(ctx context.Context, a *attempt) error {
		all, err := m.refreshOpen(ctx, accountID)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(all, domain.BilledSubscription.Open) {
			return domain.ErrNoSubscription
		}
		a.endsNow = endsNow
		if err := a.asShown(domain.EndsAtOnce(all, m.in.Clock())); err != nil {
			return err
		}
		var refused error
		for _, s := range all {
			if !s.Open() || s.Ending {
				continue
			}
			err := m.end(ctx, a, s, by)
			switch {
			case errors.Is(err, domain.ErrNoSubscription), errors.Is(err, domain.ErrBillingRefused): // the others are still charged
				refused = cmp.Or(refused, err)
			case err != nil:
				return err
			}
		}
		return refused
	})
	return m.showAfter(ctx, accountID, err)
}

func (m *Managing) Refresh(ctx context.Context, accountID string) (ports.AccountBilling, error) {
	if !m.in.Provider.Enabled() {
		return ports.AccountBilling{}, domain.ErrNoBilling
	}
	if _, err := m.in.Accounts.ByID(ctx, accountID); err != nil {
		return ports.AccountBilling{}, err
	}
	err := m.findNew(ctx, time.Time{}, accountID)
	if err == nil {
		_, err = m.refreshOpen(ctx, accountID)
	}
	return m.showAfter(ctx, accountID, err)
}

func (m *Managing) EndAll(ctx context.Context, accountID string, erase func() error) (err error) {
	now := m.in.Clock()
	closing := ports.BillingStart{ID: ids.New(), AccountID: accountID, Closing: true, Until: now.Add(endSpan)}
	lostSince, err := m.Starts.Begin(ctx, closing, now)
	if err != nil {
		return err
	}
	lost := !lostSince.IsZero()
	defer func() { err = errors.Join(err, m.Starts.End(context.WithoutCancel(ctx), closing, lost)) }()
	limited, cancel := context.WithTimeout(ctx, endSpan-eraseSpan)
	defer cancel()
	if m.in.Provider.Enabled() { // there may be one of which nothing is known yet
		if err := m.findNew(limited, time.Time{}, accountID); err != nil {
			return err
		}
		lost = false
	}
	all, err := m.in.Book.Of(limited, accountID)
	if err != nil {
		return err
	}
	var refused []error
	for _, s := range all {
		if !s.Open() {
			continue
		}
		err := m.cancel(limited, s, true, domain.ByBilling)
		switch {
		case errors.Is(err, domain.ErrNoSubscription):
		case errors.Is(err, domain.ErrBillingRefused): // the others are still charged
			refused = append(refused, err)
		case err != nil:
			return errors.Join(append(refused, err)...)
		}
	}
	if err := errors.Join(refused...); err != nil {
		return err
	}
	return erase()
}
