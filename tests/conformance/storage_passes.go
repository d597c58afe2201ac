package conformance

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// aPass is a pass that a person asks for at noon.
func aPass(c domain.Connection, id string) domain.Pass {
	return domain.Pass{ID: "pass-" + id, AccountID: c.AccountID, ConnectionID: c.ID, Slot: noon, Asked: true, Due: noon.Add(time.Second)}
}

// asked asks for a pass, each in a slot of its own.
func asked(t *testing.T, s Storage, c domain.Connection, id string) domain.Pass {
	t.Helper()
	p := aPass(c, id)
	p.Slot = noon.Add(time.Duration(len(passesOf(t, s, c))) * time.Minute)
	p.Due = p.Slot
	require.NoError(t, s.Passes.Ask(t.Context(), p))
	return p
}

func passesOf(t *testing.T, s Storage, c domain.Connection) []domain.Pass {
	t.Helper()
	return only.Value(s.PassLog.Latest(t.Context(), c.AccountID, c.ID, 1000))(t)
}

// anEndOf ends a pass with a result that has another value in every field.
func anEndOf(p domain.Pass, c domain.Connection) ports.PassEnd {
	p.EndedAt = p.Due.Add(time.Minute)
	p.PassResult = domain.PassResult{Outcome: domain.PassStored, Failure: aFailure(), RunID: "run-of-" + p.ID, Orders: 3,
		Sources: []domain.SourceResult{{SourceID: "source-1", Courier: "dtdc+bluedart", Files: 4, Lines: 5, Through: domain.DayFromDate(2026, 3, 30), Behind: true, RefusedFrom: 7,
			LeftOut: []domain.LeftOutMail{{At: noon, Rule: domain.ConnOtherID, Value: PlainText}}, Skipped: []domain.SkippedFile{{Name: PlainText, Rule: domain.ConnPDF}}}, {SourceID: "source-2"}},
		Left: domain.OrderSum{Orders: 6, Amount: 7_00}, Leaving: domain.OrderSum{Orders: 8, Amount: 9_00},
		Warnings: []domain.Warning{{Code: domain.WarnFewMatched, Count: 1, Amount: 2, HasAmount: true, Report: 3, Reports: 4, Of: 5, File: domain.CourierFile, Column: "6",
			OtherColumn: "7", Share: 8, Stated: 9, StatedCount: 10, Line: 11, Examples: []string{PlainText}}}}
	return ports.PassEnd{Pass: p, State: aState(), Revision: c.Revision, Status: func(s *domain.ConnectionStatus) {
		s.CheckedAt, s.LastRunID, s.LastRunAt, s.AtRisk = p.EndedAt, p.RunID, p.EndedAt, 12_00
		s.Left.Orders++
	}}
}

func aState() domain.PassState {
	return domain.PassState{Snapshots: map[string]domain.Snapshot{PlainText: {Version: PlainText, At: noon}}, InputHash: inputHashOf("state"), ContentHash: inputHashOf("contents"),
		Files: []domain.SeenFile{{SourceID: "source-1", Name: PlainText, Version: "1", Modified: noon, Sum: inputHashOf("sum"), Rule: domain.ConnPDF}, {SourceID: "source-2", Name: "b"}}, MoreFiles: 3,
		Unpaid: map[domain.Day]domain.OrderSum{domain.DayFromDate(2026, 3, 1): {Orders: 1, Amount: 2}, domain.DayFromDate(2026, 3, 2): {Orders: 3, Amount: 4}},
		From:   domain.DayFromDate(2026, 2, 14), Former: map[string]time.Time{PlainText: noon}}
}

// hourly schedules the passes that are due by the hour.
func hourly(t *testing.T, s Storage, now time.Time, limit int) int {
	t.Helper()
	return only.Value(s.Passes.Schedule(t.Context(), now, domain.PassPeriod, limit))(t)
}

