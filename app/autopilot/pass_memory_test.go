package autopilot

import (
	"context"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/semaphore"
)

// instanceMemory is a memory of 100 MiB.
type instanceMemory struct{ *semaphore.Weighted }

func (m instanceMemory) Take(ctx context.Context, bytes int64) (func(), error) {
	return func() { m.Release(bytes) }, m.Acquire(ctx, bytes)
}

func (m instanceMemory) TryTake(bytes int64) (func(), bool) {
	return func() { m.Release(bytes) }, m.TryAcquire(bytes)
}

// TestPassesShareTheMemoryOfTheInstance holds that a pass takes what it has of the memory of all,
// that only the pass that began first waits for it, holding none meanwhile, and that all is
// given back.
func TestPassesShareTheMemoryOfTheInstance(t *testing.T) {
	const mib = 1 << 20
	synctest.Test(t, func(t *testing.T) {
		instance := instanceMemory{semaphore.NewWeighted(100 * mib)}
		passes := passMemory{most: 80 * mib, instance: instance}
		first, second := passes.join(), passes.join()
		require.True(t, first.grow(t.Context(), 39*mib))
		require.True(t, second.grow(t.Context(), 1))
		require.True(t, second.grow(t.Context(), 4*mib), "it has taken a whole step")
		require.False(t, second.grow(t.Context(), 42*mib), "passes have their own bound")
		request, err := instance.Take(t.Context(), 56*mib)
		require.NoError(t, err)
		require.False(t, second.grow(t.Context(), 5*mib), "it comes again")

		grown := make(chan bool)
		go func() { grown <- first.grow(t.Context(), 60*mib) }()
		synctest.Wait()
		_, taken := instance.TryTake(1)
		require.False(t, taken, "the first pass waits, and is served before whoever comes later")
		request()
		require.True(t, <-grown)

		request, err = instance.Take(t.Context(), 40*mib)
		require.NoError(t, err, "what the second had is free")
		require.False(t, first.grow(t.Context(), 64*mib), "it waits no longer than a minute")
		request()
		require.True(t, first.grow(t.Context(), 100*mib), "the first may have more than others")
		first.leave()
		require.True(t, second.grow(t.Context(), 100*mib), "it is the first now")
		second.leave()
		another, taken := instance.TryTake(100 * mib)
		require.True(t, taken)
		another()
	})
}
