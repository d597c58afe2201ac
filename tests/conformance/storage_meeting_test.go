package conformance_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/only"
)

// Whatever is done to connections at the same time, transactions lock rows in one order:
// none of them waits for another that waits for it, which PostgreSQL would end after a
// second. And each pass has at most one run.
func TestWhatMeetsAtAConnection(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		one, other := twice(t, settings)
		require.NoError(t, one.Accounts.Create(t.Context(), account))
		const connections, rounds = 3, 12
		for i := range connections {
			require.NoError(t, connect(t.Context(), one, fmt.Sprint(i)))
		}
		before := deadlocks(t, settings)
		var all sync.WaitGroup
		for _, s := range []conformance.Storage{one, other} {
			for name, do := range meetings {
				all.Go(func() {
					for round := range rounds {
						err := do(t, s, fmt.Sprint(round%connections), start.Add(time.Duration(round)*domain.PassPeriod))
						if err != nil && !errors.Is(err, domain.ErrNothingToDo) && !errors.Is(err, domain.ErrPassRunning) {
							t.Errorf("%s: %v", name, err)
						}
					}
				})
			}
		}
		all.Wait()
		require.Equal(t, before, deadlocks(t, settings))
		runs := only.Value(one.Alarms.RunsBetween(t.Context(), account.ID, start, start.Add(time.Hour), 1000))(t)
		stored := map[string]bool{}
		for i := range connections {
			for _, p := range only.Value(one.PassLog.Latest(t.Context(), account.ID, fmt.Sprint(i), 1000))(t) {
				if p.RunID != "" {
					stored[p.RunID] = true
				}
			}
		}
		for _, run := range runs {
			require.True(t, stored[run.ID], "each run is that of an ended pass")
		}
		require.Len(t, stored, len(runs))
	})
}

// meetings are calls that change a connection or its passes at some time.
var meetings = map[string]func(t *testing.T, s conformance.Storage, connection string, now time.Time) error{
	"schedule": func(t *testing.T, s conformance.Storage, _ string, now time.Time) error {
		_, err := s.Passes.Schedule(t.Context(), now, domain.PassPeriod, 10)
		return err
	},
	"ask": func(t *testing.T, s conformance.Storage, connection string, now time.Time) error {
		return s.Passes.Ask(t.Context(), domain.Pass{ID: fmt.Sprint("asked ", connection, now), AccountID: account.ID, ConnectionID: connection, Slot: now, Asked: true, Due: now})
	},
	"end": func(t *testing.T, s conformance.Storage, connection string, now time.Time) error {
		passes, err := s.PassLog.Latest(t.Context(), account.ID, connection, 1)
		if err != nil || len(passes) == 0 {
			return err
		}
		return s.Passes.End(t.Context(), port.PassEnd{Pass: domain.Pass{ID: passes[0].ID, EndedAt: now, PassResult: domain.PassResult{Outcome: domain.PassUnchanged}},
			Ledger: &port.PassLedger{Since: start, Text: []byte("ledger"), Oldest: 1}})
	},
	"switch": func(t *testing.T, s conformance.Storage, connection string, now time.Time) error {
		event := domain.SecurityEvent{ID: fmt.Sprintf("switched %s %s %p", connection, now, s.Runs), At: now, Kind: domain.SecurityConnection}
		return s.Ledgers.Switch(t.Context(), account.ID, connection, now.Hour()%2 == 0, start, event)
	},
	"mark": func(t *testing.T, s conformance.Storage, connection string, now time.Time) error {
		l, err := s.Ledgers.Find(t.Context(), account.ID, connection)
		if err == nil {
			l.Marks = append(l.Marks, domain.KeptMark{MarkedOrder: domain.MarkedOrder{ChosenOrder: domain.ChosenOrder{OrderID: fmt.Sprint(now)}}})
			_, err = s.Ledgers.Mark(t.Context(), account.ID, connection, l)
		}
		return keptOr(err)
	},
	"replace": func(t *testing.T, s conformance.Storage, connection string, _ time.Time) error {
		l, err := s.Ledgers.Find(t.Context(), account.ID, connection)
		if err == nil {
			err = s.Ledgers.Replace(t.Context(), account.ID, connection, l)
		}
		return keptOr(err)
	},
	"run": func(t *testing.T, s conformance.Storage, connection string, _ time.Time) error {
		passes, err := s.PassLog.Latest(t.Context(), account.ID, connection, 1)
		if err != nil || len(passes) == 0 {
			return err
		}
		return settlePass(t.Context(), s, passes[0].ID)
	},
	"change": func(t *testing.T, s conformance.Storage, connection string, _ time.Time) error {
		_, err := s.Connections.Update(t.Context(), account.ID, connection, domain.SecurityEvent{}, func(c *domain.Connection) error {
			c.Revision++
			return nil
		})
		return err
	},
	"keep": func(t *testing.T, s conformance.Storage, connection string, now time.Time) error {
		id := fmt.Sprintf("%s %s %p", connection, now, s.Runs)
		return s.KeptFiles.Add(t.Context(), domain.KeptFile{ID: id, AccountID: account.ID, ConnectionID: connection, Name: "report.csv", At: now}, []byte("x"))
	},
	"remove": func(t *testing.T, s conformance.Storage, connection string, now time.Time) error {
		id := fmt.Sprintf("removed %s %s %p", connection, now, s.Runs)
		if err := connect(t.Context(), s, id); err != nil {
			return err
		}
		return s.Connections.Remove(t.Context(), account.ID, id, domain.SecurityEvent{})
	},
	"sweep": func(t *testing.T, s conformance.Storage, _ string, now time.Time) error {
		return s.Sweep(t.Context(), port.Expiry{KeptFiles: now, Runs: start})
	},
}

// keptOr returns an error, unless it says that open items are not kept.
func keptOr(err error) error {
	if errors.Is(err, domain.ErrNoItems) {
		return nil
	}
	return err
}

// The schedule of many does not wait for one connection that is being changed. (The
// embedded database has one writer.)
func TestTheScheduleWaitsForNoConnection(t *testing.T) {
	t.Parallel()
	one, other := twice(t, storage.Settings{DatabaseURL: clone(t)})
	require.NoError(t, one.Accounts.Create(t.Context(), account))
	require.NoError(t, connect(t.Context(), one, "changing"))
	require.NoError(t, connect(t.Context(), one, "due"))
	scheduled := func() int {
		return only.Value(other.Passes.Schedule(t.Context(), start, domain.PassPeriod, 10))(t)
	}
	_, err := one.Connections.Update(t.Context(), account.ID, "changing", domain.SecurityEvent{}, func(*domain.Connection) error {
		require.Equal(t, 1, scheduled())
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 1, scheduled())
	require.Len(t, only.Value(one.PassLog.Latest(t.Context(), account.ID, "changing", 10))(t), 1)
}

// deadlocks counts the transactions that a database of PostgreSQL has ended because they
// waited for each other.
func deadlocks(t *testing.T, settings storage.Settings) (n int) {
	t.Helper()
	if settings.DatabaseURL == "" {
		return 0
	}
	db := raw(t, settings)
	require.NoError(t, only.Err(db.Exec("SELECT pg_stat_force_next_flush()")))
	require.NoError(t, db.QueryRow("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").Scan(&n))
	return n
}