// passJobs lists the ids of the passes that have jobs.
func passJobs(t *testing.T, s Storage, accountID string) (ids []string) {
	t.Helper()
	for _, job := range s.Jobs(t) {
		if job.Kind == ports.PassJob {
			require.Equal(t, ports.Job{Kind: ports.PassJob, AccountID: accountID, Pass: job.Pass}, job)
			ids = append(ids, job.Pass)
		}
	}
	return ids
}

func idsOf(passes []domain.Pass) (ids []string) {
	for _, p := range passes {
		ids = append(ids, p.ID)
	}
	return ids
}

// An instance whose clock is two days ahead makes a pass, and then another one whose clock is right.
var _ = promises.add("a clock that was ahead puts no pass off", func(t *testing.T, one, other Storage) {
	account := created(t, one, "jumping")
	c := aConnection(account, "ahead")
	c.NextPassAt = noon
	require.NoError(t, one.Connections.Add(t.Context(), c, domain.SecurityEvent{}))
	require.Equal(t, 1, hourly(t, one, noon.AddDate(0, 0, 2), 10))
	require.NoError(t, one.Passes.End(t.Context(), anEndOf(passesOf(t, one, c)[0], c)))
	require.Zero(t, hourly(t, other, noon, 10))
	next := ConnectionOf(t, one, c).NextPassAt
	require.Equal(t, domain.NextPass(c.ID, noon, domain.PassPeriod), next, "within the hour, and not in two days")
	require.Equal(t, 1, hourly(t, other, next, 10))
})

var _ = promises.add("a pass that is due is scheduled", func(t *testing.T, one, other Storage) {
	account := created(t, one, "hourly")
	c := aConnection(account, "due")
	offset := domain.PassOffset(c.ID, domain.PassPeriod)
	slot := noon.Truncate(domain.PassPeriod)
	due := slot.Add(offset)
	c.NextPassAt = due
	require.NoError(t, one.Connections.Add(t.Context(), c, domain.SecurityEvent{}))
	require.Zero(t, hourly(t, one, due.Add(-time.Microsecond), 10), "not before it is due")
	require.Equal(t, 1, hourly(t, one, due, 10))
	want := domain.Pass{AccountID: account.ID, ConnectionID: c.ID, Slot: slot, Due: due}
	passes := passesOf(t, other, c)
	require.Len(t, passes, 1)
	want.ID = passes[0].ID
	require.Equal(t, []domain.Pass{want}, passes)
	require.Equal(t, []string{want.ID}, passJobs(t, one, account.ID))
	moved := c
	moved.NextPassAt = due.Add(domain.PassPeriod)
	require.Equal(t, moved, ConnectionOf(t, other, c), "nothing else of it changes")

	late := moved.NextPassAt.Add(5 * time.Minute)
	require.Zero(t, hourly(t, other, late, 10), "it waits until its pass has ended")
	require.NoError(t, one.Passes.End(t.Context(), anEndOf(want, c)))
	require.Equal(t, 1, hourly(t, other, late, 10))
	require.Equal(t, slot.Add(domain.PassPeriod), passesOf(t, one, c)[0].Slot)
	require.Equal(t, moved.NextPassAt, passesOf(t, one, c)[0].Due)

	for _, state := range []domain.ConnectionState{domain.ConnectionPaused, domain.ConnectionRefused} {
		idle := aConnection(account, string(state))
		idle.State = state
		require.NoError(t, one.Connections.Add(t.Context(), idle, domain.SecurityEvent{}))
		require.Zero(t, hourly(t, one, late, 10), state)
		require.Equal(t, idle, ConnectionOf(t, one, idle))
	}
})

