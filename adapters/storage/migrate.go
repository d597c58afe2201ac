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

	"milaan/adapters/storage/dialect"
)

// migrations holds one folder per database, with the same numbers in both. A
// file that was once released is never changed; the only way down is a backup. The
// previous version of the program must be able to serve while and after each of them runs (.github/CONTRIBUTING.md, *Changing the tables*).
//
//go:embed migrations
var migrations embed.FS

// ErrNewer is returned for a database that a newer program has migrated. This
// program does not begin to work on it: it cannot know what the newer one keeps there.
var ErrNewer = errors.New("the database belongs to a newer milaan: run that version, or restore the backup made before it was installed")

// Migrate brings the schema to this program's version, and then the tables of others
// (Settings.Also). It may be repeated, and several processes may do it at once: they take
// turns. It returns ErrNewer for a database that is beyond this program's version.
func (s *Store) Migrate(ctx context.Context) error {
	unlock, err := s.database.Lock(ctx)
	if err != nil {
		return s.nameFullDisk(s.fault(ctx, "migrate the database", err))
	}
	err = s.migrate(ctx)
	if err == nil && s.also != nil {
		err = s.also(ctx, s.Handle())
	}
	return s.nameFullDisk(s.fault(ctx, "migrate the database", errors.Join(err, unlock(err == nil))))
}

func (s *Store) migrate(ctx context.Context) error {
	var current bool
	err := s.database.Write(ctx, dialect.Relaxed, func(db *gorm.DB) (err error) {
		if db.Migrator().HasTable(dialect.VersionTable) {
			current, err = s.current(db)
		}
		return err
	})
	if err != nil || current {
		return err
	}
	if err := s.up(ctx); err != nil {
		return err
	}
	_, err = s.current(s.database.Reader(ctx))
	return err
}

// migrationPause is the longest pause between two attempts at a migration, in which those go on
// that have waited behind it.
const migrationPause = time.Second

// up runs the migrations that have not run. One that the database undoes, because it met the
// transactions of an instance that serves, is run again.
func (s *Store) up(ctx context.Context) error {
	undone := func(err error) bool { return s.judge(err) == dialect.Undone }
	return dialect.Persist(ctx, dialect.LockTimeout, migrationPause, undone, func(ctx context.Context) error {
		done, err := s.goose.Up(ctx)
		if partly, ok := errors.AsType[*goose.PartialError](err); ok {
			done = partly.Applied
		}
		if len(done) > 0 { // of a new database, a line for each would be the first page that anybody sees
			var took time.Duration
			for _, m := range done {
				took += m.Duration
			}
			from, to := done[0].Source.Version-1, done[len(done)-1].Source.Version
			s.log.InfoContext(ctx, "migrated the database", "from", from, "version", to, "took", took)
		}
		return err
	})
}

// current says whether the schema is this program's, or returns ErrNewer.
func (s *Store) current(db *gorm.DB) (bool, error) {
	var version int64
	_, err := scanFirst(db.Raw("SELECT COALESCE(MAX(version_id), 0) FROM "+dialect.VersionTable+" WHERE is_applied"), &version)
	sources := s.goose.ListSources()
	last := sources[len(sources)-1].Version
	switch {
	case err != nil:
		return false, err
	case version > last:
		return false, fmt.Errorf("%w (its schema has version %d, this program's %d)", ErrNewer, version, last)
	}
	return version == last, nil
}

// Schema returns the version that this program migrates a database to.
func Schema() (int64, error) {
	files, err := fs.ReadDir(migrations, "migrations/sqlite")
	if err != nil || len(files) == 0 {
		return 0, err
	}
	return goose.NumericComponent(files[len(files)-1].Name())
}

func newProvider(about dialect.About) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/"+about.Migrations)
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(about.Goose, about.Pool, files, about.Options...)
}
