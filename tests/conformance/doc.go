// Package conformance holds the suites that every implementation of a port must pass, so that
// both databases keep the same promises. A suite takes a function that opens a fresh
// implementation; each case starts with an empty one.
package conformance
