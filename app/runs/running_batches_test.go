package runs_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/app"
	"milaan/app/runs"
	"milaan/couriers"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/fakes/hooks"
	"milaan/tests/fakes/storage"
	"milaan/tests/only"
)

// oddStorefront reads exports, unless fault has something against it.
type oddStorefront struct {
	ports.Storefronts
	fault func() error
}

func (o oddStorefront) Orders(content ports.Content) ports.OrdersReader {
	return oddExport{o.Storefronts.Orders(content), o.fault}
}

type oddExport struct {
	ports.OrdersReader
	fault func() error
}

func (o oddExport) Read(orders *verdict.Orders) error {
	if err := o.fault(); err != nil {
		return err
	}
	return o.OrdersReader.Read(orders)
}

// runningBench has the real engine on the shelf.
type runningBench struct {
	*storage.Store
	reading     func() error // asked before an export is read
	reconciling *runs.Reconciling
	running     *runs.RunningBatches
	working     *app.Working
	log         bytes.Buffer
}

func newRunningBench(t testing.TB, account domain.Account) *runningBench {
	t.Helper()
	b := &runningBench{Store: storage.New(t, account), reading: func() error { return nil }}
	b.reconciling = b.newReconciling(nil)
	b.running = &runs.RunningBatches{Jobs: b.Batches, Runs: b.Runs, Reconciling: b.reconciling, Answers: hooks.PlainAnswers{},
		Clock: b.Clock, Log: slog.New(slog.NewTextHandler(&b.log, nil))}
	b.working = &app.Working{Running: *b.running}
	return b
}

func (b *runningBench) newReconciling(claiming *runs.Claiming) *runs.Reconciling {
	tables := table.New()
	odd := oddStorefront{storefront.New(tables), func() error { return b.reading() }}
	return runs.NewReconciling(runs.ReconcilingParams{Storefronts: odd, Couriers: couriers.New(tables), Runs: b.Runs, Claiming: claiming,
		Clock: b.Clock})
}

// sampleRequest asks for a run of the demo's files.
func sampleRequest(t *testing.T, brand string) ports.Request {
	t.Helper()
	orders := only.Value(os.ReadFile("demo/orders.csv"))(t)
	report := only.Value(os.ReadFile("demo/remittance.csv"))(t)
	return ports.Request{Storefront: orders, Courier: report, Brand: brand, Source: domain.SourceAPI}
}

// submit stores a batch and returns its jobs.
func (b *runningBench) submit(t *testing.T, requests ...ports.Request) []ports.Job {
	t.Helper()
	batch := domain.Batch{ID: "batch-1", AccountID: b.Account.ID, WebhookURL: "https://batches.example/", Jobs: len(requests), SubmittedAt: b.Now}
	require.NoError(t, b.Batches.Submit(t.Context(), batch, requests, domain.RequestClaim{}))
	return b.Jobs()
}

func TestAStoredRunIsAnnounced(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.EnterpriseAccount())
	b.SetWebhook(domain.Webhook{Endpoint: "https://hooks.example/", Secret: hooks.Secret})
	pro := storage.ProAccount() // the account was moved to Enterprise while the request was on its way
	for _, duplicate := range []bool{false, true} {
		o := only.Value(b.reconciling.Reconcile(t.Context(), ports.Caller{Account: pro}, sampleRequest(t, "Asha")))(t)
		require.Equal(t, duplicate, o.Duplicate)
		o.Release()
	}
	require.Len(t, b.AllDeliveries(), 1, "a duplicate is not announced")
	d := b.AllDeliveries()[0]
	require.Equal(t, domain.Delivery{
		ID: d.ID, EventID: d.EventID, AccountID: "account-1", Kind: domain.RunDelivery, RunID: b.RunIDs()[0],
		State: domain.DeliveryPending, CreatedAt: b.Now,
	}, d)
	require.Regexp(t, `^evt_[0-9a-f]{32}$`, d.EventID)
	b.Change(func(a *domain.Account) { a.Plan = domain.Pro })
	o := only.Value(b.reconciling.Reconcile(t.Context(), ports.Caller{Account: storage.EnterpriseAccount()}, sampleRequest(t, "Ravi")))(t)
	o.Release()
	require.Len(t, b.RunIDs(), 2)
	require.Len(t, b.AllDeliveries(), 1, "the plan counts that the account has when the run is stored")
}

