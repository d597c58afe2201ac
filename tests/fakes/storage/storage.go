// Package storage is the storage of the service for tests of the use cases.
package storage

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"milaan/adapters/secrets"
	adapter "milaan/adapters/storage"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// Store is the service's storage on SQLite, in a file of its own. Each operation may
// be made to fail, and what storage does twice if a database asks for a transaction to
// be repeated, it does twice here always.
type Store struct {
	T       testing.TB
	Secrets *secrets.Secrets
	Behind  *sql.DB // the same database, behind the ports
	Account domain.Account
	Now     time.Time

	Accounts   ports.Accounts
	People     storedPeople
	Keys       ports.Keys
	Windows    ports.RateWindows
	Runs       ports.Runs
	Brandings  ports.Brandings
	Books      ports.Books
	Webhooks   ports.Webhooks
	Deliveries ports.Deliveries
	Batches    storedBatches
	Claims     ports.RequestClaims
	Sweep      ports.Sweep
	Security   ports.SecurityEvents
	History    ports.RunHistory
	Mappings   interface {
		ports.SavedMappings
		ports.NamedMappings
	}

	Connections ports.Connections
	Passes      storedPasses
	Kept        ports.KeptFiles
	Ignored     ports.IgnoredFiles
	Ledgers     ports.ConnectionLedgers
	Phones      ports.Phones

	Fault   func(operation string) error // asked before an operation, and after it with "after "
	Stale   domain.RateWindow            // what a decision on a rate window is tried on first
	Load    *domain.BatchLoad            // given instead of the true one
	Expired ports.Expiry                 // of the last sweep
	mu      sync.Mutex
	Calls   map[string]int // by operation
}

// migrated is the file of a database that holds nothing.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "milaan")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s, err := adapter.Open(context.Background(), adapter.Settings{DataDir: dir, Also: makeOutbox}, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, "milaan.db"))
})

// New makes a store that holds an account; the zero account is none.
func New(t testing.TB, account domain.Account) *Store {
	t.Helper()
	file := only.Value(migrated())(t)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "milaan.db"), file, 0o600))
	unsynced := adapter.Settings{DataDir: dir, Sync: func(*os.File) error { return nil }} // no use case survives a power cut here
	db := only.Value(adapter.Open(t.Context(), unsynced, slog.New(slog.DiscardHandler)))(t)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	s := &Store{T: t, Now: LateEvening, Behind: db.Handle().SQLite, Secrets: secrets.New([]byte("thirty-two bytes of a test's own")), Calls: map[string]int{}, Fault: Failing("", nil)}
	s.Accounts = faultyAccounts{adapter.New[adapter.Accounts](db, s.Secrets), s}
	s.People = faultyPeople{adapter.NewWithJobs[adapter.People](db, outbox{}, s.Secrets), s}
	s.Keys = faultyKeys{adapter.New[adapter.Keys](db, s.Secrets), s}
	s.Windows = faultyWindows{adapter.New[adapter.RateWindows](db, s.Secrets), s}
	s.Runs = faultyRuns{adapter.NewWithJobs[adapter.Runs](db, outbox{}, s.Secrets), s}
	s.Brandings = faultyBrandings{adapter.New[adapter.Brandings](db, s.Secrets), s}
	s.Books = adapter.New[adapter.Books](db, s.Secrets)
	s.Webhooks = faultyWebhooks{adapter.New[adapter.Webhooks](db, s.Secrets), s}
	s.Deliveries = faultyDeliveries{adapter.NewWithJobs[adapter.Deliveries](db, outbox{}, s.Secrets), s}
	s.Batches = faultyBatches{adapter.NewWithJobs[adapter.Batches](db, outbox{}, s.Secrets), s}
	s.Claims = faultyClaims{adapter.New[adapter.RequestClaims](db, s.Secrets), s}
	s.Sweep = func(ctx context.Context, e ports.Expiry) error {
		return s.doing("sweep", func() error {
			s.Expired = e
			return db.Sweep(ctx, e)
		})
	}
	s.Security, s.History = adapter.New[adapter.SecurityEvents](db, s.Secrets), adapter.New[adapter.History](db, s.Secrets)
	s.Mappings = adapter.New[adapter.Mappings](db, s.Secrets)
	s.Connections = faultyConnections{adapter.New[adapter.Connections](db, s.Secrets), s}
	s.Passes = faultyPasses{adapter.NewWithJobs[adapter.Passes](db, outbox{}, s.Secrets), s}
	s.Kept = adapter.New[adapter.KeptFiles](db, s.Secrets)
	s.Ignored = adapter.New[adapter.IgnoredFiles](db, s.Secrets)
	s.Ledgers = adapter.New[adapter.ConnectionLedgers](db, s.Secrets)
	s.Phones = faultyPhones{adapter.New[adapter.Phones](db, s.Secrets), s}
	if account.ID != "" {
		s.Add(account)
	}
	return s
}

