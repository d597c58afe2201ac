// Package sources fetches reports of couriers from the places where merchants get them:
// their own servers, buckets, mailboxes and folders. A connector is one kind of place. It is
// data and functions in a file of its own, and one entry of the list in registry.go.
//
// A server that an account names is not trusted. Every connection goes through the guard of
// package outbound, ends when its time is over, and may send only a limited number of bytes. What a
// connector lists or reads is all of it, or an error.
package sources
