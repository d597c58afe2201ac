package conformance_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	_ "modernc.org/sqlite" // the driver of database/sql

	"milaan/adapters/storage"
	pg "milaan/adapters/storage/postgres"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/only"
	"milaan/tests/postgres"
)

// onBoth runs a test on a database of either kind that holds nothing and has been migrated.
func onBoth(t *testing.T, test func(t *testing.T, settings storage.Settings)) {
	t.Run("SQLite", func(t *testing.T) { test(t, storage.Settings{DataDir: migratedFolder(t)}) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, storage.Settings{DatabaseURL: clone(t)}) })
}

// onBothUnmigrated runs a test on a database of either kind that has no tables yet.
func onBothUnmigrated(t *testing.T, test func(t *testing.T, settings storage.Settings)) {
	t.Run("SQLite", func(t *testing.T) { test(t, storage.Settings{DataDir: awkwardFolder(t)}) })
	t.Run("PostgreSQL", func(t *testing.T) { test(t, storage.Settings{DatabaseURL: postgres.Database(t)}) })
}

// clone makes a database of PostgreSQL that has been migrated.
func clone(t testing.TB) string {
	t.Helper()
	return postgres.Clone(t, "storage", func(databaseURL string) error {
		s, err := storage.Open(t.Context(), storage.Settings{DatabaseURL: databaseURL, Also: migrateOutbox}, slog.New(slog.DiscardHandler))
		if err != nil {
			return err
		}
		return s.Close()
	})
}

// raw opens the database behind the store's back. It prepares no statement for later, because
// tests change tables.
func raw(t testing.TB, settings storage.Settings) *sql.DB {
	t.Helper()
	driver, dsn := "pgx", settings.DatabaseURL+"&default_query_exec_mode=describe_exec"
	if settings.DatabaseURL == "" {
		driver, dsn = "sqlite", filepath.Join(t.TempDir(), "link")
		require.NoError(t, os.Symlink(filepath.Join(settings.DataDir, "milaan.db"), dsn))
	}
	db := only.Value(sql.Open(driver, dsn))(t)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func TestManyStartAtOnce(t *testing.T) {
	t.Parallel()
	onBothUnmigrated(t, func(t *testing.T, settings storage.Settings) {
		const copies = 8
		var all sync.WaitGroup
		var migrating, calls atomic.Int32
		settings.Also = func(ctx context.Context, h storage.Handle) error {
			if migrating.Add(1) > 1 {
				t.Error("two migrate at once")
			}
			defer migrating.Add(-1)
			calls.Add(1)
			return migrateOutbox(ctx, h)
		}
		for range copies {
			all.Go(func() {
				s, err := storage.Open(t.Context(), settings, slog.New(slog.DiscardHandler))
				if err == nil {
					err = errors.Join(s.Ready(t.Context()), s.Close())
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.EqualValues(t, copies, calls.Load(), "others migrate at every start")
		var applied int
		require.NoError(t, raw(t, settings).QueryRow("SELECT COUNT(*) FROM goose_db_version WHERE version_id = 1").Scan(&applied))
		require.Equal(t, 1, applied)
	})
}

func TestOthersCannotMigrate(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		refusal := errors.New("refused")
		refusing := settings
		refusing.Also = func(context.Context, storage.Handle) error { return refusal }
		require.ErrorIs(t, only.Err(storage.Open(t.Context(), refusing, slog.New(slog.DiscardHandler))), refusal)
		require.NoError(t, opened(t, settings).Ready(t.Context()), "the lock is free again")
	})
}

func TestNewerDatabaseIsLeftAlone(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		running := opened(t, settings)
		require.NoError(t, only.Err(raw(t, settings).Exec("INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, true)")))

		_, err := storage.Open(t.Context(), settings, slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, storage.ErrNewer)
		require.ErrorContains(t, err, "999")
		require.ErrorIs(t, running.Migrate(t.Context()), storage.ErrNewer)
		require.NoError(t, running.Ready(t.Context()), "one that serves goes on until the newer one does")
	})
}

func TestOlderDatabaseIsNotReady(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		running := opened(t, settings)
		require.NoError(t, only.Err(raw(t, settings).Exec("DELETE FROM goose_db_version WHERE version_id > 0")))
		require.ErrorIs(t, running.Ready(t.Context()), domain.ErrDatabase)
	})
}

