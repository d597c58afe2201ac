package ports

import (
	"context"
	"milaan/domain"
	"time"
)

// ManagingBilling is what people do with their subscription, and what the billing provider posts
// about it. Its methods return domain.ErrNoAccount and the errors of Billing.
type ManagingBilling interface {
	// Show shows what is stored, without asking the provider for the subscription.
	Show(ctx context.Context, accountID string) (AccountBilling, error)
	// Look shows what is stored, after asking the provider for what can still change, at most
	// once in domain.RefreshRate. If the provider does not answer, it shows what was known.
	Look(ctx context.Context, accountID string) (AccountBilling, error)
	// Preview says what choosing a plan would do, and changes nothing. plan is as for Start.
	Preview(ctx context.Context, accountID, plan string) (BillingPreview, error)
	// Start makes a subscription and returns it with the URL at which the customer pays. plan
	// is a domain.Plan or the id of a BillingPlan. It begins when what is paid for ends, and
	// what could still be charged for is ended before it is made. One that was made before and
	// not paid for is returned again. Start returns domain.ErrSubscribed if one is active,
	// domain.ErrNotEnded, domain.ErrNotBegun, domain.ErrBillingStarting if another request makes
	// one or closes the account, and errors with CodeField and CodeRate.
	Start(ctx context.Context, accountID, plan string, by domain.Actor) (domain.BilledSubscription, error)
	// Change moves the active subscription to another plan at once; it returns
	// domain.ErrFixedPlan if the provider does not do so. With Anew it ends that subscription
	// when what is paid for ends, and makes another one as Start does, which is
	// AccountBilling.Next. It returns domain.ErrNoSubscription if none is active,
	// domain.ErrShownOtherwise if EndsNow is not so any more,
	// domain.ErrBillingStarting as Start does, and errors with CodeField and CodeRate.
	Change(ctx context.Context, accountID string, to PlanChange, by domain.Actor) (AccountBilling, error)
	// Cancel ends the active subscription at the end of the billed period. It returns
	// domain.ErrNoSubscription if none is active, domain.ErrShownOtherwise if endsNow is not what
	// AccountBilling.EndsNow is now (nil: nobody was shown it), and domain.ErrBillingStarting.
	Cancel(ctx context.Context, accountID string, endsNow *bool, by domain.Actor) (AccountBilling, error)
	// Refresh fetches all subscriptions of the account now.
	Refresh(ctx context.Context, accountID string) (AccountBilling, error)
	// EndAll cancels all subscriptions of an account at once, and then calls erase, which
	// deletes the account; meanwhile nobody makes a subscription for it. It may be repeated. It
	// returns the error of erase, and without calling it domain.ErrBillingStarting and the
	// errors of Billing: then some may not be cancelled. An account without subscriptions needs
	// no provider.
	EndAll(ctx context.Context, accountID string, erase func() error) error
	// TakeNotice checks a notice and stores it. It returns the errors of BillingRecords.Read, and
	// an error with CodeDatabase if it could not be stored: then the provider posts it again.
	TakeNotice(ctx context.Context, id, signature string, body []byte) error
}

// AccountBilling is an account's subscription at the billing provider, as its people see it.
type AccountBilling struct {
	Configured   bool
	Plans        []BillingPlan
	Subscription domain.BilledSubscription // the one that decides; the zero one: none
	Next         domain.BilledSubscription // another one that waits for its first charge; the zero one: none
	Twice        bool                      // several go on side by side: domain.ChargedTwice
	EndsNow      bool                      // cancelled now, the active one ends at once
	Account      domain.Account
}

// PlanChange is a change of plan that is asked for.
type PlanChange struct {
	Plan    string // as for ManagingBilling.Start
	Anew    bool
	EndsNow *bool // of the BillingPreview that was shown; nil: none was
}

// BillingPreview is what choosing a plan would do.
type BillingPreview struct {
	Plan BillingPlan
	// Anew says that another subscription takes the place of the active one, or that none is
	// active: its customer agrees to it at the provider. Else the active one is changed at once.
	Anew     bool
	BeginsAt time.Time // of the plan; zero: at once, or with Anew as soon as it is paid
	// EndsNow says that an active subscription is ended before the other one is paid: it is not
	// paid for now.
	EndsNow       bool
	Before, After domain.Account // the account as it is, and on that plan
}

// BillingOn says whether subscriptions are sold here.
type BillingOn bool

// Billing buys, changes and ends subscriptions at the billing provider. Its methods return
// domain.ErrBilling if the provider does not answer, domain.ErrBillingRefused if it refuses,
// domain.ErrNoBilling if none is configured, and domain.ErrNoSubscription if it has no
// subscription with an id.
type Billing interface {
	// Enabled says whether a billing provider is configured.
	Enabled() bool
	// Plans lists the plans of the settings, in their order. If the provider does not answer,
	// it still lists what the settings know.
	Plans(ctx context.Context) []BillingPlan
	// Subscribe makes a subscription. Nothing is charged before its customer agrees, on the page
	// that is its URL. After domain.ErrBillingLost it may have been made.
	Subscribe(ctx context.Context, s NewSubscription) (domain.BilledSubscription, error)
	// Change moves a subscription to another plan at once.
	Change(ctx context.Context, id, planID string) (domain.BilledSubscription, error)
	// Cancel ends a subscription: at the end of the billed period, or at once. One that has
	// ended is returned as it is.
	Cancel(ctx context.Context, id string, atOnce bool) (domain.BilledSubscription, error)
}