// Clock tells the time of the test.
func (s *Store) Clock() time.Time { return s.Now }

// Add stores an account, which is the test's from then on.
func (s *Store) Add(a domain.Account) {
	require.NoError(s.T, s.Accounts.Create(s.T.Context(), a))
	s.Account = a
}

func (s *Store) Change(do func(*domain.Account)) {
	s.Account = only.Value(s.Accounts.Update(context.Background(), s.Account.Email, domain.SecurityEvent{}, func(a *domain.Account) error {
		do(a)
		return nil
	}))(s.T)
}

// Failing makes one operation fail.
func Failing(operation string, fault error) func(string) error {
	return func(name string) error {
		if name == operation {
			return fault
		}
		return nil
	}
}

// Before does something once, before the next time that an operation begins. Operations may
// begin in several goroutines at once, and do may begin others.
func (s *Store) Before(operation string, do func()) {
	var done atomic.Bool
	fault := s.Fault
	s.Fault = func(name string) error {
		if name == operation && done.CompareAndSwap(false, true) {
			do()
		}
		return fault(name)
	}
}

func (s *Store) doing(operation string, do func() error) error {
	s.mu.Lock()
	s.Calls[operation]++
	s.mu.Unlock()
	if err := s.Fault(operation); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return s.Fault("after " + operation)
}

// Try is doing for what has a result.
func Try[T any](s *Store, operation string, do func() (T, error)) (result T, err error) {
	err = s.doing(operation, func() (err error) {
		result, err = do()
		return err
	})
	return result, err
}

// Column is what a query finds, row by row.
func Column[T any](s *Store, query string) (found []T) {
	rows, err := s.Behind.QueryContext(context.Background(), query)
	require.NoError(s.T, err)
	defer func() { require.NoError(s.T, rows.Close()) }()
	for rows.Next() {
		var value T
		require.NoError(s.T, rows.Scan(&value))
		found = append(found, value)
	}
	require.NoError(s.T, rows.Err())
	return found
}

// RunIDs are the ids of all runs, in their order.
func (s *Store) RunIDs() []string { return Column[string](s, "SELECT id FROM runs ORDER BY rowid") }

// Claimed is how many request keys are claimed.
func (s *Store) Claimed() int { return Column[int](s, "SELECT count(*) FROM claims")[0] }

// Jobs are those that were added, in their order.
func (s *Store) Jobs() (jobs []ports.Job) {
	for _, text := range Column[string](s, "SELECT job FROM jobs_added ORDER BY rowid") {
		var job ports.Job
		require.NoError(s.T, json.Unmarshal([]byte(text), &job))
		jobs = append(jobs, job)
	}
	return jobs
}

func (s *Store) Delivery(id string) domain.Delivery {
	return only.Value(s.Deliveries.Find(context.Background(), s.Account.ID, id))(s.T)
}

// AllDeliveries are those of the account, latest first.
func (s *Store) AllDeliveries() []domain.Delivery {
	return only.Value(s.Deliveries.Latest(context.Background(), s.Account.ID, 100))(s.T)
}

func (s *Store) Batch(id string) domain.Batch {
	return only.Value(s.Batches.Find(context.Background(), s.Account.ID, id))(s.T)
}

