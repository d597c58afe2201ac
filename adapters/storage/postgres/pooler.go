package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

var (
	// errSharedSessions is returned if a pooler gives our session to other clients between
	// two transactions: the locks, LISTEN and settings of a session would be lost, or belong
	// to another client.
	errSharedSessions = errors.New("a pooler before PostgreSQL, such as PgBouncer, shares the server's sessions between its clients " +
		"(transaction or statement mode), and this service needs session mode: set pool_mode = session for this database, or name the " +
		"server itself in MILAAN_DATABASE_URL")
	errOneSession = errors.New("the server, or a pooler before it, gives no second session beside the first: let this user have some " +
		"more than pool_max_conns " +
		"(connections of the user or of the database, default_pool_size of PgBouncer)")
)

const (
	// sessionRounds is how often the two sessions are compared. The first round
	// decides unless others use the pooler at the same time.
	sessionRounds = 5
	// sessionTimeout is how long one step of the comparison may take.
	sessionTimeout = 5 * time.Second
)

// sessionQuery identifies a session, also among several servers, which a URL may name.
const sessionQuery = "SELECT pg_backend_pid()::text || ' ' || pg_postmaster_start_time()::text"

// checkedSession returns a session, or errSharedSessions unless each connection has one of
// the server for itself as long as it lives.
func checkedSession(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	session, err := openSession(ctx, config)
	if err != nil {
		return nil, err
	}
	if err := checkSessions(ctx, session, config); err != nil {
		_ = closeSession(ctx, session)
		return nil, err
	}
	return session, nil
}

// checkSessions opens a second connection and asks both, several times, which session of the
// server they have. Without a pooler, and with one in session mode, each keeps its own. In the
// other modes a connection gets another session, or the one of the other connection, while its
// own is busy.
func checkSessions(ctx context.Context, ours *pgx.Conn, config *pgx.ConnConfig) error {
	own, err := ask(ctx, ours, sessionQuery)
	if err != nil {
		return err
	}
	others, err := openSession(ctx, config)
	if err != nil {
		return explainSecond(ctx, err)
	}
	defer func() { _ = closeSession(ctx, others) }()
	if other, err := ask(ctx, others, sessionQuery); err != nil || other == own {
		return sharedOr(explainSecond(ctx, err))
	}
	for range sessionRounds {
		if err := compare(ctx, ours, others, own); err != nil {
			return err
		}
	}
	return nil
}

// compare is one round. It asks our connection twice while nothing else happens: that finds
// poolers that hand out their sessions round-robin. And it asks once while the other connection
// is in a transaction: that finds poolers that hand out first the session that came back last.
func compare(ctx context.Context, ours, others *pgx.Conn, own string) error {
	for range 2 {
		if now, err := ask(ctx, ours, sessionQuery); err != nil || now != own {
			return sharedOr(err)
		}
	}
	if _, err := ask(ctx, others, "BEGIN"); err != nil {
		if _, refused := errors.AsType[*pgconn.PgError](err); refused { // as in statement mode
			return fmt.Errorf("%w: %w", errSharedSessions, err)
		}
		return err
	}
	if busy, err := ask(ctx, others, sessionQuery); err != nil || busy == own {
		return sharedOr(err)
	}
	if now, err := ask(ctx, ours, sessionQuery); err != nil || now != own {
		return sharedOr(err)
	}
	_, err := ask(ctx, others, "ROLLBACK")
	return err
}

func sharedOr(err error) error { return cmp.Or(err, errSharedSessions) }

// explainSecond returns errOneSession if the second connection got no answer because the
// first one has the only session, or else err.
func explainSecond(ctx context.Context, err error) error {
	refusal, refused := errors.AsType[*pgconn.PgError](err)
	if err != nil && ctx.Err() == nil && (errors.Is(err, context.DeadlineExceeded) || refused && hasState(refusal, "53300")) {
		return fmt.Errorf("%w: %w", errOneSession, err)
	}
	return err
}

// openSession makes a connection outside the pool.
func openSession(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, sessionTimeout)
	defer cancel()
	return pgx.ConnectConfig(ctx, config)
}

// ask returns the one cell that a statement answers with, if any. It prepares no statement,
// because prepared statements fail first with poolers.
func ask(ctx context.Context, session *pgx.Conn, query string) (answer string, err error) {
	ctx, cancel := context.WithTimeout(ctx, sessionTimeout)
	defer cancel()
	results, err := session.PgConn().Exec(ctx, query).ReadAll()
	if err == nil && len(results) > 0 && len(results[0].Rows) > 0 {
		answer = string(results[0].Rows[0][0])
	}
	return answer, err
}

func closeSession(ctx context.Context, session *pgx.Conn) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), pingTimeout)
	defer cancel()
	return session.Close(ctx)
}
