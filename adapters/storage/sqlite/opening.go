package sqlite

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
	"golang.org/x/sync/semaphore"
	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

const (
	databaseFile = "milaan.db"
	// lockFile is a second, empty SQLite file. It is locked while the schema changes. If the
	// process that holds the lock dies, the lock ends.
	lockFile = "milaan.db.migrating"
)

// Settings say where the file is.
type Settings struct {
	// Dir is the directory of the file, milaan.db. It is made if it is not there,
	// for its owner only.
	Dir string
	// Evidence, Rebuild and Sync are those of storage.Settings.
	Evidence string
	Rebuild  bool
	Sync     func(*os.File) error
}

// Open opens the file, and makes it if it is not there. It returns ErrEmptied for
// one that has lost its data.
func Open(ctx context.Context, settings Settings, log *slog.Logger) (_ *Database, err error) {
	dir, err := filepath.Abs(settings.Dir)
	if err != nil {
		return nil, fmt.Errorf("MILAAN_DATA_DIR: open the data directory: %w", err)
	}
	if err := makeDir(dir); err != nil {
		return nil, fmt.Errorf("MILAAN_DATA_DIR: make the data directory: %w", err)
	}
	d := &Database{path: filepath.Join(dir, databaseFile), writing: semaphore.NewWeighted(1)}
	defer func() {
		if err != nil && d.Full(err) {
			err = fmt.Errorf("MILAAN_DATA_DIR: the disk is full: free some space in %s: %w", dir, err)
		}
	}()
	if d.journal.flush = settings.Sync; d.journal.flush == nil {
		d.journal.flush = (*os.File).Sync
	}
	if err := d.refuseCutOff(); err != nil {
		return nil, err
	}
	if err := makeFile(d.path); err != nil {
		return nil, fmt.Errorf("MILAAN_DATA_DIR: make the database file: %w", err)
	}
	for _, name := range []string{databaseFile, lockFile} {
		if err := touch(filepath.Join(dir, name)); err != nil {
			return nil, fmt.Errorf("MILAAN_DATA_DIR: open the database file: %w", err)
		}
	}
	SyncDir(dir)
	file, err := filepath.EvalSymlinks(d.path) // SQLite has the log beside the file itself
	if err != nil {
		return nil, fmt.Errorf("MILAAN_DATA_DIR: open the database file: %w", err)
	}
	d.journal.path = file + "-wal"
	// The first connection turns the write-ahead log on, and no other may be open then.
	unlock, err := d.Lock(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = unlock(false) }()
	if err := d.refuseEmptied(ctx, settings.Evidence); err != nil {
		return nil, err
	}
	if err := d.connect(ctx, settings.Rebuild, log); err != nil {
		return nil, errors.Join(fmt.Errorf("open the database %s: %w", d.path, err), d.Close())
	}
	return d, nil
}

// makeDir makes a directory and those above it, so that they survive a power cut.
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
	SyncDir(above)
	return nil
}

// SyncDir makes the names in a directory survive a power cut. It ignores errors, as SQLite
// does: the system may not be able to sync a directory, or the user not allowed to read it.
func SyncDir(dir string) {
	if f, err := os.Open(dir); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
}

func (d *Database) connect(ctx context.Context, rebuild bool, log *slog.Logger) error {
	// One connection writes, and one migrates. What they delete is overwritten: else the pages
	// of a file that is not kept any more stay as they are until something else needs them.
	pool, err := openPool(d.path, 2, ownWait, "_txlock=immediate", fmt.Sprintf("_pragma=auto_vacuum(%d)", incremental),
		"_pragma=journal_mode(WAL)", "_pragma=secure_delete(1)")
	if err != nil {
		return err
	}
	if d.single, err = newWriter(ctx, pool); err != nil {
		return errors.Join(err, pool.Close())
	}
	d.opened = append(d.opened, d.single)
	if rebuild {
		if err := d.single.rebuild(ctx, d.path, log); err != nil {
			return err
		}
	}
	readers, err := openPool(d.path, max(4, runtime.NumCPU()), ownWait, "_pragma=query_only(1)")
	if err != nil {
		return err
	}
	d.opened = append(d.opened, readers)
	if d.handle, err = openPool(d.path, 1, dialect.Timeout, "_txlock=immediate", "_pragma=secure_delete(1)"); err != nil {
		return err
	}
	d.opened = append(d.opened, d.handle)
	var mode string
	if err := d.single.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return err
	}
	if !strings.EqualFold(mode, "wal") {
		return fmt.Errorf("its file system has no write-ahead log (journal mode %s): set MILAAN_DATA_DIR to a directory on a local disk", mode)
	}
	if d.writer, err = gorm.Open(sqlite.New(sqlite.Config{Conn: d.single}), dialect.Config()); err != nil {
		return err
	}
	d.opened = append(d.opened, &d.journal)
	reading := dialect.Config()
	reading.PrepareStmt = true // as the writer does; for PostgreSQL the driver does it
	d.reader, err = gorm.Open(sqlite.New(sqlite.Config{Conn: readers}), reading)
	return err
}

// ownWait is how long the driver waits for a lock for the store's own connections: not
// long, because the driver ignores contexts, and the store repeats the wait with jitter. The
// job engine does not repeat it, so its connection waits for dialect.Timeout.
const ownWait = 250 * time.Millisecond

// openPool makes a pool of the given number of connections, each of which waits for a lock for as long
// as wait.
func openPool(path string, connections int, wait time.Duration, options ...string) (*sql.DB, error) {
	options = append(options, fmt.Sprintf("_pragma=busy_timeout(%d)", wait.Milliseconds()), "_pragma=foreign_keys(1)",
		"_pragma=synchronous(NORMAL)", fmt.Sprintf("_pragma=journal_size_limit(%d)", longestLog))
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
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
