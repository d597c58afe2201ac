package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var (
	// errSharedSessions is returned where a pooler gives our session to other
	// clients between two transactions: locks, LISTEN and settings of a session
	// would be lost there, or be somebody else's.
	errSharedSessions = errors.New("a pooler before PostgreSQL, such as PgBouncer, shares the server's sessions between its clients " +
		"(transaction or statement mode), and this service needs session mode: set pool_mode = session for this database, or name the server itself in MILAAN_DATABASE_URL")
	// errOneSession is returned where there is no second session beside a first.
	errOneSession = errors.New("the server, or a pooler before it, gives no second session beside the first: let this user have some more than pool_max_conns " +
		"(connections of the user or of the database, default_pool_size of PgBouncer)")
)

const (
	// sessionRounds is how often the two sessions are compared. The first round
	// decides unless others use the pooler at the same time.
	sessionRounds = 5
	// sessionPatience is how long one step of the comparison may take.
	sessionPatience = 5 * time.Second
)

// sessionQuery tells sessions of servers apart, of which a URL may name several.
const sessionQuery = "SELECT pg_backend_pid()::text || ' ' || pg_postmaster_start_time()::text"

// checkSessions returns errSharedSessions unless a connection is one session of
// the server's, for itself alone, as long as it lives. Two connections are asked
// in turn: the one that shares its session is given another one, or the other
// one's, when that is kept busy.
func checkSessions(ctx context.Context, config *pgx.ConnConfig) error {
	config = config.Copy()
	config.DefaultQueryExecMode = pgx.QueryExecModeSimpleProtocol // prepared statements are what breaks first
	ours, err := openSession(ctx, config)
	if err != nil {
		return err
	}
	defer ours.close(ctx)
	own, err := ours.name(ctx)
	if err != nil {
		return err
	}
	others, err := openSession(ctx, config)
	if err != nil {
		return beside(ctx, err)
	}
	defer others.close(ctx)
	if other, err := others.name(ctx); err != nil || other == own {
		return sharedOr(beside(ctx, err))
	}
	for range sessionRounds {
		if err := compare(ctx, ours, others, own); err != nil {
			return err
		}
	}
	return nil
}

// compare is one round: twice by itself, for poolers that hand sessions out in
// turn, and once while the other one is kept in a transaction, for those that
// hand out again the one that came back last.
func compare(ctx context.Context, ours, others session, own string) error {
	for range 2 {
		if now, err := ours.name(ctx); err != nil || now != own {
			return sharedOr(err)
		}
	}
	if err := others.exec(ctx, "BEGIN"); err != nil {
		if _, refused := errors.AsType[*pgconn.PgError](err); refused { // as in statement mode
			return fmt.Errorf("%w: %w", errSharedSessions, err)
		}
		return err
	}
	busy, err := others.name(ctx)
	if err != nil || busy == own {
		return sharedOr(err)
	}
	now, err := ours.name(ctx)
	if err != nil || now != own {
		return sharedOr(err)
	}
	return others.exec(ctx, "ROLLBACK")
}

func sharedOr(err error) error {
	if err != nil {
		return err
	}
	return errSharedSessions
}

// beside says of a second connection which got no answer that the first one has
// the place.
func beside(ctx context.Context, err error) error {
	refusal, refused := errors.AsType[*pgconn.PgError](err)
	if err != nil && ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || refused && hasState(refusal, "53300")) {
		return fmt.Errorf("%w: %w", errOneSession, err)
	}
	return err
}

// session is a connection outside the pool.
type session struct{ conn *pgx.Conn }

func openSession(ctx context.Context, config *pgx.ConnConfig) (session, error) {
	ctx, cancel := context.WithTimeout(ctx, sessionPatience)
	defer cancel()
	conn, err := pgx.ConnectConfig(ctx, config)
	return session{conn}, err
}

// name is the server's name of the session that the connection has now.
func (s session) name(ctx context.Context) (name string, err error) {
	ctx, cancel := context.WithTimeout(ctx, sessionPatience)
	defer cancel()
	err = s.conn.QueryRow(ctx, sessionQuery).Scan(&name)
	return name, err
}

func (s session) exec(ctx context.Context, statement string) error {
	ctx, cancel := context.WithTimeout(ctx, sessionPatience)
	defer cancel()
	_, err := s.conn.Exec(ctx, statement)
	return err
}

func (s session) close(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTimeout)
	defer cancel()
	_ = s.conn.Close(ctx)
}
