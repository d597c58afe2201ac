package storage

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

const (
	// poolSize is how many connections one process holds at most, unless the
	// URL says pool_max_conns. A request waits for one at most as long as
	// patience.
	poolSize = 16
	// connectTimeout bounds one attempt to connect, unless the URL says
	// connect_timeout; pingTimeout the check of a connection that was idle.
	connectTimeout = 5 * time.Second
	pingTimeout    = 2 * time.Second
	// idleInTransaction frees an account's lock if the process that holds it
	// has stopped or lost its network: the server then ends its session.
	idleInTransaction = "SET idle_in_transaction_session_timeout = '30s'"
)

// ErrDatabaseURL is returned for a database URL that cannot be read. It never
// repeats the URL, for that may hold a password.
var ErrDatabaseURL = errors.New("MILAAN_DATABASE_URL, or the file that MILAAN_DATABASE_URL_FILE names, cannot be read: it must look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded")

func openPostgres(ctx context.Context, databaseURL string, log *slog.Logger) (engine, error) {
	config, err := postgresConfig(databaseURL)
	if err != nil {
		return engine{}, err
	}
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), config)
	if err != nil {
		return engine{}, fmt.Errorf("open PostgreSQL: %w", err)
	}
	server := fmt.Sprintf("PostgreSQL at %s, port %d, database %s", config.ConnConfig.Host, config.ConnConfig.Port, config.ConnConfig.Database)
	level := slog.LevelWarn
	err = persist(ctx, pace{limit: startPatience, longest: time.Second}, worthWaiting, func(ctx context.Context) error {
		err := checkSessions(ctx, config.ConnConfig)
		if err == nil {
			err = pool.Ping(ctx)
		}
		if err != nil && worthWaiting(err) {
			log.Log(ctx, level, "waiting for the database", "server", server, "at_most", startPatience, "error", onOneLine{err})
			level = slog.LevelDebug // once will do
		}
		return err
	})
	if err != nil {
		pool.Close()
		if errors.Is(err, errSharedSessions) {
			return engine{}, fmt.Errorf("%s: %w", server, errSharedSessions)
		}
		return engine{}, fmt.Errorf("cannot reach %s: check the database URL (MILAAN_DATABASE_URL), and that the server runs and lets this user in: %w",
			server, onOneLine{err})
	}
	sqlDB := stdlib.OpenDBFromPool(pool)
	db, err := gorm.Open(postgres.New(postgres.Config{Conn: sqlDB}), gormConfig())
	if err != nil {
		pool.Close()
		return engine{}, fmt.Errorf("open %s: %w", server, err)
	}
	return engine{
		reader: db,
		writer: db,
		place:  server,
		schema: schema{dialect: goose.DialectPostgres, folder: "postgres"},
		handle: Handle{Postgres: pool},
		lock: func(ctx context.Context) (func() error, error) {
			return lockPostgres(ctx, config.ConnConfig)
		},
		renew: pool.Reset,
		made:  func() {},
		close: func() error {
			err := sqlDB.Close()
			pool.Close()
			return err
		},
	}, nil
}

// errMigrating says that another process holds the lock.
var errMigrating = errors.New("another process is migrating the database")

// lockPostgres waits until no other process changes the schema. The lock is
// that of a session outside the pool, which may be of one connection only, and
// falls with it. It is asked for and not waited for: who waits in the server
// holds up the building of indices there. It is goose's own, so that earlier
// versions of this program are kept out as well.
func lockPostgres(ctx context.Context, config *pgx.ConnConfig) (unlock func() error, err error) {
	session, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, err
	}
	unlock = func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTimeout)
		defer cancel()
		return session.Close(ctx)
	}
	taken := func(err error) bool { return errors.Is(err, errMigrating) }
	err = persist(ctx, pace{limit: migrationPatience, longest: longestPause}, taken, func(ctx context.Context) error {
		var locked bool
		err := session.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", lock.DefaultLockID).Scan(&locked)
		if err == nil && !locked {
			return errMigrating
		}
		return err
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("wait for another process to migrate the database: %w", err), unlock())
	}
	return unlock, nil
}

func postgresConfig(databaseURL string) (*pgxpool.Config, error) {
	if !strings.HasPrefix(databaseURL, "postgres://") && !strings.HasPrefix(databaseURL, "postgresql://") {
		return nil, ErrDatabaseURL
	}
	config, err := pgxpool.ParseConfig(databaseURL)
	if err != nil {
		return nil, ErrDatabaseURL
	}
	if !strings.Contains(databaseURL, "pool_max_conns=") {
		config.MaxConns = poolSize
	}
	if !strings.Contains(databaseURL, "connect_timeout=") {
		config.ConnConfig.ConnectTimeout = connectTimeout
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "milaan"
	}
	config.PingTimeout = pingTimeout
	// Not a parameter of the connection: poolers in front of PostgreSQL refuse
	// those that they do not know.
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, idleInTransaction)
		return err
	}
	return config, nil
}

// onOneLine is an error whose text may have several lines, as the driver's has
// one for each address that it has tried.
type onOneLine struct{ error }

func (e onOneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }

// Unwrap gives the error itself.
func (e onOneLine) Unwrap() error { return e.error }

// worthWaiting says that a server which refused may accept soon. Wrong
// credentials and unknown databases do not mend themselves.
func worthWaiting(err error) bool {
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		return sqlClass(refusal, "53") || sqlClass(refusal, "57")
	}
	return !errors.Is(err, context.Canceled) && !errors.Is(err, errSharedSessions)
}
