package domain

// Payment is the way in which the customer was to pay.
type Payment uint8

// The ways of paying.
const (
	PaymentBlank   Payment = iota // the export does not say; counts as cash on delivery
	PaymentCOD                    // cash on delivery
	PaymentPrepaid                // a method that is known to be prepaid
	PaymentUnknown                // a method that is neither cash on delivery nor known; counts as prepaid
	PaymentManual                 // through no payment gateway; counts as cash on delivery while the order is pending
	PaymentCash                   // cash at an unknown place; counts as cash on delivery while the order is pending, or if it has an AWB
)

// Financial is the payment status of an order in the storefront, as far as the rules
// need it.
type Financial uint8

// The financial statuses that the rules need.
const (
	FinancialBlank Financial = iota
	FinancialOther
	FinancialPending
	FinancialPaid
	FinancialPartlyPaid
	FinancialVoided
	FinancialRefunded
	FinancialPartlyRefunded
)
