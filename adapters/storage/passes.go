package storage

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// Passes stores passes, and what the next one of a connection needs to know.
type Passes struct{ viewWithJobs }

func passPlace(column, accountID, id string) []string {
	return []string{"passes", column, accountID, id}
}

func statePlace(accountID, connectionID string) []string {
	return []string{"pass_states", "remembered", accountID, connectionID}
}

// scheduled is how many passes are added in one transaction: the embedded database has one
// writer, and requests wait for it.
const scheduled = 250

// unlocked locks the rows that are read, without those that another transaction has locked.
var unlocked = clause.Locking{Strength: clause.LockingStrengthUpdate, Options: clause.LockingOptionsSkipLocked}

// Schedule adds the passes that are due, in portions.
func (p *Passes) Schedule(ctx context.Context, now time.Time, period time.Duration, limit int) (added int, err error) {
	for left := limit; left > 0; left -= scheduled {
		var n int
		due := 0
		err := p.store.transactWithJobs(ctx, "add the passes that are due", p.outbox, func(tx *gorm.DB, add dialect.AddJobs) (err error) {
			if err := bringBack(tx, now, period, scheduled); err != nil {
				return err
			}
			due, n, err = schedulePortion(tx, add, now, period, min(left, scheduled))
			return err
		})
		if err != nil {
			return added, err
		}
		added += n
		if due < min(left, scheduled) {
			break
		}
	}
	return added, nil
}

// schedulePortion adds the passes of the connections that have been due for longest. Those
// that another transaction has locked are left to it. due is how many were due, and added
// how many of them had no pass in the period yet.
func schedulePortion(tx *gorm.DB, add dialect.AddJobs, now time.Time, period time.Duration, limit int) (due, added int, err error) {
	var rows []connectionRow
	err = tx.Clauses(unlocked).
		Select("id", "account_id", "next_pass_at_us").
		Where("state = 'active' AND pass_id IS NULL AND next_pass_at_us <= ?", now.UnixMicro()).
		Order("next_pass_at_us").Limit(limit).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return 0, 0, err
	}
	passes, next := make([]passRow, len(rows)), make([]int64, len(rows))
	for i, row := range rows {
		after := domain.NextPass(row.ID, now, period)
		last := after.Add(-period) // the latest time, at or before now, at which a pass is due
		next[i] = after.UnixMicro()
		passes[i] = passRow{ID: uuid.Must(uuid.NewV7()).String(), ConnectionID: row.ID,
			SlotUs: last.Truncate(period).UnixMicro(), DueAtUs: max(last.UnixMicro(), row.NextPassAtUs)}
	}
	fresh, err := insertPasses(tx, passes)
	if err != nil {
		return 0, 0, err
	}
	if err := moveOn(tx, passes, fresh, next); err != nil {
		return 0, 0, err
	}
	jobs := make([]ports.Job, 0, len(fresh))
	for i, row := range rows {
		if id := passes[i].ID; fresh[id] {
			jobs = append(jobs, ports.Job{Kind: ports.PassJob, AccountID: row.AccountID, Pass: id})
		}
	}
	return len(rows), len(jobs), add(jobs...)
}

// bringBack makes connections due within a period that an instance whose clock was ahead has
// put off for longer: else they would wait until the clock of the others is there. Those that
// another transaction has locked are left to it: to wait for them one by one would deadlock.
func bringBack(tx *gorm.DB, now time.Time, period time.Duration, limit int) error {
	var ids []string
	err := tx.Model(&connectionRow{}).Clauses(unlocked).Where("state = 'active' AND pass_id IS NULL AND next_pass_at_us > ?",
		now.Add(period).UnixMicro()).Limit(limit).Pluck("id", &ids).Error
	for _, id := range ids {
		if err == nil {
			err = tx.Model(&connectionRow{}).Where("id = ? AND pass_id IS NULL", id).Update("next_pass_at_us",
				domain.NextPass(id, now, period).UnixMicro()).Error
		}
	}
	return err
}

