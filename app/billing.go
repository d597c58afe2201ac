package app

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// Billing keeps accounts as their subscriptions at the billing provider say. A notice only
// says that there is news: what counts is the subscription's state when it is fetched, so the
// order of notices does not matter. It fills ports.TakingNotices, and does a BillingJob and a
// BillingRoundJob.
type Billing struct {
	in BillingParams

	mu     sync.Mutex
	listed time.Time // when this process last listed the new subscriptions
}

// BillingParams are what NewBilling needs.
type BillingParams struct {
	fx.In

	Book     ports.BillingBook
	Provider ports.Billing
	Records  ports.BillingRecords
	Notices  ports.BillingNotices
	Counting ports.CountingNotices
	Accounts ports.AccountsByID
	Clock    ports.Clock
	Log      *slog.Logger
}

// NewBilling makes the use case.
func NewBilling(p BillingParams) *Billing { return &Billing{in: p} }

// mostNoticeID is the longest id of a notice that is kept, bytes. One with a longer id, or
// without any, is known by its body.
const mostNoticeID = 100

// Take fills ports.TakingNotices.
func (b *Billing) Take(ctx context.Context, id, signature string, body []byte) error {
	notice, err := b.in.Notices.Read(body, signature)
	if err != nil {
		b.in.Counting.CountNotice(ports.NoticeRefused)
		return err
	}
	// The signature is over the body alone: who has seen one posted could post it again and
	// again with other ids, and have the service fetch each time.
	sum := sha256.Sum256(body)
	notice.Digest = hex.EncodeToString(sum[:])
	if len(id) <= mostNoticeID {
		notice.ID = id
	}
	taken, err := b.in.Book.Take(ctx, notice, b.in.Clock())
	switch {
	case err != nil:
		return err
	case !taken:
		b.in.Counting.CountNotice(ports.NoticeRepeated)
	case notice.Subscription == "":
		b.in.Counting.CountNotice(ports.NoticeIgnored)
	default:
		b.in.Counting.CountNotice(ports.NoticeTaken)
	}
	return nil
}

// Do does a BillingJob.
func (b *Billing) Do(ctx context.Context, job ports.Job) error {
	err := b.look(ctx, job.Billed, domain.ByBilling, b.in.Notices.PlanOf(job.BilledPlan))
	if errors.Is(err, domain.ErrNoSubscription) || errors.Is(err, domain.ErrNoBilling) {
		b.in.Log.WarnContext(ctx, "a notice is about a subscription that the billing provider does not have", "subscription", job.Billed)
		return nil
	}
	return err
}

// mostLooks is how often a subscription is fetched again because it was stored meanwhile.
const mostLooks = 10

// look fetches a subscription and stores it with what follows for its account. One of an
// account or a plan that is not known here is logged and counted.
func (b *Billing) look(ctx context.Context, id string, by domain.Way, shown ...domain.Plan) error {
	for range mostLooks {
		version, err := b.in.Book.Version(ctx, id)
		if err != nil {
			return err
		}
		sub, err := b.in.Records.Fetch(ctx, id)
		if err != nil {
			return err
		}
		if err := b.apply(ctx, sub, version, by, shown...); !errors.Is(err, domain.ErrStaleLook) {
			return err
		}
	}
	return fmt.Errorf("look at a subscription %d times: %w", mostLooks, domain.ErrStaleLook)
}

// apply stores a subscription that was fetched after its version was asked for.
func (b *Billing) apply(ctx context.Context, sub domain.BilledSubscription, version int64, by domain.Way, shown ...domain.Plan) error {
	if sub.Plan == "" {
		b.in.Counting.CountNotice(ports.NoticeUnknownPlan)
		b.in.Log.WarnContext(ctx, "a subscription has a plan that MILAAN_RAZORPAY_PLANS does not name", "subscription", sub.ID, "plan", sub.PlanID)
		if version == 0 {
			return nil
		}
	}
	now := b.in.Clock()
	event := newEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityAccount, By: by})
	applied, err := b.in.Book.Apply(ctx, ports.BillingLook{Subscription: sub, Shown: shown, Version: version}, now, event)
	switch {
	case errors.Is(err, domain.ErrNoAccount):
		b.in.Counting.CountNotice(ports.NoticeUnknownAccount)
		b.in.Log.WarnContext(ctx, "a subscription names no account of this service", "subscription", sub.ID)
		return nil
	case err == nil && applied.Changed:
		b.in.Log.InfoContext(ctx, "an account follows its subscription", "account_id", applied.Account.ID, "subscription", sub.ID, "status", string(sub.Status))
	}
	return err
}

