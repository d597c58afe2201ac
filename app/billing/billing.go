package billing

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

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// Notices keeps accounts as their subscriptions at the billing provider say. A notice only
// says that there is news: what counts is the subscription's state when it is fetched, so the
// order of notices does not matter. It takes notices, and does a BillingJob and a
// BillingRoundJob.
type Notices struct {
	in NoticesParams

	mu     sync.Mutex
	listed time.Time // when this process last listed the new subscriptions
}

// NoticesParams are what NewNotices needs.
type NoticesParams struct {
	fx.In

	Book     ports.BillingBook
	Provider ports.Billing
	Records  ports.BillingRecords
	Accounts ports.Accounts
	Clock    ports.Clock
	Log      *slog.Logger
}

// NewNotices makes the use case.
func NewNotices(p NoticesParams) *Notices { return &Notices{in: p} }

// mostNoticeID is the longest id of a notice that is kept, bytes. One with a longer id, or
// without any, is known by its body.
const mostNoticeID = 100

func (b *Notices) TakeNotice(ctx context.Context, id, signature string, body []byte) error {
	notice, err := b.in.Records.Read(body, signature)
	if err != nil {
		b.in.Records.CountNotice(ports.NoticeRefused)
		return err
	}
	// The signature is over the body alone: who has seen one posted could post it again and
	// again with other ids, and have the service fetch each time.
	sum := sha256.Sum256(body)
	notice.BodyHash = hex.EncodeToString(sum[:])
	if len(id) <= mostNoticeID {
		notice.ID = id
	}
	taken, err := b.in.Book.Take(ctx, notice, b.in.Clock())
	switch {
	case err != nil:
		return err
	case !taken:
		b.in.Records.CountNotice(ports.NoticeRepeated)
	case notice.Subscription == "":
		b.in.Records.CountNotice(ports.NoticeIgnored)
	default:
		b.in.Records.CountNotice(ports.NoticeTaken)
	}
	return nil
}

// Do does a BillingJob.
func (b *Notices) Do(ctx context.Context, job ports.Job) error {
	err := b.refresh(ctx, job.Billed, domain.ByBilling, untold{shown: []domain.Plan{b.in.Records.PlanOf(job.BilledPlan)}})
	if errors.Is(err, domain.ErrNoSubscription) || errors.Is(err, domain.ErrNoBilling) {
		b.in.Log.WarnContext(ctx, "a notice is about a subscription that the billing provider does not have", "subscription", job.Billed)
		return nil
	}
	return err
}

// mostFetches is how often a subscription is fetched because it was stored meanwhile.
const mostFetches = 10

// untold is what is known of a subscription and the billing provider does not tell when it is
// fetched.
type untold struct {
	ending bool          // it was cancelled to the end of the billed period
	shown  []domain.Plan // plans that a notice has shown of it
}

// refresh fetches a subscription and stores it with what follows for its account. If it was
// stored meanwhile, it is fetched again. One of an account or a plan that is not known here is
// logged and counted.
func (b *Notices) refresh(ctx context.Context, id string, by domain.Way, known untold) error {
	for range mostFetches {
		version, err := b.in.Book.Version(ctx, id)
		if err != nil {
			return err
		}
		sub, err := b.in.Records.Fetch(ctx, id)
		if err != nil {
			return err
		}
		sub.Ending = sub.Ending || known.ending && sub.Open()
		if err := b.apply(ctx, sub, version, by, known.shown...); !errors.Is(err, domain.ErrStaleFetch) {
			return err
		}
	}
	return fmt.Errorf("fetch a subscription %d times: %w", mostFetches, domain.ErrStaleFetch)
}

