package shops

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"milaan/adapters/storefront"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// Names of WooCommerce's settings.
const (
	settingURL            = "url"
	settingConsumerKey    = "consumer_key"
	settingConsumerSecret = "consumer_secret"
)

// The paths of the APIs of WooCommerce and of the plugin Shipment Tracking.
const (
	wooOrders   = "/wp-json/wc/v3/orders"
	wooTracking = "/wp-json/wc-shipment-tracking/v3/orders/%d/shipment-trackings"
)

// wooCommerce reads a shop's orders with one of its REST keys.
func wooCommerce() connector {
	return connector{
		ConnectorInfo: ports.ConnectorInfo{
			ID: "woocommerce", Name: "WooCommerce",
			Settings: []ports.SettingInfo{
				{Name: settingURL, Required: true, Example: "https://kolam-kitchen.example"},
				{Name: settingConsumerKey, Required: true, Secret: true},
				{Name: settingConsumerSecret, Required: true, Secret: true},
			},
		},
		checks:      map[string]ports.SettingCheck{settingURL: checkShopURL},
		hostSetting: settingURL, anyHost: true,
		address: func(s domain.Settings) address { a, _ := readURL(s[settingURL]); return a },
		test:    testWooCommerce, fetch: fetchWooCommerce,
	}
}

// checkShopURL is the check of a shop's address. Plain http is for this machine alone, which
// the guard refuses where it is not allowed.
func checkShopURL(value string, _ domain.Settings, hosts ports.HostCheck) domain.Fault {
	a, ok := readURL(value)
	if !ok || a.scheme == "http" && !peers.IsThisMachine(a.host) {
		return domain.Fault{Rule: domain.RuleForm}
	}
	return hosts(a.host)
}

// wooOrder is what is asked for of an order: nothing that says who bought.
type wooOrder struct {
	ID          int64           `json:"id"`
	Number      string          `json:"number"`
	Status      string          `json:"status"`
	Currency    string          `json:"currency"`
	CreatedAt   wooTime         `json:"date_created_gmt"`
	PaidAt      wooTime         `json:"date_paid_gmt"`
	CompletedAt wooTime         `json:"date_completed_gmt"`
	Total       string          `json:"total"`
	Method      string          `json:"payment_method"`
	MethodTitle string          `json:"payment_method_title"`
	Refunds     anything        `json:"refunds"`
	Meta        json.RawMessage `json:"meta_data"`

	tracked  bool // the order has metadata of the plugin
	tracking few[wooParcel]
}

const wooFields = "id,number,status,currency,date_created_gmt,date_paid_gmt,date_completed_gmt," +
	"total,payment_method,payment_method_title,refunds,meta_data"

type wooMeta struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// wooTrackingKey is the metadata in which Shipment Tracking, and the plugins that imitate it,
// keep the parcels of an order.
const wooTrackingKey = "_wc_shipment_tracking_items"

// wooParcel is a parcel, in the metadata and in the answers of the plugin alike.
type wooParcel struct {
	Number  string  `json:"tracking_number"`
	Carrier string  `json:"tracking_provider"`
	Custom  string  `json:"custom_tracking_provider"` // a carrier that the plugin does not know, in metadata alone
	Shipped wooDate `json:"date_shipped"`
}

// wooTime is a time in UTC that the API writes without a zone; null and blank are zero.
type wooTime struct{ time.Time }

func (t *wooTime) UnmarshalJSON(text []byte) (err error) {
	var s *string
	if err = json.Unmarshal(text, &s); err != nil || s == nil || *s == "" {
		return err
	}
	t.Time, err = time.Parse("2006-01-02T15:04:05", strings.TrimSuffix(*s, "Z"))
	return err
}

// wooDate is a day: seconds since 1970 in metadata, as a number or a text, and 2026-03-31 in
// answers of the plugin. What is neither is zero, for plugins write what they like.
type wooDate struct{ time.Time }

