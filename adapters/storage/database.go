package storage

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"milaan/domain"
)

// errUnmigrated is the cause if the schema was replaced by an older one while the program
// runs.
var errUnmigrated = errors.New("the schema is older than this program: run milaan migrate")

// Ready returns nil if the database answers, its schema is this program's, and its disk is
// not full. After a write that failed because the disk was full, it tries to write.
func (s *Store) Ready(ctx context.Context) error {
	if s.full.Load() {
		if err := s.tryDisk(ctx); err != nil {
			return err
		}
		s.full.Store(false)
		s.log.InfoContext(ctx, "the disk has space again", "database", s.database.About().Place)
	}
	err := s.read(ctx, "look at the schema", func(db *gorm.DB) error {
		current, err := s.current(db)
		if err == nil && !current {
			err = errUnmigrated
		}
		return err
	})
	if err == nil || errors.Is(err, domain.ErrDatabase) || errors.Is(err, context.Canceled) {
		return err
	}
	return domain.ErrDatabase.Caused(err)
}
