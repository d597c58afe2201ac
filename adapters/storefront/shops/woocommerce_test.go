package shops_test

import (
	"bytes"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront/shops"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/tests/fakes/web"
	"milaan/tests/fakes/woocommerce"
)

func newWooCommerce(t *testing.T, orders []woocommerce.Order) (*woocommerce.Shop, *shops.Registry, *sleeper) {
	registry, s := newShops(shops.Limits{})
	return woocommerce.New(t).Add("kolam-kitchen", orders).SetPlugin(true, false), registry, s
}

func wooShop(s *woocommerce.Shop) domain.Shop {
	return domain.Shop{Connector: "woocommerce", Settings: s.Settings()}
}

// wooOrders makes orders, one every step before today.
func wooOrders(n int, step time.Duration) (orders []woocommerce.Order) {
	for i := range n {
		created := today.Add(-time.Duration(i) * step)
		orders = append(orders, woocommerce.Order{
			ID: int64(5000 - i), Status: "completed", CreatedAt: created, CompletedAt: created.Add(30 * time.Hour), PaidAt: created.Add(30 * time.Hour), Total: 129_950, Method: "cod", MethodTitle: "Cash on delivery",
			Tracking: []woocommerce.Tracking{{Number: fmt.Sprint("SR", 14335212000+i), Carrier: "shiprocket", Shipped: created.Add(24 * time.Hour)}},
		})
	}
	return orders
}

func fetchWoo(t *testing.T, registry *shops.Registry, shop *woocommerce.Shop) *verdict.Orders {
	t.Helper()
	fetched, err := registry.Fetch(t.Context(), wooShop(shop), window(45))
	require.NoError(t, err)
	orders := new(verdict.Orders)
	orders.Reset()
	require.NoError(t, fetched.Orders.Read(orders))
	require.Equal(t, fetched.Count, orders.Len())
	return orders
}

func TestWooCommerceOrdersAreFetched(t *testing.T) {
	shop, registry, _ := newWooCommerce(t, wooOrders(400, 3*time.Hour))
	orders := fetchWoo(t, registry, shop)
	require.Equal(t, 45*8+1, orders.Len())
	require.Equal(t, 4, shop.Requests(), "four pages, and no question for each order")
	o := orders.At(0)
	require.Equal(t, "5000", string(o.Name))
	require.Equal(t, domain.Paise(129_950), o.Total)
	require.Equal(t, "SR14335212000", string(orders.AWBs(nil, o)))
	require.Equal(t, domain.DayOf(today.Add(24*time.Hour)), o.FulfilledOn)
	require.Equal(t, domain.PaymentCOD, o.Payment)
	require.Equal(t, domain.FinancialPending, o.Financial, "completing an order collects nothing")
}

