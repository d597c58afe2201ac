package app_test

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
	synctest.Test(t, func(t *testing.T) {
		const workers, accounts, rounds = 20, 40, 60
		b := newMemoryBench(workers, time.Now)
		hanging := map[string]bool{}
		for i := range accounts {
			id := fmt.Sprintf("account-%d", i)
			hanging[hookOf(id)] = i%2 == 0
		}
		underWay, most := map[string]int{}, 0
		b.receivers.answer = func(endpoint string, _ int) domain.Attempt {
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
		e := &engine{b: b, jobs: make(chan ports.Job, 100_000), ended: make(chan string, 100_000)}
		var working sync.WaitGroup
		for range workers {
			working.Go(func() { e.work(ctx) })
		}
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
		for _, p := range b.receivers.posts {
			id := p.headers["webhook-id"][len("evt_"):]
			if _, seen := delays[id]; !seen && !hanging[p.endpoint] {
				delays[id] = p.at.Sub(sent[id])
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

// newHoldingBench has receivers that answer a POST with the next outcome sent to hold.
func newHoldingBench() (b *memoryBench, hold chan domain.Outcome) {
	b, hold = newMemoryBench(100, time.Now), make(chan domain.Outcome)
	b.receivers.answer = func(string, int) domain.Attempt { return domain.Attempt{Outcome: <-hold} }
	return b, hold
}

// deliver adds an event of account-1 and delivers it.
func (b *memoryBench) deliver(t *testing.T, id string) time.Duration {
	again, err := b.delivering.Deliver(t.Context(), b.event("account-1", id), ports.JobAttempt{})
	require.NoError(t, err)
	return again
}

func TestSlotsOfOneEndpoint(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, hold := newHoldingBench()
		for i := range 4 {
			go b.deliver(t, fmt.Sprint("held-", i))
		}
		synctest.Wait()
		require.Len(t, b.receivers.posts, 4)
		require.Positive(t, b.deliver(t, "fifth"), "a fifth waits")
		require.Len(t, b.receivers.posts, 4)
		for range 4 {
			hold <- domain.OutcomeTimeout
		}
		synctest.Wait()

		go b.deliver(t, "sick")
		synctest.Wait()
		require.Len(t, b.receivers.posts, 5)
		var waits []time.Duration
		for i := range 5000 {
			waits = append(waits, b.deliver(t, fmt.Sprint("turned-away-", i)))
		}
		require.Len(t, b.receivers.posts, 5, "a sick endpoint has one at a time")
		require.GreaterOrEqual(t, waits[0], domain.PostLimit)
		require.Greater(t, waits[20], 100*time.Second, "the more wait, the later")
		require.Greater(t, waits[2000], 2000*domain.PostLimit, "thousands do not call more often")
		require.LessOrEqual(t, waits[4999], 6*time.Hour+domain.PostLimit)
		hold <- domain.OutcomeRefused
		synctest.Wait()

		for i := range 4 {
			go b.deliver(t, fmt.Sprint("well-", i))
		}
		synctest.Wait()
		require.Len(t, b.receivers.posts, 9, "an endpoint that answers is well again")
		for range 4 {
			hold <- domain.OutcomeDelivered
		}
		synctest.Wait()
	})
}

func TestWhatIsSettledNeedsNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, hold := newHoldingBench()
		for i := range 4 {
			go b.deliver(t, fmt.Sprint("held-", i))
		}
		synctest.Wait()
		job := b.event("account-1", "settled")
		again, err := b.delivering.Deliver(t.Context(), job, ports.JobAttempt{})
		require.NoError(t, err)
		require.Positive(t, again)
		require.NoError(t, b.doing("settled", func(d *domain.Delivery) error {
			d.State = domain.DeliveryFailed
			return nil
		}))
		again, err = b.delivering.Deliver(t.Context(), job, ports.JobAttempt{})
		require.NoError(t, err)
		require.Zero(t, again)
		close(hold)
		synctest.Wait()
	})
}

func TestSicknessEndsByItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, hold := newHoldingBench()
		go b.deliver(t, "first")
		hold <- domain.OutcomeUnreachable
		synctest.Wait()
		time.Sleep(time.Minute)
		go b.deliver(t, "second")
		go b.deliver(t, "third")
		synctest.Wait()
		require.Len(t, b.receivers.posts, 3)
		hold <- domain.OutcomeDelivered
		hold <- domain.OutcomeDelivered
		synctest.Wait()
	})
}

func TestASlowPostHoldsOneWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, hold := newHoldingBench()
		go b.deliver(t, "first")
		synctest.Wait()
		time.Sleep(time.Second)
		require.Positive(t, b.deliver(t, "second"), "it is not yet known to hang, and looks like it")
		hold <- domain.OutcomeDelivered
		synctest.Wait()
		go b.deliver(t, "second")
		synctest.Wait()
		require.Len(t, b.receivers.posts, 2)
		hold <- domain.OutcomeDelivered
		synctest.Wait()
	})
}

func TestSlowAnswersMakeAnEndpointSick(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, hold := newHoldingBench()
		// post makes one delivery, which is answered after a time.
		post := func(id string, took time.Duration) {
			go b.deliver(t, id)
			synctest.Wait()
			time.Sleep(took)
			hold <- domain.OutcomeDelivered
			synctest.Wait()
		}
		post("quick enough", 2*time.Second)
		go b.deliver(t, "well-1")
		go b.deliver(t, "well-2")
		synctest.Wait()
		require.Len(t, b.receivers.posts, 3)
		hold <- domain.OutcomeDelivered
		hold <- domain.OutcomeDelivered
		synctest.Wait()

		post("slow", 4900*time.Millisecond)
		go b.deliver(t, "sick")
		synctest.Wait()
		require.Len(t, b.receivers.posts, 5)
		require.GreaterOrEqual(t, b.deliver(t, "turned-away"), domain.PostLimit, "one at a time")
		require.Len(t, b.receivers.posts, 5)
		hold <- domain.OutcomeDelivered
		synctest.Wait()

		go b.deliver(t, "well-3")
		go b.deliver(t, "well-4")
		synctest.Wait()
		require.Len(t, b.receivers.posts, 7, "a quick answer makes it well")
		hold <- domain.OutcomeDelivered
		hold <- domain.OutcomeDelivered
		synctest.Wait()
	})
}

// TestABurstIsCaughtUpWith has a thousand events of one endpoint come at once.
func TestABurstIsCaughtUpWith(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const burst, took = 1000, 50 * time.Millisecond
		b := newMemoryBench(100, time.Now)
		b.receivers.answer = func(string, int) domain.Attempt {
			time.Sleep(took)
			return domain.Attempt{Outcome: domain.OutcomeDelivered}
		}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		e := &engine{b: b, jobs: make(chan ports.Job, 100_000), ended: make(chan string, burst)}
		var working sync.WaitGroup
		for range 100 {
			working.Go(func() { e.work(ctx) })
		}
		began := time.Now()
		for i := range burst {
			e.jobs <- b.event("account-1", fmt.Sprint(i))
		}
		for range burst {
			<-e.ended
		}
		require.Less(t, time.Since(began), burst*took, "four times what four slots need")
		stop()
		working.Wait()
	})
}
