package couriers

import "milaan/domain"

// Custom is every courier without a profile: its files are read by the
// vocabulary that all share, or by the columns that the request names.
func init() {
	register(Profile{
		ID:         domain.CustomCourier,
		Name:       "Any other courier",
		LastResort: vocabulary,
	})
}
