package dialect

import (
	"context"
	"errors"
	"time"

	"github.com/sethvargo/go-retry"
)

// LongestPause is the longest backoff between two attempts to take a lock.
const LongestPause = 50 * time.Millisecond

// Persist repeats op while again is true of its error, for at most limit in all. The
// backoff doubles from a millisecond to longest, with a jitter of 50 %, so that processes
// that wait for each other do not keep step. What Persist returns wraps the last error of
// op.
func Persist(ctx context.Context, limit, longest time.Duration, again func(error) bool, op func(context.Context) error) error {
	attempt := func(ctx context.Context) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return op(ctx)
	}
	last := attempt(ctx)
	if last == nil || !again(last) {
		return last // nearly always
	}
	paused := false // retry.Do begins without a pause, and the attempt before that is made
	backoff := retry.NewExponential(time.Millisecond)
	backoff = retry.WithJitterPercent(50, retry.WithCappedDuration(longest, backoff))
	err := retry.Do(ctx, retry.WithMaxDuration(limit, backoff), func(ctx context.Context) error {
		if paused {
			if last = attempt(ctx); last == nil || !again(last) {
				return last
			}
		}
		paused = true
		return retry.RetryableError(last)
	})
	if err != nil && last != nil && !errors.Is(err, last) {
		return errors.Join(err, last)
	}
	return err
}
