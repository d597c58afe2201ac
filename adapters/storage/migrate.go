package storage

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/pressly/goose/v3"
	"gorm.io/gorm"
)

// migrations holds one folder per database, with the same numbers in both. A
// file that was once released is never altered; there is no way down but a
// backup.
//
//go:embed migrations
var migrations embed.FS

// versionTable is where goose notes which migrations have run.
const versionTable = "goose_db_version"

// migrationPatience is how long a process waits for another one that changes
// the schema.
const migrationPatience = 2 * time.Minute

// ErrNewer is returned for a database that a newer program has migrated. This
// program leaves it alone: it cannot know what the newer one keeps there.
var ErrNewer = errors.New("the database belongs to a newer milaan: run that version, or restore the backup made before it was installed")

// schema is the migrations of one database.
type schema struct {
	dialect goose.Dialect
	folder  string
}

// Migrate brings the schema to this program's version, and then what others
// keep in the database (Settings.Also). It may be repeated, and any number of
// processes may do it at once: they take turns. It returns ErrNewer for a
// database that is beyond this program's version.
func (s *Store) Migrate(ctx context.Context) error {
	unlock, err := s.lock(ctx)
	if err != nil {
		return fault(ctx, "migrate the database", err)
	}
	err = s.migrate(ctx)
	if err == nil && s.also != nil {
		err = s.also(ctx, s.Handle())
	}
	return s.naming(fault(ctx, "migrate the database", errors.Join(err, unlock())))
}

func (s *Store) migrate(ctx context.Context) error {
	if s.writer.WithContext(ctx).Migrator().HasTable(versionTable) {
		current, err := s.current(s.writer.WithContext(ctx))
		if err != nil {
			return err
		}
		if current {
			return nil
		}
	}
	provider, err := s.provider()
	if err != nil {
		return err
	}
	done, err := provider.Up(ctx)
	if err != nil {
		return err
	}
	for _, m := range done {
		s.log.InfoContext(ctx, "migrated the database", "version", m.Source.Version, "took", m.Duration)
	}
	_, err = s.current(s.writer.WithContext(ctx))
	return err
}

func (s *Store) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/"+s.schema.folder)
	if err != nil {
		return nil, err
	}
	db, err := s.writer.DB()
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(s.schema.dialect, db, files)
}

// current says whether the schema is this program's, or returns ErrNewer.
func (s *Store) current(db *gorm.DB) (bool, error) {
	var version int
	_, err := one(db.Raw("SELECT COALESCE(MAX(version_id), 0) FROM "+versionTable+" WHERE is_applied"), &version)
	switch {
	case err != nil:
		return false, err
	case version > s.schema.version():
		return false, fmt.Errorf("%w (its schema has version %d, this program's %d)", ErrNewer, version, s.schema.version())
	}
	return version == s.schema.version(), nil
}

// version is the number of the last migration, with which its file's name
// begins.
func (s schema) version() int {
	files, err := migrations.ReadDir("migrations/" + s.folder)
	if err != nil {
		panic(err) // embedded: cannot be missing
	}
	version, err := goose.NumericComponent(files[len(files)-1].Name())
	if err != nil {
		panic(err) // tests open both databases
	}
	return int(version)
}
