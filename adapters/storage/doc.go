// Package storage keeps everything that is stored in a SQL database, through gorm: SQLite in
// a file of the data directory, or PostgreSQL. Both keep every promise of the ports to the
// letter; tests/conformance holds them to it.
//
// What the two have in common: times are whole microseconds since 1970 in UTC,
// days are counted from 1970-01-01, money is paise, and the schema is the work
// of the numbered files in migrations, of which both have the same numbers.
//
// Where they differ, the package dialect says what the store asks of a database, and the
// packages sqlite and postgres answer for one database each. Nothing here but Open knows
// which of them it works on.
//
// How limits are exact in however many processes:
//
//   - What belongs to an account (its own record, its one active key, its cap and
//     duplicates, its webhook, its open batches and the ends of their jobs, its claims
//     and their outcomes) is changed in a transaction that first locks the account's
//     row. Attempts at a delivery are counted under the lock of the delivery's row.
//     SQLite has no row locks; there the transaction is an immediate one, and only one
//     of these is open at a time.
//   - What belongs to a connection (its settings and status, its one pass that has not
//     ended, its kept files, its ledger) is changed under the lock of the connection's row. The
//     schedule of passes locks the rows of many connections, and skips those that are
//     locked. A transaction that also locks the account locks that first, and the
//     schedule locks no account, so no two transactions wait for each other.
//   - A rate window is not worth a transaction. It is read, decided on and written back
//     only if its version is still the one that was read; otherwise it is read and
//     decided on again.
//
// An account is deleted in one transaction, from all tables that storage.AccountTables and
// the references to these name, and from the job engine.
//
// The jobs that follow from what is stored are added within the same transaction
// (Outbox), by an engine that keeps its own tables in the same database
// (Settings.Also, Store.Handle).
//
// The columns of sealedTables (resealing.go) are sealed, each for its own row. A person who reads the
// database learns nothing from them, and cannot put one in the place of another.
//
// A killed process loses nothing that was committed. What a caller was told (a key, a run,
// a batch, a setting, an attempt that is begun) is on the disk before the caller is told. A
// power cut may lose the last moments of rate windows, of the job engine's notes and of
// upkeep. PostgreSQL does as its own synchronous_commit says, which is on by default, except
// for rate windows: the death of the server may take those of the last second.
package storage
