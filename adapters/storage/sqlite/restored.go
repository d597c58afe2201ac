package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"milaan/adapters/storage/dialect"
)

// makingSuffix ends the name of a file that exists while a new database is made: an empty
// database beside it has not lost its data.
const makingSuffix = ".making"

// ErrEmptied is returned for a database file without tables if another file shows that it
// had some: a backup was not restored whole.
var ErrEmptied = errors.New("the database is empty, and it was not always")

// makeFile makes an empty database file if there is none. Before it, it makes the file with
// makingSuffix, which stays if this process is killed.
func makeFile(path string) error {
	if exists(path) {
		return nil
	}
	if err := touch(path + makingSuffix); err != nil {
		return err
	}
	return touch(path)
}

// touch makes an empty file, unless it is there. It fails for a file that this process may
// not read and write.
func touch(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// refuseEmptied returns ErrEmptied for a database without tables beside the evidence that
// it had some. The caller holds the lock, so that no other process is making the database.
func (d *Database) refuseEmptied(ctx context.Context, evidence string) error {
	if evidence == "" || !exists(evidence) {
		return nil
	}
	made, err := hasTables(ctx, d.path)
	if err != nil || made || exists(d.path+makingSuffix) {
		return err
	}
	name := filepath.Base(d.path)
	return fmt.Errorf("%w: %s holds no tables, but %s beside it was made with a database that did: restore %s from the backup again; "+
		"to begin with an empty database instead, delete %s", ErrEmptied, d.path, filepath.Base(evidence), name, name)
}

func hasTables(ctx context.Context, path string) (made bool, err error) {
	db, err := openPool(path, 1, ownWait)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, "SELECT COUNT(*) > 0 FROM sqlite_master WHERE name = ?", dialect.VersionTable).Scan(&made)
	if err != nil {
		err = fmt.Errorf("open the database %s: %w", path, err)
	}
	return made, err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
