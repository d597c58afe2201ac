package webhook

import (
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
)

// errForbidden says that a host has an address that may not be called.
var errForbidden = errors.New("not a public address")

// errNoAddress says that a name has no address at all.
var errNoAddress = errors.New("the name has no address")

// Resolver looks names up. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dial connects to an address. *net.Dialer has such a method.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)

// guard connects to the addresses that one scheme may reach.
type guard struct {
	resolver Resolver
	dial     Dial
	allows   func(netip.Addr) error
}

// secureGuard is for https: it allows public addresses, and in development this machine.
func secureGuard(s Settings) *guard {
	options := []ssrf.Option{ssrf.WithAnyPort()}
	if s.AllowLoopback {
		options = append(options,
			ssrf.WithAllowedV4Prefixes(netip.MustParsePrefix("127.0.0.0/8")),
			ssrf.WithAllowedV6Prefixes(netip.MustParsePrefix("::1/128")))
	}
	return newGuard(s, ssrf.New(options...).SafeAddr)
}

// plainGuard is for http: it allows this machine alone, in development.
func plainGuard(s Settings) *guard {
	return newGuard(s, func(a netip.Addr) error {
		if !s.AllowLoopback || !a.IsLoopback() {
			return errors.New("plain http leaves this machine")
		}
		return nil
	})
}

func newGuard(s Settings, allows func(netip.Addr) error) *guard {
	g := &guard{resolver: s.Resolver, dial: s.Dial, allows: allows}
	if g.resolver == nil {
		g.resolver = net.DefaultResolver
	}
	if g.dial == nil {
		// The address was checked before it is dialled. It is checked once more when the
		// system is told to connect to it, so that a mistake above cannot get round it.
		g.dial = (&net.Dialer{Control: g.checkSocket}).DialContext
	}
	return g
}

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
// called, even if others may: such a name is a mistake or an attack. It returns
// errNoAddress if there is none, or the resolver's error.
func (g *guard) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	all, err := g.lookUp(ctx, host)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, errNoAddress
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

// endOfAttempt is the key of the time at which an attempt ends. It is a value of the
// attempt's context because the transport detaches a dial from the deadline of its request,
// so that another request may use the connection; here none does.
type endOfAttempt struct{}

// withEnd adds the time at which an attempt ends to its context.
func withEnd(ctx context.Context, end time.Time) context.Context {
	return context.WithValue(ctx, endOfAttempt{}, end)
}

// DialContext looks the host up and connects to the first address that answers. The
// connection ends with the attempt that it is dialled for, or after domain.PostLimit. A
// context is not enough for that: the transport hands some connections over, such as that
// of an answer of 101, and then no context ends them.
func (g *guard) DialContext(ctx context.Context, _, address string) (net.Conn, error) {
	end, ok := ctx.Value(endOfAttempt{}).(time.Time)
	if !ok {
		end = time.Now().Add(domain.PostLimit)
	}
	ctx, cancel := context.WithDeadline(ctx, end)
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
		if failed == nil {
			failed = err // the first address is the one that the system prefers
		}
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
