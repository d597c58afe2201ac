package storage

import (
	"context"
	"time"

	"gorm.io/gorm"

	"milaan/domain"
)

// KeptFiles stores kept files. One whose name or content cannot be opened any more counts
// as absent.
type KeptFiles struct{ view }

func fileNamePlace(accountID, id string) []string {
	return []string{"kept_files", "name", accountID, id}
}

func fileContentPlace(accountID, id string) []string {
	return []string{"kept_contents", "content", accountID, id}
}

func (k *KeptFiles) Add(ctx context.Context, file domain.KeptFile, content []byte) error {
	row := keptFileRow{ID: file.ID, ConnectionID: file.ConnectionID, SourceID: file.SourceID, Bytes: int64(len(content)),
		AtUs: file.At.UnixMicro(), Name: k.sealer.Seal([]byte(file.Name), fileNamePlace(file.AccountID, file.ID)...)}
	kept := keptContentRow{file.ID, k.sealer.Seal(content, fileContentPlace(file.AccountID, file.ID)...)}
	return k.store.transact(ctx, "keep a file", func(tx *gorm.DB) error {
		if _, err := lockConnection(tx, file.AccountID, file.ConnectionID); err != nil {
			return err
		}
		var rows []keptFileRow
		if err := tx.Find(&rows, "connection_id = ?", file.ConnectionID).Error; err != nil {
			return err
		}
		files, size := 1, row.Bytes
		var gone []string
		for _, other := range rows {
			name, err := k.nameOf(ctx, file.AccountID, other)
			switch {
			case err != nil:
				return err
			case name == "", other.SourceID == file.SourceID && name == file.Name:
				gone = append(gone, other.ID)
			default:
				files, size = files+1, size+other.Bytes
			}
		}
		if files > domain.MaxKeptFiles || size > domain.MaxKeptBytes {
			return domain.ErrKeptFiles
		}
		if len(gone) > 0 {
			if err := tx.Delete(&keptFileRow{}, "id IN ?", gone).Error; err != nil {
				return err
			}
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		return tx.Create(&kept).Error
	})
}

// nameOf returns the name of a file; blank if it cannot be opened any more.
func (k *KeptFiles) nameOf(ctx context.Context, accountID string, row keptFileRow) (string, error) {
	name, err := k.open(ctx, row.Name, fileNamePlace(accountID, row.ID)...)
	return string(name), err
}

func (k *KeptFiles) List(ctx context.Context, accountID, connectionID string) ([]domain.KeptFile, error) {
	rows, err := list[keptFileRow](ctx, k.store, "list kept files", func(db *gorm.DB) *gorm.DB {
		return db.Where(rowsOfConnection, connectionID, accountID).Order("at_us DESC, id DESC")
	})
	if err != nil {
		return nil, err
	}
	var files []domain.KeptFile
	for _, row := range rows {
		name, err := k.nameOf(ctx, accountID, row)
		switch {
		case err != nil:
			return nil, err
		case name == "":
			continue
		}
		files = append(files, domain.KeptFile{ID: row.ID, AccountID: accountID, ConnectionID: connectionID, SourceID: row.SourceID,
			Name: name, Bytes: row.Bytes, At: moment(row.AtUs)})
	}
	return files, nil
}

const contentOfFile = `
SELECT k.content FROM kept_files f JOIN connections c ON c.id = f.connection_id JOIN kept_contents k ON k.file_id = f.id
WHERE f.id = ? AND c.id = ? AND c.account_id = ?`

func (k *KeptFiles) Read(ctx context.Context, accountID, connectionID, id string) ([]byte, error) {
	var sealed []byte
	err := k.store.read(ctx, "read a kept file", func(db *gorm.DB) error {
		found, err := scanFirst(db.Raw(contentOfFile, id, connectionID, accountID), &sealed)
		if err == nil && !found {
			return domain.ErrNoKeptFile
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return k.openOr(ctx, domain.ErrNoKeptFile, sealed, fileContentPlace(accountID, id)...)
}

func (k *KeptFiles) Remove(ctx context.Context, accountID, connectionID, id string) error {
	return k.store.transact(ctx, "remove a kept file", func(tx *gorm.DB) error {
		return changedOne(tx.Exec("DELETE FROM kept_files WHERE id = ? AND "+rowsOfConnection, id, connectionID, accountID), domain.ErrNoKeptFile)
	})
}

// sweepKeptFiles deletes the files that were kept before a time, as many in one
// transaction as one may delete.
func (s *Store) sweepKeptFiles(ctx context.Context, before time.Time) error {
	return s.sweep(ctx, "sweep the kept files", func(tx *gorm.DB) (more bool, err error) {
		var rows []keptFileRow
		err = tx.Select("id", "bytes").Where("at_us < ?", before.UnixMicro()).Order("at_us").Limit(batchesSwept).Find(&rows).Error
		if err != nil || len(rows) == 0 {
			return false, err
		}
		ids := sweptTogether(rows, func(row *keptFileRow) (string, int64) { return row.ID, row.Bytes })
		return true, tx.Delete(&keptFileRow{}, "id IN ?", ids).Error
	})
}
