package shopify

import (
	"cmp"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator"

	"milaan/tests/fakes/web"
)

//go:embed testdata/schema.graphql
var schemaText string

var schema = sync.OnceValue(func() *ast.Schema {
	return gqlparser.MustLoadSchema(&ast.Source{Name: "schema.graphql", Input: schemaText})
})

// parsed keeps queries that were checked, by their text.
var parsed sync.Map

// Parse checks a query against the schema.
func Parse(query string) (*ast.OperationDefinition, error) {
	if known, ok := parsed.Load(query); ok {
		return known.(*ast.OperationDefinition), nil
	}
	document, errs := gqlparser.LoadQueryWithRules(schema(), query, nil)
	if errs != nil {
		return nil, errs
	}
	operation := document.Operations.ForName("")
	if operation == nil {
		return nil, fmt.Errorf("no single operation")
	}
	parsed.Store(query, operation)
	return operation, nil
}

// Page is a page of orders before it is sent.
type Page struct {
	Number      int // from 1, by how many pages were sent of the same search
	Search      string
	Orders      []*Order
	HasNextPage bool
	EndCursor   string // blank: null
}

// failure is an error of an answer.
func failure(message, code string) map[string]any {
	e := map[string]any{"message": message}
	if code != "" {
		e["extensions"] = map[string]any{"code": code, "documentation": "https://shopify.dev/api/usage/limits"}
	}
	return e
}

func (s *Shop) answer(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.signedIn(r) {
		web.Reply(w, http.StatusUnauthorized, map[string]any{"errors": "[API] Invalid API key or access token (unrecognized login or wrong password)"})
		return
	}
	var asked struct {
		Query     string         `json:"query"`
		Variables map[string]any `json:"variables"`
	}
	decoder := json.NewDecoder(r.Body)
	decoder.UseNumber()
	if r.Header.Get("Content-Type") != "application/json" || decoder.Decode(&asked) != nil {
		web.Reply(w, http.StatusBadRequest, map[string]any{"errors": map[string]any{"query": "Required parameter missing or invalid"}})
		return
	}
	operation, err := Parse(asked.Query)
	if err != nil {
		web.Reply(w, http.StatusOK, map[string]any{"errors": []any{failure(err.Error(), "undefinedField")}})
		return
	}
	variables, err := validator.VariableValues(schema(), operation, asked.Variables)
	if err != nil {
		web.Reply(w, http.StatusOK, map[string]any{"errors": []any{failure(err.Error(), "INVALID_VARIABLE")}})
		return
	}
	x := &execution{shop: s, variables: variables}
	cost := x.requested(operation.SelectionSet)
	if cost > s.most {
		e := failure(fmt.Sprintf("Query cost is %.0f, which exceeds the single query max cost limit (%.0f).", cost, s.most), "MAX_COST_EXCEEDED")
		web.Reply(w, http.StatusOK, map[string]any{"errors": []any{e}})
		return
	}
	s.restore()
	if cost > s.available {
		web.Reply(w, http.StatusOK, map[string]any{"errors": []any{failure("Throttled", "THROTTLED")}, "extensions": s.costs(cost, nil)})
		return
	}
	data := x.object(operation.SelectionSet, "QueryRoot", x.root)
	if len(x.errors) > 0 {
		web.Reply(w, http.StatusOK, map[string]any{"errors": x.errors, "data": nil, "extensions": s.costs(cost, x.cost)})
		return
	}
	s.available -= x.cost
	web.Reply(w, http.StatusOK, map[string]any{"data": data, "extensions": s.costs(cost, x.cost)})
}

// restore gives back the points of the time that has gone by.
func (s *Shop) restore() {
	now := s.Now()
	if !s.paidAt.IsZero() {
		s.available = min(s.bucket, s.available+max(now.Sub(s.paidAt).Seconds(), 0)*s.restored)
	}
	s.paidAt = now
}

func (s *Shop) costs(requested float64, actual any) map[string]any {
	return map[string]any{"cost": map[string]any{
		"requestedQueryCost": requested, "actualQueryCost": actual,
		"throttleStatus": map[string]any{"maximumAvailable": s.bucket, "currentlyAvailable": float64(int(s.available)), "restoreRate": s.restored},
	}}
}

// execution is one query that is being answered.
type execution struct {
	shop      *Shop
	variables map[string]any
	cost      float64
	errors    []any
}

// requested is the cost of a selection before it is answered: 1 for an object, 2 and its
// objects for a connection, and its objects for a list with a length.
func (x *execution) requested(of ast.SelectionSet) (cost float64) {
	for _, selection := range of {
		f, is := selection.(*ast.Field)
		if !is || len(f.SelectionSet) == 0 {
			continue
		}
		within := x.requested(f.SelectionSet)
		switch first, sized := x.argument(f, "first").(int64); {
		case strings.HasSuffix(f.Definition.Type.Name(), "Connection"):
			cost += 2 + float64(first)*within
		case f.Name == "nodes": // counted by its connection
			cost += 1 + within
		case sized:
			cost += float64(first) * (1 + within)
		default:
			cost += 1 + within
		}
	}
	return cost
}

