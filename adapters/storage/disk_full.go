package storage

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	sqlite3 "modernc.org/sqlite/lib"

	"milaan/domain"
)

// errDiskFull names the cause of a failed write, for the log.
var errDiskFull = errors.New("the disk is full")

// naming says that the disk is full, and where, if that is why something failed.
// Any other error stays as it is.
func (s *Store) naming(err error) error {
	if err == nil || errors.Is(err, errDiskFull) || !s.outOfSpace(err) {
		return err
	}
	s.full.Store(true)
	return domain.ErrDatabase.Caused(fmt.Errorf("%w: %s: free some space there: %w", errDiskFull, s.place, err))
}

// outOfSpace says that a write failed because the disk, or the share of it that
// this user may have, is full. SQLite says so of most writes; of the others it
// says no more than that they failed, and a file beside the database tells.
func (s *Store) outOfSpace(err error) bool {
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		return sqlClass(refusal, "53100")
	}
	if noSpace(err) || sqliteCode(err, sqlite3.SQLITE_FULL) {
		return true
	}
	return s.embedded && sqliteCode(err, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) && noSpace(tryFolder(filepath.Dir(s.path)))
}

// noSpace knows the system's errors.
func noSpace(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

const (
	// spaceWanted is how much must fit on a disk that is not full, bytes: far
	// more than a run or a key needs.
	spaceWanted = 1 << 20
	// rowWanted is the same for one row.
	rowWanted = 64 << 10
	// spaceFact is the row's name. It is there for a moment only.
	spaceFact = "space_probe"
)

// tryDisk is nil if the database can be written to.
func (s *Store) tryDisk(ctx context.Context) error {
	if s.embedded {
		if err := tryFolder(filepath.Dir(s.path)); err != nil {
			return s.naming(domain.ErrDatabase.Caused(err))
		}
	}
	text := make([]byte, rowWanted/2)
	_, _ = rand.Read(text) // never fails
	row := factRow{Name: spaceFact, Value: hex.EncodeToString(text)}
	err := s.transactLasting(ctx, passing, "try to write", func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	})
	if err != nil {
		return err
	}
	return s.write(ctx, "try to write", func(db *gorm.DB) error { return db.Delete(&row).Error })
}

// tryFolder is nil if a file can be written in a folder. What is written is
// random, because some file systems keep nothing of what is not.
func tryFolder(folder string) error {
	f, err := os.CreateTemp(folder, "space-*")
	if err != nil {
		return err
	}
	content := make([]byte, spaceWanted)
	_, _ = rand.Read(content) // never fails
	_, err = f.Write(content)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close(), os.Remove(f.Name()))
}
