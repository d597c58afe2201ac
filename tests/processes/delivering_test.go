package processes_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A queue full of batches leaves the service to those who wait for an answer: in
// the time that it takes they get through one after the other.
func TestBatchesDoNotStarveRuns(t *testing.T) {
	alongside(t)
	onSQLite(t, func(t *testing.T, in *installation) {
		const rows, jobs = 4_500, 20 // as many rows as fit the body
		runs, batches := size(30, 60, 400), size(1, 2, 10)
		hands, batchers := in.accounts(t, 2*runs/8+1, -1), in.accounts(t, batches/8+1, -1)
		r := in.start(t)
		measure := func(from int, goOn func() bool) (took []time.Duration) {
			for i := 0; i < runs && goOn(); i++ {
				a := smallCargo().haul(t, r, hands[(from+i)/8%len(hands)].key, brandOf(from+i))
				require.Equal(t, http.StatusOK, a.status, "%s %v", a.body, a.err)
				took = append(took, a.took)
			}
			return took
		}
		idle := measure(0, func() bool { return true })

		job := newCargo(rows, false)
		for i := range batches {
			r.submit(t, batchers[i/8], strings.NewReader(job.batch(2*runs+i*jobs, jobs)))
		}
		const open = "SELECT COUNT(*) FROM batch_jobs WHERE ended_at_us IS NULL"
		left := in.count(t, open)
		full := measure(runs, func() bool { return in.count(t, open) > 0 })
		still := in.count(t, open)
		t.Logf("runs of 500 orders, one after the other: %d with an idle queue, %s; %d with a queue of %d to %d jobs of %d orders, %s",
			len(idle), waits(idle), len(full), left, still, rows, waits(full))
		require.GreaterOrEqual(t, len(full), min(runs, left/5), "they wait for the queue to end")
		require.Eventually(t, func() bool { return in.count(t, open) == 0 }, recovery, 100*time.Millisecond, "jobs are left undone")
	})
}
