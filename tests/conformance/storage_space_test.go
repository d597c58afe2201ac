package conformance_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/only"
)

// Disk space that a batch has occupied is the system's again after it was swept
// away: the file of the embedded database, and its log. So it is for a database
// of an earlier version, after the next start.
func TestDiskSpaceIsGivenBack(t *testing.T) {
	const large = 12 << 20
	for name, c := range map[string]struct{ old bool }{"new database": {}, "database of an earlier version": {old: true}} {
		t.Run(name, func(t *testing.T) {
			settings := storage.Settings{DataDir: t.TempDir()}
			s := withAccount(t, settings)
			if c.old {
				made := t.TempDir()
				age(t, settings.DataDir, made)
				settings.DataDir, settings.Rebuild = made, true
				s = ports(opened(t, settings))
			}
			empty := occupied(t, settings.DataDir)
			largeBatch(t, s, "batch", large)
			require.Greater(t, occupied(t, settings.DataDir), int64(large))
			endBatch(t, s, "batch", large/8)
			require.NoError(t, s.Sweep(t.Context(), port.Expiry{Results: start, Batches: start}))
			require.Less(t, occupied(t, settings.DataDir), empty+large/8+8<<20, "the files have gone, and a result is kept")

			require.NoError(t, s.Sweep(t.Context(), port.Expiry{Results: start.Add(time.Hour), Batches: start}))
			require.Less(t, occupied(t, settings.DataDir), empty+8<<20)
			require.Equal(t, "ok", integrity(t, settings.DataDir))
			require.NoError(t, settle(t.Context(), s, "run"))
		})
	}
}

// Space is given back in portions, each a transaction of its own: requests are
// let in between two of them.
func TestDiskSpaceIsGivenBackInPortions(t *testing.T) {
	settings := storage.Settings{DataDir: t.TempDir()}
	s, behind := withAccount(t, settings), raw(t, settings)
	largeBatch(t, s, "batch", 40<<20)
	endBatch(t, s, "batch", 10)
	free := func() (n int) {
		require.NoError(t, behind.QueryRow("PRAGMA freelist_count").Scan(&n))
		return n
	}
	before, swept, seen := free(), make(chan error), map[int]bool{}
	require.Greater(t, before, 7_000)
	go func() { swept <- s.Sweep(t.Context(), port.Expiry{Results: start, Batches: start}) }()
	for n := 0; ; n++ {
		require.NoError(t, settle(t.Context(), s, fmt.Sprint("run", n)))
		seen[free()] = true
		select {
		case err := <-swept:
			require.NoError(t, err)
			require.Greater(t, len(seen), 3, "runs were stored while space was given back")
			return
		default:
		}
	}
}

// An old database that cannot be rebuilt works on, with a warning that says what
// is missing; the next start tries again.
func TestDatabaseThatCannotBeRebuilt(t *testing.T) {
	settings := storage.Settings{DataDir: t.TempDir()}
	withAccount(t, settings)
	made := t.TempDir()
	age(t, settings.DataDir, made)
	settings = storage.Settings{DataDir: made, Rebuild: true, Also: migrateOutbox}
	other := raw(t, settings)
	busy := only.Value(other.Begin())(t)
	require.NoError(t, only.Err(busy.Exec("UPDATE accounts SET overdue_days = 3")))

	store, log := openLogged(t, settings)
	require.Contains(t, log, "cannot be rebuilt")
	require.NoError(t, busy.Rollback())
	s := ports(store)
	require.NoError(t, settle(t.Context(), s, "run"))

	// A sweep frees pages that stay in the file, and ends.
	largeBatch(t, s, "batch", 20<<20)
	endBatch(t, s, "batch", 10)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	require.NoError(t, s.Sweep(ctx, port.Expiry{Results: start.Add(time.Hour), Batches: start}))
	require.Greater(t, occupied(t, made), int64(20<<20))
	require.NoError(t, store.Close())
	require.NoError(t, other.Close())

	store, log = openLogged(t, settings)
	require.Contains(t, log, "rebuilt the database")
	require.NoError(t, store.Close())
	store, log = openLogged(t, settings)
	require.Empty(t, log, "once is enough")
	require.NoError(t, store.Close())
}

