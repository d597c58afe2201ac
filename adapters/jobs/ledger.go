package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"milaan/ports"
)

// ledgerTimeout is how long one statement of the ledger may take.
const ledgerTimeout = 5 * time.Second

// ledger reads and writes the rows of jobs and engines for the engine of this process.
type ledger struct {
	db     *sql.DB
	engine string // id of this process's engine
	words  *strings.Replacer
}

func newLedger(db Database, engine string) ledger { return ledger{db.plain(), engine, db.words()} }

// attempt is one attempt at a job.
type attempt struct {
	id     int64
	number int
}

// beat writes a heartbeat: this engine lives.
func (l ledger) beat(ctx context.Context) error {
	return l.do(ctx, "write the heartbeat of the job engine", writeHeartbeat, l.engine)
}

// join writes the first heartbeat of this engine, and forgets the engines that have
// had none for a day.
func (l ledger) join(ctx context.Context) error {
	if err := l.do(ctx, "forget engines that are gone", forgetEngines, (24 * time.Hour).Seconds()); err != nil {
		return err
	}
	return l.beat(ctx)
}

// leave says that this engine was told to stop: whatever becomes of its process
// from now on is no death.
func (l ledger) leave(ctx context.Context) error {
	return l.do(ctx, "say that the job engine stops", noteStop, l.engine)
}

// revive takes back that this engine was believed to be dead.
func (l ledger) revive(ctx context.Context) error {
	return l.do(ctx, "say that the job engine has been alive", takeDeathsBack, l.engine)
}

// giveBack returns the jobs that this engine still has.
func (l ledger) giveBack(ctx context.Context) error {
	return l.do(ctx, "give jobs back", giveBack, l.engine)
}

// renew renews the leases of attempts.
func (l ledger) renew(ctx context.Context, attempts []attempt) error {
	list := make([][2]int64, len(attempts))
	for i, a := range attempts {
		list[i] = [2]int64{a.id, int64(a.number)}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return l.do(ctx, "renew the leases of jobs", renewLeases, string(text))
}

func (l ledger) do(ctx context.Context, doing, statement string, arguments ...any) error {
	limited, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	if _, err := l.db.ExecContext(limited, l.words.Replace(statement), arguments...); err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	return nil
}

// leftBehind is a job whose lease was not renewed, and what became of it.
type leftBehind struct {
	id      int64
	kind    ports.JobKind
	deaths  int  // at the job, so far
	givenUp bool // it has used up its attempts
}

// handOut has the jobs done again whose lease was not renewed for a time.
func (l ledger) handOut(ctx context.Context, unrenewed time.Duration) ([]leftBehind, error) {
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
	}, handOut, unrenewed.Seconds())
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
	}, countJobs)
	if err != nil {
		return nil, fmt.Errorf("count the jobs: %w", err)
	}
	return all, nil
}

func (l ledger) each(ctx context.Context, row func(*sql.Rows) error, query string, arguments ...any) error {
	limited, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	rows, err := l.db.QueryContext(limited, l.words.Replace(query), arguments...)
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
