package storage

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"golang.org/x/sync/semaphore"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

const (
	// patience is how long one call of a port may take, whatever its caller
	// allows; a database that needs longer counts as out of reach.
	patience = 10 * time.Second
	// startPatience is how long Open waits for a database that is not there
	// yet, as when both are started at once.
	startPatience = 10 * time.Second
)

// Settings say where the database is.
type Settings struct {
	// DatabaseURL is a postgres:// URL; blank means SQLite. pgx's own
	// parameters are understood, such as pool_max_conns.
	DatabaseURL string
	// DataDir is the directory of the SQLite file, milaan.db. It is made if it
	// is not there, for its owner only. Not used with PostgreSQL.
	DataDir string
}

// Store is an open database whose schema is this program's. The ports are
// views of it: NewAccounts, NewKeys and so on. It may be used from many
// goroutines and must be closed.
type Store struct {
	engine
	log *slog.Logger
}

// engine is what the two databases differ in.
type engine struct {
	embedded bool                // the database is part of this process
	turn     *semaphore.Weighted // of the embedded database's only writer
	reader   *gorm.DB            // for single queries
	writer   *gorm.DB            // for everything else
	schema   schema
	// lock keeps other processes out while the schema changes.
	lock func(context.Context) (unlock func() error, err error)
	// renew drops the idle connections, after one turned out to be dead.
	renew func()
	close func() error
}

// Open opens the database and brings its schema up to date. It waits some
// seconds for PostgreSQL to come up. It returns ErrNewer for a database that a
// newer program has migrated.
func Open(ctx context.Context, settings Settings, log *slog.Logger) (*Store, error) {
	var e engine
	var err error
	if strings.TrimSpace(settings.DatabaseURL) == "" {
		e, err = openSQLite(ctx, settings.DataDir)
	} else {
		e, err = openPostgres(ctx, settings.DatabaseURL, log)
	}
	if err != nil {
		return nil, err
	}
	s := &Store{engine: e, log: log}
	if err := s.Migrate(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	return s, nil
}

// Close gives the connections back. Calls that are still under way end with
// their connection.
func (s *Store) Close() error { return s.close() }

// gormConfig is made anew for each database: gorm keeps the dialect's clauses
// in it. gorm logs nothing, for its lines hold SQL values; every error is
// returned, and whoever answers for it logs it once.
func gormConfig() *gorm.Config {
	return &gorm.Config{
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true,
		TranslateError:         true,
		Logger:                 logger.Discard.LogMode(logger.Silent),
	}
}
