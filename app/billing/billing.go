package billing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
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
	Mails    ports.Mails
	Mailer   ports.Mailer
	MaySend  ports.MaySend
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
	fixed  bool          // its plan cannot be changed
	shown  []domain.Plan // plans that a notice has shown of it
}

// refresh fetches a subscription and stores it with what follows for its account. If it was
// stored meanwhile, it is fetched again. One of an account or a plan that is not known here is
// logged and counted.
func (b *Notices) refresh(ctx context.Context, id string, by domain.Actor, known untold) error {
	for range mostFetches {
		version, err := b.in.Book.Version(ctx, id)
		if err != nil {
			return err
		}
		sub, err := b.in.Records.Fetch(ctx, id)
		if err != nil {
			return err
		}
		sub.Ending, sub.Fixed = sub.Ending || known.ending, sub.Fixed || known.fixed
		accountID, err := b.apply(ctx, sub, version, by, known.shown...)
		switch {
		case errors.Is(err, domain.ErrStaleFetch):
			continue
		case err != nil || accountID == "":
			return err
		}
		return b.keepOne(ctx, accountID)
	}
	return fmt.Errorf("fetch a subscription %d times: %w", mostFetches, domain.ErrStaleFetch)
}

// keepOne ends the halted subscriptions of an account that a later one has replaced, and tells
// the operator and the owner of several that go on side by side: which of them is wanted, only
// a person knows.
func (b *Notices) keepOne(ctx context.Context, accountID string) error {
	all, err := b.in.Book.Of(ctx, accountID)
	if err != nil {
		return err
	}
	for _, s := range domain.Replaced(all) {
		err := b.cancel(ctx, s, true, domain.ByBilling)
		switch {
		case errors.Is(err, domain.ErrHeld): // somebody looks at it; it is cancelled after the hold
			return nil
		case errors.Is(err, domain.ErrBillingRefused), errors.Is(err, domain.ErrNoSubscription):
			b.in.Log.WarnContext(ctx, "a halted subscription cannot be cancelled, though a later one is active: cancel it at Razorpay",
				"account_id", accountID, "subscription", s.ID, "error", err)
		case err != nil:
			return err
		}
	}
	var twice []string
	for _, s := range domain.ChargedTwice(all) {
		twice = append(twice, s.ID)
	}
	if len(twice) == 0 {
		return nil
	}
	b.in.Records.CountNotice(ports.NoticeTwice)
	b.in.Log.WarnContext(ctx, "an account is charged for several subscriptions: cancel all but one at Razorpay", "account_id", accountID,
		"subscriptions", strings.Join(twice, " "))
	if !b.in.Mailer.Enabled() {
		return nil
	}
	slices.Sort(twice)
	_, err = b.in.Mails.Add(ctx, domain.Mail{ID: ids.New(), AccountID: accountID, Kind: domain.MailTwice, Period: strings.Join(twice, "+"),
		CreatedAt: b.in.Clock()})
	if errors.Is(err, domain.ErrNoAccount) {
		return nil
	}
	return err
}

// cancel ends one subscription, and stores it. A subscription that was stored meanwhile is
// fetched again, and that it ends is not forgotten.
func (b *Notices) cancel(ctx context.Context, s domain.BilledSubscription, atOnce bool, by domain.Actor) error {
	if err := b.in.MaySend.Check(ctx); err != nil {
		return err
	}
	version, err := b.in.Book.Version(ctx, s.ID)
	if err != nil {
		return err
	}
	cancelled, err := b.in.Provider.Cancel(ctx, s.ID, atOnce)
	if err != nil {
		return err
	}
	cancelled.Ending = cancelled.Ending || s.KeepsPaid(cancelled) // whatever was stored since s was read
	return b.store(ctx, cancelled, version, by)
}

