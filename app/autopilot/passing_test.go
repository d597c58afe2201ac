package autopilot_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/app"
	"milaan/app/runs"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/fakes/storage"
	"milaan/tests/garbage"
	"milaan/tests/only"
)

func TestMain(m *testing.M) { garbage.Waits(m) }

// TestAPassStoresOneRunOfAllSources holds what comes of a first pass, and of a second one whose
// inputs are the same.
func TestAPassStoresOneRunOfAllSources(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.EnterpriseAccount())
	b.SetWebhook(domain.Webhook{Endpoint: "https://hooks.shop.example/x", Secret: "whsec"})
	c := b.connect("Asha", "north/delhivery", "south/dtdc")
	paid, short := b.sell("#1", 500, 29), b.sell("#2", 700, 28)
	b.sell("#3", 900, 20)
	b.put("north", "a.csv", domain.DayOf(b.Now), paid)
	b.sources.places["south"].files = []fileInMemory{{name: "b.csv", content: "CN Number,COD Amount (INR),Remittance Date\n" + short.awb + ",600," + (domain.DayOf(b.Now) - 3).String() + "\n", version: 1, modified: b.Now.Add(-time.Hour), settled: true}}

	job := b.due(c)
	again := only.Value(b.passing.Make(t.Context(), job, ports.JobAttempt{}))(t)
	require.Equal(t, domain.SnapshotInterval, again, "a file that no pass has seen is looked at twice")
	require.Empty(t, b.RunIDs())
	b.Now = b.Now.Add(again)
	pass := b.make(job)
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	require.Equal(t, []string{pass.RunID}, b.RunIDs())
	require.Equal(t, 3, pass.Orders)
	stored := b.status(c)
	require.Equal(t, []domain.SourceResult{
		{SourceID: stored.Sources[0].ID, Courier: "delhivery", Files: 1, Lines: 1, Through: domain.DayOf(b.Now)},
		{SourceID: stored.Sources[1].ID, Courier: "dtdc", Files: 1, Lines: 1, Through: domain.DayOf(b.Now) - 3, Behind: true},
	}, pass.Sources)

	run := only.Value(b.History.Run(t.Context(), b.Account.ID, pass.RunID))(t)
	require.Equal(t, "delhivery+dtdc", run.CourierName)
	require.Equal(t, domain.SourceAutopilot, run.Source)
	require.Equal(t, "Asha", run.Brand)
	require.Equal(t, 1, run.Tally.Flags[domain.Reconciled])
	require.Equal(t, 1, run.Tally.Flags[domain.ShortPaid])
	require.Equal(t, domain.DayOf(b.Now)-3, run.Guidance.DataThrough, "the coverage is that of the source most behind")
	require.Equal(t, stored.LastRunID, run.ID)
	require.Equal(t, run.Tally.AtRisk, stored.AtRisk)
	require.WithinDuration(t, b.Now, stored.CheckedAt, time.Second)
	deliveries := b.AllDeliveries()
	require.Len(t, deliveries, 1, "the run is announced")
	require.Equal(t, run.ID, deliveries[0].RunID)
	saved := only.Value(b.Mappings.List(t.Context(), b.Account.ID))(t)
	require.Len(t, saved, 2, "mappings are saved as for runs of the API")

	fetched := b.Calls["read file"]
	pass = b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, pass.Outcome)
	require.Equal(t, run.ID, pass.RunID)
	require.Len(t, b.RunIDs(), 1)
	require.Len(t, b.AllDeliveries(), 1)
	require.Equal(t, fetched, b.Calls["read file"], "unchanged files are not read")
	require.Len(t, pass.Sources, 2)
	require.True(t, pass.Sources[1].Behind, "an unchanged pass has what the last one found")
	require.WithinDuration(t, b.Now, b.status(c).CheckedAt, time.Second)

	event := domain.SecurityEvent{}
	require.NoError(t, b.Mappings.Remove(t.Context(), b.Account.ID, "dtdc", event))
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome, "without the mapping the reports may be read in another way")
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome, "the mapping that was saved again is the one that was used")

	b.Now = b.Now.AddDate(0, 0, 3)
	b.shop.orders = b.shop.orders[2:] // two have left the window
	b.sources.places["north"].files, b.sources.places["south"].files = nil, nil
	pass = b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome)
	require.Equal(t, 1, pass.Left.Orders, "the order that is short")
	require.Equal(t, 100*domain.Rupee, pass.Left.Amount)
	require.Equal(t, pass.Left, b.status(c).Left)
	require.Contains(t, b.log.String(), "outcome=stored")
	require.NotContains(t, b.log.String(), "asha", "no host is logged")
}

