// Package woocommerce is a server that stands in for WooCommerce in tests: the orders of its
// REST API, version 3, on a WordPress whose clock is that of Kolkata, and the plugin Shipment
// Tracking. A question that WooCommerce would not understand is answered as such. One Fake is
// as many shops as are wanted, each below a path of its own.
package woocommerce

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"milaan/domain"
	"milaan/tests/fakes/web"
)

// Order is an order of a shop. Shops may share a slice of them.
type Order struct {
	ID          int64
	Number      string // blank: the ID
	Status      string // such as processing
	Currency    string // blank: INR
	CreatedAt   time.Time
	PaidAt      time.Time // zero: null
	CompletedAt time.Time // zero: null
	Total       domain.Paise
	Method      string
	MethodTitle string
	Refunds     int // how many
	Tracking    []Tracking
}

// Tracking is a parcel of Shipment Tracking.
type Tracking struct {
	Number  string
	Carrier string    // one that the plugin knows
	Custom  string    // another one
	Shipped time.Time // zero: not stated
}

// provider is whoever carries the parcel, as the plugin's answers name it.
func (t Tracking) provider() string { return cmp.Or(t.Carrier, t.Custom) }

// Fake serves shops.
type Fake struct{ *web.Server }

// New starts a server on 127.0.0.1, which ends with the test.
func New(t testing.TB) *Fake {
	t.Helper()
	return &Fake{web.New(t)}
}

// What a new shop accepts.
const (
	ConsumerKey    = "ck_5f2b1c"
	ConsumerSecret = "cs_c01e77"
)

// Add adds a shop with a name such as kolam-kitchen. It accepts ConsumerKey with
// ConsumerSecret.
func (f *Fake) Add(name string, orders []Order) *Shop {
	s := &Shop{secret: ConsumerSecret, readable: true}
	s.SetOrders(orders)
	s.Site = f.AddSite(name, s.serve)
	return s
}

// Shop is one shop of a Fake.
type Shop struct {
	*web.Site

	mu       sync.Mutex
	orders   []Order // by ID
	secret   string
	readable bool
	plugin   bool
	hidden   bool
}

// Settings are those with which the shop is reached.
func (s *Shop) Settings() domain.Settings {
	return domain.Settings{"url": s.URL(), "consumer_key": ConsumerKey, "consumer_secret": ConsumerSecret}
}

func (s *Shop) locked(do func()) *Shop {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
	return s
}

// SetOrders replaces the orders.
func (s *Shop) SetOrders(orders []Order) *Shop {
	return s.locked(func() {
		s.orders = slices.SortedFunc(slices.Values(orders), func(a, b Order) int { return int(a.ID - b.ID) })
	})
}

// SetReadable says whether the key may read orders.
func (s *Shop) SetReadable(is bool) *Shop { return s.locked(func() { s.readable = is }) }

// SetPlugin says whether the shop has Shipment Tracking, and whether it hides its metadata from
// the API.
func (s *Shop) SetPlugin(installed, hidden bool) *Shop {
	return s.locked(func() { s.plugin, s.hidden = installed, hidden })
}

func (s *Shop) serve(w http.ResponseWriter, r *http.Request, path string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key, secret, basic := r.BasicAuth()
	tracked, isTracking := strings.CutPrefix(path, "/wp-json/wc-shipment-tracking/v3/orders/")
	switch {
	case r.Method != http.MethodGet, path != "/wp-json/wc/v3/orders" && (!isTracking || !s.plugin):
		fail(w, http.StatusNotFound, "rest_no_route")
	case !basic, key != ConsumerKey, secret != s.secret:
		fail(w, http.StatusUnauthorized, "woocommerce_rest_authentication_error")
	case !s.readable:
		fail(w, http.StatusForbidden, "woocommerce_rest_cannot_view")
	case isTracking:
		s.tracking(w, strings.TrimSuffix(tracked, "/shipment-trackings"))
	default:
		s.list(w, r.URL.Query())
	}
}

func fail(w http.ResponseWriter, status int, code string) {
	web.Reply(w, status, map[string]any{"code": code, "message": "Sorry, " + code, "data": map[string]any{"status": status}})
}

// tracking answers with the parcels of an order.
func (s *Shop) tracking(w http.ResponseWriter, id string) {
	at := slices.IndexFunc(s.orders, func(o Order) bool { return strconv.FormatInt(o.ID, 10) == id })
	if at < 0 {
		fail(w, http.StatusNotFound, "woocommerce_rest_shop_order_invalid_id")
		return
	}
	all := []any{}
	for _, t := range s.orders[at].Tracking {
		parcel := map[string]any{"tracking_provider": t.provider(), "tracking_number": t.Number, "date_shipped": ""}
		if !t.Shipped.IsZero() {
			parcel["date_shipped"] = t.Shipped.In(domain.Kolkata).Format(time.DateOnly)
		}
		all = append(all, parcel)
	}
	web.Reply(w, http.StatusOK, all)
}

