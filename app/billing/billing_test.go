package billing_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/razorpay"
	"milaan/app/billing"
	"milaan/domain"
	"milaan/ports"
	fake "milaan/tests/fakes/razorpay"
	"milaan/tests/only"
)

// billingBook is ports.BillingBook, BillingStarts and AccountsByID in memory.
type billingBook struct {
	ports.Accounts
	mu       sync.Mutex
	accounts map[string]domain.Account
	subs     map[string]domain.BilledSubscription
	versions map[string]int64
	looked   map[string]time.Time
	last     map[string]domain.Billed
	taken    map[string]bool
	starts   map[string]ports.BillingStart
	since    map[string]time.Time // when the first of the starts began that did not end
	jobs     []ports.Job
	mailed   *mailed
	// dead says that the process was killed: nothing is stored any more.
	dead    atomic.Bool
	givesUp time.Time // until when whoever has asked for subscriptions waits
	// before is called by Apply before anything is stored; it may be nil.
	before func(domain.BilledSubscription)
}

func newBillingBook() *billingBook {
	return &billingBook{accounts: map[string]domain.Account{}, subs: map[string]domain.BilledSubscription{}, versions: map[string]int64{},
		looked: map[string]time.Time{}, last: map[string]domain.Billed{}, taken: map[string]bool{}, starts: map[string]ports.BillingStart{},
		since: map[string]time.Time{}, mailed: &mailed{}}
}

var errKilled = errors.New("the process was killed")

// mailed is ports.Mails and ports.Mailer, of which only adding is used.
type mailed struct {
	ports.Mails
	ports.Mailer
	mu  sync.Mutex
	all []domain.Mail
}

func (*mailed) Enabled() bool { return true }

func (m *mailed) Add(_ context.Context, mail domain.Mail) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, known := range m.all {
		if known.AccountID == mail.AccountID && known.Kind == mail.Kind && known.Period == mail.Period {
			return false, nil
		}
	}
	m.all = append(m.all, mail)
	return true, nil
}

// rateWindows is ports.RateWindows in memory.
type rateWindows struct {
	mu  sync.Mutex
	all map[string]domain.RateWindow
}

func (w *rateWindows) Update(_ context.Context, subject string, decide func(domain.RateWindow) (domain.RateWindow, bool)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.all == nil {
		w.all = map[string]domain.RateWindow{}
	}
	if next, changed := decide(w.all[subject]); changed {
		w.all[subject] = next
	}
	return nil
}

func (b *billingBook) Take(_ context.Context, n domain.BillingNotice, _ time.Time) (bool, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.taken[n.ID] || b.taken[n.BodyHash] {
		return false, nil
	}
	b.taken[n.ID], b.taken[n.BodyHash] = n.ID != "", n.BodyHash != ""
	if n.Subscription != "" {
		b.jobs = append(b.jobs, ports.Job{Kind: ports.BillingJob, Billed: n.Subscription, BilledPlan: n.PlanID})
	}
	return true, nil
}

