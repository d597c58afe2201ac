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

// turnsDriver is a driver of river's that begins the jobs of batches in turn by
// account. River itself goes by the order in which they were added, so that an account
// that adds four hundred keeps all others waiting. All else is the driver's own.
type turnsDriver[Tx any] struct {
	riverdriver.Driver[Tx]
	turns *turns
}

// GetExecutor has river begin jobs by the turns.
func (d turnsDriver[Tx]) GetExecutor() riverdriver.Executor {
	return turnsExecutor{d.Driver.GetExecutor(), d.turns}
}

type turnsExecutor struct {
	riverdriver.Executor
	turns *turns
}

// JobGetAvailable begins jobs, as many as there are workers free.
func (e turnsExecutor) JobGetAvailable(ctx context.Context, params *riverdriver.JobGetAvailableParams) (*riverdriver.JobGetAvailableResult, error) {
	if params.Queue != turnsQueue {
		return e.Executor.JobGetAvailable(ctx, params)
	}
	rows, err := e.turns.begin(ctx, e.Executor, params)
	return &riverdriver.JobGetAvailableResult{Jobs: rows}, err
}

// turns decide which jobs of batches this instance begins. An account has its next
// turn when all other accounts that wait have had theirs, in whatever instance. The
// jobs of one account are begun in the order in which they became due.
//
// A job at which processes have died is begun alone: in an instance that does no
// other job of a batch, and begins none until that one has ended. If such a job is
// next, no other job is begun before it. Otherwise it would wait for ever in an
// instance that always has something to do.
type turns struct {
	words *strings.Replacer
	// lock keeps other instances from beginning jobs until the transaction ends. It is
	// blank on SQLite, where the beginning of the transaction does so.
	lock    string
	workers int  // of this instance, for jobs of batches
	alone   bool // the job that was begun last is to be alone; river calls from one goroutine at a time
}

// nextTurn finds the account whose turn it is, and its first job: the id, and how many
// processes died at it. It looks at each waiting account once, however many jobs the
// account has: waiting goes from one account to the next by the index. Accounts that
// have had no turn have theirs in the order in which their jobs were added. Rows are
// looked up one by one, because a planner that believes the tables to be small would
// read them whole.
const nextTurn = `
WITH RECURSIVE waiting (account) AS (
	SELECT (SELECT args ->> 'account_id' FROM river_job {index} WHERE state = 'available' AND queue = '` + turnsQueue + `'
		ORDER BY args ->> 'account_id' LIMIT 1)
	UNION ALL
	SELECT (SELECT args ->> 'account_id' FROM river_job {index} WHERE state = 'available' AND queue = '` + turnsQueue + `'
		AND args ->> 'account_id' > waiting.account ORDER BY args ->> 'account_id' LIMIT 1)
	FROM waiting WHERE waiting.account IS NOT NULL
), first (number, id) AS (
	SELECT coalesce((SELECT number FROM job_turns WHERE account_id = waiting.account), 0),
		(SELECT id FROM river_job {index} WHERE state = 'available' AND queue = '` + turnsQueue + `'
			AND args ->> 'account_id' = waiting.account AND scheduled_at <= {now} ORDER BY scheduled_at, id LIMIT 1)
	FROM waiting WHERE account IS NOT NULL
)
SELECT id, (SELECT {deaths} FROM river_job WHERE river_job.id = next.id)
FROM (SELECT id FROM first WHERE id IS NOT NULL ORDER BY number, id LIMIT 1) AS next`

const (
	// dueJob says whether a job waits that may be begun.
	dueJob = `SELECT count(*) FROM (SELECT 1 FROM river_job {index} WHERE state = 'available' AND queue = '` + turnsQueue + `' AND scheduled_at <= {now} LIMIT 1) AS due`
	// beginLock is the lock under which the instances begin jobs, one at a time.
	beginLock = `SELECT pg_advisory_xact_lock(7350126845091)`
	// beginJob does what river does to begin a job, and returns no row if another
	// instance has begun it meanwhile: one of an earlier version, which does not ask for
	// the lock. Its arguments are the engine and the job.
	beginJob = `UPDATE river_job SET state = 'running', attempt = attempt + 1, attempted_at = {now},
		attempted_by = {engines and $1} WHERE id = $2 AND state = 'available' RETURNING id`
	// noteTurn gives the account of a job the latest number.
	noteTurn = `INSERT INTO job_turns (account_id, number)
		SELECT args ->> 'account_id', (SELECT coalesce(max(number), 0) + 1 FROM job_turns) FROM river_job WHERE id = $1
		ON CONFLICT (account_id) DO UPDATE SET number = excluded.number`
	// forgetTurns deletes the accounts whose number is long past, so that the table does
	// not grow for ever. An account without a number has its turn next, as it would have
	// with the lowest number.
	forgetTurns = `DELETE FROM job_turns WHERE number < (SELECT max(number) FROM job_turns) - 10000`
)

func newTurns(db Database, workers int) *turns {
	t := &turns{words: db.words(), workers: workers}
	if db.Postgres != nil {
		t.lock = beginLock
	}
	return t
}

// goesAlone says whether a job is done alone. One that has been given up kills no
// process any more: it is ended without being done.
func goesAlone(deaths int) bool {
	return deaths >= domain.MaxSharedDeaths && deaths < domain.MaxDeaths
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
	if err := exec.QueryRow(ctx, t.words.Replace(dueJob)).Scan(&waiting); err != nil || waiting == 0 {
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
	ids, alone, err := t.choose(ctx, tx, params, busy)
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

// noRow says that a query has found no row.
func noRow(err error) bool { return errors.Is(err, sql.ErrNoRows) || errors.Is(err, pgx.ErrNoRows) }

// choose begins jobs within a transaction. alone says that one job was begun, which
// must be alone.
func (t *turns) choose(ctx context.Context, tx riverdriver.ExecutorTx, params *riverdriver.JobGetAvailableParams, busy int) (ids []int64, alone bool, err error) {
	next, begin := t.words.Replace(nextTurn), t.words.Replace(beginJob)
	for len(ids) < params.MaxToLock && !alone {
		var id int64
		var deaths int
		err := tx.QueryRow(ctx, next).Scan(&id, &deaths)
		if noRow(err) {
			break
		}
		if err != nil {
			return nil, false, err
		}
		if alone = goesAlone(deaths); alone && busy+len(ids) > 0 {
			return ids, false, nil
		}
		err = tx.QueryRow(ctx, begin, params.ClientID, id).Scan(&id)
		if noRow(err) {
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