func TestWordsOfWooCommerce(t *testing.T) {
	night := time.Date(2026, 11, 1, 19, 0, 0, 0, time.UTC) // the next day in Kolkata
	for name, c := range map[string]struct {
		order     woocommerce.Order
		status    string
		want      verdict.Order
		outOfList bool
	}{
		"processing": {woocommerce.Order{Status: "processing", Method: "cod", MethodTitle: "Pay at the door"}, "processing",
			verdict.Order{Financial: domain.FinancialPending, Payment: domain.PaymentCOD}, false},
		"prepaid": {woocommerce.Order{Status: "processing", Method: "razorpay", MethodTitle: "Credit Card/Debit Card/NetBanking", PaidAt: night}, "processing",
			verdict.Order{Financial: domain.FinancialPaid, Payment: domain.PaymentPrepaid}, false},
		"not paid yet": {woocommerce.Order{Status: "pending", Method: "razorpay", MethodTitle: "Razorpay"}, "pending",
			verdict.Order{Financial: domain.FinancialPending, Payment: domain.PaymentPrepaid}, false},
		"without a title": {woocommerce.Order{Status: "on-hold", Method: "bacs"}, "on-hold",
			verdict.Order{Financial: domain.FinancialPending, Payment: domain.PaymentPrepaid}, false},
		"partly paid": {woocommerce.Order{Status: "processing", Method: "cod", MethodTitle: "Partial payment"}, "processing",
			verdict.Order{Financial: domain.FinancialPending, Payment: domain.PaymentCOD, PartPrepaid: true}, false},
		"cancelled": {woocommerce.Order{Status: "cancelled", Method: "cod"}, "cancelled",
			verdict.Order{Financial: domain.FinancialPending, Payment: domain.PaymentCOD, Cancelled: true}, false},
		"failed": {woocommerce.Order{Status: "failed", Method: "paytm"}, "failed",
			verdict.Order{Financial: domain.FinancialVoided, Payment: domain.PaymentPrepaid}, false},
		"refunded": {woocommerce.Order{Status: "refunded", Method: "cod", Refunds: 1}, "refunded",
			verdict.Order{Financial: domain.FinancialRefunded, Payment: domain.PaymentCOD}, false},
		"refunded later": {woocommerce.Order{Status: "refunded", Method: "cod", Refunds: 1, CompletedAt: night}, "completed",
			verdict.Order{Financial: domain.FinancialRefunded, Payment: domain.PaymentCOD, Fulfilment: verdict.Fulfilled, FulfilledOn: domain.DayOf(night)}, false},
		"partly refunded": {woocommerce.Order{Status: "completed", Method: "cod", Refunds: 2, CompletedAt: night}, "completed",
			verdict.Order{Financial: domain.FinancialPartlyRefunded, Payment: domain.PaymentCOD, Fulfilment: verdict.Fulfilled, FulfilledOn: domain.DayOf(night)}, false},
		"a plugin's status": {woocommerce.Order{Status: "shipped", Method: "cod"}, "shipped",
			verdict.Order{Financial: domain.FinancialPending, Payment: domain.PaymentCOD, Fulfilment: verdict.FulfilmentOther}, false},
		"draft": {woocommerce.Order{Status: "checkout-draft"}, "", verdict.Order{}, true},
	} {
		c.order.ID, c.order.CreatedAt, c.order.Total = 7, night, 100
		shop, registry, _ := newWooCommerce(t, []woocommerce.Order{c.order, wooOrders(1, 0)[0]})
		orders := fetchWoo(t, registry, shop)
		if c.outOfList {
			require.Equal(t, 1, orders.Len())
			continue
		}
		require.Equal(t, 2, orders.Len(), name)
		got := orders.At(1)
		require.Equal(t, c.status, got.Status(), name)
		require.Equal(t, domain.DayOf(night), got.CreatedOn, name)
		require.Equal(t, c.want, verdict.Order{Financial: got.Financial, Payment: got.Payment, PartPrepaid: got.PartPrepaid, Cancelled: got.Cancelled, Fulfilment: got.Fulfilment, FulfilledOn: got.FulfilledOn}, name)
	}
}

