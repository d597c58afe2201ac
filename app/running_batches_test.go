package app_test

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
	"milaan/ports"
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

func (o oddExport) Read(orders *domain.Orders) error {
	if err := o.fault(); err != nil {
		return err
	}
	return o.OrdersReader.Read(orders)
}

// runningBench has the real engine on the shelf.
type runningBench struct {
	*store
	reading     func() error // asked before an export is read
	reconciling *runs.Reconciling
	running     *runs.RunningBatches
	working     app.Working
	log         bytes.Buffer
}

func newRunningBench(t testing.TB, account domain.Account) *runningBench {
	t.Helper()
	b := &runningBench{store: newStore(t, account), reading: func() error { return nil }}
	b.reconciling = b.newReconciling(nil)
	b.running = runs.NewRunningBatches(runs.RunningBatchesParams{Jobs: b.batches, Runs: b.runs, Reconciling: b.reconciling, Answers: plainAnswers{},
		Clock: b.clock, Log: slog.New(slog.NewTextHandler(&b.log, nil))})
	b.working = app.NewWorking(app.WorkingParams{Running: b.running})
	return b
}

func (b *runningBench) newReconciling(claiming *runs.Claiming) *runs.Reconciling {
	tables := table.New()
	odd := oddStorefront{storefront.New(tables), func() error { return b.reading() }}
	return runs.NewReconciling(runs.ReconcilingParams{Storefronts: odd, Couriers: couriers.New(tables), Runs: b.runs, Claiming: claiming,
		Clock: b.clock})
}

// sampleRequest asks for a run of the demo's files.
func sampleRequest(t *testing.T, brand string) ports.Request {
	t.Helper()
	orders, err := os.ReadFile("runs/demo/orders.csv")
	require.NoError(t, err)
	report, err := os.ReadFile("runs/demo/remittance.csv")
	require.NoError(t, err)
	return ports.Request{Storefront: orders, Courier: report, Brand: brand, Source: domain.SourceAPI}
}

// submit stores a batch and returns its jobs.
func (b *runningBench) submit(t *testing.T, requests ...ports.Request) []ports.Job {
	t.Helper()
	batch := domain.Batch{ID: "batch-1", AccountID: b.account.ID, WebhookURL: "https://batches.example/", Jobs: len(requests), SubmittedAt: b.now}
	require.NoError(t, b.batches.Submit(t.Context(), batch, requests, domain.Claim{}))
	return b.jobs()
}

func TestAStoredRunIsAnnounced(t *testing.T) {
	b := newRunningBench(t, enterpriseAccount())
	b.setWebhook(domain.Webhook{Endpoint: "https://hooks.example/", Secret: testSecret})
	pro := proAccount() // the account was moved to Enterprise while the request was on its way
	for _, duplicate := range []bool{false, true} {
		o, err := b.reconciling.Reconcile(t.Context(), ports.Caller{Account: pro}, sampleRequest(t, "Asha"))
		require.NoError(t, err)
		require.Equal(t, duplicate, o.Duplicate)
		o.Release()
	}
	require.Len(t, b.allDeliveries(), 1, "a duplicate is not announced")
	d := b.allDeliveries()[0]
	require.Equal(t, domain.Delivery{
		ID: d.ID, EventID: d.EventID, AccountID: "account-1", Kind: domain.RunDelivery, RunID: b.runIDs()[0],
		State: domain.DeliveryPending, CreatedAt: b.now,
	}, d)
	require.Regexp(t, `^evt_[0-9a-f]{32}$`, d.EventID)
	b.change(func(a *domain.Account) { a.Plan = domain.Pro })
	o, err := b.reconciling.Reconcile(t.Context(), ports.Caller{Account: enterpriseAccount()}, sampleRequest(t, "Ravi"))
	require.NoError(t, err)
	o.Release()
	require.Len(t, b.runIDs(), 2)
	require.Len(t, b.allDeliveries(), 1, "the plan counts that the account has when the run is stored")
}

