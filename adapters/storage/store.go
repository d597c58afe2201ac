package storage

import (
	"context"
	"database/sql"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
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
	// Evidence is the path of a file that is there only once the SQLite file has
	// been set up; blank if there is no such file.
	Evidence string
	// Rebuild has an SQLite file of an earlier version, which gives no disk space
	// back, rebuilt before it is used. That may take minutes: it is not for
	// somebody who wants one thing. Where another process has the file open, it is
	// left as it is.
	Rebuild bool
	// BatchQuota is how much the batches of all accounts together may keep, bytes
	// of files and results; 0: no limit.
	BatchQuota int64
	// Also migrates what others keep in the same database, or is nil. It is
	// called after each migration of our own, while no other process migrates,
	// and at every start: it must be quick where there is nothing to do.
	Also func(ctx context.Context, h Handle) error
}

// Handle is the database itself, for those who keep tables of their own in it.
// One of its fields is nil. Neither is to be closed.
type Handle struct {
	// SQLite is a pool of one connection beside the store's own. The store's
	// callers wait for whoever writes by it, so no transaction of it may be long,
	// or wait for the store meanwhile.
	SQLite   *sql.DB
	Postgres *pgxpool.Pool
}

// Store is an open database whose schema is this program's. The ports are
// views of it: NewAccounts, NewKeys and so on. It may be used from many
// goroutines and must be closed.
type Store struct {
	engine
	also  func(context.Context, Handle) error
	log   *slog.Logger
	quota int64       // Settings.BatchQuota
	full  atomic.Bool // the disk was, when something was last written in vain
}

// engine is what the two databases differ in.
type engine struct {
	embedded bool                // the database is part of this process
	turn     *semaphore.Weighted // of the store's only writer to the embedded database
	single   *sqliteWriter       // that writer; nil with PostgreSQL
	path     string              // of the embedded database's file
	place    string              // of the database, for people
	reader   *gorm.DB            // for single queries
	writer   *gorm.DB            // for everything else
	handle   Handle
	schema   schema
	// lock keeps other processes out while the schema changes.
	lock func(context.Context) (unlock func() error, err error)
	// renew drops the idle connections, after one turned out to be dead.
	renew func()
	// made is called once the schema is this program's.
	made  func()
	close func() error
}

// Open opens the database and brings its schema up to date. It waits some
// seconds for PostgreSQL to come up. It returns ErrNewer for a database that a
// newer program has migrated, and ErrEmptied for one that has lost its data.
func Open(ctx context.Context, settings Settings, log *slog.Logger) (*Store, error) {
	var e engine
	var err error
	if strings.TrimSpace(settings.DatabaseURL) == "" {
		e, err = openSQLite(ctx, settings, log)
	} else {
		e, err = openPostgres(ctx, settings.DatabaseURL, log)
	}
	if err != nil {
		return nil, err
	}
	s := &Store{engine: e, also: settings.Also, log: log, quota: settings.BatchQuota}
	if err := s.Migrate(ctx); err != nil {
		_ = s.Close()
		return nil, err
	}
	e.made()
	return s, nil
}

// Handle is good until the store is closed.
func (s *Store) Handle() Handle { return s.handle }

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
