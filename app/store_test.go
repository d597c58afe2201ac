package app_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"milaan/adapters/secrets"
	"milaan/adapters/storage"
	"milaan/domain"
	"milaan/ports"
)

// store is the service's storage on SQLite, in a file of its own. Each operation may
// be made to fail, and what storage does twice if a database asks for a transaction to
// be repeated, it does twice here always.
type store struct {
	t       testing.TB
	secrets *secrets.Secrets
	behind  *sql.DB // the same database, behind the ports
	account domain.Account
	now     time.Time

	accounts   ports.Accounts
	people     storedPeople
	keys       ports.Keys
	windows    ports.RateWindows
	runs       ports.Runs
	brandings  ports.Brandings
	webhooks   ports.Webhooks
	deliveries ports.Deliveries
	batches    storedBatches
	claims     ports.Claims
	upkeep     ports.Upkeep
	security   ports.SecurityEvents
	history    ports.RunHistory
	mappings   ports.SavedMappings

	connections ports.Connections
	passes      storedPasses
	kept        ports.KeptFiles
	phones      ports.Phones

	fault   func(operation string) error // asked before an operation, and after it with "after "
	stale   domain.RateWindow            // what a decision on a rate window is tried on first
	load    *domain.BatchLoad            // given instead of the true one
	expired ports.Expiry                 // of the last sweep
	mu      sync.Mutex
	calls   map[string]int // by operation
}

// migrated is the file of a database that holds nothing.
var migrated = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "milaan")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	s, err := storage.Open(context.Background(), storage.Settings{DataDir: dir, Also: makeOutbox}, slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, err
	}
	if err := s.Close(); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(dir, "milaan.db"))
})

func newStore(t testing.TB, account domain.Account) *store {
	t.Helper()
	file, err := migrated()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "milaan.db"), file, 0o600))
	db, err := storage.Open(t.Context(), storage.Settings{DataDir: dir}, slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	s := &store{t: t, now: lateEvening, behind: db.Handle().SQLite, secrets: secrets.New([]byte("thirty-two bytes of a test's own")), calls: map[string]int{}, fault: failing("", nil)}
	s.accounts = faultyAccounts{storage.NewAccounts(db), s}
	s.people = faultyPeople{storage.NewPeople(db, outbox{}), s}
	s.keys = faultyKeys{storage.NewKeys(db), s}
	s.windows = faultyWindows{storage.NewRateWindows(db), s}
	s.runs = faultyRuns{storage.NewRuns(db, outbox{}, s.secrets), s}
	s.brandings = faultyBrandings{storage.NewBrandings(db), s}
	s.webhooks = faultyWebhooks{storage.NewWebhooks(db, s.secrets), s}
	s.deliveries = faultyDeliveries{storage.NewDeliveries(db, outbox{}, s.secrets), s}
	s.batches = faultyBatches{storage.NewBatches(db, outbox{}, s.secrets), s}
	s.claims = faultyClaims{storage.NewClaims(db), s}
	s.upkeep = faultyUpkeep{storage.NewUpkeep(db), s}
	s.security, s.history, s.mappings = storage.NewSecurityEvents(db), storage.NewHistory(db), storage.NewMappings(db)
	s.connections = faultyConnections{storage.NewConnections(db, s.secrets), s}
	s.passes = faultyPasses{storage.NewPasses(db, outbox{}, s.secrets), s}
	s.kept = storage.NewKeptFiles(db, s.secrets)
	s.phones = faultyPhones{storage.NewPhones(db, s.secrets), s}
	if account.ID != "" {
		s.add(account)
	}
	return s
}

func (s *store) clock() time.Time { return s.now }

// add stores an account, which is the test's from then on.
func (s *store) add(a domain.Account) {
	require.NoError(s.t, s.accounts.Create(s.t.Context(), a))
	s.account = a
}

