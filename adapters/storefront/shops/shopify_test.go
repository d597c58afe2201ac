package shops_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/outbound"
	"milaan/adapters/storefront/shops"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
	"milaan/tests/fakes/network"
	"milaan/tests/fakes/shopify"
	"milaan/tests/fakes/web"
	"milaan/tests/only"
)

// sleeper notes how long was waited, and moves a clock on instead.
type sleeper struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func (s *sleeper) sleep(ctx context.Context, d time.Duration) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slept, s.now = append(s.slept, d), s.now.Add(d)
	return ctx.Err()
}

func (s *sleeper) clock() time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.now
}

func (s *sleeper) waited() (all time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, d := range s.slept {
		all += d
	}
	return all
}

// today is when the tests fetch.
var today = time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)

func newShops(limits shops.Limits) (*shops.Registry, *sleeper) {
	s := &sleeper{now: today}
	limits.Sleep, limits.Now = s.sleep, s.clock
	return shops.New(shops.Settings{AllowLoopback: true, Limits: limits}, outbound.New(outbound.Settings{Resolver: network.Always(nil)})), s
}

func newShopify(t *testing.T, orders []shopify.Order) (*shopify.Shop, *shops.Registry, *sleeper) {
	fake := shopify.New(t)
	registry, s := newShops(shops.Limits{})
	fake.SetClock(s.clock)
	return fake.Add("kolam-kitchen", orders), registry, s
}

// someOrders makes orders, one every step before today.
func someOrders(n int, step time.Duration) (orders []shopify.Order) {
	for i := range n {
		created := today.Add(-time.Duration(i) * step)
		orders = append(orders, shopify.Order{
			ID: int64(5000 - i), Name: fmt.Sprint("#", 2000-i), CreatedAt: created, Financial: "PENDING", Fulfilment: "FULFILLED", Gateways: []string{"Cash on Delivery (COD)"},
			Total: 129_950, Outstanding: 129_950, Fulfilments: []shopify.Fulfilment{{CreatedAt: created.Add(time.Hour), Tracking: []shopify.Tracking{{Number: fmt.Sprint("SR", 14335212000+i), Company: "Shiprocket"}}}},
		})
	}
	return orders
}

func window(days int) ports.OrdersQuery {
	return ports.OrdersQuery{From: today.AddDate(0, 0, -days), To: today.Add(time.Second), Most: domain.MaxRows}
}

func shopOf(s *shopify.Shop) domain.Shop {
	return domain.Shop{Connector: "shopify", Settings: s.Settings()}
}

func requireFailure(t *testing.T, want domain.ConnectorError, err error) {
	t.Helper()
	got, is := errors.AsType[*domain.ConnectorError](err)
	require.True(t, is, "%v", err)
	e := *got
	e.Cause = nil
	require.Equal(t, want, e)
	for _, secret := range []string{shopify.ClientID, shopify.ClientSecret, shopify.Token, "kolam", "127.0.0.1"} {
		require.NotContains(t, err.Error(), secret)
	}
}

func TestShopifyOrdersAreFetched(t *testing.T) {
	shop, registry, slept := newShopify(t, someOrders(400, 3*time.Hour))
	fetched := only.Value(registry.Fetch(t.Context(), shopOf(shop), window(45)))(t)
	require.Equal(t, 45*8+1, fetched.Count, "those of 45 days, and the one that was made at the first moment")
	orders := new(verdict.Orders)
	orders.Reset()
	require.NoError(t, fetched.Orders.Read(orders))
	require.Equal(t, fetched.Count, orders.Len())
	o := orders.At(0)
	require.Equal(t, "#2000", string(o.Name))
	require.Equal(t, domain.Paise(129_950), o.Total)
	require.Equal(t, "SR14335212000", string(orders.AWBs(nil, o)))
	require.Equal(t, "Shiprocket", string(orders.Text(o.Carrier)))
	require.Equal(t, 1, shop.SignIns())
	require.Less(t, slept.waited(), time.Minute)

	require.Equal(t, fetched.Hash, only.Value(registry.Fetch(t.Context(), shopOf(shop), window(45)))(t).Hash)
	require.Equal(t, 1, shop.SignIns(), "the token is kept")
}

