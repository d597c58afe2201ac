package conformance_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storage"
	"milaan/domain"
	port "milaan/ports"
	"milaan/tests/conformance"
	"milaan/tests/only"
)

// What the batches of all accounts keep is limited, to the byte, however many
// are submitted at once and by whichever process.
func TestQuotaOfAllBatches(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		const size, fit = 100, 7
		settings.BatchQuota = size*fit + size/2
		one, other, behind := ports(opened(t, settings)), ports(opened(t, settings)), raw(t, settings)
		accounts := make([]domain.Account, 4)
		for i := range accounts {
			accounts[i] = another(t, one, fmt.Sprint("account", i))
		}
		request := port.Request{Storefront: make([]byte, size)}
		add := func(s conformance.Storage, i int) error {
			b := domain.Batch{ID: fmt.Sprint("batch", i), AccountID: accounts[i%len(accounts)].ID, Jobs: 1, SubmittedAt: start}
			return s.Batches.Submit(t.Context(), b, []port.Request{request}, domain.RequestClaim{})
		}
		taken := conformance.Succeeded(t, conformance.InParallel(one, other, add), domain.ErrBatchQuota)
		require.Len(t, taken, fit)
		kept := func() (sum, batches int64) {
			require.NoError(t, behind.QueryRow("SELECT COALESCE(SUM(CASE WHEN dropped THEN 0 ELSE kept_bytes END), 0), COUNT(*) FROM batches").Scan(&sum, &batches))
			return sum, batches
		}
		sum, batches := kept()
		require.Equal(t, []int64{size * fit, fit}, []int64{sum, batches}, "a refused batch leaves nothing")
		require.Len(t, jobsAdded(t, behind), fit)

		// A job's end replaces files by a result, and a sweep, even two at once,
		// frees the result once.
		for _, i := range taken[:3] {
			end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: fmt.Sprint("batch", i)}, At: start, Result: []byte("{}")}
			require.NoError(t, one.Write(t.Context(), accounts[i%len(accounts)].ID, port.Entry{End: end}))
		}
		sum, _ = kept()
		require.Less(t, sum, int64(size*fit))
		var all sync.WaitGroup
		all.Go(func() { _ = other.Sweep(t.Context(), port.Expiry{Results: start.Add(time.Hour)}) })
		require.NoError(t, one.Sweep(t.Context(), port.Expiry{Results: start.Add(time.Hour)}))
		all.Wait()
		sum, _ = kept()
		require.Equal(t, int64(size*(fit-3)), sum)
		for i := range 3 {
			require.NoError(t, add(one, 100+i))
		}
		require.ErrorIs(t, add(other, 200), domain.ErrBatchQuota)

		// Whoever deletes batches by hand takes them out of the count.
		execute(t, behind, "DELETE FROM batches")
		require.NoError(t, add(one, 300))
	})
}

// Batches of several accounts that were let in at the same time, while none of
// them was stored, are counted one after the other.
func TestQuotaOfBatchesStoredAtOnce(t *testing.T) {
	const size, accounts = 100, 4
	settings := storage.Settings{DatabaseURL: clone(t), BatchQuota: size}
	stores := []conformance.Storage{ports(opened(t, settings)), ports(opened(t, settings))}
	behind := raw(t, settings)
	for i := range accounts {
		another(t, stores[0], fmt.Sprint("account", i))
	}
	tx := only.Value(behind.BeginTx(t.Context(), nil))(t)
	defer func() { _ = tx.Rollback() }()
	require.NoError(t, only.Err(tx.ExecContext(t.Context(), "LOCK TABLE batch_jobs IN SHARE MODE")))
	errs := make([]error, accounts)
	var all sync.WaitGroup
	for i := range errs {
		all.Go(func() {
			b := domain.Batch{ID: fmt.Sprint("batch", i), AccountID: fmt.Sprint("account", i), Jobs: 1, SubmittedAt: start}
			errs[i] = stores[i%len(stores)].Batches.Submit(t.Context(), b, []port.Request{{Storefront: make([]byte, size)}}, domain.RequestClaim{})
		})
	}
	require.Eventually(t, func() bool {
		var waiting int
		require.NoError(t, behind.QueryRow("SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = 'batch_jobs'::regclass").Scan(&waiting))
		return waiting == accounts
	}, 8*time.Second, 5*time.Millisecond, "all have been let in")
	require.NoError(t, tx.Rollback())
	all.Wait()
	require.Len(t, conformance.Succeeded(t, errs, domain.ErrBatchQuota), 1)
}

// Of what the batches of all accounts keep there is no number that each change of
// a batch would have to wait for: on PostgreSQL, jobs end, batches are submitted
// and swept while a transaction of another account has not ended.
func TestQuotaHoldsUpNobody(t *testing.T) {
	settings := storage.Settings{DatabaseURL: clone(t), BatchQuota: 1 << 30}
	s, behind := withAccount(t, settings), raw(t, settings)
	slow := another(t, s, "slow")
	require.NoError(t, s.Batches.Submit(t.Context(), domain.Batch{ID: "slow", AccountID: slow.ID, Jobs: 1, SubmittedAt: start},
		[]port.Request{{Storefront: make([]byte, 100)}}, domain.RequestClaim{}))
	tx := only.Value(behind.BeginTx(t.Context(), nil))(t)
	defer func() { require.NoError(t, tx.Rollback()) }()
	require.NoError(t, only.Err(tx.ExecContext(t.Context(), "UPDATE batches SET kept_bytes = 200 WHERE id = 'slow'")))

	largeBatch(t, s, "batch", 100)
	endBatch(t, s, "batch", 10)
	require.NoError(t, s.Sweep(t.Context(), port.Expiry{Results: start.Add(time.Hour), Batches: start}))
}

// Without a quota there is no limit but each account's.
func TestNoQuota(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s, behind := withAccount(t, settings), raw(t, settings)
		other := another(t, s, "other")
		require.NoError(t, submit(t.Context(), s, "batch"))
		execute(t, behind, "UPDATE batches SET kept_bytes = 1000000000000000")
		require.NoError(t, s.Batches.Submit(t.Context(), domain.Batch{ID: "another", AccountID: other.ID, Jobs: 1, SubmittedAt: start},
			[]port.Request{{Storefront: make([]byte, 100)}}, domain.RequestClaim{}))
	})
}
