package service

import (
	"cmp"
	"fmt"
	"maps"
	"strings"
)

// Order is a row of the storefront's export. What is blank stays blank, but for
// CreatedAt.
type Order struct {
	Name, Email, Total, AWB string
	CreatedAt               string // 2026-10-01 if blank
	Payment, Financial      string
	Fulfilment, Cancelled   string
}

// Export writes a storefront's export. Every order is fulfilled unless it says
// otherwise.
func Export(orders ...Order) string {
	var b strings.Builder
	b.WriteString("Name,Email,Financial Status,Fulfillment Status,Total,Created at,Payment Method,Cancelled at,Tracking Number\n")
	for _, o := range orders {
		o.CreatedAt = cmp.Or(o.CreatedAt, "2026-10-01")
		o.Fulfilment = cmp.Or(o.Fulfilment, "fulfilled")
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s 11:00:00 +0530,%s,%s,%s\n",
			o.Name, o.Email, o.Financial, o.Fulfilment, o.Total, o.CreatedAt, o.Payment, o.Cancelled, o.AWB)
	}
	return b.String()
}

// Line is a line of the courier's report.
type Line struct {
	AWB, OrderID, Collected, Remitted, RemittedOn, Status string
}

// Report writes a report with both a gross and a net amount.
func Report(lines ...Line) string {
	var b strings.Builder
	b.WriteString("AWB No,Order ID,COD Amount,Remitted Amount,Remittance Date,Status\n")
	for _, l := range lines {
		fmt.Fprintf(&b, "%s,%s,%s,%s,%s,%s\n", l.AWB, l.OrderID, l.Collected, l.Remitted, l.RemittedOn, l.Status)
	}
	return b.String()
}

// Body is the JSON body of POST /reconcile.
type Body map[string]any

func (b Body) With(field string, value any) Body {
	with := maps.Clone(b)
	with[field] = value
	return with
}

func (b Body) Without(field string) Body {
	without := maps.Clone(b)
	delete(without, field)
	return without
}

// Small is two files of one order that is paid in full.
func Small() Body {
	return Body{
		"shopify": Export(Order{Name: "#1001", Total: "1000.00", AWB: "AWB1001"}),
		"courier": Report(Line{AWB: "AWB1001", Collected: "1000.00", Remitted: "1000.00", RemittedOn: "2026-10-10"}),
	}
}

// Named is Small under a brand of its own, so that it is no duplicate.
func Named(brand any) Body { return Small().With("brand", fmt.Sprint(brand)) }

// Charged is an order of ₹1,000 of which the courier has paid out ₹929.20 and states why, and one
// of ₹500 of which nothing explains ₹50.
func Charged() Body {
	return Body{
		"shopify": Export(Order{Name: "#1001", Total: "1000.00", AWB: "AWB1001"}, Order{Name: "#1002", Total: "500.00", AWB: "AWB1002"}),
		"courier": "AWB No,COD Amount,Remitted Amount,Remittance Date,Freight,GST\n" +
			"AWB1001,1000.00,929.20,2026-10-10,60.00,10.80\nAWB1002,500.00,450.00,2026-10-10,10.00,1.80\n",
	}
}

// EightFlags is two files with an order of every flag, in the contract's order.
func EightFlags() Body {
	return Body{
		"shopify": Export(
			Order{Name: "#1001", Total: "900.00", AWB: "AWB1001"},
			Order{Name: "#1002", Total: "500.00", AWB: "AWB1002"},
			Order{Name: "#1003", Total: "650.00", AWB: "AWB1003"},
			Order{Name: "#1004", Total: "1200.00", AWB: "AWB1004"},
			Order{Name: "#1005", Total: "800.00", AWB: "AWB1005"},
			Order{Name: "#1006", Total: "700.00", AWB: "AWB1006"},
			Order{Name: "#1007", Total: "1000.50", AWB: "AWB1007"},
			Order{Name: "#1008", Total: "400.00", AWB: "AWB1008", CreatedAt: "2026-10-20"},
		),
		"courier": Report(
			Line{AWB: "AWB1002", Collected: "500.00", Remitted: "450.00", RemittedOn: "2026-10-10", Status: "Delivered"},
			Line{AWB: "AWB1003", Collected: "650.00", Status: "Delivered"},
			Line{AWB: "AWB1004", Collected: "1200.00", Status: "RTO Delivered"},
			Line{AWB: "AWB1005", Collected: "800.00", Remitted: "798.00", RemittedOn: "2026-10-10", Status: "Delivered"},
			Line{AWB: "AWB1006", Collected: "700.00", Remitted: "720.00", RemittedOn: "2026-10-10", Status: "Delivered"},
			Line{AWB: "AWB1007", Collected: "1000.50", Remitted: "1000.50", RemittedOn: "2026-10-16", Status: "Delivered"},
		),
	}
}