func TestAJobThatRunsTwiceEndsOnce(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.ProAccount())
	job := b.submit(t, sampleRequest(t, "Asha"), sampleRequest(t, "Ravi"))[0]
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	require.Len(t, b.RunIDs(), 1)

	// Another instance ends the job while this one still reads its files: what this
	// one found is undone, and so is its run.
	b = newRunningBench(t, storage.ProAccount())
	job = b.submit(t, sampleRequest(t, "Asha"))[0]
	elsewhere := false
	b.reading = func() error {
		if !elsewhere {
			elsewhere = true
			require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
			b.Now = b.Now.Add(time.Hour) // so that the second is no duplicate
		}
		return nil
	}
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	require.Len(t, b.RunIDs(), 1)
	require.Equal(t, 1, b.Batch("batch-1").Completed)
	require.Len(t, b.AllDeliveries(), 1)
}

func TestAJobOverTheCap(t *testing.T) {
	t.Parallel()
	account, one := storage.ProAccount(), 1
	account.RunCap = &one
	b := newRunningBench(t, account)
	broken := sampleRequest(t, "Asha")
	broken.Storefront = []byte("no export")
	for _, job := range b.submit(t, sampleRequest(t, "Asha"), sampleRequest(t, "Ravi"), broken, sampleRequest(t, "Asha")) {
		require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	}
	require.Len(t, b.RunIDs(), 1)
	const message = "Run limit of 1/month reached; the next cycle begins on 2026-09-30"
	require.Equal(t, "Ravi/: "+message, b.Result("batch-1", 1))
	require.Equal(t, "Asha/: "+message, b.Result("batch-1", 2), "the cap speaks before a faulty file")
	require.Contains(t, b.Result("batch-1", 3), "duplicate true", "the others go on")
	require.Equal(t, domain.BatchComplete, b.Batch("batch-1").State())
}

// limited is a context whose time is up once over is closed.
type limited struct {
	context.Context

	over chan struct{}
}

func (l limited) Done() <-chan struct{} { return l.over }

func (l limited) Err() error {
	select {
	case <-l.over:
		return context.DeadlineExceeded
	default:
		return nil
	}
}

// TestAStopEndsNoJob holds that what a stop interrupts is done by the next instance, even
// at the last attempt.
func TestAStopEndsNoJob(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.ProAccount())
	job := b.submit(t, sampleRequest(t, "Asha"))[0]
	ctx, stop := context.WithCancel(t.Context())
	b.reading = func() error {
		stop()
		return nil
	}
	require.ErrorIs(t, b.running.Run(ctx, job, ports.JobAttempt{Last: true}), context.Canceled)
	require.Empty(t, b.Result("batch-1", 0))
	b.reading = func() error { return nil }
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{Last: true}))
	require.Equal(t, domain.BatchComplete, b.Batch("batch-1").State())
	require.Len(t, b.RunIDs(), 1)
}

func TestAFaultOfOursEndsAJobTheLastTime(t *testing.T) {
	t.Parallel()
	fault := errors.New("disk on fire")
	for name, fails := range map[string]func() error{
		"error": func() error { return fault },
		"panic": func() error { panic(fault) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newRunningBench(t, storage.ProAccount())
			job := b.submit(t, sampleRequest(t, "Asha"))[0]
			b.reading = fails
			for range 2 {
				require.ErrorContains(t, b.running.Run(t.Context(), job, ports.JobAttempt{}), "disk on fire")
				require.Empty(t, b.Result("batch-1", 0))
			}
			ctx := limited{t.Context(), make(chan struct{})}
			b.reading = func() error {
				close(ctx.over) // the job's time is up as well
				return fails()
			}
			require.ErrorContains(t, b.running.Run(ctx, job, ports.JobAttempt{Last: true}), "disk on fire", "the log is told all the same")
			require.Equal(t, "Asha/: Unexpected server error: send this job again", b.Result("batch-1", 0))
			require.Equal(t, domain.BatchComplete, b.Batch("batch-1").State())
			require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{Last: true}), "it has ended")
		})
	}
}

