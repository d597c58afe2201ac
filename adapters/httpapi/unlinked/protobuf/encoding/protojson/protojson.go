// Package protojson is imported by tests of the client of Prometheus alone.
package protojson
