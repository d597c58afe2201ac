package jobs

import (
	"time"

	"github.com/riverqueue/river/rivertype"
	"github.com/sethvargo/go-retry"

	"milaan/ports"
)

// After an error a job is tried again soon, for most pass quickly; if it does
// not, twice as late each time. All attempts together take about two hours.
const (
	firstPause   = time.Second
	longestPause = 10 * time.Minute
	pauseJitter  = 25 // percent, so that what failed together is not retried together
)

// pauses is river's retry policy.
type pauses struct{ clock ports.Clock }

// NextRetry is when the job is tried again after the error of its last attempt.
func (p pauses) NextRetry(row *rivertype.JobRow) time.Time {
	return p.clock().Add(pause(row.Attempt))
}

func pause(attempt int) time.Duration {
	backoff := retry.WithJitterPercent(pauseJitter, retry.WithCappedDuration(longestPause, retry.NewExponential(firstPause)))
	wait, _ := backoff.Next()
	for range attempt - 1 {
		wait, _ = backoff.Next()
	}
	return wait
}
