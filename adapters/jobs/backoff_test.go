package jobs

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheBackoffGrowsAndIsCapped(t *testing.T) {
	want := firstBackoff
	var all time.Duration
	for n := 1; n < kinds[0].attempts; n++ {
		got := backoffAfter(n)
		require.InDelta(t, want.Seconds(), got.Seconds(), want.Seconds()*backoffJitter/100, "after attempt %d", n)
		all += want
		want = min(2*want, longestBackoff)
	}
	require.InDelta(t, 2, all.Hours(), 0.5, "of all attempts together")
	require.Positive(t, backoffAfter(0))
}

func TestAStopLeavesTimeToReturnJobs(t *testing.T) {
	soft, hard := stopTimes(t.Context())
	require.Equal(t, softStop, soft)
	require.Equal(t, softStop+hardStop, hard)
	for left, want := range map[time.Duration][2]time.Duration{
		time.Minute:      {softStop, softStop + hardStop},
		30 * time.Second: {softStop, softStop + hardStop},
		12 * time.Second: {4800 * time.Millisecond, 9600 * time.Millisecond},
		2 * time.Second:  {800 * time.Millisecond, 1600 * time.Millisecond},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), left)
			defer cancel()
			soft, hard := stopTimes(ctx)
			require.Equal(t, want, [2]time.Duration{soft, hard})
		})
	}
}