// Passes that were missed are not made up: after a day without a service there is one, in
// the slot of the last time at which one was due, and the next is due when it would be.
var _ = promises.add("missed passes are not made up", func(t *testing.T, one, _ Storage) {
	c := aConnection(created(t, one, "missed"), "")
	offset := domain.PassOffset(c.ID, domain.PassPeriod)
	c.NextPassAt = noon.Truncate(domain.PassPeriod).Add(offset)
	require.NoError(t, one.Connections.Add(t.Context(), c, domain.SecurityEvent{}))
	last := c.NextPassAt.Add(24 * domain.PassPeriod)
	require.Equal(t, 1, hourly(t, one, last.Add(time.Second), 10))
	passes := passesOf(t, one, c)
	require.Len(t, passes, 1)
	require.Equal(t, last, passes[0].Due)
	require.Equal(t, last.Truncate(domain.PassPeriod), passes[0].Slot)
	require.Equal(t, last.Add(domain.PassPeriod), ConnectionOf(t, one, c).NextPassAt)
	require.NoError(t, one.Passes.End(t.Context(), anEndOf(passes[0], c)))

	changeConnection(t, one, c, func(c *domain.Connection) { c.NextPassAt = last.Add(time.Minute) })
	require.Zero(t, hourly(t, one, last.Add(time.Minute), 10), "its slot has had its pass")
	require.Len(t, passesOf(t, one, c), 1)
	require.Equal(t, last.Add(domain.PassPeriod), ConnectionOf(t, one, c).NextPassAt)
})

// A service that comes back before the next pass of a connection is due makes up for the
// last one alone, in its own slot, so that the next one has the slot of its period.
var _ = promises.add("a pass that is late has its own slot", func(t *testing.T, one, _ Storage) {
	c := aConnection(created(t, one, "late"), "")
	offset := domain.PassOffset(c.ID, domain.PassPeriod)
	require.Positive(t, offset)
	slot := noon.Truncate(domain.PassPeriod)
	c.NextPassAt = slot.Add(offset)
	require.NoError(t, one.Connections.Add(t.Context(), c, domain.SecurityEvent{}))
	require.Equal(t, 1, hourly(t, one, slot.Add(domain.PassPeriod), 10))
	require.NoError(t, one.Passes.End(t.Context(), anEndOf(passesOf(t, one, c)[0], c)))
	require.Equal(t, 1, hourly(t, one, slot.Add(domain.PassPeriod+offset), 10))
	passes := passesOf(t, one, c)
	require.Len(t, passes, 2)
	for n, p := range passes {
		want := slot.Add(time.Duration(1-n) * domain.PassPeriod)
		require.Equal(t, want, p.Slot)
		require.Equal(t, want.Add(offset), p.Due)
	}
})

// However many schedule at the same time, a connection has one pass in a period, with one
// job. Each call also schedules the hours that follow, so that slots are contended too.
var _ = promises.add("a connection has one pass in a period", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "scheduled")
	const connections, hours = 20, 4
	all := make([]domain.Connection, connections)
	for i := range all {
		all[i] = aConnection(account, fmt.Sprint(i))
		all[i].NextPassAt = domain.NextPass(all[i].ID, noon, domain.PassPeriod)
		require.NoError(t, one.Connections.Add(ctx, all[i], domain.SecurityEvent{}))
	}
	counts := make([]int, many)
	requireInParallel(t, one, other, func(s Storage, i int) error {
		for hour := range hours {
			now := noon.Add(time.Duration(1+hour) * domain.PassPeriod)
			n, err := s.Passes.Schedule(ctx, now, domain.PassPeriod, 7)
			if err != nil {
				return err
			}
			counts[i] += n
			for _, c := range all[i%connections : i%connections+1] { // and ends one, so that the next hour is scheduled
				passes, err := s.PassLog.Latest(ctx, c.AccountID, c.ID, 1)
				if err != nil {
					return err
				}
				if len(passes) > 0 && passes[0].EndedAt.IsZero() {
					_ = s.Passes.End(ctx, anEndOf(passes[0], c)) // another caller may have been first
				}
			}
		}
		return nil
	})
	total, ids := 0, []string{}
	for _, c := range all {
		slots := map[time.Time]bool{}
		open := 0
		for _, p := range passesOf(t, one, c) {
			require.False(t, slots[p.Slot], "one pass in a slot")
			slots[p.Slot] = true
			ids = append(ids, p.ID)
			if p.EndedAt.IsZero() {
				open++
			}
		}
		require.LessOrEqual(t, open, 1)
		require.NotEmpty(t, slots)
		total += len(slots)
	}
	sum := 0
	for _, n := range counts {
		sum += n
	}
	require.Equal(t, total, sum, "each is counted by the caller that added it")
	require.ElementsMatch(t, ids, passJobs(t, one, account.ID), "one job each")
})

