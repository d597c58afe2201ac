package shops

import (
	"cmp"
	"context"
	"maps"
	"net"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/glue"
)

// connector is one kind of shop.
type connector struct {
	id       domain.Connector
	name     string // as its maker writes it
	settings []setting
	// check returns what is wrong with several settings together; nil: nothing can be.
	check func(domain.Settings) domain.Faults
	// address returns where the API is, from settings that have passed their checks.
	address func(domain.Settings) address
	// hostSetting is the name of the setting with the host.
	hostSetting string
	// anyHost says that accounts choose the host, which may then be anybody's.
	anyHost bool
	// test and fetch do what ports.Shops promises. Their errors are *domain.ConnectorError
	// without a Connector, or errors of ctx.
	test  func(ctx context.Context, s *session, days int) error
	fetch func(ctx context.Context, s *session, q ports.OrdersQuery) (*ports.FetchedOrders, error)
}

// setting is one setting of a connector.
type setting struct {
	ports.SettingInfo
	// check returns the rule that a value breaks, in the light of all settings; nil: any text
	// will do. look checks the host that is a part of the value.
	check func(value string, all domain.Settings, look func(host string) domain.Fault) domain.Fault
}

// session is what a connector works with.
type session struct {
	settings domain.Settings // complete and without surrounding blanks
	line     *line
	tokens   *tokens
	slice    int // orders that one list of Shopify has at most
}

// Settings are the service's settings of shops.
type Settings struct {
	// AllowLoopback also allows servers on this machine, for development.
	AllowLoopback bool
	Limits        Limits
}

// Registry reaches shops of every kind. It fills ports.Shops and is safe for concurrent use.
type Registry struct {
	guard, machine glue.Guard
	limits         Limits
	connectors     []connector // sorted by id
	tokens         *tokens
}

// New makes a Registry.
func New(s Settings, guards glue.Guards) *Registry {
	limits := s.Limits.withDefaults()
	return &Registry{
		guard: guards.For(s.AllowLoopback), machine: guards.ThisMachine(), limits: limits,
		connectors: []connector{shopify(), wooCommerce()}, tokens: newTokens(limits.Now),
	}
}

func (r *Registry) find(id domain.Connector) (c connector, found bool) {
	i := slices.IndexFunc(r.connectors, func(c connector) bool { return c.id == id })
	if i < 0 {
		return connector{}, false
	}
	return r.connectors[i], true
}

// settingsOf returns the settings that a connector has here.
func (r *Registry) settingsOf(c connector) []setting {
	return slices.DeleteFunc(slices.Clone(c.settings), func(s setting) bool { return s.Development && !r.guard.AllowsLoopback() })
}

// Catalogue fills ports.Shops.
func (r *Registry) Catalogue() (all []ports.ConnectorInfo) {
	for _, c := range r.connectors {
		info := ports.ConnectorInfo{ID: c.id, Name: c.name}
		for _, s := range r.settingsOf(c) {
			info.Settings = append(info.Settings, s.SettingInfo)
		}
		all = append(all, info)
	}
	return all
}

// Check fills ports.Shops.
func (r *Registry) Check(ctx context.Context, shop domain.Shop) (faults domain.Faults) {
	c, found := r.find(shop.Connector)
	if !found {
		var ids []string
		for _, c := range r.connectors {
			ids = append(ids, string(c.id))
		}
		rule := domain.RuleOneOf
		if shop.Connector == "" {
			rule = domain.RuleMissing
		}
		return domain.Faults{{Field: domain.FieldConnector, Rule: rule, Value: domain.Shortened(string(shop.Connector)), Options: ids}}
	}
	return r.checkSettings(c, shop.Settings, func(host string) domain.Fault { return r.guard.Check(ctx, host) }).Sorted()
}

