package domain

// Payment is how the customer was to pay.
type Payment uint8

// The ways of paying.
const (
	PaymentBlank   Payment = iota // no word about it: counts as cash on delivery
	PaymentCOD                    // cash on delivery
	PaymentPrepaid                // a method that is known to be prepaid
	PaymentUnknown                // given, and neither cash on delivery nor known: counts as prepaid
	PaymentManual                 // outside of any gateway: cash on delivery while the order is pending
	PaymentCash                   // cash, not said where: the same, and where the order has an AWB
)

// Financial is what the storefront says of an order's payment, as far as rules
// look at it.
type Financial uint8

// The financial statuses that rules look at.
const (
	FinancialBlank Financial = iota
	FinancialOther
	FinancialPending
	FinancialPaid
	FinancialPartlyPaid
	FinancialVoided
)