// insertPasses stores passes that wait, unless their connection has had one in the same
// slot. It returns the ids of those that it stored.
func insertPasses(tx *gorm.DB, passes []passRow) (map[string]bool, error) {
	var ids []string
	arguments := make([]any, 0, 5*len(passes))
	for _, p := range passes {
		arguments = append(arguments, p.ID, p.ConnectionID, p.SlotUs, p.Asked, p.DueAtUs)
	}
	err := tx.Raw("INSERT INTO passes (id, connection_id, slot_us, asked, due_at_us, outcome) VALUES "+
		tuples("(?, ?, ?, ?, ?, '')", len(passes))+" ON CONFLICT DO NOTHING RETURNING id", arguments...).Scan(&ids).Error
	fresh := make(map[string]bool, len(ids))
	for _, id := range ids {
		fresh[id] = true
	}
	return fresh, err
}

// moveOn stores when the next pass of each connection is due, and the pass that it has got.
// The list of ids seems needless, but without it SQLite reads the whole table.
func moveOn(tx *gorm.DB, passes []passRow, fresh map[string]bool, next []int64) error {
	arguments := make([]any, 0, 4*len(passes))
	ids := make([]any, len(passes))
	for i, p := range passes {
		id := &p.ID
		if !fresh[p.ID] {
			id = nil
		}
		arguments, ids[i] = append(arguments, p.ConnectionID, next[i], id), p.ConnectionID
	}
	// Both databases name the columns of VALUES so.
	return tx.Exec("UPDATE connections SET next_pass_at_us = v.column2, pass_id = v.column3 FROM (VALUES "+
		tuples("(CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT))", len(passes))+
		") AS v WHERE connections.id = v.column1 AND connections.id IN ("+
		tuples("?", len(passes))+")", append(arguments, ids...)...).Error
}

func tuples(one string, n int) string { return strings.Repeat(one+", ", n-1) + one }

// Ask adds a pass that a person has asked for. It locks the account as well, so that it can
// tell what became of a commit when the connection to the database broke.
func (p *Passes) Ask(ctx context.Context, asked domain.Pass) error {
	stored := func(tx *gorm.DB, _ accountRow, add dialect.AddJobs) error {
		connection, err := lockConnection(tx, asked.AccountID, asked.ConnectionID)
		if err != nil {
			return err
		}
		if connection.PassID != nil {
			return domain.ErrPassRunning
		}
		fresh, err := insertPasses(tx, []passRow{rowOfNewPass(asked)})
		switch {
		case err != nil:
			return err
		case !fresh[asked.ID]:
			return domain.ErrPassRunning
		}
		if err := tx.Exec("UPDATE connections SET pass_id = ? WHERE id = ?", asked.ID, asked.ConnectionID).Error; err != nil {
			return err
		}
		return add(ports.Job{Kind: ports.PassJob, AccountID: asked.AccountID, Pass: asked.ID})
	}
	return orNoConnection(p.storeWithJobs(ctx, "ask for a pass", asked.AccountID, &passRow{}, asked.ID, stored))
}

type begunRows struct {
	pass       passRow
	connection connectionRow
	account    accountRow
	state      passStateRow
	items      ports.BegunItems
}

// begunItems finds out whether the open items of a connection are kept. It reads none of them.
const begunItems = `
SELECT TRUE AS kept, text IS NOT NULL AS written, marks IS NOT NULL AS marked FROM connection_ledgers WHERE connection_id = ?`

func (p *Passes) Begin(ctx context.Context, id string, at time.Time) (ports.BegunPass, error) {
	rows, err := p.findOpen(ctx, id)
	if err != nil {
		return ports.BegunPass{}, err
	}
	if rows.pass.StartedAtUs == nil {
		rows.pass.StartedAtUs = new(at.UnixMicro())
		err := p.store.write(ctx, "note the beginning of a pass", func(db *gorm.DB) error {
			return db.Exec("UPDATE passes SET started_at_us = ? WHERE id = ? AND started_at_us IS NULL AND ended_at_us IS NULL",
				at.UnixMicro(), id).Error
		})
		if err != nil {
			return ports.BegunPass{}, err
		}
	}
	return p.unsealBegun(ctx, rows)
}

