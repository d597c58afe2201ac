package conformance

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/only"
)

// Storage is every port of storage over one database.
type Storage struct {
	Accounts ports.Accounts
	All      ports.AllAccounts
	Keys     ports.Keys
	Windows  ports.RateWindows
	Sessions ports.SessionStore
	Events   ports.SecurityEvents
	People   interface {
		ports.People
		ports.Invitations
	}
	Runs     ports.Runs
	History  ports.RunHistory
	Mappings interface {
		ports.SavedMappings
		ports.NamedMappings
	}
	Brandings  ports.Brandings
	Books      ports.Books
	Webhooks   ports.Webhooks
	Deliveries ports.Deliveries
	Batches    interface {
		ports.Batches
		ports.BatchJobs
	}
	Claims      ports.RequestClaims
	Connections ports.Connections
	Passes      ports.Passes
	PassLog     ports.PassLog
	KeptFiles   ports.KeptFiles
	Ignored     ports.IgnoredFiles
	Ledgers     ports.ConnectionLedgers
	Mails       ports.Mails
	Phones      ports.Phones
	Alarms      ports.Alarms
	Billing     interface {
		ports.BillingBook
		ports.BillingStarts
	}
	Sweep    ports.Sweep
	Facts    peers.Facts
	Holds    ports.Holds
	Seals    ports.Seals
	Database peers.Database
	// Jobs are those that were added and whose transaction was committed, in
	// no order.
	Jobs func(t *testing.T) []ports.Job
	// Rows are the rows of all tables that hold a text, each with the name of its table, in
	// an order of their own. What is sealed is not looked into.
	Rows func(t *testing.T, text string) []string
	// SetKeptBytes changes what is stored as the size of a kept file, in bytes, and leaves its
	// content.
	SetKeptBytes func(t *testing.T, id string, size int64)
	// LostSecret opens the same database with another secret: what the others
	// seal cannot be opened with it.
	LostSecret func(t *testing.T) Storage
	// ChangedSecret opens it with LostSecret's secret and then the others': what
	// either seals can be opened with it.
	ChangedSecret func(t *testing.T) Storage
	// MissingSecret opens it with LostSecret's secret, but as one of several
	// instances: another one has the secret that is missing here.
	MissingSecret func(t *testing.T) Storage
}

// Write writes an entry, and nothing else, to the run book of an account.
func (s Storage) Write(ctx context.Context, accountID string, e ports.Entry) error {
	return s.Runs.Update(ctx, accountID, func(b ports.RunBook) error { return b.Write(e) })
}

// OpenStorage gives an empty database that is open twice, as in two processes. It is
// closed when the test ends, or later.
type OpenStorage func(t *testing.T) (one, other Storage)

// promises are the cases, each with what it holds.
var promises = cases{}

type cases map[string]func(t *testing.T, one, other Storage)

func (c cases) add(name string, check func(t *testing.T, one, other Storage)) struct{} {
	if c[name] != nil {
		panic("two cases are called " + name)
	}
	c[name] = check
	return struct{}{}
}

// RunStorage holds a filling to the promises of these ports. If cases are named, only
// these are run.
func RunStorage(t *testing.T, open OpenStorage, only ...string) {
	for _, name := range only {
		require.Contains(t, promises, name)
	}
	for name, check := range promises {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			one, other := open(t)
			check(t, one, other)
		})
	}
}

// many is how many goroutines do the same at once; half of them with either
// store. Where both databases are asked for there are more, and with MILAAN_SOAK most.
var many = func() int {
	switch {
	case os.Getenv("MILAAN_SOAK") != "":
		return 64
	case os.Getenv("MILAAN_TEST_BOTH_DATABASES") != "":
		return 32
	}
	return 12
}()

// beyondLimits is as many where a limit of 20 must be passed.
var beyondLimits = max(many, 32)

// InParallel calls do many times at once and returns the errors.
func InParallel(one, other Storage, do func(s Storage, i int) error) []error {
	return inParallel(many, one, other, do)
}

func inParallel(times int, one, other Storage, do func(s Storage, i int) error) []error {
	errs := make([]error, times)
	var all sync.WaitGroup
	begin := make(chan struct{})
	for i := range times {
		store := one
		if i%2 == 1 {
			store = other
		}
		all.Go(func() {
			<-begin
			errs[i] = do(store, i)
		})
	}
	close(begin)
	all.Wait()
	return errs
}

