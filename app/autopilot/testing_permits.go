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

func newTestPermits(clock ports.Clock) *passPermits {
	return newPermits(permitBounds{all: mostTests, ofHost: testsOfHost, ofAccount: 1, mostUnhealthy: mostTests / 2, long: longTest, unhealthyFor: domain.TestRate.Span}, clock)
}

// testPermit is the right to test a connection. The context of what is done with it ends with
// testLimit, or when the place has to be given up.
type testPermit struct {
	*passPermit
	context.Context
	cancel context.CancelFunc
}

// takeTest takes the permit for a test of an account that connects to hosts. It waits only for
// a test that has had longTest, and that it has ended. It returns domain.ErrTesting if the
// account has a test under way, domain.ErrTests if there is no place, or the error of ctx.
func takeTest(ctx context.Context, permits *passPermits, account string, hosts []string) (*testPermit, error) {
	t := &testPermit{}
	t.Context, t.cancel = context.WithTimeout(ctx, testLimit)
	// What is slow may be a host that nobody else uses and that has a new name each time, so
	// the account is remembered, and not the host.
	subjects := append(slices.Clone(hosts), lackingAccount+account)
	for {
		permits.mu.Lock()
		now := permits.clock()
		permit, lacking := permits.takeNow(account, subjects, now)
		var ended *passPermit
		switch {
		case permit != nil:
			permit.stop, t.passPermit = t.cancel, permit
		case lacking != lackingUnhealthy && !permits.unhealthyHosts[lackingAccount+account].After(now):
			ended = permits.longest(lacking, now)
		}
		freed := permits.freed
		permits.mu.Unlock()
		switch {
		case permit != nil:
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

// longest returns the permit that was taken first among those that could be given up for what
// is lacking; nil: none has had its time.
func (p *passPermits) longest(lacking string, now time.Time) (first *passPermit) {
	for permit := range p.taken {
		stands := lacking == lackingAny || slices.ContainsFunc(permit.held, func(host string) bool { return lackingHost+host == lacking })
		if stands && now.Sub(permit.since) >= p.long && (first == nil || permit.since.Before(first.since)) {
			first = permit
		}
	}
	return first
}

// leave gives the permit back.
func (t *testPermit) leave() {
	slow := -1
	if t.of.clock().Sub(t.since) >= longTest {
		slow = len(t.hosts) - 1 // the account
	}
	t.release(slow, false)
	t.cancel()
}

// took is how long the test has gone on.
func (t *testPermit) took() time.Duration { return t.of.clock().Sub(t.since) }
