//go:build !race

// The race detector also checks addresses, and takes those that SQLite's translated
// C hands to the layer below it for faults.

package conformance_test

import (
	"errors"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/adapters/wording"
	"milaan/domain"
	port "milaan/ports"
	"milaan/ports/peers"
	"milaan/tests/conformance"
	"milaan/tests/powercut"
)

// clients has the names for clients of the API, for sentences that name no field and no
// file.
type clients struct{ peers.Names }

func (clients) Surface() peers.Surface { return peers.API }

// On a full disk every write says so, to the log and not to the caller; the
// service is not ready, and is again as soon as there is space.
func TestDiskIsFull(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "data")
	disk := powercut.Watch(t, folder)
	store := opened(t, storage.Settings{DataDir: folder})
	s := ports(store)
	ctx := t.Context()
	require.NoError(t, s.Accounts.Create(ctx, account))
	require.NoError(t, s.Database.Ready(ctx))

	disk.Limit(1)
	for call, err := range map[string]error{"a run": settle(ctx, s, "run"), "a batch": submit(ctx, s, "batch"),
		"a start": store.Migrate(ctx), "a key": s.Keys.Rotate(ctx, key, domain.SecurityEvent{}), "a window": s.Sweep(ctx, port.Expiry{Windows: start}), "readiness": s.Database.Ready(ctx)} {
		if call == "a window" && err == nil {
			continue // there was none to sweep
		}
		require.ErrorIs(t, err, domain.ErrDatabase, call)
		require.ErrorContains(t, err, "the disk is full", call)
		require.ErrorContains(t, err, folder, call)
		require.NotContains(t, wording.New().Message(err, clients{}), folder, call)
		told, _ := errors.AsType[*domain.Error](err)
		_, _, known := domain.KindOf(told.Cause)
		require.False(t, known, "commands show no cause that is a code: %s", call)
	}
	_, err := storage.Open(ctx, storage.Settings{DataDir: folder, Evidence: filepath.Join(folder, "milaan.db")}, slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "the disk is full: free some space in "+folder, "a further process")
	_, err = s.Accounts.ByEmail(ctx, account.Email)
	require.NoError(t, err, "what is there can be read")

	disk.Limit(0)
	require.NoError(t, s.Database.Ready(ctx))
	require.NoError(t, settle(ctx, s, "run"))
	require.NoError(t, s.Keys.Rotate(ctx, key, domain.SecurityEvent{}))
	require.Equal(t, 1, conformance.RunsSince(t, s, account.ID, start))
}