func TestJobsOfABatch(t *testing.T) {
	b := newRunningBench(t, proAccount())
	named := sampleRequest(t, " Asha ")
	named.CourierName = "Delhivery"
	broken := sampleRequest(t, "Ravi")
	broken.Courier = []byte("nothing,to,see\n1,2,3\n")
	jobs := b.submit(t, named, named, broken)
	for i, job := range jobs {
		b.now = b.now.Add(time.Second)
		again, err := b.working.Do(t.Context(), job, ports.JobAttempt{})
		require.NoError(t, err, "%d", i)
		require.Zero(t, again)
	}
	require.Len(t, b.runIDs(), 1)
	require.Equal(t, []string{"batch Asha"}, column[string](b.store, "SELECT source || ' ' || brand FROM runs"))
	require.Equal(t, "Asha/delhivery: 156 orders, duplicate false", b.result("batch-1", 0))
	require.Equal(t, "Asha/delhivery: 156 orders, duplicate true", b.result("batch-1", 1))
	require.Regexp(t, `^Ravi/: courier file \(courier\)`, b.result("batch-1", 2), "a job that fails on its files ends with its error")
	require.Equal(t, domain.BatchComplete, b.batch("batch-1").State())
	require.Len(t, b.allDeliveries(), 1)
	d := b.allDeliveries()[0]
	require.Equal(t, domain.BatchDelivery, d.Kind)
	require.Equal(t, "batch-1", d.BatchID)
	require.Equal(t, b.now, d.CreatedAt)
}

func TestAJobThatRunsTwiceEndsOnce(t *testing.T) {
	b := newRunningBench(t, proAccount())
	job := b.submit(t, sampleRequest(t, "Asha"), sampleRequest(t, "Ravi"))[0]
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	require.Len(t, b.runIDs(), 1)

	// Another instance ends the job while this one still reads its files: what this
	// one found is undone, and so is its run.
	b = newRunningBench(t, proAccount())
	job = b.submit(t, sampleRequest(t, "Asha"))[0]
	elsewhere := false
	b.reading = func() error {
		if !elsewhere {
			elsewhere = true
			require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
			b.now = b.now.Add(time.Hour) // so that the second is no duplicate
		}
		return nil
	}
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	require.Len(t, b.runIDs(), 1)
	require.Equal(t, 1, b.batch("batch-1").Completed)
	require.Len(t, b.allDeliveries(), 1)
}

func TestAJobOverTheCap(t *testing.T) {
	account, one := proAccount(), 1
	account.RunCap = &one
	b := newRunningBench(t, account)
	broken := sampleRequest(t, "Asha")
	broken.Storefront = []byte("no export")
	for _, job := range b.submit(t, sampleRequest(t, "Asha"), sampleRequest(t, "Ravi"), broken, sampleRequest(t, "Asha")) {
		require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{}))
	}
	require.Len(t, b.runIDs(), 1)
	const message = "Run limit of 1/month reached; the next cycle begins on 2026-09-30"
	require.Equal(t, "Ravi/: "+message, b.result("batch-1", 1))
	require.Equal(t, "Asha/: "+message, b.result("batch-1", 2), "the cap speaks before a faulty file")
	require.Contains(t, b.result("batch-1", 3), "duplicate true", "the others go on")
	require.Equal(t, domain.BatchComplete, b.batch("batch-1").State())
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
	b := newRunningBench(t, proAccount())
	job := b.submit(t, sampleRequest(t, "Asha"))[0]
	ctx, stop := context.WithCancel(t.Context())
	b.reading = func() error {
		stop()
		return nil
	}
	require.ErrorIs(t, b.running.Run(ctx, job, ports.JobAttempt{Last: true}), context.Canceled)
	require.Empty(t, b.result("batch-1", 0))
	b.reading = func() error { return nil }
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{Last: true}))
	require.Equal(t, domain.BatchComplete, b.batch("batch-1").State())
	require.Len(t, b.runIDs(), 1)
}

