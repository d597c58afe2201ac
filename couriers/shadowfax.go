package couriers

// Shadowfax signs its reports as DTDC does; the two agree on every column, so
// it does not matter which of them sent a file.
func init() {
	register(Profile{
		ID:           "shadowfax",
		Name:         "Shadowfax",
		Signature:    Signature{AWB: "AWB Number", CODAmount: "COD Amount (INR)", RemittanceDate: "Remittance Date"},
		InStatements: []string{"SHADOWFAX"},
	})
}
