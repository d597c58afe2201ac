package jobs

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivertype"

	"milaan/domain"
)

// fair is a driver of river's that begins the jobs of batches in turn by account:
// river itself goes by the order in which they were added, so that whoever adds
// four hundred keeps everybody else waiting. All else is the driver's own.
type fair[Tx any] struct {
	riverdriver.Driver[Tx]
	turns *turns
}

// GetExecutor has river begin jobs by the turns.
func (f fair[Tx]) GetExecutor() riverdriver.Executor {
	return fairly{f.Driver.GetExecutor(), f.turns}
}

type fairly struct {
	riverdriver.Executor
	turns *turns
}

// JobGetAvailable begins jobs, as many as there are workers free.
func (f fairly) JobGetAvailable(ctx context.Context, params *riverdriver.JobGetAvailableParams) ([]*rivertype.JobRow, error) {
	if params.Queue != batches {
		return f.Executor.JobGetAvailable(ctx, params)
	}
	return f.turns.begin(ctx, f.Executor, params)
}

// turns decide which jobs of batches this copy of the service begins. An account
// has its next turn when all others that wait have had theirs, whichever copy
// began their jobs. Its own jobs are begun in the order in which they became due.
//
// A job at which processes have died is begun alone: in a process that does no
// other job of a batch, and begins none until it has ended. If it is next, no
// other is begun before it, or it would wait for ever in a process that always has
// something to do.
type turns struct {
	turnStatements
	workers int  // of this copy, for jobs of batches
	alone   bool // the job that was begun last is to be alone; river calls from one goroutine at a time
}

// turnStatements are those of one of the databases.
type turnStatements struct {
	// due says whether a job waits that may be begun.
	due string
	// lock keeps all others from beginning jobs until the transaction ends; blank
	// if the beginning of the transaction does so.
	lock string
	// next finds whose turn it is, and that account's first job: its id, and how
	// many processes died at it.
	next string
	// begin does what river does to begin a job, unless another copy, of an earlier
	// version that does not ask for the lock, has begun it meanwhile: then there is
	// no row. Its arguments are the engine and the job.
	begin string
}

// nextTurn looks at each account that waits once, however many jobs it has:
// waiting goes from one to the next by the index. Accounts that have had no turn
// have theirs in the order in which their jobs were added. All is looked up one by
// one, for a planner that takes the tables for small would read them whole; what
// the databases say in their own ways stands in braces.
const nextTurn = `
WITH RECURSIVE waiting (account) AS (
	SELECT (SELECT args ->> 'account_id' FROM river_job {index} WHERE state = 'available' AND queue = '` + batches + `'
		ORDER BY args ->> 'account_id' LIMIT 1)
	UNION ALL
	SELECT (SELECT args ->> 'account_id' FROM river_job {index} WHERE state = 'available' AND queue = '` + batches + `'
		AND args ->> 'account_id' > waiting.account ORDER BY args ->> 'account_id' LIMIT 1)
	FROM waiting WHERE waiting.account IS NOT NULL
), first (number, id) AS (
	SELECT coalesce((SELECT number FROM job_turns WHERE account_id = waiting.account), 0),
		(SELECT id FROM river_job {index} WHERE state = 'available' AND queue = '` + batches + `'
			AND args ->> 'account_id' = waiting.account AND scheduled_at <= {now} ORDER BY scheduled_at, id LIMIT 1)
	FROM waiting WHERE account IS NOT NULL
)
SELECT id, (SELECT {deaths} FROM river_job WHERE river_job.id = next.id)
FROM (SELECT id FROM first WHERE id IS NOT NULL ORDER BY number, id LIMIT 1) AS next`

const (
	dueJob = `SELECT count(*) FROM (SELECT 1 FROM river_job {index} WHERE state = 'available' AND queue = '` + batches + `' AND scheduled_at <= {now} LIMIT 1) AS due`
	// beginners is the lock under which copies begin jobs, one at a time.
	beginners = `SELECT pg_advisory_xact_lock(7350126845091)`
	// noteTurn gives the account of a job the latest number.
	noteTurn = `INSERT INTO job_turns (account_id, number)
		SELECT args ->> 'account_id', (SELECT coalesce(max(number), 0) + 1 FROM job_turns) FROM river_job WHERE id = $1
		ON CONFLICT (account_id) DO UPDATE SET number = excluded.number`
	// forgetTurns drops the accounts whose number is long past, or the table would
	// grow with every account there ever was: without one, an account has its turn
	// next, as it would have with the lowest of all.
	forgetTurns = `DELETE FROM job_turns WHERE number < (SELECT max(number) FROM job_turns) - 10000`
)

