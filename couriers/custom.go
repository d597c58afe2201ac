package couriers

// customID stands for every courier without a profile: its files are read by
// the vocabulary that all share, or by the columns that the request names.
const customID = "custom"

func init() {
	register(Profile{
		ID:         customID,
		Name:       "Any other courier",
		LastResort: vocabulary,
	})
}
