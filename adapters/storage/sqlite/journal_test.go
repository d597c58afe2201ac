package sqlite

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/tests/only"
)

// opened opens a database with one table, whose log sync syncs.
func opened(t *testing.T, sync func(*os.File) error) *Database {
	t.Helper()
	d := only.Value(Open(t.Context(), Settings{Dir: t.TempDir(), Sync: sync}, slog.New(slog.DiscardHandler)))(t)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	require.NoError(t, d.Write(t.Context(), dialect.Relaxed, sent("CREATE TABLE facts (n INTEGER)")))
	return d
}

func sent(texts ...string) func(db *gorm.DB) error {
	return func(db *gorm.DB) error {
		for _, text := range texts {
			if err := db.Exec(text).Error; err != nil {
				return err
			}
		}
		return nil
	}
}

func inTransaction(do func(db *gorm.DB) error) func(db *gorm.DB) error {
	return func(db *gorm.DB) error {
		tx := db.Begin()
		return errors.Join(do(tx), tx.Commit().Error)
	}
}

const add = "INSERT INTO facts VALUES (1)"

// The log is synced once for each durable change, whatever the transaction is that makes it, and never
// for what reads or may be lost.
func TestDurableChangesAreSynced(t *testing.T) {
	synced := 0
	d := opened(t, func(f *os.File) error {
		require.Equal(t, databaseFile+"-wal", filepath.Base(f.Name()))
		synced++
		return f.Sync()
	})
	for name, c := range map[string]struct {
		durability dialect.Durability
		do         func(db *gorm.DB) error
		want       int
	}{
		"a change":               {dialect.Durable, sent(add), 1},
		"a transaction":          {dialect.Durable, sent(beginImmediate, add, add, "COMMIT"), 1},
		"gorm's transaction":     {dialect.Durable, inTransaction(sent(add)), 1},
		"a change with a result": {dialect.Durable, func(db *gorm.DB) error { return db.Raw(add + " RETURNING n").Scan(new(int)).Error }, 1},
		"a relaxed change":       {dialect.Relaxed, sent(add), 0},
		"a query":                {dialect.Durable, sent(beginImmediate, "\nSELECT n FROM facts", "COMMIT"), 0},
		"a failed change":        {dialect.Durable, sent("no statement"), 0},
	} {
		synced = 0
		synced = 0
		err := d.Write(t.Context(), c.durability, c.do)
		require.Equal(t, name == "a failed change", err != nil, "%s: %v", name, err)
		require.Equal(t, c.want, synced, name)
	}
}

// The file may be a link, and a log of another one may lie beside that: the log that is synced is the one beside the file.
func TestTheLogOfALinkedFileIsSynced(t *testing.T) {
	dir, elsewhere := t.TempDir(), t.TempDir()
	file := filepath.Join(elsewhere, "real.db")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	if err := os.Symlink(file, filepath.Join(dir, databaseFile)); err != nil {
		t.Skip("this system makes no links:", err)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, databaseFile+"-wal"), nil, 0o600))
	synced := ""
	d := only.Value(Open(t.Context(), Settings{Dir: dir, Sync: func(f *os.File) error {
		synced = f.Name()
		return f.Sync()
	}}, slog.New(slog.DiscardHandler)))(t)
	t.Cleanup(func() { require.NoError(t, d.Close()) })
	require.NoError(t, d.Write(t.Context(), dialect.Durable, sent("CREATE TABLE facts (n INTEGER)")))
	require.Equal(t, only.Value(filepath.EvalSymlinks(file))(t)+"-wal", synced)
}

// While the log is synced others may write. Those that end meanwhile, and one that only reads what is
// not on the disk yet, return after a sync that began later; all share one.
func TestChangesShareASync(t *testing.T) {
	begun, end := make(chan struct{}), make(chan struct{})
	d := opened(t, func(*os.File) error {
		begun <- struct{}{}
		<-end
		return nil
	})
	ended := make(chan error)
	write := func(text string) { ended <- d.Write(t.Context(), dialect.Durable, sent(text)) }
	go write(add)
	<-begun
	const others = 3
	for range others {
		go write(add)
	}
	require.Eventually(t, func() bool { return d.journal.changes.Load() == 1+others }, time.Minute, time.Millisecond)
	go write("SELECT n FROM facts")
	require.Empty(t, ended)
	end <- struct{}{}
	require.NoError(t, <-ended)
	<-begun
	require.Empty(t, ended)
	end <- struct{}{}
	for range others + 1 {
		require.NoError(t, <-ended)
	}
}

// Nobody is told that a change is durable after a sync that failed, though the next one would succeed.
func TestAFailedSyncIsNoSuccess(t *testing.T) {
	failed := error(&os.PathError{Op: "sync", Path: "log", Err: errors.ErrUnsupported})
	d := opened(t, func(*os.File) error { return failed })
	write := func(text string) error { return d.Write(t.Context(), dialect.Durable, sent(text)) }
	err := write(add)
	require.ErrorIs(t, err, domain.ErrUnsettled)
	require.NotErrorIs(t, err, errors.ErrUnsupported, "or else the store takes it for a reason to try the change again")
	require.ErrorIs(t, write("SELECT n FROM facts"), domain.ErrUnsettled)
	failed = nil
	require.ErrorIs(t, write(add), domain.ErrUnsettled)
}
