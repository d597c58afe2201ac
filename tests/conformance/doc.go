// Package conformance holds the suites that every filling of a port must pass,
// so that a promise means the same whoever keeps it. A suite takes a function
// that opens a fresh filling; each case starts empty.
package conformance