func TestSQLiteFilesAreTheOwnersAlone(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	s := opened(t, storage.Settings{DataDir: dir})
	require.NoError(t, s.Sweep(t.Context(), port.Expiry{Windows: time.Now()}))
	require.Equal(t, fs.FileMode(0o700), only.Value(os.Stat(dir))(t).Mode().Perm())
	files := only.Value(os.ReadDir(dir))(t)
	names := []string{}
	for _, file := range files {
		names = append(names, file.Name())
		require.Equal(t, fs.FileMode(0o600), only.Value(file.Info())(t).Mode().Perm(), file.Name())
	}
	require.Contains(t, names, "milaan.db")
	require.Contains(t, names, "milaan.db-wal", "the journal is a write-ahead log")
}

// Whatever is wrong with a database URL, its password is not told.
func TestPasswordIsNotTold(t *testing.T) {
	for _, url := range []string{
		"mysql://milaan:hunter2@localhost/milaan",
		"postgres://milaan:hunter2@localhost:port/milaan",
		"postgres://milaan:hunter2@[/milaan",
		"postgres://milaan:hunter2%zz@localhost/milaan",
		"host=localhost password=hunter2",
	} {
		_, err := storage.Open(t.Context(), storage.Settings{DatabaseURL: url}, slog.New(slog.DiscardHandler))
		require.ErrorIs(t, err, pg.ErrDatabaseURL)
		require.NotContains(t, err.Error(), "hunter2")
	}
	waiting, giveUp := context.WithCancel(t.Context())
	defer giveUp()
	told := waitingLog{lines: 3, enough: giveUp}
	_, err := storage.Open(waiting, storage.Settings{DatabaseURL: "postgres://milaan:hunter2@127.0.0.1:1/milaan"},
		slog.New(slog.NewTextHandler(&told, &slog.HandlerOptions{Level: slog.LevelDebug})))
	require.ErrorContains(t, err, "cannot reach PostgreSQL at 127.0.0.1, port 1, database milaan")
	require.ErrorContains(t, err, "MILAAN_DATABASE_URL")
	require.NotContains(t, err.Error(), "\n")
	require.Equal(t, 3, strings.Count(told.String(), "waiting for the database"))
	require.Equal(t, 1, strings.Count(told.String(), "level=WARN"), "each attempt of many is not told to everybody")
	require.NotContains(t, told.String(), "hunter2")
	require.NotContains(t, err.Error(), "hunter2")
}

// waitingLog is the log of a wait that has been long enough after some lines.
type waitingLog struct {
	bytes.Buffer
	lines  int
	enough func()
}

func (l *waitingLog) Write(p []byte) (int, error) {
	if l.lines--; l.lines == 0 {
		l.enough()
	}
	return l.Buffer.Write(p)
}

// A migration needs a table for itself. Somebody reads it for long, as a backup does, and all who
// come later wait behind the migration: so it gives way to them, and tries again.
func TestMigrationsGiveWay(t *testing.T) {
	t.Parallel()
	settings := storage.Settings{DatabaseURL: postgres.Database(t)}
	db := migratedTo(t, settings, 13)
	reader, err := db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	defer func() { _ = reader.Rollback() }()
	_, err = reader.Exec("LOCK TABLE sessions IN ACCESS SHARE MODE")
	require.NoError(t, err)

	migrated := make(chan error, 1)
	go func() {
		s, err := storage.Open(context.WithoutCancel(t.Context()), settings, slog.New(slog.DiscardHandler))
		if err == nil {
			err = s.Close()
		}
		migrated <- err
	}()
	for range 2 {
		require.Eventually(t, func() bool {
			return len(texts(t, db, "SELECT locktype FROM pg_locks WHERE NOT granted AND relation = 'sessions'::regclass")) > 0
		}, time.Minute, time.Millisecond, "the migration waits for the table")
		late, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		_, err = db.ExecContext(late, "DELETE FROM sessions WHERE id = 'nobody'")
		cancel()
		require.NoError(t, err, "a request of the version before")
	}
	select {
	case err := <-migrated:
		t.Fatalf("the program did not wait: %v", err)
	default:
	}
	require.NoError(t, reader.Rollback())
	require.NoError(t, <-migrated)
	require.Empty(t, texts(t, db, "SELECT id FROM members"), "the table of the last migration is there")
}