// change alters the account.
func (s *store) change(do func(*domain.Account)) {
	var err error
	s.account, err = s.accounts.Update(context.Background(), s.account.Email, domain.SecurityEvent{}, func(a *domain.Account) error {
		do(a)
		return nil
	})
	require.NoError(s.t, err)
}

// failing makes one operation fail.
func failing(operation string, fault error) func(string) error {
	return func(name string) error {
		if name == operation {
			return fault
		}
		return nil
	}
}

func (s *store) doing(operation string, do func() error) error {
	s.mu.Lock()
	s.calls[operation]++
	s.mu.Unlock()
	if err := s.fault(operation); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	return s.fault("after " + operation)
}

// try is doing for what has a result.
func try[T any](s *store, operation string, do func() (T, error)) (result T, err error) {
	err = s.doing(operation, func() (err error) {
		result, err = do()
		return err
	})
	return result, err
}

// column is what a query finds, row by row.
func column[T any](s *store, query string) (found []T) {
	rows, err := s.behind.QueryContext(context.Background(), query)
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, rows.Close()) }()
	for rows.Next() {
		var value T
		require.NoError(s.t, rows.Scan(&value))
		found = append(found, value)
	}
	require.NoError(s.t, rows.Err())
	return found
}

func (s *store) runIDs() []string { return column[string](s, "SELECT id FROM runs ORDER BY rowid") }

func (s *store) claimed() int { return column[int](s, "SELECT count(*) FROM claims")[0] }

// jobs are those that were added, in their order.
func (s *store) jobs() (jobs []ports.Job) {
	for _, text := range column[string](s, "SELECT job FROM jobs_added ORDER BY rowid") {
		var job ports.Job
		require.NoError(s.t, json.Unmarshal([]byte(text), &job))
		jobs = append(jobs, job)
	}
	return jobs
}

func (s *store) delivery(id string) domain.Delivery {
	d, err := s.deliveries.Find(context.Background(), s.account.ID, id)
	require.NoError(s.t, err)
	return d
}

func (s *store) allDeliveries() []domain.Delivery {
	all, err := s.deliveries.Latest(context.Background(), s.account.ID, 100)
	require.NoError(s.t, err)
	return all
}

func (s *store) batch(id string) domain.Batch {
	b, err := s.batches.Find(context.Background(), s.account.ID, id)
	require.NoError(s.t, err)
	return b
}

// result is the result of a job of a batch; blank if it has none.
func (s *store) result(batchID string, position int) (result string) {
	for text, err := range s.batches.Results(context.Background(), domain.Batch{ID: batchID, AccountID: s.account.ID, Jobs: position + 1}) {
		if result = string(text); err != nil {
			require.ErrorIs(s.t, err, domain.ErrBatchGone)
		}
	}
	return result
}

// deleteResults deletes the results of complete batches.
func (s *store) deleteResults() {
	require.NoError(s.t, s.upkeep.Sweep(context.Background(), ports.Expiry{Results: lateEvening.AddDate(1, 0, 0)}))
}

// webhook is the account's webhook; the zero one if there is none.
func (s *store) webhook() domain.Webhook {
	w, err := s.webhooks.Of(context.Background(), s.account.ID)
	if err != nil {
		require.ErrorIs(s.t, err, domain.ErrNoWebhook)
		return domain.Webhook{}
	}
	return w
}

// setWebhook replaces the account's webhook; one without a secret is none.
func (s *store) setWebhook(w domain.Webhook) {
	_, err := s.webhooks.Update(context.Background(), s.account.ID, domain.SecurityEvent{}, func(stored *domain.Webhook) error {
		w.AccountID = s.account.ID
		*stored = w
		return nil
	})
	require.NoError(s.t, err)
}

// outbox keeps jobs in a table of its own.
type outbox struct{}

func makeOutbox(ctx context.Context, h storage.Handle) error {
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
	*store
}

func (f faultyAccounts) ByEmail(ctx context.Context, email string) (domain.Account, error) {
	return try(f.store, "find account", func() (domain.Account, error) { return f.Accounts.ByEmail(ctx, email) })
}

