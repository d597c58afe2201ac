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

func (d *Database) Judge(err error) dialect.Verdict {
	switch {
	case hasCode(err, sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
		return dialect.Locked
	case hasCode(err, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY):
		return dialect.Unable
	case errors.As(err, new(coded)):
		return dialect.Refused
	}
	return dialect.Fault
}

// coded is an error of SQLite.
type coded interface{ Code() int }

// hasCode says whether err is an error of SQLite with one of these primary result codes.
func hasCode(err error, codes ...int) bool {
	const primary = 0xff // the bits of the primary code; the others make it an extended one
	var of coded
	return errors.As(err, &of) && slices.Contains(codes, of.Code()&primary)
}

// Full says whether the disk is full. SQLite tells so for most writes. For the others it
// tells only that they failed; then Full tries to write a file beside the database.
func (d *Database) Full(err error) bool {
	return NoSpace(err) ||
		hasCode(err, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) && NoSpace(d.TryDisk())
}

// NoSpace says whether the system or SQLite has reported a full disk.
func NoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) || hasCode(err, sqlite3.SQLITE_FULL)
}

// spaceWanted is how many bytes must fit on a disk that is not full: far more than a run or
// a key needs.
const spaceWanted = 1 << 20

// TryDisk returns nil if a file can be written beside the database. Its content is random,
// because some file systems store no zeros.
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
