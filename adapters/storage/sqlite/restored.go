package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"milaan/adapters/storage/dialect"
)

// makingSuffix is that of a file which is there while a new database is made: an
// empty database beside it is none that has lost its data.
const makingSuffix = ".making"

// ErrEmptied is returned for a database file without any tables in a directory
// that shows that there was one with data: a backup was not restored whole.
var ErrEmptied = errors.New("the database is empty, and it was not always")

// begin makes an empty database file if there is none. Whoever is killed after
// it leaves the mark that the database was being made.
func begin(path string) error {
	if exists(path) {
		return nil
	}
	if err := touch(path + makingSuffix); err != nil {
		return err
	}
	return touch(path)
}

// touch makes an empty file, unless it is there. It fails for one that this
// process may not read and write.
func touch(name string) error {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// refuseEmptied returns ErrEmptied for a database without tables beside a file
// that is evidence of one with data. The lock is held: nobody else is making one
// right now.
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