// Result is the result of a job of a batch; blank if it has none.
func (s *Store) Result(batchID string, position int) (result string) {
	for text, err := range s.Batches.Results(context.Background(), domain.Batch{ID: batchID, AccountID: s.Account.ID, Jobs: position + 1}) {
		if result = string(text); err != nil {
			require.ErrorIs(s.T, err, domain.ErrBatchGone)
		}
	}
	return result
}

// DeleteResults deletes the results of complete batches.
func (s *Store) DeleteResults() {
	require.NoError(s.T, s.Sweep(context.Background(), ports.Expiry{Results: LateEvening.AddDate(1, 0, 0)}))
}

// Webhook is the account's webhook; the zero one if there is none.
func (s *Store) Webhook() domain.Webhook {
	w, err := s.Webhooks.Of(context.Background(), s.Account.ID)
	if err != nil {
		require.ErrorIs(s.T, err, domain.ErrNoWebhook)
		return domain.Webhook{}
	}
	return w
}

// SetWebhook replaces the account's webhook; one without a secret is none.
func (s *Store) SetWebhook(w domain.Webhook) {
	_, err := s.Webhooks.Update(context.Background(), s.Account.ID, domain.SecurityEvent{}, func(stored *domain.Webhook) error {
		w.AccountID = s.Account.ID
		*stored = w
		return nil
	})
	require.NoError(s.T, err)
}

// outbox keeps jobs in a table of its own.
type outbox struct{}

func makeOutbox(ctx context.Context, h adapter.Handle) error {
	_, err := h.SQLite.ExecContext(ctx, "CREATE TABLE IF NOT EXISTS jobs_added (job TEXT NOT NULL)")
	return err
}

func (outbox) Add(ctx context.Context, tx *sql.Tx, _ *pgx.Conn, jobs []ports.Job) error {
	for _, job := range jobs {
		text, err := json.Marshal(job)
		if err != nil {
			return err
		}
		if _, err := tx.ExecContext(ctx, "INSERT INTO jobs_added (job) VALUES (?)", string(text)); err != nil {
			return err
		}
	}
	return nil
}

func (outbox) Drop(ctx context.Context, tx *sql.Tx, _ *pgx.Conn, accountID string) error {
	_, err := tx.ExecContext(ctx, "DELETE FROM jobs_added WHERE job ->> 'AccountID' = ?", accountID)
	return err
}

type faultyAccounts struct {
	ports.Accounts
	store *Store
}

func (f faultyAccounts) ByEmail(ctx context.Context, email string) (domain.Account, error) {
	return Try(f.store, "find account", func() (domain.Account, error) { return f.Accounts.ByEmail(ctx, email) })
}

type storedPeople interface {
	ports.People
	ports.Invitations
}

type faultyPeople struct {
	storedPeople
	store *Store
}

func (f faultyPeople) WorksFor(ctx context.Context, email string) ([]ports.Membership, error) {
	return Try(f.store, "find account", func() ([]ports.Membership, error) { return f.storedPeople.WorksFor(ctx, email) })
}

type faultyKeys struct {
	ports.Keys
	store *Store
}

func (f faultyKeys) Present(ctx context.Context, hash domain.KeyHash, at time.Time, decide func(ports.KeyUse) (domain.RateWindow, bool, error)) error {
	return f.store.doing("present", func() error {
		return f.Keys.Present(ctx, hash, at, func(use ports.KeyUse) (domain.RateWindow, bool, error) {
			_, _, _ = decide(use)
			return decide(use)
		})
	})
}

func (f faultyKeys) Rotate(ctx context.Context, key domain.APIKey, event domain.SecurityEvent) error {
	return f.store.doing("rotate", func() error { return f.Keys.Rotate(ctx, key, event) })
}

type faultyWindows struct {
	ports.RateWindows
	store *Store
}

func (f faultyWindows) Update(ctx context.Context, subject string, decide func(domain.RateWindow) (domain.RateWindow, bool)) error {
	return f.store.doing("window", func() error {
		return f.RateWindows.Update(ctx, subject, func(w domain.RateWindow) (domain.RateWindow, bool) {
			decide(f.store.Stale)
			return decide(w)
		})
	})
}

type faultyRuns struct {
	ports.Runs
	store *Store
}

