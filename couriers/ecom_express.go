package couriers

import "milaan/domain"

// Ecom Express calls the same column AWB Number or airwaybill_number.
func init() {
	register(Profile{
		ID:        "ecom_express",
		Name:      "Ecom Express",
		Signature: Signature{AWB: "AWB Number", CODAmount: "COD Amount", RemittanceDate: "Remittance Date"},
		LastResort: Names{
			domain.RoleAWB: {"Airwaybill Number"},
		},
		InStatements: []string{"ECOM EXPRESS"},
	})
}
