package storefront

import (
	"slices"
	"strings"
	"unicode"

	"milaan/domain"
	"milaan/ports"
)

// exported are the columns by which other exports of storefronts are told from reports, by what
// they list. A header is of one if it has one of its marks, and many of its columns or no others.
var exported = map[ports.Exported]struct{ marks, columns []string }{
	ports.ExportedOrders: {
		marks: []string{"Lineitem name", "Lineitem sku", "Financial Status", "Payment Method Title", "Item Name"},
		columns: []string{
			"Paid at", "Fulfillment Status", "Fulfilled at", "Accepts Marketing", "Subtotal", "Shipping", "Taxes", "Discount Code",
			"Discount Amount", "Shipping Method", "Created at", "Lineitem quantity", "Lineitem price", "Lineitem requires shipping",
			"Billing Name", "Billing Street", "Shipping Name", "Shipping Street", "Refunded Amount", "Risk Level", "Cancelled at",
			"Customer Note", "First Name (Billing)", "Last Name (Billing)", "Cart Discount Amount", "Order Subtotal Amount",
			"Shipping Method Title", "Order Shipping Amount", "Order Refund Amount", "Item #", "Item Cost", "Coupon Code",
		},
	},
	ports.ExportedCustomers: {
		marks: []string{
			"Email", "Email Address", "Phone", "Phone Number", "Mobile", "Mobile Number", "Customer ID", "Total Spent", "Total Spend", "AOV",
			"Accepts Email Marketing", "Last Active",
		},
		columns: []string{
			"First Name", "Last Name", "Name", "Full Name", "Customer Name", "Accepts SMS Marketing", "Default Address Company",
			"Default Address Address1", "Default Address Address2", "Default Address City", "Default Address Province Code",
			"Default Address Country Code", "Default Address Zip", "Default Address Phone", "Total Orders", "Orders", "Note", "Notes", "Tax Exempt",
			"Tags", "Username", "Sign Up", "Date Registered", "Country / Region", "City", "State", "Region", "Country", "Postal Code", "Zip",
			"Pincode", "Address", "Address 1", "Address 2", "Company", "Birthday", "Gender",
		},
	},
	ports.ExportedProducts: {
		marks: []string{"Variant SKU", "Variant Price", "Handle", "HS Code", "On hand", "Regular price", "Visibility in catalog"},
		columns: []string{
			"Title", "Body (HTML)", "Vendor", "Product Category", "Type", "Tags", "Published", "Option1 Name", "Option1 Value", "Variant Grams",
			"Variant Inventory Qty", "Variant Compare At Price", "Image Src", "SKU", "COO", "Location", "Incoming", "Unavailable", "Committed",
			"Available", "Is featured?", "Short description", "Description", "Sale price", "Categories", "Images", "Stock", "In stock?",
		},
	},
}

// How many columns of an export a header must have: many, or, if it has no others, a few. And how
// many others an export of customers or products may have besides: a report has some of a
// customer's columns too, and its own may have any name.
const (
	manyExported = 6
	fewExported  = 3
	mostOthers   = 2
)

// ofMoney are parts of names of columns, in the form in which names are compared, that speak of
// parcels or of money.
var ofMoney = []string{
	"docket", "awb", "parcel", "consign", "shipment", "waybill", "tracking",
	"amt", "amount", "cod", "paid", "payout", "remit", "settle", "utr",
}

func (r *Registry) Exported(header []string) ports.Exported {
	keys, columns := map[string]bool{}, 0
	for _, name := range header {
		if strings.TrimSpace(name) == "" {
			continue
		}
		columns++ // of any script
		if key := domain.HeaderKey(name); key != "" {
			keys[key] = true
		}
	}
	count := func(names []string) (n int) {
		for _, name := range names {
			if keys[domain.HeaderKey(name)] {
				n++
			}
		}
		return n
	}
	var is []ports.Exported
	for what, names := range exported {
		marks := count(names.marks)
		all := marks + count(names.columns)
		many := all >= manyExported && (what == ports.ExportedOrders ||
			columns-all <= mostOthers && !slices.ContainsFunc(header, func(name string) bool {
				return speaksOfMoney(name) && !slices.ContainsFunc(slices.Concat(names.marks, names.columns), func(known string) bool {
					return domain.HeaderKey(known) == domain.HeaderKey(name)
				})
			}))
		if marks > 0 && (many || all >= fewExported && all == columns) {
			is = append(is, what)
		}
	}
	if len(is) != 1 {
		return ports.ExportedNothing
	}
	return is[0]
}

// speaksOfMoney says whether a column may be one of parcels or of money.
func speaksOfMoney(name string) bool {
	if strings.Contains(name, "₹") {
		return true
	}
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		word = strings.ReplaceAll(strings.ToLower(word), "code", "") // which has the letters of COD
		if word == "rs" || slices.ContainsFunc(ofMoney, func(part string) bool { return strings.Contains(word, part) }) {
			return true
		}
	}
	return false
}