func TestShopifyTest(t *testing.T) {
	shop, registry, _ := newShopify(t, nil)
	test := func(days int, change func(domain.Settings)) error {
		s := shopOf(shop)
		if change != nil {
			change(s.Settings)
		}
		return registry.Test(t.Context(), s, days)
	}
	require.NoError(t, test(59, nil))
	require.NoError(t, test(45, func(s domain.Settings) {
		delete(s, "client_id")
		delete(s, "client_secret")
		s["access_token"] = shopify.Token
	}))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnRefused, Connector: "shopify", Setting: "client_secret"}, test(45, func(s domain.Settings) { s["client_secret"] = "shpss_wrong" }))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnRefused, Connector: "shopify", Setting: "client_id"}, test(45, func(s domain.Settings) { s["client_id"] = "wrong" }))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnRefused, Connector: "shopify", Setting: "access_token"},
		test(45, func(s domain.Settings) {
			delete(s, "client_id")
			delete(s, "client_secret")
			s["access_token"] = "shpat_wrong"
		}))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnSixtyDays, Connector: "shopify", Value: "read_all_orders", Limit: 59}, test(60, nil))
	shop.Grant("read_orders", "read_all_orders")
	require.NoError(t, test(60, nil))
	shop.Grant("read_products")
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnScope, Connector: "shopify", Value: "read_orders"}, test(45, nil))
	_, err := registry.Fetch(t.Context(), shopOf(shop), window(45))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnScope, Connector: "shopify", Value: "read_orders"}, err)
}

// An app may have the scope, and yet no right to see orders.
func TestShopifyShowsNoOrders(t *testing.T) {
	shop, registry, _ := newShopify(t, nil)
	shop.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		if !bytes.Contains(body, []byte("orders(")) {
			return false
		}
		_, _ = w.Write([]byte(`{"data":null,"errors":[{"message":"This app is not approved to access the Order object.","extensions":{"code":"ACCESS_DENIED"}}]}`))
		return true
	})
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnScope, Connector: "shopify", Value: "read_orders"}, registry.Test(t.Context(), shopOf(shop), 45))
}

// Shopify leaves out old orders without a word if the app lacks a scope, so a window that
// reaches so far needs it in each pass.
func TestOldOrdersOfShopifyAreNotMissedWithoutAWord(t *testing.T) {
	shop, registry, _ := newShopify(t, someOrders(62, 24*time.Hour))
	q := ports.OrdersQuery{From: (domain.DayOf(today) - 60).Start(), To: today.Add(time.Second), Most: domain.MaxRows}
	_, err := registry.Fetch(t.Context(), shopOf(shop), q)
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnSixtyDays, Connector: "shopify", Value: "read_all_orders", Limit: 59}, err)
	q.From = (domain.DayOf(today) - 59).Start()
	fetched := only.Value(registry.Fetch(t.Context(), shopOf(shop), q))(t)
	require.Equal(t, 60, fetched.Count)
	shop.Grant("read_orders", "read_all_orders")
	q.From = (domain.DayOf(today) - 60).Start()
	fetched = only.Value(registry.Fetch(t.Context(), shopOf(shop), q))(t)
	require.Equal(t, 61, fetched.Count)
}

// No order falls between two slices, whatever fractions of a second the window has.
func TestSlicesMeet(t *testing.T) {
	orders := someOrders(20, 24*time.Hour)
	shop, registry, _ := newShopify(t, orders)
	for _, fraction := range []time.Duration{0, time.Nanosecond, time.Second / 2, time.Second - 1} {
		q := ports.OrdersQuery{From: today.AddDate(0, 0, -21).Add(fraction), To: today.Add(time.Second + fraction), Most: domain.MaxRows}
		require.Equal(t, 20, only.Value(registry.Fetch(t.Context(), shopOf(shop), q))(t).Count, fraction)
	}
}

// A token that the shop no longer accepts is replaced once; one that is fresh is refused.
func TestShopifyTokensEnd(t *testing.T) {
	shop, registry, slept := newShopify(t, someOrders(5, time.Hour))
	fetch := func() error { _, err := registry.Fetch(t.Context(), shopOf(shop), window(45)); return err }
	require.NoError(t, fetch())
	shop.EndTokens()
	require.NoError(t, fetch())
	require.Equal(t, 2, shop.SignIns())
	require.NoError(t, slept.sleep(t.Context(), shopify.TokenSpan-time.Minute))
	require.NoError(t, fetch())
	require.Equal(t, 3, shop.SignIns(), "a token is not used in its last minutes")
	shop.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
		if strings.Contains(r.URL.Path, "graphql") {
			w.WriteHeader(http.StatusUnauthorized)
			return true
		}
		return false
	})
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnRefused, Connector: "shopify"}, fetch())
	require.Equal(t, 4, shop.SignIns())
	shop.SetSecret("shpss_new").Intercept(nil)
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnRefused, Connector: "shopify", Setting: "client_secret"}, fetch())
}

