package autopilot

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestUnhealthyHostsLeaveWorkers holds that passes of hosts that are slow or out of reach take half
// of the workers at most, and that a host is unhealthy no longer once a pass got through.
func TestUnhealthyHostsLeaveWorkers(t *testing.T) {
	now := time.Unix(0, 0)
	limiter := newPassLimiter(4, func() time.Time { return now })
	take := func(account int, hosts ...string) *place {
		place, wait := limiter.acquire(fmt.Sprint(account), hosts)
		require.Equal(t, place == nil, wait > 0)
		require.LessOrEqual(t, wait, longestPassPause+passPause)
		return place
	}
	for i := range 3 {
		take(i, "shop", fmt.Sprint("dead-", i)).release(1, false)
	}
	first, second := take(0, "shop", "dead-0"), take(1, "shop", "dead-1")
	require.NotNil(t, first)
	require.NotNil(t, second)
	require.Nil(t, take(2, "shop", "dead-2"), "two of four workers are busy with such hosts")
	require.NotNil(t, take(2, "shop", "mail"), "the shop of all of them is not unhealthy")
	first.release(-1, false)
	first = take(0, "shop", "dead-0")
	require.True(t, first.unhealthy, "an attempt that looked at files alone says nothing of the shop")
	first.release(-1, true)
	require.NotNil(t, take(2, "shop-2", "dead-0"), "it answers again")
	require.NotNil(t, take(3, "shop-3", "dead-2"))
	require.Nil(t, take(4, "dead-2"))

	now = now.Add(longPass)
	require.Nil(t, take(5, "dead-2"), "passes that go on for long count too")
	now = now.Add(unhealthyHostFor)
	place, _ := limiter.acquire("6", []string{"dead-2"})
	require.NotNil(t, place)
	require.False(t, place.unhealthy, "nobody has tried it for hours")
}

// TestPassesWithoutAPlaceAreSpread holds that the more passes wait for a host, the later they
// ask again.
func TestPassesWithoutAPlaceAreSpread(t *testing.T) {
	now := time.Unix(0, 0)
	limiter := newPassLimiter(100, func() time.Time { return now })
	for i := range passesOfHost {
		place, _ := limiter.acquire(fmt.Sprint(i), []string{"mail", "mail", ""})
		require.NotNil(t, place)
	}
	var last time.Duration
	for i := range 200 {
		place, wait := limiter.acquire(fmt.Sprint("waits ", i), []string{"mail"})
		require.Nil(t, place)
		require.GreaterOrEqual(t, wait, passPause)
		last = wait
	}
	require.GreaterOrEqual(t, last, longestPassPause)
	require.LessOrEqual(t, last, longestPassPause+passPause)
	for i := range 20 {
		place, _ := limiter.acquire(fmt.Sprint("without ", i), []string{""})
		require.NotNil(t, place, "a source without a host waits for none")
	}
}

// TestAPassWaitsForItsHosts holds that a pass which has let its hosts go gets them again once
// one of the others has let them go, and holds none while it waits.
func TestAPassWaitsForItsHosts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limiter := newPassLimiter(100, time.Now)
		waiting, _ := limiter.acquire("waits", []string{"shop", "mail"})
		waiting.hold([]string{"shop"})
		var others []*place
		for i := range passesOfHost {
			place, _ := limiter.acquire(fmt.Sprint(i), []string{"mail"})
			require.NotNil(t, place)
			others = append(others, place)
		}
		done := make(chan error, 1)
		go func() { done <- waiting.await(t.Context(), []string{"mail"}) }()
		synctest.Wait()
		require.Empty(t, done)
		shop, _ := limiter.acquire("at the shop", []string{"shop"})
		require.NotNil(t, shop)
		others[0].hold(nil)
		synctest.Wait()
		require.NoError(t, <-done)
		late, _ := limiter.acquire("late", []string{"mail"})
		require.Nil(t, late)

		ctx, cancel := context.WithCancel(t.Context())
		go func() { done <- shop.await(ctx, []string{"mail"}) }()
		synctest.Wait()
		cancel()
		require.ErrorIs(t, <-done, context.Canceled)
		waiting.release(-1, true)
		late, _ = limiter.acquire("late", []string{"mail"})
		require.NotNil(t, late)
	})
}
