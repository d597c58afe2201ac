package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"milaan/ports"
)

// ledgerPatience is how long one statement of the ledger may take.
const ledgerPatience = 5 * time.Second

// ledger is what we read and write in the tables of jobs ourselves. All times in
// it are the database's.
type ledger struct {
	db     *sql.DB
	engine string // id of this process's engine
	statements
}

// statements are those of one of the databases. Each is a statement of its own,
// so that it cannot hit a job that was renewed, ended or begun again meanwhile.
type statements struct {
	// hear says that an engine lives.
	hear string
	// leave says that an engine was told to stop, and forget drops those of which
	// nobody has heard for a day.
	leave, forget string
	// renew says of jobs that they are still being done. Its argument is a list
	// of [id, attempt].
	renew string
	// handOut has the jobs done again of which nothing was heard for a number of
	// seconds. If the engine that began one was not heard of for as long either,
	// and was not told to stop, its process has died: then its id is added to the
	// deaths of the job, and the attempt is made good. A job of whose engine
	// nothing is known, as an older version of the program has none, had no death.
	handOut string
	// revive takes an engine out of the deaths of jobs: it lives.
	revive string
	// giveBack has the jobs of an engine done again, as if it had not begun them.
	giveBack string
	// look counts the jobs of each kind: those that wait, those that are being
	// done, and the seconds since the first of those that wait was due.
	look string
}

// deadOnSQLite and deadOnPostgreSQL are the engine that died amid a job, or null.
const (
	deadOnSQLite = `(SELECT e.id FROM job_engines e WHERE e.id = river_job.attempted_by ->> '$[#-1]'
		AND NOT e.stopped AND e.heard_at < datetime('now', 'subsec', '-' || ?1 || ' seconds'))`
	deadOnPostgreSQL = `(SELECT e.id FROM job_engines e WHERE e.id = river_job.attempted_by[cardinality(river_job.attempted_by)]
		AND NOT e.stopped AND e.heard_at < now() - make_interval(secs => $1))`
)

var onSQLite = statements{
	hear: `INSERT INTO job_engines (id, heard_at, stopped) VALUES (?1, datetime('now', 'subsec'), false)
		ON CONFLICT (id) DO UPDATE SET heard_at = excluded.heard_at`,
	leave:  `UPDATE job_engines SET stopped = true WHERE id = ?1`,
	forget: `DELETE FROM job_engines WHERE heard_at < datetime('now', '-1 day')`,
	renew: `UPDATE river_job SET attempted_at = datetime('now', 'subsec')
		WHERE state = 'running' AND (id, attempt) IN
			(SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]') FROM json_each(?1))`,
	handOut: `UPDATE river_job SET scheduled_at = datetime('now', 'subsec'),
			state = CASE WHEN ` + deadOnSQLite + ` IS NOT NULL OR attempt < max_attempts THEN 'available' ELSE 'discarded' END,
			finalized_at = CASE WHEN ` + deadOnSQLite + ` IS NOT NULL OR attempt < max_attempts THEN NULL ELSE datetime('now', 'subsec') END,
			max_attempts = max_attempts + (` + deadOnSQLite + ` IS NOT NULL),
			metadata = CASE WHEN ` + deadOnSQLite + ` IS NULL THEN metadata ELSE jsonb_set(metadata, '$.deaths',
				jsonb_insert(coalesce(jsonb_extract(metadata, '$.deaths'), jsonb('[]')), '$[#]', ` + deadOnSQLite + `)) END
		WHERE state = 'running' AND attempted_at < datetime('now', 'subsec', '-' || ?1 || ' seconds')
		RETURNING id, kind, state, coalesce(json_array_length(metadata, '$.deaths'), 0)`,
	revive: `UPDATE river_job SET metadata = jsonb_set(metadata, '$.deaths',
			(SELECT jsonb_group_array(value) FROM json_each(river_job.metadata, '$.deaths') WHERE value <> ?1))
		WHERE state IN ('available', 'retryable', 'scheduled', 'running')
			AND EXISTS (SELECT 1 FROM json_each(river_job.metadata, '$.deaths') WHERE value = ?1)`,
	giveBack: `UPDATE river_job SET state = 'available', scheduled_at = datetime('now', 'subsec'), attempt = max(0, attempt - 1)
		WHERE state = 'running' AND attempted_by ->> '$[#-1]' = ?1`,
	look: `SELECT kind, count(*) FILTER (WHERE state <> 'running'), count(*) FILTER (WHERE state = 'running'),
			coalesce(unixepoch('now', 'subsec') - unixepoch(min(scheduled_at) FILTER (WHERE state <> 'running'), 'subsec'), 0.0)
		FROM river_job WHERE state IN ('available', 'retryable', 'scheduled', 'running') GROUP BY kind`,
}

