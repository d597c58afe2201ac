package storage

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// ConnectionLedgers stores the ledgers of connections. Whoever changes one holds the lock of its connection's row, as the end of
// a pass does, so that no change is lost.
type ConnectionLedgers struct{ view }

func ledgerPlace(column, accountID, connectionID string) []string {
	return []string{"connection_ledgers", column, accountID, connectionID}
}

func (l *ConnectionLedgers) Switch(
	ctx context.Context, accountID, connectionID string, keeps bool, at time.Time, event domain.SecurityEvent,
) error {
	err := l.changeOf(ctx, "switch the keeping of open items", accountID, noEvent, func(tx *gorm.DB) error {
		if _, err := lockConnection(tx, accountID, connectionID); err != nil {
			return err
		}
		if !keeps {
			return l.addIf(tx.Exec("DELETE FROM connection_ledgers WHERE connection_id = ?", connectionID), tx, accountID, event)
		}
		return l.addIf(tx.Exec("INSERT INTO connection_ledgers (connection_id, since_us, version) VALUES (?, ?, 0) ON CONFLICT DO NOTHING",
			connectionID, at.UnixMicro()), tx, accountID, event)
	})
	return orNoConnection(err)
}

func (l *ConnectionLedgers) Find(ctx context.Context, accountID, connectionID string) (domain.KeptLedger, error) {
	var row ledgerRow
	err := l.store.read(ctx, "find the ledger of a connection", func(db *gorm.DB) (err error) {
		row, err = findLedger(db, accountID, connectionID)
		return err
	})
	if err != nil {
		return domain.KeptLedger{}, err
	}
	return l.opened(ctx, accountID, row)
}

// ledgerOfConnection finds the ledger of an account's connection, and in the same statement whether there is that connection.
const ledgerOfConnection = `
SELECT c.id AS connection_id, l.since_us, l.version, l.oldest, l.written_at_us, l.text, l.marks
FROM connections c LEFT JOIN connection_ledgers l ON l.connection_id = c.id WHERE c.id = ? AND c.account_id = ?`

func findLedger(db *gorm.DB, accountID, connectionID string) (ledgerRow, error) {
	var rows []ledgerRow
	err := db.Raw(ledgerOfConnection, connectionID, accountID).Scan(&rows).Error
	switch {
	case err != nil:
		return ledgerRow{}, err
	case len(rows) == 0:
		return ledgerRow{}, domain.ErrNoConnection
	case rows[0].SinceUs == nil:
		return ledgerRow{}, domain.ErrNoItems
	}
	return rows[0], nil
}

// opened returns the ledger of a row. If its text or its marks cannot be opened, it returns domain.ErrItemsUnread, with what it takes
// to replace them: they do not count as absent, or what is owed would be.
func (l *ConnectionLedgers) opened(ctx context.Context, accountID string, row ledgerRow) (domain.KeptLedger, error) {
	kept := domain.KeptLedger{Since: moment(*row.SinceUs), Version: orZero(row.Version)}
	text, err := l.openOr(ctx, domain.ErrItemsUnread, row.Text, ledgerPlace("text", accountID, row.ConnectionID)...)
	if err != nil {
		return kept, err
	}
	if text != nil {
		if kept.Text, err = decompressed(text); err != nil {
			return domain.KeptLedger{}, fmt.Errorf("decompress the ledger of a connection: %w", err)
		}
		kept.Oldest, kept.WrittenAt = orZero(row.Oldest), momentOrNone(row.WrittenAtUs)
	}
	marks, err := l.openOr(ctx, domain.ErrItemsUnread, row.Marks, ledgerPlace("marks", accountID, row.ConnectionID)...)
	if marks == nil || err != nil {
		return kept, err
	}
	kept.Marks, err = readMarks(marks)
	return kept, err
}

