package storage

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/glue"
)

// Seals seals afresh what is stored, with the present secret.
type Seals struct {
	store    *Store
	resealer glue.Resealer
}

// NewSeals returns the store's view of all that is sealed.
func NewSeals(s *Store, resealer glue.Resealer) *Seals { return &Seals{s, resealer} }

// sealedTable is a table with sealed columns. Its rows are found by an id and a number; the
// number is 0 where the id is enough.
type sealedTable struct {
	name    string
	columns []string
	// after lists the rows with something sealed that follow an id and a number, in their
	// order, as id, number and account. Its last argument is how many.
	after string
	row   string // condition on an id and a number
	place func(column, accountID, id string, number int) []string
}

// sealedTables are all tables with sealed columns.
var sealedTables = []sealedTable{
	{
		name: "webhooks", columns: []string{"endpoint", "secret", "former"},
		after: "SELECT account_id AS id, 0 AS number, account_id FROM webhooks WHERE account_id > ? AND ? >= 0 ORDER BY account_id LIMIT ?",
		row:   "account_id = ? AND ? >= 0",
		place: func(column, accountID, _ string, _ int) []string { return webhookPlace(column, accountID) },
	},
	{
		name: "batches", columns: []string{"webhook_url"},
		after: "SELECT id, 0 AS number, account_id FROM batches WHERE id > ? AND ? >= 0 AND webhook_url IS NOT NULL ORDER BY id LIMIT ?",
		row:   "id = ? AND ? >= 0",
		place: func(_, accountID, id string, _ int) []string { return batchURLPlace(accountID, id) },
	},
	{
		name: "batch_jobs", columns: []string{"labels", "input", "result"},
		after: `SELECT j.batch_id AS id, j.position AS number, b.account_id FROM batch_jobs j JOIN batches b ON b.id = j.batch_id
		        WHERE (j.batch_id, j.position) > (?, ?) AND (j.labels IS NOT NULL OR j.input IS NOT NULL OR j.result IS NOT NULL) ORDER BY j.batch_id, j.position LIMIT ?`,
		row: "batch_id = ? AND position = ?",
		place: func(column, accountID, id string, number int) []string {
			return jobPlace(column, accountID, domain.BatchJob{BatchID: id, Position: number})
		},
	},
	{
		name: "delivery_attempts", columns: []string{"failure"},
		after: `SELECT a.delivery_id AS id, a.number, d.account_id FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id
		        WHERE (a.delivery_id, a.number) > (?, ?) AND a.failure IS NOT NULL ORDER BY a.delivery_id, a.number LIMIT ?`,
		row:   "delivery_id = ? AND number = ?",
		place: func(_, accountID, id string, number int) []string { return failurePlace(accountID, id, number) },
	},
	{
		name: "connections", columns: []string{"settings", "failure"},
		after: "SELECT id, 0 AS number, account_id FROM connections WHERE id > ? AND ? >= 0 ORDER BY id LIMIT ?",
		row:   "id = ? AND ? >= 0",
		place: func(column, accountID, id string, _ int) []string { return connectionPlace(column, accountID, id) },
	},
	{
		name: "pass_states", columns: []string{"remembered"},
		after: `SELECT s.connection_id AS id, 0 AS number, c.account_id FROM pass_states s JOIN connections c ON c.id = s.connection_id
		        WHERE s.connection_id > ? AND ? >= 0 ORDER BY s.connection_id LIMIT ?`,
		row:   "connection_id = ? AND ? >= 0",
		place: func(_, accountID, id string, _ int) []string { return statePlace(accountID, id) },
	},
	{
		name: "passes", columns: []string{"looks", "details"},
		after: `SELECT p.id, 0 AS number, c.account_id FROM passes p JOIN connections c ON c.id = p.connection_id
		        WHERE p.id > ? AND ? >= 0 AND (p.looks IS NOT NULL OR p.details IS NOT NULL) ORDER BY p.id LIMIT ?`,
		row:   "id = ? AND ? >= 0",
		place: func(column, accountID, id string, _ int) []string { return passPlace(column, accountID, id) },
	},
	{
		name: "billed_subscriptions", columns: []string{"url"},
		after: "SELECT id, 0 AS number, account_id FROM billed_subscriptions WHERE id > ? AND ? >= 0 AND url IS NOT NULL ORDER BY id LIMIT ?",
		row:   "id = ? AND ? >= 0",
		place: func(_, accountID, id string, _ int) []string { return billedPlace(accountID, id) },
	},
	{
		name: "kept_files", columns: []string{"name"},
		after: `SELECT f.id, 0 AS number, c.account_id FROM kept_files f JOIN connections c ON c.id = f.connection_id
		        WHERE f.id > ? AND ? >= 0 ORDER BY f.id LIMIT ?`,
		row:   "id = ? AND ? >= 0",
		place: func(_, accountID, id string, _ int) []string { return fileNamePlace(accountID, id) },
	},
	{
		name: "kept_contents", columns: []string{"content"},
		after: `SELECT k.file_id AS id, 0 AS number, c.account_id FROM kept_contents k JOIN kept_files f ON f.id = k.file_id
		        JOIN connections c ON c.id = f.connection_id WHERE k.file_id > ? AND ? >= 0 ORDER BY k.file_id LIMIT ?`,
		row:   "file_id = ? AND ? >= 0",
		place: func(_, accountID, id string, _ int) []string { return fileContentPlace(accountID, id) },
	},
	{
		name: "phones", columns: []string{"number"},
		after: "SELECT account_id AS id, 0 AS number, account_id FROM phones WHERE account_id > ? AND ? >= 0 ORDER BY account_id LIMIT ?",
		row:   "account_id = ? AND ? >= 0",
		place: func(_, accountID, _ string, _ int) []string { return phonePlace("phones", accountID) },
	},
	{
		name: "phone_codes", columns: []string{"number"},
		after: "SELECT id, 0 AS number, account_id FROM phone_codes WHERE id > ? AND ? >= 0 ORDER BY id LIMIT ?",
		row:   "id = ? AND ? >= 0",
		place: func(_, accountID, _ string, _ int) []string { return phonePlace("phone_codes", accountID) },
	},
}

