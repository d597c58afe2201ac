package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5/stdlib"

	"milaan/ports"
)

// ledgerPatience is how long one statement of the ledger may take.
const ledgerPatience = 5 * time.Second

// ledger is what we read and write in river's table of jobs ourselves. All
// times in it are the database's.
type ledger struct {
	db *sql.DB
	statements
}

// statements are those of one of the databases.
type statements struct {
	// renew says of jobs that they are still being done. Its argument is a list
	// of [id, attempt].
	renew string
	// handOut has the jobs done again of which nothing was heard for a number of
	// seconds. A statement of its own, it cannot hit one that was renewed or
	// begun again meanwhile.
	handOut string
	// look counts the jobs of each kind: those that wait, those that are being
	// done, and the seconds since the first of those that wait was due.
	look string
}

var onSQLite = statements{
	renew: `UPDATE river_job SET attempted_at = datetime('now', 'subsec')
		WHERE state = 'running' AND (id, attempt) IN
			(SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?1))`,
	handOut: `UPDATE river_job SET scheduled_at = datetime('now', 'subsec'),
			state = CASE WHEN attempt < max_attempts THEN 'available' ELSE 'discarded' END,
			finalized_at = CASE WHEN attempt < max_attempts THEN NULL ELSE datetime('now', 'subsec') END
		WHERE state = 'running' AND attempted_at < datetime('now', 'subsec', '-' || ?1 || ' seconds')
		RETURNING kind, state`,
	look: `SELECT kind, count(*) FILTER (WHERE state <> 'running'), count(*) FILTER (WHERE state = 'running'),
			coalesce(unixepoch('now', 'subsec') - unixepoch(min(scheduled_at) FILTER (WHERE state <> 'running'), 'subsec'), 0.0)
		FROM river_job WHERE state IN ('available', 'retryable', 'scheduled', 'running') GROUP BY kind`,
}

var onPostgreSQL = statements{
	renew: `UPDATE river_job SET attempted_at = now()
		FROM (SELECT (value->>0)::bigint AS id, (value->>1)::int AS attempt FROM jsonb_array_elements($1::text::jsonb)) AS held
		WHERE river_job.id = held.id AND river_job.attempt = held.attempt AND state = 'running'`,
	handOut: `UPDATE river_job SET scheduled_at = now(),
			state = CASE WHEN attempt < max_attempts THEN 'available' ELSE 'discarded' END::river_job_state,
			finalized_at = CASE WHEN attempt < max_attempts THEN NULL ELSE now() END
		WHERE state = 'running' AND attempted_at < now() - make_interval(secs => $1)
		RETURNING kind, state`,
	look: `SELECT kind, count(*) FILTER (WHERE state <> 'running'), count(*) FILTER (WHERE state = 'running'),
			coalesce(extract(epoch FROM now() - min(scheduled_at) FILTER (WHERE state <> 'running')), 0)::float8
		FROM river_job WHERE state IN ('available', 'retryable', 'scheduled', 'running') GROUP BY kind`,
}

func newLedger(db Database) ledger {
	if db.SQLite != nil {
		return ledger{db.SQLite, onSQLite}
	}
	return ledger{stdlib.OpenDBFromPool(db.Postgres), onPostgreSQL}
}

// attempt is one attempt at a job.
type attempt struct {
	id     int64
	number int
}

func (l ledger) renewed(ctx context.Context, attempts []attempt) error {
	list := make([][2]int64, len(attempts))
	for i, a := range attempts {
		list[i] = [2]int64{a.id, int64(a.number)}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, ledgerPatience)
	defer cancel()
	if _, err := l.db.ExecContext(limited, l.renew, string(text)); err != nil {
		return fmt.Errorf("say which jobs are being done: %w", err)
	}
	return nil
}

// handedOut is what became of the jobs of one kind that were left behind.
type handedOut struct{ again, givenUp int }

func (l ledger) handedOut(ctx context.Context, unheard time.Duration) (map[ports.JobKind]handedOut, error) {
	all := map[ports.JobKind]handedOut{}
	err := l.each(ctx, func(rows *sql.Rows) error {
		var kind, state string
		if err := rows.Scan(&kind, &state); err != nil {
			return err
		}
		h := all[ports.JobKind(kind)]
		if state == "available" {
			h.again++
		} else {
			h.givenUp++
		}
		all[ports.JobKind(kind)] = h
		return nil
	}, l.handOut, unheard.Seconds())
	if err != nil {
		return nil, fmt.Errorf("hand out jobs that were left behind: %w", err)
	}
	return all, nil
}

// depth is how much there is to do of one kind.
type depth struct {
	waiting, running int
	oldest           time.Duration // since the first that waits was due; 0 if none is
}

func (l ledger) depths(ctx context.Context) (map[ports.JobKind]depth, error) {
	all := map[ports.JobKind]depth{}
	err := l.each(ctx, func(rows *sql.Rows) error {
		var kind string
		var d depth
		var seconds float64
		if err := rows.Scan(&kind, &d.waiting, &d.running, &seconds); err != nil {
			return err
		}
		d.oldest = max(0, time.Duration(seconds*float64(time.Second)))
		all[ports.JobKind(kind)] = d
		return nil
	}, l.look)
	if err != nil {
		return nil, fmt.Errorf("count the jobs: %w", err)
	}
	return all, nil
}

func (l ledger) each(ctx context.Context, row func(*sql.Rows) error, query string, arguments ...any) error {
	limited, cancel := context.WithTimeout(ctx, ledgerPatience)
	defer cancel()
	rows, err := l.db.QueryContext(limited, query, arguments...)
	if err != nil {
		return err
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
