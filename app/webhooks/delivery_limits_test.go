package webhooks_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// engine does jobs as the real one does: a number of workers, each job again
// when it says so.
type engine struct {
	b     *memoryBench
	jobs  chan ports.Job
	ended chan string
}

// newEngine has a number of workers, which end with the context.
func newEngine(ctx context.Context, b *memoryBench, workers int) (*engine, *sync.WaitGroup) {
	e := &engine{b: b, jobs: make(chan ports.Job, 100_000), ended: make(chan string, 100_000)}
	var working sync.WaitGroup
	for range workers {
		working.Go(func() { e.work(ctx) })
	}
	return e, &working
}

func (e *engine) work(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case job := <-e.jobs:
			again, err := e.b.delivering.Deliver(ctx, job, ports.JobAttempt{})
			switch {
			case ctx.Err() != nil:
			case err != nil:
				panic(err)
			case again > 0:
				time.AfterFunc(again, func() {
					select {
					case e.jobs <- job:
					case <-ctx.Done():
					}
				})
			default:
				e.ended <- job.Delivery
			}
		}
	}
}

// TestHangingEndpointsDelayNobody has more endpoints that hang than workers.
func TestHangingEndpointsDelayNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const workers, accounts, rounds = 20, 40, 60
		b := newMemoryBench(workers, time.Now)
		hanging := map[string]bool{}
		for i := range accounts {
			id := fmt.Sprintf("account-%d", i)
			hanging[hookOf(id)] = i%2 == 0
		}
		underWay, most := map[string]int{}, 0
		b.receivers.Answer = func(endpoint string, _ int) domain.Attempt {
			b.mu.Lock()
			underWay[endpoint]++
			most = max(most, underWay[endpoint])
			b.mu.Unlock()
			defer func() {
				b.mu.Lock()
				underWay[endpoint]--
				b.mu.Unlock()
			}()
			if hanging[endpoint] {
				time.Sleep(domain.PostLimit)
				return domain.Attempt{Outcome: domain.OutcomeTimeout}
			}
			time.Sleep(30 * time.Millisecond)
			return domain.Attempt{Outcome: domain.OutcomeDelivered}
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		e, working := newEngine(ctx, b, workers)
		sent := map[string]time.Time{}
		for round := range rounds {
			for i := range accounts {
				id := fmt.Sprintf("d-%d-%d", i, round)
				sent[id] = time.Now()
				e.jobs <- b.event(fmt.Sprintf("account-%d", i), id)
			}
			time.Sleep(time.Second)
		}
		stop()
		working.Wait()

		require.LessOrEqual(t, most, 4)
		delays := map[string]time.Duration{}
		for _, p := range b.receivers.Posts {
			id := p.Headers["webhook-id"][len("evt_"):]
			if _, seen := delays[id]; !seen && !hanging[p.Endpoint] {
				delays[id] = p.At.Sub(sent[id])
			}
		}
		require.Len(t, delays, accounts/2*rounds, "each event of an endpoint that answers was posted")
		for id, delay := range delays {
			var account, round int
			_, err := fmt.Sscanf(id, "d-%d-%d", &account, &round)
			require.NoError(t, err)
			if round > 10 { // the first seconds are those in which nobody can know
				require.Less(t, delay, time.Second, id)
			}
			require.Less(t, delay, 2*domain.PostLimit, id)
		}
	})
}

// holdingBench has receivers that answer a POST with the next outcome sent to hold.
type holdingBench struct {
	*memoryBench
	hold chan domain.Outcome
}

func newHoldingBench() holdingBench {
	b := holdingBench{newMemoryBench(100, time.Now), make(chan domain.Outcome)}
	b.receivers.Answer = func(string, int) domain.Attempt { return domain.Attempt{Outcome: <-b.hold} }
	return b
}

// deliver adds an event of account-1 and delivers it.
func (b holdingBench) deliver(t *testing.T, id string) time.Duration {
	return mustDeliver(t, b.delivering, b.event("account-1", id))
}

// begin begins to deliver events of account-1, each in a goroutine of its own.
func (b holdingBench) begin(t *testing.T, ids ...string) {
	for _, id := range ids {
		go b.deliver(t, id)
	}
	synctest.Wait()
}

// answer answers that many POSTs which are held.
func (b holdingBench) answer(outcome domain.Outcome, posts int) {
	for range posts {
		b.hold <- outcome
	}
	synctest.Wait()
}

func TestAFewDeliveriesOfOneEndpointAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newHoldingBench()
		b.begin(t, "held-0", "held-1", "held-2", "held-3")
		require.Len(t, b.receivers.Posts, 4)
		require.Positive(t, b.deliver(t, "fifth"), "a fifth waits")
		require.Len(t, b.receivers.Posts, 4)
		b.answer(domain.OutcomeTimeout, 4)

		b.begin(t, "unhealthy")
		require.Len(t, b.receivers.Posts, 5)
		var waits []time.Duration
		for i := range 5000 {
			waits = append(waits, b.deliver(t, fmt.Sprint("turned-away-", i)))
		}
		require.Len(t, b.receivers.Posts, 5, "an unhealthy endpoint has one at a time")
		require.GreaterOrEqual(t, waits[0], domain.PostLimit)
		require.Greater(t, waits[20], 100*time.Second, "the more wait, the later")
		require.Greater(t, waits[2000], 2000*domain.PostLimit, "thousands do not call more often")
		require.LessOrEqual(t, waits[4999], 6*time.Hour+domain.PostLimit)
		b.answer(domain.OutcomeRefused, 1)

		b.begin(t, "well-0", "well-1", "well-2", "well-3")
		require.Len(t, b.receivers.Posts, 9, "an endpoint that answers is well again")
		b.answer(domain.OutcomeDelivered, 4)
	})
}

func TestWhatHasEndedNeedsNoPlace(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newHoldingBench()
		b.begin(t, "held-0", "held-1", "held-2", "held-3")
		job := b.event("account-1", "settled")
		require.Positive(t, mustDeliver(t, b.delivering, job))
		require.NoError(t, b.doing("settled", func(d *domain.Delivery) error {
			d.State = domain.DeliveryFailed
			return nil
		}))
		require.Zero(t, mustDeliver(t, b.delivering, job))
		close(b.hold)
		synctest.Wait()
	})
}

func TestUnhealthynessEndsByItself(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newHoldingBench()
		b.begin(t, "first")
		b.answer(domain.OutcomeUnreachable, 1)
		time.Sleep(time.Minute)
		b.begin(t, "second", "third")
		require.Len(t, b.receivers.Posts, 3)
		b.answer(domain.OutcomeDelivered, 2)
	})
}

func TestASlowPostHoldsOneWorker(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newHoldingBench()
		b.begin(t, "first")
		time.Sleep(time.Second)
		require.Positive(t, b.deliver(t, "second"), "it is not yet known to hang, and looks like it")
		b.answer(domain.OutcomeDelivered, 1)
		b.begin(t, "second")
		require.Len(t, b.receivers.Posts, 2)
		b.answer(domain.OutcomeDelivered, 1)
	})
}

func TestSlowAnswersMakeAnEndpointUnhealthy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newHoldingBench()
		// post makes one delivery, which is answered after a time.
		post := func(id string, took time.Duration) {
			b.begin(t, id)
			time.Sleep(took)
			b.answer(domain.OutcomeDelivered, 1)
		}
		post("quick enough", 2*time.Second)
		b.begin(t, "well-1", "well-2")
		require.Len(t, b.receivers.Posts, 3)
		b.answer(domain.OutcomeDelivered, 2)

		post("slow", 4900*time.Millisecond)
		b.begin(t, "unhealthy")
		require.Len(t, b.receivers.Posts, 5)
		require.GreaterOrEqual(t, b.deliver(t, "turned-away"), domain.PostLimit, "one at a time")
		require.Len(t, b.receivers.Posts, 5)
		b.answer(domain.OutcomeDelivered, 1)

		b.begin(t, "well-3", "well-4")
		require.Len(t, b.receivers.Posts, 7, "a quick answer makes it well")
		b.answer(domain.OutcomeDelivered, 2)
	})
}

// TestABurstIsCaughtUpWith has a thousand events of one endpoint come at once.
func TestABurstIsCaughtUpWith(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const burst, took = 1000, 50 * time.Millisecond
		b := newMemoryBench(100, time.Now)
		b.receivers.Answer = func(string, int) domain.Attempt {
			time.Sleep(took)
			return domain.Attempt{Outcome: domain.OutcomeDelivered}
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		e, working := newEngine(ctx, b, 100)
		began := time.Now()
		for i := range burst {
			e.jobs <- b.event("account-1", fmt.Sprint(i))
		}
		for range burst {
			<-e.ended
		}
		require.Less(t, time.Since(began), burst*took, "four times what four at once need")
		stop()
		working.Wait()
	})
}