// Two instances look at the same moments, each from many places, and each connection has one
// pass and one job, in this hour and in the next.
var _ = promises.add("64 connections that are due at once have one pass each", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	const connections = 64
	accounts := []domain.Account{created(t, one, "at once"), created(t, one, "as well")} // each may have 50
	all := make([]domain.Connection, connections)
	for i := range all {
		all[i] = aConnection(accounts[i%2], fmt.Sprint(i))
		require.NoError(t, one.Connections.Add(ctx, all[i], domain.SecurityEvent{}))
	}
	for hour := range 2 {
		now := noon.Add(time.Duration(hour) * domain.PassPeriod)
		counts := make([]int, many)
		requireInParallel(t, one, other, func(s Storage, i int) (err error) {
			counts[i], err = s.Passes.Schedule(ctx, now, domain.PassPeriod, 1000)
			return err
		})
		added := 0
		for _, n := range counts {
			added += n
		}
		require.Equal(t, connections, added+hourly(t, one, now, 1000), "hour %d", hour) // callers leave each other's rows to each other
		jobs := 0
		for _, job := range one.Jobs(t) {
			if job.Kind == ports.PassJob {
				jobs++
			}
		}
		require.Equal(t, connections*(hour+1), jobs)
		for _, c := range all {
			passes := passesOf(t, one, c)
			require.Len(t, passes, hour+1)
			require.NoError(t, one.Passes.End(ctx, anEndOf(passes[0], c)))
		}
	}
})

// A limit takes those that have been due for longest, and the rest later.
var _ = promises.add("a schedule takes those that waited longest", func(t *testing.T, one, _ Storage) {
	account := created(t, one, "limit")
	var all []domain.Connection
	for i := range 5 {
		c := aConnection(account, fmt.Sprint(i))
		c.NextPassAt = noon.Add(-time.Duration(i) * time.Second)
		require.NoError(t, one.Connections.Add(t.Context(), c, domain.SecurityEvent{}))
		all = append(all, c)
	}
	require.Equal(t, 2, hourly(t, one, noon, 2))
	require.Len(t, passesOf(t, one, all[4]), 1)
	require.Len(t, passesOf(t, one, all[3]), 1)
	require.Empty(t, passesOf(t, one, all[2]))
	require.Equal(t, 3, hourly(t, one, noon, 100))
	require.Zero(t, hourly(t, one, noon, 100))
	require.Zero(t, hourly(t, one, noon, 0))
	require.Len(t, passJobs(t, one, account.ID), 5)
})

var _ = promises.add("one of many passes that are asked for is added", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "asking"), created(t, one, "neighbour")
	c := connected(t, one, account, "")
	ofNeighbour := aPass(c, "neighbours")
	ofNeighbour.AccountID = neighbour.ID
	require.ErrorIs(t, one.Passes.Ask(ctx, ofNeighbour), domain.ErrNoConnection)
	require.ErrorIs(t, one.Passes.Ask(ctx, aPass(aConnection(account, "none"), "none")), domain.ErrNoConnection)
	require.ErrorIs(t, one.Passes.Ask(ctx, aPass(aConnection(anAccount("nobody"), ""), "nobody")), domain.ErrNoConnection)
	stored := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		p := aPass(c, fmt.Sprint(i))
		p.Slot = noon.Add(time.Duration(i) * time.Second)
		return s.Passes.Ask(ctx, p)
	}), domain.ErrPassRunning)
	require.Len(t, stored, 1)
	want := aPass(c, fmt.Sprint(stored[0]))
	want.Slot = noon.Add(time.Duration(stored[0]) * time.Second)
	require.Equal(t, []domain.Pass{want}, passesOf(t, one, c))
	require.Equal(t, []string{want.ID}, passJobs(t, one, account.ID))
	require.Zero(t, hourly(t, one, noon, 10), "the hour's pass waits for it")
	require.NoError(t, one.Passes.End(ctx, anEndOf(want, c)))
	same := aPass(c, "same")
	same.Slot = want.Slot
	require.ErrorIs(t, one.Passes.Ask(ctx, same), domain.ErrPassRunning, "two at the same moment")
	require.Equal(t, 1, hourly(t, one, noon, 10))
	require.ErrorIs(t, one.Passes.Ask(ctx, aPass(c, "late")), domain.ErrPassRunning)

	paused := changeConnection(t, one, connected(t, one, account, "paused"), func(c *domain.Connection) { c.State = domain.ConnectionPaused })
	require.NoError(t, one.Passes.Ask(ctx, aPass(paused, "paused")), "whatever its state")
})