func TestFaultsOfTheDatabaseAreReturned(t *testing.T) {
	t.Parallel()
	away := domain.ErrDatabase.Caused(errors.New("connection refused"))
	b := newRunningBench(t, storage.ProAccount())
	job := b.submit(t, sampleRequest(t, "Asha"))[0]
	for _, operation := range []string{"begin", "store run"} {
		b.Fault = storage.Failing(operation, away)
		require.ErrorIs(t, b.running.Run(t.Context(), job, ports.JobAttempt{}), away)
	}
	require.ErrorIs(t, b.running.Run(t.Context(), job, ports.JobAttempt{Last: true}), away, "even the end could not be stored")
	require.Empty(t, b.Result("batch-1", 0))
	b.Fault = storage.Failing("begin", away)
	require.ErrorIs(t, b.running.Run(t.Context(), job, ports.JobAttempt{Last: true}), away)
	require.Equal(t, "/: Unexpected server error: send this job again", b.Result("batch-1", 0), "a batch does not wait for what nobody will do")
}

func (b *runningBench) house(retention time.Duration) *app.Housekeeping {
	return &app.Housekeeping{Delete: b.Sweep, Running: *b.running,
		Clock: b.Clock, Background: ports.Background{Retention: retention, RunRetention: 731 * 24 * time.Hour}}
}

// TestRunsAreKeptForTheirCycle has a setting that would delete runs which count.
func TestRunsAreKeptForTheirCycle(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.ProAccount())
	house := &app.Housekeeping{Delete: b.Sweep, Running: *b.running, Clock: b.Clock}
	require.NoError(t, house.Sweep(t.Context()))
	require.Equal(t, b.Now.Add(-62*24*time.Hour), b.Expired.Runs)
}

func TestHousekeeping(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.ProAccount())
	stale := b.submit(t, sampleRequest(t, "Asha"), sampleRequest(t, "Ravi"))
	require.NoError(t, b.running.Run(t.Context(), stale[1], ports.JobAttempt{}))
	b.Now = b.Now.Add(24*time.Hour + time.Second)
	house := b.house(24 * time.Hour)
	require.NoError(t, house.Sweep(t.Context()))

	day := 24 * time.Hour
	require.Equal(t, ports.Expiry{
		Windows: b.Now.Add(-time.Hour), DayWindows: b.Now.Add(-25 * time.Hour), PhoneCodes: b.Now.Add(-10 * time.Minute), Keys: b.Now.Add(-30 * day), Pending: b.Now.Add(-3 * day), Deliveries: b.Now.Add(-30 * day),
		Claims: b.Now.Add(-day), ClaimsAhead: b.Now.Add(day), Results: b.Now.Add(-day), Batches: b.Now.Add(-31 * day),
		Sessions: b.Now.Add(-30 * day), Idle: b.Now.Add(-7 * day), Links: b.Now.Add(-time.Hour), Invitations: b.Now, SignUps: b.Now.Add(-day),
		Events: b.Now.Add(-400 * day), Runs: b.Now.Add(-731 * day),
		Passes: b.Now.Add(-35 * day), KeptFiles: b.Now.Add(-60 * day), Mails: b.Now.Add(-400 * day), Notices: b.Now.Add(-30 * day),
		Sandbox: b.Now.Add(-time.Hour), SandboxRuns: domain.DayOf(b.Now) - 1,
	}, b.Expired)
	require.Equal(t, "Asha/: Unexpected server error: send this job again", b.Result("batch-1", 0))
	require.Contains(t, b.Result("batch-1", 1), "156 orders", "what has ended stays as it is")
	require.Equal(t, domain.BatchComplete, b.Batch("batch-1").State())
	require.NoError(t, house.Sweep(t.Context()))
}