func (b *billingBook) Version(_ context.Context, id string) (int64, error) {
	if b.dead.Load() {
		return 0, errKilled
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.versions[id], nil
}

func (b *billingBook) Apply(_ context.Context, look ports.FetchedSubscription, now time.Time, _ domain.SecurityEvent) (ports.BillingApplied, error) {
	if b.dead.Load() {
		return ports.BillingApplied{}, errKilled
	}
	if b.before != nil {
		b.before(look.Subscription)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	id, accountID := look.Subscription.ID, look.Subscription.AccountID
	if look.Missing {
		b.looked[id] = now
		return ports.BillingApplied{}, nil
	}
	var was *domain.BilledSubscription
	if s, known := b.subs[id]; known {
		was, accountID = &s, s.AccountID
	}
	account, known := b.accounts[accountID]
	if !known {
		return ports.BillingApplied{}, domain.ErrNoAccount
	}
	if b.versions[id] != look.Version {
		return ports.BillingApplied{}, domain.ErrStaleFetch
	}
	b.subs[id] = look.Subscription.Noticed(was, look.Shown, domain.DayOf(now))
	b.versions[id]++
	b.looked[id] = now
	next := domain.BilledBy(b.of(accountID), now)
	changed := account
	changed.FollowBilling(b.last[accountID], next, now)
	b.last[accountID], b.accounts[accountID] = next, changed
	return ports.BillingApplied{Account: changed, Changed: len(changed.ChangesSince(account)) > 0}, nil
}

func (b *billingBook) of(accountID string) (all []domain.BilledSubscription) {
	for _, s := range b.subs {
		if s.AccountID == accountID {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b domain.BilledSubscription) int { return b.CreatedAt.Compare(a.CreatedAt) })
	return all
}

func (b *billingBook) Of(ctx context.Context, accountID string) ([]domain.BilledSubscription, error) {
	if b.dead.Load() {
		return nil, errKilled
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.givesUp, _ = ctx.Deadline()
	return b.of(accountID), nil
}

func (b *billingBook) Due(_ context.Context, now time.Time, _ int) (ids []string, _ error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for id, s := range b.subs {
		if !s.Status.Final() && now.Sub(b.looked[id]) >= 23*time.Hour || s.Open() && s.PeriodEnd != domain.NoDay && s.PeriodEnd <= domain.DayOf(now) {
			ids = append(ids, id)
		}
	}
	slices.SortFunc(ids, func(one, other string) int {
		return cmp.Or(b.looked[one].Compare(b.looked[other]), strings.Compare(one, other))
	})
	return ids, nil
}

func (b *billingBook) Begin(_ context.Context, s ports.BillingStart, now time.Time) (lostSince time.Time, err error) {
	if b.dead.Load() {
		return time.Time{}, errKilled
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	begun, left := b.starts[s.AccountID]
	if now.Before(begun.Until) && !(begun.Closing && s.Closing) {
		return time.Time{}, domain.ErrBillingStarting
	}
	if b.starts[s.AccountID] = s; !left {
		b.since[s.AccountID] = now
		return time.Time{}, nil
	}
	return b.since[s.AccountID], nil
}

func (b *billingBook) End(_ context.Context, s ports.BillingStart, lost bool) error {
	if b.dead.Load() {
		return errKilled
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	switch s.Until = (time.Time{}); {
	case b.starts[s.AccountID].ID != s.ID:
	case lost:
		b.starts[s.AccountID] = s
	default:
		delete(b.starts, s.AccountID)
	}
	return nil
}

func (b *billingBook) ByID(_ context.Context, id string) (domain.Account, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	a, known := b.accounts[id]
	if !known {
		return a, domain.ErrNoAccount
	}
	return a, nil
}

// billed is the use cases over a fake Razorpay, at a time that a test moves.
type billed struct {
	book     *billingBook
	razorpay *fake.Server
	billing  *billing.Notices
	managing *billing.Managing
	log      bytes.Buffer
	seen     map[string]string // what Razorpay has posted notices of
	now      time.Time
}

func newBilled(t *testing.T, now time.Time) *billed {
	b := &billed{book: newBillingBook(), now: now, seen: map[string]string{}}
	clock := func() time.Time { return b.now }
	b.razorpay = fake.New(t, clock, fake.PlanOf("solo_m", "monthly"), fake.PlanOf("pro_m", "monthly"), fake.PlanOf("solo_y", "yearly"), fake.PlanOf("pro_y", "yearly"))
	client := razorpay.New(razorpay.Settings{KeyID: fake.KeyID, KeySecret: fake.KeySecret, WebhookSecrets: []string{fake.WebhookSecret}, URL: b.razorpay.URL(), Pause: time.Nanosecond,
		Plans: []ports.BillingPlan{{ID: "solo_m", Plan: domain.Solo}, {ID: "pro_m", Plan: domain.Pro}, {ID: "solo_y", Plan: domain.Solo}, {ID: "pro_y", Plan: domain.Pro}}}, clock)
	b.billing = billing.NewNotices(billing.NoticesParams{Book: b.book, Provider: client, Records: client, Accounts: b.book, Mails: b.book.mailed, Mailer: b.book.mailed, Clock: clock,
		Log: slog.New(slog.NewTextHandler(&b.log, nil))})
	b.managing = &billing.Managing{Notices: b.billing, Starts: b.book, Windows: &rateWindows{}}
	b.sign("1")
	return b
}

// sign makes an account that has bought nothing.
func (b *billed) sign(id string) {
	day := domain.DayOf(b.now)
	b.book.accounts[id] = domain.Account{ID: id, Email: id + "@shop.example", Plan: domain.Solo, Subscription: domain.SubscriptionIncomplete, SubscribedOn: day, PlanSince: day, BillingDay: 7, PhoneVerified: true}
}

func (b *billed) account() domain.Account { return b.book.accounts["1"] }

func (b *billed) post(t *testing.T, n fake.Notice) {
	t.Helper()
	require.NoError(t, b.billing.TakeNotice(t.Context(), n.ID, n.Signature, n.Body))
}

// work does the jobs that were added.
func (b *billed) work(t *testing.T) {
	t.Helper()
	jobs := b.book.jobs
	b.book.jobs = nil
	for _, job := range jobs {
		require.NoError(t, b.billing.Do(t.Context(), job))
	}
}

func TestANoticeOnlyBringsTheNews(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 9, 14))
	id := b.razorpay.Create("pro_m", "1")
	old := b.razorpay.Notify("subscription.authenticated", id)
	b.razorpay.Activate(id)
	b.post(t, b.razorpay.Notify("subscription.activated", id))
	b.post(t, old) // late
	b.post(t, old) // and again
	require.Len(t, b.book.jobs, 2)
	b.work(t)
	require.NoError(t, b.account().MayUseAPI(b.now))
	require.Equal(t, "2026-09-14", b.account().Cycle(b.now).Start.String())

	b.post(t, b.razorpay.Notify("refund.created", id))
	require.Empty(t, b.book.jobs)
	n := b.razorpay.Notify("subscription.charged", id)
	require.ErrorIs(t, b.billing.TakeNotice(t.Context(), n.ID, n.Signature, append(n.Body, ' ')), domain.ErrNotice)
	n.ID = ""
	b.post(t, n)
	b.post(t, n)
	for _, id := range []string{"evt_made_up", strings.Repeat("e", 200)} {
		n.ID = id
		b.post(t, n)
	}
	require.Len(t, b.book.jobs, 1, "a notice is known by its body, whatever id it comes with: the id is not signed")

	for _, stranger := range []string{b.razorpay.Create("pro_m", "unknown"), b.razorpay.Create("plan_unknown", "1"), b.razorpay.Create("pro_m", "")} {
		b.post(t, b.razorpay.Notify("subscription.activated", stranger))
	}
	b.book.jobs = append(b.book.jobs, ports.Job{Kind: ports.BillingJob, Billed: "sub_nowhere"})
	b.work(t)
	require.Len(t, b.book.subs, 1)
}

// What was fetched before another instance stored something newer is fetched again.
func TestAnOlderLookIsNotStored(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 9, 14))
	id := b.razorpay.Create("pro_m", "1")
	b.razorpay.Activate(id)
	interfered := false
	b.book.before = func(domain.BilledSubscription) {
		if interfered {
			return
		}
		interfered = true
		b.razorpay.Edit(id, func(s *fake.Subscription) { s.Status = "halted" })
		require.NoError(t, b.billing.Do(t.Context(), ports.Job{Billed: id})) // by the other instance
	}
	require.NoError(t, b.billing.Do(t.Context(), ports.Job{Billed: id}))
	require.ErrorIs(t, b.account().MayUseAPI(b.now), domain.ErrSubscription)
	require.EqualValues(t, 2, b.book.versions[id])
}

func TestRoundsFindWhatNoNoticeCameFor(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 9, 14))
	id := b.razorpay.Create("pro_m", "1")
	b.razorpay.Create("pro_m", "of-another-service")
	b.razorpay.Activate(id)
	require.NoError(t, b.billing.Round(t.Context()))
	require.NoError(t, b.account().MayUseAPI(b.now))
	require.Len(t, b.book.subs, 1)
	asked := len(b.razorpay.Asked())
	require.NoError(t, b.billing.Round(t.Context()))
	require.Len(t, b.razorpay.Asked(), asked, "nothing is due")
	b.razorpay.Edit(id, func(s *fake.Subscription) { s.Status = "halted" })
	b.now = b.now.AddDate(0, 0, 1)
	require.NoError(t, b.billing.Round(t.Context()))
	require.ErrorIs(t, b.account().MayUseAPI(b.now), domain.ErrSubscription)

	lost := b.account()
	b.razorpay.Edit(id, func(s *fake.Subscription) { s.ID = "sub_elsewhere" })
	b.now = b.now.AddDate(0, 0, 1)
	asked = len(b.razorpay.Asked())
	require.NoError(t, b.billing.Round(t.Context()))
	require.Contains(t, b.razorpay.Asked()[asked:], "GET /v1/subscriptions/"+id)
	asked = len(b.razorpay.Asked())
	require.NoError(t, b.billing.Round(t.Context()))
	require.NotContains(t, b.razorpay.Asked()[asked:], "GET /v1/subscriptions/"+id, "what Razorpay does not have is not asked for each time")
	require.Equal(t, lost, b.account())
}

