package couriers

import "milaan/domain"

// DTDC calls a parcel a consignment, CN for short, and lists parcels before
// they are paid: the remittance status tells.
func init() {
	register(Profile{
		ID:        "dtdc",
		Name:      "DTDC",
		Signature: Signature{AWB: "AWB Number", CODAmount: "COD Amount (INR)", RemittanceDate: "Remittance Date"},
		LastResort: Names{
			domain.RoleAWB:       {"CN Number"},
			domain.RoleCODAmount: {"COD Amount"},
		},
		InStatements: []string{"DTDC"},
	})
}
