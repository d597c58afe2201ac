package couriers

import "milaan/domain"

// XpressBees writes either what it collected or only what it paid, net.
func init() {
	register(Profile{
		ID:        "xpressbees",
		Name:      "XpressBees",
		Signature: Signature{AWB: "Waybill Number", CODAmount: "COD Collected", RemittanceDate: "Settlement Date"},
		LastResort: Names{
			domain.RoleAWB:            {"Shipping ID"},
			domain.RoleRemittedAmount: {"Net Payment"},
			domain.RoleRemittanceDate: {"Transaction Date"},
		},
		InStatements: []string{"XPRESSBEES", "BUSYBEES"},
	})
}