func TestAFaultOfOursEndsAJobTheLastTime(t *testing.T) {
	fault := errors.New("disk on fire")
	for name, fails := range map[string]func() error{
		"error": func() error { return fault },
		"panic": func() error { panic(fault) },
	} {
		t.Run(name, func(t *testing.T) {
			b := newRunningBench(t, proAccount())
			job := b.submit(t, sampleRequest(t, "Asha"))[0]
			b.reading = fails
			for range 2 {
				require.ErrorContains(t, b.running.Run(t.Context(), job, ports.JobAttempt{}), "disk on fire")
				require.Empty(t, b.result("batch-1", 0))
			}
			ctx := limited{t.Context(), make(chan struct{})}
			b.reading = func() error {
				close(ctx.over) // the job's time is up as well
				return fails()
			}
			require.ErrorContains(t, b.running.Run(ctx, job, ports.JobAttempt{Last: true}), "disk on fire", "the log is told all the same")
			require.Equal(t, "Asha/: Unexpected server error: send this job again", b.result("batch-1", 0))
			require.Equal(t, domain.BatchComplete, b.batch("batch-1").State())
			require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{Last: true}), "it has ended")
		})
	}
}

func TestFaultsOfTheDatabaseAreReturned(t *testing.T) {
	away := domain.ErrDatabase.Caused(errors.New("connection refused"))
	b := newRunningBench(t, proAccount())
	job := b.submit(t, sampleRequest(t, "Asha"))[0]
	for _, operation := range []string{"begin", "store run"} {
		b.fault = failing(operation, away)
		require.ErrorIs(t, b.running.Run(t.Context(), job, ports.JobAttempt{}), away)
	}
	require.ErrorIs(t, b.running.Run(t.Context(), job, ports.JobAttempt{Last: true}), away, "even the end could not be stored")
	require.Empty(t, b.result("batch-1", 0))
	b.fault = failing("begin", away)
	require.ErrorIs(t, b.running.Run(t.Context(), job, ports.JobAttempt{Last: true}), away)
	require.Equal(t, "/: Unexpected server error: send this job again", b.result("batch-1", 0), "a batch does not wait for what nobody will do")
}

func TestUnknownKindOfJob(t *testing.T) {
	_, err := app.NewWorking(app.WorkingParams{}).Do(t.Context(), ports.Job{Kind: "dance"}, ports.JobAttempt{})
	require.ErrorContains(t, err, `"dance"`)
}

// agreement is ports.Agreement in memory.
type agreement struct {
	retired int
	fault   error
}

func (a *agreement) Retire(context.Context) error {
	a.retired++
	return a.fault
}

// house is housekeeping of what the bench keeps.
func (b *runningBench) house(retention time.Duration) *app.Housekeeping {
	return app.NewHousekeeping(app.HousekeepingParams{Upkeep: b.upkeep, Running: b.running,
		Clock: b.clock, Background: ports.Background{Retention: retention, RunRetention: 731 * 24 * time.Hour}})
}

// TestRunsAreKeptForTheirCycle has a setting that would delete runs which count.
func TestRunsAreKeptForTheirCycle(t *testing.T) {
	b := newRunningBench(t, proAccount())
	house := app.NewHousekeeping(app.HousekeepingParams{Upkeep: b.upkeep, Running: b.running, Clock: b.clock})
	require.NoError(t, house.Sweep(t.Context()))
	require.Equal(t, b.now.Add(-62*24*time.Hour), b.expired.Runs)
}

