package conformance_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
)

// A statement that cannot be compiled is an error and no panic.
func TestStatementsThatCannotBeCompiled(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s := ports(opened(t, settings))
		require.NoError(t, s.Accounts.Create(t.Context(), account))
		require.NoError(t, submit(t.Context(), s, "batch"))
		behind := raw(t, settings)
		_, err := behind.Exec("ALTER TABLE batches RENAME COLUMN completed TO renamed")
		require.NoError(t, err)
		end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: "batch"}, At: start}
		require.Error(t, s.Runs.Settle(t.Context(), account.ID, func(b port.RunBook) error { return b.EndJob(end) }))
		_, err = behind.Exec("ALTER TABLE batch_jobs RENAME COLUMN took_us TO renamed")
		require.NoError(t, err)
		_, err = s.Batches.Load(t.Context())
		require.Error(t, err)
	})
}
