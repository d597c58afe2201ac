package jobs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync/atomic"

	"golang.org/x/sync/semaphore"

	"milaan/domain"
)

// lane lets the workers of one kind begin jobs, one after the other.
//
// A job at which processes have died is done alone: in an instance that does no other job of its
// kind, and begins none until that one has ended. If such a job is next, no other job is begun
// before it. Otherwise it would wait for ever in an instance that always has something to do.
type lane struct {
	kind    kind
	workers int64
	begin   *semaphore.Weighted // of one: who has it begins a job
	busy    *semaphore.Weighted // of all workers; a job that is done alone has all
	looking atomic.Int64        // looks that are under way
}

func newLane(k kind, settings Settings) *lane {
	n := int64(k.workers(settings))
	return &lane{kind: k, workers: n, begin: semaphore.NewWeighted(1), busy: semaphore.NewWeighted(n)}
}

// take begins an attempt at the next job, and waits while one is done alone. ok is false if none is
// due. end is called when the attempt has ended.
func (l *lane) take(ctx context.Context, from ledger) (h held, end func(), ok bool, err error) {
	if err := l.begin.Acquire(ctx, 1); err != nil {
		return h, nil, false, err
	}
	defer l.begin.Release(1)
	has := int64(1)
	if err := l.busy.Acquire(ctx, has); err != nil {
		return h, nil, false, err
	}
	defer func() {
		if !ok {
			l.busy.Release(has)
		}
	}()
	if !l.kind.roundRobin {
		h, ok, err = from.begin(ctx, l.kind)
		return h, func() { l.busy.Release(1) }, ok, err
	}
	h, ok, err = from.beginRoundRobin(ctx, l.kind, l.workers == 1)
	if errors.Is(err, errNotAlone) {
		if err := l.busy.Acquire(ctx, l.workers-has); err != nil { // until the others have ended
			return h, nil, false, err
		}
		has = l.workers
		h, ok, err = from.beginRoundRobin(ctx, l.kind, true)
	}
	if ok && has > 1 && !goesAlone(h.deaths) { // another instance has begun the one that goes alone
		l.busy.Release(has - 1)
		has = 1
	}
	return h, func() { l.busy.Release(has) }, ok, err
}

// goesAlone says whether a job is done alone. One that has been given up kills no
// process any more: it is ended without being done.
func goesAlone(deaths int) bool {
	return deaths >= domain.MaxSharedDeaths && deaths < domain.MaxDeaths
}

// errNotAlone is returned if the next job must be done alone, and others may be under way.
var errNotAlone = errors.New("the next job is to be done alone")

// nextRoundRobin finds the account whose turn it is, and its first job. An account has its next turn when
// all other accounts that wait have had theirs, in whatever instance. The jobs of one account are
// begun in the order in which they became due.
//
// It looks at each waiting account once, however many jobs the account has: waiting goes from one
// account to the next by the index. Accounts that have had no turn have theirs in the order in which
// their jobs were added. Rows are looked up one by one, because a planner that believes the tables
// to be small would read them whole.
const nextRoundRobin = `
WITH RECURSIVE waiting (account) AS (
	SELECT (SELECT account_id FROM jobs {index} WHERE kind = $1 AND engine = '' ORDER BY account_id LIMIT 1)
	UNION ALL
	SELECT (SELECT account_id FROM jobs {index} WHERE kind = $1 AND engine = '' AND account_id > waiting.account ORDER BY account_id LIMIT 1)
	FROM waiting WHERE waiting.account IS NOT NULL
), first (number, id) AS (
	SELECT coalesce((SELECT number FROM job_turns WHERE account_id = waiting.account), 0),
		(SELECT id FROM jobs {index} WHERE kind = $1 AND engine = '' AND account_id = waiting.account AND due_at_us <= {now}
			ORDER BY due_at_us, id LIMIT 1)
	FROM waiting WHERE account IS NOT NULL
)
SELECT id, (SELECT deaths FROM jobs WHERE jobs.id = next.id)
FROM (SELECT id FROM first WHERE id IS NOT NULL ORDER BY number, id LIMIT 1) AS next`

const (
	// dueJob counts the jobs of a kind that may be begun, up to one.
	dueJob = `SELECT count(*) FROM (SELECT 1 FROM jobs WHERE kind = $1 AND engine = '' AND due_at_us <= {now} LIMIT 1) AS due`
	// beginLock is the lock under which the instances begin jobs by round-robin, one at a time.
	beginLock = `SELECT pg_advisory_xact_lock(7350126845091)`
	// noteTurn gives an account the latest number.
	noteTurn = `INSERT INTO job_turns (account_id, number) SELECT $1, coalesce(max(number), 0) + 1 FROM job_turns WHERE true
		ON CONFLICT (account_id) DO UPDATE SET number = excluded.number RETURNING number`
	// forgetTurns deletes the accounts whose number is long past, so that the table does
	// not grow for ever. An account without a number has its turn next, as it would have
	// with the lowest number.
	forgetTurns = `DELETE FROM job_turns WHERE number < (SELECT max(number) FROM job_turns) - 10000`
)

// beginRoundRobin begins an attempt at the next job of a kind that is begun by round-robin over the accounts. ok is false if
// none is due. It returns errNotAlone if the next job is to be done alone and alone is false.
func (l ledger) beginRoundRobin(ctx context.Context, k kind, alone bool) (h held, ok bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	var due int // asked first, so that nothing waits for the lock in vain
	if err := l.db.QueryRowContext(ctx, l.words.Replace(dueJob), k.name).Scan(&due); err != nil || due == 0 {
		return h, false, err
	}
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return h, false, err
	}
	defer func() { _ = tx.Rollback() }() // after the commit, this does nothing
	if l.lock != "" {
		if _, err := tx.ExecContext(ctx, l.lock); err != nil {
			return h, false, err
		}
	}
	var id int64
	var deaths string
	err = tx.QueryRowContext(ctx, l.words.Replace(nextRoundRobin), k.name).Scan(&id, &deaths)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return h, false, nil
	case err != nil:
		return h, false, err
	case !alone && goesAlone(deathsIn(deaths)):
		return h, false, errNotAlone
	}
	h, ok, err = l.scanHeld(k.name, tx.QueryRowContext(ctx, l.words.Replace(takeOne), l.engine, l.lease.Microseconds(), id))
	if err != nil || !ok {
		return h, false, err
	}
	var number int64
	if err := tx.QueryRowContext(ctx, noteTurn, h.job.AccountID).Scan(&number); err != nil {
		return h, false, err
	}
	if number%1000 == 0 {
		if _, err := tx.ExecContext(ctx, forgetTurns); err != nil {
			return h, false, err
		}
	}
	if err := tx.Commit(); err != nil {
		return h, false, fmt.Errorf("begin a job in its turn: %w", err)
	}
	return h, true, nil
}