func TestHousekeeping(t *testing.T) {
	b := newRunningBench(t, proAccount())
	stale := b.submit(t, sampleRequest(t, "Asha"), sampleRequest(t, "Ravi"))
	require.NoError(t, b.running.Run(t.Context(), stale[1], ports.JobAttempt{}))
	b.now = b.now.Add(24*time.Hour + time.Second)
	house := b.house(24 * time.Hour)
	require.NoError(t, house.Sweep(t.Context()))

	day := 24 * time.Hour
	require.Equal(t, ports.Expiry{
		Windows: b.now.Add(-time.Hour), DayWindows: b.now.Add(-25 * time.Hour), PhoneCodes: b.now.Add(-10 * time.Minute), Keys: b.now.Add(-30 * day), Pending: b.now.Add(-3 * day), Deliveries: b.now.Add(-30 * day),
		Claims: b.now.Add(-day), ClaimsAhead: b.now.Add(day), Results: b.now.Add(-day), Batches: b.now.Add(-31 * day),
		Sessions: b.now.Add(-30 * day), Idle: b.now.Add(-7 * day), Links: b.now.Add(-time.Hour), Invitations: b.now, SignUps: b.now.Add(-day),
		Events: b.now.Add(-400 * day), Runs: b.now.Add(-731 * day),
		Passes: b.now.Add(-35 * day), KeptFiles: b.now.Add(-60 * day), Mails: b.now.Add(-400 * day), Notices: b.now.Add(-30 * day),
		Sandbox: b.now.Add(-time.Hour), SandboxRuns: domain.DayOf(b.now) - 1,
	}, b.expired)
	require.Equal(t, "Asha/: Unexpected server error: send this job again", b.result("batch-1", 0))
	require.Contains(t, b.result("batch-1", 1), "156 orders", "what has ended stays as it is")
	require.Equal(t, domain.BatchComplete, b.batch("batch-1").State())
	require.NoError(t, house.Sweep(t.Context()))
}

// TestResultsThatAreKeptShortlyHurryNoJob has jobs that wait for longer than
// their results would be kept.
func TestResultsThatAreKeptShortlyHurryNoJob(t *testing.T) {
	for retention, timeout := range map[time.Duration]time.Duration{
		time.Minute:    24 * time.Hour,
		72 * time.Hour: 72 * time.Hour,
	} {
		b := newRunningBench(t, proAccount())
		b.submit(t, sampleRequest(t, "Asha"))
		house := b.house(retention)
		b.now = b.now.Add(timeout)
		require.NoError(t, house.Sweep(t.Context()))
		require.Equal(t, b.now.Add(-retention), b.expired.Results)
		require.Empty(t, b.result("batch-1", 0), "%s: the job may still be run", retention)
		b.now = b.now.Add(time.Second)
		require.NoError(t, house.Sweep(t.Context()))
		require.Equal(t, "Asha/: Unexpected server error: send this job again", b.result("batch-1", 0))
	}
}

// TestHousekeepingGoesOn has one thing after the other fail.
func TestHousekeepingGoesOn(t *testing.T) {
	for _, fails := range []string{"sweep", "stale"} {
		t.Run(fails, func(t *testing.T) {
			b := newRunningBench(t, proAccount())
			b.submit(t, sampleRequest(t, "Asha"))
			b.now = b.now.Add(73 * time.Hour)
			fault := errors.New("table locked")
			b.fault = failing(fails, fault)
			require.ErrorIs(t, b.house(24*time.Hour).Sweep(t.Context()), fault)
			require.Equal(t, fails != "sweep", !b.expired.Results.IsZero())
			require.Equal(t, fails != "stale", b.batch("batch-1").State() == domain.BatchComplete)
		})
	}
}

func TestAJobThatCannotBeReadEndsAtOnce(t *testing.T) {
	unreadable := fmt.Errorf("begin: %w", domain.ErrUnreadable.Caused(errors.New("this seal is damaged")))
	const sealed = "/: what was kept for this was sealed with another secret key and cannot be read: send it again"
	sweep := func(b *runningBench, _ ports.Job) error {
		b.now = b.now.Add(25 * time.Hour)
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
			b := newRunningBench(t, proAccount())
			job := b.submit(t, sampleRequest(t, "Asha"))[0]
			b.fault = func(operation string) error {
				return errors.Join(failing("begin", c.fault)(operation), failing("labels", c.fault)(operation))
			}
			require.NoError(t, c.end(b, job))
			require.Equal(t, c.want, b.result("batch-1", 0))
			require.Equal(t, domain.BatchComplete, b.batch("batch-1").State())
		})
	}
}

