package dialect

import (
	"context"
	"errors"
	"time"

	"github.com/sethvargo/go-retry"
)

// LongestPause is the longest wait between two attempts to get at a lock.
const LongestPause = 50 * time.Millisecond

// Persist repeats op while again approves of its error, for so long in all, and
// with pauses that grow from a millisecond to the longest; each is up to half
// longer or shorter, by chance, so that rivals do not keep step. The last error of
// op is part of what Persist returns.
func Persist(ctx context.Context, limit, longest time.Duration, again func(error) bool, op func(context.Context) error) error {
	backoff := retry.NewExponential(time.Millisecond)
	backoff = retry.WithJitterPercent(50, retry.WithCappedDuration(longest, backoff))
	var last error
	err := retry.Do(ctx, retry.WithMaxDuration(limit, backoff), func(ctx context.Context) error {
		if last = ctx.Err(); last == nil {
			last = op(ctx)
		}
		if last != nil && again(last) {
			return retry.RetryableError(last)
		}
		return last
	})
	if err != nil && last != nil && !errors.Is(err, last) {
		return errors.Join(err, last)
	}
	return err
}
