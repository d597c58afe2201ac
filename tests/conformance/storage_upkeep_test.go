package conformance_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/only"
)

// A statement that cannot be compiled is an error and no panic.
func TestStatementsThatCannotBeCompiled(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s := withAccount(t, settings)
		require.NoError(t, submit(t.Context(), s, "batch"))
		behind := raw(t, settings)
		require.NoError(t, only.Err(behind.Exec("ALTER TABLE batches RENAME COLUMN completed TO renamed")))
		end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: "batch"}, At: start}
		require.Error(t, s.Runs.Update(t.Context(), account.ID, func(b port.RunBook) error { return b.Write(port.Entry{End: end}) }))
		require.NoError(t, only.Err(behind.Exec("ALTER TABLE batch_jobs RENAME COLUMN took_us TO renamed")))
		require.Error(t, only.Err(s.Batches.Load(t.Context(), account.ID, 1)))
	})
}

// What an account's batches keep is limited: their files until a job ends, and
// then its result, until that is deleted.
func TestKeptBytesAreLimited(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s, behind := withAccount(t, settings), raw(t, settings)
		neighbour := another(t, s, "neighbour")
		kept := func() (bytes, stored int64) {
			require.NoError(t, behind.QueryRow("SELECT SUM(kept_bytes) FROM batches").Scan(&bytes))
			require.NoError(t, behind.QueryRow("SELECT COALESCE(SUM(LENGTH(result)), 0) FROM batch_jobs").Scan(&stored))
			return bytes, stored
		}
		request := port.Request{Storefront: []byte("orders"), Courier: []byte("lines")}
		size := int64(len("orders") + len("lines"))
		batch := domain.Batch{ID: "first", AccountID: account.ID, Jobs: 2, SubmittedAt: start}
		require.NoError(t, s.Batches.Submit(t.Context(), batch, []port.Request{request, request}, domain.RequestClaim{}))
		files, _ := kept()
		require.Equal(t, 2*size, files)
		for position := range batch.Jobs {
			end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: batch.ID, Position: position}, At: start, Result: make([]byte, 1000)}
			require.NoError(t, s.Runs.Update(t.Context(), account.ID, func(b port.RunBook) error { return b.Write(port.Entry{End: end}) }))
			got, stored := kept()
			require.Equal(t, stored+size*int64(1-position), got, "the result takes the place of the files")
		}

		require.NoError(t, only.Err(behind.Exec("UPDATE batches SET kept_bytes = $1", domain.MaxKept-size)))
		add := func(id, accountID string) error {
			return s.Batches.Submit(t.Context(), domain.Batch{ID: id, AccountID: accountID, SubmittedAt: start}, []port.Request{request}, domain.RequestClaim{})
		}
		require.NoError(t, add("that fits", account.ID))
		require.ErrorIs(t, add("that does not", account.ID), domain.ErrKeptResults)
		require.NoError(t, add("of a neighbour", neighbour.ID))
		require.Len(t, jobsAdded(t, behind), 2+1+1)
		require.NoError(t, s.Sweep(t.Context(), port.Expiry{Results: start.Add(time.Hour)}))
		require.NoError(t, add("after results were deleted", account.ID))
	})
}
