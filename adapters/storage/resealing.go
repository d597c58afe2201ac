package storage

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Seals seals afresh what is stored, with the present secret.
type Seals struct {
	store    *Store
	resealer peers.Resealer
}

// NewSeals returns the store's view of all that is sealed.
func NewSeals(s *Store, resealer peers.Resealer) *Seals { return &Seals{s, resealer} }

type sealedTable struct {
	name       string
	columns    []string
	id, number string // the columns that identify a row; a blank number: there is none
	account    string // the SQL of its account; blank: a column
	// place says what a column is sealed for; nil: the table, the column, the account and the id.
	place func(column, accountID, id string, number int) []string
}

// ofConnection is the SQL of the account of a row with connection_id.
const ofConnection = "(SELECT c.account_id FROM connections c WHERE c.id = t.connection_id)"

var sealedTables = []sealedTable{
	{name: "webhooks", columns: []string{"endpoint", "secret", "former"}, id: "account_id",
		place: func(column, accountID, _ string, _ int) []string { return webhookPlace(column, accountID) }},
	{name: "batches", columns: []string{"webhook_url"}, id: "id"},
	{name: "batch_jobs", columns: []string{"labels", "input", "result"}, id: "batch_id", number: "position",
		account: "(SELECT b.account_id FROM batches b WHERE b.id = t.batch_id)",
		place: func(column, accountID, id string, number int) []string {
			return jobPlace(column, accountID, domain.BatchJob{BatchID: id, Position: number})
		}},
	{name: "delivery_attempts", columns: []string{"failure"}, id: "delivery_id", number: "number",
		account: "(SELECT d.account_id FROM deliveries d WHERE d.id = t.delivery_id)",
		place:   func(_, accountID, id string, number int) []string { return failurePlace(accountID, id, number) }},
	{name: "connections", columns: []string{"settings", "failure"}, id: "id"},
	{name: "pass_states", columns: []string{"remembered"}, id: "connection_id", account: ofConnection},
	{name: "passes", columns: []string{"looks", "details"}, id: "id", account: ofConnection},
	{name: "security_events", columns: []string{"people"}, id: "id"},
	{name: "billed_subscriptions", columns: []string{"url"}, id: "id"},
	{name: "kept_files", columns: []string{"name"}, id: "id", account: ofConnection},
	{name: "ignored_files", columns: []string{"file"}, id: "id", account: ofConnection},
	{name: "connection_ledgers", columns: []string{"text", "marks"}, id: "connection_id", account: ofConnection},
	{name: "kept_contents", columns: []string{"content"}, id: "file_id",
		account: "(SELECT c.account_id FROM kept_files f JOIN connections c ON c.id = f.connection_id WHERE f.id = t.file_id)"},
	{name: "phones", columns: []string{"number"}, id: "account_id",
		place: func(_, accountID, _ string, _ int) []string { return phonePlace("phones", accountID) }},
	{name: "phone_codes", columns: []string{"number"}, id: "id",
		place: func(_, accountID, _ string, _ int) []string { return phonePlace("phone_codes", accountID) }},
}

// after lists the rows with something sealed that follow an id and a number, in their order, as
// id, number and account. Its last argument is how many.
func (t sealedTable) after() string {
	account, number, follows, order := cmp.Or(t.account, "t.account_id"), "0", t.row(">"), t.id
	if t.number != "" {
		number, follows, order = t.number, "("+t.id+", "+t.number+") > (?, ?)", t.id+", "+t.number
	}
	return "SELECT t." + t.id + " AS id, " + number + " AS number, " + account + " AS account_id FROM " + t.name + " t WHERE " + follows +
		" AND (" + strings.Join(t.columns, " IS NOT NULL OR ") + " IS NOT NULL) ORDER BY " + order + " LIMIT ?"
}

// row is a condition on an id and a number.
func (t sealedTable) row(compared string) string {
	if t.number == "" {
		return t.id + " " + compared + " ? AND ? >= 0"
	}
	return t.id + " " + compared + " ? AND " + t.number + " " + compared + " ?"
}

func (t sealedTable) placeOf(column string, row sealedRow) []string {
	if t.place == nil {
		return []string{t.name, column, row.AccountID, row.ID}
	}
	return t.place(column, row.AccountID, row.ID, row.Number)
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

type sealedRow struct {
	ID, AccountID string
	Number        int
}

func (s *Seals) resealTable(ctx context.Context, table sealedTable, done *ports.Resealed) error {
	var last sealedRow
	for {
		var rows []sealedRow
		err := s.store.read(ctx, "list what is sealed", func(db *gorm.DB) error {
			return db.Raw(table.after(), last.ID, last.Number, portion).Scan(&rows).Error
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
			_, err := scanFirst(db.Raw("SELECT "+column+" FROM "+table.name+" WHERE "+table.row("="), row.ID, row.Number), &kept)
			return err
		})
		if err != nil || kept == nil {
			return err
		}
		afresh, unreadable := s.resealer.Reseal(kept, table.placeOf(column, row)...)
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
			update := db.Exec("UPDATE "+table.name+" SET "+column+" = ? WHERE "+table.row("=")+" AND substr("+column+", 1, ?) = ?",
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