// requireInParallel is InParallel where no call may fail.
func requireInParallel(t *testing.T, one, other Storage, do func(s Storage, i int) error) {
	t.Helper()
	for i, err := range InParallel(one, other, do) {
		require.NoError(t, err, i)
	}
}

// Succeeded returns which calls had no error. All others must have failed with refusal.
func Succeeded(t *testing.T, errs []error, refusal error) (which []int) {
	t.Helper()
	for i, err := range errs {
		if err != nil {
			require.ErrorIs(t, err, refusal, i)
			continue
		}
		which = append(which, i)
	}
	return which
}

// AccountOf finds an account by its e-mail address.
func AccountOf(t *testing.T, s Storage, email string) domain.Account {
	t.Helper()
	return only.Value(s.Accounts.ByEmail(t.Context(), email))(t)
}

// WebhookOf finds the webhook of an account.
func WebhookOf(t *testing.T, s Storage, accountID string) domain.Webhook {
	t.Helper()
	return only.Value(s.Webhooks.Of(t.Context(), accountID))(t)
}

// BatchOf finds a batch of an account.
func BatchOf(t *testing.T, s Storage, accountID, id string) domain.Batch {
	t.Helper()
	return only.Value(s.Batches.Find(t.Context(), accountID, id))(t)
}

// DeliveryOf finds a delivery of an account.
func DeliveryOf(t *testing.T, s Storage, accountID, id string) domain.Delivery {
	t.Helper()
	return only.Value(s.Deliveries.Find(t.Context(), accountID, id))(t)
}

// RunsSince counts the stored runs of an account.
func RunsSince(t *testing.T, s Storage, accountID string, since time.Time) int {
	t.Helper()
	return only.Value(s.Runs.RunsSince(t.Context(), accountID, since))(t)
}

// noon is the moment of every case, with microseconds that must not be lost.
var noon = time.Date(2026, time.March, 31, 6, 30, 0, 123456000, time.UTC)

func anAccount(name string) domain.Account {
	runCap := 7
	return domain.Account{ID: "account-" + name, Email: name + "@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive,
		SubscribedOn: domain.DayFromDate(2026, 8, 31), PlanSince: domain.DayFromDate(2026, 9, 2), BillingDay: 31,
		PhoneVerified: true, RunCap: &runCap, OverdueDays: 9, AcceptCharges: true, CreatedAt: noon}
}

func created(t *testing.T, s Storage, name string) domain.Account {
	t.Helper()
	a := anAccount(name)
	require.NoError(t, s.Accounts.Create(t.Context(), a))
	return a
}

func aKey(account domain.Account, name string) domain.APIKey {
	return domain.APIKey{ID: "key-" + account.ID + name, AccountID: account.ID, Kind: domain.LiveKey, Hash: sha256.Sum256([]byte(account.ID + name)),
		Prefix: "milaan_live_" + name, IssuedAt: noon}
}

func issued(t *testing.T, s Storage, account domain.Account, name string) domain.APIKey {
	t.Helper()
	k := aKey(account, name)
	require.NoError(t, s.Keys.Rotate(t.Context(), k, domain.SecurityEvent{}))
	return k
}

// aRun has another figure in every field, so that none can take another's place.
func aRun(account domain.Account, id string, at time.Time) domain.Run {
	return domain.Run{ID: id, AccountID: account.ID, Brand: "Brand ₹", CourierName: "delhivery", Source: domain.SourceAPI,
		At: at, Took: 1234567 * time.Microsecond,
		Tally: domain.Tally{StorefrontRows: 11, CourierRows: 12, Orders: 13, Flags: domain.FlagCounts{21, 22, 23, 24, 25, 26, 27, 28},
			Due: 5_000_000_000_00, Remitted: 32, Shortfall: -33, AtRisk: 34, Unclaimed: 35, UnclaimedPaid: -36},
		Terms: domain.Terms{OffsetDays: 8, OffsetSource: domain.OffsetExplicit, MinorGap: 300},
		Guidance: domain.Guidance{OffsetDays: 8, OffsetSource: domain.OffsetExplicit, BatchAsOf: domain.DayFromDate(2026, 3, 30), CoverageComplete: true,
			DataThrough: domain.DayFromDate(2026, 4, 20), GuaranteedCoverageDays: 14, AwaitingNextCycle: 28},
		InputHash: inputHashOf(id)}
}