// TestFilesThatComeWithTheListAreNotAskedForAgain holds that a source whose files are its list, and that
// may need minutes for one, is asked once.
func TestFilesThatComeWithTheListAreNotAskedForAgain(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north/delhivery")
	first, second := b.sell("#1", 500, 25), b.sell("#2", 700, 25)
	for i, o := range []soldOrder{first, second} {
		f := b.put("north", string(rune('a'+i))+".csv", domain.DayOf(b.Now), o)
		f.inline, f.settled = true, true
	}
	pass := b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
	require.Equal(t, 2, pass.Sources[0].Lines)
	require.Equal(t, 1, b.Calls["list source"])
	require.Zero(t, b.Calls["read file"])
}

// TestAnUnchangedPassHasWhatTheLastFound makes a pass that was asked for before one that was
// due earlier, but late.
func TestAnUnchangedPassHasWhatTheLastFound(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north")
	first, second := b.sell("#1", 500, 29), b.sell("#2", 700, 28)
	b.put("north", "a.csv", domain.DayOf(b.Now), first)
	b.Now = domain.NextPass(c.ID, b.Now, time.Hour)
	require.Equal(t, domain.PassStored, b.make(b.ask(c)).Outcome)
	b.put("north", "b.csv", domain.DayOf(b.Now), second)
	before := len(b.Jobs())
	require.NoError(t, b.scheduling.Schedule(t.Context()))
	require.Len(t, b.Jobs(), before+1)
	pass := b.make(b.Jobs()[before])
	require.Equal(t, domain.PassStored, pass.Outcome)
	require.Equal(t, 2, pass.Sources[0].Files)
	unchanged := b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, unchanged.Outcome)
	require.Equal(t, pass.Sources, unchanged.Sources)
}

// TestWhatChargesAreIsAPartOfThePass holds that a connection says what charges are, or else its
// account, and that the next pass compares again if that is changed, and only then.
func TestWhatChargesAreIsAPartOfThePass(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	sold := b.sell("#1", 1000, 29)
	b.put("north", "a.csv", domain.DayOf(b.Now), sold).content = "AWB,COD Amount,Remitted Amount,Remittance Date,Freight\n" +
		sold.awb + ",1000,900," + domain.DayOf(b.Now).String() + ",100\n"
	says := func(of domain.Charges) {
		t.Helper()
		change := b.changeOf("Asha", "north")
		change.Charges = of
		require.NoError(t, only.Err(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change)))
	}
	accountSays := func(accept bool) { b.Change(func(a *domain.Account) { a.AcceptCharges = accept }) }
	finds := func(outcome domain.PassOutcome, flag domain.Flag) {
		t.Helper()
		pass := b.make(b.due(c))
		require.Equal(t, outcome, pass.Outcome, pass.Failure)
		run := only.Value(b.History.Run(t.Context(), b.Account.ID, pass.RunID))(t)
		require.Equal(t, 1, run.Tally.Flags[flag], run.Tally.Flags)
	}
	finds(domain.PassStored, domain.ShortPaid)
	finds(domain.PassUnchanged, domain.ShortPaid)
	accountSays(true)
	finds(domain.PassStored, domain.Reconciled)
	finds(domain.PassUnchanged, domain.Reconciled)
	says(domain.AcceptCharges)
	finds(domain.PassUnchanged, domain.Reconciled) // what they say is the same
	says(domain.FlagCharges)
	finds(domain.PassStored, domain.ShortPaid)
	accountSays(false)
	finds(domain.PassUnchanged, domain.ShortPaid)
	says("")
	finds(domain.PassUnchanged, domain.ShortPaid)
	says(domain.AcceptCharges)
	finds(domain.PassStored, domain.Reconciled)
	require.Zero(t, b.status(c).AtRisk)
}

