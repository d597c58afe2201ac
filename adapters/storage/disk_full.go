package storage

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
)

// errDiskFull names the cause of a failed write, for the log.
var errDiskFull = errors.New("the disk is full")

// naming says that the disk is full, and where, if that is why something failed.
// Any other error stays as it is.
func (s *Store) naming(err error) error {
	if err == nil || errors.Is(err, errDiskFull) || !s.database.Full(err) {
		return err
	}
	s.full.Store(true)
	return domain.ErrDatabase.Caused(fmt.Errorf("%w: %s: free some space there: %w", errDiskFull, s.database.About().Place, err))
}

const (
	// rowWanted is how much must fit into the tables of a disk that is not full,
	// bytes.
	rowWanted = 64 << 10
	// spaceFact is the row's name. It is there for a moment only.
	spaceFact = "space_probe"
)

// tryDisk is nil if the database can be written to.
func (s *Store) tryDisk(ctx context.Context) error {
	if err := s.database.TryDisk(); err != nil {
		return s.naming(domain.ErrDatabase.Caused(err))
	}
	text := make([]byte, rowWanted/2)
	_, _ = rand.Read(text)
	row := factRow{Name: spaceFact, Value: hex.EncodeToString(text)}
	err := s.transactLasting(ctx, dialect.Passing, "try to write", func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error
	})
	if err != nil {
		return err
	}
	return s.write(ctx, "try to write", func(db *gorm.DB) error { return db.Delete(&row).Error })
}
