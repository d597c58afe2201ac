package storage_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"
	"go.uber.org/fx/fxtest"

	"milaan/adapters/storage"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// The module fills every port from one store, and closes it at the end.
func TestModule(t *testing.T) {
	var filled struct {
		fx.In
		Accounts    ports.Accounts
		Keys        ports.Keys
		Windows     ports.RateWindows
		Sessions    ports.SessionStore
		Events      ports.SecurityEvents
		History     ports.RunHistory
		Saved       ports.SavedMappings
		Runs        ports.Runs
		Webhooks    ports.Webhooks
		Deliveries  ports.Deliveries
		Batches     ports.Batches
		Mappings    ports.Sweep
		Connections ports.Connections
		Passes      ports.Passes
		PassLog     ports.PassLog
		KeptFiles   ports.KeptFiles
		Ignored     ports.IgnoredFiles
		Ledgers     ports.ConnectionLedgers
		Mails       ports.Mails
		Alarms      ports.Alarms
		Facts       peers.Facts
		Database    peers.Database
		Store       *storage.Store
	}
	none := fx.Provide(func() storage.Outbox { return nil }, func() peers.Sealer { return nil })
	app := fxtest.New(t, fx.NopLogger, storage.Module(), none, fx.Populate(&filled),
		fx.Supply(storage.Settings{DataDir: t.TempDir()}, slog.New(slog.DiscardHandler)))
	app.RequireStart()
	require.Same(t, filled.Store, filled.Database)
	_, err := filled.Accounts.ByEmail(t.Context(), "nobody@shop.example")
	require.ErrorIs(t, err, domain.ErrNoAccount)
	require.NoError(t, filled.Database.Ready(t.Context()))
	app.RequireStop()
	require.Error(t, filled.Database.Ready(t.Context()))
}
