// Package storefront turns the exports of storefronts into orders: whose export a
// file is and which columns it has, which rows are one order, and what the words of
// its cells mean to the business. A storefront is data, in a file of its own:
// README.md says how to add one.
//
//	shopify.go   a storefront
//	provider.go  what a storefront's file may say
//	registry.go  whose export a header is
//	columns.go   which column is what
//	orders.go    from rows to orders
//	words.go     statuses and payment methods
//	fetched.go   orders that were fetched from a shop's API, read as an export is
//
// shops fetches them.
package storefront