const (
	// mostDue is how many subscriptions one round looks at.
	mostDue = 200
	// listEvery is the time between two lists of new subscriptions, and listSpan how far back
	// they go: longer than the service is out of reach of notices.
	listEvery = 15 * time.Minute
	listSpan  = 7 * 24 * time.Hour
)

// Round looks at the subscriptions that may have changed without a notice, and finds new ones.
// If one of them fails, the others are still looked at, unless the billing provider is away.
func (b *Billing) Round(ctx context.Context) error {
	if !b.in.Provider.Enabled() {
		return nil
	}
	now := b.in.Clock()
	due, err := b.in.Book.Due(ctx, now, mostDue)
	if err != nil {
		return err
	}
	var failed []error
	for _, id := range due {
		err := b.look(ctx, id, domain.ByBilling)
		if errors.Is(err, domain.ErrBilling) || ctx.Err() != nil {
			return err
		}
		if errors.Is(err, domain.ErrNoSubscription) { // it is not asked for each time, in the way of others
			b.in.Log.WarnContext(ctx, "the billing provider does not have a subscription any more; its account stays as it is", "subscription", id)
			_, err = b.in.Book.Apply(ctx, ports.BillingLook{Subscription: domain.BilledSubscription{ID: id}, Missing: true}, now, domain.SecurityEvent{})
		}
		failed = append(failed, err)
	}
	b.mu.Lock()
	late := b.listed.IsZero() || now.Sub(b.listed) >= listEvery
	b.mu.Unlock()
	if late {
		err := b.find(ctx, now, "")
		failed = append(failed, err)
		if err == nil {
			b.mu.Lock()
			b.listed = now
			b.mu.Unlock()
		}
	}
	return errors.Join(failed...)
}

// find looks at the new subscriptions that are not stored; with an account, at its own alone.
func (b *Billing) find(ctx context.Context, now time.Time, accountID string) error {
	all, err := b.in.Records.Since(ctx, now.Add(-listSpan))
	if err != nil {
		return err
	}
	for _, sub := range all {
		if sub.AccountID == "" || accountID != "" && sub.AccountID != accountID {
			continue
		}
		version, err := b.in.Book.Version(ctx, sub.ID)
		if err == nil && version == 0 {
			_, err = b.in.Accounts.ByID(ctx, sub.AccountID)
			if err == nil && sub.Plan != "" {
				err = b.look(ctx, sub.ID, domain.ByBilling)
			}
		}
		if err != nil && !errors.Is(err, domain.ErrNoAccount) { // of another service that sells there
			return err
		}
	}
	return nil
}

// ManagingBilling is what people do with their subscriptions. It fills ports.ManagingBilling
// and ports.EndingBilling.
type ManagingBilling struct {
	in      ManagingBillingParams
	billing *Billing
}

// ManagingBillingParams are what NewManagingBilling needs.
type ManagingBillingParams struct {
	fx.In

	Billing  *Billing
	Book     ports.BillingBook
	Starts   ports.BillingStarts
	Provider ports.Billing
	Accounts ports.AccountsByID
	Clock    ports.Clock
}

// NewManagingBilling makes the use case.
func NewManagingBilling(p ManagingBillingParams) *ManagingBilling {
	return &ManagingBilling{in: p, billing: p.Billing}
}