func (d *wooDate) UnmarshalJSON(text []byte) error {
	s := strings.Trim(string(text), `"`)
	if seconds, err := strconv.ParseInt(s, 10, 64); err == nil && seconds > 0 {
		d.Time = time.Unix(seconds, 0)
		return nil
	}
	d.Time, _ = time.ParseInLocation(time.DateOnly, s, domain.Kolkata)
	return nil
}

// testWooCommerce reads the latest order.
func testWooCommerce(ctx context.Context, s *openShop, _ int) error {
	var orders few[wooOrder]
	if _, err := s.get(ctx, wooOrders, url.Values{"per_page": {"1"}, "_fields": {"id,currency"}}, &orders, nil); err != nil {
		return err
	}
	for _, o := range orders {
		if err := inRupees(o.Currency); err != nil {
			return err
		}
	}
	return nil
}

// wooPerPage is the most that WooCommerce puts on a page, and wooLists how often the list is
// begun anew because it changed while it was read.
const (
	wooPerPage = 100
	wooLists   = 3
)

func fetchWooCommerce(ctx context.Context, s *openShop, q ports.OrdersQuery) (*ports.FetchedOrders, error) {
	var orders map[int64]*wooOrder
	for lists := 1; orders == nil; lists++ {
		var err error
		if orders, err = s.listWooOrders(ctx, q); err != nil {
			return nil, err
		}
		if orders == nil && lists == wooLists {
			return nil, &domain.ConnectorError{Rule: domain.ConnPages}
		}
	}
	if err := s.askWooTracking(ctx, orders); err != nil {
		return nil, err
	}
	fetched := storefront.NewFetched("woocommerce")
	for _, o := range orders {
		if err := o.addTo(fetched); err != nil {
			return nil, err
		}
		if fetched.Bytes() > domain.MaxPassBytes {
			return nil, &domain.ConnectorError{Rule: domain.ConnManyBytes, Limit: domain.MaxPassBytes}
		}
	}
	if q.Grown != nil {
		if err := q.Grown(fetched.Bytes()); err != nil {
			return nil, err
		}
	}
	return &ports.FetchedOrders{Orders: fetched, Count: fetched.Count(), Hash: fetched.Hash()}, nil
}