func TestShopifyPages(t *testing.T) {
	shop, registry, _ := newShopify(t, someOrders(300, time.Hour))
	fetch := func(q ports.OrdersQuery) (*ports.FetchedOrders, error) {
		return registry.Fetch(t.Context(), shopOf(shop), q)
	}
	whole := only.Value(fetch(window(45)))(t)
	require.Equal(t, 300, whole.Count)

	pages := domain.ConnectorError{Rule: domain.ConnPages, Connector: "shopify"}
	for _, alter := range map[string]func(*shopify.Page){
		"no cursor": func(p *shopify.Page) { p.EndCursor = "" },
		"a cursor again": func() func(p *shopify.Page) {
			var first string
			return func(p *shopify.Page) {
				if p.HasNextPage {
					first = cmp.Or(first, p.EndCursor)
					p.EndCursor = first
				}
			}
		}(),
		"an empty page": func(p *shopify.Page) { p.HasNextPage = true; p.Orders = nil },
	} {
		shop.Alter(alter)
		_, err := fetch(window(45))
		requireFailure(t, pages, err)
	}

	// An order that comes twice counts once, as it came last.
	shop.Alter(func(p *shopify.Page) {
		if len(p.Orders) == 0 {
			return
		}
		again := *p.Orders[0]
		again.Total++
		p.Orders = append([]*shopify.Order{&again}, p.Orders...)
	})
	twice := only.Value(fetch(window(45)))(t)
	require.Equal(t, whole.Count, twice.Count)
	require.Equal(t, whole.Hash, twice.Hash)

	// So does one that two slices have.
	shop.Alter(func(p *shopify.Page) {
		p.Orders = append(p.Orders, &shopify.Order{ID: 1, Name: "#old", CreatedAt: today.AddDate(0, 0, -100)})
	})
	require.Equal(t, whole.Hash, only.Value(fetch(window(45)))(t).Hash, "orders that were not asked for do not count")

	shop.Alter(nil)
	_, err := fetch(ports.OrdersQuery{From: today.AddDate(0, 0, -45), To: today.Add(time.Second), Most: 299})
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnManyOrders, Connector: "shopify", Limit: 299}, err)
}

// A list that is longer than what Shopify shows of one is fetched in parts.
func TestShopifySlicesThatAreTooLong(t *testing.T) {
	fake := shopify.New(t)
	registry, s := newShops(shops.Limits{Slice: 40})
	fake.SetClock(s.clock)
	shop := fake.Add("kolam-kitchen", someOrders(300, time.Hour)).SetPaging(40)
	fetched := only.Value(registry.Fetch(t.Context(), shopOf(shop), window(45)))(t)
	require.Equal(t, 300, fetched.Count)

	atOnce := someOrders(60, 0)
	shop.SetOrders(atOnce)
	_, err := registry.Fetch(t.Context(), shopOf(shop), window(45))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnPages, Connector: "shopify"}, err)
}

func TestTheWindowThatWouldDo(t *testing.T) {
	shop, registry, _ := newShopify(t, someOrders(500, 3*time.Hour))
	q := window(60)
	q.Most = 50 * 8
	_, err := registry.Fetch(t.Context(), shopOf(shop), q)
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnManyOrders, Connector: "shopify", Limit: 400, Days: 49}, err)
	would := q
	would.From = (domain.DayOf(today) - 49).Start()
	require.NoError(t, only.Err(registry.Fetch(t.Context(), shopOf(shop), would)))
	would.From = (domain.DayOf(today) - 50).Start()
	require.Error(t, only.Err(registry.Fetch(t.Context(), shopOf(shop), would)))
}

func TestShopifyIsNotAskedFasterThanItAllows(t *testing.T) {
	shop, registry, slept := newShopify(t, someOrders(300, time.Hour))
	shop.SetBucket(800, 10, 1000)
	fetched := only.Value(registry.Fetch(t.Context(), shopOf(shop), window(45)))(t)
	require.Equal(t, 300, fetched.Count)
	require.Greater(t, slept.waited(), time.Minute)

	shop.SetBucket(800, 0.001, 1000)
	before := slept.waited()
	_, err := registry.Fetch(t.Context(), shopOf(shop), window(45))
	got, _ := errors.AsType[*domain.ConnectorError](err)
	require.NotNil(t, got)
	require.Equal(t, domain.ConnThrottled, got.Rule)
	require.LessOrEqual(t, slept.waited()-before, 10*time.Minute)
}