// findOpen finds a pass that has not ended, or returns domain.ErrNothingToDo.
func (p *Passes) findOpen(ctx context.Context, id string) (r begunRows, err error) {
	err = p.store.read(ctx, "find a pass", func(db *gorm.DB) error {
		r = begunRows{}
		err := db.Take(&r.pass, "id = ? AND ended_at_us IS NULL", id).Error
		if err == nil {
			err = db.Take(&r.connection, "id = ?", r.pass.ConnectionID).Error
		}
		if err == nil {
			err = db.Take(&r.account, "id = ?", r.connection.AccountID).Error
		}
		if err == nil {
			err = db.Limit(1).Find(&r.state, "connection_id = ?", r.connection.ID).Error
		}
		if err == nil {
			err = db.Raw(begunItems, r.connection.ID).Scan(&r.items).Error
		}
		return orMissing(err, domain.ErrNothingToDo)
	})
	return r, err
}

func (p *Passes) unsealBegun(ctx context.Context, rows begunRows) (ports.BegunPass, error) {
	accountID := rows.connection.AccountID
	begun := ports.BegunPass{Pass: rows.pass.pass(accountID), Account: rows.account.account(), Items: rows.items}
	var err error
	if begun.Connection, err = p.unsealConnection(ctx, &rows.connection); err != nil {
		return ports.BegunPass{}, err
	}
	remembered, err := openText[sealedState](ctx, p.view, rows.state.Remembered, statePlace(accountID, rows.connection.ID)...)
	if err != nil {
		return ports.BegunPass{}, err
	}
	begun.State = remembered.state()
	snapshots, err := openText[map[string]sealedSnapshot](ctx, p.view, rows.pass.Snapshots, passPlace("looks", accountID, rows.pass.ID)...)
	if err != nil {
		return ports.BegunPass{}, err
	}
	if begun.Snapshots = snapshotsOf(snapshots); snapshots == nil {
		begun.Pass.SnapshotAt = time.Time{}
	}
	return begun, nil
}

func (p *Passes) StoreSnapshots(ctx context.Context, id string, at time.Time, snapshots map[string]domain.Snapshot) error {
	if snapshots == nil {
		snapshots = map[string]domain.Snapshot{}
	}
	text := encodeText(sealedSnapshots(snapshots))
	return p.store.transactAs(ctx, dialect.Relaxed, "store the first snapshots of a pass", func(tx *gorm.DB) error {
		var accountID string
		found, err := scanFirst(tx.Raw("SELECT account_id FROM connections WHERE id = (SELECT connection_id FROM passes WHERE id = ? "+
			"AND ended_at_us IS NULL)", id), &accountID)
		switch {
		case err != nil:
			return err
		case !found:
			return domain.ErrNothingToDo
		}
		return changedOne(tx.Exec("UPDATE passes SET looks = ?, looked_at_us = ? WHERE id = ? AND ended_at_us IS NULL",
			p.sealer.Seal(text, passPlace("looks", accountID, id)...), at.UnixMicro(), id), domain.ErrNothingToDo)
	})
}

// End stores the end of a pass that has no run. It may be lost in a power cut: the job of
// the pass is then done again.
func (p *Passes) End(ctx context.Context, end ports.PassEnd) error {
	return p.store.transactAs(ctx, dialect.Relaxed, "end a pass", func(tx *gorm.DB) error {
		return p.endPass(tx, end, "")
	})
}

// endPass ends a pass, of an account if one is named. Nobody else changes its connection
// until the transaction ends. It returns domain.ErrNothingToDo if the pass has ended, or
// its connection is gone or another account's.
func (v view) endPass(tx *gorm.DB, end ports.PassEnd, accountID string) error {
	ctx, pass := tx.Statement.Context, end.Pass
	row, err := lock[connectionRow](tx, domain.ErrNothingToDo,
		"id = (SELECT connection_id FROM passes WHERE id = ? AND ended_at_us IS NULL)", pass.ID)
	if err == nil && accountID != "" && row.AccountID != accountID {
		err = domain.ErrNothingToDo
	}
	if err != nil {
		return err
	}
	details := v.sealer.Seal(detailsOf(pass.PassResult), passPlace("details", row.AccountID, pass.ID)...)
	ended := tx.Exec("UPDATE passes SET ended_at_us = ?, outcome = ?, run_id = ?, details = ?, looks = NULL WHERE id = ? AND "+
		"ended_at_us IS NULL",
		pass.EndedAt.UnixMicro(), string(pass.Outcome), orNull(pass.RunID), details, pass.ID)
	if err := changedOne(ended, domain.ErrNothingToDo); err != nil {
		return err
	}
	if err := v.rememberState(tx, row, end.State); err != nil {
		return err
	}
	if err := keepLedger(tx, v.sealer, row, end.Ledger, pass.EndedAt); err != nil {
		return err
	}
	stored, err := v.unsealConnection(ctx, &row)
	if err != nil {
		return err
	}
	status := stored.ConnectionStatus
	if end.Status != nil {
		end.Status(&status)
	}
	if row.Revision != end.Revision {
		status.State = stored.State
	}
	row.fillStatus(status)
	row.Failure = sealFailure(v.sealer, status.Failure, row.AccountID, row.ID)
	row.PassID, row.EndedAtUs = nil, new(pass.EndedAt.UnixMicro())
	if pass.Outcome == domain.PassStored || pass.Outcome == domain.PassUnchanged {
		row.ResultPassID = &pass.ID
	}
	return tx.Model(&row).Select("*").Omit("settings").Updates(&row).Error
}