var _ = promises.add("a pass begins with all that it needs", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "beginning")
	c := connected(t, one, account, "")
	p := asked(t, one, c, "first")
	begun := only.Value(other.Passes.Begin(ctx, p.ID, noon.Add(time.Minute)))(t)
	p.StartedAt = noon.Add(time.Minute)
	require.Equal(t, ports.BegunPass{Pass: p, Account: account, Connection: c}, begun)

	snapshots := map[string]domain.Snapshot{PlainText: {Version: "one", At: noon.Add(2 * time.Minute)}, "": {}}
	snapshots[""] = domain.Snapshot{At: noon}
	require.NoError(t, one.Passes.StoreSnapshots(ctx, p.ID, noon.Add(2*time.Minute), snapshots))
	begun = only.Value(other.Passes.Begin(ctx, p.ID, noon.Add(3*time.Minute)))(t)
	p.SnapshotAt = noon.Add(2 * time.Minute)
	require.Equal(t, ports.BegunPass{Pass: p, Account: account, Connection: c, Snapshots: snapshots}, begun, "the first beginning stays")

	require.NoError(t, one.Passes.End(ctx, anEndOf(p, c)))
	require.ErrorIs(t, only.Err(one.Passes.Begin(ctx, p.ID, noon)), domain.ErrNothingToDo)
	require.ErrorIs(t, only.Err(one.Passes.Begin(ctx, "unknown", noon)), domain.ErrNothingToDo)
	require.ErrorIs(t, one.Passes.StoreSnapshots(ctx, p.ID, noon, snapshots), domain.ErrNothingToDo)
	require.ErrorIs(t, one.Passes.StoreSnapshots(ctx, "unknown", noon, snapshots), domain.ErrNothingToDo)

	next := asked(t, one, c, "second")
	begun = only.Value(one.Passes.Begin(ctx, next.ID, noon))(t)
	require.Equal(t, aState(), begun.State, "what the last pass left")
	require.Nil(t, begun.Snapshots, "its snapshots are its own")
	require.NoError(t, one.Passes.StoreSnapshots(ctx, next.ID, noon, nil))
	begun = only.Value(one.Passes.Begin(ctx, next.ID, noon))(t)
	require.NotNil(t, begun.Snapshots, "snapshots of no file are some too")
	require.Empty(t, begun.Snapshots)
})