// parameters are those of the list that are served here, with what they may be.
var parameters = map[string][]string{
	"after": nil, "before": nil, "page": nil, "offset": nil, "per_page": nil, "_fields": nil,
	"dates_are_gmt": {"true", "false"}, "status": {"any"}, "order": {"asc", "desc"}, "orderby": {"id"},
}

// list answers with a page of orders.
func (s *Shop) list(w http.ResponseWriter, asked url.Values) {
	for name, values := range asked {
		allowed, known := parameters[name]
		if !known || len(values) != 1 || allowed != nil && !slices.Contains(allowed, values[0]) {
			fail(w, http.StatusBadRequest, "rest_invalid_param")
			return
		}
	}
	zone := domain.Kolkata
	if asked.Get("dates_are_gmt") == "true" {
		zone = time.UTC
	}
	bound := func(name string) (time.Time, bool) {
		if !asked.Has(name) {
			return time.Time{}, false
		}
		at, err := time.ParseInLocation("2006-01-02T15:04:05", asked.Get(name), zone)
		return at, err == nil
	}
	after, hasAfter := bound("after")
	before, hasBefore := bound("before")
	size, page := 10, 1
	if n, err := strconv.Atoi(asked.Get("per_page")); err == nil {
		size = n
	}
	if n, err := strconv.Atoi(asked.Get("page")); err == nil {
		page = n
	}
	offset := (page - 1) * size
	if n, err := strconv.Atoi(asked.Get("offset")); err == nil {
		offset = n
	}
	if size < 1 || size > 100 || page < 1 || offset < 0 || asked.Has("after") != hasAfter || asked.Has("before") != hasBefore {
		fail(w, http.StatusBadRequest, "rest_invalid_param")
		return
	}
	var found []*Order
	for i := range s.orders {
		o := &s.orders[i]
		if (!hasAfter || o.CreatedAt.After(after)) && (!hasBefore || o.CreatedAt.Before(before)) {
			found = append(found, o)
		}
	}
	if asked.Get("order") != "asc" { // the latest first, unless it is asked for
		slices.Reverse(found)
	}
	w.Header().Set("X-WP-Total", strconv.Itoa(len(found)))
	w.Header().Set("X-WP-TotalPages", strconv.Itoa((len(found)+size-1)/size))
	fields := strings.Split(asked.Get("_fields"), ",")
	all := []any{}
	for _, o := range found[min(offset, len(found)):min(offset+size, len(found))] {
		all = append(all, s.show(o, fields))
	}
	web.Reply(w, http.StatusOK, all)
}

// show makes an order what the API shows of it.
func (s *Shop) show(o *Order, fields []string) map[string]any {
	number, currency := cmp.Or(o.Number, strconv.FormatInt(o.ID, 10)), cmp.Or(o.Currency, "INR")
	refunds, meta := []any{}, []any{map[string]any{"id": 1, "key": "_wc_order_attribution_utm_source", "value": "(direct)"}}
	for i := range o.Refunds {
		refunds = append(refunds, map[string]any{"id": i, "reason": "", "total": "-1.00"})
	}
	if s.plugin && !s.hidden && len(o.Tracking) > 0 {
		items := []any{}
		for _, t := range o.Tracking {
			shipped := ""
			if !t.Shipped.IsZero() {
				shipped = strconv.FormatInt(t.Shipped.Unix(), 10)
			}
			items = append(items, map[string]any{"tracking_provider": t.Carrier, "custom_tracking_provider": t.Custom, "tracking_number": t.Number, "date_shipped": shipped})
		}
		meta = append(meta, map[string]any{"id": 2, "key": "_wc_shipment_tracking_items", "value": items})
	}
	all := map[string]any{
		"id": o.ID, "number": number, "status": o.Status, "currency": currency,
		"date_created_gmt": written(o.CreatedAt, time.UTC), "date_created": written(o.CreatedAt, domain.Kolkata),
		"date_paid_gmt": written(o.PaidAt, time.UTC), "date_paid": written(o.PaidAt, domain.Kolkata),
		"date_completed_gmt": written(o.CompletedAt, time.UTC), "date_completed": written(o.CompletedAt, domain.Kolkata),
		"total": fmt.Sprintf("%d.%02d", o.Total/100, o.Total%100), "payment_method": o.Method, "payment_method_title": o.MethodTitle,
		"refunds": refunds, "meta_data": meta, "customer_note": "ring twice", "billing": map[string]any{"first_name": "Invented"},
	}
	if len(fields) == 1 && fields[0] == "" {
		return all
	}
	maps.DeleteFunc(all, func(name string, _ any) bool { return !slices.Contains(fields, name) })
	return all
}

func written(t time.Time, in *time.Location) any {
	if t.IsZero() {
		return nil
	}
	return t.In(in).Format("2006-01-02T15:04:05")
}
