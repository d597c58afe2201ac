package storage

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"milaan/domain"
	"milaan/ports/peers"
)

// Connections stores connections.
type Connections struct{ view }

func connectionPlace(column, accountID, id string) []string {
	return []string{"connections", column, accountID, id}
}

func (c *Connections) Add(ctx context.Context, added domain.Connection, event domain.SecurityEvent) error {
	var row connectionRow
	row.fill(added)
	row.Settings = c.sealer.Seal(settingsOf(added), connectionPlace("settings", added.AccountID, added.ID)...)
	row.Failure = sealFailure(c.sealer, added.Failure, added.AccountID, added.ID)
	err := c.changeOf(ctx, "add a connection", added.AccountID, event, func(tx *gorm.DB) error {
		if err := checkBrand(tx, row); err != nil {
			return err
		}
		var n int64
		if err := tx.Model(&connectionRow{}).Where("account_id = ?", added.AccountID).Count(&n).Error; err != nil {
			return err
		}
		if n >= domain.MaxConnections {
			return domain.ErrConnections
		}
		return tx.Create(&row).Error
	})
	return c.store.resolveCommit(ctx, err, added.AccountID, &connectionRow{}, added.ID)
}

// checkBrand returns domain.ErrBrandTaken if another connection of the account has the
// brand. The account's row is locked.
func checkBrand(tx *gorm.DB, row connectionRow) error {
	var n int64
	err := tx.Model(&connectionRow{}).Where("account_id = ? AND brand = ? AND id <> ?", row.AccountID, row.Brand, row.ID).Count(&n).Error
	if err == nil && n > 0 {
		err = domain.ErrBrandTaken
	}
	return err
}

func (c *Connections) List(ctx context.Context, accountID string) ([]domain.Connection, error) {
	type listed struct {
		Row        connectionRow `gorm:"embedded"`
		KeepsItems bool
	}
	rows, err := list[listed](ctx, c.store, "list connections", func(db *gorm.DB) *gorm.DB {
		return db.Table("connections").Select("*, EXISTS (SELECT 1 FROM connection_ledgers WHERE connection_id = connections.id) AS keeps_items").
			Order("id").Where("account_id = ?", accountID)
	})
	slices.SortStableFunc(rows, func(a, b listed) int { return strings.Compare(a.Row.Brand, b.Row.Brand) })
	return eachOr(rows, err, func(row listed) (domain.Connection, error) {
		found, err := c.unsealConnection(ctx, &row.Row)
		found.KeepsItems = row.KeepsItems
		return found, err
	})
}

func (c *Connections) Find(ctx context.Context, accountID, id string) (domain.Connection, error) {
	row, err := find[connectionRow](ctx, c.store, "find a connection", domain.ErrNoConnection, "id = ? AND account_id = ?", id, accountID)
	if err != nil {
		return domain.Connection{}, err
	}
	return c.unsealConnection(ctx, &row)
}

// Update changes a connection while no other caller can. Settings that cannot be opened
// stay as they are until there are new ones: the secret may come back.
func (c *Connections) Update(
	ctx context.Context, accountID, id string, event domain.SecurityEvent, change func(*domain.Connection) error,
) (domain.Connection, error) {
	var changed domain.Connection
	err := c.changeOf(ctx, "change a connection", accountID, event, func(tx *gorm.DB) error {
		row, err := lockConnection(tx, accountID, id)
		if err != nil {
			return err
		}
		was, err := c.unsealConnection(ctx, &row)
		if err != nil {
			return err
		}
		changed = was
		if err := change(&changed); err != nil {
			return passOn(err)
		}
		changed.ID, changed.AccountID, changed.CreatedAt = was.ID, was.AccountID, was.CreatedAt
		row.fill(changed)
		if err := checkBrand(tx, row); err != nil {
			return err
		}
		if was.Shop.Connector != "" || changed.Shop.Connector != "" {
			row.Settings = c.sealer.Seal(settingsOf(changed), connectionPlace("settings", accountID, id)...)
		}
		row.Failure = sealFailure(c.sealer, changed.Failure, accountID, id)
		return tx.Save(&row).Error
	})
	return changed, orNoConnection(err)
}

func (c *Connections) Remove(ctx context.Context, accountID, id string, event domain.SecurityEvent) error {
	return orNoConnection(c.changeOf(ctx, "remove a connection", accountID, event, func(tx *gorm.DB) error {
		return changedOne(tx.Delete(&connectionRow{}, "id = ? AND account_id = ?", id, accountID), domain.ErrNoConnection)
	}))
}

// rowsOfConnection finds the rows of a connection, if it is the account's.
const rowsOfConnection = "connection_id = (SELECT id FROM connections WHERE id = ? AND account_id = ?)"

// orNoConnection says of an account that is missing that the connection is.
func orNoConnection(err error) error { return unknownAs(domain.ErrNoConnection, err) }

// lockConnection is for an account's connection. A transaction that also locks the account locks that first.
func lockConnection(tx *gorm.DB, accountID, id string) (connectionRow, error) {
	return lock[connectionRow](tx, domain.ErrNoConnection, "id = ? AND account_id = ?", id, accountID)
}

// unsealConnection returns the connection of a row. If its settings cannot be opened any
// more, it has none, and needs attention.
func (v view) unsealConnection(ctx context.Context, row *connectionRow) (domain.Connection, error) {
	c := row.connection()
	failure, err := openText[*sealedFailure](ctx, v, row.Failure, connectionPlace("failure", row.AccountID, row.ID)...)
	if err != nil {
		return domain.Connection{}, err
	}
	c.Failure = failure.failure()
	settings, err := v.open(ctx, row.Settings, connectionPlace("settings", row.AccountID, row.ID)...)
	if err != nil {
		return domain.Connection{}, err
	}
	if settings == nil {
		c.State = domain.ConnectionRefused
		return c, nil
	}
	err = readSettings(settings, &c)
	return c, err
}

func sealFailure(sealer peers.Sealer, e *domain.ConnectorError, accountID, id string) []byte {
	if e == nil {
		return nil
	}
	return sealer.Seal(encodeText(failureOf(e)), connectionPlace("failure", accountID, id)...)
}