// TestACourierWithoutAReportIsNeverMissing holds that a source without a file counts as a
// report without dates of its courier.
func TestACourierWithoutAReportIsNeverMissing(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	flags := func(places ...string) domain.FlagCounts {
		c := b.connect(places[0]+places[len(places)-1], places...)
		pass := b.make(b.ask(c))
		require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
		return only.Value(b.History.Run(t.Context(), b.Account.ID, pass.RunID))(t).Tally.Flags
	}
	b.connect("making places", "north", "south")
	var paid []soldOrder
	for _, name := range []string{"#1", "#2", "#3"} {
		paid = append(paid, b.sell(name, 500, 25))
	}
	b.sell("#4", 700, 25)
	b.put("north", "a.csv", domain.DayOf(b.Now), paid...)
	require.Equal(t, 1, flags("north/delhivery")[domain.Missing], "the only courier's report proves it")
	require.Zero(t, flags("north/delhivery", "south/dtdc")[domain.Missing])
	require.Zero(t, flags("north/delhivery", "south")[domain.Missing], "of a source whose courier is not stated too")
	require.Equal(t, 1, flags("north/delhivery", "south/delhivery")[domain.Missing], "another report of the courier proves it")
	require.Zero(t, flags("south/dtdc")[domain.Missing], "a pass without any report")
}

