package storefront_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/domain"
	"milaan/domain/verdict"
)

func at(text string) time.Time {
	t, err := time.Parse(time.RFC3339, text)
	if err != nil {
		panic(err)
	}
	return t
}

func noOrders() *verdict.Orders {
	orders := new(verdict.Orders)
	orders.Reset()
	return orders
}

func fetchedOrder() storefront.FetchedOrder {
	return storefront.FetchedOrder{
		ID: "gid://shopify/Order/7", Name: "#1007", CreatedAt: at("2026-03-01T18:29:59Z"), FulfilledAt: at("2026-03-02T18:30:00Z"),
		Total: 129_950, Outstanding: 50_000, HasOutstanding: true, Financial: "partially_paid", Fulfilment: "fulfilled", Method: "Razorpay + Cash on Delivery (COD)",
		AWBs: []string{"A1", "14335212345"}, Carrier: "Delhivery",
	}
}

func TestFetchedOrdersAreReadAsAnExportIs(t *testing.T) {
	f := storefront.NewFetched("shopify")
	f.Add(fetchedOrder())
	cancelled := fetchedOrder()
	cancelled.ID, cancelled.Name, cancelled.CreatedAt, cancelled.CancelledAt, cancelled.HasOutstanding = "8", "#1008", at("2026-03-05T00:00:00Z"), at("2026-03-06T00:00:00Z"), false
	f.Add(cancelled)
	require.Equal(t, 2, f.Count())
	require.Positive(t, f.Size())
	require.GreaterOrEqual(t, f.Bytes(), f.Size())

	fetched := noOrders()
	require.NoError(t, f.Read(fetched))
	exported := mustRead(t, "Name,Created at,Fulfilled at,Total,Outstanding Balance,Financial Status,Fulfillment Status,Payment Method,Cancelled at,Currency,Tracking Number,Tracking Company\n"+
		"#1008,2026-03-05 05:30:00 +0530,2026-03-03 00:00:00 +0530,1299.50,,partially_paid,fulfilled,Razorpay + Cash on Delivery (COD),2026-03-06 05:30:00 +0530,INR,\"A1, 14335212345\",Delhivery\n"+
		"#1007,2026-03-01 23:59:59 +0530,2026-03-03 00:00:00 +0530,1299.50,500.00,partially_paid,fulfilled,Razorpay + Cash on Delivery (COD),,INR,\"A1, 14335212345\",Delhivery\n")
	require.Equal(t, exported.Len(), fetched.Len(), "the latest is the first")
	for i := range exported.Len() {
		want, got := exported.At(i), fetched.At(i)
		require.Equal(t, exported.Text(want.Method), fetched.Text(got.Method))
		require.Equal(t, "Delhivery", string(fetched.Text(got.Carrier)))
		require.Equal(t, string(exported.AWBs(nil, want)), string(fetched.AWBs(nil, got)))
		require.Equal(t, *want, *got)
	}
	require.Equal(t, exported.Rows, fetched.Rows)
}

// An order that is fetched twice counts once, as it was fetched last.
func TestAnOrderThatIsFetchedAgainIsReplaced(t *testing.T) {
	f := storefront.NewFetched("shopify")
	f.Add(fetchedOrder())
	again := fetchedOrder()
	again.Total = 100
	f.Add(again)
	require.Equal(t, 1, f.Count())
	orders := noOrders()
	require.NoError(t, f.Read(orders))
	require.Equal(t, 1, orders.Len())
	require.Equal(t, domain.Paise(100), orders.At(0).Total)
}

// Two stores, or one that began to count anew, may give two orders one name.
func TestFetchedOrdersOfOneNameAreTwo(t *testing.T) {
	f := storefront.NewFetched("shopify")
	f.Add(fetchedOrder())
	namesake := fetchedOrder()
	namesake.ID, namesake.CreatedAt = "9", namesake.CreatedAt.Add(time.Minute)
	f.Add(namesake)
	orders := noOrders()
	require.NoError(t, f.Read(orders))
	require.Equal(t, 2, orders.Len())
}

