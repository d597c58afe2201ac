package couriers

import "milaan/domain"

// Shiprocket's AWB sheet lists gross order values: what was deducted is known
// per CRF only. Its order report has one row per product line, and spells
// payable as it does here.
func init() {
	register(Profile{
		ID:        "shiprocket",
		Name:      "Shiprocket",
		Signature: Signature{AWB: "AWB Code", CODAmount: "Total Amount", RemittanceDate: "Payment Date"},
		LastResort: Names{
			domain.RoleAWB:            {"AWB"},
			domain.RoleCODAmount:      {"COD Payble Amount", "COD Payable Amount", "Order Value"},
			domain.RoleRemittanceDate: {"COD Remittance Date", "Remittance Date"},
		},
		NoCharges:    []string{"Tax", "Shipping Charges", "RTO Freight"}, // of the order; freight is deducted per CRF
		InStatements: []string{"SHIPROCKET", "BIGFOOT RETAIL"},
	})
}
