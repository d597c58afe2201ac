// Package storage keeps accounts, keys, rate windows, the audit history and
// saved mappings in a SQL database, through gorm: SQLite in a file of the data
// directory, or PostgreSQL. Both keep every promise of ports/storage.go to the
// letter; tests/conformance holds them to it.
//
// What the two have in common: times are whole microseconds since 1970 in UTC,
// days are counted from 1970-01-01, money is paise, and the schema is the work
// of the numbered files in migrations, of which both have the same numbers.
//
// How exactness is reached, in whatever processes:
//
//   - What hangs on an account (its own record, its one active key, its cap and
//     duplicates) is changed in a transaction that first locks the account's
//     row. SQLite has no row locks; there the transaction is an immediate one,
//     of which there is one at a time.
//   - A rate window is not worth a transaction. It is read, decided on and
//     written back only if its version is still the one that was read;
//     otherwise it is read and decided on again.
//
// SQLite writes through one connection, so that the writers of one process
// queue in Go and not in the file's lock, and reads through several. Its
// journal is a write-ahead log with synchronous=NORMAL: a killed process loses
// nothing, a power cut may lose the last moments and never damages the file.
package storage
