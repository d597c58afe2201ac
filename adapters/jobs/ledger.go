package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"milaan/domain"
	"milaan/ports"
)

// ledgerTimeout is how long one statement of the ledger may take.
const ledgerTimeout = 5 * time.Second

// ledger reads and writes the rows of jobs and engines for the engine of this process.
type ledger struct {
	db     *sql.DB
	engine string        // id of this process's engine
	lease  time.Duration // how long the lease of an attempt lasts: Settings.Takeover
	words  *strings.Replacer
	lock   string // under which jobs are begun by round-robin; blank on SQLite, whose transactions exclude each other
}

func newLedger(db Database, engine string, lease time.Duration) ledger {
	l := ledger{db: db.plain(), engine: engine, lease: lease, words: db.words()}
	if db.Postgres != nil {
		l.lock = beginLock
	}
	return l
}

// fenced names one attempt at a job.
type fenced struct{ id, fence int64 }

// held is a job at which this engine makes an attempt.
type held struct {
	fenced
	job      ports.Job
	cause    string
	attempts int // this one included, and those that ended with a death
	deaths   int
}

// beat writes a heartbeat: this engine lives.
func (l ledger) beat(ctx context.Context) error {
	_, err := l.do(ctx, "write the heartbeat of the job engine", writeHeartbeat, l.engine)
	return err
}

// join writes the first heartbeat of this engine, forgets what is long past, and adds the jobs of
// periodic kinds that are not there.
func (l ledger) join(ctx context.Context, settings Settings) error {
	if _, err := l.do(ctx, "forget engines that are gone", forgetEngines, (24 * time.Hour).Seconds()); err != nil {
		return err
	}
	for _, k := range kinds {
		if k.period == nil {
			continue
		}
		if _, err := l.do(ctx, "add a periodic job", addRound, k.name, k.pause(settings).Microseconds()); err != nil {
			return err
		}
	}
	return l.beat(ctx)
}

// leave says that this engine was told to stop: whatever becomes of its process
// from now on is no death.
func (l ledger) leave(ctx context.Context) error {
	_, err := l.do(ctx, "say that the job engine stops", noteStop, l.engine)
	return err
}

// revive takes back that this engine was believed to be dead.
func (l ledger) revive(ctx context.Context) error {
	_, err := l.do(ctx, "say that the job engine has been alive", takeDeathsBack, l.engine+" ")
	return err
}

// giveBack returns the jobs that this engine still has, and how many there are of each kind.
func (l ledger) giveBack(ctx context.Context) (map[ports.JobKind]int, error) {
	given := map[ports.JobKind]int{}
	err := l.each(ctx, "give jobs back", func(rows *sql.Rows) error {
		var kind ports.JobKind
		err := rows.Scan(&kind)
		given[kind]++
		return err
	}, giveBack, l.engine)
	return given, err
}