func TestRoundsGoOnAfterTheClockWasSetBack(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 9, 15))
	require.NoError(t, b.billing.Round(t.Context()))
	b.now = b.now.AddDate(0, 0, -1)
	b.razorpay.Activate(b.razorpay.Create("pro_m", "1"))
	require.NoError(t, b.billing.Round(t.Context()))
	require.NoError(t, b.account().MayUseAPI(b.now))
}

// Subscriptions that cannot be read keep no other from being looked at, and a provider that is away is
// asked a few times alone.
func TestOddSubscriptionsHoldNobodyUp(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 9, 14))
	var all []string
	for _, account := range []string{"1", "2", "3", "4", "5"} {
		b.sign(account)
		all = append(all, b.razorpay.Create("pro_m", account))
		b.razorpay.Activate(all[len(all)-1])
	}
	require.NoError(t, b.billing.Round(t.Context()))
	for i, id := range all {
		b.razorpay.Edit(id, func(s *fake.Subscription) { s.Status = []string{"", "", "", "halted", "halted"}[i] })
	}
	b.now = b.now.AddDate(0, 0, 1)
	for range 100 { // where a round begins is left to chance
		require.ErrorIs(t, b.billing.Round(t.Context()), domain.ErrBilling)
	}
	for _, account := range []string{"4", "5"} {
		require.ErrorIs(t, b.book.accounts[account].MayUseAPI(b.now), domain.ErrSubscription, account)
	}
	b.sign("6")
	b.razorpay.Activate(b.razorpay.Create("pro_m", "6"))
	odd := b.razorpay.Create("pro_m", "6") // the latest comes first
	b.refuse(http.StatusInternalServerError, func(r *http.Request) bool { return strings.HasSuffix(r.URL.Path, odd) })
	b.now = b.now.Add(15 * time.Minute)
	require.ErrorIs(t, b.billing.Round(t.Context()), domain.ErrBilling)
	require.NoError(t, b.book.accounts["6"].MayUseAPI(b.now), "it is new")
	b.now = b.now.AddDate(0, 0, 1)
	asked := len(b.razorpay.Asked())
	b.razorpay.Answer(func(w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusServiceUnavailable)
		return true
	})
	require.ErrorIs(t, b.billing.Round(t.Context()), domain.ErrBilling)
	require.Len(t, b.razorpay.Asked()[asked:], 12, "three subscriptions and the list, each three times")
}

