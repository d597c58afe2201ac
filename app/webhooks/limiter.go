package webhooks

import (
	"maps"
	"math/rand/v2"
	"sync"
	"time"

	"milaan/domain"
	"milaan/ports"
)

const (
	// mostOfAccount is how many deliveries of one account are under way at once.
	mostOfAccount = 4
	// unhealthyFor is how long an endpoint counts as unhealthy after it has timed out, answered
	// slowly, or could not be reached.
	unhealthyFor = time.Minute
	// slowAnswer is after how long an answer counts as slow. An endpoint that answers
	// just within the limit keeps workers busy for as long as one that hangs.
	slowAnswer = 2 * time.Second
	// slowPost is after how long a POST that is under way makes its endpoint count as
	// unhealthy: during the five seconds until a timeout is certain, an endpoint that hangs
	// must not be given one worker for each event.
	slowPost = time.Second
	// closest is the least time between two deliveries of a healthy endpoint that
	// found no place and are called again; it holds until it is known how quickly the
	// endpoint answers.
	closest = 20 * time.Millisecond
	// furthest is how far ahead a delivery without a place is booked at most. Those for
	// which there is no time before it are all called after it. It is long enough for
	// thousands of events of an endpoint that hangs, so that they cost one call every
	// few seconds.
	furthest = 6 * time.Hour
	// rememberedEndpoints bounds how many accounts' endpoints are remembered. One that
	// is not remembered counts as healthy.
	rememberedEndpoints = 10_000
)

// limiter shares the workers of this instance of the service among the accounts, so
// that an endpoint that hangs does not delay the events of other accounts. All URLs
// of an account count as one endpoint, that of a batch too.
type limiter struct {
	clock         ports.Clock
	mostUnhealthy int // places of all unhealthy endpoints together

	mu        sync.Mutex
	taken     map[*place]struct{} // no more than there are workers
	endpoints map[string]endpoint
}

// endpoint is what is remembered of an endpoint that is unhealthy or has no free place.
type endpoint struct {
	unhealthyUntil time.Time
	booked         time.Time     // when the last delivery that found no place is called again: the next is booked after it
	pace           time.Duration // between two answers, with all places taken; 0: not known
}

// place is the right to make one delivery.
type place struct {
	of        *limiter
	account   string
	unhealthy bool      // when it was taken
	since     time.Time // when its POST began; zero while none is under way
}

func newLimiter(workers int, clock ports.Clock) *limiter {
	return &limiter{clock: clock, mostUnhealthy: max(1, workers/2), taken: map[*place]struct{}{}, endpoints: map[string]endpoint{}}
}

// acquire returns a place, or nil and after how long to ask again: the more deliveries of the
// account wait, the longer.
func (l *limiter) acquire(account string) (*place, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	unhealthy, own, ofUnhealthy := l.isUnhealthy(account, now), 0, 0
	for other := range l.taken {
		if other.account == account {
			own++
			unhealthy = unhealthy || other.isSlow(now)
		}
		if other.unhealthy || other.isSlow(now) || l.isUnhealthy(other.account, now) {
			ofUnhealthy++
		}
	}
	if unhealthy && (own >= 1 || ofUnhealthy >= l.mostUnhealthy) {
		return nil, l.book(account, now, domain.PostLimit)
	}
	if own >= mostOfAccount {
		return nil, l.book(account, now, max(closest, l.endpoints[account].pace))
	}
	taken := &place{of: l, account: account, unhealthy: unhealthy}
	l.taken[taken] = struct{}{}
	return taken, 0
}

func (l *limiter) isUnhealthy(account string, now time.Time) bool {
	return l.endpoints[account].unhealthyUntil.After(now)
}

func (p *place) isSlow(now time.Time) bool {
	return !p.since.IsZero() && now.Sub(p.since) >= slowPost
}

// book puts one more of the account's deliveries at the end of the account's queue, apart
// after the one before it, and returns how long that is from now.
func (l *limiter) book(account string, now time.Time, apart time.Duration) time.Duration {
	e := l.endpoints[account]
	wait := min(max(e.booked.Sub(now), 0)+apart, furthest)
	e.booked = now.Add(wait)
	l.remember(account, e, now)
	return wait + rand.N(apart)
}

func (l *limiter) remember(account string, e endpoint, now time.Time) {
	if _, known := l.endpoints[account]; !known && len(l.endpoints) >= rememberedEndpoints {
		maps.DeleteFunc(l.endpoints, func(_ string, old endpoint) bool { return !old.unhealthyUntil.After(now) && !old.booked.After(now) })
		if len(l.endpoints) >= rememberedEndpoints {
			return
		}
	}
	l.endpoints[account] = e
}

// beginPost says that the POST of the place begins now.
func (p *place) beginPost() {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.since = p.of.clock()
}

// endPost says how the POST of the place ended. After an answer in good time, even a refusal, an
// unhealthy endpoint counts as healthy at once, and its queue is empty.
func (p *place) endPost(outcome domain.Outcome) {
	all := p.of
	all.mu.Lock()
	defer all.mu.Unlock()
	now := all.clock()
	took := now.Sub(p.since)
	p.since = time.Time{}
	e, known := all.endpoints[p.account]
	switch {
	case outcome == domain.OutcomeTimeout || outcome == domain.OutcomeUnreachable || took > slowAnswer:
		e.unhealthyUntil = now.Add(unhealthyFor)
		all.remember(p.account, e, now)
	case all.isUnhealthy(p.account, now):
		delete(all.endpoints, p.account)
	case known:
		e.pace = took / mostOfAccount
		all.endpoints[p.account] = e
	}
}

func (l *limiter) extra(account string) *place { return &place{of: l, account: account} }

func (p *place) release() {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	delete(p.of.taken, p)
}
