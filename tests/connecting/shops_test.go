package connecting_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"milaan/domain"
	"milaan/tests/connecting"
	"milaan/tests/fakes/network"
	"milaan/tests/fakes/shopify"
	"milaan/tests/fakes/woocommerce"
)

func TestShopShopify(t *testing.T) {
	t.Parallel()
	connecting.Shops(t, startShopify)
}

func startShopify(t testing.TB) *connecting.ShopPlace {
	var orders []shopify.Order
	for i := range 60 {
		created := time.Now().Add(-time.Duration(i) * 15 * time.Hour)
		orders = append(orders, shopify.Order{ID: int64(1000 - i), Name: fmt.Sprint("#", 1000-i), CreatedAt: created, Financial: "PENDING", Total: 99_900, Outstanding: 99_900,
			Fulfilment: "FULFILLED", Gateways: []string{"Cash on Delivery (COD)"}, Fulfilments: []shopify.Fulfilment{{CreatedAt: created, Tracking: []shopify.Tracking{{Number: fmt.Sprint("SR", 9000+i)}}}}})
	}
	fake, unruly := shopify.New(t), network.NewUnruly(t)
	base := fake.Serve(unruly)
	shop := fake.Add("kolam-kitchen", orders).SetBucket(1_000_000, 100, 100)
	settings := connecting.With(shop.Settings(), "base_url", shop.URLAt(base))
	token := connecting.With(settings, "client_id", "", "client_secret", "", "access_token", "shpat_wrong")
	return &connecting.ShopPlace{
		Shop: domain.Shop{Connector: "shopify", Settings: settings}, Orders: len(orders), Network: unruly, Requests: shop.Requests,
		Intercept: func(by func(http.ResponseWriter, *http.Request) bool) { shop.Intercept(by) },
		DropPage: func() {
			shop.Alter(func(p *shopify.Page) {
				if p.HasNextPage {
					p.EndCursor = ""
				}
			})
		},
		Wrong: map[string]connecting.Refusal{
			"the secret": {Settings: connecting.With(settings, "client_secret", "shpss_wrong"), Rule: domain.ConnRefused},
			"the id":     {Settings: connecting.With(settings, "client_id", "wrong"), Rule: domain.ConnRefused},
			"the token":  {Settings: token, Rule: domain.ConnRefused},
			"the shop":   {Settings: connecting.With(settings, "base_url", base+"/another"), Rule: domain.ConnAnswer},
		},
		Needed:      []string{"shop", "client_secret", "client_id"},
		At:          func(host string) domain.Settings { return connecting.With(settings, "shop", host, "base_url", "") },
		HostSetting: "shop",
		Secrets:     []string{shopify.ClientID, shopify.ClientSecret, "shpat", "shpss", "shpca"},
	}
}

func TestShopWooCommerce(t *testing.T) {
	t.Parallel()
	connecting.Shops(t, startWooCommerce)
}

func startWooCommerce(t testing.TB) *connecting.ShopPlace {
	var orders []woocommerce.Order
	for i := range 250 {
		created := time.Now().Add(-time.Duration(i) * 4 * time.Hour)
		orders = append(orders, woocommerce.Order{ID: int64(1000 - i), Status: "completed", CreatedAt: created, CompletedAt: created, Total: 99_900, Method: "cod", MethodTitle: "Cash on delivery",
			Tracking: []woocommerce.Tracking{{Number: fmt.Sprint("SR", 9000+i)}}})
	}
	fake, unruly := woocommerce.New(t), network.NewUnruly(t)
	base := fake.Serve(unruly)
	shop := fake.Add("kolam-kitchen", orders).SetPlugin(true, false)
	settings := connecting.With(shop.Settings(), "url", shop.URLAt(base))
	return &connecting.ShopPlace{
		Shop: domain.Shop{Connector: "woocommerce", Settings: settings}, Orders: len(orders), Network: unruly, Requests: shop.Requests,
		Intercept: func(by func(http.ResponseWriter, *http.Request) bool) { shop.Intercept(by) },
		DropPage: func() { // an order is deleted each time that the second page is asked for
			left := orders
			shop.Intercept(func(_ http.ResponseWriter, r *http.Request) bool {
				if r.URL.Query().Get("offset") != "0" {
					left = left[:len(left)-1]
					shop.SetOrders(left)
				}
				return false
			})
		},
		Wrong: map[string]connecting.Refusal{
			"the key":    {Settings: connecting.With(settings, "consumer_key", "ck_wrong"), Rule: domain.ConnRefused},
			"the secret": {Settings: connecting.With(settings, "consumer_secret", "cs_wrong"), Rule: domain.ConnRefused},
			"the shop":   {Settings: connecting.With(settings, "url", base+"/another"), Rule: domain.ConnAnswer},
		},
		Needed:      []string{"url", "consumer_key", "consumer_secret"},
		At:          func(host string) domain.Settings { return connecting.With(settings, "url", "https://"+host) },
		HostSetting: "url",
		Secrets:     []string{woocommerce.ConsumerKey, woocommerce.ConsumerSecret, "ck_", "cs_"},
	}
}
