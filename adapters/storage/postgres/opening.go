package postgres

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
	"gorm.io/driver/postgres"
	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
)

const (
	// startTimeout is how long Open waits for a server that is not there yet, because both
	// were started at once.
	startTimeout = 10 * time.Second
	// poolSize is how many connections one process has at most, unless the URL says
	// pool_max_conns. A request waits for one for dialect.Timeout at most.
	poolSize = 16
	// connectTimeout bounds one attempt to connect, unless the URL says
	// connect_timeout; pingTimeout the check of a connection that was idle.
	connectTimeout = 5 * time.Second
	pingTimeout    = 2 * time.Second
	// idleInTransaction has the server end the session of a process that was suspended or
	// has lost its network, so that its lock of an account ends.
	idleInTransaction = "SET idle_in_transaction_session_timeout = '30s'"
)

// ErrDatabaseURL is returned for a database URL that cannot be read. It never
// repeats the URL, because that may hold a password.
var ErrDatabaseURL = errors.New("MILAAN_DATABASE_URL, or the file that MILAAN_DATABASE_URL_FILE names, cannot be read: it must " +
	"look like postgres://user:password@host:5432/database, with special characters of the password percent-encoded")

// Open opens the database. It waits some seconds for the server to come up.
func Open(ctx context.Context, databaseURL string, log *slog.Logger) (*Database, error) {
	config, err := poolConfig(databaseURL)
	if err != nil {
		return nil, err
	}
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(ctx), config)
	if err != nil {
		return nil, fmt.Errorf("open PostgreSQL: %w", err)
	}
	server := fmt.Sprintf("PostgreSQL at %s, port %d, database %s", config.ConnConfig.Host, config.ConnConfig.Port, config.ConnConfig.Database)
	level := slog.LevelWarn
	var session *pgx.Conn
	err = dialect.Persist(ctx, startTimeout, time.Second, worthWaiting, func(ctx context.Context) error {
		var err error
		if session, err = checkedSession(ctx, config.ConnConfig); err == nil {
			if err = pool.Ping(ctx); err != nil {
				_ = closeSession(ctx, session)
			}
		}
		if err != nil && worthWaiting(err) {
			log.Log(ctx, level, "waiting for the database", "server", server, "at_most", startTimeout, "error", onOneLine{err})
			level = slog.LevelDebug // one warning is enough
		}
		return err
	})
	if err != nil {
		pool.Close()
		if errors.Is(err, errSharedSessions) {
			return nil, fmt.Errorf("%s: %w", server, errSharedSessions)
		}
		return nil,
			fmt.Errorf("cannot reach %s: check the database URL (MILAAN_DATABASE_URL), and that the server runs and lets this user in: %w",
				server, onOneLine{err})
	}
	d := &Database{server: server, config: config.ConnConfig, pool: pool, sqlDB: stdlib.OpenDBFromPool(pool)}
	d.checked.Store(session)
	if d.db, err = gorm.Open(postgres.New(postgres.Config{Conn: d.sqlDB}), dialect.Config()); err != nil {
		return nil, errors.Join(fmt.Errorf("open %s: %w", server, err), d.Close())
	}
	return d, nil
}

func poolConfig(databaseURL string) (*pgxpool.Config, error) {
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
	// It is not a parameter of the connection, because poolers in front of PostgreSQL refuse
	// parameters that they do not know.
	config.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		_, err := conn.Exec(ctx, idleInTransaction)
		return err
	}
	return config, nil
}

// onOneLine puts the text of an error on one line. The driver's errors have a line for each
// address that it has tried.
type onOneLine struct{ error }

func (e onOneLine) Error() string { return strings.Join(strings.Fields(e.error.Error()), " ") }

func (e onOneLine) Unwrap() error { return e.error }

// worthWaiting says whether a server that has refused a connection may accept one soon. It
// will not if the credentials are wrong or the database is unknown.
func worthWaiting(err error) bool {
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		return hasState(refusal, "53") || hasState(refusal, "57")
	}
	return !errors.Is(err, context.Canceled) && !errors.Is(err, errSharedSessions)
}
