package shops

import (
	"context"
	"net"
	"slices"
	"strings"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

type connector struct {
	ports.ConnectorInfo                               // in a Registry, with the settings that exist there
	checks              map[string]ports.SettingCheck // of settings, by name; without one, any text will do
	// checkTogether returns what is wrong with several settings together; nil: nothing can be.
	checkTogether func(domain.Settings) domain.Faults
	// address returns where the API is, from settings that have passed their checks.
	address func(domain.Settings) address
	// hostSetting is the name of the setting with the host.
	hostSetting string
	// anyHost says that accounts choose the host, which may then be anybody's.
	anyHost bool
	// test and fetch do what ports.Shops promises. Their errors are *domain.ConnectorError
	// without a Connector, or errors of ctx.
	test  func(ctx context.Context, s *openShop, days int) error
	fetch func(ctx context.Context, s *openShop, q ports.OrdersQuery) (*ports.FetchedOrders, error)
}

// openShop is a shop as a connector works with it.
type openShop struct {
	settings domain.Settings // complete and without surrounding blanks
	client   *client
	tokens   *tokens
	slice    int // orders that one list of Shopify has at most
}

// Settings are the service's settings of shops.
type Settings struct {
	// AllowLoopback also allows servers on this machine, for development.
	AllowLoopback bool
	Limits        Limits
}

// Registry reaches shops of every kind. It is safe for concurrent use.
type Registry struct {
	guard, machine peers.Guard
	limits         Limits
	connectors     []connector // sorted by id
	tokens         *tokens
}

// New makes a Registry.
func New(s Settings, guards peers.Guards) *Registry {
	limits := s.Limits.withDefaults()
	r := &Registry{
		guard: guards.For(s.AllowLoopback), machine: guards.ThisMachine(), limits: limits,
		connectors: []connector{shopify(), wooCommerce()}, tokens: newTokens(limits.Now),
	}
	for i := range r.connectors {
		c := &r.connectors[i]
		c.ConnectorInfo = c.Allowed(s.AllowLoopback)
	}
	return r
}

func (r *Registry) find(id domain.Connector) (c connector, found bool) {
	i := slices.IndexFunc(r.connectors, func(c connector) bool { return c.ID == id })
	if i < 0 {
		return connector{}, false
	}
	return r.connectors[i], true
}

func (r *Registry) Catalogue() (all []ports.ConnectorInfo) {
	for _, c := range r.connectors {
		all = append(all, c.ConnectorInfo)
	}
	return all
}

func (r *Registry) Check(ctx context.Context, shop domain.Shop) domain.Faults {
	if unknown := ports.CheckConnector(r.Catalogue(), shop.Connector); len(unknown) > 0 {
		return unknown
	}
	c, _ := r.find(shop.Connector)
	return c.checkSettings(shop.Settings, func(host string) domain.Fault { return r.guard.Check(ctx, host) }).Sorted()
}

func (c connector) checkSettings(given domain.Settings, hosts ports.HostCheck) domain.Faults {
	faults := c.Check(given, c.checks, hosts)
	if c.checkTogether != nil {
		faults.AddAll(c.checkTogether(c.Complete(given)))
	}
	return faults
}

func (r *Registry) Host(shop domain.Shop) string {
	c, found := r.find(shop.Connector)
	if !found {
		return ""
	}
	a := c.address(c.Complete(shop.Settings))
	if a.host == "" {
		return ""
	}
	return net.JoinHostPort(strings.ToLower(a.host), a.port)
}

// Test signs in anew, so that credentials that have been changed in the shop are found
// out.
func (r *Registry) Test(ctx context.Context, shop domain.Shop, days int) error {
	return r.during(ctx, shop, newTokens(r.limits.Now),
		func(ctx context.Context, c connector, s *openShop) error { return c.test(ctx, s, days) })
}

func (r *Registry) Fetch(ctx context.Context, shop domain.Shop, q ports.OrdersQuery) (fetched *ports.FetchedOrders, err error) {
	err = r.during(ctx, shop, r.tokens, func(ctx context.Context, c connector, s *openShop) error {
		fetched, err = c.fetch(ctx, s, q)
		return err
	})
	if err != nil {
		return nil, err
	}
	return fetched, nil
}

// during does something with a shop, and completes its errors.
func (r *Registry) during(ctx context.Context, shop domain.Shop, t *tokens, do func(context.Context, connector, *openShop) error) error {
	c, found := r.find(shop.Connector)
	if !found {
		return &domain.ConnectorError{Rule: domain.ConnNotAllowed, Connector: shop.Connector}
	}
	// They were checked when they were saved, perhaps by a program with other rules.
	if faults := c.checkSettings(shop.Settings, r.guard.CheckText); len(faults) > 0 {
		return &domain.ConnectorError{Rule: domain.ConnRefused, Connector: c.ID, Setting: faults[0].Setting}
	}
	s := &openShop{settings: c.Complete(shop.Settings), tokens: t, slice: r.limits.Slice}
	s.client = r.newClient(c.address(s.settings), c.anyHost)
	defer s.client.http.CloseIdleConnections()
	return explain(ctx, c, do(ctx, c, s))
}
