package shops

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"milaan/adapters/storefront"
	"milaan/domain"
	"milaan/ports"
	"milaan/ports/glue"
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
		checks:        map[string]valueCheck{settingShop: checkShopifyDomain, settingBase: checkBaseURL},
		hostSetting:   settingShop,
		checkTogether: checkShopify,
		address:       shopifyAddress,
		test:          testShopify, fetch: fetchShopify,
	}
}

// checkShopifyDomain is the check of a shop's domain, which is looked up unless a server on
// this machine stands in for it.
func checkShopifyDomain(value string, all domain.Settings, look func(string) domain.Fault) domain.Fault {
	switch {
	case !shopifyDomain.MatchString(value):
		return domain.Fault{Rule: domain.RuleForm}
	case all[settingBase] != "":
		return domain.Fault{}
	}
	return look(value)
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

// tokens keeps the tokens of client credentials while they are valid. A token is found with
// the shop and both credentials, so credentials that have changed get another one.
type tokens struct {
	mu  sync.Mutex
	all map[[32]byte]keptToken
	now func() time.Time
}

type keptToken struct {
	token string
	until time.Time
}

// maxTokens is how many tokens are kept. A token less costs one more request.
const maxTokens = 20_000

func newTokens(now func() time.Time) *tokens {
	return &tokens{all: map[[32]byte]keptToken{}, now: now}
}

func (t *tokens) find(key [32]byte) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if kept := t.all[key]; t.now().Before(kept.until) {
		return kept.token
	}
	return ""
}

func (t *tokens) keep(key [32]byte, token string, valid time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for other := range t.all { // in no particular order
		if len(t.all) < maxTokens {
			break
		}
		delete(t.all, other)
	}
	t.all[key] = keptToken{token, t.now().Add(valid)}
}

// forget removes a token that was refused, unless there is another one by now.
func (t *tokens) forget(key [32]byte, token string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.all[key].token == token {
		delete(t.all, key)
	}
}

// A token is not used in its last minutes. One whose end is not stated is kept for a while.
const (
	tokenMargin = 5 * time.Minute
	usualSpan   = time.Hour
)

func (s *session) tokenKey() [32]byte {
	return sha256.Sum256([]byte(strings.Join([]string{s.line.address.url(""), s.settings[settingID], s.settings[settingSecret]}, "\x00")))
}

// token returns a token to ask with, and whether it is one that was kept.
func (s *session) token(ctx context.Context) (token string, kept bool, err error) {
	if s.settings[settingID] == "" {
		return s.settings[settingToken], false, nil
	}
	if token := s.tokens.find(s.tokenKey()); token != "" {
		return token, true, nil
	}
	token, err = s.signIn(ctx)
	return token, false, err
}

// signIn gets a new token for the client credentials.
func (s *session) signIn(ctx context.Context) (string, error) {
	// The library makes the request, and the line repeats it and reads its answer.
	through := &http.Client{Transport: asking{s.line}, CheckRedirect: s.line.client.CheckRedirect}
	form := clientcredentials.Config{
		ClientID: s.settings[settingID], ClientSecret: s.settings[settingSecret],
		TokenURL: s.line.address.url(shopifySignIn), AuthStyle: oauth2.AuthStyleInParams,
	}
	token, err := form.Token(context.WithValue(ctx, oauth2.HTTPClient, through))
	if err == nil {
		valid := usualSpan
		if !token.Expiry.IsZero() {
			valid = time.Until(token.Expiry)
		}
		s.tokens.keep(s.tokenKey(), token.AccessToken, valid-tokenMargin)
		return token.AccessToken, nil
	}
	if e, is := errors.AsType[*domain.ConnectorError](err); is {
		return "", e
	}
	// The texts of the library's errors have the answer in them: they go nowhere.
	e, is := errors.AsType[*oauth2.RetrieveError](err)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case !is || e.Response == nil:
		return "", answered(0)
	}
	switch e.Response.StatusCode {
	case http.StatusBadRequest, http.StatusUnauthorized, http.StatusForbidden:
	default:
		return "", answered(e.Response.StatusCode)
	}
	refused := failed(domain.ConnRefused)
	switch e.ErrorCode {
	case "invalid_client":
		refused.Setting = settingSecret
	case "application_cannot_be_found":
		refused.Setting = settingID
	case "shop_not_permitted", "app_not_installed":
		refused.Setting = settingShop
	}
	return "", refused
}

