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
)

// What the batches of all accounts keep is limited, to the byte, however many
// are submitted at once and by whichever process.
func TestQuotaOfAllBatches(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		const size, fit = 100, 7
		settings.BatchQuota = size*fit + size/2
		one, other, behind := ports(opened(t, settings)), ports(opened(t, settings)), raw(t, settings)
		accounts := make([]domain.Account, 4)
		for i := range accounts {
			accounts[i] = account
			accounts[i].ID, accounts[i].Email = fmt.Sprint("account", i), fmt.Sprintf("account%d@shop.example", i)
			require.NoError(t, one.Accounts.Create(t.Context(), accounts[i]))
		}
		request := port.Request{Storefront: make([]byte, size)}
		add := func(i int) error {
			s := one
			if i%2 == 1 {
				s = other
			}
			b := domain.Batch{ID: fmt.Sprint("batch", i), AccountID: accounts[i%len(accounts)].ID, Jobs: 1, SubmittedAt: start}
			return s.Batches.Submit(t.Context(), b, []port.Request{request}, domain.Claim{})
		}
		errs := make([]error, 32)
		var all sync.WaitGroup
		for i := range errs {
			all.Go(func() { errs[i] = add(i) })
		}
		all.Wait()
		var taken []int
		for i, err := range errs {
			if err == nil {
				taken = append(taken, i)
				continue
			}
			require.ErrorIs(t, err, domain.ErrBatchQuota)
		}
		require.Len(t, taken, fit)
		kept := func() (total, sum, batches int64) {
			require.NoError(t, behind.QueryRow("SELECT kept_bytes FROM batch_totals").Scan(&total))
			require.NoError(t, behind.QueryRow("SELECT COALESCE(SUM(CASE WHEN dropped THEN 0 ELSE kept_bytes END), 0), COUNT(*) FROM batches").Scan(&sum, &batches))
			return total, sum, batches
		}
		total, sum, batches := kept()
		require.Equal(t, []int64{size * fit, size * fit, fit}, []int64{total, sum, batches}, "a refused batch leaves nothing")
		require.Len(t, jobsAdded(t, behind), fit)

		// A job's end replaces files by a result, and a sweep, even two at once,
		// frees the result once.
		for _, i := range taken[:3] {
			end := port.JobEnd{BatchJob: domain.BatchJob{BatchID: fmt.Sprint("batch", i)}, At: start, Result: []byte("{}")}
			require.NoError(t, one.Runs.Settle(t.Context(), accounts[i%len(accounts)].ID, func(b port.RunBook) error { return b.EndJob(end) }))
		}
		total, sum, _ = kept()
		require.Equal(t, sum, total)
		require.Less(t, total, int64(size*fit))
		all.Go(func() { _ = other.Batches.Sweep(t.Context(), start.Add(time.Hour), time.Time{}) })
		require.NoError(t, one.Batches.Sweep(t.Context(), start.Add(time.Hour), time.Time{}))
		all.Wait()
		total, sum, _ = kept()
		require.Equal(t, []int64{size * (fit - 3), size * (fit - 3)}, []int64{total, sum})
		for i := range 3 {
			require.NoError(t, add(100+i))
		}
		require.ErrorIs(t, add(200), domain.ErrBatchQuota)

		// Whoever deletes batches by hand takes them out of the count.
		execute(t, behind, "DELETE FROM batches")
		total, _, _ = kept()
		require.Zero(t, total)
	})
}

// Without a quota there is no limit but each account's.
func TestNoQuota(t *testing.T) {
	onBoth(t, func(t *testing.T, settings storage.Settings) {
		s, behind := ports(opened(t, settings)), raw(t, settings)
		require.NoError(t, s.Accounts.Create(t.Context(), account))
		execute(t, behind, "UPDATE batch_totals SET kept_bytes = 1000000000000000")
		require.NoError(t, submit(t.Context(), s, "batch"))
	})
}
