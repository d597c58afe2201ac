package autopilot

import (
	"context"
	"slices"
	"time"

	"milaan/domain"
	"milaan/ports"
)

const (
	// mostTests is how many connections one instance tests at once, one of an account: a
	// test reads reports of domain.MaxKeptFile bytes of testedAtOnce sources at a time.
	mostTests    = 4
	testedAtOnce = 3
	// testsOfHost is how many tests connect to one host at once, each of another account.
	testsOfHost = 2
	// longTest is how long a test has its place for sure. Then it is ended if another account
	// needs the place, and its account counts as slow: the slow ones have half of the places.
	longTest = 15 * time.Second
	// testLimit is how long a test may take in all. A person waits for it.
	testLimit = 90 * time.Second
)

func newTestLimiter(clock ports.Clock) *limiter {
	return newLimiter(limits{all: mostTests, ofHost: testsOfHost, ofAccount: 1, mostUnhealthy: mostTests / 2, long: longTest,
		unhealthyFor: domain.TestRate.Span}, clock)
}

// testPlace is the right to test a connection. The context of what is done with it ends with
// testLimit, or when the place has to be given up.
type testPlace struct {
	*place
	context.Context
	cancel context.CancelFunc
}

// acquireTest takes the place for a test of an account that connects to hosts. It waits only for
// a test that has had longTest, and that it has ended. It returns domain.ErrTesting if the
// account has a test under way, domain.ErrTests if there is no place, or the error of ctx.
func acquireTest(ctx context.Context, limiter *limiter, account string, hosts []string) (*testPlace, error) {
	t := &testPlace{}
	t.Context, t.cancel = context.WithTimeout(ctx, testLimit)
	// What is slow may be a host that nobody else uses and that has a new name each time, so
	// the account is remembered, and not the host.
	subjects := append(slices.Clone(hosts), lackingAccount+account)
	for {
		limiter.mu.Lock()
		now := limiter.clock()
		taken, lacking := limiter.tryAcquire(account, subjects, now)
		var ended *place
		switch {
		case taken != nil:
			taken.stop, t.place = t.cancel, taken
		case lacking != lackingUnhealthy && !limiter.unhealthyHosts[lackingAccount+account].After(now):
			ended = limiter.longest(lacking, now)
		}
		freed := limiter.freed
		limiter.mu.Unlock()
		switch {
		case taken != nil:
			return t, nil
		case lacking == lackingAccount+account:
			t.cancel()
			return nil, domain.ErrTesting
		case ended == nil:
			t.cancel()
			return nil, domain.ErrTests
		}
		ended.stop()
		select {
		case <-freed:
		case <-ctx.Done():
			t.cancel()
			return nil, ctx.Err()
		}
	}
}

// longest returns the place that was taken first among those that could be given up for what
// is lacking; nil: none has had its time.
func (l *limiter) longest(lacking string, now time.Time) (first *place) {
	for place := range l.taken {
		stands := lacking == lackingAny || slices.ContainsFunc(place.held, func(host string) bool { return lackingHost+host == lacking })
		if stands && now.Sub(place.since) >= l.long && (first == nil || place.since.Before(first.since)) {
			first = place
		}
	}
	return first
}

// leave gives the place back.
func (t *testPlace) leave() {
	slow := -1
	if t.of.clock().Sub(t.since) >= longTest {
		slow = len(t.hosts) - 1 // the account
	}
	t.release(slow, false)
	t.cancel()
}

func (t *testPlace) took() time.Duration { return t.of.clock().Sub(t.since) }
