package storage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/libtnb/sqlite"
	"github.com/pressly/goose/v3"
	"golang.org/x/sync/semaphore"
	"gorm.io/gorm"
)

const (
	sqliteFile = "milaan.db"
	// migrationLock is a second, empty SQLite file. Its lock is held while the
	// schema changes, and falls with the process that holds it.
	migrationLock = "milaan.db.migrating"
)

func openSQLite(ctx context.Context, settings Settings, log *slog.Logger) (engine, error) {
	dir, err := filepath.Abs(settings.DataDir)
	if err != nil {
		return engine{}, fmt.Errorf("MILAAN_DATA_DIR: open the data directory: %w", err)
	}
	if err := makeDir(dir); err != nil {
		return engine{}, fmt.Errorf("MILAAN_DATA_DIR: make the data directory: %w", err)
	}
	path := filepath.Join(dir, sqliteFile)
	if err := begin(path); err != nil {
		return engine{}, fmt.Errorf("MILAAN_DATA_DIR: make the database file: %w", err)
	}
	for _, name := range []string{sqliteFile, migrationLock} {
		f, err := os.OpenFile(filepath.Join(dir, name), os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return engine{}, fmt.Errorf("MILAAN_DATA_DIR: open the database file: %w", err)
		}
		if err := f.Close(); err != nil {
			return engine{}, fmt.Errorf("MILAAN_DATA_DIR: open the database file: %w", err)
		}
	}
	syncDir(dir)
	lock := func(ctx context.Context) (func() error, error) {
		return lockSQLite(ctx, filepath.Join(dir, migrationLock))
	}
	if err := refuseEmptied(ctx, path, settings.Evidence, lock); err != nil {
		return engine{}, err
	}
	return connectSQLite(ctx, path, settings.Rebuild, lock, log)
}

// makeDir makes a directory with those above it, so that they outlast a power
// cut.
func makeDir(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	above := filepath.Dir(dir)
	if err := makeDir(above); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	syncDir(above)
	return nil
}

// syncDir makes the names in a directory outlast a power cut. As with SQLite's
// own files, a system that cannot do so is not held against the user: he may not
// read the directory, or it has no such thing.
func syncDir(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

// connectSQLite opens the pools. The first connection turns the write-ahead
// log on, for which it needs the file to itself: hence the lock.
func connectSQLite(ctx context.Context, path string, rebuild bool, lock func(context.Context) (func() error, error), log *slog.Logger) (engine, error) {
	unlock, err := lock(ctx)
	if err != nil {
		return engine{}, err
	}
	defer func() { _ = unlock() }()

	pool, err := sqlitePool(path, 2, ownWait, "_txlock=immediate", fmt.Sprintf("_pragma=auto_vacuum(%d)", incremental), "_pragma=journal_mode(WAL)") // one connection writes, one migrates
	if err != nil {
		return engine{}, err
	}
	writer, err := newSQLiteWriter(ctx, pool)
	if err != nil {
		return engine{}, errors.Join(fmt.Errorf("open the database %s: %w", path, err), pool.Close())
	}
	if rebuild {
		if err := writer.rebuild(ctx, path, log); err != nil {
			return engine{}, errors.Join(fmt.Errorf("open the database %s: %w", path, err), writer.Close())
		}
	}
	reader, err := sqlitePool(path, max(4, runtime.NumCPU()), ownWait, "_pragma=query_only(1)")
	if err != nil {
		return engine{}, errors.Join(err, writer.Close())
	}
	handle, err := sqlitePool(path, 1, patience, "_txlock=immediate")
	if err != nil {
		return engine{}, errors.Join(err, writer.Close(), reader.Close())
	}
	e := engine{
		embedded: true,
		turn:     semaphore.NewWeighted(1),
		single:   writer,
		path:     path,
		place:    "the embedded database in " + filepath.Dir(path),
		schema:   schema{dialect: goose.DialectSQLite3, folder: "sqlite"},
		handle:   Handle{SQLite: handle},
		lock:     lock,
		renew:    func() {},
		made:     func() { _ = os.Remove(path + makingSuffix) },
		close:    func() error { return errors.Join(handle.Close(), reader.Close(), writer.Close()) },
	}
	if err := e.overSQLite(ctx, writer, reader); err != nil {
		return engine{}, errors.Join(fmt.Errorf("open the database %s: %w", path, err), e.close())
	}
	return e, nil
}

func (e *engine) overSQLite(ctx context.Context, writer *sqliteWriter, reader *sql.DB) (err error) {
	var mode string
	if err := writer.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if !strings.EqualFold(mode, "wal") {
		return fmt.Errorf("its file system has no write-ahead log (journal mode %s): set MILAAN_DATA_DIR to a directory on a local disk", mode)
	}
	if e.writer, err = gorm.Open(sqlite.New(sqlite.Config{Conn: writer}), gormConfig()); err != nil {
		return err
	}
	reading := gormConfig()
	reading.PrepareStmt = true // as sqliteWriter does; with PostgreSQL the driver sees to it
	e.reader, err = gorm.Open(sqlite.New(sqlite.Config{Conn: reader}), reading)
	return err
}

// ownWait is how long the driver waits for a lock for the store itself: not
// long, for it is deaf to contexts, and our own wait has jitter. Others, who
// cannot wait by themselves, are given patience.
const ownWait = 250 * time.Millisecond

// sqlitePool makes a pool of up to connections, which wait for a lock as long as
// wait.
func sqlitePool(path string, connections int, wait time.Duration, options ...string) (*sql.DB, error) {
	options = append(options, fmt.Sprintf("_pragma=busy_timeout(%d)", wait.Milliseconds()), "_pragma=foreign_keys(1)", "_pragma=synchronous(NORMAL)",
		fmt.Sprintf("_pragma=journal_size_limit(%d)", longestLog))
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/…
	}
	dsn := url.URL{Scheme: "file", Path: slashed, RawQuery: strings.Join(options, "&")}
	db, err := sql.Open(sqlite.DriverName, dsn.String())
	if err != nil {
		return nil, fmt.Errorf("open the database %s: %w", path, err)
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db, nil
}

// lockSQLite waits until no other process changes the schema.
func lockSQLite(ctx context.Context, path string) (unlock func() error, err error) {
	db, err := sqlitePool(path, 1, ownWait, "_txlock=exclusive")
	if err != nil {
		return nil, err
	}
	var tx *sql.Tx
	err = persist(ctx, pace{limit: migrationPatience, longest: longestPause}, busy, func(ctx context.Context) (err error) {
		// The lock outlives the wait for it, so the wait's end must not end it.
		tx, err = db.BeginTx(context.WithoutCancel(ctx), nil)
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("wait for another process to migrate the database: %w", err), db.Close())
	}
	return func() error { return errors.Join(tx.Rollback(), db.Close()) }, nil
}
