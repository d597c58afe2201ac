package couriers

import (
	"slices"
	"strings"

	"milaan/domain"
)

// vocabulary is what the columns of remittance reports are called, by whichever
// courier: the names met in real files, by role. It fills the roles for which a
// courier has no names of its own, and alone reads the files of couriers that
// have no profile.
//
// If a header has several names of one role, the first one in the list is taken.
// So names that can mean nothing else come first, and names that became known later come last.
// A name belongs to one role only. Names of sums over many parcels, such as Ekart's
// TOTAL_AMOUNT_OF_BATCH, of other events, such as NimbusPost's RTO Delivered Date, and of banks' statements,
// such as Reference Number, are left out on purpose.
var vocabulary = Names{
	domain.RoleAWB: {
		"AWB Number", "AWB No", "AWB Code", "AWB Num", "AWB", "Courier AWB",
		"Airway Bill Number", "Airway Bill No", "Airway Bill",
		"Waybill Number", "Waybill No", "Waybill Num", "Waybill",
		"CN Number", "Consignment Number", "Consignment No", "Docket Number", "Docket No",
		"Tracking Number", "Tracking No", "Tracking ID", "Shipping ID",
	},
	// The storefront's own name of the order comes before ids that the courier
	// or a platform in between may have given.
	domain.RoleOrderID: {
		"Shopify Order Name", "Shopify Order No", "Shopify Order Number", "Order Name",
		"Channel Order ID", "Channel Order No", "Platform Order ID", "Shopify Order ID",
		"Client Order ID", "Sale Order Number", "Display Order Code",
		"Order Number", "Order No", "Order ID",
		"Customer Reference", "Reference No", "Ref No",
		"Customer Order Number", "Customer Order No", "Customer Order ID", "Merchant Order ID", "Merchant Order No", "Seller Order ID",
		"Order Reference", "Order Ref No", "Customer Reference No", "Customer Reference Number",
	},
	// Gross. Names that say cash on delivery come before those of an order's
	// value, which a prepaid order has too.
	domain.RoleCODAmount: {
		"COD Amount (INR)", "COD Amount", "COD Collected", "COD Payable Amount", "COD Payble Amount", "COD Value",
		"Collected Amount", "Collectable Amount", "Gross Amount",
		"Total Order Amount", "Order Total", "Order Value", "Order Amount", "Total Amount", "Price", "Amount",
		"Invoice Value", "Invoice Amount", "Product Value", "Collectable Value", "Collectible Amount",
	},
	// Net: never a fallback for a gross amount, nor the other way round.
	domain.RoleRemittedAmount: {
		"Remitted Amount", "Remittance Amount", "Amount Remitted", "COD Amount Remitted", "COD Remitted", "Net Remittance", "Net Remitted",
		"Net Remitted Amount",
		"Transferred Amount", "Amount Transferred", "Paid Amount", "Amount Paid", "Credited Amount", "Amount Credited",
		"Settled Amount", "Settlement Amount", "Amount Settled", "Payout Amount", "Net Payout", "Net Settlement",
		"Net Payment", "Net Amount", "Net Amt", "Net COD Amount",
		"Final Payable Amount", "Net Payable Amount", "Net Payable", "Amount Payable", "Payable Amount", "Payable",
		// A column of one of the names above states what was paid out more surely.
		"Remitted Amt", "Amt Remitted", "Remittance Amt", "COD Remitted Amount", "Net COD Remitted", "Net Remittance Amount",
		"Net Paid", "Net Paid Amount", "Net Amount Paid", "Paid Amt", "Amt Paid", "Transferred Amt", "Credited Amt", "Amt Credited",
		"Net Credited Amount", "Settled Amt", "Settlement Amt", "Net Settled Amount", "Net Settlement Amount", "Payout Amt",
		"Net Payout Amount", "Disbursed Amount", "Amount Disbursed", "Remittable Amount", "Net Remittable Amount",
	},
	// What has happened comes before what may be a forecast or a plan.
	domain.RoleRemittanceDate: {
		"Actual Date of Remittance", "Remitted Date", "Remitted On", "COD Remittance Date", "Remittance Date",
		"Payout Date", "Settlement Date", "Credit Date", "Paid On", "Pay Ref Date", "Payment Date", "Transaction Date",
		"Date of Remittance", "Remit Date", "Settled On", "Settled Date", "Credited On", "Credited Date", "Transferred On", "NEFT Date",
		"UTR Date",
	},
	domain.RoleDeliveredDate: {
		"Delivered Date", "Order Delivered Date", "Delivered On", "Delivered At", "Delivery Date",
		"Date of Delivery", "Delivery Date Time", "Delivered Date Time", "Del Date",
	},
	domain.RoleStatus: {
		"Shipment Status", "Delivery Status", "Current Status", "Order Status", "Status",
	},
	domain.RoleRemittanceStatus: {
		"Remittance Status", "COD Status", "COD Remittance Status", "Settlement Status", "Payout Status",
	},
	domain.RoleUTR: {
		"UTR", "UTR Number", "UTR No", "Remittance UTR", "Settlement UTR", "Payment UTR",
		"NEFT Ref", "Bank Reference No", "BANK's TRANSACTION ID",
		"Bank Transaction ID", "UTR Ref No", "UTR Reference", "UTR Reference No", "UTR / Ref", "Bank UTR", "NEFT UTR", "NEFT Ref No", "NEFT No",
		"Bank Reference Number", "Bank Reference", "Bank Ref No", "Bank Ref Number", "Bank Ref",
	},
	// Each of them is one, not the best alone; see totalCharges.
	domain.RoleCharges: {
		"Freight", "Freight Charges", "Freight Charge", "Shipping Charges", "Shipping Charge", "COD Charges", "COD Charge", "COD Fee", "COD Fees",
		"RTO Charges", "RTO Charge", "Other Charges", "Early COD Charges", "GST", "IGST", "CGST", "SGST", "Tax", "TDS", "TCS",
		"Total Charges", "Total Deduction", "Total Deductions",
	},
}

