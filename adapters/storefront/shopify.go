package storefront

import (
	"milaan/domain"
	"milaan/domain/verdict"
)

const shopify = "shopify"

// Shopify repeats an order's name in a row for each of its items, and leaves the
// order's own cells blank there. It has no tracking column: every app that adds one
// has its own name for it. bogus is its gateway for testing.
func init() {
	register(Provider{
		ID:     shopify,
		Name:   "Shopify",
		Export: "Orders, Export, Plain CSV file",
		Columns: Names{
			name:             {"Name"},
			total:            {"Total"},
			createdAt:        {"Created at"},
			paidAt:           {"Paid at"},
			fulfilledAt:      {"Fulfilled at"},
			outstanding:      {"Outstanding Balance"},
			financialStatus:  {"Financial Status"},
			fulfilmentStatus: {"Fulfillment Status", "Fulfilment Status"},
			paymentMethod:    {"Payment Method"},
			cancelledAt:      {"Cancelled at", "Canceled at"},
			currency:         {"Currency"},
			tracking: {"Tracking Number", "Tracking Numbers", "AWB", "AWB Number", "AWB No", "AWB Code", "Fulfillment: Tracking Number",
				"Fulfillment: Tracking Numbers", "Fulfilment: Tracking Number", "Shipping: Tracking Number", "Waybill", "Waybill Number",
				"Tracking ID", "Tracking No"},
			carrier: {"Tracking Company", "Shipping Carrier", "Courier", "Courier Name", "Fulfillment: Tracking Company",
				"Fulfilment: Tracking Company"},
		},
		Fulfilments: map[string]verdict.Fulfilment{
			"fulfilled": verdict.Fulfilled, "unfulfilled": verdict.Unfulfilled, "restocked": verdict.Restocked,
		},
		Financials: map[string]domain.Financial{
			"pending": domain.FinancialPending, "paid": domain.FinancialPaid, "partiallypaid": domain.FinancialPartlyPaid,
			"voided":   domain.FinancialVoided,
			"refunded": domain.FinancialRefunded, "partiallyrefunded": domain.FinancialPartlyRefunded,
		},
		Joins:   "+",
		Prepaid: []string{"shopifypayments", "shoppay", "bogus"},
	})
}