type storedPeople interface {
	ports.People
	ports.Invitations
	ports.SignUps
}

type faultyPeople struct {
	storedPeople
	*store
}

func (f faultyPeople) WorksFor(ctx context.Context, email string) ([]ports.Membership, error) {
	return try(f.store, "find account", func() ([]ports.Membership, error) { return f.storedPeople.WorksFor(ctx, email) })
}

type faultyKeys struct {
	ports.Keys
	*store
}

func (f faultyKeys) Present(ctx context.Context, hash domain.KeyHash, at time.Time, decide func(ports.KeyUse) (domain.RateWindow, bool, error)) error {
	return f.doing("present", func() error {
		return f.Keys.Present(ctx, hash, at, func(use ports.KeyUse) (domain.RateWindow, bool, error) {
			_, _, _ = decide(use)
			return decide(use)
		})
	})
}

func (f faultyKeys) Rotate(ctx context.Context, key domain.APIKey, event domain.SecurityEvent) error {
	return f.doing("rotate", func() error { return f.Keys.Rotate(ctx, key, event) })
}

type faultyWindows struct {
	ports.RateWindows
	*store
}

func (f faultyWindows) Update(ctx context.Context, subject string, decide func(domain.RateWindow) (domain.RateWindow, bool)) error {
	return f.doing("window", func() error {
		return f.RateWindows.Update(ctx, subject, func(w domain.RateWindow) (domain.RateWindow, bool) {
			decide(f.stale)
			return decide(w)
		})
	})
}

type faultyRuns struct {
	ports.Runs
	*store
}