func TestOwnersManageTheirSubscription(t *testing.T) {
	t.Parallel()
	b := newBilled(t, noonOf(2026, 9, 14))
	ctx := t.Context()
	_, err := b.managing.Start(ctx, "1", "gold", domain.ByAPI)
	require.Equal(t, domain.Faults{{Field: domain.FieldPlan, Rule: domain.RuleOneOf, Options: []string{"solo", "pro", "solo_m", "pro_m", "solo_y", "pro_y"}}}.Err(), err)
	require.ErrorIs(t, only.Err(b.managing.Cancel(ctx, "1", nil, domain.ByAPI)), domain.ErrNoSubscription)

	var all sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		all.Go(func() { _, errs[i] = b.managing.Start(ctx, "1", "Pro", domain.ByAPI) })
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			require.ErrorIs(t, err, domain.ErrBillingStarting)
		}
	}
	require.Len(t, b.razorpay.All(), 1, "however many ask at once, one is made")
	made := only.Value(b.managing.Start(ctx, "1", "pro_m", domain.ByAPI))(t)
	require.Equal(t, "https://rzp.example/"+made.ID, made.URL, "it waits to be paid")
	other := only.Value(b.managing.Start(ctx, "1", "solo_y", domain.ByAPI))(t)
	require.NotEqual(t, made.ID, other.ID)
	require.Equal(t, "cancelled", b.razorpay.All()[0].Status, "nobody can pay for both")
	require.ErrorIs(t, b.account().MayUseAPI(b.now), domain.ErrSetup)

	b.razorpay.Activate(other.ID)
	_, err = b.managing.Start(ctx, "1", "pro", domain.ByAPI) // it looks first
	require.ErrorIs(t, err, domain.ErrSubscribed)
	shown := only.Value(b.managing.Change(ctx, "1", ports.PlanChange{Plan: "pro"}, domain.ByAPI))(t)
	require.Equal(t, domain.Pro, shown.Subscription.Plan)
	require.NoError(t, b.account().MayUseAPI(b.now))
	shown = only.Value(b.managing.Cancel(ctx, "1", nil, domain.ByAPI))(t)
	require.Equal(t, b.razorpay.All()[1].End, shown.Subscription.EndsAt().Unix())
	require.NoError(t, b.account().MayUseAPI(b.now), "it is paid for")
	shown = only.Value(b.managing.Refresh(ctx, "1"))(t)
	require.True(t, shown.Subscription.Ending)
	require.NoError(t, only.Err(b.managing.Start(ctx, "1", "pro_m", domain.ByAPI)), "one that ends keeps nobody from starting another")

	hidden := b.razorpay.Create("pro_m", "1") // no notice has come yet
	b.razorpay.Activate(hidden)
	kept := errors.New("the account is not erased")
	require.ErrorIs(t, b.managing.EndAll(ctx, "1", func() error {
		for _, s := range b.razorpay.All() {
			require.Equal(t, "cancelled", s.Status)
		}
		require.ErrorIs(t, only.Err(b.managing.Start(ctx, "1", "pro", domain.ByAPI)), domain.ErrBillingStarting, "nothing is bought for an account that is being closed")
		require.ErrorIs(t, b.managing.EndAll(ctx, "1", func() error { return kept }), kept, "the first may have died")
		return kept
	}), kept)
	require.ErrorIs(t, b.account().MayUseAPI(b.now), domain.ErrSubscription)
	require.NoError(t, b.managing.EndAll(ctx, "1", func() error { return nil }), "it may be repeated")
	require.NoError(t, only.Err(b.managing.Start(ctx, "1", "pro", domain.ByAPI)), "an account that is still there may be paid for again")
}

func noonOf(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 12, 0, 0, 0, domain.Kolkata)
}

func jobOf(id string) ports.Job { return ports.Job{Kind: ports.BillingJob, Billed: id} }
