package app_test

import (
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/fx"

	"milaan/adapters/secrets"
	"milaan/app"
	"milaan/ports"
)

// TestModuleHasEveryUseCase asks for each, given what the adapters provide.
func TestModuleHasEveryUseCase(t *testing.T) {
	nothing := func() (ports.Accounts, ports.Keys, ports.RateWindows, ports.Runs, ports.Webhooks, ports.Deliveries, ports.Batches, ports.Claims, ports.Sessions) {
		return nil, nil, nil, nil, nil, nil, nil, nil, nil
	}
	more := func() (ports.SessionIssuer, ports.Pseudonyms, ports.Storefronts, ports.Couriers, ports.Poster, ports.Summaries, ports.BatchAnswers, ports.Subkeys, ports.Clock, ports.Background) {
		return nil, nil, nil, nil, nil, nil, nil, secrets.New([]byte("a secret")), nil, ports.Background{}
	}
	rest := func() (ports.Seals, ports.Agreement, ports.Upkeep, ports.BatchJobs) { return nil, nil, nil, nil }
	require.NoError(t, fx.New(app.Module, fx.NopLogger, fx.Provide(nothing, more, rest), fx.Supply(slog.New(slog.DiscardHandler)), fx.Invoke(func(
		ports.Gate, ports.IssuingKeys, ports.ManagingAccounts, ports.IssuingSessions, *app.Housekeeping, ports.Reconciling, ports.Demo,
		ports.Batching, ports.ManagingWebhooks, ports.ManagingDeliveries, ports.ManagingSecrets, ports.Work,
	) {
	})).Err())
}