var onPostgreSQL = statements{
	hear: `INSERT INTO job_engines (id, heard_at, stopped) VALUES ($1, now(), false)
		ON CONFLICT (id) DO UPDATE SET heard_at = excluded.heard_at`,
	leave:  `UPDATE job_engines SET stopped = true WHERE id = $1`,
	forget: `DELETE FROM job_engines WHERE heard_at < now() - interval '1 day'`,
	renew: `UPDATE river_job SET attempted_at = now()
		FROM (SELECT (value->>0)::bigint AS id, (value->>1)::int AS attempt FROM jsonb_array_elements($1::text::jsonb)) AS held
		WHERE river_job.id = held.id AND river_job.attempt = held.attempt AND state = 'running'`,
	handOut: `UPDATE river_job SET scheduled_at = now(),
			state = CASE WHEN ` + deadOnPostgreSQL + ` IS NOT NULL OR attempt < max_attempts THEN 'available' ELSE 'discarded' END::river_job_state,
			finalized_at = CASE WHEN ` + deadOnPostgreSQL + ` IS NOT NULL OR attempt < max_attempts THEN NULL ELSE now() END,
			max_attempts = max_attempts + (` + deadOnPostgreSQL + ` IS NOT NULL)::int,
			metadata = CASE WHEN ` + deadOnPostgreSQL + ` IS NULL THEN metadata ELSE jsonb_set(metadata, '{deaths}',
				coalesce(metadata -> 'deaths', '[]') || to_jsonb(` + deadOnPostgreSQL + `)) END
		WHERE state = 'running' AND attempted_at < now() - make_interval(secs => $1)
		RETURNING id, kind, state::text, coalesce(jsonb_array_length(metadata -> 'deaths'), 0)`,
	revive: `UPDATE river_job SET metadata = jsonb_set(metadata, '{deaths}', (metadata -> 'deaths') - $1::text)
		WHERE state IN ('available', 'retryable', 'scheduled', 'running') AND metadata -> 'deaths' ? $1::text`,
	giveBack: `UPDATE river_job SET state = 'available', scheduled_at = now(), attempt = greatest(0, attempt - 1)
		WHERE state = 'running' AND attempted_by[cardinality(attempted_by)] = $1`,
	look: `SELECT kind, count(*) FILTER (WHERE state <> 'running'), count(*) FILTER (WHERE state = 'running'),
			coalesce(extract(epoch FROM now() - min(scheduled_at) FILTER (WHERE state <> 'running')), 0)::float8
		FROM river_job WHERE state IN ('available', 'retryable', 'scheduled', 'running') GROUP BY kind`,
}

func newLedger(db Database, engine string) ledger {
	if db.SQLite != nil {
		return ledger{db.plain(), engine, onSQLite}
	}
	return ledger{db.plain(), engine, onPostgreSQL}
}

// attempt is one attempt at a job.
type attempt struct {
	id     int64
	number int
}

// heard says that this engine lives.
func (l ledger) heard(ctx context.Context) error {
	return l.do(ctx, "say that the job engine lives", l.hear, l.engine)
}

// joined says that this engine is there from now on. It forgets those of which
// nobody has heard for a day.
func (l ledger) joined(ctx context.Context) error {
	if err := l.do(ctx, "forget engines that are gone", l.forget); err != nil {
		return err
	}
	return l.heard(ctx)
}

// left says that this engine was told to stop: whatever becomes of its process
// from now on is no death.
func (l ledger) left(ctx context.Context) error {
	return l.do(ctx, "say that the job engine stops", l.leave, l.engine)
}

// revived takes back that this engine was believed to be dead.
func (l ledger) revived(ctx context.Context) error {
	return l.do(ctx, "say that the job engine has been alive", l.revive, l.engine)
}

// gaveBack returns the jobs that this engine still has.
func (l ledger) gaveBack(ctx context.Context) error {
	return l.do(ctx, "give jobs back", l.giveBack, l.engine)
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
	return l.do(ctx, "say which jobs are being done", l.renew, string(text))
}

func (l ledger) do(ctx context.Context, doing, statement string, arguments ...any) error {
	limited, cancel := context.WithTimeout(ctx, ledgerPatience)
	defer cancel()
	if _, err := l.db.ExecContext(limited, statement, arguments...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// leftBehind is what became of a job that its engine has left behind.
type leftBehind struct {
	id      int64
	kind    ports.JobKind
	deaths  int  // at the job, so far
	givenUp bool // it has used up its attempts
}

func (l ledger) handedOut(ctx context.Context, unheard time.Duration) ([]leftBehind, error) {
	var all []leftBehind
	err := l.each(ctx, func(rows *sql.Rows) error {
		var job leftBehind
		var state string
		if err := rows.Scan(&job.id, &job.kind, &state, &job.deaths); err != nil {
			return err
		}
		job.givenUp = state == "discarded"
		all = append(all, job)
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
