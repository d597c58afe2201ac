// Package sqlite is the store's embedded database: one file in the data directory.
//
// The store writes through one connection, so that its callers queue in Go, and reads
// through several. The job engine has a connection of its own and waits for the lock of the
// file. The journal is a write-ahead log: a killed process loses nothing, and a power cut
// never damages the file. The log is synced after each durable change (see journal), before the
// call returns.
package sqlite
