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

// OpenStorage gives an empty database that is open twice, as in two processes. It is
// closed when the test ends, or later.
type OpenStorage func(t *testing.T) (one, other Storage)

// RunStorage holds a filling to the promises of these ports. If cases are named, only
// these are run.
func RunStorage(t *testing.T, open OpenStorage, only ...string) {
	cases := map[string]func(t *testing.T, one, other Storage){
		"a hold lasts until it is resumed":                       holdRoundTrip,
		"one of many resumes ends a hold":                        holdResumedParallel,
		"a resume leaves what waits":                             holdResumed,
		"a discarding resume drops what waited":                  holdDiscarded,
		"an account comes back as it was stored":                 accountRoundTrip,
		"an e-mail address is one account's":                     accountTaken,
		"an e-mail address is compared byte for byte":            accountByteForByte,
		"an unknown account is missed":                           accountMissing,
		"an update alters what it may":                           accountUpdate,
		"an account's updates are whole and exact":               accountUpdates,
		"accounts are listed by their addresses":                 accountsListed,
		"a deleted account leaves nothing":                       accountErased,
		"nothing is stored for an account that is deleted":       accountErasedMeanwhile,
		"no window of a deleted account is stored":               windowsErased,
		"a key comes with its account and its window":            keyPresented,
		"a key comes with whether there are mappings":            keyPresentedWithMappings,
		"an unknown key is refused unasked":                      keyUnknown,
		"a window is remembered whatever the ruling":             keyWindowRemembered,
		"a window that did not change is not remembered":         keyWindowUnchanged,
		"a rotated key is dead at once":                          keyRotated,
		"parallel rotations leave one key":                       keyRotationsParallel,
		"a new key begins with the window of the former one":     keyInherits,
		"a key's limit is exact through rotations":               keyLimitRotating,
		"keys revoked long ago are swept away":                   keysSwept,
		"a key's limit is exact":                                 keyLimitParallel,
		"a key is replaced by whoever has seen it":               keyReplaced,
		"an account has a key of each kind":                      keysOfKinds,
		"one of many replacements of a key succeeds":             keyReplacedParallel,
		"a key is revoked by its prefix":                         keyRevoked,
		"a revoked key leaves its window":                        keyRevokedInherits,
		"a key's last use is known":                              keyUseKnown,
		"a key is shown while it is active":                      keyShown,
		"a session comes back with its account":                  sessionRoundTrip,
		"a sign-in link is redeemed once":                        linkRedeemedOnce,
		"one of many redemptions of a link succeeds":             linkRedeemedParallel,
		"a session is ended by its account":                      sessionEnded,
		"all sessions of an account end":                         sessionsEnded,
		"no session outlives the end of all":                     sessionsEndedParallel,
		"ended sessions and links are swept away":                sessionsSwept,
		"a member's session has their role":                      memberSession,
		"a person's accounts are listed":                         accountsOfPerson,
		"an invitation comes back as it was stored":              invitationRoundTrip,
		"an invitation is sent with its mail":                    invitationMailed,
		"an invitation takes the place of the former one":        invitationReplaced,
		"an invitation is accepted once":                         invitationAcceptedOnce,
		"one of many acceptances of an invitation succeeds":      invitationAcceptedParallel,
		"an invitation is not accepted when its time is over":    invitationOver,
		"the limit of people is exact":                           peopleLimited,
		"the limit of invitations is exact":                      invitationsLimited,
		"a member's role is changed":                             roleChanged,
		"a removed member is out":                                memberRemoved,
		"a removal and a sign-in at once":                        memberRemovedOrSignedIn,
		"an acceptance and a withdrawal at once":                 acceptedOrWithdrawn,
		"a person's sessions end everywhere or here":             personSessionsEnded,
		"one of many sign-ups of a person makes an account":      signUpParallel,
		"the limit of sign-ups is exact":                         signUpsLimited,
		"ended invitations are swept away":                       invitationsSwept,
		"an event is listed for its account":                     eventsListed,
		"an event is stored with its change or not at all":       eventsWithChanges,
		"events are in the order of what they are about":         eventsInOrder,
		"an event names people, sealed":                          eventsNamePeople,
		"whose key was revoked is known":                         revokedKeysKnown,
		"old events are swept away":                              eventsSwept,
		"runs are listed in pages":                               runsListed,
		"runs are listed by their labels and times":              runsFiltered,
		"the labels of runs are listed":                          labelsListed,
		"a run is its account's":                                 runFound,
		"old runs are swept away":                                runsSwept,
		"a swept run drops its deliveries":                       runsSweptWithDeliveries,
		"named mappings are saved, renamed and removed":          namedMappings,
		"named mappings have a limit, exactly":                   namedMappingsLimited,
		"mappings are listed and removed":                        mappingsListed,
		"a client's window is remembered":                        windowRemembered,
		"a client's limit is exact":                              windowLimitParallel,
		"old windows are swept away":                             windowsSwept,
		"a run comes back as it was stored":                      runRoundTrip,
		"a duplicate is the latest identical run of the time":    runIdentical,
		"a run that was made before is found by inputs":          runMade,
		"one of many runs with the same inputs is stored":        madeParallel,
		"runs are counted from a moment on":                      runsCounted,
		"a failed settlement leaves nothing":                     settlementFails,
		"a settlement that panics leaves no event either":        settlementUndoesAll,
		"a settlement needs an account":                          settlementWithoutAccount,
		"the cap is exact":                                       capParallel,
		"one of many identical runs is stored":                   duplicatesParallel,
		"a settlement sees the account as it is":                 settlementSeesAccount,
		"a mapping is remembered per account and courier":        mappingSaved,
		"books come back as they were stored":                    booksRoundTrip,
		"a branding comes back as it was stored":                 brandingRoundTrip,
		"a branding's updates are whole and exact":               brandingUpdates,
		"updates of books are whole and exact":                   booksUpdates,
		"a webhook comes back as it was stored":                  webhookRoundTrip,
		"a webhook without a secret is none":                     webhookWithoutSecret,
		"a webhook's updates are whole and exact":                webhookUpdates,
		"sandbox runs are counted by the day":                    sandboxRunsCounted,
		"the sandbox runs of a day are exact":                    sandboxRunsParallel,
		"a sandbox batch is kept apart":                          sandboxBatch,
		"a run is announced to the endpoint":                     runAnnounced,
		"without an endpoint nothing is announced":               runNotAnnounced,
		"a delivery is added with its job":                       deliveryAdded,
		"an attempt is recorded with all that it needs":          attemptsRecorded,
		"no delivery has more than two attempts":                 attemptsParallel,
		"a settled delivery stays so":                            deliverySettled,
		"a delivery that has no endpoint any more is dropped":    deliveryDropped,
		"a batch's delivery goes to its own address":             batchDelivery,
		"old deliveries are swept away":                          deliveriesSwept,
		"what is pending for too long is given up":               deliveriesGivenUp,
		"a batch comes back as it was submitted":                 batchRoundTrip,
		"the last job completes the batch":                       batchCompleted,
		"each job ends once, each batch too":                     batchCompletedParallel,
		"the limit of open batches is exact":                     openBatchesLimited,
		"old batches are swept away":                             batchesSwept,
		"stale jobs are listed":                                  staleJobsListed,
		"the load is measured":                                   loadMeasured,
		"a job's labels are there without its files":             labelsKept,
		"a batch may be large":                                   largeBatch,
		"what is sealed is sealed afresh":                        resealed,
		"what changes meanwhile is not sealed over":              resealedMeanwhile,
		"what another instance can open is not lost":             missingSecret,
		"a webhook of a lost secret is none":                     lostWebhook,
		"a delivery of a lost secret is dropped":                 lostDelivery,
		"a batch of a lost secret can end":                       lostBatch,
		"a claim stands until it is over":                        claimStands,
		"one of many claims is taken":                            claimsParallel,
		"an ended lease is taken over once":                      leaseTakenOver,
		"a lease is renewed by its holder":                       leaseRenewed,
		"a claim that failed is forgotten":                       claimReleased,
		"a run is the outcome of its claim":                      runFulfils,
		"a batch is the outcome of its claim":                    batchFulfils,
		"a holder that has lost its claim stores nothing":        lostClaimStoresNothing,
		"an outcome and a release at once":                       fulfilledOrReleased,
		"a claim by a former secret stands":                      formerClaimStands,
		"old claims are swept away":                              claimsSwept,
		"a claim needs an account":                               claimWithoutAccount,
		"a connection comes back as it was stored":               connectionRoundTrip,
		"a connection's update that fails alters nothing":        connectionUpdateFails,
		"a connection's updates do not overwrite each other":     connectionUpdatesParallel,
		"the limit of connections is exact":                      connectionsLimited,
		"a brand is one connection's":                            connectionBrands,
		"a removed connection leaves nothing":                    connectionRemoved,
		"a connection of a lost secret needs attention":          lostConnection,
		"a pass that is due is scheduled":                        passScheduled,
		"missed passes are not made up":                          missedPasses,
		"a pass that is late has its own slot":                   latePass,
		"a connection has one pass in a period":                  scheduledParallel,
		"a clock that was ahead puts no pass off":                passAfterAJump,
		"64 connections that are due at once have one pass each": scheduledAtOnce,
		"a schedule takes those that waited longest":             scheduleLimited,
		"one of many passes that are asked for is added":         passAsked,
		"a pass begins with all that it needs":                   passBegun,
		"a pass ends once":                                       passEnded,
		"a pass stores one run or none":                          passRunOnce,
		"runs of the autopilot are not counted":                  autopilotUncounted,
		"passes are listed":                                      passesListed,
		"old passes are swept away":                              passesSwept,
		"a kept file comes back as it was stored":                keptFileRoundTrip,
		"the limit of kept bytes is exact":                       keptBytesLimited,
		"the limit of kept files is exact":                       keptFilesLimited,
		"old kept files are swept away":                          keptFilesSwept,
		"a kept file of a lost secret is none":                   lostKeptFile,
		"an ignored file comes back as it was stored":            ignoredRoundTrip,
		"the limit of ignored files is exact":                    ignoredLimited,
		"a file is ignored once":                                 ignoredOnce,
		"an ignored file of a lost secret is none":               lostIgnored,
		"a ledger comes back as it was stored":                   ledgerRoundTrip,
		"open items are kept while they are switched on":         ledgerSwitched,
		"one of many switches is in the log":                     ledgerSwitchedParallel,
		"marks of another version alter nothing":                 marksOfBefore,
		"marks do not overwrite each other":                      marksParallel,
		"a pass stores its ledger in place of the marks":         ledgerOfPass,
		"a ledger of before a switch is not stored":              ledgerOfBefore,
		"marks that are made during a pass stay":                 marksDuringPass,
		"marks and the end of a pass at once":                    marksAtTheEnd,
		"outdated ledgers are listed":                            ledgersOutdated,
		"an outdated ledger is replaced":                         ledgerReplaced,
		"no mark is lost while a ledger is replaced":             ledgerReplacedParallel,
		"a ledger of a lost secret is none":                      lostLedger,
		"a mail is added once":                                   mailOnce,
		"mails that are not wanted are not sent":                 mailChoice,
		"old mails are swept away":                               mailsSwept,
		"a phone code comes back as it was stored":               phoneCodeRoundTrip,
		"a phone code is valid for its time":                     phoneCodeTime,
		"a phone code replaces the one before it":                phoneCodeReplaced,
		"a phone is verified by its code, once":                  phoneConfirmed,
		"five of many guesses are judged":                        phoneChecksParallel,
		"one of many right codes verifies":                       phoneConfirmedParallel,
		"a new code does not let a guess in":                     phoneReplacedParallel,
		"a phone code that was not sent is dropped":              phoneCodeDropped,
		"a phone needs an account":                               phoneWithoutAccount,
		"old phone codes are swept away":                         phoneCodesSwept,
		"a phone of a lost secret is not known":                  lostPhone,
		"a phone code of a missing secret is not lost":           missingPhone,
		"connections are watched":                                connectionsWatched,
		"the runs of a time are listed":                          runsBetween,
		"a notice is taken once, with its job":                   noticeTakenOnce,
		"a billed subscription comes back as it was stored":      billedRoundTrip,
		"what may be old is not stored":                          staleLooks,
		"all subscriptions of an account count":                  billedTogether,
		"subscriptions are due":                                  billedDue,
		"subscriptions of an account are made one by one":        startsOneByOne,
		"starts that did not end are told to the next one":       startsThatAreLost,
		"a closing account can be closed by another":             closingsGoOn,
		"a billed subscription of a lost secret has no address":  lostBilled,
		"a fact is changed by one at a time":                     factAltered,
		"a migrated database is ready":                           databaseReady,
		"a call whose context has ended fails":                   callerGone,
	}
	for _, name := range only {
		require.Contains(t, cases, name)
	}
	for name, check := range cases {
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

func factAltered(t *testing.T, one, other Storage) {
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
}

func databaseReady(t *testing.T, one, other Storage) {
	require.NoError(t, one.Database.Ready(t.Context()))
	require.NoError(t, other.Database.Ready(t.Context()))
}

func callerGone(t *testing.T, one, _ Storage) {
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
}

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