// asking makes the requests of a library on a line. It fills http.RoundTripper.
type asking struct{ line *line }

// RoundTrip fills http.RoundTripper.
func (a asking) RoundTrip(r *http.Request) (*http.Response, error) {
	got, err := a.line.ask(r.Context(), func(ctx context.Context) (*http.Request, error) {
		again := r.Clone(ctx)
		if r.GetBody != nil {
			body, err := r.GetBody()
			if err != nil {
				return nil, err
			}
			again.Body = body
		}
		return again, nil
	})
	if err != nil {
		return nil, err
	}
	return got.response(r), nil
}

// testShopify signs in, reads what the app may do, and asks for an order: a scope alone may
// not be enough.
func testShopify(ctx context.Context, s *session, days int) error {
	if err := s.checkScopes(ctx, days > shownDays); err != nil {
		return err
	}
	one := &shopifyFetch{session: s, page: 1, listed: fewParcels}
	now := s.line.limits.Now()
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
func (s *session) checkScopes(ctx context.Context, old bool) error {
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

// inRupees returns the error of an order in another currency.
func inRupees(currency string) error {
	if currency == "INR" {
		return nil
	}
	return &domain.ConnectorError{Rule: domain.ConnCurrency, Value: domain.Shortened(currency)}
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

// ordersQuery asks for a page of orders, the latest first. Nothing personal is asked for.
const ordersQuery = `query($first:Int!,$after:String,$query:String!,$listed:Int!){orders(first:$first,after:$after,query:$query,sortKey:CREATED_AT,reverse:true){
 pageInfo{hasNextPage endCursor} nodes{id name createdAt cancelledAt displayFinancialStatus displayFulfillmentStatus
 paymentGatewayNames totalPriceSet{shopMoney{amount currencyCode}} totalOutstandingSet{shopMoney{amount}}
 fulfillments(first:$listed){status createdAt trackingInfo(first:$listed){number company}}}}}`

// parcelsQuery asks for more parcels of one order than ordersQuery does.
const parcelsQuery = `query($id:ID!,$fulfillments:Int!,$parcels:Int!){order(id:$id){
 fulfillments(first:$fulfillments){status createdAt trackingInfo(first:$parcels){number company}}}}`

// How many fulfilments of an order ordersQuery asks for, and how many tracking numbers of each.
// A query costs what it asks for, and most orders have one parcel: with few of them a page can
// have ten times as many orders. parcelsQuery asks for the rest of the others; if those are
// more than one in oneIn, it is cheaper to ask for more at once.
const (
	fewParcels  = 3
	moreParcels = 10
	oneIn       = 10 // orders
)

// The number of orders on a page is that with which one page costs less than a query may, in
// a shop like most. It is halved if that is too many.
const (
	firstPage = 100
	sliceSpan = 7 * 24 * time.Hour // of creation: one list has at most 25,000 orders
	leastSpan = time.Minute        // into which a list that is too long is split
)

type shopifyPage struct {
	Orders *struct {
		PageInfo struct {
			HasNextPage bool   `json:"hasNextPage"`
			EndCursor   string `json:"endCursor"`
		} `json:"pageInfo"`
		Nodes few[shopifyOrder] `json:"nodes"`
	} `json:"orders"`
}

type shopifyOrder struct {
	ID          string                 `json:"id"`
	Name        string                 `json:"name"`
	CreatedAt   time.Time              `json:"createdAt"`
	CancelledAt time.Time              `json:"cancelledAt"` // null: zero
	Financial   string                 `json:"displayFinancialStatus"`
	Fulfilment  string                 `json:"displayFulfillmentStatus"`
	Gateways    few[string]            `json:"paymentGatewayNames"`
	Total       shopifyMoney           `json:"totalPriceSet"`
	Outstanding shopifyMoney           `json:"totalOutstandingSet"`
	Fulfilments few[shopifyFulfilment] `json:"fulfillments"`
}

type shopifyMoney struct {
	Shop struct {
		Amount   string `json:"amount"`
		Currency string `json:"currencyCode"`
	} `json:"shopMoney"`
}

type shopifyFulfilment struct {
	Status    string             `json:"status"`
	CreatedAt time.Time          `json:"createdAt"`
	Tracking  few[shopifyParcel] `json:"trackingInfo"`
}

type shopifyParcel struct {
	Number string `json:"number"`
}

// span is a slice of the time in which orders were created: from the first moment on, and
// before the second.
type span struct{ from, to time.Time }

// fetchShopify fetches the slices of a window, the latest first.
func fetchShopify(ctx context.Context, s *session, q ports.OrdersQuery) (*ports.FetchedOrders, error) {
	f := &shopifyFetch{session: s, query: q, page: firstPage, listed: fewParcels, fetched: storefront.NewFetched("shopify")}
	if s.line.limits.Now().Sub(q.From) > shownSpan {
		if err := s.checkScopes(ctx, true); err != nil {
			return nil, err
		}
	}
	q.From, q.To = q.From.Truncate(time.Second), q.To.Truncate(time.Second) // as Shopify has times
	var left []span                                                         // the latest is the last
	for from := q.From; from.Before(q.To); from = from.Add(sliceSpan) {
		left = append(left, span{from, earlier(from.Add(sliceSpan), q.To)})
	}
	for len(left) > 0 {
		last := left[len(left)-1]
		left = left[:len(left)-1]
		whole, err := f.slice(ctx, last)
		switch {
		case err != nil:
			return nil, err
		case whole:
		case last.to.Sub(last.from) <= leastSpan:
			return nil, failed(domain.ConnPages)
		default: // its orders are fetched again, and replace those that were
			middle := last.from.Add(last.to.Sub(last.from) / 2).Truncate(time.Second)
			left = append(left, span{last.from, middle}, span{middle, last.to})
		}
	}
	return &ports.FetchedOrders{Orders: f.fetched, Count: f.fetched.Count(), Digest: f.fetched.Digest()}, nil
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

// shopifyFetch is one fetch of a shop's orders.
type shopifyFetch struct {
	*session
	query   ports.OrdersQuery
	page    int // orders on a page
	listed  int // fewParcels or moreParcels
	fetched *storefront.Fetched
}

// slice fetches the orders of a slice. It returns false if the list has so many that Shopify
// may not show all of them.
func (f *shopifyFetch) slice(ctx context.Context, within span) (whole bool, err error) {
	cursor := ""
	seen := map[string]bool{}
	for listed := 0; ; {
		page, err := f.ask(ctx, within, cursor)
		if err != nil {
			return false, err
		}
		cut := 0
		for i := range page.Orders.Nodes {
			o := &page.Orders.Nodes[i]
			if o.full(f.listed, f.listed) {
				cut++
			}
			if err := f.add(ctx, o, within); err != nil {
				return false, err
			}
		}
		if cut > len(page.Orders.Nodes)/oneIn {
			f.listed = moreParcels
		}
		if f.query.Grown != nil {
			if err := f.query.Grown(f.fetched.Bytes()); err != nil {
				return false, err
			}
		}
		if f.fetched.Bytes() > domain.MaxPassBytes {
			return false, &domain.ConnectorError{Rule: domain.ConnManyBytes, Limit: domain.MaxPassBytes}
		}
		next := page.Orders.PageInfo
		if listed += len(page.Orders.Nodes); listed >= f.session.slice {
			return false, nil
		}
		if !next.HasNextPage {
			return true, nil
		}
		if next.EndCursor == "" || seen[next.EndCursor] || len(page.Orders.Nodes) == 0 {
			return false, failed(domain.ConnPages)
		}
		cursor, seen[next.EndCursor] = next.EndCursor, true
	}
}

// ask asks for a page, and for a smaller one if it would cost too much.
func (f *shopifyFetch) ask(ctx context.Context, within span, cursor string) (*shopifyPage, error) {
	for {
		variables := map[string]any{"first": f.page, "query": within.search(), "listed": f.listed}
		if cursor != "" {
			variables["after"] = cursor
		}
		page := new(shopifyPage)
		err := f.session.query(ctx, ordersQuery, variables, page)
		switch {
		case errors.Is(err, errCost) && f.page > 1:
			f.page /= 2
		case errors.Is(err, errCost):
			return nil, answered(http.StatusOK)
		case err != nil:
			return nil, err
		case page.Orders == nil:
			return nil, answered(http.StatusOK)
		default:
			return page, nil
		}
	}
}

// search is the query for the orders of a slice.
func (within span) search() string {
	at := func(t time.Time) string { return t.UTC().Format(time.RFC3339) }
	return "created_at:>='" + at(within.from) + "' created_at:<'" + at(within.to) + "'"
}

// add adds an order. One outside the slice is of another one, or of none.
func (f *shopifyFetch) add(ctx context.Context, o *shopifyOrder, within span) error {
	if o.ID == "" || o.Name == "" || o.CreatedAt.IsZero() {
		return answered(http.StatusOK)
	}
	if o.CreatedAt.Before(within.from) || !o.CreatedAt.Before(within.to) {
		return nil
	}
	if o.full(f.listed, f.listed) {
		if err := f.askParcels(ctx, o); err != nil {
			return err
		}
	}
	if err := inRupees(o.Total.Shop.Currency); err != nil {
		return err
	}
	total, stated := domain.ReadPaise([]byte(o.Total.Shop.Amount))
	outstanding, left := domain.ReadPaise([]byte(o.Outstanding.Shop.Amount))
	if stated != domain.Given || left != domain.Given {
		return answered(http.StatusOK)
	}
	fulfilledAt, awbs := o.parcels()
	f.fetched.Add(storefront.FetchedOrder{
		ID: o.ID, Name: o.Name, CreatedAt: o.CreatedAt, CancelledAt: o.CancelledAt, FulfilledAt: fulfilledAt,
		Total: total, Outstanding: outstanding, HasOutstanding: true,
		Financial: strings.ToLower(o.Financial), Fulfilment: o.fulfilment(), Method: strings.Join(o.Gateways, " + "), AWBs: awbs,
	})
	if f.fetched.Count() > f.query.Most {
		// All orders after this one are fetched: a window that begins with the day after it
		// would do.
		return manyOrders(f.query, int(domain.DayOf(f.query.To)-domain.DayOf(o.CreatedAt)-1))
	}
	return nil
}

// manyOrders is the error of a window with too many orders, of which one of so many days
// would do.
func manyOrders(q ports.OrdersQuery, days int) error {
	if days < domain.MinWindowDays {
		days = 0
	}
	return &domain.ConnectorError{Rule: domain.ConnManyOrders, Limit: int64(q.Most), Days: days}
}

// fulfilment is the word that the export has for how far the goods are.
func (o *shopifyOrder) fulfilment() string {
	switch o.Fulfilment {
	case "FULFILLED":
		return "fulfilled"
	case "PARTIALLY_FULFILLED":
		return "partial"
	case "RESTOCKED":
		return "restocked"
	}
	return "unfulfilled"
}

// parcels returns when the last parcel left, and the tracking numbers of all that did, in the
// order in which they left.
func (o *shopifyOrder) parcels() (fulfilledAt time.Time, awbs []string) {
	slices.SortStableFunc(o.Fulfilments, func(a, b shopifyFulfilment) int { return a.CreatedAt.Compare(b.CreatedAt) })
	for _, f := range o.Fulfilments {
		if f.Status != "SUCCESS" {
			continue
		}
		fulfilledAt = f.CreatedAt
		for _, t := range f.Tracking {
			if number := strings.TrimSpace(t.Number); number != "" && !slices.Contains(awbs, number) {
				awbs = append(awbs, number)
			}
		}
	}
	return fulfilledAt, awbs
}

// full says whether the list of an order's parcels may be longer than what was asked for: so
// many fulfilments, and so many tracking numbers of each.
func (o *shopifyOrder) full(fulfilments, parcels int) bool {
	return len(o.Fulfilments) >= fulfilments || o.fullParcel(parcels)
}

func (o *shopifyOrder) fullParcel(parcels int) bool {
	return slices.ContainsFunc(o.Fulfilments, func(f shopifyFulfilment) bool { return len(f.Tracking) >= parcels })
}

// askParcels asks for all parcels of an order. No order has as many as this asks for, unless
// Shopify wants a smaller question.
func (f *shopifyFetch) askParcels(ctx context.Context, o *shopifyOrder) error {
	fulfilments, parcels := f.listed, f.listed
	if len(o.Fulfilments) >= f.listed {
		fulfilments = domain.MaxAWBs + 1
	}
	if o.fullParcel(f.listed) {
		parcels = domain.MaxAWBs + 1
	}
	for {
		var of struct {
			Order *struct {
				Fulfilments few[shopifyFulfilment] `json:"fulfillments"`
			} `json:"order"`
		}
		err := f.session.query(ctx, parcelsQuery, map[string]any{"id": o.ID, "fulfillments": fulfilments, "parcels": parcels}, &of)
		switch {
		case errors.Is(err, errCost) && (f.smaller(fulfilments) < fulfilments || f.smaller(parcels) < parcels):
			fulfilments, parcels = f.smaller(fulfilments), f.smaller(parcels)
			continue
		case errors.Is(err, errCost), err == nil && of.Order == nil: // the order is gone
			return failed(domain.ConnPages)
		case err != nil:
			return err
		}
		o.Fulfilments = of.Order.Fulfilments
		if o.full(fulfilments, parcels) {
			return failed(domain.ConnPages)
		}
		return nil
	}
}

// smaller returns a smaller number of parcels to ask for, but more than are listed.
func (f *shopifyFetch) smaller(n int) int {
	if n <= f.listed {
		return n
	}
	return max(n/2, f.listed+1)
}

// checkBaseURL is the check of a server on this machine that stands in for a shop.
func checkBaseURL(value string, _ domain.Settings, _ func(string) domain.Fault) domain.Fault {
	a, ok := readURL(value)
	if !ok || !glue.IsThisMachine(a.host) {
		return domain.Fault{Rule: domain.RuleForm}
	}
	return domain.Fault{}
}

// readURL reads the address of a shop. It refuses what two programs could understand
// differently.
func readURL(text string) (a address, ok bool) {
	if strings.ContainsAny(text, "\\#?@%; ") || strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r > '~' }) {
		return a, false
	}
	u, err := url.Parse(text)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Opaque != "" || u.Hostname() == "" || strings.HasSuffix(u.Host, ":") || strings.Contains(u.Path, "//") {
		return a, false
	}
	a = address{scheme: u.Scheme, host: u.Hostname(), port: u.Port(), path: strings.TrimSuffix(u.Path, "/")}
	if a.port == "" {
		a.port = map[string]string{"https": "443", "http": "80"}[a.scheme]
	}
	port, err := strconv.ParseUint(a.port, 10, 16)
	return a, err == nil && port > 0
}
