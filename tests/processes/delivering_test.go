package processes_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
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

// More events wait for endpoints that hang than there are workers, half of those
// that follow are for such endpoints too, and the other half comes as if there
// were none: the delay is that from the run's time to the POST.
func TestHangingEndpointsDelayNobody(t *testing.T) {
	heavy(t)
	alongside(t)
	onSQLite(t, func(t *testing.T, in *installation) {
		const (
			workers   = 200 // that deliver
			jobs      = 20  // of a batch, as many as it may have
			flood     = 2 * workers / jobs
			perSecond = 100
		)
		seconds := size(1, 6, 60)
		steady := seconds * perSecond / jobs
		endpoint := newReceiver(t)
		each := (flood+steady/2)/8 + 1 // by the rate of a key
		unhealthy, well := in.accounts(t, each, -1), in.accounts(t, each, -1)
		in.watch(t, endpoint, "/hang/", unhealthy...)
		in.watch(t, endpoint, "/ok/", well...)
		r := in.start(t, toThisMachine)
		submit := func(i int, a account) []string {
			brands := make([]string, jobs)
			for j := range brands {
				brands[j] = brandOf(i*jobs + j)
			}
			r.submit(t, a, bytes.NewReader(batchBody(brands)))
			return brands
		}
		for i := range flood {
			submit(i, unhealthy[i%each])
		}
		pace := time.NewTicker(time.Second * jobs / perSecond)
		defer pace.Stop()
		healthy := map[string]bool{}
		for i := range steady {
			<-pace.C
			if i%2 == 0 {
				submit(flood+i, unhealthy[i/2%each])
				continue
			}
			for _, brand := range submit(flood+i, well[i/2%each]) {
				healthy[brand] = true
			}
		}
		var delays []time.Duration
		arrived := func() int {
			delays = delays[:0]
			for _, posts := range endpoint.seen() {
				var s summary
				if json.Unmarshal(posts[0].body, &s) != nil || !healthy[s.Brand] {
					continue
				}
				ran, err := time.Parse("2006-01-02T15:04:05.000Z", s.RunAt)
				require.NoError(t, err)
				delays = append(delays, posts[0].at.Sub(ran))
			}
			return len(delays)
		}
		require.Eventually(t, func() bool { return arrived() == len(healthy) }, recovery, 50*time.Millisecond, "an event for a healthy endpoint is missing")
		t.Logf("%d events for %d endpoints that hang, then %d a second for %d s of which half hang: %d healthy deliveries, delays %s; at most %d POSTs hung at once",
			flood*jobs, each, perSecond, seconds, len(delays), waits(delays), endpoint.mostHung())
		slices.Sort(delays)
		require.LessOrEqual(t, endpoint.mostHung(), workers/2, "workers are left to those that answer")
		require.Less(t, delays[len(delays)/2], domain.PostLimit, "the median: nobody waits for a POST that hangs")
	})
}