// listWooOrders lists the orders of a window by their ids, which no order changes. It returns
// nil if the list changed meanwhile: an order that is deleted or restored moves others from
// one page to another. Each page begins with the last order of the page before, so that it is
// seen if one has moved away between the two.
func (s *openShop) listWooOrders(ctx context.Context, q ports.OrdersQuery) (map[int64]*wooOrder, error) {
	const second = time.Second // after and before leave out the time itself
	at := func(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05") }
	asked := url.Values{
		"after": {at(q.From.Add(-second))}, "before": {at(q.To.Add(second))}, "dates_are_gmt": {"true"}, "status": {"any"},
		"orderby": {"id"}, "order": {"asc"}, "per_page": {strconv.Itoa(wooPerPage)}, "_fields": {wooFields},
	}
	all := map[int64]*wooOrder{}
	var last *wooOrder
	var taken int64
	for offset, total := 0, 1; offset < total; {
		asked.Set("offset", strconv.Itoa(offset))
		var orders few[*wooOrder]
		header, err := s.get(ctx, wooOrders, asked, &orders, nil)
		if err != nil {
			return nil, err
		}
		now, err := strconv.Atoi(header.Get("X-WP-Total"))
		switch {
		case err != nil || now < 0:
			return nil, badAnswer(http.StatusOK)
		case now > q.Most:
			days := int(q.To.Sub(q.From) / (24 * time.Hour))
			return nil, manyOrders(q, days*q.Most/now) // if orders come evenly
		case last != nil && now != total, len(orders) != max(min(wooPerPage, now-offset), 0):
			return nil, nil
		}
		total = now
		for i, o := range orders {
			if o == nil || o.ID == 0 || o.Number == "" || o.CreatedAt.IsZero() {
				return nil, badAnswer(http.StatusOK)
			}
			overlaps := i == 0 && last != nil
			if known := all[o.ID] != nil; known != overlaps || overlaps && o.ID != last.ID {
				return nil, nil
			}
			all[o.ID] = o
			size, err := o.keep()
			if err != nil {
				return nil, err
			}
			taken += size // a little more than there is, for orders of two pages
		}
		if len(orders) == 0 || offset+len(orders) == total {
			break
		}
		last = orders[len(orders)-1]
		offset += len(orders) - 1
		if q.Grown != nil {
			if err := q.Grown(taken); err != nil {
				return nil, err
			}
		}
	}
	maps.DeleteFunc(all, func(_ int64, o *wooOrder) bool { return o.CreatedAt.Before(q.From) || !o.CreatedAt.Before(q.To) })
	return all, nil
}

// keep keeps what is needed of an order's metadata, which may be a list of any length: it is
// read element by element. keep returns about how much memory the order takes; an error for
// metadata that cannot be read.
func (o *wooOrder) keep() (size int64, err error) {
	meta := o.Meta
	o.Meta = nil
	if !bytes.Contains(meta, []byte(wooTrackingKey)) {
		meta = nil
	}
	all := json.NewDecoder(bytes.NewReader(meta))
	if start, _ := all.Token(); start == json.Delim('[') {
		for all.More() {
			var m wooMeta
			if all.Decode(&m) != nil {
				return 0, badAnswer(http.StatusOK)
			}
			if m.Key != wooTrackingKey {
				continue
			}
			o.tracked = true
			if o.tracking, err = readWooParcels(m.Value); err != nil {
				return 0, err
			}
		}
	}
	const order, parcel = 400, 60
	return order + parcel*int64(len(o.tracking)), nil
}

// readWooParcels reads the metadata of an order's parcels: a list, which PHP writes as an
// object once a parcel has been taken out of it, and as a blank once all have.
func readWooParcels(value json.RawMessage) (parcels few[wooParcel], err error) {
	const most = mostListed * 1000 // bytes
	if len(value) > most {
		return nil, badAnswer(http.StatusOK)
	}
	var numbered map[string]wooParcel
	switch {
	case len(value) > 0 && value[0] == '[':
		err = json.Unmarshal(value, &parcels)
	case len(value) > 0 && value[0] == '{':
		err = json.Unmarshal(value, &numbered)
	}
	if err != nil {
		return nil, badAnswer(http.StatusOK)
	}
	for _, number := range slices.Sorted(maps.Keys(numbered)) {
		parcels = append(parcels, numbered[number])
	}
	return parcels, nil
}

// askWooTracking asks the plugin for the parcels of each order that may have left. That is one
// question for each order, so it is done only if no order has the plugin's metadata, which some
// shops hide, and if the shop has the plugin.
func (s *openShop) askWooTracking(ctx context.Context, orders map[int64]*wooOrder) error {
	var ids []int64
	for id, o := range orders {
		if o.tracked {
			return nil
		}
		if o.mayHaveLeft() {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for i, id := range ids {
		path := strings.Replace(wooTracking, "%d", strconv.FormatInt(id, 10), 1)
		var missing wooMissing
		_, err := s.get(ctx, path, url.Values{"_fields": {"tracking_number,tracking_provider,date_shipped"}}, &orders[id].tracking, &missing)
		switch {
		case err != nil:
			return err
		case missing.Code == "rest_no_route" && i == 0:
			return nil // the shop does not have the plugin
		case missing.Code != "":
			return &domain.ConnectorError{Rule: domain.ConnPages} // the order is gone
		}
	}
	return nil
}

func (o *wooOrder) mayHaveLeft() bool {
	switch o.Status {
	case "pending", "on-hold", "failed", "cancelled", wooDraft:
		return false
	}
	return true
}

// addTo adds an order in the words of an export. WooCommerce has one status, so:
//
//   - The payment of a failed order was refused, so no goods leave.
//   - A refunded order that had been completed was fulfilled; of any other one the goods have
//     not left, unless it has an AWB.
//   - Completed is when the goods left, unless the plugin says on which day that was.
//     WooCommerce notes a payment when an order on delivery is completed, whether or not
//     anybody has collected it: such an order is not paid, as far as the shop knows.
//   - The total is that before refunds, as in an export of Shopify. There is no balance.
func (o *wooOrder) addTo(fetched *storefront.Fetched) error {
	if o.Status == wooDraft {
		return nil
	}
	if err := inRupees(o.Currency); err != nil {
		return err
	}
	total, stated := domain.ReadPaise([]byte(o.Total))
	if stated != domain.Given {
		return badAnswer(http.StatusOK)
	}
	a := storefront.FetchedOrder{
		ID: strconv.FormatInt(o.ID, 10), Name: o.Number, CreatedAt: o.CreatedAt.Time, Total: total,
		Financial: o.financial(), Fulfilment: o.Status, Method: o.method(), FulfilledAt: o.CompletedAt.Time,
	}
	switch o.Status {
	case "cancelled":
		a.CancelledAt = o.CreatedAt.Time // when does not matter
	case "refunded":
		if !o.CompletedAt.IsZero() {
			a.Fulfilment = "completed"
		}
	}
	var shipped time.Time
	for _, p := range o.tracking {
		if number := strings.TrimSpace(p.Number); number != "" && !slices.Contains(a.AWBs, number) {
			a.AWBs = append(a.AWBs, number)
		}
		a.Carrier = cmp.Or(a.Carrier, strings.TrimSpace(p.Carrier), strings.TrimSpace(p.Custom))
		if p.Shipped.After(shipped) {
			shipped = p.Shipped.Time
		}
	}
	if !shipped.IsZero() {
		a.FulfilledAt = shipped
	}
	fetched.Add(a)
	return nil
}

// financial is a word for how far the payment is.
func (o *wooOrder) financial() string {
	switch {
	case o.Status == "failed":
		return "failed"
	case o.Status == "refunded":
		return "refunded"
	case bool(o.Refunds):
		return "partially_refunded"
	case o.Method == wooCOD, o.PaidAt.IsZero():
		return "pending"
	}
	return "paid"
}

// wooCOD is the id of WooCommerce's own cash on delivery, whatever a shop calls it.
const wooCOD = "cod"

// method is the payment method as customers read it. That of wooCOD says so.
func (o *wooOrder) method() string {
	title := cmp.Or(o.MethodTitle, o.Method)
	if o.Method == wooCOD && !strings.Contains(strings.ToLower(title), wooCOD) {
		title += " (COD)"
	}
	return title
}

// wooDraft is the status of an order that nobody has placed yet.
const wooDraft = "checkout-draft"

// wooMissing is the answer about something that is not there.
type wooMissing struct {
	Code string `json:"code"`
}

// get asks the API, and reads what it answers. Of what may not be there, missing is the answer then.
func (s *openShop) get(ctx context.Context, path string, query url.Values, into any, missing *wooMissing) (http.Header, error) {
	got, err := s.client.ask(ctx, func(ctx context.Context) (*http.Request, error) {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.client.address.url(path)+"?"+query.Encode(), nil)
		if err != nil {
			return nil, err
		}
		r.SetBasicAuth(s.settings[settingConsumerKey], s.settings[settingConsumerSecret])
		r.Header.Set("Accept", "application/json")
		return r, nil
	})
	if err != nil {
		return nil, err
	}
	if got.status == http.StatusOK {
		if json.Unmarshal(got.body, into) != nil {
			return nil, badAnswer(got.status)
		}
		return got.header, nil
	}
	var fault wooMissing
	_ = json.Unmarshal(got.body, &fault) // another one is no answer of WordPress
	switch {
	case fault.Code == "woocommerce_rest_cannot_view":
		return nil, &domain.ConnectorError{Rule: domain.ConnScope}
	case got.status == http.StatusUnauthorized, got.status == http.StatusForbidden:
		return nil, &domain.ConnectorError{Rule: domain.ConnRefused}
	case got.status == http.StatusNotFound && missing != nil && fault.Code != "":
		*missing = fault
		return got.header, nil
	}
	return nil, badAnswer(got.status)
}
