package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"milaan/adapters/storage/dialect"
)

// restoringSuffix ends the name of a copy that is being restored, until it takes the database's place.
const restoringSuffix = ".restoring"

// The reasons for which a copy is neither made nor put in place.
var (
	// ErrAbsent says that there is no database to copy.
	ErrAbsent = errors.New("there is no database")
	// ErrDamaged says that a copy is not whole, or not a database of ours.
	ErrDamaged = errors.New("the copy is damaged")
	// ErrInUse says that another process has the database open.
	ErrInUse = errors.New("another process uses the database")
	// ErrRestoring is returned by Open for a directory without a database in which a restore was cut off.
	ErrRestoring = errors.New("a restore into this directory was cut off")
)

// Content is what a copy holds. Counts are of its rows, by table.
type Content struct {
	Schema int64 // version of the last migration
	Counts map[string]int64
}

// countedTables are those whose rows are counted, of the first version of the schema.
var countedTables = []string{"accounts", "api_keys", "runs"}

// CopyTo copies the database of a directory, as it is at one moment, into an empty file, and checks
// the copy. Others may read and write meanwhile. The copy is on the disk when CopyTo returns.
func CopyTo(ctx context.Context, dir, target string) (Content, error) {
	path := filepath.Join(dir, databaseFile)
	if !HasData(dir) {
		return Content{}, fmt.Errorf("%w in %s", ErrAbsent, dir)
	}
	db, err := openPool(path, 1, dialect.Timeout)
	if err != nil {
		return Content{}, err
	}
	_, err = db.ExecContext(ctx, "VACUUM INTO ?", target)
	if err = errors.Join(err, db.Close()); err != nil {
		return Content{}, fmt.Errorf("copy the database %s: %w", path, err)
	}
	if err := syncFile(target); err != nil {
		return Content{}, err
	}
	return CheckCopy(ctx, target)
}

// HasData says whether a directory has a database that is not empty.
func HasData(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, databaseFile))
	return err == nil && info.Size() > 0
}

// CheckCopy reads a whole copy, which nobody else uses. It returns ErrDamaged.
func CheckCopy(ctx context.Context, path string) (c Content, err error) {
	db, err := openPool(path, 1, ownWait, "mode=ro")
	if err != nil {
		return c, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	var found string
	if err := db.QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found); err != nil || found != "ok" {
		return c, fmt.Errorf("%w: %w", ErrDamaged, cmp.Or(err, errors.New(found)))
	}
	c.Counts = map[string]int64{}
	if err := db.QueryRowContext(ctx, "SELECT max(version_id) FROM "+dialect.VersionTable+" WHERE is_applied").Scan(&c.Schema); err != nil {
		return c, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	for _, table := range countedTables {
		var n int64
		if err := db.QueryRowContext(ctx, "SELECT count(*) FROM "+table).Scan(&n); err != nil {
			return c, fmt.Errorf("%w: %w", ErrDamaged, err)
		}
		c.Counts[table] = n
	}
	return c, nil
}

// HoldCopy has the service that is started on a copy held from a time on. The copy is on the disk when
// HoldCopy returns.
func HoldCopy(ctx context.Context, path string, at time.Time) error {
	db, err := openPool(path, 1, ownWait, "_pragma=journal_mode(DELETE)")
	if err != nil {
		return err
	}
	_, err = db.ExecContext(ctx, `INSERT INTO service_facts (name, value) VALUES (?, ?)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, dialect.HeldFact, strconv.FormatInt(at.UnixMicro(), 10))
	if err = errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("hold the copy: %w", err)
	}
	return syncFile(path)
}

// Restoring returns the name of the file in a directory into which a copy is written before Replace.
// Until then Open refuses a directory that has no database.
func Restoring(dir string) string { return filepath.Join(dir, databaseFile+restoringSuffix) }

// LockFolder waits until no other process restores into the folder of a database or migrates it. A service
// that starts there waits too. done says whether the database is another one now.
func LockFolder(ctx context.Context, dir string) (unlock func(done bool) error, err error) {
	if err := touch(filepath.Join(dir, lockFile)); err != nil {
		return nil, err
	}
	return (&Database{path: filepath.Join(dir, databaseFile)}).Lock(ctx)
}

// Replace puts the copy that Restoring names in the place of the database. The one that was there is
// kept under its name with a suffix; kept has the names of its files, none if there was none. The
// database is always there, the former one or the copy, whenever this process dies. The
// caller has the lock of the folder. It returns ErrInUse.
func Replace(ctx context.Context, dir, suffix string) (kept []string, err error) {
	d := &Database{path: filepath.Join(dir, databaseFile)}
	if HasData(dir) {
		if err := d.foldLog(ctx); err != nil {
			return nil, err
		}
		if err := os.Link(d.path, d.path+suffix); errors.Is(err, fs.ErrExist) {
			return nil, err
		} else if err != nil { // a file system without links: it is gone for a moment
			if err = os.Rename(d.path, d.path+suffix); err != nil {
				return nil, err
			}
		}
		kept = append(kept, d.path+suffix)
	}
	// What is left of a database that cannot be opened. SQLite would take it for the copy's.
	for _, part := range []string{"-wal", "-shm", "-journal"} {
		if exists(d.path + part) {
			if err := os.Rename(d.path+part, d.path+suffix+part); err != nil {
				return kept, err
			}
			kept = append(kept, d.path+suffix+part)
		}
	}
	if err := os.Rename(Restoring(dir), d.path); err != nil {
		return kept, err
	}
	SyncDir(dir)
	return kept, nil
}

// foldLog writes the write-ahead log of the former database into its file, which only works if nobody
// else has it open. A database that cannot be read stays as it is: that may be why another one
// takes its place.
func (d *Database) foldLog(ctx context.Context) error {
	db, err := openPool(d.path, 1, ownWait)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	var mode string
	err = db.QueryRowContext(ctx, "PRAGMA journal_mode = delete").Scan(&mode)
	switch {
	case err != nil && d.Judge(err) == dialect.Locked, err == nil && !strings.EqualFold(mode, "delete"):
		return ErrInUse
	case errors.Is(err, sql.ErrConnDone), errors.Is(err, context.Canceled):
		return err
	}
	return nil
}

// refuseCutOff returns ErrRestoring if there is no database because a restore was cut off: the
// directory must not look like an empty service.
func (d *Database) refuseCutOff() error {
	copied := d.path + restoringSuffix
	if HasData(filepath.Dir(d.path)) || !exists(copied) {
		return nil
	}
	return fmt.Errorf("%w: run milaan restore again; to begin with an empty database instead, delete %s", ErrRestoring, copied)
}

func syncFile(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}