// rememberState stores what a connection remembers, unless it is nothing.
func (v view) rememberState(tx *gorm.DB, connection connectionRow, state domain.PassState) error {
	if state.Snapshots == nil && state.Unpaid == nil && state.Former == nil && state.InputHash == (domain.InputHash{}) && state.From == 0 &&
		state.Files == nil {
		return nil
	}
	row := passStateRow{connection.ID, v.sealer.Seal(stateOf(state), statePlace(connection.AccountID, connection.ID)...)}
	return put(tx, &row)
}

func (p *Passes) Latest(ctx context.Context, accountID, connectionID string, limit int) ([]domain.Pass, error) {
	rows, err := list[passRow](ctx, p.store, "list passes", func(db *gorm.DB) *gorm.DB {
		return db.Omit("looks").Where(rowsOfConnection, connectionID, accountID).Order("due_at_us DESC, id DESC").Limit(limit)
	})
	return eachOr(rows, err, func(row passRow) (domain.Pass, error) { return p.openPass(ctx, &row, accountID) })
}

func (v view) openPass(ctx context.Context, row *passRow, accountID string) (pass domain.Pass, err error) {
	pass = row.pass(accountID)
	pass.PassResult, err = v.resultOf(ctx, row, accountID)
	return pass, err
}

// resultOf returns the result of a pass, without its details if these cannot be opened any
// more.
func (v view) resultOf(ctx context.Context, row *passRow, accountID string) (domain.PassResult, error) {
	result := row.pass(accountID).PassResult
	details, err := openText[sealedDetails](ctx, v, row.Details, passPlace("details", accountID, row.ID)...)
	details.fill(&result)
	return result, err
}

// stalePasses finds the passes that have not ended, earliest first.
const stalePasses = `
SELECT p.id, p.connection_id, p.slot_us, p.asked, p.due_at_us, p.started_at_us, p.looked_at_us, p.ended_at_us,
    p.outcome, p.run_id, c.account_id
FROM passes p JOIN connections c ON c.id = p.connection_id
WHERE p.ended_at_us IS NULL AND p.due_at_us < ? ORDER BY p.due_at_us LIMIT ?`

// Files has none if they cannot be opened any more.
func (p *Passes) Files(ctx context.Context, accountID, connectionID string) (files []domain.SeenFile, more int, err error) {
	var sealed []byte
	err = p.store.read(ctx, "list the files of the last pass", func(db *gorm.DB) error {
		_, err := scanFirst(db.Raw("SELECT remembered FROM pass_states WHERE "+rowsOfConnection, connectionID, accountID), &sealed)
		return err
	})
	if err != nil {
		return nil, 0, err
	}
	remembered, err := openText[sealedState](ctx, p.view, sealed, statePlace(accountID, connectionID)...)
	state := remembered.state()
	return state.Files, state.MoreFiles, err
}

func (p *Passes) Stale(ctx context.Context, dueBefore time.Time, limit int) ([]domain.Pass, error) {
	var rows []struct {
		Pass      passRow `gorm:"embedded"`
		AccountID string
	}
	err := p.store.read(ctx, "look for stale passes", func(db *gorm.DB) error {
		return db.Raw(stalePasses, dueBefore.UnixMicro(), limit).Scan(&rows).Error
	})
	passes := make([]domain.Pass, len(rows))
	for i := range rows {
		passes[i] = rows[i].Pass.pass(rows[i].AccountID)
	}
	return passes, err
}