func (f faultyRuns) Update(ctx context.Context, accountID string, do func(ports.RunBook) error) error {
	return f.store.doing("store run", func() error {
		return f.Runs.Update(ctx, accountID, func(book ports.RunBook) error {
			if err := do(unwritten{book}); err != nil {
				return err
			}
			return do(book)
		})
	})
}

// unwritten is a run book whose transaction is undone.
type unwritten struct{ ports.RunBook }

func (unwritten) Write(ports.Entry) error { return nil }

type faultyBrandings struct {
	ports.Brandings
	store *Store
}

func (f faultyBrandings) Update(ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Branding) error) (domain.Branding, error) {
	return Try(f.store, "branding", func() (domain.Branding, error) {
		return f.Brandings.Update(ctx, accountID, event, func(b *domain.Branding) error {
			tried := *b
			if err := change(&tried); err != nil {
				return err
			}
			return change(b)
		})
	})
}

type faultyPhones struct {
	ports.Phones
	store *Store
}

func (f faultyPhones) Put(ctx context.Context, code domain.SentCode, event domain.SecurityEvent) error {
	return f.store.doing("put code", func() error { return f.Phones.Put(ctx, code, event) })
}

func (f faultyPhones) Of(ctx context.Context, accountID string, at time.Time) (phone domain.Phone, code domain.SentCode, err error) {
	err = f.store.doing("phone", func() error {
		phone, code, err = f.Phones.Of(ctx, accountID, at)
		return err
	})
	return phone, code, err
}

func (f faultyPhones) Check(ctx context.Context, accountID string, at time.Time) (domain.SentCode, error) {
	return Try(f.store, "check code", func() (domain.SentCode, error) { return f.Phones.Check(ctx, accountID, at) })
}

func (f faultyPhones) MarkVerified(ctx context.Context, accountID, codeID string, at time.Time, event domain.SecurityEvent) error {
	return f.store.doing("confirm", func() error { return f.Phones.MarkVerified(ctx, accountID, codeID, at, event) })
}

func (f faultyPhones) Drop(ctx context.Context, accountID, codeID string) error {
	return f.store.doing("drop code", func() error { return f.Phones.Drop(ctx, accountID, codeID) })
}

type faultyWebhooks struct {
	ports.Webhooks
	store *Store
}

func (f faultyWebhooks) Update(ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Webhook) error) (domain.Webhook, error) {
	return Try(f.store, "webhook", func() (domain.Webhook, error) {
		return f.Webhooks.Update(ctx, accountID, event, func(w *domain.Webhook) error {
			undone := *w
			_ = change(&undone)
			return change(w)
		})
	})
}

type faultyDeliveries struct {
	ports.Deliveries
	store *Store
}

func (f faultyDeliveries) Complete(ctx context.Context, id string, a domain.Attempt, state domain.DeliveryState) error {
	return f.store.doing("complete", func() error { return f.Deliveries.Complete(ctx, id, a, state) })
}

type storedBatches interface {
	ports.Batches
	ports.BatchJobs
}

type faultyBatches struct {
	storedBatches
	store *Store
}

func (f faultyBatches) Submit(ctx context.Context, b domain.Batch, requests []ports.Request, claim domain.RequestClaim) error {
	return f.store.doing("submit", func() error { return f.storedBatches.Submit(ctx, b, requests, claim) })
}

func (f faultyBatches) Results(ctx context.Context, b domain.Batch) iter.Seq2[[]byte, error] {
	if err := f.store.doing("results", func() error { return nil }); err != nil {
		return func(yield func([]byte, error) bool) { yield(nil, err) }
	}
	return f.storedBatches.Results(ctx, b)
}

func (f faultyBatches) Load(ctx context.Context, accountID string, jobs int) (l domain.BatchLoad, err error) {
	err = f.store.doing("load", func() (err error) { l, err = f.storedBatches.Load(ctx, accountID, jobs); return err })
	if f.store.Load != nil {
		l = *f.store.Load
	}
	return l, err
}

func (f faultyBatches) Begin(ctx context.Context, job domain.BatchJob, at time.Time) (a domain.Account, req ports.Request, err error) {
	err = f.store.doing("begin", func() (err error) { a, req, err = f.storedBatches.Begin(ctx, job, at); return err })
	return a, req, err
}