// TestFailuresOfAPass holds what a pass says of each thing that is wrong, that it then stores
// nothing, and that it repeats no cell of a file.
func TestFailuresOfAPass(t *testing.T) {
	t.Parallel()
	refused := &domain.ConnectorError{Rule: domain.ConnRefused, Connector: "shelf", Setting: "password"}
	for name, c := range map[string]struct {
		spoil func(b *passBench, north, south *place)
		want  domain.ConnectorError
		state domain.ConnectionState
	}{
		"a refused login": {func(_ *passBench, _, south *place) { south.fault = refused }, domain.ConnectorError{Rule: domain.ConnRefused, Connector: "shelf", Source: 2, Setting: "password"}, domain.ConnectionRefused},
		"a list that breaks": {func(_ *passBench, north, _ *place) {
			north.listing = &domain.ConnectorError{Rule: domain.ConnUnreachable}
		}, domain.ConnectorError{Rule: domain.ConnUnreachable, Connector: "shelf", Source: 1}, domain.ConnectionActive},
		"a file that is gone": {func(_ *passBench, north, _ *place) {
			north.reading = &domain.ConnectorError{Rule: domain.ConnGone, File: "a.csv"}
		}, domain.ConnectorError{Rule: domain.ConnGone, Connector: "shelf", Source: 1, File: "a.csv"}, domain.ConnectionActive},
		"a shop that throttles": {func(b *passBench, _, _ *place) {
			b.shop.fault = &domain.ConnectorError{Rule: domain.ConnThrottled, Connector: "stall", Wait: time.Minute}
		}, domain.ConnectorError{Rule: domain.ConnThrottled, Connector: "stall", Wait: time.Minute}, domain.ConnectionActive},
		"a missing scope": {func(b *passBench, _, _ *place) {
			b.shop.fault = &domain.ConnectorError{Rule: domain.ConnScope, Connector: "stall", Value: "read_orders"}
		}, domain.ConnectorError{Rule: domain.ConnScope, Connector: "stall", Value: "read_orders"}, domain.ConnectionRefused},
		"no orders":          {func(b *passBench, _, _ *place) { b.shop.orders = nil }, domain.ConnectorError{Rule: domain.ConnOrders, Connector: "stall"}, domain.ConnectionActive},
		"orders of two days": {func(b *passBench, _, _ *place) { b.shop.grown = domain.MaxPassBytes + 1 }, domain.ConnectorError{Rule: domain.ConnManyBytes, Connector: "stall", Limit: domain.MaxPassBytes}, domain.ConnectionActive},
		"a header": {func(_ *passBench, north, _ *place) {
			north.files[0].content = "hooks.Secret,Column\nasha@shop.example,2\n"
		}, domain.ConnectorError{Rule: domain.ConnHeader, Connector: "shelf", Source: 1, File: "a.csv"}, domain.ConnectionActive},
		"a cell": {func(_ *passBench, _, south *place) {
			south.files[0].content = delhiveryHead + "149001,asha@shop.example,2026-11-01\n"
		}, domain.ConnectorError{Rule: domain.ConnReport, Connector: "shelf", Source: 2, File: "b.csv", Line: 2, Column: "COD Amount"}, domain.ConnectionActive},
		"an empty file": {func(_ *passBench, _, south *place) { south.files[0].content = "" }, domain.ConnectorError{Rule: domain.ConnReport, Connector: "shelf", Source: 2, File: "b.csv"}, domain.ConnectionActive},
		"too many files": {func(b *passBench, north, _ *place) {
			for range domain.MaxPassFiles {
				north.files = append(north.files, fileInMemory{name: time.Duration(len(north.files)).String(), modified: b.Now, settled: true})
			}
		}, domain.ConnectorError{Rule: domain.ConnManyFiles, Connector: "shelf", Source: 1, Limit: domain.MaxPassFiles}, domain.ConnectionActive},
	} {
		b := newPassBench(t, storage.ProAccount())
		connection := b.connect("Asha", "north", "south")
		o := b.sell("#1", 500, 25)
		for _, at := range []string{"north", "south"} {
			b.put(at, map[string]string{"north": "a.csv", "south": "b.csv"}[at], domain.DayOf(b.Now), o).settled = true
		}
		c.spoil(b, b.sources.places["north"], b.sources.places["south"])
		pass := b.make(b.due(connection))
		require.Equal(t, domain.PassFailed, pass.Outcome, name)
		require.Equal(t, &c.want, pass.Failure, name)
		require.Empty(t, b.RunIDs(), name)
		got := b.status(connection)
		require.Equal(t, c.state, got.State, name)
		require.Equal(t, &c.want, got.Failure, name)
		require.False(t, got.FailingSince.IsZero(), name)
		require.True(t, got.CheckedAt.IsZero(), name)
		require.NotContains(t, b.log.String(), "asha@", name)
		require.NotContains(t, b.log.String(), ".csv", name)
	}
}

// TestAConnectionThatNeedsAttention holds that no pass is made until a person has changed
// something or asks for one, and that a pass that then succeeds makes it active again.
func TestAConnectionThatNeedsAttention(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	b.sell("#1", 500, 25)
	b.shop.fault = &domain.ConnectorError{Rule: domain.ConnRefused, Connector: "stall"}
	b.make(b.due(c))
	since := b.status(c).FailingSince
	b.Now = b.Now.Add(3 * time.Hour)
	require.NoError(t, b.scheduling.Schedule(t.Context()))
	require.Len(t, b.Jobs(), 1, "no pass is due")

	require.Equal(t, domain.PassFailed, b.make(b.ask(c)).Outcome)
	require.Equal(t, since, b.status(c).FailingSince)
	b.shop.fault = nil
	require.Equal(t, domain.PassStored, b.make(b.ask(c)).Outcome)
	got := b.status(c)
	require.Equal(t, domain.ConnectionActive, got.State)
	require.Nil(t, got.Failure)
	require.Zero(t, got.FailingSince)
	require.True(t, got.NextPassAt.After(b.Now), "missed passes are not made up")
	b.make(b.due(c))

	require.NoError(t, only.Err(b.managing.Pause(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard)))
	b.shop.fault = &domain.ConnectorError{Rule: domain.ConnRefused, Connector: "stall"}
	require.Equal(t, domain.PassFailed, b.make(b.ask(c)).Outcome)
	require.Equal(t, domain.ConnectionPaused, b.status(c).State, "what a person has paused stays so")
}

