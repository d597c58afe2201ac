package peers

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"strings"

	"milaan/domain"
)

// Guard connects to hosts that accounts name, and to none that is not public: not to
// addresses of private networks, of this machine, or of the operator's cloud.
type Guard interface {
	// CheckText returns the rule that the spelling of a host breaks, such as
	// domain.RuleHost; blank: none.
	CheckText(host string) domain.Fault
	// Check does the same, and looks the host up: domain.RulePublic if one of its addresses
	// is not public or it has none, domain.RuleNameServers if nobody answers.
	Check(ctx context.Context, host string) domain.Fault
	// DialContext connects to host:port. It checks the addresses again, so that a name
	// that changed meanwhile gets nowhere. The deadlines of the connection are never later
	// than that of ctx, or than domain.PassLimit after the dial. The end of ctx ends the
	// dial alone.
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
	// Forbidden says whether an error of DialContext means that the address is not public.
	Forbidden(err error) bool
	// IsOwn says whether a host means this machine, and this machine is allowed: there, in
	// development, TLS may be missing and certificates may be of anybody's making. A caller
	// that leaves them out dials with ThisMachine, so that no redirect leads elsewhere.
	IsOwn(host string) bool
}

// Guards makes guards.
type Guards interface {
	// For returns a guard for public addresses and, if loopback is set, those of this
	// machine, for development.
	For(loopback bool) Guard
	// ThisMachine returns a guard that allows addresses of this machine alone.
	ThisMachine() Guard
}

// IsThisMachine says whether the text of a host, an address without brackets or a name, means
// this machine. Nothing is looked up.
func IsThisMachine(host string) bool {
	a, err := netip.ParseAddr(host)
	return err == nil && a.Zone() == "" && a.Unmap().IsLoopback() || strings.EqualFold(host, "localhost")
}

// IsUnknownName says whether DNS has answered that there is no address.
func IsUnknownName(err error) bool {
	e, ok := errors.AsType[*net.DNSError](err)
	return ok && e.IsNotFound
}

// Resolver looks names up. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dial connects to an address. *net.Dialer has such a method.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)