// Show fills ports.ManagingBilling.
func (m *ManagingBilling) Show(ctx context.Context, accountID string) (ports.AccountBilling, error) {
	account, err := m.in.Accounts.ByID(ctx, accountID)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	all, err := m.in.Book.Of(ctx, accountID)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	return ports.AccountBilling{Configured: m.in.Provider.Enabled(), Plans: m.in.Provider.Plans(ctx), Subscription: shown(all, m.in.Clock()), Account: account}, nil
}

// shown returns the subscription that an account's people are shown: the one that decides; if
// that has ended, the latest that can still be paid for.
func shown(all []domain.BilledSubscription, now time.Time) (sub domain.BilledSubscription) {
	decides := domain.BilledBy(all, now)
	for _, s := range all {
		if s.ID == decides.ID {
			sub = s
		}
	}
	if sub.Open() {
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

// endSpan is how long cancelling the subscriptions of an account and deleting it may take.
const endSpan = 5 * time.Minute

// Start fills ports.ManagingBilling.
func (m *ManagingBilling) Start(ctx context.Context, accountID, plan string, by domain.Way) (sub domain.BilledSubscription, err error) {
	chosen, err := m.choose(ctx, plan)
	if err != nil {
		return sub, err
	}
	now := m.in.Clock()
	start := ports.BillingStart{ID: newID(), AccountID: accountID, Until: now.Add(startSpan)}
	if err := m.in.Starts.Begin(ctx, start, now); err != nil {
		return sub, err
	}
	defer func() { err = errors.Join(err, m.in.Starts.End(context.WithoutCancel(ctx), start)) }()
	all, err := m.looked(ctx, accountID)
	if err != nil {
		return sub, err
	}
	for _, s := range all {
		if charges(s) && !s.Ending {
			return sub, domain.ErrSubscribed
		}
	}
	for _, s := range all {
		if s.Status != domain.BilledCreated {
			continue
		}
		if s.PlanID == chosen.ID && s.URL != "" {
			sub = s
			continue
		}
		// Otherwise its customer could pay for both.
		if err := m.cancel(ctx, s, true, by); err != nil && !errors.Is(err, domain.ErrBillingRefused) {
			return domain.BilledSubscription{}, err
		}
	}
	if sub.ID != "" {
		return sub, nil
	}
	if sub, err = m.in.Provider.Subscribe(ctx, chosen.ID, accountID); err != nil {
		return sub, err
	}
	return sub, m.store(ctx, sub, 0, by)
}

// charges says whether the customer of a subscription has agreed to be charged, and is.
func charges(s domain.BilledSubscription) bool {
	return s.Status == domain.BilledActive || s.Status == domain.BilledPending || s.Status == domain.BilledAuthenticated
}

// choose finds a plan that is sold by its name or the provider's id.
func (m *ManagingBilling) choose(ctx context.Context, plan string) (ports.BillingPlan, error) {
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

// looked looks at the subscriptions of an account that can still change, and lists all.
func (m *ManagingBilling) looked(ctx context.Context, accountID string) ([]domain.BilledSubscription, error) {
	all, err := m.in.Book.Of(ctx, accountID)
	if err != nil {
		return nil, err
	}
	for _, s := range all {
		if !s.Open() {
			continue
		}
		if err := m.billing.look(ctx, s.ID, domain.ByBilling); err != nil && !errors.Is(err, domain.ErrNoSubscription) {
			return nil, err
		}
	}
	return m.in.Book.Of(ctx, accountID)
}

// store stores what the provider has answered to a change. If the subscription was stored
// meanwhile, it is fetched again.
func (m *ManagingBilling) store(ctx context.Context, sub domain.BilledSubscription, version int64, by domain.Way) error {
	err := m.billing.apply(ctx, sub, version, by)
	if errors.Is(err, domain.ErrStaleLook) {
		err = m.billing.look(ctx, sub.ID, by)
	}
	return err
}

// Change fills ports.ManagingBilling.
func (m *ManagingBilling) Change(ctx context.Context, accountID, plan string, by domain.Way) (ports.AccountBilling, error) {
	chosen, err := m.choose(ctx, plan)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	all, err := m.looked(ctx, accountID)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	at := slices.IndexFunc(all, func(s domain.BilledSubscription) bool { return charges(s) && !s.Ending })
	if at < 0 {
		return ports.AccountBilling{}, domain.ErrNoSubscription
	}
	if all[at].PlanID != chosen.ID {
		version, err := m.in.Book.Version(ctx, all[at].ID)
		if err != nil {
			return ports.AccountBilling{}, err
		}
		changed, err := m.in.Provider.Change(ctx, all[at].ID, chosen.ID)
		if err != nil {
			return ports.AccountBilling{}, err
		}
		if err := m.store(ctx, changed, version, by); err != nil {
			return ports.AccountBilling{}, err
		}
	}
	return m.Show(ctx, accountID)
}

// Cancel fills ports.ManagingBilling.
func (m *ManagingBilling) Cancel(ctx context.Context, accountID string, by domain.Way) (ports.AccountBilling, error) {
	if !m.in.Provider.Enabled() {
		return ports.AccountBilling{}, domain.ErrNoBilling
	}
	all, err := m.looked(ctx, accountID)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	found := false
	for _, s := range all {
		if !s.Open() || s.Ending {
			found = found || s.Ending
			continue
		}
		found = true
		if err := m.cancel(ctx, s, s.Status != domain.BilledActive && s.Status != domain.BilledPending, by); err != nil {
			return ports.AccountBilling{}, err
		}
	}
	if !found {
		return ports.AccountBilling{}, domain.ErrNoSubscription
	}
	return m.Show(ctx, accountID)
}

// cancel ends one subscription.
func (m *ManagingBilling) cancel(ctx context.Context, s domain.BilledSubscription, atOnce bool, by domain.Way) error {
	version, err := m.in.Book.Version(ctx, s.ID)
	if err != nil {
		return err
	}
	cancelled, err := m.in.Provider.Cancel(ctx, s.ID, atOnce)
	if err != nil {
		return err
	}
	err = m.billing.apply(ctx, cancelled, version, by)
	for range mostLooks {
		if !errors.Is(err, domain.ErrStaleLook) {
			break
		}
		// It is fetched again, and that it ends is not to be forgotten.
		var now domain.BilledSubscription
		if version, err = m.in.Book.Version(ctx, s.ID); err != nil {
			return err
		}
		if now, err = m.billing.in.Records.Fetch(ctx, s.ID); err != nil {
			return err
		}
		now.Ending = cancelled.Ending && now.Open()
		err = m.billing.apply(ctx, now, version, by)
	}
	return err
}

// Refresh fills ports.ManagingBilling.
func (m *ManagingBilling) Refresh(ctx context.Context, accountID string) (ports.AccountBilling, error) {
	if !m.in.Provider.Enabled() {
		return ports.AccountBilling{}, domain.ErrNoBilling
	}
	if _, err := m.in.Accounts.ByID(ctx, accountID); err != nil {
		return ports.AccountBilling{}, err
	}
	if err := m.billing.find(ctx, m.in.Clock(), accountID); err != nil {
		return ports.AccountBilling{}, err
	}
	if _, err := m.looked(ctx, accountID); err != nil {
		return ports.AccountBilling{}, err
	}
	return m.Show(ctx, accountID)
}

// EndAll fills ports.EndingBilling.
func (m *ManagingBilling) EndAll(ctx context.Context, accountID string, erase func() error) (err error) {
	now := m.in.Clock()
	closing := ports.BillingStart{ID: newID(), AccountID: accountID, Closing: true, Until: now.Add(endSpan)}
	if err := m.in.Starts.Begin(ctx, closing, now); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.in.Starts.End(context.WithoutCancel(ctx), closing)) }()
	if m.in.Provider.Enabled() { // there may be one of which nothing is known yet
		if err := m.billing.find(ctx, now, accountID); err != nil {
			return err
		}
	}
	all, err := m.in.Book.Of(ctx, accountID)
	if err != nil {
		return err
	}
	for _, s := range all {
		if !s.Open() {
			continue
		}
		if err := m.cancel(ctx, s, true, domain.ByBilling); err != nil && !errors.Is(err, domain.ErrNoSubscription) {
			return err
		}
	}
	return erase()
}