var turnsOnSQLite = turnStatements{
	due:  inWordsOfSQLite.Replace(dueJob),
	next: inWordsOfSQLite.Replace(nextTurn),
	begin: `UPDATE river_job SET state = 'running', attempt = attempt + 1, attempted_at = datetime('now', 'subsec'),
		attempted_by = jsonb_insert(coalesce(attempted_by, jsonb('[]')), '$[#]', $1) WHERE id = $2 AND state = 'available' RETURNING id`,
}

var turnsOnPostgreSQL = turnStatements{
	due:  inWordsOfPostgreSQL.Replace(dueJob),
	lock: beginners,
	next: inWordsOfPostgreSQL.Replace(nextTurn),
	begin: `UPDATE river_job SET state = 'running', attempt = attempt + 1, attempted_at = now(),
		attempted_by = array_append(attempted_by, $1::text) WHERE id = $2 AND state = 'available' RETURNING id`,
}

var (
	inWordsOfSQLite     = strings.NewReplacer("{index}", "INDEXED BY job_turns_waiting", "{now}", "datetime('now', 'subsec')", "{deaths}", "coalesce(json_array_length(river_job.metadata, '$.deaths'), 0)")
	inWordsOfPostgreSQL = strings.NewReplacer("{index}", "", "{now}", "now()", "{deaths}", "coalesce(jsonb_array_length(river_job.metadata -> 'deaths'), 0)")
)

func newTurns(db Database, workers int) *turns {
	if db.SQLite != nil {
		return &turns{turnStatements: turnsOnSQLite, workers: workers}
	}
	return &turns{turnStatements: turnsOnPostgreSQL, workers: workers}
}

// goesAlone says whether a job is done alone. One that has been given up kills
// nobody any more: it is ended without being done.
func goesAlone(deaths int) bool {
	return deaths >= domain.MostCompanyDeaths && deaths < domain.MaxDeaths
}

// begin begins jobs, at most as many as there are workers free.
func (t *turns) begin(ctx context.Context, exec riverdriver.Executor, params *riverdriver.JobGetAvailableParams) ([]*rivertype.JobRow, error) {
	busy := t.workers - params.MaxToLock
	if busy <= 0 {
		t.alone = false
	}
	if t.alone {
		return nil, nil
	}
	var waiting int
	if err := exec.QueryRow(ctx, t.due).Scan(&waiting); err != nil || waiting == 0 {
		return nil, err
	}
	tx, err := exec.Begin(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(ctx)) }() // after the commit, this does nothing
	if t.lock != "" {
		if err := tx.Exec(ctx, t.lock); err != nil {
			return nil, err
		}
	}
	ids, alone, err := t.chosen(ctx, tx, params, busy)
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	rows, err := tx.JobGetByIDMany(ctx, &riverdriver.JobGetByIDManyParams{ID: ids, Schema: params.Schema})
	if err != nil {
		return nil, err
	}
	if err := tx.Commit(ctx); err != nil {
		return nil, err
	}
	t.alone = alone
	return rows, nil
}

// none says that a query has found no row.
func none(err error) bool { return errors.Is(err, sql.ErrNoRows) || errors.Is(err, pgx.ErrNoRows) }

// chosen begins jobs within a transaction. alone says that it is one that must
// have no company.
func (t *turns) chosen(ctx context.Context, tx riverdriver.ExecutorTx, params *riverdriver.JobGetAvailableParams, busy int) (ids []int64, alone bool, err error) {
	for len(ids) < params.MaxToLock && !alone {
		var id int64
		var deaths int
		err := tx.QueryRow(ctx, t.next).Scan(&id, &deaths)
		if none(err) {
			break
		}
		if err != nil {
			return nil, false, err
		}
		if alone = goesAlone(deaths); alone && busy+len(ids) > 0 {
			return ids, false, nil
		}
		err = tx.QueryRow(ctx, t.turnStatements.begin, params.ClientID, id).Scan(&id)
		if none(err) {
			alone = false
			continue
		}
		if err != nil {
			return nil, false, err
		}
		if err := tx.Exec(ctx, noteTurn, id); err != nil {
			return nil, false, err
		}
		ids = append(ids, id)
	}
	if len(ids) == 0 {
		return nil, false, nil
	}
	return ids, alone, tx.Exec(ctx, forgetTurns)
}
