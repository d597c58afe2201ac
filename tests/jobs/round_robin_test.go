package jobs_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// order is a ports.Work that notes whose jobs are begun in which order. A job ends
// when it is let go, each by itself, or when all are.
type order struct {
	mu    sync.Mutex
	begun []string // accounts
	one   chan struct{}
	all   chan struct{}
}

func newOrder() *order { return &order{one: make(chan struct{}), all: make(chan struct{})} }

func (o *order) Do(_ context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
	o.mu.Lock()
	o.begun = append(o.begun, job.AccountID)
	o.mu.Unlock()
	select {
	case <-o.one:
	case <-o.all:
	}
	return 0, nil
}

func (o *order) soFar() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return slices.Clone(o.begun)
}

func some(account string, n int) (all []ports.Job) {
	for i := range n {
		all = append(all, run(account, i))
	}
	return all
}

func TestJobsOfBatchesAreBegunByRoundRobin(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		add := newAdder(t, one)
		require.NoError(t, add(t.Context(), true, some("a", 5)...))
		for account, n := range map[string]int{"b": 3, "c": 2} {
			require.NoError(t, add(t.Context(), true, some(account, n)...))
		}
		work := newOrder()
		started(t, one, work) // of one worker
		for range 10 {
			work.one <- struct{}{}
		}
		got := work.soFar()
		require.Equal(t, "a", got[0], "the first has waited for the longest")
		for round, accounts := range []int{3, 3, 2, 1, 1} {
			of := slices.Compact(slices.Sorted(slices.Values(got[:accounts])))
			require.Len(t, of, accounts, "round %d: %v", round, got)
			got = got[accounts:]
		}
		// One that has had no turn for long is next, and those who had one go on in
		// their order.
		require.NoError(t, add(t.Context(), true, some("a", 9)[5:]...))
		eventually(t, func() bool { return len(work.soFar()) == 11 }, "one is begun")
		require.NoError(t, add(t.Context(), true, some("d", 1)...))
		require.NoError(t, add(t.Context(), true, some("b", 4)[3:]...))
		for range 6 {
			work.one <- struct{}{}
		}
		require.Equal(t, []string{"a", "d", "b", "a", "a", "a"}, work.soFar()[10:])
	})
}

// However much an account has waiting, another's first job is begun as soon as one
// that runs already has ended. An eighth of what may wait is enough to see it.
func TestANeighbourWithManyBatchesDelaysNobody(t *testing.T) {
	const many, workers = domain.MaxOpenBatches * domain.MaxBatch / 8, 3
	check := func(t *testing.T, db database, engines int) {
		one := db.open(t)
		add := newAdder(t, one)
		require.NoError(t, add(t.Context(), true, some("neighbour", many)...))
		work := newOrder()
		for range engines {
			started(t, db.open(t), work, batches(workers))
		}
		running := engines * workers
		eventually(t, func() bool { return len(work.soFar()) == running }, "all workers are busy")
		require.NoError(t, add(t.Context(), true, some("later", 2)...))
		require.NoError(t, add(t.Context(), true, some("last", 1)...))
		for n := range 4 {
			work.one <- struct{}{}
			eventually(t, func() bool { return len(work.soFar()) == running+n+1 }, "the next is begun")
		}
		got := work.soFar()
		t.Logf("beside %d jobs of another account, %d were begun before the first of one that came later, all of which ran when it was added", many, slices.Index(got, "later"))
		require.Equal(t, slices.Repeat([]string{"neighbour"}, running), got[:running])
		require.Equal(t, []string{"later", "last", "neighbour", "later"}, got[running:])
		close(work.all)
		allEnd(t, one, many+3)
		require.Len(t, work.soFar(), many+3, "each once")
	}
	onBoth(t, func(t *testing.T, db database) { check(t, db, 1) })
	t.Run("several instances", func(t *testing.T) {
		t.Parallel()
		check(t, onPostgreSQL(t, clone(t)), 3)
	})
}

// A job that failed or was left behind takes part in the round-robin like any other.
func TestRoundRobinOfJobsThatAreTriedAgain(t *testing.T) {
	onBoth(t, func(t *testing.T, db database) {
		one := db.open(t)
		add := newAdder(t, one)
		var mu sync.Mutex
		failed := map[ports.Job]bool{}
		work := worked{job: func(_ context.Context, job ports.Job, _ ports.JobAttempt) (time.Duration, error) {
			mu.Lock()
			defer mu.Unlock()
			if !failed[job] && job.Run.Position%2 == 0 {
				failed[job] = true
				return 0, fmt.Errorf("not yet")
			}
			return 0, nil
		}}
		require.NoError(t, add(t.Context(), true, append(some("a", 10), some("b", 10)...)...))
		started(t, one, &work, takeover(3*time.Second), batches(2))
		allEnd(t, one, 20)
		for n := range 10 {
			require.Equal(t, 2-n%2, work.timesBegun(run("a", n)))
		}
	})
}
