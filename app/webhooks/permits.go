package webhooks

import (
	"math/rand/v2"
	"sync"
	"time"

	"milaan/domain"
	"milaan/ports"
)

const (
	// mostPermits is how many deliveries of one account are under way at once.
	mostPermits = 4
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
	// found no permit and are called again; it holds until it is known how quickly the
	// endpoint answers.
	closest = 20 * time.Millisecond
	// furthest is how far ahead a delivery without a permit is booked at most. Those for
	// which there is no time before it are all called after it. It is long enough for
	// thousands of events of an endpoint that hangs, so that they cost one call every
	// few seconds.
	furthest = 6 * time.Hour
	// rememberedEndpoints bounds how many accounts' endpoints are remembered. One that
	// is not remembered counts as healthy.
	rememberedEndpoints = 10_000
)

// permits shares the workers of this instance of the service among the accounts, so
// that an endpoint that hangs does not delay the events of other accounts. An endpoint is
// identified by its account.
type permits struct {
	clock         ports.Clock
	mostUnhealthy int // permits of all unhealthy endpoints together

	mu        sync.Mutex
	taken     map[*permit]struct{} // no more than there are workers
	endpoints map[string]endpoint
}

// endpoint is what is remembered of an endpoint that is unhealthy or has no free permit.
type endpoint struct {
	unhealthyUntil time.Time
	booked         time.Time     // for when the last of those that found no permit was called back
	pace           time.Duration // between two answers, with all permits taken; 0: not known
}

// permit is the right to make one delivery.
type permit struct {
	of        *permits
	account   string
	unhealthy bool      // when it was taken
	since     time.Time // when its POST began; zero while none is under way
}

func newPermits(workers int, clock ports.Clock) *permits {
	return &permits{clock: clock, mostUnhealthy: max(1, workers/2), taken: map[*permit]struct{}{}, endpoints: map[string]endpoint{}}
}

// take returns a permit, or nil and after how long to ask again: the more deliveries of the
// account wait, the longer.
func (p *permits) take(account string) (*permit, time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock()
	unhealthy, own, ofUnhealthy := p.isUnhealthy(account, now), 0, 0
	for other := range p.taken {
		if other.account == account {
			own++
			unhealthy = unhealthy || other.isSlow(now)
		}
		if other.unhealthy || other.isSlow(now) || p.isUnhealthy(other.account, now) {
			ofUnhealthy++
		}
	}
	if unhealthy && (own >= 1 || ofUnhealthy >= p.mostUnhealthy) {
		return nil, p.book(account, now, domain.PostLimit)
	}
	if own >= mostPermits {
		return nil, p.book(account, now, max(closest, p.endpoints[account].pace))
	}
	taken := &permit{of: p, account: account, unhealthy: unhealthy}
	p.taken[taken] = struct{}{}
	return taken, 0
}

func (p *permits) isUnhealthy(account string, now time.Time) bool {
	return p.endpoints[account].unhealthyUntil.After(now)
}

func (p *permit) isSlow(now time.Time) bool {
	return !p.since.IsZero() && now.Sub(p.since) >= slowPost
}

// book puts one more of the account's deliveries at the end of the account's queue, apart
// after the one before it, and returns how long that is from now.
func (p *permits) book(account string, now time.Time, apart time.Duration) time.Duration {
	e := p.endpoints[account]
	if e.booked.Before(now) {
		e.booked = now
	}
	if e.booked = e.booked.Add(apart); e.booked.Sub(now) > furthest {
		e.booked = now.Add(furthest)
	}
	p.remember(account, e, now)
	return e.booked.Sub(now) + rand.N(apart)
}

func (p *permits) remember(account string, e endpoint, now time.Time) {
	if _, known := p.endpoints[account]; !known && len(p.endpoints) >= rememberedEndpoints {
		for a, old := range p.endpoints {
			if !old.unhealthyUntil.After(now) && !old.booked.After(now) {
				delete(p.endpoints, a)
			}
		}
		if len(p.endpoints) >= rememberedEndpoints {
			return
		}
	}
	p.endpoints[account] = e
}

// beginPost says that the permit's POST begins now.
func (p *permit) beginPost() {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.since = p.of.clock()
}

// endPost says how the permit's POST ended. After an answer in good time, even a refusal, a
// unhealthy endpoint counts as healthy at once, and its queue is empty.
func (p *permit) endPost(outcome domain.Outcome) {
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
		e.pace = took / mostPermits
		all.endpoints[p.account] = e
	}
}

// extra returns a permit that does not count.
func (p *permits) extra(account string) *permit {
	return &permit{of: p, account: account}
}

// release gives the permit back.
func (p *permit) release() {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	delete(p.of.taken, p)
}
