package storefront

import (
	"milaan/domain"
	"milaan/domain/verdict"
)

// WooCommerce is read by its API alone: its exports are those of plugins, of which each has
// its own columns. It has one status for an order, which says how far the goods and the money
// are; shops/woocommerce.go says which words stand for which. The words of fulfilment are its
// own statuses: pending, on-hold, processing, failed, cancelled and refunded orders have not
// left the shop as far as it knows, unless they have an AWB. Statuses that plugins add, such
// as shipped, are words that the rules do not know. Its payment methods are not joined.
func init() {
	registerUnexported(Provider{
		ID:   "woocommerce",
		Name: "WooCommerce",
		Columns: Names{
			name:             {"number"},
			total:            {"total"},
			createdAt:        {"date_created_gmt"},
			paidAt:           {"date_paid_gmt"},
			fulfilledAt:      {"date_completed_gmt"},
			outstanding:      {"outstanding"},
			financialStatus:  {"financial status"},
			fulfilmentStatus: {"status"},
			paymentMethod:    {"payment_method_title"},
			cancelledAt:      {"date_cancelled_gmt"},
			currency:         {"currency"},
			tracking:         {"tracking_number"},
			carrier:          {"tracking_provider"},
		},
		Fulfilments: map[string]verdict.Fulfilment{
			"completed": verdict.Fulfilled,
			"pending":   verdict.Unfulfilled, "on-hold": verdict.Unfulfilled, "processing": verdict.Unfulfilled,
			"failed": verdict.Unfulfilled, "cancelled": verdict.Unfulfilled, "refunded": verdict.Unfulfilled,
		},
		Financials: map[string]domain.Financial{
			"pending": domain.FinancialPending, "paid": domain.FinancialPaid, "failed": domain.FinancialVoided,
			"refunded": domain.FinancialRefunded, "partiallyrefunded": domain.FinancialPartlyRefunded,
		},
		Prepaid: []string{"directbanktransfer", "bacs", "woocommercepayments", "woopayments"},
	})
}
