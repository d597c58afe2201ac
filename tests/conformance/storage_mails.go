package conformance

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

func aMail(account domain.Account, id string) domain.Mail {
	return domain.Mail{ID: "mail-" + id, AccountID: account.ID, Kind: domain.MailFailing, ConnectionID: "connection", Period: "since", CreatedAt: noon}
}

func mailJobs(t *testing.T, s Storage) (ids []string) {
	t.Helper()
	for _, job := range s.Jobs(t) {
		if job.Kind == ports.MailJob {
			ids = append(ids, job.Mail)
		}
	}
	return ids
}

var _ = promises.add("a mail is added once", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, neighbour := created(t, one, "mailed"), created(t, one, "neighbour")
	stored := make([]bool, many)
	requireInParallel(t, one, other, func(s Storage, i int) (err error) {
		stored[i], err = s.Mails.Add(ctx, aMail(account, fmt.Sprint(i)))
		return err
	})
	var added []int
	for i, ok := range stored {
		if ok {
			added = append(added, i)
		}
	}
	require.Len(t, added, 1)
	mail := aMail(account, fmt.Sprint(added[0]))
	require.Equal(t, []string{mail.ID}, mailJobs(t, one))
	got, owner := only.Both(other.Mails.Find(ctx, mail.ID))(t)
	require.Equal(t, mail, got)
	require.Equal(t, account, owner)

	for name, change := range map[string]func(*domain.Mail){
		"kind":       func(m *domain.Mail) { m.Kind = domain.MailStale },
		"connection": func(m *domain.Mail) { m.ConnectionID = "another" },
		"none":       func(m *domain.Mail) { m.ConnectionID = "" },
		"period":     func(m *domain.Mail) { m.Period = "2026-W13" },
		"account":    func(m *domain.Mail) { m.AccountID = neighbour.ID },
	} {
		m := aMail(account, name)
		change(&m)
		ok := only.Value(one.Mails.Add(ctx, m))(t)
		require.True(t, ok, name)
		m.ID += "again"
		ok = only.Value(other.Mails.Add(ctx, m))(t)
		require.False(t, ok, name)
	}
	require.Len(t, mailJobs(t, one), 6)
	require.ErrorIs(t, only.Err(one.Mails.Add(ctx, aMail(anAccount("nobody"), "nobody"))), domain.ErrNoAccount)

	require.NoError(t, one.Mails.Sent(ctx, mail.ID, noon.Add(time.Minute)))
	require.NoError(t, other.Mails.Sent(ctx, mail.ID, noon.Add(time.Hour)))
	require.ErrorIs(t, only.Err2(one.Mails.Find(ctx, mail.ID)), domain.ErrNothingToDo, "it was sent")
	require.ErrorIs(t, only.Err2(one.Mails.Find(ctx, "unknown")), domain.ErrNothingToDo)
	require.False(t, only.Value(one.Mails.Add(ctx, aMail(account, "afterwards")))(t), "and it is not sent again")
})

var _ = promises.add("mails that are not wanted are not sent", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "choosing")
	choice := only.Value(one.Mails.Choice(ctx, account.ID))(t)
	require.Zero(t, choice, "all are wanted")
	before := aMail(account, "before")
	require.True(t, only.Value(one.Mails.Add(ctx, before))(t))
	for _, want := range []domain.MailChoice{{NoAlerts: true}, {NoDigest: true, NoAlerts: true}, {NoDigest: true}, {}} {
		require.NoError(t, one.Mails.Choose(ctx, account.ID, func(c *domain.MailChoice) { *c = want }))
		require.Equal(t, want, only.Value(other.Mails.Choice(ctx, account.ID))(t))
		for _, kind := range []domain.MailKind{domain.MailDigest, domain.MailStale, domain.MailAtRisk} {
			m := aMail(account, fmt.Sprint(kind, want))
			m.Kind, m.Period = kind, fmt.Sprint(want)
			require.Equal(t, want.Wants(kind), only.Value(other.Mails.Add(ctx, m))(t), "%s %v", kind, want)
		}
		_, _, err := one.Mails.Find(ctx, before.ID)
		if want.NoAlerts {
			require.ErrorIs(t, err, domain.ErrNothingToDo, "it is not wanted any more")
		} else {
			require.NoError(t, err)
		}
	}
	require.ErrorIs(t, one.Mails.Choose(ctx, "unknown", func(*domain.MailChoice) {}), domain.ErrNoAccount)

	var ended sync.WaitGroup // by two links at the same instant
	ended.Go(func() {
		assert.NoError(t, one.Mails.Choose(ctx, account.ID, func(c *domain.MailChoice) { c.NoDigest = true }))
	})
	ended.Go(func() {
		assert.NoError(t, other.Mails.Choose(ctx, account.ID, func(c *domain.MailChoice) { c.NoAlerts = true }))
	})
	ended.Wait()
	choice = only.Value(one.Mails.Choice(ctx, account.ID))(t)
	require.Equal(t, domain.MailChoice{NoDigest: true, NoAlerts: true}, choice)
})

