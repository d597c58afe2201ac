package shops

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"milaan/adapters/storefront"
	"milaan/domain"
	"milaan/domain/verdict"
	"milaan/ports"
)

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
	Number  string `json:"number"`
	Company string `json:"company"`
}

// span is a slice of the time in which orders were created: from the first moment on, and
// before the second.
type span struct{ from, to time.Time }

// fetchShopify fetches the slices of a window, the latest first.
func fetchShopify(ctx context.Context, s *openShop, q ports.OrdersQuery) (*ports.FetchedOrders, error) {
	f := &shopifyFetch{openShop: s, query: q, page: firstPage, listed: fewParcels, fetched: storefront.NewFetched("shopify")}
	if s.client.limits.Now().Sub(q.From) > shownSpan {
		if err := s.checkScopes(ctx, true); err != nil {
			return nil, err
		}
	}
	q.From, q.To = q.From.Truncate(time.Second), q.To.Truncate(time.Second) // as Shopify has times
	var left []span                                                         // the latest is the last
	for from := q.From; from.Before(q.To); from = from.Add(sliceSpan) {
		left = append(left, span{from, slices.MinFunc([]time.Time{from.Add(sliceSpan), q.To}, time.Time.Compare)})
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
			return nil, &domain.ConnectorError{Rule: domain.ConnPages}
		default: // its orders are fetched again, and replace those that were
			middle := last.from.Add(last.to.Sub(last.from) / 2).Truncate(time.Second)
			left = append(left, span{last.from, middle}, span{middle, last.to})
		}
	}
	return &ports.FetchedOrders{Orders: f.fetched, Count: f.fetched.Count(), Hash: f.fetched.Hash()}, nil
}

type shopifyFetch struct {
	*openShop
	query   ports.OrdersQuery
	page    int // orders on a page
	listed  int // fewParcels or moreParcels
	fetched *storefront.Fetched
}

// slice fetches the orders of a slice. It returns false if the list is so long that
// Shopify may not show all of it.
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
		if listed += len(page.Orders.Nodes); listed >= f.openShop.slice {
			return false, nil
		}
		if !next.HasNextPage {
			return true, nil
		}
		if next.EndCursor == "" || seen[next.EndCursor] || len(page.Orders.Nodes) == 0 {
			return false, &domain.ConnectorError{Rule: domain.ConnPages}
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
		err := f.openShop.query(ctx, ordersQuery, variables, page)
		switch {
		case errors.Is(err, errCost) && f.page > 1:
			f.page /= 2
		case errors.Is(err, errCost):
			return nil, badAnswer(http.StatusOK)
		case err != nil:
			return nil, err
		case page.Orders == nil:
			return nil, badAnswer(http.StatusOK)
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
		return badAnswer(http.StatusOK)
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
		return badAnswer(http.StatusOK)
	}
	fulfilledAt, awbs, carrier := o.parcels()
	f.fetched.Add(storefront.FetchedOrder{
		ID: o.ID, Name: o.Name, CreatedAt: o.CreatedAt, CancelledAt: o.CancelledAt, FulfilledAt: fulfilledAt,
		Total: total, Outstanding: outstanding, HasOutstanding: true,
		Financial: strings.ToLower(o.Financial), Fulfilment: o.fulfilment(), Method: strings.Join(o.Gateways, " + "), AWBs: awbs,
		Carrier: carrier,
	})
	if f.fetched.Count() > f.query.Most {
		// All orders after this one are fetched: a window that begins with the day after it
		// would do.
		return manyOrders(f.query, int(domain.DayOf(f.query.To)-domain.DayOf(o.CreatedAt)-1))
	}
	return nil
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

// parcels returns when the last parcel left, the tracking numbers of all that did, in the
// order in which they left, and who carries the first of which that is known.
func (o *shopifyOrder) parcels() (fulfilledAt time.Time, awbs []string, carrier string) {
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
			carrier = cmp.Or(carrier, strings.TrimSpace(t.Company))
		}
	}
	return fulfilledAt, awbs, carrier
}

// full says whether the list of an order's parcels may be longer than what was asked for: a
// number of fulfilments, and of tracking numbers of each.
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
		fulfilments = verdict.MaxAWBs + 1
	}
	if o.fullParcel(f.listed) {
		parcels = verdict.MaxAWBs + 1
	}
	for {
		var of struct {
			Order *struct {
				Fulfilments few[shopifyFulfilment] `json:"fulfillments"`
			} `json:"order"`
		}
		err := f.openShop.query(ctx, parcelsQuery, map[string]any{"id": o.ID, "fulfillments": fulfilments, "parcels": parcels}, &of)
		switch {
		case errors.Is(err, errCost) && (f.smaller(fulfilments) < fulfilments || f.smaller(parcels) < parcels):
			fulfilments, parcels = f.smaller(fulfilments), f.smaller(parcels)
			continue
		case errors.Is(err, errCost), err == nil && of.Order == nil: // the order is gone
			return &domain.ConnectorError{Rule: domain.ConnPages}
		case err != nil:
			return err
		}
		o.Fulfilments = of.Order.Fulfilments
		if o.full(fulfilments, parcels) {
			return &domain.ConnectorError{Rule: domain.ConnPages}
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