// TestResultsThatAreKeptShortlyHurryNoJob has jobs that wait for longer than
// their results would be kept.
func TestResultsThatAreKeptShortlyHurryNoJob(t *testing.T) {
	t.Parallel()
	for retention, timeout := range map[time.Duration]time.Duration{
		time.Minute:    24 * time.Hour,
		72 * time.Hour: 72 * time.Hour,
	} {
		b := newRunningBench(t, storage.ProAccount())
		b.submit(t, sampleRequest(t, "Asha"))
		house := b.house(retention)
		b.Now = b.Now.Add(timeout)
		require.NoError(t, house.Sweep(t.Context()))
		require.Equal(t, b.Now.Add(-retention), b.Expired.Results)
		require.Empty(t, b.Result("batch-1", 0), "%s: the job may still be run", retention)
		b.Now = b.Now.Add(time.Second)
		require.NoError(t, house.Sweep(t.Context()))
		require.Equal(t, "Asha/: Unexpected server error: send this job again", b.Result("batch-1", 0))
	}
}

// TestHousekeepingGoesOn has one thing after the other fail.
func TestHousekeepingGoesOn(t *testing.T) {
	t.Parallel()
	for _, fails := range []string{"sweep", "stale"} {
		t.Run(fails, func(t *testing.T) {
			b := newRunningBench(t, storage.ProAccount())
			b.submit(t, sampleRequest(t, "Asha"))
			b.Now = b.Now.Add(73 * time.Hour)
			fault := errors.New("table locked")
			b.Fault = storage.Failing(fails, fault)
			require.ErrorIs(t, b.house(24*time.Hour).Sweep(t.Context()), fault)
			require.Equal(t, fails != "sweep", !b.Expired.Results.IsZero())
			require.Equal(t, fails != "stale", b.Batch("batch-1").State() == domain.BatchComplete)
		})
	}
}

func TestAJobThatCannotBeReadEndsAtOnce(t *testing.T) {
	t.Parallel()
	unreadable := fmt.Errorf("begin: %w", domain.ErrUnreadable.Caused(errors.New("this seal is damaged")))
	const sealed = "/: what was kept for this was sealed with another secret key and cannot be read: send it again"
	sweep := func(b *runningBench, _ ports.Job) error {
		b.Now = b.Now.Add(25 * time.Hour)
		return b.house(24 * time.Hour).Sweep(t.Context())
	}
	for name, c := range map[string]struct {
		end   func(*runningBench, ports.Job) error
		fault error
		want  string
	}{
		"run":                  {func(b *runningBench, job ports.Job) error { return b.running.Run(t.Context(), job, ports.JobAttempt{}) }, unreadable, sealed},
		"stale":                {sweep, unreadable, sealed},
		"stale, another fault": {sweep, errors.New("no labels"), "/: Unexpected server error: send this job again"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newRunningBench(t, storage.ProAccount())
			job := b.submit(t, sampleRequest(t, "Asha"))[0]
			b.Fault = func(operation string) error {
				return errors.Join(storage.Failing("begin", c.fault)(operation), storage.Failing("labels", c.fault)(operation))
			}
			require.NoError(t, c.end(b, job))
			require.Equal(t, c.want, b.Result("batch-1", 0))
			require.Equal(t, domain.BatchComplete, b.Batch("batch-1").State())
		})
	}
}