var _ = promises.add("old mails are swept away", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account := created(t, one, "sweeping")
	for i := range 3 {
		m := aMail(account, fmt.Sprint(i))
		m.Period, m.CreatedAt = fmt.Sprint(i), noon.Add(time.Duration(i)*time.Second)
		require.NoError(t, only.Err(one.Mails.Add(ctx, m)))
	}
	require.NoError(t, other.Sweep(ctx, ports.Expiry{}), "a zero time deletes nothing")
	require.NoError(t, only.Err2(one.Mails.Find(ctx, "mail-0")))
	require.NoError(t, other.Sweep(ctx, ports.Expiry{Mails: noon.Add(2 * time.Second)}))
	for id, want := range map[string]error{"mail-0": domain.ErrNothingToDo, "mail-1": domain.ErrNothingToDo, "mail-2": nil} {
		require.ErrorIs(t, only.Err2(one.Mails.Find(ctx, id)), want, id)
	}
})

func watchedIDs(t *testing.T, s Storage, q ports.AlarmQuery) (ids []string) {
	t.Helper()
	for _, w := range only.Value(s.Alarms.Connections(t.Context(), q))(t) {
		ids = append(ids, w.Connection.ID)
	}
	return ids
}

var _ = promises.add("connections are watched", func(t *testing.T, one, other Storage) {
	ctx := t.Context()
	account, ended, small := created(t, one, "watched"), created(t, one, "expired"), created(t, one, "downgraded")
	c, fresh := connected(t, one, account, "1"), connected(t, one, account, "2")
	refused := changeConnection(t, one, connected(t, one, account, "3"), func(c *domain.Connection) { c.State = domain.ConnectionRefused })
	paused := changeConnection(t, one, connected(t, one, account, "4"), func(c *domain.Connection) { c.State = domain.ConnectionPaused })
	unpaid := connected(t, one, ended, "5")
	Change(t, one.Accounts, ended.Email, func(a *domain.Account) { a.Subscription = domain.SubscriptionEnded })
	withoutPlan := connected(t, one, small, "6")
	Change(t, one.Accounts, small.Email, func(a *domain.Account) { a.Plan = domain.Solo })
	all := []string{c.ID, fresh.ID, refused.ID}
	require.Equal(t, all, watchedIDs(t, other, ports.AlarmQuery{Limit: 10}))
	require.Equal(t, all[:2], watchedIDs(t, other, ports.AlarmQuery{Limit: 2}))
	require.Equal(t, all[2:], watchedIDs(t, other, ports.AlarmQuery{After: all[1], Limit: 2}))
	require.Len(t, only.Value(other.Alarms.OfAccount(ctx, account.ID))(t), 3)
	require.Empty(t, only.Value(other.Alarms.OfAccount(ctx, ended.ID))(t))
	for _, missing := range []domain.Connection{paused, unpaid, withoutPlan, {AccountID: ended.ID, ID: c.ID}, {AccountID: account.ID, ID: "unknown"}} {
		require.ErrorIs(t, only.Err(one.Alarms.Watched(ctx, missing.AccountID, missing.ID)), domain.ErrNoConnection)
	}

	good := anEndOf(asked(t, one, c, "good"), c)
	good.Pass.OpenItems = []domain.CourierSum{{Courier: "delhivery", OrderSum: domain.OrderSum{Orders: 12, Amount: 8_420_00}}}
	require.NoError(t, one.Ledgers.Switch(ctx, c.AccountID, c.ID, true, noon, domain.SecurityEvent{}))
	require.NoError(t, one.Passes.End(ctx, good))
	bad := anEndOf(asked(t, one, c, "bad"), c)
	bad.Pass.Outcome, bad.Status = domain.PassFailed, func(s *domain.ConnectionStatus) { s.Failure, s.FailingSince = aFailure(), bad.Pass.EndedAt }
	require.NoError(t, one.Passes.End(ctx, bad))
	got := only.Value(other.Alarms.Watched(ctx, account.ID, c.ID))(t)
	want := ConnectionOf(t, one, c)
	want.Shop.Settings = nil
	for i := range want.Sources {
		want.Sources[i].Settings = nil
	}
	require.Equal(t, ports.WatchedConnection{Connection: want, Last: good.Pass.PassResult}, got, "without its settings, and with the last result that is none of a failure")
	require.Equal(t, got, func() ports.WatchedConnection {
		return only.Value(one.Alarms.Connections(ctx, ports.AlarmQuery{Limit: 1}))(t)[0]
	}())
	require.NoError(t, one.Ledgers.Switch(ctx, c.AccountID, c.ID, false, noon, domain.SecurityEvent{}))
	got = only.Value(other.Alarms.Watched(ctx, account.ID, c.ID))(t)
	require.Nil(t, got.Last.OpenItems, "the open items are not kept any more, so there is no list of which a mail could tell")
	got.Last.OpenItems = good.Pass.OpenItems
	require.Equal(t, good.Pass.PassResult, got.Last)

	require.NoError(t, one.Passes.End(ctx, anEndOf(asked(t, one, fresh, "later"), fresh)))
	failing := bad.Pass.EndedAt
	require.Equal(t, []string{c.ID, fresh.ID}, watchedIDs(t, other, ports.AlarmQuery{EndedSince: noon, Limit: 10}))
	require.Equal(t, []string{c.ID}, watchedIDs(t, other, ports.AlarmQuery{EndedSince: failing, Limit: 10}))
	require.Empty(t, watchedIDs(t, other, ports.AlarmQuery{EndedSince: failing.Add(time.Second), Limit: 10}))
	require.Equal(t, []string{c.ID}, watchedIDs(t, other, ports.AlarmQuery{EndedSince: failing.Add(time.Second), FailingBefore: failing.Add(time.Second), Limit: 10}))
	require.Empty(t, watchedIDs(t, other, ports.AlarmQuery{EndedSince: failing.Add(time.Second), FailingBefore: failing, Limit: 10}))
	require.Equal(t, []string{c.ID}, watchedIDs(t, other, ports.AlarmQuery{FailingBefore: failing.Add(time.Second), Limit: 10}))
	require.Equal(t, []string{fresh.ID}, watchedIDs(t, other, ports.AlarmQuery{EndedSince: noon, After: c.ID, Limit: 10}))

	require.NoError(t, one.Sweep(ctx, ports.Expiry{Passes: noon.Add(24 * time.Hour)}))
	got = only.Value(other.Alarms.Watched(ctx, account.ID, c.ID))(t)
	require.Zero(t, got.Last, "it was deleted long ago")
})

var _ = promises.add("the runs of a time are listed", func(t *testing.T, one, other Storage) {
	account, neighbour := created(t, one, "weekly"), created(t, one, "neighbour")
	for i := range 4 {
		settle(t, one, account, aRun(account, runID(i), noon.Add(time.Duration(i)*time.Hour)))
	}
	settle(t, one, neighbour, aRun(neighbour, "neighbours", noon))
	ids := func(from, to time.Time, limit int) (ids []string) {
		for _, run := range only.Value(other.Alarms.RunsBetween(t.Context(), account.ID, from, to, limit))(t) {
			ids = append(ids, run.ID)
		}
		return ids
	}
	require.Equal(t, []string{runID(2), runID(1)}, ids(noon.Add(time.Hour), noon.Add(3*time.Hour), 10))
	require.Equal(t, []string{runID(3)}, ids(noon, noon.Add(24*time.Hour), 1), "latest first")
	require.Empty(t, ids(noon.Add(-time.Hour), noon, 10))
	runs := only.Value(one.Alarms.RunsBetween(t.Context(), account.ID, noon, noon.Add(time.Microsecond), 1))(t)
	require.Equal(t, []domain.Run{aRun(account, runID(0), noon)}, runs)
})