// Reseal reseals every table, row by row. A row may have tens of megabytes, so each has a
// transaction of its own.
func (s *Seals) Reseal(ctx context.Context) (done ports.Resealed, err error) {
	for _, table := range sealedTables {
		if err := s.resealTable(ctx, table, &done); err != nil {
			return done, fmt.Errorf("reseal %s: %w", table.name, err)
		}
	}
	return done, nil
}

// sealedRow is a row of a sealedTable.
type sealedRow struct {
	ID, AccountID string
	Number        int
}

func (s *Seals) resealTable(ctx context.Context, table sealedTable, done *ports.Resealed) error {
	var last sealedRow
	for {
		var rows []sealedRow
		err := s.store.read(ctx, "list what is sealed", func(db *gorm.DB) error {
			return db.Raw(table.after, last.ID, last.Number, portion).Scan(&rows).Error
		})
		if err != nil {
			return err
		}
		for _, row := range rows {
			for _, column := range table.columns {
				if err := s.reseal(ctx, table, column, row, done); err != nil {
					return err
				}
			}
		}
		if len(rows) < portion {
			return nil
		}
		last = rows[len(rows)-1]
	}
}

// nonceBytes is how many of a seal's first bytes tell it from every other seal: they hold
// its nonce.
const nonceBytes = 32

// reseal reseals one column of a row. If another caller has changed the column meanwhile,
// it reads it again.
func (s *Seals) reseal(ctx context.Context, table sealedTable, column string, row sealedRow, done *ports.Resealed) error {
	for {
		var kept []byte
		err := s.store.read(ctx, "read what is sealed", func(db *gorm.DB) error {
			_, err := scanFirst(db.Raw("SELECT "+column+" FROM "+table.name+" WHERE "+table.row, row.ID, row.Number), &kept)
			return err
		})
		if err != nil || kept == nil {
			return err
		}
		afresh, unreadable := s.resealer.Reseal(kept, table.place(column, row.AccountID, row.ID, row.Number)...)
		switch {
		case unreadable != nil:
			done.Unreadable++
			switch table.name + "." + column { // each webhook and each connection has one
			case "webhooks.secret":
				done.Webhooks++
			case "connections.settings":
				done.Connections++
			}
			return nil
		case afresh == nil:
			done.Kept++
			return nil
		}
		var changed int64
		err = s.store.write(ctx, "keep what is sealed afresh", func(db *gorm.DB) error {
			update := db.Exec("UPDATE "+table.name+" SET "+column+" = ? WHERE "+table.row+" AND substr("+column+", 1, ?) = ?",
				afresh, row.ID, row.Number, nonceBytes, kept[:min(len(kept), nonceBytes)])
			changed = update.RowsAffected
			return update.Error
		})
		if err != nil {
			return err
		}
		if changed > 0 {
			done.Afresh++
			return nil
		}
	}
}