// A job at which processes died is ended without its files, which may be what
// they died of, and by one transaction: another death costs nothing.
func TestAJobThatKillsIsGivenUp(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.EnterpriseAccount())
	named := sampleRequest(t, " Asha ")
	named.CourierName = "Delhivery"
	jobs := b.submit(t, named, sampleRequest(t, "Ravi"))
	b.Fault = storage.Failing("begin", errors.New("its files were read"))
	for deaths := domain.MaxDeaths; deaths < domain.MaxDeaths+2; deaths++ {
		again := only.Value(b.working.Do(t.Context(), jobs[0], ports.JobAttempt{Deaths: deaths}))(t)
		require.Zero(t, again)
	}
	require.Regexp(t, `^Asha/delhivery: Given up: the service broke down 5 times while it was running this job. Export both files anew`, b.Result("batch-1", 0))
	require.Empty(t, b.RunIDs())
	require.Equal(t, []int{0}, storage.Column[int](b.Store, "SELECT took_us FROM batch_jobs WHERE position = 0"), "it tells nothing of how long jobs take")

	b.Fault = storage.Failing("store run", domain.ErrDatabase)
	require.ErrorIs(t, only.Err(b.working.Do(t.Context(), jobs[1], ports.JobAttempt{Deaths: domain.MaxDeaths})), domain.ErrDatabase)
	require.Empty(t, b.Result("batch-1", 1), "it is ended the next time")
	b.Fault = storage.Failing("labels", domain.ErrUnreadable)
	require.NoError(t, only.Err(b.working.Do(t.Context(), jobs[1], ports.JobAttempt{Deaths: domain.MaxDeaths})))
	require.Regexp(t, `^/: Given up: `, b.Result("batch-1", 1))
	require.Equal(t, domain.BatchComplete, b.Batch("batch-1").State())
	require.Len(t, b.AllDeliveries(), 1, "the batch's webhook goes out")

	b = newRunningBench(t, storage.ProAccount())
	job := b.submit(t, sampleRequest(t, "Asha"))[0]
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{Deaths: domain.MaxDeaths - 1}))
	require.Len(t, b.RunIDs(), 1, "until then it is done")
}

func TestTheLogHasALinePerJob(t *testing.T) {
	t.Parallel()
	b := newRunningBench(t, storage.ProAccount())
	broken := sampleRequest(t, "CONFIDENTIAL")
	broken.Courier = []byte("CONFIDENTIAL,to,see\n1,2,3\n")
	jobs := b.submit(t, sampleRequest(t, "Asha"), sampleRequest(t, "Asha"), broken, sampleRequest(t, "Ravi"))
	for i, job := range jobs {
		a := ports.JobAttempt{}
		if i == 3 {
			a.Deaths = domain.MaxDeaths
		}
		require.NoError(t, b.running.Run(t.Context(), job, a))
		require.NoError(t, b.running.Run(t.Context(), job, a), "it has ended")
	}
	lines := strings.Split(strings.TrimSpace(b.log.String()), "\n")
	require.Len(t, lines, len(jobs))
	const begin = `level=INFO msg="batch job" account_id=account-1 batch_id=batch-1 position=`
	require.Contains(t, lines[0], begin+`0 outcome=stored took=0s run_id=`+b.RunIDs()[0])
	require.Contains(t, lines[1], begin+`1 outcome=duplicate took=0s run_id=`+b.RunIDs()[0])
	require.Contains(t, lines[2], begin+`2 outcome=refused took=0s code=file_invalid`)
	require.Contains(t, lines[3], begin+`3 outcome=deadly took=0s`)
	require.NotContains(t, b.log.String(), "CONFIDENTIAL")
}

func TestSweptWindowsMeanNothing(t *testing.T) {
	t.Parallel()
	for _, rate := range []domain.Rate{domain.DemoRate, domain.PollRate, domain.KeyRate} {
		before := storage.LateEvening.Add(-time.Hour)
		swept := domain.RateWindow{Admitted: []time.Time{before}, BlockedUntil: before.Add(rate.Block)}
		kept, wait, _ := rate.Admit(swept, storage.LateEvening)
		fresh, _, _ := rate.Admit(domain.RateWindow{}, storage.LateEvening)
		require.Equal(t, fresh, kept)
		require.Zero(t, wait)
	}
}