var _ = promises.add("a pass ends once", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "ending")
	c := connected(t, one, account, "")
	p := asked(t, one, c, "first")
	end := anEndOf(p, c)
	require.NoError(t, other.Passes.End(ctx, end))
	require.Equal(t, []domain.Pass{end.Pass}, passesOf(t, one, c))
	want := c
	want.CheckedAt, want.LastRunID, want.LastRunAt, want.AtRisk, want.Left.Orders = end.Pass.EndedAt, end.Pass.RunID, end.Pass.EndedAt, 12_00, 1
	require.Equal(t, want, ConnectionOf(t, one, c))
	require.ErrorIs(t, one.Passes.End(ctx, end), domain.ErrNothingToDo)
	require.ErrorIs(t, one.Passes.End(ctx, anEndOf(aPass(c, "unknown"), c)), domain.ErrNothingToDo)
	require.Equal(t, want, ConnectionOf(t, one, c), "an end counts once")

	interrupted := asked(t, one, c, "second")
	end = ports.PassEnd{Pass: interrupted, Revision: c.Revision, Status: func(s *domain.ConnectionStatus) {
		s.Failure, s.FailingSince, s.State = aFailure(), noon, domain.ConnectionRefused
	}}
	end.Pass.EndedAt, end.Pass.Outcome, end.Pass.Failure = noon.Add(time.Hour), domain.PassFailed, aFailure()
	require.NoError(t, one.Passes.End(ctx, end))
	want.Failure, want.FailingSince, want.State = aFailure(), noon, domain.ConnectionRefused
	require.Equal(t, want, ConnectionOf(t, one, c))
	require.Equal(t, end.Pass, passesOf(t, one, c)[0])

	third := asked(t, one, c, "third")
	begun := only.Value(one.Passes.Begin(ctx, third.ID, noon))(t)
	require.Equal(t, aState(), begun.State, "an end without a state leaves it")
	changeConnection(t, one, c, func(c *domain.Connection) { c.Revision, c.State = c.Revision+1, domain.ConnectionActive })
	end = anEndOf(third, c)
	end.Status = func(s *domain.ConnectionStatus) { s.State, s.AtRisk = domain.ConnectionRefused, 99 }
	require.NoError(t, one.Passes.End(ctx, end))
	got := ConnectionOf(t, one, c)
	require.Equal(t, domain.ConnectionActive, got.State, "credentials that were changed meanwhile are tried")
	require.EqualValues(t, 99, got.AtRisk)
})

// passRun is what a pass stores with its run.
func passRun(account domain.Account, p domain.Pass, c domain.Connection, id string) ports.Entry {
	run := aRun(account, id, noon)
	run.Source = domain.SourceAutopilot
	end := anEndOf(p, c)
	end.Pass.RunID = id
	return ports.Entry{Run: run, Pass: end,
		Event: domain.Delivery{ID: "of-" + id, EventID: "evt-of-" + id, RunID: id, CreatedAt: noon}}
}

// A pass whose job is done twice, at the same time or after its process was killed, stores
// one run with one event, or none.
var _ = promises.add("a pass stores one run or none", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := enterprise(t, one, "once")
	c := connected(t, one, account, "")
	p := asked(t, one, c, "")
	stored := Succeeded(t, InParallel(one, other, func(s Storage, i int) error {
		if i%8 == 0 {
			return s.Passes.End(ctx, anEndOf(p, c))
		}
		return s.Write(ctx, account.ID, passRun(account, p, c, runID(i)))
	}), domain.ErrNothingToDo)
	require.Len(t, stored, 1)
	runs := only.Value(one.Alarms.RunsBetween(ctx, account.ID, noon, noon.Add(time.Second), 100))(t)
	deliveries := only.Value(one.Deliveries.Latest(ctx, account.ID, 100))(t)
	require.Equal(t, 1, ConnectionOf(t, one, c).Left.Orders)
	if stored[0]%8 == 0 {
		require.Empty(t, runs)
		require.Empty(t, deliveries)
	} else {
		require.Len(t, runs, 1)
		require.Equal(t, runID(stored[0]), runs[0].ID)
		require.Equal(t, domain.SourceAutopilot, runs[0].Source)
		require.Len(t, deliveries, 1)
	}

	require.ErrorIs(t, one.Write(ctx, account.ID, passRun(account, p, c, "again")), domain.ErrNothingToDo)
	if len(runs) > 0 {
		require.ErrorIs(t, one.Write(ctx, account.ID, passRun(account, p, c, runs[0].ID)), domain.ErrNothingToDo, "with the id that the run has already")
	}
	neighbour := created(t, one, "neighbour")
	next := asked(t, one, c, "next")
	require.ErrorIs(t, one.Write(ctx, neighbour.ID, passRun(neighbour, next, c, "neighbours")), domain.ErrNothingToDo, "of another account")
	requireNoRuns(t, one, neighbour)
	require.NoError(t, only.Err(one.Passes.Begin(ctx, next.ID, noon)), "and it has not ended")
})