// apply stores a subscription that was fetched after its version was asked for.
func (b *Notices) apply(ctx context.Context, sub domain.BilledSubscription, version int64, by domain.Way, shown ...domain.Plan) error {
	if sub.Plan == "" {
		b.in.Records.CountNotice(ports.NoticeUnknownPlan)
		b.in.Log.WarnContext(ctx, "a subscription has a plan that the settings of Razorpay do not name", "subscription", sub.ID, "plan",
			sub.PlanID)
		if version == 0 {
			return nil
		}
	}
	now := b.in.Clock()
	event := admission.NewEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityAccount, By: by})
	applied, err := b.in.Book.Apply(ctx, ports.FetchedSubscription{Subscription: sub, Shown: shown, Version: version}, now, event)
	switch {
	case errors.Is(err, domain.ErrNoAccount):
		b.in.Records.CountNotice(ports.NoticeUnknownAccount)
		b.in.Log.WarnContext(ctx, "a subscription names no account of this service", "subscription", sub.ID)
		return nil
	case err == nil && applied.Changed:
		b.in.Log.InfoContext(ctx, "an account follows its subscription", "account_id", applied.Account.ID, "subscription", sub.ID, "status",
			string(sub.Status))
	}
	return err
}

const (
	// mostDue is how many subscriptions one round fetches.
	mostDue = 200
	// listEvery is the time between two lists of new subscriptions, and listSpan how far back
	// they go: longer than the service is out of reach of notices.
	listEvery = 15 * time.Minute
	listSpan  = 7 * 24 * time.Hour
)

// Round fetches the subscriptions that may have changed without a notice, and finds new ones.
// If one of them fails, the others are still fetched, unless the billing provider is away.
func (b *Notices) Round(ctx context.Context) error {
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
		err := b.refresh(ctx, id, domain.ByBilling, untold{})
		if errors.Is(err, domain.ErrBilling) || ctx.Err() != nil {
			return err
		}
		if errors.Is(err, domain.ErrNoSubscription) { // it is not asked for each time, in the way of others
			b.in.Log.WarnContext(ctx, "the billing provider does not have a subscription any more; its account stays as it is", "subscription", id)
			_, err = b.in.Book.Apply(ctx, ports.FetchedSubscription{Subscription: domain.BilledSubscription{ID: id}, Missing: true}, now,
				domain.SecurityEvent{})
		}
		failed = append(failed, err)
	}
	b.mu.Lock()
	late := b.listed.IsZero() || now.Sub(b.listed) >= listEvery
	b.mu.Unlock()
	if late {
		err := b.findNew(ctx, now, "")
		failed = append(failed, err)
		if err == nil {
			b.mu.Lock()
			b.listed = now
			b.mu.Unlock()
		}
	}
	return errors.Join(failed...)
}

// findNew fetches and stores the new subscriptions that are not stored; with an account, its
// own alone.
func (b *Notices) findNew(ctx context.Context, now time.Time, accountID string) error {
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
				err = b.refresh(ctx, sub.ID, domain.ByBilling, untold{})
			}
		}
		if err != nil && !errors.Is(err, domain.ErrNoAccount) { // of another service that sells there
			return err
		}
	}
	return nil
}

// Managing is what people do with their subscriptions.
type Managing struct{ in ManagingParams }

// ManagingParams are what NewManaging needs.
type ManagingParams struct {
	fx.In

	Billing  *Notices
	Book     ports.BillingBook
	Starts   ports.BillingStarts
	Provider ports.Billing
	Accounts ports.Accounts
	Clock    ports.Clock
}

// NewManaging makes the use case.
func NewManaging(p ManagingParams) *Managing { return &Managing{p} }

func (m *Managing) Show(ctx context.Context, accountID string) (ports.AccountBilling, error) {
	account, err := m.in.Accounts.ByID(ctx, accountID)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	all, err := m.in.Book.Of(ctx, accountID)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	return ports.AccountBilling{Configured: m.in.Provider.Enabled(), Plans: m.in.Provider.Plans(ctx),
		Subscription: chooseShown(all, m.in.Clock()), Account: account}, nil
}

