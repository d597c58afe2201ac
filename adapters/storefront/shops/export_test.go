package shops

// Queries are what is asked of Shopify.
func Queries() []string { return []string{scopesQuery, ordersQuery, parcelsQuery} }

// CountElements is for tests.
func CountElements(text []byte) int { return countElements(text) }
