package autopilot

import (
	"context"
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
	// passPace is how far apart passes without a permit are called again, at the earliest
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

// permitBounds are how many permits there are at once.
type permitBounds struct {
	all           int // 0: any number
	ofHost        int // each of another account
	ofAccount     int
	mostUnhealthy int           // others have the rest
	long          time.Duration // after how long one counts as unhealthy
	unhealthyFor  time.Duration // how long a host counts as unhealthy
}

// passPermits shares the passes of this instance, or the tests of connections, among accounts
// and hosts, so that a slow host does not keep all workers busy. A host is unhealthy for a while after
// a pass has found it slow or out of reach; a pass that connects to an unhealthy host, or has gone on
// for long, is unhealthy too.
type passPermits struct {
	permitBounds
	clock ports.Clock

	mu     sync.Mutex
	freed  chan struct{} // is closed when a host becomes free
	taken  map[*passPermit]struct{}
	booked map[string]time.Time // until when passes without a permit have been called again
	// unhealthyHosts says until when a host is unhealthy.
	unhealthyHosts map[string]time.Time
}

// passPermit is the right to make one pass, and to connect to some hosts. A pass has the right to
// a host only while it needs the host: that its shop is slow does not keep others from the
// host of its mailbox.
type passPermit struct {
	of        *passPermits
	account   string
	hosts     []string
	held      []string // of these, now
	unhealthy bool     // when it was taken
	since     time.Time
	stop      func() // ends what it is for; nil: nobody may
}

func newPassPermits(passes int, clock ports.Clock) *passPermits {
	return newPermits(permitBounds{ofHost: passesOfHost, ofAccount: passesOfAccount, mostUnhealthy: max(1, passes/2), long: longPass, unhealthyFor: unhealthyHostFor}, clock)
}

func newPermits(bounds permitBounds, clock ports.Clock) *passPermits {
	return &passPermits{permitBounds: bounds, clock: clock, freed: make(chan struct{}), taken: map[*passPermit]struct{}{}, unhealthyHosts: map[string]time.Time{}, booked: map[string]time.Time{}}
}

// take takes a permit for a pass of an account that connects to hosts, of which a blank one is
// none. If there is none, permit is nil, and wait is after how long to ask again: the more passes
// wait, the longer.
func (p *passPermits) take(account string, hosts []string) (permit *passPermit, wait time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.clock()
	permit, lacking := p.takeNow(account, hosts, now)
	if permit == nil {
		return nil, p.book(lacking, now)
	}
	return permit, 0
}

// What may be lacking for a permit, besides a host.
const (
	lackingAccount   = "account "
	lackingUnhealthy = "unhealthy"
	lackingAny       = "any"
	lackingHost      = "host "
)

// takeNow takes a permit, or says what is lacking for it.
func (p *passPermits) takeNow(account string, hosts []string, now time.Time) (permit *passPermit, lacking string) {
	permit = &passPermit{of: p, account: account, hosts: hosts, held: hosts, since: now}
	for _, host := range hosts {
		permit.unhealthy = permit.unhealthy || p.unhealthyHosts[host].After(now)
	}
	ofAccount, unhealthy := 0, 0
	for other := range p.taken {
		if other.account == account {
			ofAccount++
		}
		if other.unhealthy || now.Sub(other.since) >= p.long {
			unhealthy++
		}
	}
	switch {
	case ofAccount >= p.ofAccount:
		return nil, lackingAccount + account
	case permit.unhealthy && unhealthy >= p.mostUnhealthy:
		return nil, lackingUnhealthy
	case p.all > 0 && len(p.taken) >= p.all:
		return nil, lackingAny
	}
	if host := p.busy(account, hosts); host != "" {
		return nil, lackingHost + host
	}
	p.taken[permit] = struct{}{}
	return permit, ""
}

// busy returns the first of some hosts at which an account can have no pass now; blank: there
// is none.
func (p *passPermits) busy(account string, hosts []string) string {
	for _, host := range hosts {
		passes, own := 0, false
		for other := range p.taken {
			if host != "" && slices.Contains(other.held, host) {
				passes++
				own = own || other.account == account
			}
		}
		if passes >= p.ofHost || own {
			return host
		}
	}
	return ""
}

// hold gives up the right to all hosts but some of those that it has.
func (p *passPermit) hold(hosts []string) {
	p.of.mu.Lock()
	defer p.of.mu.Unlock()
	p.held = hosts
	p.of.announce()
}

// await waits for the right to hosts. The pass holds none meanwhile, so that no two wait for
// each other.
func (p *passPermit) await(ctx context.Context, hosts []string) error {
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
func (p *passPermits) announce() {
	close(p.freed)
	p.freed = make(chan struct{})
}

// release gives the permit back. failing is the position, among its hosts, of one that was slow
// or out of reach; -1: none was. well says that all hosts have answered, so that none is unhealthy
// any more.
func (p *passPermit) release(failing int, well bool) {
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
	for host, until := range all.unhealthyHosts {
		if !until.After(now) {
			delete(all.unhealthyHosts, host)
		}
	}
	if host := p.hosts[failing]; host != "" && len(all.unhealthyHosts) < rememberedHosts {
		all.unhealthyHosts[host] = now.Add(all.unhealthyFor)
	}
}

// book puts a pass at the end of those that wait for a subject, and returns how long that is
// from now.
func (p *passPermits) book(subject string, now time.Time) time.Duration {
	for other, until := range p.booked {
		if until.Before(now) {
			delete(p.booked, other)
		}
	}
	until := p.booked[subject].Add(passPace)
	if earliest := now.Add(passPause); until.Before(earliest) {
		until = earliest
	}
	if latest := now.Add(longestPassPause); until.After(latest) {
		until = latest
	}
	p.booked[subject] = until
	return until.Sub(now) + rand.N(passPause)
}
