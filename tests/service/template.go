package service

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"go.uber.org/fx"

	"milaan/adapters"
	"milaan/adapters/storage"
	"milaan/app"
	"milaan/config"
	"milaan/couriers"
	"milaan/tests/postgres"
)

// databaseFile is the name of the SQLite file in the data directory.
const databaseFile = "milaan.db"

// Migrated makes a database of PostgreSQL as the service leaves it at its first start. What a first start does is
// tested in tests/processes.
func Migrated(t testing.TB) string {
	t.Helper()
	return postgres.Clone(t, "service", func(databaseURL string) error {
		return migrate(config.Storage{DatabaseURL: config.DatabaseURL(databaseURL)})
	})
}

// beginMigrated does the same for SQLite, in a data directory that has no database.
func beginMigrated(folder string) error {
	path := filepath.Join(folder, databaseFile)
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := template()
	if err != nil {
		return err
	}
	return os.WriteFile(path, text, 0o600)
}

// template is the SQLite file of a database that has been migrated.
var template = sync.OnceValues(func() ([]byte, error) {
	folder, err := os.MkdirTemp("", "milaan-template-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	if err := migrate(config.Storage{DataDir: folder}); err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(folder, databaseFile))
})

// migrate opens the storage of a service, which brings its schema up to date, and closes it.
func migrate(where config.Storage) error {
	settings := config.Defaults()
	settings.Storage = where
	program := fx.New(config.Module, couriers.Module, app.Module, adapters.Driven, fx.NopLogger,
		fx.Replace(settings), fx.Invoke(func(*storage.Store) {}),
		fx.Decorate(func(*slog.Logger) *slog.Logger { return slog.New(slog.DiscardHandler) }))
	ctx := context.Background()
	return errors.Join(program.Start(ctx), program.Stop(ctx))
}
