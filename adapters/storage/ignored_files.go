package storage

import (
	"context"

	"gorm.io/gorm"

	"milaan/domain"
)

// IgnoredFiles stores which files people have said to ignore. One that cannot be opened any more
// counts as absent.
type IgnoredFiles struct{ view }

func ignoredPlace(accountID, id string) []string {
	return []string{"ignored_files", "file", accountID, id}
}

func (i *IgnoredFiles) Add(
	ctx context.Context, file domain.IgnoredFile, event domain.SecurityEvent,
) (stored domain.IgnoredFile, err error) {
	text := encodeText(sealedIgnored{file.Name, file.Version, storedOrNone(file.Modified), bytesOfSum(file.Sum)})
	row := ignoredFileRow{ID: file.ID, ConnectionID: file.ConnectionID, SourceID: file.SourceID, AtUs: file.At.UnixMicro(),
		File: i.sealer.Seal(text, ignoredPlace(file.AccountID, file.ID)...)}
	err = i.changeOf(ctx, "ignore a file", file.AccountID, noEvent, func(tx *gorm.DB) error {
		if _, err := lockConnection(tx, file.AccountID, file.ConnectionID); err != nil {
			return err
		}
		var rows []ignoredFileRow
		if err := tx.Find(&rows, "connection_id = ?", file.ConnectionID).Error; err != nil {
			return err
		}
		all, err := i.opened(ctx, file.AccountID, rows)
		if err != nil {
			return err
		}
		for _, stored = range all {
			if stored.SourceID == file.SourceID && stored.Name == file.Name && stored.Version == file.Version {
				return nil
			}
		}
		if len(rows) >= domain.MaxIgnoredFiles {
			return domain.ErrIgnored
		}
		stored = file
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		return i.add(tx, file.AccountID, event)
	})
	return stored, orNoConnection(err)
}

func (i *IgnoredFiles) List(ctx context.Context, accountID, connectionID string) ([]domain.IgnoredFile, error) {
	rows, err := list[ignoredFileRow](ctx, i.store, "list ignored files", func(db *gorm.DB) *gorm.DB {
		return db.Where(rowsOfConnection, connectionID, accountID).Order("at_us DESC, id DESC")
	})
	if err != nil {
		return nil, err
	}
	return i.opened(ctx, accountID, rows)
}

// opened returns the files of rows, but for those that cannot be opened any more.
func (i *IgnoredFiles) opened(ctx context.Context, accountID string, rows []ignoredFileRow) (files []domain.IgnoredFile, err error) {
	for _, row := range rows {
		stored, err := openText[*sealedIgnored](ctx, i.view, row.File, ignoredPlace(accountID, row.ID)...)
		if err != nil {
			return nil, err
		}
		if stored == nil {
			continue
		}
		file := domain.IgnoredFile{ID: row.ID, AccountID: accountID, ConnectionID: row.ConnectionID, SourceID: row.SourceID, Name: stored.Name,
			Version: stored.Version, Modified: momentOrNone(stored.ModifiedUs), At: moment(row.AtUs)}
		copy(file.Sum[:], stored.Sum)
		files = append(files, file)
	}
	return files, nil
}

func (i *IgnoredFiles) Remove(ctx context.Context, accountID, connectionID, id string, event domain.SecurityEvent) error {
	err := i.changeOf(ctx, "take an ignored file back", accountID, event, func(tx *gorm.DB) error {
		return changedOne(tx.Exec("DELETE FROM ignored_files WHERE id = ? AND "+rowsOfConnection, id, connectionID, accountID),
			domain.ErrNoIgnored)
	})
	return orNoConnection(err)
}