// TestAGrowingFileIsNoRun holds the two snapshots: a file that grows between them fails the pass,
// and the next pass takes it as it then is.
func TestAGrowingFileIsNoRun(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	o := b.sell("#1", 500, 25)
	b.put("north", "a.csv", domain.DayOf(b.Now), o)
	file := &b.sources.places["north"].files[0]
	job := b.due(c)
	again := only.Value(b.passing.Make(t.Context(), job, ports.JobAttempt{}))(t)
	require.Equal(t, domain.SnapshotInterval, again)
	require.Zero(t, b.Calls["fetch orders"])
	file.version++
	b.Now = b.Now.Add(20 * time.Second)
	again, err := b.passing.Make(t.Context(), job, ports.JobAttempt{}) // after a death, for example
	require.NoError(t, err)
	require.InDelta(t, 40*time.Second, again, float64(time.Millisecond), "the second snapshot waits for its time")
	b.Now = b.Now.Add(again)
	pass := b.make(job)
	require.Equal(t, &domain.ConnectorError{Rule: domain.ConnGrowing, Connector: "shelf", Source: 1, File: "a.csv"}, pass.Failure)
	require.Empty(t, b.RunIDs())

	b.Now = b.Now.Add(5 * time.Second)
	job = b.ask(c)
	again = only.Value(b.passing.Make(t.Context(), job, ports.JobAttempt{}))(t)
	require.Equal(t, domain.SnapshotInterval, again, "the snapshot of a moment ago is no second one")
	b.sources.places["north"].files = append(b.sources.places["north"].files, fileInMemory{name: "b.csv", content: reportOf(1, o), version: 1, modified: b.Now})
	b.Now = b.Now.Add(again)
	require.Equal(t, "b.csv", b.make(job).Failure.File, "a file that has come between the snapshots may be growing too")
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome, "both were seen an hour ago")
	b.sources.places["north"].files = b.sources.places["north"].files[:1]
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome, "a file that has gone is no reason to wait")
}

// TestWhoHasPasses holds that a pass is skipped if the plan or the subscription has ended, or
// the connection was paused meanwhile; also if the plan ends while the pass is made.
func TestWhoHasPasses(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	b.sell("#1", 500, 25)
	for _, change := range []func(*domain.Account){
		func(a *domain.Account) { a.Plan = domain.Solo },
		func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded },
	} {
		before := b.Account
		job := b.due(c)
		b.Change(change)
		require.Equal(t, domain.PassSkipped, b.make(job).Outcome)
		b.Change(func(a *domain.Account) { *a = before })

		job = b.due(c)
		b.shop.during = func() { b.Change(change) }
		require.Equal(t, domain.PassSkipped, b.make(job).Outcome)
		b.shop.during = nil
		b.Change(func(a *domain.Account) { *a = before })
	}
	job := b.due(c)
	require.NoError(t, only.Err(b.managing.Pause(t.Context(), b.Account.ID, c.ID, true, domain.ByDashboard)))
	require.Equal(t, domain.PassSkipped, b.make(job).Outcome)
	require.Empty(t, b.RunIDs())
	require.Zero(t, b.status(c).FailingSince, "that is no failure")
	require.Equal(t, domain.PassStored, b.make(b.ask(c)).Outcome, "a person may ask for a pass of a paused connection")

	job = b.ask(c)
	b.shop.during = func() { require.NoError(t, b.managing.Remove(t.Context(), b.Account.ID, c.ID, domain.ByDashboard)) }
	b.sell("#2", 500, 20)
	require.NoError(t, only.Err(b.passing.Make(t.Context(), job, ports.JobAttempt{})))
	require.Len(t, b.RunIDs(), 1, "a pass of a connection that was removed stores nothing")
}

