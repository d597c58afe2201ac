package glue

import (
	"context"
	"net"
	"net/netip"

	"milaan/domain"
)

// Guard connects to hosts that accounts name, and to none that is not public: not to
// addresses of private networks, of this machine, or of the operator's cloud.
type Guard interface {
	// Check looks a host up and returns the rule that it breaks: domain.RulePublic if one
	// of its addresses is not public, domain.RuleNameServers if it has none, or a rule of its
	// spelling, such as domain.RuleHost; blank: none.
	Check(ctx context.Context, host string) domain.Fault
	// DialContext connects to host:port. It checks the addresses again, so that a name
	// that changed meanwhile gets nowhere. After an error, Forbidden says whether the
	// address was not public. The connection is closed when ctx ends.
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
	// Forbidden says whether an error of DialContext means that the address is not public.
	Forbidden(err error) bool
	// AllowsLoopback says whether addresses of this machine are allowed.
	AllowsLoopback() bool
}

// Guards makes guards.
type Guards interface {
	// For returns a guard that allows the addresses of this machine or not.
	For(loopback bool) Guard
}

// Resolver looks names up. *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Dial connects to an address. *net.Dialer has such a method.
type Dial func(ctx context.Context, network, address string) (net.Conn, error)
