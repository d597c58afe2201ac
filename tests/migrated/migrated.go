// Package migrated makes SQLite databases that have been migrated. Each is a copy of one,
// because a copy takes less time than the migrations.
package migrated

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// File is the name of the SQLite file in a data directory.
const File = "milaan.db"

// Copies returns a function that begins a data directory: it makes the directory if there is
// none, and copies a migrated File into it if it has none. migrate makes that File in an empty
// directory and closes it. It is called once.
func Copies(migrate func(dataDir string) error) (begin func(dataDir string) error) {
	template := sync.OnceValues(func() ([]byte, error) {
		folder, err := os.MkdirTemp("", "milaan-template-")
		if err != nil {
			return nil, err
		}
		defer func() { _ = os.RemoveAll(folder) }()
		if err := migrate(folder); err != nil {
			return nil, err
		}
		return os.ReadFile(filepath.Join(folder, File))
	})
	return func(dataDir string) error {
		path := filepath.Join(dataDir, File)
		if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		text, err := template()
		if err != nil {
			return err
		}
		return errors.Join(os.MkdirAll(dataDir, 0o700), os.WriteFile(path, text, 0o600))
	}
}