func (l ledger) renew(ctx context.Context, attempts []fenced) error {
	if len(attempts) == 0 {
		return nil
	}
	list := make([][2]int64, len(attempts))
	for i, a := range attempts {
		list[i] = [2]int64{a.id, a.fence}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	_, err = l.do(ctx, "renew the leases of jobs", renewLeases, string(text), l.lease.Microseconds())
	return err
}

// begin begins an attempt at the next job of a kind that goes by due times. ok is false if none
// is due.
func (l ledger) begin(ctx context.Context, k kind) (h held, ok bool, err error) {
	limited, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	return l.scanHeld(k.name, l.db.QueryRowContext(limited, l.words.Replace(takeNext), l.engine, l.lease.Microseconds(), k.name))
}

func (l ledger) scanHeld(kind ports.JobKind, row *sql.Row) (h held, ok bool, err error) {
	var accountID, text, deaths string
	err = row.Scan(&h.id, &accountID, &text, &h.attempts, &h.fence, &deaths)
	if errors.Is(err, sql.ErrNoRows) {
		return h, false, nil
	}
	var about args
	if err == nil {
		err = json.Unmarshal([]byte(text), &about)
	}
	if err != nil {
		return h, false, fmt.Errorf("begin a job: %w", err)
	}
	h.job, h.cause, h.deaths = about.job(kind, accountID), about.Cause, deathsIn(deaths)
	return h, true, nil
}

// deathsIn counts the engines that died at a job.
func deathsIn(ids string) int { return len(strings.Fields(ids)) }

// untilNext returns in what time the next job of a kind is due that nobody does. ok is false if
// there is none.
func (l ledger) untilNext(ctx context.Context, kind ports.JobKind) (wait time.Duration, ok bool, err error) {
	limited, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	var us sql.NullInt64
	if err := l.db.QueryRowContext(limited, l.words.Replace(nextDue), kind).Scan(&us); err != nil {
		return 0, false, fmt.Errorf("ask when the next job is due: %w", err)
	}
	return max(0, time.Duration(us.Int64)*time.Microsecond), us.Valid, nil
}

// end writes that a job has ended, unless the attempt has lost it.
func (l ledger) end(ctx context.Context, of fenced) error {
	_, err := l.do(ctx, "write the end of a job", endJob, of.id, of.fence)
	return err
}

// again writes that a job is done again after a time, with a number of attempts behind it, unless
// the attempt has lost it.
func (l ledger) again(ctx context.Context, of fenced, after time.Duration, attempts int) error {
	_, err := l.do(ctx, "write that a job is done again", doAgain, of.id, of.fence, after.Microseconds(), attempts)
	return err
}

// leftBehind is a job whose lease was not renewed, and what became of it.
type leftBehind struct {
	id      int64
	kind    ports.JobKind
	deaths  int  // at the job, so far
	givenUp bool // it has used up its attempts
}

// handOut has the jobs done again whose lease has ended. A job whose engine died has one death more,
// and that attempt does not count.
func (l ledger) handOut(ctx context.Context) ([]leftBehind, error) {
	type left struct {
		leftBehind
		fenced     fenced
		leaseUntil int64
		attempts   int
		engine     string
		dead       bool
	}
	var found []left
	err := l.each(ctx, "look for jobs that were left behind", func(rows *sql.Rows) error {
		var j left
		var deaths string
		err := rows.Scan(&j.id, &j.kind, &j.fenced.fence, &j.leaseUntil, &j.attempts, &deaths, &j.engine, &j.dead)
		j.fenced.id, j.deaths = j.id, deathsIn(deaths)
		found = append(found, j)
		return err
	}, leftJobs, l.lease.Seconds())
	if err != nil {
		return nil, err
	}
	var all []leftBehind
	for _, j := range found {
		k, known := kindOf(j.kind)
		must := k.period != nil || k.mustEnd && j.deaths >= domain.MaxDeaths // be done, however often it was left
		j.givenUp = known && !must && !j.dead && j.attempts-j.deaths >= k.attempts+spareAttempts
		statement, arguments := giveUp, []any{j.id, j.fenced.fence, j.leaseUntil}
		if !j.givenUp {
			death := ""
			if j.dead {
				death, j.deaths = j.engine+" ", j.deaths+1
			}
			statement, arguments = handOut, append(arguments, death)
		}
		changed, err := l.do(ctx, "hand out a job that was left behind", statement, arguments...)
		if err != nil {
			return all, err
		}
		if changed > 0 { // else another instance was first, or the lease was renewed after all
			all = append(all, j.leftBehind)
		}
	}
	return all, nil
}

// overdue counts the jobs of each kind that have been due for longer than a time, and that nobody
// does.
func (l ledger) overdue(ctx context.Context, by time.Duration) (map[ports.JobKind]int, error) {
	all := map[ports.JobKind]int{}
	err := l.each(ctx, "look for jobs that are overdue", func(rows *sql.Rows) error {
		var kind ports.JobKind
		var n int
		err := rows.Scan(&kind, &n)
		all[kind] = n
		return err
	}, overdueJobs, by.Microseconds())
	return all, err
}

// depth is how much there is to do of one kind.
type depth struct {
	waiting, running int
	oldest           time.Duration // since the first that waits was due; 0 if none is
}

func (l ledger) depths(ctx context.Context) (map[ports.JobKind]depth, error) {
	all := map[ports.JobKind]depth{}
	err := l.each(ctx, "count the jobs", func(rows *sql.Rows) error {
		var kind ports.JobKind
		var d depth
		var us int64
		err := rows.Scan(&kind, &d.waiting, &d.running, &us)
		d.oldest = max(0, time.Duration(us)*time.Microsecond)
		all[kind] = d
		return err
	}, countJobs)
	return all, err
}

// do executes a statement, and returns how many rows it has changed.
func (l ledger) do(ctx context.Context, doing, statement string, arguments ...any) (changed int64, err error) {
	limited, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	result, err := l.db.ExecContext(limited, l.words.Replace(statement), arguments...)
	if err == nil {
		changed, err = result.RowsAffected()
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", doing, err)
	}
	return changed, nil
}

func (l ledger) each(ctx context.Context, doing string, row func(*sql.Rows) error, query string, arguments ...any) error {
	limited, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	rows, err := l.db.QueryContext(limited, l.words.Replace(query), arguments...)
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() && err == nil {
		err = row(rows)
	}
	if err := errors.Join(err, rows.Err()); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}