// checkSettings returns the faults of the settings of a connector.
func (r *Registry) checkSettings(c connector, given domain.Settings, look func(host string) domain.Fault) (faults domain.Faults) {
	known := r.settingsOf(c)
	add := func(name string, fault domain.Fault) {
		fault.Field, fault.Setting = domain.FieldSetting, name
		faults.Add(fault.Rule != "", fault)
	}
	var names []string
	for _, s := range known {
		names = append(names, s.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) {
			add(domain.Shortened(name), domain.Fault{Rule: domain.RuleSetting, Options: names})
		}
	}
	values := r.complete(c, given)
	for _, s := range known {
		fault := s.checkText(values[s.Name])
		if fault.Rule == "" && s.check != nil && values[s.Name] != "" {
			fault = s.check(values[s.Name], values, look)
			if fault.Rule == domain.RuleForm {
				fault.Value = s.Example
			}
		}
		add(s.Name, fault)
	}
	if c.check != nil {
		for _, fault := range c.check(values) {
			add(fault.Setting, fault)
		}
	}
	return faults
}

// maxLine is how many bytes a setting of one line may have.
const maxLine = 1000

// checkText checks what holds for any setting.
func (s setting) checkText(value string) domain.Fault {
	switch {
	case value == "" && s.Required:
		return domain.Fault{Rule: domain.RuleMissing}
	case len(value) > maxLine:
		return domain.Fault{Rule: domain.RuleLength, Value: strconv.Itoa(len(value)), Max: maxLine}
	case !utf8.ValidString(value), strings.ContainsFunc(value, unicode.IsControl):
		return domain.Fault{Rule: domain.RuleLine, Max: maxLine}
	}
	return domain.Fault{}
}

// complete returns the settings that a connector has, without the blanks around them that
// copying a text adds.
func (r *Registry) complete(c connector, given domain.Settings) domain.Settings {
	all := domain.Settings{}
	for _, s := range r.settingsOf(c) {
		all[s.Name] = cmp.Or(strings.TrimSpace(given[s.Name]), s.Default)
	}
	return all
}

// Host fills ports.Shops.
func (r *Registry) Host(shop domain.Shop) string {
	c, found := r.find(shop.Connector)
	if !found {
		return ""
	}
	a := c.address(r.complete(c, shop.Settings))
	if a.host == "" {
		return ""
	}
	return net.JoinHostPort(strings.ToLower(a.host), a.port)
}

// Test fills ports.Shops. It signs in anew, so that credentials that have been changed in the
// shop are found out.
func (r *Registry) Test(ctx context.Context, shop domain.Shop, days int) error {
	return r.during(ctx, shop, newTokens(r.limits.Now), func(ctx context.Context, c connector, s *session) error { return c.test(ctx, s, days) })
}

// Fetch fills ports.Shops.
func (r *Registry) Fetch(ctx context.Context, shop domain.Shop, q ports.OrdersQuery) (fetched *ports.FetchedOrders, err error) {
	err = r.during(ctx, shop, r.tokens, func(ctx context.Context, c connector, s *session) error {
		fetched, err = c.fetch(ctx, s, q)
		return err
	})
	if err != nil {
		return nil, err
	}
	return fetched, nil
}

// during does something with a shop, and completes its errors.
func (r *Registry) during(ctx context.Context, shop domain.Shop, t *tokens, do func(context.Context, connector, *session) error) error {
	c, found := r.find(shop.Connector)
	if !found {
		return &domain.ConnectorError{Rule: domain.ConnNotAllowed, Connector: shop.Connector}
	}
	// They were checked when they were saved, perhaps by a program with other rules.
	if faults := r.checkSettings(c, shop.Settings, r.guard.CheckText); len(faults) > 0 {
		return &domain.ConnectorError{Rule: domain.ConnRefused, Connector: c.id, Setting: faults[0].Setting}
	}
	s := &session{settings: r.complete(c, shop.Settings), tokens: t, slice: r.limits.Slice}
	s.line = r.newLine(c.address(s.settings), c.anyHost)
	defer s.line.close()
	return explain(ctx, c, do(ctx, c, s))
}
