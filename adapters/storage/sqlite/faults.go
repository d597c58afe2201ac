package sqlite

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"

	"milaan/adapters/storage/dialect"
)

// Judge says what an error of the driver means.
func (d *Database) Judge(err error) dialect.Verdict {
	switch {
	case coded(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
		return dialect.Locked
	case coded(err, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
		return dialect.Unable
	}
	return dialect.Fault
}

// coded says that err is SQLite's and one of these, in whatever variety.
func coded(err error, codes ...int) bool {
	const primary = 0xff // the rest of a code is the variety
	var coded interface{ Code() int }
	return errors.As(err, &coded) && slices.Contains(codes, coded.Code()&primary)
}

// Full says that the disk is full. SQLite says so of most writes; of the others it
// says no more than that they failed, and a file beside the database tells.
func (d *Database) Full(err error) bool {
	return noSpace(err) || coded(err, sqlite3.SQLITE_FULL) ||
		coded(err, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) && noSpace(d.TryDisk())
}

// noSpace knows the system's errors.
func noSpace(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// spaceWanted is how much must fit on a disk that is not full, bytes: far more
// than a run or a key needs.
const spaceWanted = 1 << 20

// TryDisk is nil if a file can be written beside the database. What is written is
// random, because some file systems keep nothing of what is not.
func (d *Database) TryDisk() error {
	f, err := os.CreateTemp(filepath.Dir(d.path), "space-*")
	if err != nil {
		return err
	}
	content := make([]byte, spaceWanted)
	_, _ = rand.Read(content)
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
