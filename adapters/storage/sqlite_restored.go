package storage

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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
	for _, name := range []string{path + makingSuffix, path} {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

// refuseEmptied returns ErrEmptied for a database without tables beside a file
// that is evidence of one with data. Another process may be making it right now:
// the second look at the tables is for one that has ended between the first and
// the look at its mark.
func refuseEmptied(ctx context.Context, path, evidence string, lock func(context.Context) (func() error, error)) error {
	if evidence == "" || !exists(evidence) {
		return nil
	}
	unlock, err := lock(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = unlock() }()
	for range 2 {
		made, err := hasTables(ctx, path)
		if err != nil || made || exists(path+makingSuffix) {
			return err
		}
	}
	return fmt.Errorf("%w: %s holds no tables, but %s beside it was made with a database that did: restore %s from the backup again; "+
		"to begin with an empty database instead, delete %s", ErrEmptied, path, filepath.Base(evidence), filepath.Base(path), filepath.Base(path))
}

func hasTables(ctx context.Context, path string) (made bool, err error) {
	db, err := sqlitePool(path, 1, ownWait)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, "SELECT COUNT(*) > 0 FROM sqlite_master WHERE name = ?", versionTable).Scan(&made)
	if err != nil {
		err = fmt.Errorf("open the database %s: %w", path, err)
	}
	return made, err
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
