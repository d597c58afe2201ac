package outbound

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"syscall"
	"time"

	"code.dny.dev/ssrf"

	"milaan/domain"
	"milaan/ports/peers"
)

// errForbidden says that a host has an address that may not be called.
var errForbidden = errors.New("not a public address")

// Settings replace the network in tests.
type Settings struct {
	Resolver peers.Resolver // nil: the system's
	Dial     peers.Dial     // nil: the network, where the guard also checks at the socket
}

// Guards makes the guards of a service.
type Guards struct{ settings Settings }

// New makes Guards.
func New(s Settings) *Guards { return &Guards{s} }

func (g *Guards) For(loopback bool) peers.Guard {
	options := []ssrf.Option{ssrf.WithAnyPort()}
	if loopback {
		options = append(options,
			ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8")),
			ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128")))
	}
	return g.guard(loopback, ssrf.New(options...).SafeAddr)
}

func (g *Guards) ThisMachine() peers.Guard {
	return g.guard(true, func(a netip.Addr) error {
		if !a.IsLoopback() {
			return errors.New("not this machine")
		}
		return nil
	})
}

type guard struct {
	loopback bool
	resolver peers.Resolver
	dial     peers.Dial
	allows   func(netip.Addr) error
}

func (g *Guards) guard(loopback bool, allows func(netip.Addr) error) *guard {
	made := &guard{loopback: loopback, resolver: g.settings.Resolver, dial: g.settings.Dial, allows: allows}
	if made.resolver == nil {
		made.resolver = net.DefaultResolver
	}
	if made.dial == nil {
		// The address was checked before it is dialled. It is checked once more when the
		// system is told to connect to it, so that a mistake above cannot get round it.
		made.dial = (&net.Dialer{Control: made.checkSocket}).DialContext
	}
	return made
}

func (g *guard) IsOwn(host string) bool { return g.loopback && peers.IsThisMachine(host) }

func (g *guard) CheckText(host string) domain.Fault {
	return domain.Fault{Rule: hostFault(host), Max: maxName}
}

// Check looks the host up, within lookUpLimit.
func (g *guard) Check(ctx context.Context, host string) domain.Fault {
	if fault := g.CheckText(host); fault.Rule != "" {
		return fault
	}
	ctx, cancel := context.WithTimeout(ctx, lookUpLimit)
	defer cancel()
	_, err := g.addresses(ctx, host)
	switch {
	case err == nil:
		return domain.Fault{}
	case errors.Is(err, errForbidden), peers.IsUnknownName(err):
		// The fault is the same for both: the difference would tell which names exist in the
		// network of the service.
		return domain.Fault{Rule: domain.RulePublic, Value: domain.Shortened(host), Loopback: !g.loopback && peers.IsThisMachine(host)}
	}
	return domain.Fault{Rule: domain.RuleNameServers, Value: domain.Shortened(host)}
}

func (g *guard) Forbidden(err error) bool { return errors.Is(err, errForbidden) }

func (g *guard) checkSocket(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil {
		return fmt.Errorf("%w: %v", errForbidden, err)
	}
	return g.check(a.Addr())
}

// check returns errForbidden for an address that may not be called. An IPv4-mapped IPv6
// address is unmapped first.
func (g *guard) check(a netip.Addr) error {
	if err := g.allows(a.Unmap()); err != nil {
		return fmt.Errorf("%w: %v", errForbidden, err)
	}
	return nil
}

// addresses looks a host up. It returns errForbidden if one of the addresses may not be
// called, even if others may: such a name is a mistake or an attack. It returns a
// *net.DNSError with IsNotFound if there is none, or the resolver's error.
func (g *guard) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	all, err := g.lookUp(ctx, host)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, &net.DNSError{Err: "the name has no address", Name: host, IsNotFound: true}
	}
	for i, a := range all {
		if err := g.check(a); err != nil {
			return nil, err
		}
		all[i] = a.Unmap()
	}
	return all, nil
}

func (g *guard) lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}, nil
	}
	if ownName(host) {
		return []netip.Addr{netip.AddrFrom4([4]byte{127, 0, 0, 1}), netip.IPv6Loopback()}, nil
	}
	if !strings.HasSuffix(host, ".") {
		host += "." // or the machine's search domains would complete it
	}
	return g.resolver.LookupNetIP(ctx, "ip", host)
}

// minShare is the least time that an address is given before the next is tried.
const minShare = time.Second

const (
	lookUpLimit  = 5 * time.Second
	connectLimit = 15 * time.Second
)

// DialContext looks the host up and connects to the first address that answers. The
// deadlines of the connection are never later than that of ctx, because what uses the
// connection may set others, or none.
func (g *guard) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	end, ok := ctx.Deadline()
	if !ok {
		end = time.Now().Add(domain.PassLimit)
	}
	ctx, cancel := context.WithTimeout(ctx, connectLimit)
	defer cancel()
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return nil, err
	}
	all, err := g.addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	var failed error
	for i, a := range all {
		conn, err := g.connect(ctx, netip.AddrPortFrom(a, uint16(number)), len(all)-i)
		if err == nil {
			return withDeadline(conn, end)
		}
		failed = cmp.Or(failed, err) // the first address is the one that the system prefers
		if ctx.Err() != nil {
			break
		}
	}
	return nil, failed
}

// connect dials an address within its share of the time that is left for all.
func (g *guard) connect(ctx context.Context, to netip.AddrPort, left int) (net.Conn, error) {
	if deadline, ok := ctx.Deadline(); ok && left > 1 {
		share := max(time.Until(deadline)/time.Duration(left), minShare)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, share)
		defer cancel()
	}
	return g.dial(ctx, "tcp", to.String())
}

// endingConn is a connection whose deadlines cannot be set later than its end.
type endingConn struct {
	net.Conn
	end time.Time
}

func withDeadline(conn net.Conn, end time.Time) (net.Conn, error) {
	if err := conn.SetDeadline(end); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return endingConn{conn, end}, nil
}

func (c endingConn) SetDeadline(t time.Time) error      { return c.Conn.SetDeadline(c.within(t)) }
func (c endingConn) SetReadDeadline(t time.Time) error  { return c.Conn.SetReadDeadline(c.within(t)) }
func (c endingConn) SetWriteDeadline(t time.Time) error { return c.Conn.SetWriteDeadline(c.within(t)) }

// within returns the earlier of a time and the connection's end. The zero time means no
// deadline, as in net.Conn.
func (c endingConn) within(t time.Time) time.Time {
	if t.IsZero() || t.After(c.end) {
		return c.end
	}
	return t
}
