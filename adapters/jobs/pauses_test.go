package jobs

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPausesGrowAndAreCapped(t *testing.T) {
	want := firstPause
	var all time.Duration
	for n := 1; n < lastAttempt; n++ {
		got := pause(n)
		require.InDelta(t, want.Seconds(), got.Seconds(), want.Seconds()*pauseJitter/100, "after attempt %d", n)
		all += want
		want = min(2*want, longestPause)
	}
	require.InDelta(t, 2, all.Hours(), 0.5, "of all attempts together")
	require.Positive(t, pause(0))
}

func TestAStopLeavesTimeToReturnJobs(t *testing.T) {
	require.Equal(t, softStop, softly(t.Context()))
	for left, want := range map[time.Duration]time.Duration{
		time.Minute: softStop, 12 * time.Second: 7 * time.Second, 4 * time.Second: 2 * time.Second,
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), left)
			defer cancel()
			require.Equal(t, want, softly(ctx))
		})
	}
}