func (f faultyRuns) Update(ctx context.Context, accountID string, do func(ports.RunBook) error) error {
	return f.doing("store run", func() error {
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
	*store
}

func (f faultyBrandings) Update(ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Branding) error) (domain.Branding, error) {
	return try(f.store, "branding", func() (domain.Branding, error) {
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
	*store
}

func (f faultyPhones) Put(ctx context.Context, code domain.SentCode, event domain.SecurityEvent) error {
	return f.doing("put code", func() error { return f.Phones.Put(ctx, code, event) })
}

func (f faultyPhones) Of(ctx context.Context, accountID string, at time.Time) (phone domain.Phone, code domain.SentCode, err error) {
	err = f.doing("phone", func() error {
		phone, code, err = f.Phones.Of(ctx, accountID, at)
		return err
	})
	return phone, code, err
}

func (f faultyPhones) Check(ctx context.Context, accountID string, at time.Time) (domain.SentCode, error) {
	return try(f.store, "check code", func() (domain.SentCode, error) { return f.Phones.Check(ctx, accountID, at) })
}

func (f faultyPhones) MarkVerified(ctx context.Context, accountID, codeID string, at time.Time, event domain.SecurityEvent) error {
	return f.doing("confirm", func() error { return f.Phones.MarkVerified(ctx, accountID, codeID, at, event) })
}

func (f faultyPhones) Drop(ctx context.Context, accountID, codeID string) error {
	return f.doing("drop code", func() error { return f.Phones.Drop(ctx, accountID, codeID) })
}

type faultyWebhooks struct {
	ports.Webhooks
	*store
}

func (f faultyWebhooks) Update(ctx context.Context, accountID string, event domain.SecurityEvent, change func(*domain.Webhook) error) (domain.Webhook, error) {
	return try(f.store, "webhook", func() (domain.Webhook, error) {
		return f.Webhooks.Update(ctx, accountID, event, func(w *domain.Webhook) error {
			undone := *w
			_ = change(&undone)
			return change(w)
		})
	})
}

type faultyDeliveries struct {
	ports.Deliveries
	*store
}

func (f faultyDeliveries) Complete(ctx context.Context, id string, a domain.Attempt, state domain.DeliveryState) error {
	return f.doing("complete", func() error { return f.Deliveries.Complete(ctx, id, a, state) })
}

type storedBatches interface {
	ports.Batches
	ports.BatchJobs
}

type faultyBatches struct {
	storedBatches
	*store
}

func (f faultyBatches) Submit(ctx context.Context, b domain.Batch, requests []ports.Request, claim domain.Claim) error {
	return f.doing("submit", func() error { return f.storedBatches.Submit(ctx, b, requests, claim) })
}

func (f faultyBatches) Results(ctx context.Context, b domain.Batch) iter.Seq2[[]byte, error] {
	if err := f.doing("results", func() error { return nil }); err != nil {
		return func(yield func([]byte, error) bool) { yield(nil, err) }
	}
	return f.storedBatches.Results(ctx, b)
}

func (f faultyBatches) Load(ctx context.Context, accountID string, jobs int) (l domain.BatchLoad, err error) {
	err = f.doing("load", func() (err error) { l, err = f.storedBatches.Load(ctx, accountID, jobs); return err })
	if f.load != nil {
		l = *f.load
	}
	return l, err
}

func (f faultyBatches) Begin(ctx context.Context, job domain.BatchJob, at time.Time) (a domain.Account, req ports.Request, err error) {
	err = f.doing("begin", func() (err error) { a, req, err = f.storedBatches.Begin(ctx, job, at); return err })
	return a, req, err
}

func (f faultyBatches) Labels(ctx context.Context, job domain.BatchJob) (brand, courierName string, err error) {
	err = f.doing("labels", func() (err error) { brand, courierName, err = f.storedBatches.Labels(ctx, job); return err })
	return brand, courierName, err
}

func (f faultyBatches) Stale(ctx context.Context, before time.Time, limit int) ([]ports.StaleJob, error) {
	return try(f.store, "stale", func() ([]ports.StaleJob, error) { return f.storedBatches.Stale(ctx, before, limit) })
}

type faultyClaims struct {
	ports.Claims
	*store
}

func (f faultyClaims) Take(ctx context.Context, claim domain.Claim, former ...domain.ClaimHash) (domain.Claim, error) {
	return try(f.store, "take", func() (domain.Claim, error) { return f.Claims.Take(ctx, claim, former...) })
}

func (f faultyClaims) Renew(ctx context.Context, claim domain.Claim) error {
	return f.doing("renew", func() error { return f.Claims.Renew(ctx, claim) })
}

func (f faultyClaims) Release(ctx context.Context, claim domain.Claim) error {
	return f.doing("release", func() error { return f.Claims.Release(ctx, claim) })
}

type faultyUpkeep struct {
	ports.Upkeep
	*store
}

func (f faultyUpkeep) Sweep(ctx context.Context, e ports.Expiry) error {
	return f.doing("sweep", func() error {
		f.expired = e
		return f.Upkeep.Sweep(ctx, e)
	})
}

type faultyConnections struct {
	ports.Connections
	*store
}

func (f faultyConnections) Update(ctx context.Context, accountID, id string, event domain.SecurityEvent, change func(*domain.Connection) error) (domain.Connection, error) {
	return try(f.store, "change connection", func() (domain.Connection, error) {
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
	*store
}

func (f faultyPasses) Begin(ctx context.Context, id string, at time.Time) (ports.BegunPass, error) {
	return try(f.store, "begin pass", func() (ports.BegunPass, error) { return f.storedPasses.Begin(ctx, id, at) })
}

func (f faultyPasses) StoreLooks(ctx context.Context, id string, at time.Time, looks map[string]domain.Look) error {
	return f.doing("look", func() error { return f.storedPasses.StoreLooks(ctx, id, at, looks) })
}

func (f faultyPasses) End(ctx context.Context, end ports.PassEnd) error {
	return f.doing("end pass", func() error { return f.storedPasses.End(ctx, end) })
}

func (f faultyPasses) Latest(ctx context.Context, accountID, connectionID string, limit int) ([]domain.Pass, error) {
	return try(f.store, "latest passes", func() ([]domain.Pass, error) { return f.storedPasses.Latest(ctx, accountID, connectionID, limit) })
}
