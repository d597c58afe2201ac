package jobs

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"milaan/ports"
)

// The version before this one kept its jobs in river's table, one row each, in the queues that kinds
// names. An instance of it may go on beside this one during an upgrade, and add jobs there. Such a job
// is moved into our table as soon as an instance of this version is given it, or finds that the engine
// is gone that did it. This file goes with the release after this one, and with it the queues that are
// not those of looks, job_moves and the index job_turns_waiting. That release must refuse to start while
// river's table has jobs of the earlier version, for somebody may skip this one.

// pollEarlier is how often the queues of the earlier version are queried; a notification comes at once.
const pollEarlier = 30 * time.Second

// earlierKinds are those whose jobs are moved. The periodic ones need not be: each has its job already.
func earlierKinds() (names []string) {
	for _, k := range kinds {
		names = append(names, string(k.name))
	}
	return names
}

// addEarlier has the jobs of the earlier version moved.
func addEarlier(config *river.Config, e *Engine) {
	for _, k := range kinds {
		config.Queues[k.queue] = river.QueueConfig{MaxWorkers: 1, FetchPollInterval: pollEarlier}
		// River's other functions tell kinds apart by the type of their arguments.
		river.AddWorkerArgs(config.Workers, args{kind: k.name}, &mover{engine: e, kind: k})
	}
}

type mover struct {
	river.WorkerDefaults[args]
	engine *Engine
	kind   kind
}

// Work moves a job, as if river had not begun it now.
func (m *mover) Work(ctx context.Context, job *river.Job[args]) error {
	if m.kind.period != nil {
		return nil
	}
	if err := m.engine.move(ctx, m.kind, job.JobRow, job.Attempt-1, ""); err != nil {
		m.engine.riverLog.WarnContext(ctx, "a job of an earlier version cannot be moved", "kind", m.kind.name, "error", err)
		return river.JobSnooze(time.Second) // an error would count as an attempt at the job
	}
	return nil
}

const (
	// noteMove notes that a job of river's was moved. River's own row may stay for an hour, if the
	// engine is dead that had it.
	noteMove = `INSERT INTO job_moves (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`
	moveJob  = `INSERT INTO jobs (kind, account_id, args, due_at_us, attempts, deaths) VALUES ($1, $2, $3, {now}, $4, $5)`
)

// move moves a job with its attempts and deaths, unless it was moved before. death is the id of the engine that has just died at
// it, or blank.
func (e *Engine) move(ctx context.Context, k kind, row *rivertype.JobRow, attempts int, death string) error {
	var about args
	var noted struct {
		Deaths []string `json:"deaths"` // ids of engines
	}
	if err := json.Unmarshal(row.EncodedArgs, &about); err != nil {
		return err
	}
	if err := json.Unmarshal(row.Metadata, &noted); err != nil {
		return err
	}
	if death != "" {
		noted.Deaths = append(noted.Deaths, death)
	}
	var deaths strings.Builder
	for _, id := range noted.Deaths {
		deaths.WriteString(id + " ")
	}
	accountID := about.AccountID
	about.AccountID = ""
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	moved, err := e.ledger.move(ctx, row.ID, k.name, accountID, string(text), attempts, deaths.String())
	if moved {
		e.addLooks(ctx, map[ports.JobKind]int{k.name: 1})
	}
	return err
}

// move writes a job that is moved, in one transaction with the note of it. moved is false if it was
// moved before.
func (l ledger) move(ctx context.Context, id int64, job ...any) (moved bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, ledgerTimeout)
	defer cancel()
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return false, err
	}
	defer func() { _ = tx.Rollback() }() // after the commit, this does nothing
	noted, err := tx.ExecContext(ctx, noteMove, id)
	if err != nil {
		return false, err
	}
	if n, err := noted.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	if _, err := tx.ExecContext(ctx, l.words.Replace(moveJob), job...); err != nil {
		return false, err
	}
	return true, tx.Commit()
}

// engineOf says of an engine whether it had a heartbeat in the last seconds, and whether it was told to stop.
const engineOf = `SELECT heard_at >= {seconds ago}, stopped FROM job_engines WHERE id = $2`

// moveLeft moves the jobs of the earlier version whose engine is gone.
func (e *Engine) moveLeft(ctx context.Context) error {
	list, err := e.client.JobList(ctx, river.NewJobListParams().Kinds(earlierKinds()...).States(rivertype.JobStateRunning).First(100))
	if err != nil {
		return fmt.Errorf("list the jobs of an earlier version: %w", err)
	}
	for _, row := range list.Jobs {
		k, _ := kindOf(ports.JobKind(row.Kind))
		if k.period != nil || len(row.AttemptedBy) == 0 {
			continue
		}
		engine := row.AttemptedBy[len(row.AttemptedBy)-1]
		var lives, stopped bool
		known := e.ledger.db.QueryRowContext(ctx, e.ledger.words.Replace(engineOf), e.ledger.lease.Seconds(), engine).
			Scan(&lives, &stopped) == nil
		if lives || !known || engine == e.ledger.engine {
			continue
		}
		if stopped {
			engine = ""
		}
		if err := e.move(ctx, k, row, row.Attempt, engine); err != nil {
			return err
		}
	}
	return nil
}

// dropEarlier deletes the jobs of an account that an earlier version has left in river's table, but for
// those that an instance of it is just doing: river deletes their rows minutes after they have ended.
func (o *Outbox) dropEarlier(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, accountID string) error {
	const most = 10_000
	which := river.NewJobDeleteManyParams().Kinds(earlierKinds()...).First(most).
		Where("args ->> 'account_id' = @account", river.NamedArgs{"account": accountID})
	for {
		var dropped *river.JobDeleteManyResult
		var err error
		if tx != nil {
			dropped, err = o.sqlite.JobDeleteManyTx(ctx, tx, which)
		} else {
			dropped, err = o.postgres.JobDeleteManyTx(ctx, callersTx{conn}, which)
		}
		if err != nil || len(dropped.Jobs) < most {
			return err
		}
	}
}
