// Package glue holds the interfaces by which one adapter, or a courier, uses
// another without importing it. The application imports none of it: what it asks
// for stands in package ports. sealing.go and storage.go are between storage and
// secrets, tables.go is for whoever reads files, answers.go and health.go are for
// the two driving sides.
package glue
