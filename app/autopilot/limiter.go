package autopilot

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"milaan/ports"
)

const (
	// passesOfHost is how many passes connect to one host at once, each of another account,
	// and passesOfAccount how many one account has under way, both in one instance of the
	// service.
	passesOfHost    = 4
	passesOfAccount = 2
	// passPace is how far apart passes without a place are called again, at the earliest
	// after passPause, at the latest after longestPassPause.
	passPace         = 500 * time.Millisecond
	passPause        = 2 * time.Second
	longestPassPause = time.Minute
	// unhealthyHostFor is how long a host counts as unhealthy: until the next pass of its connection
	// has tried it.
	unhealthyHostFor = 2 * time.Hour
	// rememberedHosts bounds how many unhealthy hosts are remembered.
	rememberedHosts = 10_000
	// longPass is after how long a pass counts as unhealthy. Most take some seconds.
	longPass = 2 * time.Minute
)

// limits are how many places there are at once.
type limits struct {
	all           int // 0: any number
	ofHost        int // each of another account
	ofAccount     int
	mostUnhealthy int           // others have the rest
	long          time.Duration // after how long one counts as unhealthy
	unhealthyFor  time.Duration // how long a host counts as unhealthy
}

// limiter shares the passes of this instance, or the tests of connections, among accounts
// and hosts, so that a slow host does not keep all workers busy. A host is unhealthy for a while after
// a pass has found it slow or out of reach; a pass that connects to an unhealthy host, or has gone on
// for long, is unhealthy too.
type limiter struct {
	limits
	clock ports.Clock

	mu     sync.Mutex
	freed  chan struct{} // is closed when a host becomes free
	taken  map[*place]struct{}
	booked map[string]time.Time // until when passes without a place have been called again
	// unhealthyHosts says until when a host is unhealthy.
	unhealthyHosts map[string]time.Time
}

// place is the right to make one pass, and to connect to some hosts. A pass has the right to
// a host only while it needs the host: that its shop is slow does not keep others from the
// host of its mailbox.
type place struct {
	of        *limiter
	account   string
	hosts     []string
	held      []string // of these, now
	unhealthy bool     // when it was taken
	since     time.Time
	stop      func() // ends what it is for; nil: nobody may
}

func newPassLimiter(passes int, clock ports.Clock) *limiter {
	return newLimiter(limits{ofHost: passesOfHost, ofAccount: passesOfAccount, mostUnhealthy: max(1, passes/2), long: longPass,
		unhealthyFor: unhealthyHostFor}, clock)
}

func newLimiter(bounds limits, clock ports.Clock) *limiter {
	return &limiter{limits: bounds, clock: clock, freed: make(chan struct{}), taken: map[*place]struct{}{},
		unhealthyHosts: map[string]time.Time{}, booked: map[string]time.Time{}}
}

// acquire takes a place for a pass of an account that connects to hosts, of which a blank one is
// none. If there is none, it returns nil, and wait is after how long to ask again: the more passes
// wait, the longer.
func (l *limiter) acquire(account string, hosts []string) (taken *place, wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.clock()
	taken, lacking := l.tryAcquire(account, hosts, now)
	if taken == nil {
		return nil, l.book(lacking, now)
	}
	return taken, 0
}

// What may be lacking for a place, besides a host.
const (
	lackingAccount   = "account "
	lackingUnhealthy = "unhealthy"
	lackingAny       = "any"
	lackingHost      = "host "
)

// tryAcquire takes a place, or says what is lacking for it.
func (l *limiter) tryAcquire(account string, hosts []string, now time.Time) (taken *place, lacking string) {
	taken = &place{of: l, account: account, hosts: hosts, held: hosts, since: now}
	for _, host := range hosts {
		taken.unhealthy = taken.unhealthy || l.unhealthyHosts[host].After(now)
	}
	ofAccount, unhealthy := 0, 0
	for other := range l.taken {
		if other.account == account {
			ofAccount++
		}
		if other.unhealthy || now.Sub(other.since) >= l.long {
			unhealthy++
		}
	}
	switch {
	case ofAccount >= l.ofAccount:
		return nil, lackingAccount + account
	case taken.unhealthy && unhealthy >= l.mostUnhealthy:
		return nil, lackingUnhealthy
	case l.all > 0 && len(l.taken) >= l.all:
		return nil, lackingAny
	}
	if host := l.busy(account, hosts); host != "" {
		return nil, lackingHost + host
	}
	l.taken[taken] = struct{}{}
	return taken, ""
}

// busy returns the first of some hosts at which an account can have no pass now; blank: there
// is none.
func (l *limiter) busy(account string, hosts []string) string {
	for _, host := range hosts {
		passes, own := 0, false
		for other := range l.taken {
			if host != "" && slices.Contains(other.held, host) {
				passes++
				own = own || other.account == account
			}
		}
		if passes >= l.ofHost || own {
			return host
		}
	}
	return ""
}

// hold gives up the right to all hosts but some of those that it has.
func (p *place) hold(hosts []string) {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.held = hosts
	p.of.announce()
}

// await waits for the right to hosts. The pass holds none meanwhile, so that no two wait for
// each other.
func (p *place) await(ctx context.Context, hosts []string) error {
	p.hold(nil)
	all := p.of
	for {
		all.mu.Lock()
		busy, freed := all.busy(p.account, hosts), all.freed
		if busy == "" {
			p.held = hosts
		}
		all.mu.Unlock()
		if busy == "" {
			return nil
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// announce tells those that wait that a host may be free.
func (l *limiter) announce() {
	close(l.freed)
	l.freed = make(chan struct{})
}

// release gives the place back. failing is the position, among its hosts, of one that was slow
// or out of reach; -1: none was. well says that all hosts have answered, so that none is unhealthy
// any more.
func (p *place) release(failing int, well bool) {
	all := p.of
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.taken, p)
	all.announce()
	now := all.clock()
	if well {
		for _, host := range p.hosts {
			delete(all.unhealthyHosts, host)
		}
	}
	if failing < 0 {
		return
	}
	maps.DeleteFunc(all.unhealthyHosts, func(_ string, until time.Time) bool { return !until.After(now) })
	if host := p.hosts[failing]; host != "" && len(all.unhealthyHosts) < rememberedHosts {
		all.unhealthyHosts[host] = now.Add(all.unhealthyFor)
	}
}

// book puts a pass at the end of those that wait for a subject, and returns how long that is
// from now.
func (l *limiter) book(subject string, now time.Time) time.Duration {
	maps.DeleteFunc(l.booked, func(_ string, until time.Time) bool { return until.Before(now) })
	wait := min(max(l.booked[subject].Add(passPace).Sub(now), passPause), longestPassPause)
	l.booked[subject] = now.Add(wait)
	return wait + rand.N(passPause)
}
