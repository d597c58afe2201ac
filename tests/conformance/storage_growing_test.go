package conformance_test

import (
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
)

// While a later version migrates, the program goes on with the statements that its connections
// have prepared: those of one case are used in the next ones, when each table has another
// column.
func TestStorageWhoseTablesGrow(t *testing.T) {
	if os.Getenv("MILAAN_SOAK") == "" {
		t.Skip("NOT TESTED: set MILAAN_SOAK for all statements on tables that grow; TestAColumnChangesItsType has one")
	}
	t.Parallel()
	settings := storage.Settings{DatabaseURL: clone(t)}
	one, other := twice(t, settings)
	db := raw(t, settings)
	empty, grow, opened := emptying(t, db), growing(t, db), 0
	conformance.RunStorage(t, func(t *testing.T) (conformance.Storage, conformance.Storage) {
		empty(t)
		if opened%8 == 0 { // all connections then plan all their statements anew, which takes its time
			grow(t)
		}
		opened++
		return one, other
	})
}

// growing prepares a column for each table, another one at each call.
func growing(t *testing.T, db *sql.DB) (grow func(*testing.T)) {
	t.Helper()
	tables, n := allTables(t, db), 0
	return func(t *testing.T) {
		t.Helper()
		n++
		var statements strings.Builder
		for _, table := range tables {
			fmt.Fprintf(&statements, "ALTER TABLE %s ADD COLUMN later_%d TEXT;", table, n)
		}
		execute(t, db, statements.String())
	}
}

// No names help a statement that returns a column of another type. Its transaction is run
// again as a whole, so what it has written before that statement is there once.
func TestAColumnChangesItsType(t *testing.T) {
	t.Parallel()
	settings := storage.Settings{DatabaseURL: clone(t)}
	s := withAccount(t, storage.Settings{DatabaseURL: settings.DatabaseURL + "&pool_max_conns=1"}) // one that has prepared all statements
	conformance.Change(t, s.Webhooks, account.ID, func(w *domain.Webhook) {
		w.Endpoint, w.Secret = "https://hooks.shop.example", domain.SigningSecret(domain.SigningSecretPrefix+"bTF0dGVyIG9mIGZhY3QgYW5kIG5vdGhpbmcgZWxzZSE=")
	})
	calls := 0
	store := func(id string, at time.Time) error {
		return s.Runs.Update(t.Context(), account.ID, func(b port.RunBook) error {
			calls++
			run := domain.Run{ID: id, AccountID: account.ID, At: at}
			event := domain.Delivery{ID: id, EventID: id, AccountID: account.ID, Kind: domain.RunDelivery, RunID: id, CreatedAt: at}
			if err := b.Write(port.Entry{Run: run, Event: event}); err != nil {
				return err
			}
			found, err := b.Identical(run.Fingerprint(), at)
			require.True(t, found == id || err != nil)
			return err
		})
	}
	require.NoError(t, store("before", start))
	require.Equal(t, 1, calls)
	db := raw(t, settings)
	execute(t, db, "ALTER TABLE runs ALTER COLUMN id TYPE VARCHAR", "ALTER TABLE accounts ALTER COLUMN overdue_days TYPE BIGINT")
	require.NoError(t, store("after", start.Add(time.Minute)))
	require.Equal(t, 4, calls, "once again after the account was refused, and after what it has read last was")
	require.Equal(t, 2, conformance.RunsSince(t, s, account.ID, start))
	require.Len(t, texts(t, db, "SELECT id FROM deliveries"), 2)
	require.Len(t, texts(t, db, "SELECT job FROM jobs_added"), 2)

	execute(t, db, "ALTER TABLE accounts ALTER COLUMN overdue_days TYPE INTEGER")
	require.NoError(t, s.Runs.Update(t.Context(), account.ID, func(b port.RunBook) error {
		_, err := b.Identical("", start)
		return err
	}), "the account is read together with what is asked first")
}