// A job at which processes died is ended without its files, which may be what
// they died of, and by one transaction: another death costs nothing.
func TestAJobThatKillsIsGivenUp(t *testing.T) {
	b := newRunningBench(t, enterpriseAccount())
	named := sampleRequest(t, " Asha ")
	named.CourierName = "Delhivery"
	jobs := b.submit(t, named, sampleRequest(t, "Ravi"))
	b.fault = failing("begin", errors.New("its files were read"))
	for deaths := domain.MaxDeaths; deaths < domain.MaxDeaths+2; deaths++ {
		again, err := b.working.Do(t.Context(), jobs[0], ports.JobAttempt{Deaths: deaths})
		require.NoError(t, err)
		require.Zero(t, again)
	}
	require.Regexp(t, `^Asha/delhivery: Given up: the service broke down 5 times while it was running this job. Export both files anew`, b.result("batch-1", 0))
	require.Empty(t, b.runIDs())
	require.Equal(t, []int{0}, column[int](b.store, "SELECT took_us FROM batch_jobs WHERE position = 0"), "it tells nothing of how long jobs take")

	b.fault = failing("store run", domain.ErrDatabase)
	_, err := b.working.Do(t.Context(), jobs[1], ports.JobAttempt{Deaths: domain.MaxDeaths})
	require.ErrorIs(t, err, domain.ErrDatabase)
	require.Empty(t, b.result("batch-1", 1), "it is ended the next time")
	b.fault = failing("labels", domain.ErrUnreadable)
	_, err = b.working.Do(t.Context(), jobs[1], ports.JobAttempt{Deaths: domain.MaxDeaths})
	require.NoError(t, err)
	require.Regexp(t, `^/: Given up: `, b.result("batch-1", 1))
	require.Equal(t, domain.BatchComplete, b.batch("batch-1").State())
	require.Len(t, b.allDeliveries(), 1, "the batch's webhook goes out")

	b = newRunningBench(t, proAccount())
	job := b.submit(t, sampleRequest(t, "Asha"))[0]
	require.NoError(t, b.running.Run(t.Context(), job, ports.JobAttempt{Deaths: domain.MaxDeaths - 1}))
	require.Len(t, b.runIDs(), 1, "until then it is done")
}

func TestTheLogHasALinePerJob(t *testing.T) {
	b := newRunningBench(t, proAccount())
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
	require.Contains(t, lines[0], begin+`0 outcome=stored took=0s run_id=`+b.runIDs()[0])
	require.Contains(t, lines[1], begin+`1 outcome=duplicate took=0s run_id=`+b.runIDs()[0])
	require.Contains(t, lines[2], begin+`2 outcome=refused took=0s code=file_invalid`)
	require.Contains(t, lines[3], begin+`3 outcome=deadly took=0s`)
	require.NotContains(t, b.log.String(), "CONFIDENTIAL")
}

func TestSweptWindowsMeanNothing(t *testing.T) {
	for _, rate := range []domain.Rate{domain.DemoRate, domain.PollRate, domain.KeyRate} {
		before := lateEvening.Add(-time.Hour)
		swept := domain.RateWindow{Admitted: []time.Time{before}, BlockedUntil: before.Add(rate.Block)}
		kept, wait, _ := rate.Admit(swept, lateEvening)
		fresh, _, _ := rate.Admit(domain.RateWindow{}, lateEvening)
		require.Equal(t, fresh, kept)
		require.Zero(t, wait)
	}
}
