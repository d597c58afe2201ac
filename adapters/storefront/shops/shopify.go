package shops

import (
	"context"
	"regexp"
	"slices"
	"time"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Names of Shopify's settings.
const (
	settingShop   = "shop"
	settingID     = "client_id"
	settingSecret = "client_secret"
	settingToken  = "access_token"
	settingBase   = "base_url"
)

// The paths of the version of Shopify's API that is used, and of signing in.
const (
	shopifyGraphQL = "/admin/api/2026-10/graphql.json"
	shopifySignIn  = "/admin/oauth/access_token"
)

var shopifyDomain = regexp.MustCompile(`^[a-z0-9][a-z0-9-]*\.myshopify\.com$`)

// shopify signs in as a shop's own app: with the client credentials of the Dev Dashboard, or
// with the token of an app that was made in the shop's admin.
func shopify() connector {
	return connector{
		ConnectorInfo: ports.ConnectorInfo{
			ID: "shopify", Name: "Shopify",
			Settings: []ports.SettingInfo{
				{Name: settingShop, Required: true, Example: "kolam-kitchen.myshopify.com"},
				{Name: settingID},
				{Name: settingSecret, Secret: true},
				{Name: settingToken, Secret: true},
				{Name: settingBase, Development: true, Example: "http://127.0.0.1:9001"},
			},
		},
		checks:        map[string]ports.SettingCheck{settingShop: checkShopifyDomain, settingBase: checkBaseURL},
		hostSetting:   settingShop,
		checkTogether: checkShopify,
		address:       shopifyAddress,
		test:          testShopify, fetch: fetchShopify,
	}
}

// checkShopifyDomain is the check of a shop's domain, which is looked up unless a server on
// this machine stands in for it.
func checkShopifyDomain(value string, all domain.Settings, hosts ports.HostCheck) domain.Fault {
	switch {
	case !shopifyDomain.MatchString(value):
		return domain.Fault{Rule: domain.RuleForm}
	case all[settingBase] != "":
		return domain.Fault{}
	}
	return hosts(value)
}

// checkBaseURL is the check of a server on this machine that stands in for a shop.
func checkBaseURL(value string, _ domain.Settings, _ ports.HostCheck) domain.Fault {
	a, ok := readURL(value)
	if !ok || !peers.IsThisMachine(a.host) {
		return domain.Fault{Rule: domain.RuleForm}
	}
	return domain.Fault{}
}

// checkShopify holds that there is one way to sign in. A token may be stored from before
// client credentials were given: then it is not used.
func checkShopify(s domain.Settings) (faults domain.Faults) {
	missing := func(name string) {
		faults = append(faults, domain.Fault{Field: domain.FieldSetting, Setting: name, Rule: domain.RuleMissing})
	}
	switch {
	case s[settingID] != "" && s[settingSecret] == "":
		missing(settingSecret)
	case s[settingID] == "" && (s[settingSecret] != "" || s[settingToken] == ""):
		missing(settingID)
	}
	return faults
}

func shopifyAddress(s domain.Settings) address {
	if base := s[settingBase]; base != "" {
		a, _ := readURL(base)
		return a
	}
	return address{scheme: "https", host: s[settingShop], port: "443"}
}

// testShopify signs in, reads what the app may do, and asks for an order: a scope alone may
// not be enough.
func testShopify(ctx context.Context, s *openShop, days int) error {
	if err := s.checkScopes(ctx, days > shownDays); err != nil {
		return err
	}
	one := &shopifyFetch{openShop: s, page: 1, listed: fewParcels}
	now := s.client.limits.Now()
	page, err := one.ask(ctx, span{now.Add(-sliceSpan), now}, "")
	if err != nil {
		return err
	}
	for _, o := range page.Orders.Nodes {
		if err := inRupees(o.Total.Shop.Currency); err != nil {
			return err
		}
	}
	return nil
}

// checkScopes holds that the app may read orders, and old ones too if that is needed.
func (s *openShop) checkScopes(ctx context.Context, old bool) error {
	var of struct {
		Installation struct {
			Scopes few[shopifyScope] `json:"accessScopes"`
		} `json:"currentAppInstallation"`
	}
	if err := s.query(ctx, scopesQuery, nil, &of); err != nil {
		return err
	}
	has := func(scopes ...string) bool {
		return slices.ContainsFunc(of.Installation.Scopes, func(granted shopifyScope) bool { return slices.Contains(scopes, granted.Handle) })
	}
	switch {
	case !has(scopeOrders, "write_orders", scopeAllOrders):
		return &domain.ConnectorError{Rule: domain.ConnScope, Value: scopeOrders}
	case old && !has(scopeAllOrders):
		return &domain.ConnectorError{Rule: domain.ConnSixtyDays, Value: scopeAllOrders, Limit: shownDays}
	}
	return nil
}

type shopifyScope struct {
	Handle string `json:"handle"`
}

// The scopes that orders need. An app with write_orders may read them too.
const (
	scopeOrders    = "read_orders"
	scopeAllOrders = "read_all_orders"
)

// An app without scopeAllOrders is not shown orders that are older than shownSpan, and is not
// told so. The longest window that it is shown has shownDays days: a window begins with the
// first moment of a day.
const (
	shownSpan = 60 * 24 * time.Hour
	shownDays = 59
)

const scopesQuery = `query{currentAppInstallation{accessScopes{handle}}}`
