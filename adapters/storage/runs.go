package storage

import (
	"context"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

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
	err := r.store.transactWithJobs(ctx, "store a run", r.outbox, func(tx *gorm.DB, add dialect.AddJobs) error {
		row, err := lockAccount(tx, "id = ?", accountID)
		if err != nil {
			return err
		}
		book = &runBook{store: r.store, ctx: ctx, tx: tx, add: add, sealer: r.sealer, account: row.account()}
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
	_, err = scanFirst(db.Raw("SELECT COUNT(*) FROM runs WHERE account_id = ? AND at_us >= ? AND source <> 'autopilot'", accountID,
		since.UnixMicro()), &n)
	return n, err
}

// runBook reads and stores runs in one transaction.
type runBook struct {
	store   *Store
	ctx     context.Context
	tx      *gorm.DB
	add     dialect.AddJobs
	sealer  peers.Sealer
	account domain.Account
	last    string // id of the run last stored
}

func (b *runBook) fault(doing string, err error) error { return b.store.fault(b.ctx, doing, err) }

func (b *runBook) Account() domain.Account { return b.account }

func (b *runBook) Identical(fingerprint string, since time.Time) (domain.Run, bool, error) {
	var row runRow
	found := b.tx.Where("account_id = ? AND at_us >= ? AND fingerprint = ?", b.account.ID, since.UnixMicro(), fingerprint).
		Order("at_us DESC, id DESC").Limit(1).Find(&row)
	return row.run(), found.RowsAffected > 0, b.fault("look for a duplicate", found.Error)
}

func (b *runBook) Made(inputs []domain.InputHash, since time.Time) (domain.Run, bool, error) {
	var row runRow
	var hashes [][]byte
	for _, h := range inputs {
		hashes = append(hashes, h[:])
	}
	found := b.tx.Where("account_id = ? AND digest IN ? AND at_us >= ?", b.account.ID, hashes, since.UnixMicro()).
		Order("at_us DESC, id DESC").Limit(1).Find(&row)
	return row.run(), found.RowsAffected > 0, b.fault("look for a run that was made before", found.Error)
}

func (b *runBook) RunsSince(since time.Time) (int, error) {
	n, err := runsSince(b.tx, b.account.ID, since)
	return n, b.fault("count runs", err)
}

func (b *runBook) Write(e ports.Entry) error {
	// First, so that an attempt that comes too late stores nothing, whatever the id of its
	// run is.
	if e.Pass.Pass.ID != "" {
		if err := b.store.endPass(b.tx, b.sealer, e.Pass, b.account.ID); err != nil {
			return b.fault("end a pass", err)
		}
	}
	if e.Run.ID != "" {
		if err := b.insert(e.Run); err != nil {
			return err
		}
	}
	if !e.SandboxRun.IsZero() {
		if err := b.countInSandbox(e.SandboxRun); err != nil {
			return err
		}
	}
	if e.Event.ID != "" {
		if err := b.announce(e.Event); err != nil {
			return err
		}
	}
	for _, saved := range e.Mappings {
		if err := b.saveMapping(saved, e.SavedAt); err != nil {
			return err
		}
	}
	if e.Claim.RunID != "" {
		if err := fulfil(b.tx, e.Claim, "run_id", e.Claim.RunID); err != nil {
			return b.fault("fulfil a claim", err)
		}
	}
	if e.End.BatchID != "" {
		return b.endJob(e.End)
	}
	return nil
}

func (b *runBook) insert(run domain.Run) error {
	row := rowOfRun(run)
	row.AccountID = b.account.ID
	if err := b.tx.Create(&row).Error; err != nil {
		return b.fault("store a run", err)
	}
	b.last = run.ID
	return nil
}

func (b *runBook) saveMapping(saved ports.SavedMapping, at time.Time) error {
	row := rowOfMapping(b.account.ID, saved.CourierName, saved.Mapping, at)
	return b.fault("save a mapping", b.tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(&row).Error)
}