// paymentsToo are the names of order ids that a line about a payment may have as well.
var paymentsToo = keySet("Customer Reference", "Customer Reference No", "Customer Reference Number", "Reference No", "Ref No")

// totalCharges are the columns of charges that state the total of the others. Such a
// column is used only if it stands alone.
var totalCharges = keySet("Total Charges", "Total Deduction", "Total Deductions")

// toBeCollected are the columns of amounts that state what was to be collected at
// the door, delivered or not: there cash changed hands only where some was
// remitted. The contract's four names state what was collected (guide:
// verdict 1).
var toBeCollected = keySet(
	"Collectable Amount", "Collectible Amount", "Collectable Value", "COD Payable Amount", "COD Payble Amount", "COD Value",
	"Order Value", "Order Amount", "Total Order Amount", "Order Total",
	"Invoice Value", "Invoice Amount", "Product Value", "Price",
)

// payable are the columns of net amounts that state what is to be paid as well as
// what was: where the report has a remittance date, the date tells.
var payable = keySet("Payable", "Amount Payable", "Payable Amount", "Net Payable", "Net Payable Amount", "Final Payable Amount",
	"Remittable Amount", "Net Remittable Amount")

// units are what may stand behind the name of an amount, as in Remitted Amount (Rs.). Of a header that has the same name without
// one, that is the better one.
var units = []string{"inr", "rs", "ininr", "inrs"}

// withUnits returns names that all couriers share with their units.
func withUnits(names nameKeys) nameKeys {
	for _, role := range []domain.Role{domain.RoleCODAmount, domain.RoleRemittedAmount} {
		plain := names[role]
		for _, unit := range units {
			for _, key := range plain {
				if !slices.Contains(plain, key+unit) { // COD Amount (INR) is a name of the contract's
					names[role] = append(names[role], key+unit)
				}
			}
		}
	}
	return names
}

// hasAmount says that a set has the name of an amount, with or without a unit.
func hasAmount(set map[string]bool, key string) bool {
	return set[key] || slices.ContainsFunc(units, func(unit string) bool {
		plain, has := strings.CutSuffix(key, unit)
		return has && set[plain]
	})
}

func keySet(names ...string) map[string]bool {
	keys := map[string]bool{}
	for _, name := range names {
		keys[domain.HeaderKey(name)] = true
	}
	return keys
}