// chooseShown returns the subscription that an account's people are shown: the one that
// decides; if that has ended, the latest that can still be paid for.
func chooseShown(all []domain.BilledSubscription, now time.Time) (sub domain.BilledSubscription) {
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

func (m *Managing) Start(ctx context.Context, accountID, plan string, by domain.Way) (sub domain.BilledSubscription, err error) {
	chosen, err := m.choose(ctx, plan)
	if err != nil {
		return sub, err
	}
	now := m.in.Clock()
	start := ports.BillingStart{ID: ids.New(), AccountID: accountID, Until: now.Add(startSpan)}
	if err := m.in.Starts.Begin(ctx, start, now); err != nil {
		return sub, err
	}
	defer func() { err = errors.Join(err, m.in.Starts.End(context.WithoutCancel(ctx), start)) }()
	all, err := m.refreshOpen(ctx, accountID)
	if err != nil {
		return sub, err
	}
	for _, s := range all {
		if isCharged(s) && !s.Ending {
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

// isCharged says whether the customer of a subscription has agreed to be charged, and is.
func isCharged(s domain.BilledSubscription) bool {
	return s.Status == domain.BilledActive || s.Status == domain.BilledPending || s.Status == domain.BilledAuthenticated
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
		if err := m.in.Billing.refresh(ctx, s.ID, domain.ByBilling, untold{}); err != nil && !errors.Is(err, domain.ErrNoSubscription) {
			return nil, err
		}
	}
	return m.in.Book.Of(ctx, accountID)
}

// store stores what the provider has answered to a change. If the subscription was stored
// meanwhile, it is fetched again, and that it ends is not forgotten.
func (m *Managing) store(ctx context.Context, answer domain.BilledSubscription, version int64, by domain.Way) error {
	err := m.in.Billing.apply(ctx, answer, version, by)
	if errors.Is(err, domain.ErrStaleFetch) {
		err = m.in.Billing.refresh(ctx, answer.ID, by, untold{ending: answer.Ending})
	}
	return err
}

func (m *Managing) Change(ctx context.Context, accountID, plan string, by domain.Way) (ports.AccountBilling, error) {
	chosen, err := m.choose(ctx, plan)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	all, err := m.refreshOpen(ctx, accountID)
	if err != nil {
		return ports.AccountBilling{}, err
	}
	at := slices.IndexFunc(all, func(s domain.BilledSubscription) bool { return isCharged(s) && !s.Ending })
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

func (m *Managing) Cancel(ctx context.Context, accountID string, by domain.Way) (ports.AccountBilling, error) {
	if !m.in.Provider.Enabled() {
		return ports.AccountBilling{}, domain.ErrNoBilling
	}
	all, err := m.refreshOpen(ctx, accountID)
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
func (m *Managing) cancel(ctx context.Context, s domain.BilledSubscription, atOnce bool, by domain.Way) error {
	version, err := m.in.Book.Version(ctx, s.ID)
	if err != nil {
		return err
	}
	cancelled, err := m.in.Provider.Cancel(ctx, s.ID, atOnce)
	if err != nil {
		return err
	}
	return m.store(ctx, cancelled, version, by)
}

func (m *Managing) Refresh(ctx context.Context, accountID string) (ports.AccountBilling, error) {
	if !m.in.Provider.Enabled() {
		return ports.AccountBilling{}, domain.ErrNoBilling
	}
	if _, err := m.in.Accounts.ByID(ctx, accountID); err != nil {
		return ports.AccountBilling{}, err
	}
	if err := m.in.Billing.findNew(ctx, m.in.Clock(), accountID); err != nil {
		return ports.AccountBilling{}, err
	}
	if _, err := m.refreshOpen(ctx, accountID); err != nil {
		return ports.AccountBilling{}, err
	}
	return m.Show(ctx, accountID)
}

func (m *Managing) EndAll(ctx context.Context, accountID string, erase func() error) (err error) {
	now := m.in.Clock()
	closing := ports.BillingStart{ID: ids.New(), AccountID: accountID, Closing: true, Until: now.Add(endSpan)}
	if err := m.in.Starts.Begin(ctx, closing, now); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.in.Starts.End(context.WithoutCancel(ctx), closing)) }()
	if m.in.Provider.Enabled() { // there may be one of which nothing is known yet
		if err := m.in.Billing.findNew(ctx, now, accountID); err != nil {
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
