package service

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	"go.uber.org/fx"

	"milaan/adapters"
	"milaan/adapters/storage"
	"milaan/app"
	"milaan/config"
	"milaan/couriers"
	"milaan/tests/migrated"
	"milaan/tests/postgres"
)

// Migrated makes a database of PostgreSQL as the service leaves it at its first start. What a first start does is
// tested in tests/processes.
func Migrated(t testing.TB) string {
	t.Helper()
	return postgres.Clone(t, "service", func(databaseURL string) error {
		return migrate(config.Storage{DatabaseURL: config.DatabaseURL(databaseURL)})
	})
}

// beginMigrated does the same for SQLite, in a data directory that has no database.
var beginMigrated = migrated.Copies(func(dataDir string) error { return migrate(config.Storage{DataDir: dataDir}) })

// migrate opens the storage of a service, which brings its schema up to date, and closes it.
func migrate(where config.Storage) error {
	settings := config.Defaults()
	settings.Storage = where
	program := fx.New(config.Module(), couriers.Module(), app.Module(), adapters.Driven(), fx.NopLogger,
		fx.Replace(settings), fx.Invoke(func(*storage.Store) {}),
		fx.Decorate(func(*slog.Logger) *slog.Logger { return slog.New(slog.DiscardHandler) }))
	ctx := context.Background()
	return errors.Join(program.Start(ctx), program.Stop(ctx))
}