var _ = promises.add("runs of the autopilot are not counted", func(t *testing.T, one, other Storage) {
	account := created(t, one, "counted")
	run := aRun(account, "autopilot", noon)
	run.Source = domain.SourceAutopilot
	settle(t, one, account, run, aRun(account, "api", noon.Add(time.Second)))
	require.Equal(t, 1, RunsSince(t, other, account.ID, noon))
	require.NoError(t, one.Runs.Update(t.Context(), account.ID, func(b ports.RunBook) error {
		require.Equal(t, 1, only.Value(b.RunsSince(noon))(t))
		return nil
	}))
	labels := only.Value(other.History.Labels(t.Context(), account.ID))(t)
	require.Equal(t, []domain.Source{domain.SourceAPI, domain.SourceAutopilot}, labels.Sources)
})

var _ = promises.add("passes are listed", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "listing"), created(t, one, "neighbour")
	c, quiet := connected(t, one, account, "busy"), connected(t, one, account, "quiet")
	var ids []string
	for i := range 4 {
		p := asked(t, one, c, fmt.Sprint(i))
		ids = append(ids, p.ID)
		if i < 3 {
			require.NoError(t, one.Passes.End(ctx, anEndOf(p, c)))
		}
	}
	slices.Reverse(ids)
	require.Equal(t, ids, idsOf(passesOf(t, other, c)))
	require.Equal(t, ids[:2], idsOf(only.Value(other.PassLog.Latest(ctx, account.ID, c.ID, 2))(t)))
	require.Empty(t, passesOf(t, one, quiet))
	require.Empty(t, only.Value(other.PassLog.Latest(ctx, neighbour.ID, c.ID, 10))(t), "of another account")
	seen, more := only.Both(other.PassLog.Files(ctx, account.ID, c.ID))(t)
	require.Equal(t, aState().Files, seen)
	require.Equal(t, aState().MoreFiles, more)
	for _, of := range [][2]string{{neighbour.ID, c.ID}, {account.ID, quiet.ID}} {
		seen, _ := only.Both(other.PassLog.Files(ctx, of[0], of[1]))(t)
		require.Empty(t, seen)
	}

	waits := asked(t, one, quiet, "waits")
	stale := only.Value(other.PassLog.Stale(ctx, noon.Add(time.Hour), 10))(t)
	require.Equal(t, []string{waits.ID, ids[0]}, idsOf(stale), "earliest first")
	require.Equal(t, waits, stale[0])
	stale = only.Value(other.PassLog.Stale(ctx, noon.Add(time.Hour), 1))(t)
	require.Equal(t, []string{waits.ID}, idsOf(stale))
	stale = only.Value(other.PassLog.Stale(ctx, noon, 10))(t)
	require.Empty(t, stale)
})

var _ = promises.add("old passes are swept away", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	c := connected(t, one, created(t, one, "sweeping"), "")
	var ends []time.Time
	for i := range 3 {
		end := anEndOf(asked(t, one, c, fmt.Sprint(i)), c)
		require.NoError(t, one.Passes.End(ctx, end))
		ends = append(ends, end.Pass.EndedAt)
	}
	waiting := asked(t, one, c, "waiting")
	require.NoError(t, other.Sweep(ctx, ports.Expiry{}), "a zero time deletes nothing")
	require.Len(t, passesOf(t, one, c), 4)
	require.NoError(t, other.Sweep(ctx, ports.Expiry{Passes: ends[1]}))
	require.Equal(t, []string{waiting.ID, "pass-2", "pass-1"}, idsOf(passesOf(t, one, c)))
	require.NoError(t, other.Sweep(ctx, ports.Expiry{Passes: noon.Add(time.Hour)}))
	require.Equal(t, []string{waiting.ID}, idsOf(passesOf(t, one, c)), "one that has not ended stays")
	begun := only.Value(one.Passes.Begin(ctx, waiting.ID, noon))(t)
	require.Equal(t, aState(), begun.State, "what is remembered stays")
})