func (f faultyBatches) Labels(ctx context.Context, job domain.BatchJob) (brand, courierName string, err error) {
	err = f.store.doing("labels", func() (err error) { brand, courierName, err = f.storedBatches.Labels(ctx, job); return err })
	return brand, courierName, err
}

func (f faultyBatches) Stale(ctx context.Context, before time.Time, limit int) ([]ports.StaleJob, error) {
	return Try(f.store, "stale", func() ([]ports.StaleJob, error) { return f.storedBatches.Stale(ctx, before, limit) })
}

type faultyClaims struct {
	ports.RequestClaims
	store *Store
}

func (f faultyClaims) Take(ctx context.Context, claim domain.RequestClaim, former ...domain.RequestHash) (domain.RequestClaim, error) {
	return Try(f.store, "take", func() (domain.RequestClaim, error) { return f.RequestClaims.Take(ctx, claim, former...) })
}

func (f faultyClaims) Renew(ctx context.Context, claim domain.RequestClaim) error {
	return f.store.doing("renew", func() error { return f.RequestClaims.Renew(ctx, claim) })
}

func (f faultyClaims) Release(ctx context.Context, claim domain.RequestClaim) error {
	return f.store.doing("release", func() error { return f.RequestClaims.Release(ctx, claim) })
}

type faultyConnections struct {
	ports.Connections
	store *Store
}

func (f faultyConnections) Update(ctx context.Context, accountID, id string, event domain.SecurityEvent, change func(*domain.Connection) error) (domain.Connection, error) {
	return Try(f.store, "change connection", func() (domain.Connection, error) {
		return f.Connections.Update(ctx, accountID, id, event, func(c *domain.Connection) error {
			undone := *c
			_ = change(&undone)
			return change(c)
		})
	})
}

type storedPasses interface {
	ports.Passes
	ports.PassLog
}

type faultyPasses struct {
	storedPasses
	store *Store
}

func (f faultyPasses) Begin(ctx context.Context, id string, at time.Time) (ports.BegunPass, error) {
	return Try(f.store, "begin pass", func() (ports.BegunPass, error) { return f.storedPasses.Begin(ctx, id, at) })
}

// LateEvening is already the first of the month in India, and not yet in UTC.
var LateEvening = time.Date(2026, time.August, 31, 20, 0, 0, 0, time.UTC)

// ProAccount may use the API.
func ProAccount() domain.Account {
	return domain.Account{
		ID: "account-1", Email: "asha@shop.example", Plan: domain.Pro, Subscription: domain.SubscriptionActive,
		SubscribedOn: domain.DayFromDate(2026, time.January, 31), PlanSince: domain.DayFromDate(2026, time.January, 31),
		BillingDay: 31, PhoneVerified: true,
	}
}

// EnterpriseAccount may use webhooks too.
func EnterpriseAccount() domain.Account {
	a := ProAccount()
	a.Plan = domain.Enterprise
	return a
}

func (s *Store) Stored() domain.Account {
	return only.Value(s.Accounts.ByEmail(s.T.Context(), "asha@shop.example"))(s.T)
}

// Logged is an event without its id, which is new each time.
type Logged struct {
	Kind   domain.SecurityKind
	Detail string
	By     domain.Actor
}

// SecurityLog is the account's security log, latest first.
func (s *Store) SecurityLog() (all []Logged) {
	for _, e := range only.Value(s.Security.Latest(s.T.Context(), s.Account.ID, domain.SecurityLogLength))(s.T) {
		require.NotEmpty(s.T, e.ID)
		require.Equal(s.T, s.Account.ID, e.AccountID)
		require.WithinDuration(s.T, LateEvening, e.At, time.Hour)
		all = append(all, Logged{e.Kind, e.Detail, e.By})
	}
	return all
}

// RequireWait holds that an error says to wait for so long.
func RequireWait(t *testing.T, err error, wait time.Duration) {
	t.Helper()
	var e *domain.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, domain.CodeRate, e.Code)
	require.Equal(t, wait, e.RetryAfter)
}
