package shops

// Queries are what is asked of Shopify.
func Queries() []string { return []string{scopesQuery, ordersQuery, parcelsQuery} }

// Few and Anything are for tests.
type (
	Few      = few[any]
	Anything = anything
)