// The parcels are those of the plugin, wherever it shows them.
func TestWooCommerceTracking(t *testing.T) {
	orders := wooOrders(30, time.Hour)
	orders[3].Tracking = append(orders[3].Tracking, woocommerce.Tracking{Number: "B2", Carrier: "dtdc", Shipped: today.Add(48 * time.Hour)}, woocommerce.Tracking{Number: "B2"})
	orders[2].Tracking[0].Carrier, orders[2].Tracking[0].Custom = "", "Local Riders"
	orders[4].Status, orders[4].Tracking = "cancelled", nil
	shop, registry, _ := newWooCommerce(t, orders)
	shown := fetchWoo(t, registry, shop)
	require.Equal(t, 1, shop.Requests())
	shop.SetPlugin(true, true)
	asked := fetchWoo(t, registry, shop)
	require.Equal(t, 1+1+29, shop.Requests(), "a question for each order that may have left")
	shop.SetPlugin(false, false)
	none := fetchWoo(t, registry, shop)
	require.Equal(t, 1+1+29+2, shop.Requests())
	carriers := slices.Repeat([]string{"shiprocket"}, 30)
	carriers[2], carriers[4] = "Local Riders", ""
	for i := range shown.Len() {
		require.Equal(t, *shown.At(i), *asked.At(i))
		require.Equal(t, carriers[i], string(shown.Text(shown.At(i).Carrier)))
		require.Equal(t, string(shown.Text(shown.At(i).Carrier)), string(asked.Text(asked.At(i).Carrier)))
		require.Equal(t, string(shown.AWBs(nil, shown.At(i))), string(asked.AWBs(nil, asked.At(i))))
		require.Empty(t, none.AWBs(nil, none.At(i)))
	}
	require.Equal(t, "SR14335212003, B2", string(shown.AWBs(nil, shown.At(3))))
	require.Equal(t, domain.DayOf(today.Add(48*time.Hour)), shown.At(3).FulfilledOn)

	shop.SetPlugin(true, true).Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "shipment") {
			shop.SetOrders(orders[5:]) // orders are deleted meanwhile
		}
		return false
	})
	_, err := registry.Fetch(t.Context(), wooShop(shop), window(45))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnPages, Connector: "woocommerce"}, err)
}

// A list that changes while it is read is begun anew, and after a while it is an error.
func TestWooCommercePagesThatChange(t *testing.T) {
	orders := wooOrders(250, time.Hour)
	shop, registry, _ := newWooCommerce(t, orders)
	var deleted atomic.Int64
	deleting := func(times int64) func(http.ResponseWriter, *http.Request) bool {
		deleted.Store(0)
		return func(_ http.ResponseWriter, r *http.Request) bool {
			if r.URL.Query().Get("offset") == "99" && deleted.Load() < times {
				shop.SetOrders(orders[:249-deleted.Add(1)])
			}
			return false
		}
	}
	shop.Intercept(deleting(1))
	require.Equal(t, 248, fetchWoo(t, registry, shop).Len())
	shop.SetOrders(orders).Intercept(deleting(100))
	_, err := registry.Fetch(t.Context(), wooShop(shop), window(45))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnPages, Connector: "woocommerce"}, err)

	// One order is deleted and another one is restored: there are as many, but each page after
	// that begins one order later.
	once := deleting(1)
	shop.SetOrders(orders).Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if once(w, r); deleted.Load() == 1 {
			last := orders[249]
			last.ID = 9000
			shop.SetOrders(append([]woocommerce.Order{last}, orders[:249]...))
		}
		return false
	})
	read := fetchWoo(t, registry, shop)
	require.Equal(t, 250, read.Len())
	require.GreaterOrEqual(t, read.Find([]byte("9000")), 0)
	require.Negative(t, read.Find([]byte("4751")))
}

func TestFaultsOfWooCommerce(t *testing.T) {
	shop, registry, _ := newWooCommerce(t, wooOrders(3, time.Hour))
	fetch := func(change func(domain.Settings)) error {
		s := wooShop(shop)
		if change != nil {
			change(s.Settings)
		}
		_, err := registry.Fetch(t.Context(), s, window(45))
		tested := registry.Test(t.Context(), s, 45)
		if err == nil {
			require.NoError(t, tested)
			return nil
		}
		require.ErrorContains(t, tested, err.Error())
		require.NotContains(t, err.Error(), woocommerce.ConsumerSecret)
		return err
	}
	require.NoError(t, fetch(nil))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnRefused, Connector: "woocommerce"}, fetch(func(s domain.Settings) { s["consumer_secret"] = "cs_wrong" }))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnRefused, Connector: "woocommerce"}, fetch(func(s domain.Settings) { s["consumer_key"] = "ck_wrong" }))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnAnswer, Connector: "woocommerce", Setting: "url", Status: 404}, fetch(func(s domain.Settings) { s["url"] += "/blog" }))
	shop.SetReadable(false)
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnScope, Connector: "woocommerce"}, fetch(nil))
	shop.SetReadable(true).Intercept(web.Status(http.StatusServiceUnavailable, -1))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnAnswer, Connector: "woocommerce", Status: 503}, fetch(nil))
	shop.Intercept(func(w http.ResponseWriter, _ *http.Request) bool {
		_, _ = w.Write([]byte("<br />\n<b>Warning</b>: Undefined array key [{}]"))
		return true
	})
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnAnswer, Connector: "woocommerce", Setting: "url", Status: 200}, fetch(nil))
}