// TestFaultsOfTheServiceArePassedOn holds that a pass that fails through a fault of our own is
// repeated by the engine, and ends at the last attempt, after too many deaths, or when its
// time is over.
func TestFaultsOfTheServiceArePassedOn(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	b.sell("#1", 500, 25)
	job := b.due(c)
	for _, operation := range []string{"begin pass", "store run", "fetch orders"} {
		b.Fault = storage.Failing(operation, domain.ErrDatabase)
		require.ErrorIs(t, only.Err(b.passing.Make(t.Context(), job, ports.JobAttempt{})), domain.ErrDatabase)
		require.Zero(t, b.pass(job).EndedAt)
	}
	require.ErrorIs(t, only.Err(b.passing.Make(t.Context(), job, ports.JobAttempt{Last: true})), domain.ErrDatabase, "the engine logs it")
	require.Equal(t, domain.ConnFault, b.pass(job).Failure.Rule)
	b.Fault = storage.Failing("", nil)

	job = b.due(c)
	stopped, stop := context.WithCancel(t.Context())
	b.shop.during = stop
	b.shop.fault = context.Canceled
	require.ErrorIs(t, only.Err(b.passing.Make(stopped, job, ports.JobAttempt{Last: true})), context.Canceled)
	require.Zero(t, b.pass(job).EndedAt, "a stop of the instance ends no pass")
	b.shop.during, b.shop.fault = func() { panic("a bug") }, nil
	require.ErrorContains(t, only.Err(b.passing.Make(t.Context(), job, ports.JobAttempt{})), "a bug")
	b.shop.during = nil
	require.NoError(t, only.Err(b.passing.Make(t.Context(), job, ports.JobAttempt{Deaths: domain.MaxDeaths})))
	require.Equal(t, domain.ConnInterrupted, b.pass(job).Failure.Rule)

	b.put("north", "a.csv", 1)
	job = b.due(c)
	require.NoError(t, only.Err(b.passing.Make(t.Context(), job, ports.JobAttempt{})))
	b.Now = b.Now.Add(domain.PassLimit)
	require.Equal(t, domain.ConnInterrupted, b.make(job).Failure.Rule)
	require.Empty(t, b.RunIDs())
}

// TestStalePassesAreEnded holds that a sweep ends passes whose jobs are lost, so that their
// connections get others, and no pass that only waits for its turn.
func TestStalePassesAreEnded(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	begun, waits := b.connect("begun", "north"), b.connect("waits", "north")
	b.put("north", "a.csv", 1)
	first, second := b.ask(begun), b.ask(waits)
	require.NoError(t, only.Err(b.passing.Make(t.Context(), first, ports.JobAttempt{})))
	sweep := func(after time.Duration) {
		b.Now = b.Now.Add(after)
		keeper := &app.Housekeeping{Delete: b.Sweep, Running: runs.RunningBatches{Jobs: b.Batches, Runs: b.Runs, Clock: b.Clock}, Passing: b.passing, Clock: b.Clock, Background: b.background}
		require.NoError(t, keeper.Sweep(t.Context()))
	}
	sweep(domain.PassLimit + time.Minute)
	require.Equal(t, domain.ConnInterrupted, b.pass(first).Failure.Rule)
	require.Zero(t, b.pass(second).EndedAt)
	require.NotNil(t, b.status(begun).Failure)
	sweep(time.Hour)
	require.Equal(t, domain.ConnInterrupted, b.pass(second).Failure.Rule)
	require.NotZero(t, b.Expired.Passes)
	require.NotZero(t, b.Expired.KeptFiles)
	require.NotZero(t, b.Expired.Mails)
}

