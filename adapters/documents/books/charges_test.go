package books_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/domain"
)

// TestLedgersOfCharges holds in which ledger a charge is posted, by the name of its column.
func TestLedgersOfCharges(t *testing.T) {
	for ledger, names := range map[string][]string{
		"COD charges": {"COD Charges", "COD Charge", "COD Fee", "COD Fees", "Early COD Charges", "Cash Handling", "COD Charges (excl. GST)", "CODFee", "cod_charges",
			"codcharges", "COD charges inclusive of GST", "Cash collection fee", "Early Remittance Fee", "COD charges (GST included)"},
		"Courier freight": {"Freight", "Freight Charges", "Freight Charge", "Shipping Charges", "Shipping Charge", "RTO Charges", "RTO Charge", "Freight incl. GST",
			"Freight excluding GST", "Excess Weight Charges", "Freight (GST included)", "Freight & GST", "Freight + GST", "Taxable Freight", "ex GST freight", "Pre-tax Freight",
			"Freight Net of GST", "Freight before TDS", "ForwardCharges", "Fuel Surcharge", "Returns", "freightcharges", "GST inclusive freight"},
		"GST on courier charges": {"GST", "IGST", "CGST", "SGST", "Tax", "Taxes", "GST (incl. cess)", "SGST included", "GST on Freight", "Freight GST", "IGST Amount", "GSTAmount",
			"GST18%", "CGST + SGST", "Service Tax", "Cess", "GST on COD charges incl. cess", "Net GST"},
		"TDS receivable": {"TDS", "TCS", "Tax deducted", "Tax Deducted at Source", "Tax collected at source", "TDS on COD", "GST TCS", "Withholding tax"},
		"Other courier charges": {"Other Charges", "Total Charges", "Total Deduction", "Total Deductions", "Charges ex. GST", "Charges before tax", "Pre-tax charges",
			"Taxable Value", "GST Taxable Value", "Processing Fee", "Access Fee", "Carton Charges", "Code Fee", "Charges incl. GST", "Charges less TDS", "Charges inclusive of taxes",
			"GST inclusive charges", "Excess", "Private Fee", "Vatika", "Codex"},
	} {
		for _, name := range names {
			require.Equal(t, ledger, ledgerOf(t, name), name)
		}
	}
}

// ledgerOf posts a charge of ₹60 that is in a column.
func ledgerOf(t *testing.T, column string) string {
	before := columns
	defer func() { columns = before }()
	columns = []string{column}
	run := runOf(t, map[string][]line{"delhivery": {{order: "#1", collected: 100_00, paid: 40_00, on: march(9), charges: []domain.Paise{60_00}}}}, nil)
	return vouchersOf(run)[0].Lines[1].Ledger
}
