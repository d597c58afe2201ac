// Package shops fetches the orders of shops from their APIs. A connector is one file:
//
//	shopify.go      Shopify: signing in, and slices and pages of orders
//	graphql.go      one question to Shopify: its costs and limits
//	woocommerce.go  WooCommerce
//	registry.go     the connectors, and what is checked of their settings
//	client.go       requests to one host: guarded, bounded, repeated
//	few.go          lists that a hostile server cannot make long
//	failure.go      what an error of the network means
package shops