func TestShopifyAsksToWait(t *testing.T) {
	shop, registry, slept := newShopify(t, someOrders(5, time.Hour))
	fetch := func() error { _, err := registry.Fetch(t.Context(), shopOf(shop), window(45)); return err }
	tooMany := func(retryAfter string, times int) func(http.ResponseWriter, *http.Request) bool {
		refuse := web.Status(http.StatusTooManyRequests, times)
		return func(w http.ResponseWriter, r *http.Request) bool {
			w.Header().Set("Retry-After", retryAfter)
			if refuse(w, r) {
				return true
			}
			w.Header().Del("Retry-After")
			return false
		}
	}
	shop.Intercept(tooMany("2.0", 2))
	require.NoError(t, fetch())
	require.Equal(t, 4*time.Second, slept.waited())
	shop.Intercept(tooMany(slept.clock().Add(30*time.Second).Format(http.TimeFormat), 1))
	require.NoError(t, fetch())
	require.Equal(t, 34*time.Second, slept.waited())
	shop.Intercept(tooMany("50", -1))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnThrottled, Connector: "shopify", Wait: 100 * time.Second}, fetch())
	shop.Intercept(tooMany("500", -1))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnThrottled, Connector: "shopify"}, fetch())
}

func TestFaultsOfShopify(t *testing.T) {
	shop, registry, _ := newShopify(t, someOrders(5, time.Hour))
	fetch := func() error { _, err := registry.Fetch(t.Context(), shopOf(shop), window(45)); return err }
	shop.Intercept(web.Status(http.StatusBadGateway, 3))
	require.NoError(t, fetch())
	shop.EndTokens().Intercept(web.Status(http.StatusPaymentRequired, -1))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnAnswer, Connector: "shopify", Setting: "shop", Status: 402}, fetch())
	shop.Intercept(nil)
	require.NoError(t, fetch())
	for status, want := range map[int]domain.ConnectorError{
		http.StatusBadGateway:      {Rule: domain.ConnAnswer, Status: 502},
		http.StatusPaymentRequired: {Rule: domain.ConnAnswer, Setting: "shop", Status: 402},
		http.StatusNotFound:        {Rule: domain.ConnAnswer, Setting: "shop", Status: 404},
		http.StatusForbidden:       {Rule: domain.ConnScope, Value: "read_orders"},
	} {
		refuse := web.Status(status, -1)
		shop.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
			return strings.Contains(r.URL.Path, "graphql") && refuse(w, r)
		})
		want.Connector = "shopify"
		requireFailure(t, want, fetch())
	}
	for body, want := range map[string]domain.ConnectorError{
		`<html>`:        {Rule: domain.ConnAnswer, Setting: "shop", Status: 200},
		`{}`:            {Rule: domain.ConnAnswer, Setting: "shop", Status: 200},
		`{"data":null}`: {Rule: domain.ConnAnswer, Setting: "shop", Status: 200},
		`{"data":{}}`:   {Rule: domain.ConnAnswer, Setting: "shop", Status: 200},
		`{"data":{"orders":{"nodes":[{"id":"1"}]}}}`:                                                  {Rule: domain.ConnAnswer, Setting: "shop", Status: 200},
		`{"data":{"orders":{"nodes":[]}},"errors":[{"extensions":{"code":"INTERNAL_SERVER_ERROR"}}]}`: {Rule: domain.ConnAnswer, Setting: "shop", Status: 200},
		`{"data":{"orders":{"nodes":[]}},"errors":[{"extensions":{"code":"SHOP_INACTIVE"}}]}`:         {Rule: domain.ConnAnswer, Setting: "shop", Status: 200},
		`{"data":{"orders":{"nodes":[]}},"errors":[{"message":"Field 'x' doesn't exist"}]}`:           {Rule: domain.ConnAnswer, Setting: "shop", Status: 200},
		`{"data":{"orders":{"nodes":[]}},"errors":[{"extensions":{"code":"ACCESS_DENIED"}}]}`:         {Rule: domain.ConnScope, Value: "read_orders"},
		`{"errors":[{"extensions":{"code":"MAX_COST_EXCEEDED"}}]}`:                                    {Rule: domain.ConnAnswer, Setting: "shop", Status: 200},
	} {
		shop.Intercept(func(w http.ResponseWriter, r *http.Request) bool {
			if strings.Contains(r.URL.Path, "oauth") {
				return false
			}
			_, _ = w.Write([]byte(body))
			return true
		})
		want.Connector = "shopify"
		requireFailure(t, want, fetch())
	}
}