func (x *execution) argument(f *ast.Field, name string) any {
	value, known := f.ArgumentMap(x.variables)[name]
	if !known || value == nil {
		return nil
	}
	if n, is := value.(json.Number); is {
		i, _ := n.Int64()
		return i
	}
	if n, is := value.(int); is {
		return int64(n)
	}
	return value
}

// object is an object with what field says of each of its fields.
func (x *execution) object(of ast.SelectionSet, typename string, field func(*ast.Field) any) any {
	if typename != "QueryRoot" {
		x.cost++
	}
	all := make(map[string]any, len(of))
	for _, selection := range of {
		f, is := selection.(*ast.Field)
		switch {
		case !is:
			return x.fail("fragments are not served here", "")
		case f.Name == "__typename":
			all[f.Alias] = typename
		default:
			all[f.Alias] = field(f)
		}
	}
	return all
}

func (x *execution) fail(message, code string) any {
	x.errors = append(x.errors, failure(message, code))
	return nil
}

// timeOrNull and orNull are null for what is zero.
func timeOrNull(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UTC().Format(time.RFC3339)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// list is a list with what each says of its elements.
func list[E any](elements []E, each func(E) any) []any {
	all := make([]any, len(elements))
	for i, e := range elements {
		all[i] = each(e)
	}
	return all
}

// unserved fails for a field of the schema that Milaan has no use for.
func (x *execution) unserved(f *ast.Field) any { return x.fail(f.Name+" is not served here", "") }

func (x *execution) root(f *ast.Field) any {
	switch f.Name {
	case "currentAppInstallation":
		return x.object(f.SelectionSet, "AppInstallation", func(f *ast.Field) any {
			if f.Name != "accessScopes" {
				return x.unserved(f)
			}
			return list(x.shop.scopes, func(scope string) any {
				return x.object(f.SelectionSet, "AccessScope", func(*ast.Field) any { return scope })
			})
		})
	case "order":
		id, _ := x.argument(f, "id").(string)
		at := slices.IndexFunc(x.shop.orders, func(o Order) bool { return gid(&o) == id })
		if !x.mayRead(f) || at < 0 || !x.shown(&x.shop.orders[at]) {
			return nil
		}
		return x.order(f, &x.shop.orders[at])
	case "orders":
		return x.orders(f)
	}
	return x.unserved(f)
}

// mayRead says whether the app has the scope for orders, and fails if not.
func (x *execution) mayRead(f *ast.Field) bool {
	if slices.Contains(x.shop.scopes, "read_orders") {
		return true
	}
	x.fail("Access denied for "+f.Name+" field. Required access: `read_orders` access scope.", "ACCESS_DENIED")
	return false
}

// shown says whether the app may see an order of this age.
func (x *execution) shown(o *Order) bool {
	return slices.Contains(x.shop.scopes, "read_all_orders") || o.CreatedAt.After(x.shop.Now().Add(-60*24*time.Hour))
}

func gid(o *Order) string { return "gid://shopify/Order/" + strconv.FormatInt(o.ID, 10) }

// search reads a query such as created_at:>='2026-10-01T00:00:00Z' created_at:<'…'.
func search(text string) (from, to time.Time, err error) {
	to = time.Unix(1<<40, 0)
	for term := range strings.FieldsSeq(text) {
		sign, rest := "", ""
		for _, sign = range []string{">=", "<"} {
			if after, is := strings.CutPrefix(term, "created_at:"+sign+"'"); is {
				rest = strings.TrimSuffix(after, "'")
				break
			}
		}
		at, err := time.Parse(time.RFC3339, rest)
		if err != nil {
			return from, to, fmt.Errorf("the search term %q is not served here", term)
		}
		if sign == ">=" {
			from = at
		} else {
			to = at
		}
	}
	return from, to, nil
}

// cursor is where in the list of a search a page begins: how many orders are before it, and
// the order that was the last one.
type cursor struct {
	Before int   `json:"before"`
	Last   int64 `json:"last_id"`
}

func (c cursor) String() string {
	text, _ := json.Marshal(c)
	return base64.StdEncoding.EncodeToString(text)
}

func readCursor(text string) (c cursor, err error) {
	bytes, err := base64.StdEncoding.DecodeString(text)
	if err == nil {
		err = json.Unmarshal(bytes, &c)
	}
	return c, err
}

// orders answers with a page of orders.
func (x *execution) orders(f *ast.Field) any {
	if !x.mayRead(f) {
		return nil
	}
	first, _ := x.argument(f, "first").(int64)
	text, _ := x.argument(f, "query").(string)
	after, _ := x.argument(f, "after").(string)
	reverse, _ := x.argument(f, "reverse").(bool)
	from, to, err := search(text)
	if err != nil || first < 1 || first > 250 || x.argument(f, "sortKey") != "CREATED_AT" {
		return x.fail(fmt.Sprintf("this list is not served here: %v", err), "BAD_REQUEST")
	}
	page := x.page(from, to, after, int(first), reverse)
	page.Search = text
	if x.shop.alter != nil {
		x.shop.alter(page)
	}
	x.cost++ // a connection counts as two
	return x.object(f.SelectionSet, "OrderConnection", func(f *ast.Field) any {
		switch f.Name {
		case "pageInfo":
			return x.object(f.SelectionSet, "PageInfo", func(f *ast.Field) any {
				switch f.Name {
				case "hasNextPage":
					return page.HasNextPage
				case "endCursor":
					return orNull(page.EndCursor)
				}
				return x.unserved(f)
			})
		case "nodes":
			return list(page.Orders, func(o *Order) any { return x.order(f, o) })
		}
		return x.unserved(f)
	})
}

// page finds a page of orders by the time of their creation.
func (x *execution) page(from, to time.Time, after string, first int, reverse bool) *Page {
	orders := x.shop.orders
	at := func(t time.Time) int {
		i, _ := slices.BinarySearchFunc(orders, t, func(o Order, t time.Time) int { return o.CreatedAt.Compare(t) })
		return i
	}
	low, high := at(from), at(to)
	if !slices.Contains(x.shop.scopes, "read_all_orders") {
		low = max(low, at(x.shop.Now().Add(-60*24*time.Hour)))
	}
	var begun cursor
	if after != "" {
		c, err := readCursor(after)
		if err != nil {
			x.fail("Invalid cursor for current pagination sort.", "BAD_REQUEST")
			return &Page{}
		}
		// Paging goes on behind the last order, wherever it stands by now.
		if i := slices.IndexFunc(orders[low:max(low, high)], func(o Order) bool { return o.ID == c.Last }); i >= 0 {
			if reverse {
				high = low + i
			} else {
				low += i + 1
			}
		}
		begun = c
	}
	n := min(max(high-low, 0), first, max(x.shop.paging-begun.Before, 0))
	p := &Page{Number: 1 + begun.Before/first}
	for i := range n {
		if reverse {
			p.Orders = append(p.Orders, &orders[high-1-i])
		} else {
			p.Orders = append(p.Orders, &orders[low+i])
		}
	}
	if n > 0 {
		c := cursor{Before: begun.Before + n, Last: p.Orders[n-1].ID}
		p.EndCursor = c.String()
		p.HasNextPage = high-low > n && c.Before < x.shop.paging
	}
	return p
}

func (x *execution) order(f *ast.Field, o *Order) any {
	return x.object(f.SelectionSet, "Order", func(f *ast.Field) any {
		switch f.Name {
		case "id":
			return gid(o)
		case "name":
			return o.Name
		case "createdAt":
			return timeOrNull(o.CreatedAt)
		case "cancelledAt":
			return timeOrNull(o.CancelledAt)
		case "displayFinancialStatus":
			return orNull(o.Financial)
		case "displayFulfillmentStatus":
			return cmp.Or(o.Fulfilment, "UNFULFILLED")
		case "paymentGatewayNames":
			return list(o.Gateways, func(gateway string) any { return gateway })
		case "totalPriceSet":
			return x.money(f, o, int64(o.Total))
		case "totalOutstandingSet":
			return x.money(f, o, int64(o.Outstanding))
		case "fulfillments":
			return list(asked(x, f, o.Fulfilments), func(of Fulfilment) any { return x.fulfilment(f, of) })
		}
		return x.unserved(f)
	})
}

// asked are as many of some elements as are asked for.
func asked[E any](x *execution, f *ast.Field, elements []E) []E {
	if first, sized := x.argument(f, "first").(int64); sized {
		return elements[:min(len(elements), int(first))]
	}
	return elements
}

func (x *execution) money(f *ast.Field, o *Order, paise int64) any {
	return x.object(f.SelectionSet, "MoneyBag", func(f *ast.Field) any {
		return x.object(f.SelectionSet, "MoneyV2", func(f *ast.Field) any {
			if f.Name == "amount" { // Shopify leaves out a last zero
				sign := ""
				if paise < 0 {
					sign = "-"
				}
				whole := max(paise, -paise)
				return strings.TrimSuffix(fmt.Sprintf("%s%d.%02d", sign, whole/100, whole%100), "0")
			}
			return cmp.Or(o.Currency, "INR")
		})
	})
}

func (x *execution) fulfilment(f *ast.Field, of Fulfilment) any {
	return x.object(f.SelectionSet, "Fulfillment", func(f *ast.Field) any {
		switch f.Name {
		case "status":
			return cmp.Or(of.Status, "SUCCESS")
		case "createdAt":
			return timeOrNull(of.CreatedAt)
		case "trackingInfo":
			return list(asked(x, f, of.Tracking), func(parcel Tracking) any {
				return x.object(f.SelectionSet, "FulfillmentTrackingInfo", func(f *ast.Field) any {
					switch f.Name {
					case "number":
						return orNull(parcel.Number)
					case "company":
						return orNull(parcel.Company)
					}
					return x.unserved(f)
				})
			})
		}
		return x.unserved(f)
	})
}
