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
	"milaan/ports/peers"
)

// Runs stores runs.
type Runs struct {
	store  *Store
	outbox Outbox
	sealer peers.Sealer
}

// NewRuns returns the store's view of the audit history.
func NewRuns(s *Store, outbox Outbox, sealer peers.Sealer) *Runs { return &Runs{s, outbox, sealer} }

// Update has do write in the account's run book while no other caller can.
//
// If the connection breaks during the commit, Update asks the database what became of it.
// So a run that was stored is not reported as lost, and if the database does not answer,
// the error says that the outcome is unknown.
func (r *Runs) Update(ctx context.Context, accountID string, do func(ports.RunBook) error) error {
	var book *runBook
	err := r.store.transactQueued(ctx, "store a run", func(t *transaction, lend dialect.Lend) error {
		var account accountRow
		locked := dialect.NewStatement("SELECT "+accountColumns+" FROM accounts a WHERE a.id = ?"+r.store.database.About().ForUpdate, accountID).
			Scan(account.appendFields(nil)...)
		hooked := dialect.NewStatement("SELECT 1 FROM webhooks WHERE account_id = ? AND endpoint IS NOT NULL", accountID).Scan(new(int))
		if err := t.send(locked, hooked); err != nil {
			return err
		}
		if locked.Rows == 0 {
			return domain.ErrNoAccount
		}
		book = &runBook{transaction: t, ctx: ctx, runs: r, lend: lend, account: account.account(), hooked: hooked.Rows > 0}
		return passOn(do(book))
	})
	if book == nil || book.last == "" {
		return err
	}
	return r.store.resolveCommit(ctx, err, accountID, &runRow{}, book.last)
}

// RunsSince counts an account's stored runs from a moment on, but for the autopilot's.
func (r *Runs) RunsSince(ctx context.Context, accountID string, since time.Time) (n int, err error) {
	err = r.store.read(ctx, "count runs", func(db *gorm.DB) error {
		n, err = runsSince(db, accountID, since)
		return err
	})
	return n, err
}

// SandboxRuns counts an account's sandbox runs on a day.
func (r *Runs) SandboxRuns(ctx context.Context, accountID string, day domain.Day) (n int, err error) {
	err = r.store.read(ctx, "count sandbox runs", func(db *gorm.DB) error {
		_, err := scanFirst(db.Raw("SELECT runs FROM sandbox_runs WHERE account_id = ? AND day = ?", accountID, day), &n)
		return err
	})
	return n, err
}

// Mapping finds the mapping saved for an account and a courier's id.
func (r *Runs) Mapping(ctx context.Context, accountID, courierName string) (domain.Mapping, bool, error) {
	var rows []mappingRow
	err := r.store.read(ctx, "find a saved mapping", func(db *gorm.DB) error {
		return db.Find(&rows, "account_id = ? AND courier_name = ?", accountID, courierName).Error
	})
	if err != nil || len(rows) == 0 {
		return domain.Mapping{}, false, err
	}
	mapping, err := rows[0].mapping()
	return mapping, err == nil, err
}

func runsSince(db *gorm.DB, accountID string, since time.Time) (n int, err error) {
	_, err = scanFirst(db.Raw(countRuns, accountID, since.UnixMicro()), &n)
	return n, err
}

const countRuns = "SELECT COUNT(*) FROM runs WHERE account_id = ? AND at_us >= ? AND source <> 'autopilot'"

// runBook reads and stores runs in one transaction, which holds the account's lock.
type runBook struct {
	*transaction
	ctx     context.Context
	runs    *Runs
	lend    dialect.Lend
	account domain.Account
	hooked  bool   // the account has an endpoint
	last    string // id of the run last stored
}

func (b *runBook) fault(doing string, err error) error { return b.store.fault(b.ctx, doing, err) }

func (b *runBook) Account() domain.Account { return b.account }

func (b *runBook) Identical(fingerprint string, since time.Time) (domain.Run, bool, error) {
	return b.first("look for a duplicate", "fingerprint = ?", b.account.ID, since.UnixMicro(), fingerprint)
}

func (b *runBook) Made(inputs []domain.InputHash, since time.Time) (domain.Run, bool, error) {
	if len(inputs) == 0 {
		return domain.Run{}, false, nil
	}
	args := []any{b.account.ID, since.UnixMicro()}
	for _, h := range inputs {
		args = append(args, h[:])
	}
	return b.first("look for a run that was made before", "digest IN (?"+strings.Repeat(", ?", len(inputs)-1)+")", args...)
}

// first finds the latest run that fits a condition. There is one seldom, so only its id is asked
// for at first: the names and types of all columns cost more than the search.
func (b *runBook) first(doing, condition string, args ...any) (domain.Run, bool, error) {
	var row runRow
	query := dialect.NewStatement("SELECT id FROM runs WHERE account_id = ? AND at_us >= ? AND "+condition+
		" ORDER BY at_us DESC, id DESC LIMIT 1", args...).Scan(&row.ID)
	if err := b.send(query); err != nil || query.Rows == 0 {
		return domain.Run{}, false, b.fault(doing, err)
	}
	err := b.db.Take(&row, "id = ?", row.ID).Error
	return row.run(), err == nil, b.fault(doing, err)
}

func (b *runBook) RunsSince(since time.Time) (n int, err error) {
	err = b.send(dialect.NewStatement(countRuns, b.account.ID, since.UnixMicro()).Scan(&n))
	return n, b.fault("count runs", err)
}

func (b *runBook) Write(e ports.Entry) error {
	// First, so that an attempt that comes too late stores nothing, whatever the id of its
	// run is.
	if e.Pass.Pass.ID != "" {
		if err := b.store.endPass(b.db, b.runs.sealer, e.Pass, b.account.ID); err != nil {
			return b.fault("end a pass", err)
		}
	}
	if e.Run.ID != "" {
		b.insert(e.Run)
	}
	for _, saved := range e.Mappings {
		b.later(saveMapping().of(rowOfMapping(b.account.ID, saved.CourierName, saved.Mapping, e.SavedAt)))
	}
	if !e.SandboxRun.IsZero() {
		if err := b.countInSandbox(e.SandboxRun); err != nil {
			return err
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
		return insertionOf(&mappingRow{}).or("ON CONFLICT (account_id, courier_name) DO UPDATE SET " +
			"columns = excluded.columns, saved_at_us = excluded.saved_at_us")
	})
)

func (b *runBook) insert(run domain.Run) {
	row := rowOfRun(run)
	row.AccountID = b.account.ID
	b.later(insertRun().of(&row))
	b.last = run.ID
}