// store stores what the provider has answered to a change.
func (b *Notices) store(ctx context.Context, answer domain.BilledSubscription, version int64, by domain.Actor) error {
	_, err := b.apply(ctx, answer, version, by)
	if errors.Is(err, domain.ErrStaleFetch) {
		err = b.refresh(ctx, answer.ID, by, untold{ending: answer.Ending, fixed: answer.Fixed})
	}
	return err
}

// apply stores a subscription that was fetched after its version was asked for, and returns its
// account; blank: nothing was stored.
func (b *Notices) apply(
	ctx context.Context, sub domain.BilledSubscription, version int64, by domain.Actor, shown ...domain.Plan,
) (accountID string, err error) {
	if sub.Plan == "" {
		b.in.Records.CountNotice(ports.NoticeUnknownPlan)
		b.in.Log.WarnContext(ctx, "a subscription has a plan that the settings of Razorpay do not name", "subscription", sub.ID, "plan",
			sub.PlanID)
		if version == 0 {
			return "", nil
		}
	}
	now := b.in.Clock()
	event := admission.NewEvent(domain.SecurityEvent{At: now, Kind: domain.SecurityAccount, By: by})
	applied, err := b.in.Book.Apply(ctx, ports.FetchedSubscription{Subscription: sub, Shown: shown, Version: version}, now, event)
	switch {
	case errors.Is(err, domain.ErrNoAccount):
		b.in.Records.CountNotice(ports.NoticeUnknownAccount)
		b.in.Log.WarnContext(ctx, "a subscription names no account of this service", "subscription", sub.ID)
		return "", nil
	case err == nil && applied.Changed:
		b.in.Log.InfoContext(ctx, "an account follows its subscription", "account_id", applied.Account.ID, "subscription", sub.ID, "status",
			string(sub.Status))
	}
	return applied.Account.ID, err
}

const (
	// mostDue is how many subscriptions one round fetches. If mostAway of them get no answer, one
	// after the other, the billing provider is away.
	mostDue  = 200
	mostAway = 3
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
	away, begin := 0, rand.IntN(max(len(due), 1)) // or those that always fail would come first each time
	for i := range due {
		id := due[(begin+i)%len(due)]
		err := b.refresh(ctx, id, domain.ByBilling, untold{})
		if away++; !errors.Is(err, domain.ErrBilling) {
			away = 0
		}
		if errors.Is(err, domain.ErrNoSubscription) { // it is not asked for each time, in the way of others
			b.in.Log.WarnContext(ctx, "the billing provider does not have a subscription any more; its account stays as it is", "subscription", id)
			_, err = b.in.Book.Apply(ctx, ports.FetchedSubscription{Subscription: domain.BilledSubscription{ID: id}, Missing: true}, now,
				domain.SecurityEvent{})
		}
		failed = append(failed, err)
		if away == mostAway || ctx.Err() != nil {
			break
		}
	}
	b.mu.Lock()
	since := now.Sub(b.listed) // below 0: the clock was set back
	late := since < 0 || since >= listEvery
	b.mu.Unlock()
	if late {
		err := b.findNew(ctx, time.Time{}, "")
		failed = append(failed, err)
		if err == nil {
			b.mu.Lock()
			b.listed = now
			b.mu.Unlock()
		}
	}
	return errors.Join(failed...)
}

// findNew fetches and stores the subscriptions since a time that are not stored, but none that rounds
// have found long ago; with an account, its own alone. If one fails, the others are still found.
func (b *Notices) findNew(ctx context.Context, since time.Time, accountID string) error {
	if oldest := b.in.Clock().Add(-listSpan); since.Before(oldest) {
		since = oldest
	}
	all, err := b.in.Records.Since(ctx, since)
	if err != nil {
		return err
	}
	var failed []error
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
		if ctx.Err() != nil {
			return errors.Join(append(failed, err, ctx.Err())...) // the rest was not looked at
		}
		if !errors.Is(err, domain.ErrNoAccount) { // of another service that sells there
			failed = append(failed, err)
		}
	}
	return errors.Join(failed...)
}
