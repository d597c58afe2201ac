package storage

import (
	"context"
	"errors"

	"gorm.io/gorm"

	"milaan/domain"
)

// errUnmigrated is the cause if somebody put an older schema in place while
// the program runs.
var errUnmigrated = errors.New("the schema is older than this program: run milaan migrate")

// Ready is nil if the database answers and its schema is this program's.
func (s *Store) Ready(ctx context.Context) error {
	var current bool
	err := s.read(ctx, "look at the schema", func(db *gorm.DB) (err error) {
		current, err = s.current(db)
		return err
	})
	switch {
	case err == nil && current:
		return nil
	case err == nil:
		return domain.ErrDatabase.Caused(errUnmigrated)
	case errors.Is(err, domain.ErrDatabase), errors.Is(err, context.Canceled):
		return err
	}
	return domain.ErrDatabase.Caused(err)
}
