package storage

import (
	"context"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"

	"github.com/pressly/goose/v3"

	"milaan/adapters/storage/dialect"
	"milaan/adapters/storage/postgres"
	"milaan/adapters/storage/sqlite"
)

// Settings say where the database is.
type Settings struct {
	// DatabaseURL is a postgres:// URL; blank means SQLite. pgx's own
	// parameters are understood, such as pool_max_conns.
	DatabaseURL string
	// DataDir is the directory of the SQLite file, milaan.db. It is made if it
	// is not there, for its owner only. Not used with PostgreSQL.
	DataDir string
	// Evidence is the path of a file that exists only if the SQLite file was set up before;
	// blank if there is no such file.
	Evidence string
	// Rebuild has an SQLite file of an earlier version, which gives no disk space back,
	// rebuilt before it is used. That may take minutes, so it is for the service and not
	// for a single command. While another process has the file open, it is left as it is.
	Rebuild bool
	// Sync has the system write a file of SQLite to the disk; nil: (*os.File).Sync. It is for tests of power cuts.
	Sync func(*os.File) error
	// BatchQuota is how much the batches of all accounts together may keep, bytes
	// of files and results; 0: no limit.
	BatchQuota int64
	// Also migrates the tables of others in the same database, or is nil. It is called at
	// every start, after our own migrations and while no other process migrates. It must be
	// quick if there is nothing to do.
	Also func(ctx context.Context, h Handle) error
}

// Handle is the database itself, for packages that keep tables of their own in it.
type Handle = dialect.Handle

// Store is an open database whose schema is this program's. The ports are
// views of it: New[Accounts], NewHolds and so on. It may be used from many
// goroutines and must be closed.
type Store struct {
	database dialect.Database
	goose    *goose.Provider
	also     func(context.Context, Handle) error
	log      *slog.Logger
	quota    int64       // Settings.BatchQuota
	full     atomic.Bool // the disk was full when a write last failed
}

// Open opens the database and brings its schema up to date. It waits some
// seconds for PostgreSQL to come up. It returns ErrNewer for a database that a
// newer program has migrated, sqlite.ErrEmptied for one that has lost its data, and
// postgres.ErrDatabaseURL for a URL that cannot be read.
func Open(ctx context.Context, settings Settings, log *slog.Logger) (*Store, error) {
	var database dialect.Database
	var err error
	if strings.TrimSpace(settings.DatabaseURL) == "" {
		database, err = sqlite.Open(ctx, sqlite.Settings{Dir: settings.DataDir, Evidence: settings.Evidence, Rebuild: settings.Rebuild,
			Sync: settings.Sync}, log)
	} else {
		database, err = postgres.Open(ctx, settings.DatabaseURL, log)
	}
	if err != nil {
		return nil, err
	}
	s := &Store{database: database, also: settings.Also, log: log, quota: settings.BatchQuota}
	if s.goose, err = newProvider(database.About()); err == nil {
		err = s.Migrate(ctx)
	}
	if err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// Handle may be used until the store is closed.
func (s *Store) Handle() Handle { return s.database.About().Handle }

// Close gives the connections back. Calls that are still under way end with
// their connection.
func (s *Store) Close() error { return s.database.Close() }