func (l *ConnectionLedgers) Mark(ctx context.Context, accountID, connectionID string, ledger domain.KeptLedger) (marked bool, err error) {
	marks := l.sealMarks(ledger, accountID, connectionID)
	err = l.store.transact(ctx, "mark open items", func(tx *gorm.DB) (err error) {
		marked, err = changeLedger(tx, accountID, connectionID, ledger, "marks = ?", marks)
		return err
	})
	return marked, orNoConnection(err)
}

func (l *ConnectionLedgers) sealMarks(ledger domain.KeptLedger, accountID, connectionID string) []byte {
	return seal(l.sealer, marksOf(ledger.Marks), ledgerPlace("marks", accountID, connectionID)...)
}

// changeLedger changes columns of a ledger, if it still has its Since and Version. The lock of its connection is held then.
func changeLedger(
	tx *gorm.DB, accountID, connectionID string, ledger domain.KeptLedger, columns string, values ...any,
) (changed bool, err error) {
	if _, err := lockConnection(tx, accountID, connectionID); err != nil {
		return false, err
	}
	done := tx.Exec("UPDATE connection_ledgers SET "+columns+", version = version + 1 "+
		"WHERE connection_id = ? AND since_us = ? AND version = ?", append(values, connectionID, ledger.Since.UnixMicro(), ledger.Version)...)
	if done.Error != nil || done.RowsAffected > 0 {
		return done.Error == nil, done.Error
	}
	_, err = findLedger(tx, accountID, connectionID) // it has been changed meanwhile, or there is none
	return false, err
}

// outdatedLedgers finds the connections that keep an order last seen before a day, those with the oldest first.
const outdatedLedgers = `
SELECT c.id, c.account_id FROM connection_ledgers l JOIN connections c ON c.id = l.connection_id
WHERE l.oldest IS NOT NULL AND l.oldest < ? ORDER BY l.oldest, l.connection_id LIMIT ?`

func (l *ConnectionLedgers) Outdated(ctx context.Context, before domain.Day, limit int) ([]domain.Connection, error) {
	var rows []struct{ ID, AccountID string }
	err := l.store.read(ctx, "look for outdated ledgers", func(db *gorm.DB) error {
		return db.Raw(outdatedLedgers, before, limit).Scan(&rows).Error
	})
	if err != nil {
		return nil, err
	}
	connections := make([]domain.Connection, len(rows))
	for i, row := range rows {
		connections[i] = domain.Connection{ID: row.ID, AccountID: row.AccountID}
	}
	return connections, nil
}

// Replace may be lost in a power cut: the ledger is outdated then as before.
func (l *ConnectionLedgers) Replace(ctx context.Context, accountID, connectionID string, ledger domain.KeptLedger) error {
	text := sealLedger(l.sealer, ledger.Text, accountID, connectionID)
	marks := l.sealMarks(ledger, accountID, connectionID)
	err := l.store.transactAs(ctx, dialect.Relaxed, "replace the ledger of a connection", func(tx *gorm.DB) error {
		_, err := changeLedger(tx, accountID, connectionID, ledger, "text = ?, oldest = ?, marks = ?", text, orNull(ledger.Oldest), marks)
		return err
	})
	return orNoConnection(err)
}

func sealLedger(sealer peers.Sealer, text []byte, accountID, connectionID string) []byte {
	return seal(sealer, compressed(text), ledgerPlace("text", accountID, connectionID)...)
}

// keepLedger stores the ledger that a pass has written, if that with which the pass has begun is still kept. The lock of its
// connection is held.
func keepLedger(tx *gorm.DB, sealer peers.Sealer, connection connectionRow, ledger *ports.PassLedger, at time.Time) error {
	if ledger == nil {
		return nil
	}
	text := sealLedger(sealer, ledger.Text, connection.AccountID, connection.ID)
	return tx.Exec("UPDATE connection_ledgers SET text = ?, oldest = ?, written_at_us = ?, "+
		"marks = CASE WHEN version = ? THEN NULL ELSE marks END, version = version + 1 WHERE connection_id = ? AND since_us = ?",
		text, orNull(ledger.Oldest), at.UnixMicro(), ledger.Version, connection.ID, ledger.Since.UnixMicro()).Error
}
