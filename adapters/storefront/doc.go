// Package storefront turns a Shopify orders export into orders: which columns
// it has, which rows are one order, and what their cells say.
package storefront
