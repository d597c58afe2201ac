package domain

// Financial is the storefront's word on an order's payment, as far as it
// matters here.
type Financial uint8

// The financial statuses that rules look at.
const (
	FinancialOther Financial = iota
	FinancialPending
	FinancialPaid
	FinancialPartlyPaid
	FinancialVoided
)

// Payment is how the customer was to pay.
type Payment uint8

// The ways of paying. A blank payment method counts as cash on delivery.
const (
	PaymentCOD Payment = iota
	PaymentPrepaid
	PaymentSeveral // more than one method, cash on delivery among them
)

// Order is one order of the storefront export. Texts are slices of the export.
type Order struct {
	Name           []byte // as exported, such as #1001
	Tracking       []byte // the AWB cell as exported: none, one or several
	Fulfilment     string // fulfilment status in lower case, "" if blank
	Total          Paise
	Outstanding    Paise
	OrderedOn      Day
	FulfilledOn    Day
	Financial      Financial
	Payment        Payment
	Cancelled      bool
	HasTotal       bool
	HasOutstanding bool
}
