package couriers

import "milaan/domain"

// Delhivery pays by files of several shapes. A payout file has neither date nor
// UTR: what it lists is paid, as Amount Payable.
func init() {
	register(Profile{
		ID:        "delhivery",
		Name:      "Delhivery",
		Signature: Signature{AWB: "AWB No", CODAmount: "COD Amount", RemittanceDate: "Remittance Date"},
		Own: Names{
			domain.RoleUTR: {"BANK's TRANSACTION ID"},
		},
		LastResort: Names{
			domain.RoleAWB:            {"Waybill Number", "Waybill Num"},
			domain.RoleRemittedAmount: {"Remitted Amount", "Amount Payable", "Payable"},
			domain.RoleRemittanceDate: {"Date"},
			domain.RoleDeliveredDate:  {"Status Date"},
		},
		InStatements: []string{"DELHIVERY"},
	})
}