// TestRunsOfTheAutopilotDoNotCount holds that passes go on at the cap, and do not use it up.
func TestRunsOfTheAutopilotDoNotCount(t *testing.T) {
	t.Parallel()
	b := newPassBench(t, storage.ProAccount())
	b.Change(func(a *domain.Account) { a.RunCap = new(int) })
	c := b.connect("Asha", "north")
	b.sell("#1", 500, 25)
	require.Equal(t, domain.PassStored, b.make(b.due(c)).Outcome)
	require.Zero(t, only.Value(b.Runs.RunsSince(t.Context(), b.Account.ID, time.Time{}))(t))
}

// TestLeavingOrdersAreWarnedOf holds that unpaid orders of the window's first day are warned
// of, whether or not a run is stored.
func TestLeavingOrdersAreWarnedOf(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.ProAccount(), "north")
	b.sell("#1", 500, 29)
	b.sell("#2", 700, 29)
	b.sell("#3", 900, 10)
	pass := b.make(b.due(c))
	require.Zero(t, pass.Leaving)
	require.False(t, slices.ContainsFunc(pass.Warnings, func(w domain.Warning) bool { return w.Code == domain.WarnLeavingWindow }))
	b.Now = b.Now.Add(24 * time.Hour)
	pass = b.make(b.due(c))
	require.Equal(t, domain.PassUnchanged, pass.Outcome)
	require.Equal(t, domain.OrderSum{Orders: 2, Amount: 1200 * domain.Rupee}, pass.Leaving)
	require.Contains(t, pass.Warnings, domain.Warning{Code: domain.WarnLeavingWindow, Count: 2, Amount: 1200 * domain.Rupee, HasAmount: true})
	require.Zero(t, pass.Left)
	b.Now = b.Now.Add(24 * time.Hour)
	pass = b.make(b.due(c))
	require.Equal(t, domain.PassStored, pass.Outcome)
	require.Equal(t, domain.OrderSum{Orders: 2, Amount: 1200 * domain.Rupee}, pass.Left)
	require.Zero(t, b.make(b.due(c)).Left, "they are counted once")
	require.Equal(t, 2, b.status(c).Left.Orders)

	change := b.changeOf("Asha", "north") // a longer window, and then the old one again
	change.WindowDays, change.Sources[0].ID = 60, c.Sources[0].ID
	require.NoError(t, only.Err(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change)))
	require.Equal(t, 3, b.make(b.due(c)).Orders)
	change.WindowDays = 30
	require.NoError(t, only.Err(b.managing.Save(t.Context(), b.Account.ID, c.ID, domain.ByDashboard, change)))
	require.Zero(t, b.make(b.due(c)).Left)
	require.Equal(t, 2, b.status(c).Left.Orders)
}

// A mapping that a person has saved under a name decides how the reports of a source without a courier
// are read. When they correct it, the next pass compares again, although no file has changed.
func TestACorrectedNamedMappingIsCompared(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north")
	sold := b.sell("#1", 500, 20)
	b.put("north", "a.csv", domain.DayOf(b.Now), sold).content = "Docket,Door,Bank,Day\n" + sold.awb + ",500,450," + domain.DayOf(b.Now).String() + "\n"
	save := func(roles map[domain.Role]string) {
		m := domain.NamedMapping{Name: "Express", Header: domain.HashHeader([]string{"Docket", "Door", "Bank", "Day"}), SavedAt: b.Now}
		for role, column := range roles {
			m.Mapping[role] = column
		}
		require.NoError(t, b.Mappings.Save(t.Context(), b.Account.ID, m, true, domain.SecurityEvent{}))
	}
	roles := map[domain.Role]string{domain.RoleAWB: "Docket", domain.RoleCODAmount: "Door", domain.RoleRemittanceDate: "Day"}
	save(roles)
	flags := func(p domain.Pass) domain.FlagCounts {
		require.Equal(t, domain.PassStored, p.Outcome, p.Failure)
		return only.Value(b.History.Run(t.Context(), b.Account.ID, p.RunID))(t).Tally.Flags
	}
	require.Equal(t, 1, flags(b.make(b.due(c)))[domain.Reconciled])
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome)
	roles[domain.RoleRemittedAmount] = "Bank"
	save(roles)
	require.Equal(t, 1, flags(b.make(b.due(c)))[domain.ShortPaid])
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome)
}