// NewSubscription is a subscription that is to be made.
type NewSubscription struct {
	Plan      BillingPlan // as the provider shows it
	AccountID string
	Attempt   string    // id of the BillingStart; the provider keeps it, and it is found again by it
	BeginsAt  time.Time // its first charge; zero: as soon as its customer agrees
}

// BillingPlan is a plan that can be bought at the billing provider.
type BillingPlan struct {
	ID       string // the billing provider's
	Plan     domain.Plan
	Name     string       // as the billing provider shows it; blank, as all below: not known
	Period   string       // daily, weekly, monthly or yearly
	Interval int          // of how many periods a charge is for
	Amount   domain.Paise // of one charge
}

// BillingRecords reads subscriptions at the billing provider, and what it posts. Its methods
// return the errors of Billing.
type BillingRecords interface {
	// Fetch returns a subscription as it is now.
	Fetch(ctx context.Context, id string) (domain.BilledSubscription, error)
	// Since lists subscriptions that were created at or after a time.
	Since(ctx context.Context, t time.Time) ([]domain.BilledSubscription, error)
	// PlanOf returns what a plan of the provider's is here; blank: the settings do not know it.
	PlanOf(planID string) domain.Plan
	// Read checks the signature of a body and reads the notice, whose ID it leaves blank. It
	// returns domain.ErrNotice if neither secret has signed the body, an error with CodeBody if
	// the body is not a notice, and domain.ErrNoBilling.
	Read(body []byte, signature string) (domain.BillingNotice, error)
	// CountNotice counts one notice by what became of it. Of a subscription that was fetched,
	// an unknown account or plan, and another one beside it, are counted as well.
	CountNotice(outcome NoticeOutcome)
}

// NoticeOutcome says what became of a notice.
type NoticeOutcome string

// The outcomes. A notice that was taken may also turn out to be of an account or a plan that
// is not known here.
const (
	NoticeTaken          NoticeOutcome = "taken"
	NoticeRepeated       NoticeOutcome = "repeated"
	NoticeIgnored        NoticeOutcome = "ignored" // not about a subscription
	NoticeRefused        NoticeOutcome = "refused" // not signed, or not a notice
	NoticeUnknownAccount NoticeOutcome = "unknown_account"
	NoticeUnknownPlan    NoticeOutcome = "unknown_plan"
	NoticeTwice          NoticeOutcome = "charged_twice" // the account has several subscriptions that go on
)

// NoticeOutcomes are all outcomes of notices.
var NoticeOutcomes = []NoticeOutcome{NoticeTaken, NoticeRepeated, NoticeIgnored, NoticeRefused,
	NoticeUnknownAccount, NoticeUnknownPlan, NoticeTwice}

// BillingBook stores notices and subscriptions, and what follows for the accounts.
type BillingBook interface {
	// Take stores a notice and adds its job, in one transaction. taken is false if one with
	// its id or with the hash of its body was taken before: nothing happens.
	Take(ctx context.Context, n domain.BillingNotice, at time.Time) (taken bool, err error)
	// Version says how often a subscription was stored; 0: never.
	Version(ctx context.Context, id string) (int64, error)
	// Apply stores a subscription and changes its account, in one transaction. It returns
	// domain.ErrStaleFetch if it was stored since Version was called: what was fetched may be
	// older than what is stored, and must be fetched again. It returns domain.ErrNoAccount if
	// its account is not known. event is stored if the account changes. Of one that is Missing,
	// only the time is stored: it may be another provider's, or of its test mode.
	Apply(ctx context.Context, fetched FetchedSubscription, now time.Time, event domain.SecurityEvent) (BillingApplied, error)
	// Of lists the subscriptions of an account, latest first.
	Of(ctx context.Context, accountID string) ([]domain.BilledSubscription, error)
	// Due lists the ids of subscriptions that must be fetched, at most limit, those first that
	// were not fetched for longest.
	Due(ctx context.Context, now time.Time, limit int) ([]string, error)
}

// FetchedSubscription is a subscription as it was fetched, and what was stored before.
type FetchedSubscription struct {
	Subscription domain.BilledSubscription
	Shown        []domain.Plan // plans that notices have shown of it
	Version      int64         // what BillingBook.Version returned before the fetch
	Missing      bool          // the provider has no subscription with this id, of which nothing else is known
}

// BillingApplied is what Apply did.
type BillingApplied struct {
	Account domain.Account
	Changed bool
}

// BillingStarts makes sure that one request at a time makes a subscription for an account, and
// none while the account is being closed.
type BillingStarts interface {
	// Begin returns domain.ErrBillingStarting if another request has begun and its time is not
	// over. A request that closes the account takes the place of another one that does: that
	// may have died. lostSince is when the first of those began that did not end: it may have
	// made a subscription; the zero time: all ended. It returns domain.ErrNoAccount.
	Begin(ctx context.Context, s BillingStart, now time.Time) (lostSince time.Time, err error)
	// End lets the next request begin, unless another one has taken its place. lost says that it
	// is still not known whether one was made: the next is told the same lostSince. It may be
	// repeated.
	End(ctx context.Context, s BillingStart, lost bool) error
}

// BillingStart is a request that makes a subscription for an account, or closes the account.
type BillingStart struct {
	ID, AccountID string
	Closing       bool
	Until         time.Time // then its time is over
}