func TestWooCommerceOrdersThatCannotBeCompared(t *testing.T) {
	orders := wooOrders(100, time.Hour)
	shop, registry, _ := newWooCommerce(t, orders)
	q := window(45)
	q.Most = 80
	_, err := registry.Fetch(t.Context(), wooShop(shop), q)
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnManyOrders, Connector: "woocommerce", Limit: 80, Days: 36}, err)
	orders[7].Currency = "EUR"
	_, err = registry.Fetch(t.Context(), wooShop(shop.SetOrders(orders)), window(45))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnCurrency, Connector: "woocommerce", Value: "EUR"}, err)
	orders[0].Currency = "USD"
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnCurrency, Connector: "woocommerce", Value: "USD"}, registry.Test(t.Context(), wooShop(shop.SetOrders(orders)), 45))
	shop.Intercept(func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("X-WP-Total", "1")
		w.Header().Set("X-WP-TotalPages", "1")
		_, _ = w.Write([]byte(`[{"id":7,"number":"7","status":"completed","currency":"INR","date_created_gmt":"2026-11-01T10:00:00","total":"many"}]`))
		return true
	})
	_, err = registry.Fetch(t.Context(), wooShop(shop), window(45))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnAnswer, Connector: "woocommerce", Setting: "url", Status: 200}, err)
}

// Metadata of parcels is as plugins write it.
func TestWooCommerceMetadata(t *testing.T) {
	shop, registry, _ := newWooCommerce(t, nil)
	for value, want := range map[string]string{
		`[{"tracking_number":"A1","date_shipped":1793491200}]`:                                                  "A1 2026-11-01",
		`[{"tracking_number":"A1","date_shipped":"1793491200"},{"tracking_number":"B2","date_shipped":"soon"}]`: "A1, B2 2026-11-01",
		`{"1":{"tracking_number":"B2"},"0":{"tracking_number":"A1"}}`:                                           "A1, B2 ",
		`[]`: " ", `""`: " ", `false`: " ",
	} {
		shop.Intercept(func(w http.ResponseWriter, _ *http.Request) bool {
			w.Header().Set("X-WP-Total", "1")
			w.Header().Set("X-WP-TotalPages", "1")
			_, _ = fmt.Fprintf(w, `[{"id":7,"number":"7","status":"shipped","currency":"INR","date_created_gmt":"2026-11-01T10:00:00","total":"5","meta_data":[{"key":"_wc_shipment_tracking_items","value":%s}]}]`, value)
			return true
		})
		orders := fetchWoo(t, registry, shop)
		o := orders.At(0)
		require.Equal(t, want, string(orders.AWBs(nil, o))+" "+o.FulfilledOn.String(), value)
	}
}

// TestAShopCannotWriteIntoTheLog holds that nothing is logged of what a server says on a
// connection on which nothing was asked.
func TestAShopCannotWriteIntoTheLog(t *testing.T) {
	var logged bytes.Buffer
	log.SetOutput(&logged)
	t.Cleanup(func() { log.SetOutput(os.Stderr) })
	shop, registry, _ := newWooCommerce(t, nil)
	shop.Intercept(func(w http.ResponseWriter, _ *http.Request) bool {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			return false
		}
		defer conn.Close()
		fmt.Fprint(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]HTTP/1.1 200 secretly\r\n\r\n")
		return true
	})
	for range 3 {
		require.NoError(t, registry.Test(t.Context(), wooShop(shop), 45))
	}
	require.Empty(t, logged.String())
}
