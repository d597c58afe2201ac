package worked

import (
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Eight times as much input takes about 8 times as long if each byte or line is read a few times, and about 64 times if each is
// compared with each. The limit is far from both.
const (
	timesAsMuch  = 8
	mostTimeMore = 3 * timesAsMuch
)

// RequireLinear compares the time that work of size n takes with that of size 8n, each by the best of several tries: work prepares a
// size, and returns what is measured. Only the time of the thread counts: where the machine is busy, long work is put aside more often
// than short work.
func RequireLinear(t *testing.T, n int, work func(n int) func()) {
	t.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	few, many := work(n), work(timesAsMuch*n)
	best := func(do func()) time.Duration {
		least := time.Duration(1 << 62)
		for range 5 {
			begun := For()
			do()
			least = min(least, For()-begun)
		}
		return max(least, 1)
	}
	var ratio float64
	for range 10 {
		if ratio = float64(best(many)) / float64(best(few)); ratio < mostTimeMore {
			return
		}
	}
	require.Less(t, ratio, float64(mostTimeMore))
}
