// Package sqlite is the store's embedded database: one file of the data directory,
// which this process opens, locks, lets grow and shrink, and has synced.
//
// The store writes through one connection, so that its callers queue in Go, and
// reads through several; the job engine has another, and waits for the store's in
// the file's lock. The journal is a write-ahead log: a killed process loses nothing,
// and a power cut never damages the file. Promised changes are synced before anybody
// is told of them, with synchronous=FULL.
package sqlite
