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
// not those of looks.

// pollEarlier is how often the queues of the earlier version are queried; a notification comes at once.
const pollEarlier = 5 * time.Second

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

// mover moves the jobs of one kind.
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
		return errLook
	}
	return nil
}

// moveJob adds a job of river's table to ours, unless it is there.
const moveJob = `INSERT INTO jobs (kind, account_id, args, due_at_us, attempts, deaths, origin) VALUES ($1, $2, $3, {now}, $4, $5, $6)
	ON CONFLICT (origin) DO NOTHING`

// move moves a job with its attempts and deaths. death is the id of the engine that has just died at
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
	_, err = e.ledger.do(ctx, "move a job", moveJob, k.name, accountID, string(text), attempts, deaths.String(),
		fmt.Sprintf("river %d", row.ID))
	if err == nil {
		e.addLooks(ctx, map[ports.JobKind]int{k.name: 1})
	}
	return err
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

// dropEarlier deletes the jobs of an account that an earlier version has left in river's table.
func (o *Outbox) dropEarlier(ctx context.Context, tx *sql.Tx, conn *pgx.Conn, accountID string) error {
	which := river.NewJobDeleteManyParams().Kinds(earlierKinds()...).
		Where("args ->> 'account_id' = @account", river.NamedArgs{"account": accountID})
	var err error
	if tx != nil {
		_, err = o.sqlite.JobDeleteManyTx(ctx, tx, which)
	} else {
		_, err = o.postgres.JobDeleteManyTx(ctx, callersTx{conn}, which)
	}
	return err
}
