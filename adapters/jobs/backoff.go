package jobs

import (
	"time"

	"github.com/riverqueue/river/rivertype"
	"github.com/sethvargo/go-retry"

	"milaan/ports"
)

// After an error a job is tried again soon, because most errors pass quickly; the
// backoff doubles each time. All attempts together take about two hours.
const (
	firstBackoff   = time.Second
	longestBackoff = 10 * time.Minute
	backoffJitter  = 25 // percent, so that what failed together is not retried together
)

// retryPolicy is river's.
type retryPolicy struct{ clock ports.Clock }

// NextRetry returns when the job is tried again after the error of its last attempt.
func (p retryPolicy) NextRetry(row *rivertype.JobRow) time.Time {
	return p.clock().Add(backoffAfter(row.Attempt))
}

func backoffAfter(attempt int) time.Duration {
	backoff := retry.WithJitterPercent(backoffJitter, retry.WithCappedDuration(longestBackoff, retry.NewExponential(firstBackoff)))
	wait, _ := backoff.Next()
	for range attempt - 1 {
		wait, _ = backoff.Next()
	}
	return wait
}