// steps notes the steps of a pass and what is told of it.
type steps struct {
	within bool
	noted  *[]string
}

func (s steps) Step(step ports.Step) ports.Span {
	*s.noted = append(*s.noted, string(step))
	return steps{true, s.noted}
}

func (s steps) Set(key ports.SpanKey, value string) {
	if !s.within {
		*s.noted = append(*s.noted, string(key)+" "+value)
	}
}

func (steps) End(error) {}

func (steps) IDs() (trace, span string) { return "", "" }

func TestThePassOfATrace(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north/delhivery")
	b.put("north", "a.csv", domain.DayOf(b.Now), b.sell("#1", 500, 29))
	job := b.due(c)
	again := only.Value(b.passing.Make(t.Context(), job, ports.JobAttempt{}))(t)
	b.Now = b.Now.Add(again)
	var noted []string
	require.NoError(t, only.Err(b.passing.Make(ports.WithSpan(t.Context(), steps{noted: &noted}), job, ports.JobAttempt{})))
	require.Equal(t, []string{"fetch orders", "fetch reports", "read", "compare", "store", "milaan.run_id " + b.pass(job).RunID}, noted)
}

// TestAPassByNamedMappings reads the reports of a source without a courier by the mapping with
// their header.
func TestAPassByNamedMappings(t *testing.T) {
	t.Parallel()
	b, c := connectedPass(t, storage.EnterpriseAccount(), "north")
	awb := b.sell("#1", 500, 20).awb
	b.sources.places["north"].files = []fileInMemory{{name: "odd.csv", version: 1, settled: true, content: "Docket,Door,Bank,Sent On\n" + awb + ",500,450,2026-11-01\n", modified: b.Now.Add(-2 * time.Hour)}}
	require.Equal(t, domain.ConnHeader, b.make(b.due(c)).Failure.Rule)

	save := func(name, paid string) {
		require.NoError(t, b.Mappings.Save(t.Context(), b.Account.ID, domain.NamedMapping{Name: name, SavedAt: b.Now,
			Header:  domain.HashHeader([]string{"Docket", "Door", "Bank", "Sent On"}),
			Mapping: domain.Mapping{domain.RoleAWB: "Docket", domain.RoleRemittedAmount: paid, domain.RoleRemittanceDate: "Sent On"}},
			false, domain.SecurityEvent{}))
	}
	flags := func(want domain.Flag) {
		t.Helper()
		pass := b.make(b.due(c))
		require.Equal(t, domain.PassStored, pass.Outcome, pass.Failure)
		run, err := b.History.Run(t.Context(), b.Account.ID, pass.RunID)
		require.NoError(t, err)
		require.Equal(t, 1, run.Tally.Flags[want])
	}
	save("by bank", "Bank")
	flags(domain.ShortPaid)
	require.Equal(t, domain.PassUnchanged, b.make(b.due(c)).Outcome)
	save("by door", "Door")
	failed := b.make(b.due(c))
	require.Equal(t, domain.PassFailed, failed.Outcome, "which of the two is not known")
	require.Equal(t, domain.ConnectorError{Rule: domain.ConnMappings, Connector: "shelf", Source: 1, File: "odd.csv"}, *failed.Failure)
	require.NoError(t, b.Mappings.RemoveNamed(t.Context(), b.Account.ID, "by bank", domain.SecurityEvent{}))
	flags(domain.Reconciled)
}
