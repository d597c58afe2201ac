package storage

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
)

// errDiskFull names the cause of a failed write, for the log.
var errDiskFull = errors.New("the disk is full")

// nameFullDisk returns an error that names the full disk if that is the cause of err, or
// else err itself.
func (s *Store) nameFullDisk(err error) error {
	if err == nil || errors.Is(err, errDiskFull) || !s.database.Full(err) {
		return err
	}
	s.full.Store(true)
	if known, ok := errors.AsType[*domain.Error](err); ok { // its code would say less than its cause
		err = cmp.Or(known.Cause, err)
	}
	return domain.ErrDiskFull.Caused(fmt.Errorf("%w: %s: free some space there: %w", errDiskFull, s.database.About().Place, err))
}

const (
	// rowWanted is how many bytes must fit into the tables of a disk that is not full.
	rowWanted = 64 << 10
	// spaceFact is the name of the row that tries it. It is deleted at once.
	spaceFact = "space_probe"
)

// tryDisk returns nil if the database can be written to.
func (s *Store) tryDisk(ctx context.Context) error {
	if err := s.database.TryDisk(); err != nil {
		return s.nameFullDisk(domain.ErrDatabase.Caused(err))
	}
	text := make([]byte, rowWanted/2)
	_, _ = rand.Read(text)
	row := serviceFactRow{Name: spaceFact, Value: hex.EncodeToString(text)}
	err := s.transactAs(ctx, dialect.Relaxed, "try to write", func(tx *gorm.DB) error {
		return put(tx, &row)
	})
	if err != nil {
		return err
	}
	return s.write(ctx, "try to write", func(db *gorm.DB) error { return db.Delete(&row).Error })
}

// errUnmigrated is the cause if the schema was replaced by an older one while the program
// runs.
var errUnmigrated = errors.New("the schema is older than this program: run milaan migrate")

// errReadOnly is the cause if somebody has set the server to read only, or it has become a standby.
var errReadOnly = errors.New("the database only reads: set default_transaction_read_only to off, or name the primary server")

// Ready returns nil if the database answers and takes changes, its schema is this program's or a later one's, and
// its disk is not full. After a write that failed because the disk was full, it tries to write.
//
// A later version that migrates beside this program leaves it what it needs: it serves on, so
// that somebody answers until the later one does.
func (s *Store) Ready(ctx context.Context) error {
	if s.full.Load() {
		if err := s.tryDisk(ctx); err != nil {
			return err
		}
		s.full.Store(false)
		s.log.InfoContext(ctx, "the disk has space again", "database", s.database.About().Place)
	}
	err := s.read(ctx, "look at the schema", func(db *gorm.DB) error {
		if asks, readOnly := s.database.About().ReadOnly, false; asks != "" {
			if _, err := scanFirst(db.Raw(asks), &readOnly); err != nil || readOnly {
				return cmp.Or(err, errReadOnly)
			}
		}
		current, err := s.current(db)
		switch {
		case errors.Is(err, ErrNewer):
			return nil
		case err == nil && !current:
			return errUnmigrated
		}
		return err
	})
	if err == nil || errors.Is(err, domain.ErrDatabase) || errors.Is(err, context.Canceled) {
		return err
	}
	return domain.ErrDatabase.Caused(err)
}