func TestHashOfFetchedOrders(t *testing.T) {
	hash := func(change func(*storefront.FetchedOrder)) [32]byte {
		f, changed, other := storefront.NewFetched("shopify"), fetchedOrder(), fetchedOrder()
		if change != nil {
			change(&changed)
		}
		other.ID = "other"
		both := []storefront.FetchedOrder{changed, other}
		if change != nil {
			slices.Reverse(both)
		}
		for _, o := range both {
			f.Add(o)
		}
		return f.Hash()
	}
	same := hash(nil)
	require.Equal(t, same, hash(func(*storefront.FetchedOrder) {}), "the order of the orders does not matter")
	require.Equal(t, same, hash(func(o *storefront.FetchedOrder) { o.Financial = "Partially Paid" }), "nor do spellings")
	seen := map[[32]byte]string{same: "unchanged"}
	for name, change := range map[string]func(*storefront.FetchedOrder){
		"id":          func(o *storefront.FetchedOrder) { o.ID += "1" },
		"name":        func(o *storefront.FetchedOrder) { o.Name += "1" },
		"created":     func(o *storefront.FetchedOrder) { o.CreatedAt = o.CreatedAt.Add(time.Second) },
		"cancelled":   func(o *storefront.FetchedOrder) { o.CancelledAt = o.CreatedAt },
		"fulfilled":   func(o *storefront.FetchedOrder) { o.FulfilledAt = time.Time{} },
		"total":       func(o *storefront.FetchedOrder) { o.Total++ },
		"outstanding": func(o *storefront.FetchedOrder) { o.Outstanding++ },
		"no balance":  func(o *storefront.FetchedOrder) { o.HasOutstanding = false },
		"financial":   func(o *storefront.FetchedOrder) { o.Financial = "paid" },
		"fulfilment":  func(o *storefront.FetchedOrder) { o.Fulfilment = "restocked" },
		"method":      func(o *storefront.FetchedOrder) { o.Method = "Razorpay" },
		"AWBs":        func(o *storefront.FetchedOrder) { o.AWBs = o.AWBs[:1] },
		"carrier":     func(o *storefront.FetchedOrder) { o.Carrier = "DTDC" },
		"more AWBs":   func(o *storefront.FetchedOrder) { o.AWBs = append(o.AWBs, "B2") },
	} {
		d := hash(change)
		require.NotContains(t, seen, d, name)
		seen[d] = name
	}
}

func TestFetchedOrdersThatCannotBeRead(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*storefront.FetchedOrder)
		want   domain.FileError
	}{
		"no name": {func(o *storefront.FetchedOrder) { o.Name = "#" }, domain.FileError{Rule: domain.RuleNoName, Line: 2, Column: "Name", Value: "#"}},
		"too many AWBs": {func(o *storefront.FetchedOrder) {
			for i := range verdict.MaxAWBs {
				o.AWBs = append(o.AWBs, fmt.Sprint("B", i))
			}
		}, domain.FileError{Rule: domain.RuleTrackingNumbers, Line: 2, Column: "Tracking Number", Limit: verdict.MaxAWBs}},
		"a slip": {func(o *storefront.FetchedOrder) { o.FulfilledAt = o.FulfilledAt.AddDate(30, 0, 0) }, domain.FileError{Rule: domain.RuleFarDate, Line: 2, Column: "Fulfilled at", Value: "2056-03-03 00:00:00 +0530"}},
	} {
		f := storefront.NewFetched("shopify")
		o := fetchedOrder()
		c.change(&o)
		f.Add(o)
		for i := range 3 {
			other := fetchedOrder()
			other.ID, other.Name, other.CreatedAt = fmt.Sprint("a", i), fmt.Sprint("#", i), other.CreatedAt.Add(-time.Hour)
			f.Add(other)
		}
		err := f.Read(noOrders())
		fault := new(domain.FileError)
		require.ErrorAs(t, err, &fault, name)
		if c.want.Value == "" {
			fault.Value = ""
		}
		c.want.File = domain.StorefrontFile
		require.Equal(t, &c.want, fault, name)
	}
	require.ErrorContains(t, storefront.NewFetched("woocommerce").Read(noOrders()), string(domain.RuleNoOrders))
	require.Panics(t, func() { storefront.NewFetched(strings.Repeat("x", 3)) })
}
