package storage

import (
	"context"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// Runs stores runs.
type Runs struct{ viewWithJobs }

// Update has do write in the account's run book while no other caller can.
//
// If the connection breaks during the commit, Update asks the database what became of it.
// So a run that was stored is not reported as lost, and if the database does not answer,
// the error says that the outcome is unknown.
func (r *Runs) Update(ctx context.Context, accountID string, do func(ports.RunBook) error) error {
	var book *runBook
	err := r.store.transactQueued(ctx, "store a run", func(t *transaction, lend dialect.Lend) error {
		book = &runBook{transaction: t, ctx: ctx, runs: r, lend: lend, id: accountID}
		locking := "SELECT " + accountColumns + " FROM accounts a WHERE a.id = ?" + r.store.database.About().ForUpdate
		book.locked = dialect.NewStatement(locking, accountID).Scan(book.row.appendFields(nil)...)
		book.hooked = dialect.NewStatement("SELECT 1 FROM webhooks WHERE account_id = ? AND endpoint IS NOT NULL", accountID).Scan(new(int))
		t.later(book.locked, book.hooked)
		err := do(book)
		if failed := book.open(); failed != nil {
			return failed // do may have made another error of it, after which nothing is tried again
		}
		return passOn(err)
	})
	if book == nil || book.last == "" {
		return err
	}
	return r.store.resolveCommit(ctx, err, accountID, &runRow{}, book.last)
}

func (r *Runs) RunsSince(ctx context.Context, accountID string, since time.Time) (n int, err error) {
	err = r.store.read(ctx, "count runs", func(db *gorm.DB) error {
		_, err := scanFirst(db.Raw(countRuns, accountID, since.UnixMicro()), &n)
		return err
	})
	return n, err
}

func (r *Runs) SandboxRuns(ctx context.Context, accountID string, day domain.Day) (n int, err error) {
	err = r.store.read(ctx, "count sandbox runs", func(db *gorm.DB) error {
		_, err := scanFirst(db.Raw("SELECT runs FROM sandbox_runs WHERE account_id = ? AND day = ?", accountID, day), &n)
		return err
	})
	return n, err
}

func (r *Runs) Mapping(ctx context.Context, accountID, courierName string) (domain.Mapping, bool, error) {
	var rows []columnMappingRow
	err := r.store.read(ctx, "find a saved mapping", func(db *gorm.DB) error {
		return db.Find(&rows, "account_id = ? AND courier_name = ?", accountID, courierName).Error
	})
	if err != nil || len(rows) == 0 {
		return domain.Mapping{}, false, err
	}
	mapping, err := mappingOf(rows[0].Columns)
	return mapping, err == nil, err
}

const countRuns = "SELECT COUNT(*) FROM runs WHERE account_id = ? AND at_us >= ? AND source <> 'autopilot'"

// runBook reads and stores runs in one transaction, which holds the account's lock. The lock is
// taken and the account read together with the first query, which saves a round trip.
type runBook struct {
	*transaction
	ctx    context.Context
	runs   *Runs
	lend   dialect.Lend
	id     string // of the account
	locked *dialect.Statement
	row    accountRow
	hooked *dialect.Statement // returns a row if the account has an endpoint
	opened bool               // the account was read
	failed error              // why it could not be read
	last   string             // id of the run last stored
}

func (b *runBook) fault(doing string, err error) error { return b.store.fault(b.ctx, doing, err) }

func (b *runBook) Account() domain.Account {
	if b.open() != nil {
		return domain.Account{}
	}
	return b.row.account()
}

// open reads the account, if it was not read yet.
func (b *runBook) open() error {
	if !b.opened {
		return b.send()
	}
	return b.failed
}

// send sends what is queued, which begins with the lock, and these.
func (b *runBook) send(statements ...*dialect.Statement) error {
	err := b.transaction.send(statements...)
	if !b.opened {
		b.opened = true
		if err == nil && b.locked.Rows == 0 {
			err = domain.ErrNoAccount
		}
		b.failed = err
	}
	return err
}

func (b *runBook) Identical(fingerprint string, since time.Time) (string, error) {
	return b.first("look for a duplicate", "fingerprint = ?", b.id, since.UnixMicro(), fingerprint)
}

func (b *runBook) Made(run domain.Run, inputs []domain.InputHash, since time.Time) (string, error) {
	if len(inputs) == 0 {
		return "", nil
	}
	t := run.Tally
	args := []any{b.id, since.UnixMicro(), run.Fingerprint(), t.Orders, t.Due, t.Remitted, t.Shortfall, t.AtRisk,
		t.Unclaimed, t.UnclaimedPaid}
	for _, h := range inputs {
		args = append(args, h[:])
	}
	return b.first("look for a run that was made before", sameTally+" AND digest IN (?"+strings.Repeat(", ?", len(inputs)-1)+")", args...)
}

// sameTally holds for runs with the same fingerprint, which has the rest of the tally.
const sameTally = "fingerprint = ? AND orders = ? AND due_paise = ? AND remitted_paise = ? AND shortfall_paise = ? AND at_risk_paise = ?" +
	" AND unclaimed = ? AND unclaimed_paid_paise = ?"

// first finds the latest run that fits a condition.
func (b *runBook) first(doing, condition string, args ...any) (runID string, err error) {
	err = b.send(dialect.NewStatement("SELECT id FROM runs WHERE account_id = ? AND at_us >= ? AND "+condition+
		" ORDER BY at_us DESC, id DESC LIMIT 1", args...).Scan(&runID))
	return runID, b.fault(doing, err)
}

func (b *runBook) RunsSince(since time.Time) (n int, err error) {
	err = b.send(dialect.NewStatement(countRuns, b.id, since.UnixMicro()).Scan(&n))
	return n, b.fault("count runs", err)
}

func (b *runBook) Write(e ports.Entry) error {
	if err := b.open(); err != nil {
		return err
	}
	// First, so that an attempt that comes too late stores nothing, whatever the id of its
	// run is.
	if e.Pass.Pass.ID != "" {
		if err := b.runs.endPass(b.db, e.Pass, b.id); err != nil {
			return b.fault("end a pass", err)
		}
	}
	if e.Run.ID != "" {
		row := rowOfRun(e.Run)
		row.AccountID = b.id
		b.later(insertRun().of(&row))
		b.last = e.Run.ID
	}
	for _, saved := range e.Mappings {
		b.later(saveMapping().of(rowOfMapping(b.id, saved.CourierName, saved.Mapping, e.SavedAt)))
	}
	if !e.SandboxRun.IsZero() {
		if err := b.countInSandbox(e.SandboxRun); err != nil {
			return err
		}
	}
	if e.Event.ID != "" && e.End.BatchID != "" {
		var discarded int
		if err := b.send(dialect.NewStatement(countDiscarded, discardedFact, e.End.BatchID).Scan(&discarded)); err != nil {
			return b.fault("look for a discard", err)
		}
		if discarded > 0 {
			e.Event = domain.Delivery{}
		}
	}
	if e.Event.ID != "" {
		if err := b.announce(e.Event); err != nil {
			return b.fault("announce a run", err)
		}
	}
	if e.Claim.RunID != "" {
		fulfilled := fulfilment(e.Claim, "run_id", e.Claim.RunID)
		if err := b.sendForOne(fulfilled, domain.ErrKeyRunning); err != nil {
			return b.fault("fulfil a claim", err)
		}
	}
	if e.End.BatchID != "" {
		if err := b.send(); err != nil {
			return b.fault("store a run", err)
		}
		return b.endJob(e.End)
	}
	return nil
}

// sendForOne returns otherwise if a statement changes nothing.
func (b *runBook) sendForOne(statement *dialect.Statement, otherwise error) error {
	if err := b.send(statement); err != nil || statement.Rows > 0 {
		return err
	}
	return otherwise
}

var (
	insertRun   = sync.OnceValue(func() insertion { return insertionOf(&runRow{}) })
	saveMapping = sync.OnceValue(func() insertion {
		return insertionOf(&columnMappingRow{}).or("ON CONFLICT (account_id, courier_name) DO UPDATE SET " +
			"columns = excluded.columns, saved_at_us = excluded.saved_at_us")
	})
)
