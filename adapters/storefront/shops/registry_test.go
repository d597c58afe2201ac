package shops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/storefront/shops"
	"milaan/domain"
	"milaan/tests/fakes/network"
)

// A made-up shop, which a server on this machine stands in for, is not looked up.
func TestAShopThatIsElsewhereIsNotLookedUp(t *testing.T) {
	names := network.Always(nil)
	registry := shops.New(shops.Settings{AllowLoopback: true}, outbound.New(outbound.Settings{Resolver: names, Dial: network.Unused(t)}))
	settings := domain.Settings{"shop": "kolam-kitchen.myshopify.com", "client_id": "1", "client_secret": "2", "base_url": "http://127.0.0.1:9001"}
	require.Empty(t, registry.Check(t.Context(), domain.Shop{Connector: "shopify", Settings: settings}))
	require.Empty(t, names.Lookups())

	settings["shop"] = "example.com"
	require.Equal(t, domain.RuleForm, registry.Check(t.Context(), domain.Shop{Connector: "shopify", Settings: settings})[0].Rule)

	settings["shop"], settings["base_url"] = "kolam-kitchen.myshopify.com", ""
	require.Equal(t, domain.RulePublic, registry.Check(t.Context(), domain.Shop{Connector: "shopify", Settings: settings})[0].Rule)
	require.Equal(t, []string{"kolam-kitchen.myshopify.com."}, names.Lookups())
}