func TestOrdersInAnotherCurrency(t *testing.T) {
	orders := someOrders(3, time.Hour)
	orders[1].Currency = "USD"
	shop, registry, _ := newShopify(t, orders)
	_, err := registry.Fetch(t.Context(), shopOf(shop), window(45))
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnCurrency, Connector: "shopify", Value: "USD"}, err)
	orders[1].Currency = "EUR"
	requireFailure(t, domain.ConnectorError{Rule: domain.ConnCurrency, Connector: "shopify", Value: "EUR"}, registry.Test(t.Context(), shopOf(shop.SetOrders(orders)), 45))
}

// No parcel of an order is lost because the list of orders has the first few alone.
func TestOrdersWithManyParcels(t *testing.T) {
	orders := someOrders(3, time.Hour)
	parcels := func(fulfilments, each int) (all []shopify.Fulfilment) {
		for i := range fulfilments {
			f := shopify.Fulfilment{CreatedAt: orders[1].CreatedAt.Add(time.Duration(i) * time.Minute)}
			for j := range each {
				f.Tracking = append(f.Tracking, shopify.Tracking{Number: "P" + strconv.Itoa(100*i+j)})
			}
			all = append(all, f)
		}
		return all
	}
	shop, registry, _ := newShopify(t, orders)
	for _, c := range []struct{ fulfilments, each int }{{1, 1}, {2, 2}, {3, 1}, {1, 3}, {10, 1}, {14, 1}, {1, 10}, {1, 24}, {9, 5}, {12, 3}} {
		orders[1].Fulfilments = parcels(c.fulfilments, c.each)
		fetched, err := registry.Fetch(t.Context(), shopOf(shop.SetOrders(orders)), window(45))
		require.NoError(t, err, "%v", c)
		read := new(verdict.Orders)
		read.Reset()
		require.NoError(t, fetched.Orders.Read(read))
		require.Len(t, strings.Split(string(read.AWBs(nil, read.At(1))), ", "), c.fulfilments*c.each)
	}
	for _, c := range []struct{ fulfilments, each int }{{51, 1}, {1, 60}} {
		orders[1].Fulfilments = parcels(c.fulfilments, c.each)
		_, err := registry.Fetch(t.Context(), shopOf(shop.SetOrders(orders)), window(45))
		requireFailure(t, domain.ConnectorError{Rule: domain.ConnPages, Connector: "shopify"}, err)
	}
}

// A shop whose orders have many parcels is asked for more of them at once.
func TestAShopOfManyParcels(t *testing.T) {
	orders := someOrders(200, time.Hour)
	for i := range orders {
		for j := range 4 {
			orders[i].Fulfilments = append(orders[i].Fulfilments, shopify.Fulfilment{CreatedAt: orders[i].CreatedAt, Tracking: []shopify.Tracking{{Number: fmt.Sprint("Q", i, "x", j)}}})
		}
	}
	shop, registry, _ := newShopify(t, orders)
	require.Equal(t, 200, only.Value(registry.Fetch(t.Context(), shopOf(shop), window(45)))(t).Count)
	require.Less(t, shop.Requests(), 110, "those of the first page one by one, and no more")
}

func TestParcelsThatDoNotCount(t *testing.T) {
	orders := someOrders(1, time.Hour)
	orders[0].Fulfilments = []shopify.Fulfilment{
		{CreatedAt: today.Add(2 * time.Hour), Tracking: []shopify.Tracking{{Number: "B"}, {Number: "A"}, {Number: " "}}},
		{CreatedAt: today.Add(time.Hour), Tracking: []shopify.Tracking{{Number: "A"}}},
		{CreatedAt: today.Add(72 * time.Hour), Status: "CANCELLED", Tracking: []shopify.Tracking{{Number: "C"}}},
	}
	shop, registry, _ := newShopify(t, orders)
	fetched := only.Value(registry.Fetch(t.Context(), shopOf(shop), window(45)))(t)
	read := new(verdict.Orders)
	read.Reset()
	require.NoError(t, fetched.Orders.Read(read))
	require.Equal(t, "A, B", string(read.AWBs(nil, read.At(0))))
	require.Equal(t, domain.DayOf(today), read.At(0).FulfilledOn)
}

// Nothing personal is asked for, and every query is one that Shopify understands: the fake
// checks each against the schema.
func TestQueriesOfShopify(t *testing.T) {
	for _, query := range shops.Queries() {
		require.NoError(t, only.Err(shopify.Parse(query)))
		for _, personal := range []string{"email", "phone", "note", "tags", "customer", "ddress"} {
			require.NotContains(t, query, personal)
		}
	}
}