// openLogged opens a database, and returns what the log says of that.
func openLogged(t *testing.T, settings storage.Settings) (*storage.Store, string) {
	t.Helper()
	var log bytes.Buffer
	return only.Value(storage.Open(t.Context(), settings, slog.New(slog.NewJSONHandler(&log, nil))))(t), log.String()
}

// A rebuild keeps other processes from the database, and may take minutes: a command does not
// begin one, and neither does a service while another process has the database open.
func TestADatabaseIsRebuiltByWhomeverHasItAlone(t *testing.T) {
	settings := storage.Settings{DataDir: t.TempDir()}
	withAccount(t, settings)
	made := t.TempDir()
	age(t, settings.DataDir, made)
	settings = storage.Settings{DataDir: made, Also: migrateOutbox}
	command, log := openLogged(t, settings)
	require.Empty(t, log)
	settings.Rebuild = true
	service, log := openLogged(t, settings)
	require.Contains(t, log, "cannot be rebuilt")
	require.NotContains(t, log, "rebuilding", "it is not even begun")
	for n, s := range []*storage.Store{command, service} {
		require.NoError(t, settle(t.Context(), ports(s), fmt.Sprint("run", n)))
	}
	require.NoError(t, command.Close())
	require.NoError(t, service.Close())
	require.NoFileExists(t, filepath.Join(made, "milaan.db-wal"), "whoever closes the database last ends its log")
	s, log := openLogged(t, settings)
	require.Contains(t, log, "rebuilt the database")
	require.NoError(t, settle(t.Context(), ports(s), "run"))
	require.NoError(t, s.Close())
}

// age copies a database into a folder as an earlier version would have made it.
func age(t *testing.T, from, to string) {
	t.Helper()
	db := only.Value(sql.Open("sqlite", filepath.Join(from, "milaan.db")))(t)
	db.SetMaxOpenConns(1)
	defer func() { require.NoError(t, db.Close()) }()
	execute(t, db, "PRAGMA auto_vacuum = 0", "VACUUM INTO '"+filepath.Join(to, "milaan.db")+"'")
	copied := only.Value(sql.Open("sqlite", filepath.Join(to, "milaan.db")))(t)
	defer func() { require.NoError(t, copied.Close()) }()
	execute(t, copied, "PRAGMA journal_mode = WAL")
	var mode int
	require.NoError(t, copied.QueryRow("PRAGMA auto_vacuum").Scan(&mode))
	require.Zero(t, mode)
}

func occupied(t *testing.T, folder string) (total int64) {
	t.Helper()
	for _, name := range []string{"milaan.db", "milaan.db-wal"} {
		info := only.Value(os.Stat(filepath.Join(folder, name)))(t)
		total += info.Size()
	}
	return total
}

func largeBatch(t *testing.T, s conformance.Storage, id string, size int) {
	t.Helper()
	b := domain.Batch{ID: id, AccountID: account.ID, SubmittedAt: start, Jobs: 1}
	noise := make([]byte, size) // which no compression makes smaller
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	require.NoError(t, s.Batches.Submit(t.Context(), b, []port.Request{{Storefront: noise}}, domain.RequestClaim{}))
}

func endBatch(t *testing.T, s conformance.Storage, id string, size int) {
	t.Helper()
	end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: id}, At: start, Result: make([]byte, size)}
	require.NoError(t, s.Write(t.Context(), account.ID, port.Entry{End: end}))
}

func integrity(t *testing.T, folder string) (verdict string) {
	t.Helper()
	db := only.Value(sql.Open("sqlite", filepath.Join(folder, "milaan.db")))(t)
	defer func() { require.NoError(t, db.Close()) }()
	require.NoError(t, db.QueryRow("PRAGMA integrity_check").Scan(&verdict))
	return verdict
}