func inputHashOf(id string) domain.InputHash { return sha256.Sum256([]byte("hash of " + id)) }

func settle(t *testing.T, s Storage, account domain.Account, runs ...domain.Run) {
	t.Helper()
	require.NoError(t, s.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
		for _, run := range runs {
			if err := b.Write(ports.Entry{Run: run}); err != nil {
				return err
			}
		}
		return nil
	}))
}

func runID(i int) string { return fmt.Sprintf("run-%d", i) }

var _ = promises.add("a fact is changed by one at a time", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	value := only.Value(one.Facts.Find(ctx, "letters"))(t)
	require.Empty(t, value)
	refusal := errors.New("refused")
	require.Same(t, refusal, one.Facts.Alter(ctx, "letters", func(string) (string, error) { return "x", refusal }))
	requireInParallel(t, one, other, func(s Storage, _ int) error {
		return s.Facts.Alter(ctx, "letters", func(stored string) (string, error) { return stored + "a", nil })
	})
	value = only.Value(other.Facts.Find(ctx, "letters"))(t)
	require.Equal(t, strings.Repeat("a", many), value)
	require.NoError(t, one.Facts.Alter(ctx, "another", func(stored string) (string, error) { return stored + "its own", nil }))
	value = only.Value(other.Facts.Find(ctx, "another"))(t)
	require.Equal(t, "its own", value)
})

var _ = promises.add("a migrated database is ready", func(t *testing.T, one, other Storage) {
	require.NoError(t, one.Database.Ready(t.Context()))
	require.NoError(t, other.Database.Ready(t.Context()))
})

var _ = promises.add("a call whose context has ended fails", func(t *testing.T, one, _ Storage) {
	account := created(t, one, "gone")
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err := one.Accounts.ByEmail(gone, account.Email)
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, domain.ErrDatabase)

	leaving, leave := context.WithCancel(t.Context())
	err = one.Runs.Update(leaving, account.ID, func(b ports.RunBook) error {
		leave()
		return b.Write(ports.Entry{Run: aRun(account, "run", noon)})
	})
	require.ErrorIs(t, err, context.Canceled)
	require.NotErrorIs(t, err, domain.ErrDatabase)
	requireNoRuns(t, one, account)
})

// updating is what the ports have in common by which one value of an account is changed.
type updating[T any] interface {
	Update(ctx context.Context, account string, event domain.SecurityEvent, change func(*T) error) (T, error)
}

// Change changes a value of an account, which is named as its port does, and returns it.
func Change[T any](t *testing.T, values updating[T], account string, change func(*T)) T {
	t.Helper()
	v, err := values.Update(t.Context(), account, domain.SecurityEvent{}, func(v *T) error { change(v); return nil })
	require.NoError(t, err)
	return v
}

// updates is the case of such a port: an update that fails alters nothing, an unknown account has nothing to
// update, and updates do not overwrite each other. add adds one to what count counts.
func updates[T any](values func(Storage) updating[T], add func(*T), count func(T) int) func(t *testing.T, one, other Storage) {
	return func(t *testing.T, one, other Storage) {
		account := created(t, one, "updated")
		name := account.ID
		if _, byEmail := values(one).(updating[domain.Account]); byEmail {
			name = account.Email
		}
		was := Change(t, values(one), name, add)
		refusal := errors.New("refused")
		_, err := values(one).Update(t.Context(), name, domain.SecurityEvent{}, func(v *T) error {
			require.Equal(t, was, *v)
			add(v)
			return refusal
		})
		require.Same(t, refusal, err)
		require.Equal(t, was, Change(t, values(other), name, func(*T) {}))

		_, err = values(one).Update(t.Context(), "nobody", domain.SecurityEvent{}, func(*T) error {
			t.Error("there is nothing to change")
			return nil
		})
		require.ErrorIs(t, err, domain.ErrNoAccount)

		requireInParallel(t, one, other, func(s Storage, _ int) error {
			_, err := values(s).Update(t.Context(), name, domain.SecurityEvent{}, func(v *T) error { add(v); return nil })
			return err
		})
		require.Equal(t, count(was)+many, count(Change(t, values(one), name, func(*T) {})))
	}
}
